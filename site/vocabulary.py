"""The reference of the files that are read: the tables in which the readers themselves look words up."""

import json
import pathlib
import subprocess


def code(words: list[str]) -> str:
    return " ".join(f"`{word}`" for word in words) or "–"


def write(printer: pathlib.Path, pages: pathlib.Path) -> list[str]:
    tables = json.loads(subprocess.run([printer], check=True, capture_output=True, text=True).stdout)
    text = ["# Every word of a model file", "",
            "These tables are those of the readers: what is not in them is refused (system file) or told as ignored (URDF, SDF, MJCF).", "",
            "## System file", "", "What the keys mean: [The system file](system_file.md).", "", "| map | keys |", "|---|---|"]
    text += [f"| {section['name']} | {code(section['keys'])} |" for section in tables["system_file"]]
    for dialect in ("urdf", "sdf", "mjcf"):
        text += ["", f"## {dialect.upper()}", "", f"What the elements mean: [{dialect.upper()}]({dialect}.md).", "",
                 "| element | attributes | children |", "|---|---|---|"]
        text += [f"| `{element['kind']}` | {code(element['attributes'])} | {code(element['children'])} |" for element in tables[dialect]]
    (pages / "reference_files.md").write_text("\n".join(text) + "\n", encoding="utf-8")
    return ["reference_files"]
