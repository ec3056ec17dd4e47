"""What came of a simulation: rows of named numbers, and what is to be said about them."""

from __future__ import annotations

import difflib
import os
import pathlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arguments import judged
from ._errors import InputError
from ._page import Page

if TYPE_CHECKING:
    from ._system import State, System

Floats = NDArray[np.float64]


class Occurrence(NamedTuple):
    """An event that took place."""

    time: float
    name: str


class Slip(NamedTuple):
    """A contact of a grasp that would have opened, slipped or twisted."""

    contact: str
    time: float
    loss: str
    margin: float
    released: bool


class Margin(NamedTuple):
    """Newtons that a contact of a grasp was away from slipping; below 0 it would have."""

    contact: str
    margin: float
    time: float


class Drift(NamedTuple):
    """The largest departure of what should be kept; relative to the energy or momentum in play."""

    change: float
    relative: float


@dataclass(frozen=True)
class Statistics:
    """Steps and evaluations of a run, errors of its closures, and what should have been kept.

    energy_drift is None where efforts, damping or friction feed or drain energy; momenta where something holds the
    mechanism from outside. missed_at: when adams or bdf first missed their tolerance. least_margin: of all contacts with
    friction at the ends of steps; None where there is none.
    """

    steps: int
    evaluations: int
    rejected: int
    error_in_tolerances: float
    missed_at: float | None
    closure_error: float
    velocity_error: float
    contacts: int
    slips: tuple[Slip, ...] = ()
    least_margin: Margin | None = None
    energy_drift: Drift | None = None
    linear_momentum_drift: Drift | None = None
    angular_momentum_drift: Drift | None = None
    energy_scale: float = 0.0


def to_statistics(given: dict[str, Any]) -> Statistics:
    facts = dict(given)
    facts["slips"] = tuple(Slip(*slip) for slip in facts["slips"])
    if "least_margin" in facts:
        facts["least_margin"] = Margin(*facts["least_margin"])
    for name in ("energy_drift", "linear_momentum_drift", "angular_momentum_drift"):
        if name in facts:
            facts[name] = Drift(**facts[name])
    return Statistics(**facts)


@judged
@dataclass(frozen=True)
class Run:
    """The rows of a simulation. run["frame:tool0:x"] is a column; run["frame:tool0"] all columns that begin so.

    >>> run = lw.simulate(arm, 1.0, q={"joint2": 0.5})
    >>> peak = abs(run["v:joint2"]).max()
    """

    system: System
    names: list[str]
    units: list[str]
    #: a row per moment, a column per name
    values: Floats
    statistics: Statistics
    occurrences: list[Occurrence]
    #: "time", "event", "interrupt", or "failure: …"
    end: str
    #: how it was computed: method, step or tolerances, …
    facts: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> Floats:
        if name in self.names:
            return self.values[:, self.names.index(name)]
        columns = [i for i, known in enumerate(self.names) if known.startswith(f"{name}:")]
        if not columns:
            close = difflib.get_close_matches(name, self.names, 1)
            raise InputError(
                f"{name!r} was not recorded{f'; did you mean {close[0]!r}?' if close else ''}; "
                "record=[…] asks for more, and run.names tells what there is"
            )
        return self.values[:, columns]

    @property
    def time(self) -> Floats:
        """Seconds, one per row."""
        return self.values[:, 0]

    @property
    def q(self) -> Floats:
        """Positions, a row per moment: (rows, nq)."""
        return self.values[:, 1 : 1 + self.system.nq]

    @property
    def v(self) -> Floats:
        """Velocities, a row per moment: (rows, nv)."""
        return self.values[:, 1 + self.system.nq : 1 + self.system.nq + self.system.nv]

    @property
    def energy(self) -> Floats:
        """Kinetic, potential and stored, in joules."""
        return self["energy"]

    @property
    def closure_error(self) -> Floats:
        """How far the worst closure is open, in metres or radians."""
        return self["closure_error"]

    @property
    def final(self) -> State:
        """The state of the last row."""
        from ._system import State

        return State(self.q[-1].copy(), self.v[-1].copy())

    def unit(self, name: str) -> str:
        """That of a column: "rad/s"."""
        if name not in self.names:
            self[name]
            raise InputError(f"{name!r} is several columns; name one of them")
        return self.units[self.names.index(name)]

    def to_pandas(self) -> Any:
        """A DataFrame with a row per moment and a column per name; units in its attrs."""
        import pandas as pd

        table = pd.DataFrame(self.values[:, 1:], index=pd.Index(self.time, name="time"), columns=self.names[1:])
        table.attrs["units"] = dict(zip(self.names, self.units))
        return table

    def to_xarray(self) -> Any:
        """A Dataset over time: q and v with the names of their entries, every other column by its own."""
        import xarray as xr

        position, velocity = self.system.position_names, self.system.velocity_names
        data: dict[str, Any] = {"q": (("time", "position"), self.q), "v": (("time", "velocity"), self.v)}
        for i in range(1 + len(position) + len(velocity), len(self.names)):
            data[self.names[i]] = ("time", self.values[:, i], {"units": self.units[i]})
        coordinates = {"time": ("time", self.time, {"units": "s"}), "position": position, "velocity": velocity}
        return xr.Dataset(data, coords=coordinates)

    def save(self, path: str | os.PathLike[str], *, describe: bool = False) -> pathlib.Path:
        """Writes a recording as the program does: .csv, or .h5 with units, facts and the model's files.

        describe: CSV begins with these in '#' lines too.
        """
        statistics = self.statistics
        outcome: list[tuple[str, Any]] = [
            ("end", self.end), ("steps", float(statistics.steps)), ("evaluations", float(statistics.evaluations)),
        ]
        facts: list[tuple[str, Any]] = [
            (name, value if isinstance(value, (str, float, list)) else str(value)) for name, value in self.facts.items()
        ]
        _core.write_recording(
            self.system, os.fspath(path), self.names, self.units, self.values, facts, outcome, describe
        )
        return pathlib.Path(path)

    def view(self, path: str | os.PathLike[str] | None = None) -> Page:
        """The interactive page that plays the run; written to a file where a path is given."""
        summary = [(name.replace("_", " "), str(value)) for name, value in self.facts.items()]
        summary += [("end", self.end), ("steps", str(self.statistics.steps)), ("rows", str(len(self)))]
        text, warnings = _core.run_page(
            self.system, self.names, self.units, self.values, [(o.time, o.name) for o in self.occurrences], summary,
            self.statistics.energy_scale,
        )
        return Page.made(text, warnings, path)

    def _repr_html_(self) -> str | None:
        return self.view()._repr_html_() if _core.page_available() and len(self) else None

    def __repr__(self) -> str:
        lines = [f"Run of {self.system.name or 'a mechanism'}: {len(self)} rows"]
        if len(self):
            lines[0] += f", t = {self.time[0]:g} … {self.time[-1]:g} s, end: {self.end}"
        lines.append("  " + ", ".join(f"{name} {value}" for name, value in self.facts.items()))
        lines.append(f"  {self.statistics.steps} steps, {self.statistics.evaluations} evaluations")
        lines += [f"  {o.time:.6g} s: {o.name}" for o in self.occurrences[:10]]
        if len(self.occurrences) > 10:
            lines.append(f"  … and {len(self.occurrences) - 10} more events")
        return "\n".join(lines)
