"""The Python reference: what `import linkwright` offers, with its signatures and docstrings."""

import importlib
import inspect
import pathlib
import re
import sys


def signature_of(name: str, thing: object) -> str:
    """One line or several, from the function itself or, for compiled ones, from the head of its docstring."""
    compiled = (getattr(thing, "__doc__", None) or "").partition("\n\n")[0]
    try:
        text = compiled if re.match(rf"{re.escape(name)}\(", compiled) else f"{name}{inspect.signature(thing)}"
        return re.sub(r"\b(numpy\.typing|numpy|collections\.abc|typing|linkwright\.\w+)\.(?=\w)", "", text)
    except (TypeError, ValueError):
        return name


def text_of(name: str, thing: object) -> str:
    text = inspect.getdoc(thing) or ""
    if re.match(rf"{re.escape(name)}\(", text):
        text = text.partition("\n\n")[2]
    # Examples as code, the rest as prose.
    lines, code = [], False
    for line in text.splitlines():
        begins = line.lstrip().startswith(">>>")
        if begins and not code:
            lines += ["", "```pycon"]
        if code and not line.strip():
            lines.append("```")
        code = begins or (code and bool(line.strip()))
        lines.append(line.strip() if code else re.sub(r"<(?=\w)", "&lt;", line))
    return "\n".join(lines + (["```"] if code else []))


def property_of(name: str, what: property) -> str:
    text = inspect.getdoc(what.fget) or ""
    compiled = re.match(r"\(self\) -> (.*)", text)
    if compiled:
        kind, text = compiled.group(1).replace("numpy.typing.", ""), text.partition("\n\n")[2]
    else:
        kind = inspect.signature(what.fget).return_annotation
        kind = "" if kind is inspect.Signature.empty else kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))
    return f"- `{name}{': ' + kind if kind else ''}` " + " ".join(text.split())


def members_of(kind: type) -> list[tuple[str, object]]:
    found = {}
    for base in reversed(kind.__mro__[:-1]):
        if base.__module__.startswith("linkwright"):
            found.update(vars(base))
    return [(name, thing) for name, thing in found.items() if not name.startswith("_")]


def describe(name: str, thing: object) -> list[str]:
    lines = [f"## {name}", ""]
    if inspect.isclass(thing):
        lines += [text_of(name, thing), ""]
        members = members_of(thing)
        lines += [*(property_of(member, what) for member, what in members if isinstance(what, property)), ""]
        for member, what in members:
            if not isinstance(what, property) and (callable(what) or isinstance(what, (classmethod, staticmethod))):
                what = getattr(thing, member)
                lines += [f"### {name}.{member}", "", "```python", signature_of(member, what), "```", "", text_of(member, what), ""]
    elif callable(thing):
        lines += ["```python", signature_of(name, thing), "```", "", text_of(name, thing), ""]
    else:
        lines += [text_of(name, thing) if inspect.ismodule(thing) else f"`{thing!r}`", ""]
    return lines


def bounds() -> list[str]:
    """What types with bounds mean in signatures."""
    module = importlib.import_module("linkwright._arguments")
    names = [name for name, thing in vars(module).items() if not name.startswith("_") and hasattr(thing, "__metadata__")]
    return ["In signatures:", "", *(f"- `{name}`: {getattr(module, name).__metadata__[0].text}" for name in names)]


def write(package: pathlib.Path, pages: pathlib.Path) -> list[str]:
    """`package` is the folder that holds the package linkwright."""
    sys.path.insert(0, str(package))
    library = importlib.import_module("linkwright")
    lines = ["# Python, name by name", "", "What `import linkwright as lw` offers.", "", *bounds(), ""]
    for name in sorted(library.__all__, key=str.lower):
        lines += describe(name, getattr(library, name))
    (pages / "reference_python.md").write_text("\n".join(lines), encoding="utf-8")
    return ["reference_python"]
