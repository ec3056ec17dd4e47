"""What a simulation can be told, and how it is read."""

from __future__ import annotations

import difflib
import math
import os
from typing import Annotated, Any, Callable, Literal, Mapping, Sequence, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arguments import Expected, Finite, NotNegative, Positive
from ._callbacks import Controller, Event, Load, StateFunction
from ._errors import InputError
from ._run import Run

#: rows over time: a file, or {"time": …, "tau:elbow": …}
Table: TypeAlias = "str | os.PathLike[str] | Mapping[str, ArrayLike] | Run"
Relative = Annotated[float, Expected("a number above zero, 0.1 at most", lambda x: 0 < x <= 0.1)]
Law = Literal["computed-torque", "pd", "pd-gravity", "exact"]
Control: TypeAlias = Law | StateFunction | Controller
Controls: TypeAlias = Annotated[
    Control | Sequence[Control],
    Expected("f(t, q, v), a Controller, 'computed-torque', 'pd', 'pd-gravity' or 'exact', or a list of these"),
]


class SimulationOptions(TypedDict, total=False):
    """What simulate and Simulation understand; every one may be left out."""

    #: where to start: the model's own state without them. Names say some ({"elbow": 0.3}); loops close by the others
    q: ArrayLike | Mapping[str, ArrayLike] | None
    v: ArrayLike | Mapping[str, ArrayLike] | None
    #: the time to start at
    t: Finite
    #: extra states to start with: {"motor:m1:current": 2}
    extra: Mapping[str, float] | None
    #: move a given q and v onto the closures first
    assemble: bool
    #: rk4 (usual), semi-implicit, symplectic with a fixed step; adams (usual with a tolerance), bdf, ida
    method: Literal["rk4", "semi-implicit", "symplectic", "adams", "bdf", "ida"] | None
    #: seconds, 0.001
    step: Positive | None
    #: tolerances of adams, bdf and ida, 1e-8 and 1e-10
    rtol: Relative | None
    atol: Positive | None
    #: when the tolerance is missed
    on_miss: Literal["tell", "stop"]
    #: when a joint comes to a limit; hold, but for symplectic and rigid report
    limits: Literal["hold", "report", "stop", "ignore"] | None
    #: when a grasp with friction would slip
    on_slip: Literal["warn", "stop", "release"]
    #: efforts beyond those of the joints
    effort_limits: Literal["tell", "cut"]
    #: per second: let gaps fade instead of projecting
    baumgarte: Positive | None
    #: move the spanning tree alone
    cut_open: bool
    #: leave out the model's damping, friction, stops, springs and loads: system.rigid() moves
    rigid: bool
    #: constant efforts, all or by name; voltages of motors and sources, {"m1": 24}
    tau: ArrayLike | Mapping[str, float] | None
    voltage: Mapping[str, float] | None
    #: inputs over time, columns as "tau:elbow", "voltage:m1", "force:tool:fx"; between rows a line, or hold
    inputs: Table | None
    between: Literal["linear", "hold"]
    #: the motion to follow: columns as "q:elbow"; a Run; or f(t) -> (q, v, a)
    reference: Table | Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]] | None
    #: joints to move, one move or several one after the other, and the seconds that each takes
    move: Mapping[str, float] | Sequence[Mapping[str, float]] | None
    move_in: Positive | Sequence[Positive] | None
    #: a law for reference and move (computed-torque), f(t, q, v) -> tau, Controller, or a list of them
    control: Controls | None
    #: seconds between two samples of the control; 0: at every evaluation
    control_period: NotNegative
    #: gains of the law, one for all, one per joint, or by name
    kp: ArrayLike | Mapping[str, float] | None
    kd: ArrayLike | Mapping[str, float] | None
    loads: Sequence[Load]
    events: Sequence[Event]


DEFAULTS: dict[str, Any] = {name: None for name in SimulationOptions.__annotations__} | {
    "t": 0.0, "assemble": False, "on_miss": "tell", "on_slip": "warn", "effort_limits": "tell", "cut_open": False, "rigid": False,
    "between": "linear", "control_period": 0.0, "loads": (), "events": (),
}


# --- numbers by name -------------------------------------------------------------------------------


def named_numbers(given: ArrayLike | Mapping[str, float], names: Sequence[str], what: str) -> list[tuple[str, float]]:
    """Pairs of names and numbers: a number per name, one for all, or some by name."""
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                close = difflib.get_close_matches(str(name), names, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise InputError(f"{what}: there is no {name!r}{hint}; there are {', '.join(map(repr, names)) or 'none'}")
        return [(str(name), float(value)) for name, value in given.items()]
    numbers = np.asarray(given, float)
    if numbers.ndim == 0:
        numbers = np.full(len(names), float(numbers))
    if numbers.shape != (len(names),):
        raise InputError(f"{what} has shape {numbers.shape}; expected ({len(names)},)")
    return [(name, float(value)) for name, value in zip(names, numbers)]


def to_gains(given: ArrayLike | Mapping[str, float] | None, names: Sequence[str], what: str) -> list[float | None]:
    if given is None:
        return []
    by_name: dict[str, float] = dict(named_numbers(given, names, what))
    for name, value in by_name.items():
        if not (math.isfinite(value) and value >= 0):
            raise InputError(f"{what}, {name!r}: expected a number that is not negative; got {value:g}")
    return [by_name.get(name) for name in names]


def to_table(given: Table, what: str) -> _core.TimeTable:
    if isinstance(given, Run):
        return _core.make_table(what, given.names[1:], given.time, given.values[:, 1:], True)
    if not isinstance(given, Mapping):
        return _core.read_table(os.fspath(given), what)
    if "time" not in given:
        raise InputError(f"{what}: there is no 'time' among {', '.join(map(repr, given))}")
    columns = {str(name): np.asarray(column, float) for name, column in given.items() if name != "time"}
    rows = len(np.atleast_1d(np.asarray(given["time"])))
    for name, column in columns.items():
        if column.shape != (rows,):
            raise InputError(f"{what}, column {name!r} has shape {column.shape}; time has {rows} entries")
    values = np.column_stack(list(columns.values())) if columns else np.zeros((rows, 0))
    return _core.make_table(what, list(columns), given["time"], values, False)
