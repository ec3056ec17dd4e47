"""Models from files and text, and into them."""

from __future__ import annotations

import os
import pathlib
from typing import Annotated, Any, Literal, Mapping

from . import _core
from ._arguments import Expected, judged
from ._errors import InputError, warn
from ._system import Gap, System, to_python
from .model import Model

Base = Literal["fixed", "free", "planar"]
Path = str | os.PathLike[str]
Packages = Annotated[Mapping[str, Path], Expected("{name: folder}")]
Text = Annotated[str, Expected("the text of a model")]


def _reading(base: Base, lenient: bool, packages: Packages | None, closures: Path | None) -> tuple[Any, ...]:
    """What every reader takes."""
    return base, lenient, dict(packages or {}), "" if closures is None else closures


@judged
def load(
    path: Path, base: Base = "fixed", *, lenient: bool = False, packages: Packages | None = None, closures: Path | None = None,
    cut_open: bool = False, closure_tolerance: Gap = 1e-8,
) -> System:
    """Reads a file (URDF, SDF, MJCF or a system file) and compiles it.

    base: how the root of a URDF or SDF model is attached to the world. lenient: mistakes that can be dropped or clipped
    become warnings. packages: {name: folder}, where package://name and model://name lie. closures: a file that lists
    pairs of frames which close the loops of a URDF or SDF model. The rest as for `compile`.
    """
    model = _core.read_model(path, *_reading(base, lenient, packages, closures))
    return System(model, cut_open=cut_open, closure_tolerance=closure_tolerance)


@judged
def loads(
    text: Text, base: Base = "fixed", *, lenient: bool = False, packages: Packages | None = None, closures: Path | None = None,
    cut_open: bool = False, closure_tolerance: Gap = 1e-8, name: str = "text", folder: Path = "",
) -> System:
    """As `load`, for text that is already in memory.

    name: what messages call it. folder: where files are looked up that it names.
    """
    model = _core.parse_model(text, str(name), folder, *_reading(base, lenient, packages, closures))
    return System(model, cut_open=cut_open, closure_tolerance=closure_tolerance)


@judged
def read_model(
    path: Path, base: Base = "fixed", *, lenient: bool = False, packages: Packages | None = None, closures: Path | None = None
) -> Model:
    """A file as a Model to look at and to edit; `compile` makes it a System. Arguments as for `load`."""
    return to_python(_core.read_model(path, *_reading(base, lenient, packages, closures)))


@judged
def dumps(
    model: Model | System, format: Literal["yaml", "urdf"] = "yaml", *, lenient: bool = False, folder: Path = ""
) -> str:
    """A model as the text of a system file, which holds everything, or of a URDF.

    lenient: what a URDF cannot say of the dynamics is left out with a warning, and not refused. folder: where the
    text will stand; files of meshes are named from there.
    """
    given = model._cpp_model if isinstance(model, System) else _core._from_python(model)
    text, left_out = _core._write(given, format, folder, lenient)
    for note in left_out:
        warn(note, UserWarning)
    return text


@judged
def dump(model: Model | System, path: Path, *, lenient: bool = False) -> None:
    """Writes a model to a file: .yaml (a system file) or .urdf; see `dumps`."""
    target = pathlib.Path(path)
    formats: dict[str, Literal["yaml", "urdf"]] = {".yaml": "yaml", ".yml": "yaml", ".urdf": "urdf"}
    if target.suffix not in formats:
        raise InputError(f"{target}: the extension '{target.suffix}' says no format; expected .yaml or .urdf")
    text = dumps(model, formats[target.suffix], lenient=lenient, folder=target.absolute().parent)
    target.write_text(text, encoding="utf-8")
