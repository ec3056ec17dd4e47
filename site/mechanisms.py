"""Mechanisms to turn by hand: every bundled one as the interactive page that `linkwright view` writes."""

import html
import pathlib
import re
import subprocess


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


def write(program: pathlib.Path, root: pathlib.Path, pages: pathlib.Path) -> list[str]:
    (pages / "mechanisms").mkdir()
    models = sorted([*(root / "models").glob("*.yaml"), *(root / "models").glob("*.urdf")])
    cards, written = [], []
    for model in models:
        name, title = model.stem, model.stem.replace("_", " ")
        page = pages / "mechanisms" / f"{name}.html"
        subprocess.run([program, "view", model, "-o", page, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        story = html.escape(story_of(model))
        text = [f"# {title.capitalize()}", "", story, "",
                f'<iframe class="mechanism" src="mechanisms/{name}.html" title="{title}" loading="lazy"></iframe>', "",
                f"[Full window](mechanisms/{name}.html)", "", "```sh", f"linkwright info models/{model.name}",
                f"linkwright view models/{model.name} -o {name}.html", "```", ""]
        (pages / f"model_{name}.md").write_text("\n".join(text), encoding="utf-8")
        written.append(f"model_{name}")
        cards.append(f'<a href="model_{name}.html"><b>{title}</b>{story[:160]}{"…" if len(story) > 160 else ""}</a>')
    text = ["# Mechanisms to turn by hand", "", "Every model of the folder `models/`; drag the sliders: loops stay closed.", "",
            '<div class="cards">', *cards, "</div>", ""]
    (pages / "mechanisms.md").write_text("\n".join(text), encoding="utf-8")
    return ["mechanisms", *written]
