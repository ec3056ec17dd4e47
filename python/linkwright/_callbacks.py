"""What a caller hangs on a simulation: controllers, loads, events, channels of their own."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable, Literal

from ._arguments import NotNegative, judged

#: f(t, q, v), or f(t, q, v, extra) with currents and other extra states
StateFunction = Callable[..., Any]


@judged
@dataclass(frozen=True)
class Controller:
    """Efforts as a function of time, position and velocity.

    function(t, q, v) returns an effort per entry of system.effort_names, or {input: value}, as "voltage:m1"; several
    controllers add up. period: seconds between two calls, held in between; 0 asks at every evaluation.

    >>> hold = lw.Controller(lambda t, q, v: -50 * q - 5 * v, period=0.001)
    """

    function: StateFunction
    period: NotNegative = 0.0
    name: str = "control"


@judged
@dataclass(frozen=True)
class Load:
    """A moment and a force on a frame: function(t, q, v) returns [mx, my, mz, fx, fy, fz].

    >>> wind = lw.Load("tool0", lambda t, q, v: [0, 0, 0, 5, 0, 0])
    """

    frame: str
    function: StateFunction
    axes: Literal["own", "world"] = "world"
    period: NotNegative = 0.0
    name: str = "load"


@judged
@dataclass(frozen=True)
class Event:
    """Something that happens when function(t, q, v) passes through zero.

    then: "go_on", or "stop" to end the run. action(t, q, v) may return (q, v) to go on from: an impact, a switch.

    >>> down = lw.Event(lambda t, q, v: q[0], "touches down", direction="falling", then="stop")
    """

    function: StateFunction
    name: str = "event"
    direction: Literal["either", "rising", "falling"] = "either"
    then: Literal["go_on", "stop"] = "go_on"
    action: StateFunction | None = None


@judged
@dataclass(frozen=True)
class Channel:
    """A number to record beside the others: function(t, q, v).

    >>> height = lw.Channel("height", lambda t, q, v: q[2], unit="m")
    """

    name: str
    function: StateFunction
    unit: str = "1"


def takes_extra(function: StateFunction | None) -> bool:
    """Whether a function has room for a fourth argument, the extra states."""
    if function is None:
        return False
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return len([p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]) == 4
