#!/usr/bin/env python3
"""Builds the site: the pages of the repository, references made from what they speak of, and interactive mechanisms.

    site/build.py build            the program is build/bin/linkwright; the site is build/site/html/index.html

Every page that mkdocs gets stands in build/site/pages; a broken link ends the build.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "site"))

import command_line
import formulas
import headers
import mechanisms
import python_reference
import vocabulary

# Sections of the site and their pages, in the order in which one reads them.
GUIDES = {
    "Start": ["index", "python", "python_motion", "python_rooms", "command_line", "viewer", "conventions", "building"],
    "Files": ["system_file", "urdf", "sdf", "mjcf"],
    "Motion": ["dynamics", "simulation", "closed_chains", "batch"],
    "Models": ["influence_coefficients", "freeman", "linear_models", "motors", "identification", "networks"],
    "Manipulators": ["grasps", "manipulators", "flexible_links", "examples"],
    "Gallery": ["gallery"],
    "Inside": ["operators", "verify", "performance", "NOTATION", "CONTRIBUTING", "CHANGELOG"],
}


# By the end of a file's name: page, title, folder and language of programs that are shown whole.
PROGRAMS = {".py": ("gallery_programs", "Programs in Python", "examples/python", "python"),
            ".cpp": ("gallery_programs_cpp", "Programs in C++", "examples", "cpp")}


def title_of(page: pathlib.Path) -> str:
    """What a page calls itself."""
    return next(line.removeprefix("# ").strip() for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("# "))


def rewrite_links(text: str, folder: str, known: set[str]) -> str:
    """Links between files of the repository as links between pages; to its other files, as their names."""

    def link(match: re.Match) -> str:
        label, target = match.group(1), match.group(2)
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match.group(0)
        path, _, anchor = target.partition("#")
        place = (ROOT / folder / path).resolve()
        if not place.is_relative_to(ROOT) or not place.exists():
            raise SystemExit(f"{folder or '.'}: link to {target}, which does not exist")
        name = place.relative_to(ROOT).as_posix()
        if name.startswith("docs/figures/"):
            return f"[{label}]({name.removeprefix('docs/')})"
        if name.startswith("include/linkwright/") and name.endswith(".hpp"):
            return f"[{label}]({headers.page_of(name)}#{headers.anchor_of(name)})"
        if name.startswith("examples/") and place.suffix in PROGRAMS:
            return f"[{label}]({PROGRAMS[place.suffix][0]}.md#{place.stem})"
        page = "index" if name == "README.md" else place.stem
        if name.endswith(".md") and page in known:
            shown = title_of(place) if label in (name, place.name) else label
            return f"[{shown}]({page}.md{'#' + anchor if anchor else ''})"
        return f"{label} (`{name}`)"

    pieces = re.split(r"(^```.*?^```)", text, flags=re.M | re.S)  # code is left as it is
    for i in range(0, len(pieces), 2):
        pieces[i] = re.sub(r"\[([^\[\]]*)\]\(([^()\s]+)\)", link, pieces[i])
    return "".join(pieces)


def write_guides(pages: pathlib.Path) -> dict[str, list[str]]:
    """The pages of the repository; returns the sections with those that exist."""
    source = {"index": ROOT / "README.md"}
    for name in ("NOTATION", "CONTRIBUTING", "CHANGELOG"):
        source[name] = ROOT / f"{name}.md"
    source.update({file.stem: file for file in sorted((ROOT / "docs").glob("*.md"))})
    for name, file in source.items():
        folder = file.parent.relative_to(ROOT).as_posix()
        text = file.read_text(encoding="utf-8")
        try:
            formulas.check(file.relative_to(ROOT).as_posix(), text)
        except ValueError as error:
            raise SystemExit(str(error)) from None
        text = rewrite_links(text, "" if folder == "." else folder, set(source))
        # What explains is found before what lists.
        weight = 0.5 if name in GUIDES["Inside"][-2:] else 3
        settings = f"search: {{boost: {weight}}}" + ("" if "\n## " in text else "\nhide: [toc]")
        (pages / f"{name}.md").write_text(f"---\n{settings}\n---\n{text}", encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "figures", pages / "figures")
    sections = {title: [name for name in names if name in source] for title, names in GUIDES.items()}
    listed = {name for names in sections.values() for name in names}
    sections["Inside"] += sorted(set(source) - listed)  # a new page is never lost
    return sections


def write_programs(pages: pathlib.Path) -> list[str]:
    """The programs of the gallery, one after the other, a page for each language."""
    for suffix, (page, title, folder, language) in PROGRAMS.items():
        text = [f"# {title}", ""]
        for file in sorted((ROOT / folder).glob(f"*{suffix}")):
            text += [f"## {file.name} {{#{file.stem}}}", "", f"```{language}", file.read_text(encoding="utf-8").rstrip(), "```", ""]
        (pages / f"{page}.md").write_text("\n".join(text), encoding="utf-8")
    return [page for page, *_ in PROGRAMS.values()]


def main() -> None:
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    work = build / "site"
    pages = work / "pages"
    shutil.rmtree(work, ignore_errors=True)
    pages.mkdir(parents=True)
    program = build / "bin" / "linkwright"

    sections = write_guides(pages)
    sections["Gallery"] += [*write_programs(pages), *mechanisms.write(program, ROOT, build / "python", pages)]
    sections["Reference"] = [
        *command_line.write(program, pages),
        *python_reference.write(build / "python", pages),
        *vocabulary.write(build / "bin" / "linkwright_vocabulary", pages),
        *headers.write(ROOT, pages),
    ]
    shutil.copy(ROOT / "site" / "style.css", pages)
    settings = (ROOT / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    lines = ["nav:"]
    for title, names in sections.items():
        lines += [f"  - {title}:", *(f"    - {name}.md" for name in names)]
    (work / "mkdocs.yml").write_text(settings + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    # Not --quiet: then it does not count its warnings either, and broken anchors pass.
    run = subprocess.run([sys.executable, "-m", "mkdocs", "build", "-f", work / "mkdocs.yml"], text=True,
                         env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "site")}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode != 0:
        raise SystemExit("\n".join(line for line in run.stdout.splitlines() if not line.startswith("INFO")))
    html = work / "html"
    for page in sorted(html.glob("*.html")):
        for left in formulas.left_in(page.read_text(encoding="utf-8")):
            raise SystemExit(f"{page.name}: a dollar is left that neither begins nor ends a formula: …{left}…")
    print(f"{sum(1 for _ in html.rglob('*.html'))} pages; read them with: python3 -m http.server --directory {os.path.relpath(html)}")


if __name__ == "__main__":
    main()
