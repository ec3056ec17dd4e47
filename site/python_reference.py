"""The Python reference: what `import linkwright` and its modules offer, with signatures, fields and docstrings."""

import dataclasses
import importlib
import inspect
import pathlib
import re
import sys

# Names of the package in the order in which one meets them; what stands in none of these lists ends the build.
GROUPS = {
    "Files": ["load", "loads", "read_model", "dump", "dumps", "compile"],
    "The system": ["System", "State", "ExternalForce", "Energy", "Kinematics", "ForwardDerivatives", "InverseDerivatives",
                   "SecondForwardDerivatives", "SecondInverseDerivatives", "JointPlace", "Convention", "Page", "Verification"],
    "Loops": ["Assembly", "Mobility", "ClosingJoints", "ClosureForceDerivatives"],
    "Motion over time": ["simulate", "SimulationOptions", "Run", "Simulation", "Controller", "Event", "Load", "Channel", "Statistics", "Drift",
                         "Margin", "Occurrence", "Slip"],
    "Linear models, motors, measurements": ["LinearModel", "Equilibrium", "TransferFunction", "FrequencyResponse", "Analysis", "Mode", "Reach",
                                            "Drive", "Demand", "Estimate"],
    "Many runs": ["grid", "sweep", "Sweep", "Failure"],
    "Other rooms": ["Operators", "explain", "dense", "grasp", "Manipulator", "Network"],
    "Parts of a model": ["Model", "Body", "Joint", "Frame", "Pose", "Closure", "Grasp", "Limits", "Friction", "JointSpring", "LineSpring",
                         "JointLoad", "BodyLoad", "Actuator", "Motor", "FlexibleLink", "BeamSection", "to_elastic_chains", "Beam"],
    "Mistakes": ["Error", "InputError", "ComputationError", "Interrupted", "Mistake", "RunWarning", "SweepWarning"],
}
MODULES = {"operators": "Python: operators", "coordinates": "Python: coordinates", "manipulator": "Python: hands and arms",
           "network": "Python: networks", "model": "Python: models"}


def annotation_of(annotation: object) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return re.sub(r"\b(numpy\.typing|numpy|collections\.abc|typing|linkwright\.\w+|np|npt)\.(?=\w)", "", text)


def parameters_of(signature: inspect.Signature) -> list[str]:
    found, starred = [], False
    for each in signature.parameters.values():
        if each.name in ("self", "source", "inertial_source"):  # places in files are filled in by readers
            continue
        if each.kind is each.KEYWORD_ONLY and not starred:
            found.append("*")
        starred = starred or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        text = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "") + each.name
        if each.annotation is not each.empty:
            text += f": {annotation_of(each.annotation)}"
        if each.default is not each.empty:
            made = type(each.default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"
            text += f" = {'…' if made else repr(each.default)}"
        found.append(text)
    return found


def signature_of(name: str, thing: object) -> str:
    """On one line where it fits, else a line per parameter; of compiled ones the head of their docstring."""
    compiled = (getattr(thing, "__doc__", None) or "").partition("\n\n")[0]
    if re.match(rf"{re.escape(name.rpartition('.')[2])}\(", compiled) and not inspect.isclass(thing):
        return annotation_of(compiled)
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    result = "" if inspect.isclass(thing) or signature.return_annotation in (signature.empty, "None", None) \
        else f" -> {annotation_of(signature.return_annotation)}"
    parameters = parameters_of(signature)
    line = f"{name}({', '.join(parameters)}){result}"
    return line if len(line) <= 100 else f"{name}(\n" + "".join(f"    {each},\n" for each in parameters) + f"){result}"


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


def comments_of(kind: type) -> dict[str, str]:
    """What the lines `#:` above the fields of a class say."""
    try:
        lines = inspect.getsource(kind).splitlines()
    except (OSError, TypeError):
        return {}
    found, said = {}, []
    for line in lines:
        comment = re.match(r"\s*#: ?(.*)", line)
        name = re.match(r"\s*(\w+): ", line)
        if comment:
            said.append(comment[1])
        elif name:
            found[name[1]] = " ".join(said)
            said = []
    return found


def fields_of(kind: type) -> list[str]:
    """Of data classes, named tuples and typed dictionaries: name, type and what is said of it."""
    if dataclasses.is_dataclass(kind):
        fields = {each.name: each.type for each in dataclasses.fields(kind) if each.repr and not each.name.startswith("_")}
    elif hasattr(kind, "_fields") or hasattr(kind, "__total__"):
        fields = inspect.get_annotations(kind)
    else:
        return []
    comments = comments_of(kind)
    types = {name: getattr(what, "__forward_arg__", what) for name, what in fields.items()}
    return [f"- `{name}: {annotation_of(what)}` {comments.get(name, '')}".rstrip() for name, what in types.items()]


def property_of(name: str, what: property) -> str:
    text = inspect.getdoc(what.fget) or ""
    compiled = re.match(r"\(self\) -> (.*)", text)
    if compiled:
        kind, text = annotation_of(compiled.group(1)), text.partition("\n\n")[2]
    else:
        kind = inspect.signature(what.fget).return_annotation
        kind = "" if kind is inspect.Signature.empty else annotation_of(kind)
    return f"- `{name}{': ' + kind if kind else ''}` " + " ".join(text.split())


def members_of(kind: type) -> list[tuple[str, object]]:
    found = {}
    for base in reversed(kind.__mro__[:-1]):
        if base.__module__.startswith("linkwright"):
            found.update(vars(base))
    return [(name, thing) for name, thing in found.items() if not name.startswith("_")]


def is_built(kind: type) -> bool:
    """Whether a reader makes such an object: it has parameters of its own."""
    return kind.__init__ is not object.__init__ and not issubclass(kind, (tuple, dict, BaseException)) \
        and type(kind.__init__).__name__ == "function"


def describe_class(name: str, kind: type, level: str) -> list[str]:
    lines = ["```python", signature_of(name, kind), "```", ""] if is_built(kind) else []
    members = members_of(kind)
    lines += [text_of(name, kind), "", *fields_of(kind)]
    lines += [*(property_of(member, what) for member, what in members if isinstance(what, property)), ""]
    for member, what in members:
        if not isinstance(what, property) and (inspect.isroutine(what) or isinstance(what, (classmethod, staticmethod))):
            what = getattr(kind, member)
            lines += [f"{level}# {name}.{member}", "", "```python", signature_of(f"{name}.{member}", what), "```", "",
                      text_of(member, what), ""]
    return lines


def bounds() -> list[str]:
    """What types with bounds mean in signatures."""
    module = importlib.import_module("linkwright._arguments")
    names = [name for name, thing in vars(module).items() if not name.startswith("_") and hasattr(thing, "__metadata__")]
    return ["In signatures:", "", *(f"- `{name}`: {getattr(module, name).__metadata__[0].text}" for name in names)]


def describe(name: str, thing: object, level: str) -> list[str]:
    lines = [f"{level} {name}", ""]
    if inspect.isclass(thing):
        return lines + describe_class(name, thing, level)
    if callable(thing):
        return lines + ["```python", signature_of(name, thing), "```", "", text_of(name, thing), ""]
    return lines + [f"`{thing!r}`", ""]


def write_package(library: object, pages: pathlib.Path) -> None:
    listed = [name for names in GROUPS.values() for name in names]
    known = {name for name in library.__all__ if not inspect.ismodule(getattr(library, name))}
    if set(listed) != known:
        raise SystemExit(f"site/python_reference.py groups other names than linkwright has: {sorted(set(listed) ^ known)}")
    lines = ["# Python, name by name", "", "What `import linkwright as lw` offers; [Python](python.md) shows it at work. "
             "Its modules: " + ", ".join(f"[`lw.{module}`](reference_python_{module}.md)" for module in MODULES) + ".", "",
             *bounds(), ""]
    for group, names in GROUPS.items():
        lines += [f"## {group}", ""]
        for name in names:
            lines += describe(name, getattr(library, name), "###")
    (pages / "reference_python.md").write_text("\n".join(lines), encoding="utf-8")


def write_module(library: object, module: str, pages: pathlib.Path) -> None:
    room = importlib.import_module(f"linkwright.{module}")
    lines = [f"# {MODULES[module]}", "", f"What `from linkwright import {module}` offers.", "", text_of(module, room), ""]
    names = getattr(room, "__all__", None) or [name for name, thing in vars(room).items()
                                               if inspect.isclass(thing) and thing.__module__ == room.__name__ and name[0] != "_"]
    shared = [name for name in names if getattr(room, name) is getattr(library, name, None)]
    if shared:
        lines += ["Of these the package has the names too: " + ", ".join(f"[`{name}`](reference_python.md#{name.lower()})" for name in shared) + ".", ""]
    for name in names:
        if name not in shared:
            lines += describe(name, getattr(room, name), "##")
    (pages / f"reference_python_{module}.md").write_text("\n".join(lines), encoding="utf-8")


def write(package: pathlib.Path, pages: pathlib.Path) -> list[str]:
    """`package` is the folder that holds the package linkwright."""
    sys.path.insert(0, str(package))
    library = importlib.import_module("linkwright")
    write_package(library, pages)
    for module in MODULES:
        write_module(library, module, pages)
    return ["reference_python", *(f"reference_python_{module}" for module in MODULES)]
