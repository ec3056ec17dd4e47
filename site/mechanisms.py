"""Mechanisms to turn by hand: every bundled one as the interactive page that `linkwright view` writes."""

import html
import pathlib
import re
import subprocess
import sys
import textwrap

#: A page without headings of its own needs no column for them.
WIDE = ["---", "hide: [toc]", "---"]


def story_of(file: pathlib.Path) -> str:
    """The first comment of a model file: what it is, in a line or two."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".urdf":
        found = re.search(r"<!--(.*?)-->", text, flags=re.S)
        return " ".join(found.group(1).split()) if found else ""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return " ".join(lines)


def draw(model: pathlib.Path, place: pathlib.Path) -> None:
    """As sticks, where its file starts it; an arm that would stand upright bends its joints."""
    import linkwright
    import matplotlib
    from sticks import Sticks

    matplotlib.use("svg")
    from matplotlib import pyplot

    system = linkwright.load(model)
    q = system.state().q
    if not q.any() and system.nq < 10 and not system.is_closed:
        q = q + 0.4
    figure = pyplot.figure(figsize=(2.4, 1.4), layout="constrained")
    Sticks(figure.subplots(), system).draw(q, width=1.6)
    figure.savefig(place, transparent=True, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def write(program: pathlib.Path, root: pathlib.Path, package: pathlib.Path, pages: pathlib.Path) -> list[str]:
    """`package` is the folder that holds the package linkwright."""
    sys.path[:0] = [str(package), str(root / "examples" / "pictures")]
    (pages / "mechanisms").mkdir()
    models = sorted([*(root / "models").glob("*.yaml"), *(root / "models").glob("*.urdf")])
    cards, written = [], []
    for model in models:
        name, title = model.stem, model.stem.replace("_", " ")
        page = pages / "mechanisms" / f"{name}.html"
        subprocess.run([program, "view", model, "-o", page, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        draw(model, page.with_suffix(".svg"))
        story = story_of(model)
        text = [*WIDE, f"# {title.capitalize()}", "", html.escape(story), "",
                f'<iframe class="mechanism" src="mechanisms/{name}.html" title="{title}" loading="lazy"></iframe>', "",
                f"[Full window](mechanisms/{name}.html)", "", "```sh", f"linkwright info models/{model.name}",
                f"linkwright view models/{model.name} -o {name}.html", "```", ""]
        (pages / f"model_{name}.md").write_text("\n".join(text), encoding="utf-8")
        written.append(f"model_{name}")
        cards.append(f'<a href="model_{name}.html"><img src="mechanisms/{name}.svg" alt=""><b>{title.capitalize()}</b>{html.escape(textwrap.shorten(story, 160, placeholder=" …"))}</a>')
    text = [*WIDE, "# Mechanisms to turn by hand", "", "Every model of the folder `models/`; drag the sliders: loops stay closed.", "",
            '<div class="cards">', *cards, "</div>", ""]
    (pages / "mechanisms.md").write_text("\n".join(text), encoding="utf-8")
    return ["mechanisms", *written]
