"""Pictures of the examples, drawn from what they have computed: examples/pictures --help

Every example runs as its reader runs it; the drawing of its name then gets its variables.
"""

import argparse
import os
import pathlib
import runpy
import sys
import tempfile
import types

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

import mechanisms  # noqa: E402
import plots  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"
DRAWINGS = {**mechanisms.DRAWINGS, **plots.DRAWINGS}
STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "linkwright", "font.size": 8, "axes.titlesize": 8,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.25, "legend.frameon": False,
    "lines.linewidth": 1.3, "figure.constrained_layout.use": True,
    "axes.prop_cycle": matplotlib.cycler(color=["#3b6ea5", "#d1662a", "#3a8f5c", "#8e4fa8", "#c0392b", "#7f8c1d", "#444444"]),
}


def draw(name, folder):
    """Runs an example and draws what its variables hold."""
    found = types.SimpleNamespace(**runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__"))
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(4.4, 2.3))
        DRAWINGS[name](figure, found)
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None}, facecolor="white")
        plt.close(figure)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="examples/pictures", description=__doc__)
    parser.add_argument("names", nargs="*", help="examples; all of them without any")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "figures" / "gallery", help="folder of the pictures")
    given = parser.parse_args()
    folder = given.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name in given.names:
        if name not in DRAWINGS:
            sys.exit(f"{name}: no such example has a drawing; there are {', '.join(sorted(DRAWINGS))}")
    with tempfile.TemporaryDirectory() as place:  # what examples write stays here
        os.chdir(place)
        os.symlink(ROOT / "models", "models")
        for name in given.names or sorted(DRAWINGS):
            draw(name, folder)
