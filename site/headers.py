"""The C++ reference: the public headers, a page per room. Each begins with English and an example, so they are shown as they are."""

import pathlib
import re

ROOMS = ["spatial", "model", "io", "system", "dynamics", "batch", "operators", "closure", "coordinates", "actuation", "linear",
         "manipulator", "network", "verify", "simulate", "viewer"]


def page_of(header: str) -> str:
    room = pathlib.PurePosixPath(header).parts[2]
    return f"cpp_{room}.md" if room in ROOMS else "cpp_linkwright.md"


def anchor_of(header: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", header.removeprefix("include/linkwright/").lower()).strip("-")


def split(text: str) -> tuple[str, str]:
    """The comment at the head, as Markdown, and the declarations without includes."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith("///")), len(lines))
    end = next((i for i in range(start, len(lines)) if not lines[i].startswith("///")), len(lines))
    head = "\n".join(re.sub(r"^/// ?", "", line) for line in lines[start:end])
    rest = [line for line in lines[end:] if not re.match(r"#(include|pragma once)", line)]
    return head.strip("\n"), "\n".join(rest).strip("\n")


def markdown(header: str, text: str) -> list[str]:
    head, code = split(text)
    head = re.sub(r"<(?=[A-Za-z/])", "&lt;", head) if "    " not in head else head
    name = pathlib.PurePosixPath(header).name
    return [f"## {name} {{ #{anchor_of(header)} }}", "", f"`#include <{header.removeprefix('include/')}>`", "", head, "",
            "```cpp", code, "```", ""]


def names_in(code: str) -> list[str]:
    """Types and functions that a header declares by themselves, without those of classes."""
    types = re.findall(r"^(?:class|struct|enum class) (\w+)(?: final)?(?= \{| :|$)", code, flags=re.M)
    functions = re.findall(r"^(?!using|namespace|template|typedef|#)(?:\[\[nodiscard\]\] )?[\w:][\w:<>&*, ]*[ &*](\w+)\(", code, flags=re.M)
    return sorted({*types, *functions})


def contents(files: list[pathlib.Path], root: pathlib.Path) -> list[str]:
    """What stands on a page: its headers, with the names in each."""
    text = ["| header | names |", "|---|---|"]
    for file in files:
        header = file.relative_to(root).as_posix()
        names = " ".join(f"`{name}`" for name in names_in(split(file.read_text(encoding="utf-8"))[1]))
        text.append(f"| [{file.name}](#{anchor_of(header)}) | {names} |")
    return [*text, ""]


def write(root: pathlib.Path, pages: pathlib.Path) -> list[str]:
    include = root / "include" / "linkwright"
    found = sorted(folder.name for folder in include.iterdir() if folder.is_dir())
    if set(found) != set(ROOMS):
        raise SystemExit(f"site/headers.py lists other rooms than include/linkwright holds: {sorted(set(found) ^ set(ROOMS))}")
    written = []
    for room in ROOMS:
        files = sorted((include / room).glob("*.hpp"))
        text = [f"# C++: {room}", "", f"The public headers of `include/linkwright/{room}`, as they are.", "", *contents(files, root)]
        for file in files:
            text += markdown(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))
        (pages / f"cpp_{room}.md").write_text("\n".join(text), encoding="utf-8")
        written.append(f"cpp_{room}")
    files = sorted(include.glob("*.hpp"))
    text = ["# C++: for all rooms", "", "One header includes all that most programs need; those of a room stand on its own page.", "",
            *contents(files, root)]
    for file in files:
        text += markdown(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))
    (pages / "cpp_linkwright.md").write_text("\n".join(text), encoding="utf-8")
    return ["cpp_linkwright", *written]
