"""The reference of the command line: what the program itself says under --help."""

import pathlib
import re
import subprocess


def help_of(program: pathlib.Path, *words: str) -> str:
    return subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True).stdout.rstrip()


def write(program: pathlib.Path, pages: pathlib.Path) -> list[str]:
    overview = help_of(program)
    commands = re.findall(r"^  ([a-z]+) {2,}", overview.partition("Subcommands:")[2], flags=re.M)
    if not commands:
        raise SystemExit(f"{program} --help lists no subcommands")
    text = ["# Command line, option by option", "", "What `linkwright --help` says; [The command line](command_line.md) explains it.", "",
            "```text", overview, "```"]
    for command in commands:
        text += ["", f"## linkwright {command}", "", "```text", help_of(program, command), "```"]
    (pages / "reference_command_line.md").write_text("\n".join(text) + "\n", encoding="utf-8")
    return ["reference_command_line"]
