"""Motion over time."""

from __future__ import annotations

import inspect
import math
import warnings
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arguments import Finite, NotNegative, judged
from ._callbacks import Channel, Controller, takes_extra
from ._errors import ComputationError, InputError, warn
from ._run import Occurrence, Run, Statistics, to_statistics
from ._simulation_options import DEFAULTS, SimulationOptions, named_numbers, to_gains, to_table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._system import State, System

Floats = NDArray[np.float64]
#: more rows than this are asked for by mistake, unless any_size
MOST_BYTES = 2e9


class RunWarning(UserWarning):
    """Something about a run that its numbers do not show by themselves."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run in good order: `run` holds its rows, up to the last whole step."""

    def __init__(self, run: Run) -> None:
        at = f" at t = {run.time[-1]:g} s" if len(run) else ""
        super().__init__(f"the run was interrupted{at}; its rows are in the exception's run")
        self.run = run


# --- stepwise --------------------------------------------------------------------------------------


@judged
class Simulation:
    """A mechanism that moves step by step; options as for simulate.

    >>> simulation = lw.Simulation(arm, q={"joint2": 0.5})
    >>> simulation.advance_to(0.1)
    >>> q, v = simulation.state
    """

    def __init__(self, system: System, **options: Unpack[SimulationOptions]) -> None:
        given = DEFAULTS | dict(options)
        self.system = system = system.rigid() if given["rigid"] else system
        self._given = given
        self._inputs = None if given["inputs"] is None else to_table(given["inputs"], "inputs")
        self._options = self._make_options()
        self._motion: _core.Motion | None = None
        self._reference: _core.TimeTable | None = None
        start = self._find_start()
        exact = self._motion if self._law() == "exact" else None
        self._core = _core.Simulation(system, self._options, given["t"], start.q, start.v, self._extra(), exact)
        self._command(start.q)
        self._add_functions()
        if not system.closure_names:  # closures may hold what the tree alone does not
            weak = _core.describe_weak_joints(system, start.q, "where the run starts,")
            if weak:
                warn(weak, RunWarning)

    # --- what it is made from

    def _make_options(self) -> _core.SimulationOptions:
        given, system = self._given, self.system
        cut_open = given["cut_open"] or system.is_cut_open
        limits = given["limits"]
        if given["rigid"] and limits == "hold":
            raise InputError(
                "limits 'hold' and rigid exclude each other: rigid leaves stops out; choose 'report', 'stop' or 'ignore'"
            )
        if given["rigid"] and limits is None:
            limits = "report"

        def make(voltages: list[str]) -> _core.SimulationOptions:
            return _core.make_options(
                given["method"], given["step"], given["rtol"], given["atol"], given["on_miss"], limits,
                given["on_slip"], given["effort_limits"], given["baumgarte"], cut_open, voltages,
            )

        self._cut_open = cut_open and bool(system.closure_names)
        sources = _core.input_names(system, make([]))
        motors = [name for name in (given["voltage"] or {}) if f"voltage:{name}" not in sources]
        for column in self._inputs.columns if self._inputs is not None else []:
            name = column.removeprefix("input:")
            if name.startswith("voltage:") and name not in sources:
                name = name.removeprefix("voltage:")
                if name in motors:
                    raise InputError(f"voltage {name!r} and a column of inputs both drive that motor; keep one")
                motors.append(name)
        return make(motors)

    def _law(self) -> str | None:
        """The law that follows a motion; None where there is no motion."""
        given = self._given
        moves = given["move"] is not None or given["reference"] is not None
        laws = [one for one in self._controls() if isinstance(one, str)]
        if not moves:
            for name in ("kp", "kd", "move_in"):
                if given[name] is not None:
                    raise InputError(f"{name} has no effect without move or reference")
            if laws:
                raise InputError(f"control {laws[0]!r} has no motion to follow; give move or reference")
            return None
        if len(laws) > 1:
            raise InputError(f"control: {laws[0]!r} and {laws[1]!r} both follow the motion; keep one")
        if self._controls() and not laws:
            raise InputError("control is a function, and move or reference needs a law: control=['pd', function]")
        law = laws[0] if laws else "computed-torque"
        if self._cut_open:
            raise InputError("move and reference obey the closures, and cut_open leaves them out; give control=f(t, q, v)")
        if law == "exact" and (given["kp"] is not None or given["kd"] is not None or given["control_period"]):
            raise InputError("control 'exact' makes the motion whatever force that takes; remove kp, kd and control_period")
        return law

    def _controls(self) -> list[Any]:
        control = self._given["control"]
        if control is None:
            return []
        return list(control) if isinstance(control, (list, tuple)) else [control]

    def _find_start(self) -> State:
        """Where it starts; sets the motion that begins there."""
        from ._system import State

        given, system = self._given, self.system
        self._law()
        if given["move"] is not None and given["reference"] is not None:
            raise InputError("move and reference both say how the joints move; keep one")
        if given["reference"] is not None and not callable(given["reference"]):
            self._reference = to_table(given["reference"], "reference")
            self._motion = _core.follow_table(system, self._options, self._reference)
        start = self._start_state()
        if given["q"] is None and given["v"] is None and given["reference"] is not None:
            start = self._start_of_reference(start)
        if given["move"] is not None:
            self._motion = _core.make_moves(system, start.q, self._moves())
        if self._motion is not None:
            self._motion.check(start.q, given["t"])
        return State(np.asarray(start.q, float), np.asarray(start.v, float))

    def _start_state(self) -> State:
        from ._system import State

        given, system = self._given, self.system
        if given["q"] is None and given["v"] is None:
            return system.state()
        closes = system.is_closed and not self._cut_open
        q, v = given["q"], given["v"]
        if q is None:
            q = system.state().q
        elif isinstance(q, Mapping):
            q = system.assemble(q).q if closes else system.position(q)
        elif closes and given["assemble"]:
            q = system.assemble(q).q
        if v is None:
            v = np.zeros(system.nv)
        elif isinstance(v, Mapping):
            v = system.velocity(v)
            if closes:
                v = system.project_velocity(q, v, hold=[system._joint_of(name) for name in given["v"]])
        elif closes and given["assemble"]:
            v = system.project_velocity(q, v)
        return State(np.asarray(q, float), np.asarray(v, float))

    def _start_of_reference(self, others: State) -> State:
        from ._system import State

        given, system = self._given, self.system
        if self._motion is None:
            q, v, _ = given["reference"](given["t"])
            return State(np.asarray(q, float), np.asarray(v, float))
        q, v = self._motion.place(given["t"], others.q, others.v)
        if system.is_closed:
            self._motion.check(q, given["t"])
            joints = [system._joint_of(name) for name in self._motion.names]
            q = system.assemble(q, hold=joints).q
            v = system.project_velocity(q, v, hold=joints)
        return State(q, v)

    def _moves(self) -> list[tuple[list[tuple[str, float]], float]]:
        given, system = self._given, self.system
        moves = [given["move"]] if isinstance(given["move"], Mapping) else list(given["move"])
        if given["move_in"] is None:
            raise InputError("move needs move_in, the seconds that it takes")
        durations = [given["move_in"]] if np.ndim(given["move_in"]) == 0 else list(given["move_in"])
        if len(durations) != len(moves):
            raise InputError(f"move_in: expected {len(moves)} times in seconds, one per move; got {len(durations)}")
        lower, upper = system.position_limits
        for move in moves:
            for name, target in named_numbers(move, system.velocity_names, "move"):
                place = system.joint(system._joint_of(name)).q
                entry = place.start + (int(name.rpartition(":")[2]) if name not in system.joint_names else 0)
                if given["limits"] != "ignore" and not lower[entry] - 1e-9 <= target <= upper[entry] + 1e-9:
                    raise InputError(
                        f"move, {name!r}: the joint moves from {lower[entry]:g} to {upper[entry]:g} only; got {target:g} "
                        "(limits='ignore' lets it)"
                    )
        return [(named_numbers(m, system.velocity_names, "move"), float(d)) for m, d in zip(moves, durations)]

    def _extra(self) -> list[tuple[str, float]]:
        return [(str(name), float(value)) for name, value in (self._given["extra"] or {}).items()]

    # --- what drives it

    def _command(self, start: Floats) -> None:
        given, inputs = self._given, self._core.input_names
        constant: list[tuple[str, float]] = []
        if given["tau"] is not None:
            efforts = self.system.effort_names if not self._cut_open else self.system.velocity_names
            named = named_numbers(given["tau"], efforts, "tau")
            constant += [(inputs[efforts.index(name)], value) for name, value in named]
        known = [name.removeprefix("voltage:") for name in inputs if name.startswith("voltage:")]
        constant += [(f"voltage:{n}", x) for n, x in named_numbers(given["voltage"] or {}, known, "voltage")]
        if constant:
            self._core.set_input(constant)
        if self._inputs is not None:
            unused, _ = self._core.drive(self._inputs, given["between"] == "hold")
            if unused and not isinstance(given["inputs"], Run):
                warn(f"inputs: not used are {', '.join(unused)}", RunWarning)
        law = self._law()
        if law is None or law == "exact":
            return
        if self._motion is None:
            joints = self._plain_motors()
            self._core.follow_function(
                given["reference"], law, start, to_gains(given["kp"], joints, "kp"), to_gains(given["kd"], joints, "kd"),
                given["control_period"], joints,
            )
            return
        joints = self._motion.names
        self._core.follow(
            self._motion, law, start, to_gains(given["kp"], joints, "kp"), to_gains(given["kd"], joints, "kd"),
            given["control_period"],
        )

    def _plain_motors(self) -> list[str]:
        """Freedoms with a motor whose positions are plain numbers."""
        system = self.system
        passive = set(system.passive_names)
        names = []
        for joint in map(system.joint, system.joint_names):
            if joint.q.stop - joint.q.start == joint.v.stop - joint.v.start:
                names += [name for name in system.velocity_names[joint.v] if name not in passive]
        return names

    def _add_functions(self) -> None:
        given = self._given
        for one in self._controls():
            if isinstance(one, str):
                continue
            c = one if isinstance(one, Controller) else Controller(one, given["control_period"])
            self._core.add_controller(c.function, takes_extra(c.function), c.name, c.period)
        for load in given["loads"]:
            self._core.add_load(load.function, takes_extra(load.function), load.name, load.period, load.frame, load.axes)
        for e in given["events"]:
            self._core.add_event(
                e.function, takes_extra(e.function), e.name, e.direction, e.then, e.action, takes_extra(e.action)
            )

    # --- motion

    def step(self, limit: float = math.inf) -> None:
        """One step, not beyond the time `limit`."""
        self._core.step(limit)

    def advance_to(self, time: Finite) -> None:
        """Steps until exactly that time, or until an event stops it."""
        self._require_later(time)
        self._core.run(None, time, 0.0 if time == self.time else 2 * (time - self.time))

    def run(
        self, until: Finite, *, every: NotNegative = 0.0, record: Sequence[str] = (), channels: Sequence[Channel] = (),
        any_size: bool = False,
    ) -> Run:
        """Goes on to a time and records: now, every so many seconds (0: every step), and at the end.

        any_size: more than 2 GB of rows too.
        """
        self._require_later(until, "until")
        for table, what in ((self._inputs, "inputs"), (self._reference, "the reference")):
            if table is not None:
                table.require_span(self.time, until, what)
        requests = list(record) + ([] if self._options.fixed_step else ["tolerance_missed"])
        recording = _core.Recording(
            self._core, requests, [(c.name, c.unit, c.function, takes_extra(c.function)) for c in channels]
        )
        between = every or self._options.fixed_step
        size = 8.0 * len(recording.names) * (until - self.time) / between if between else 0.0
        if size > MOST_BYTES and not any_size:
            raise InputError(
                f"every: the rows would take {size / 1e9:.1f} GB of memory; record less often, or give any_size=True"
            )
        before = len(self.occurrences)
        try:
            self._core.run(recording, until, every)
        except KeyboardInterrupt:
            raise Interrupted(self._to_run(recording, "interrupt", before)) from None
        except ComputationError as error:
            error.run = self._to_run(recording, f"failure: {error}", before)
            raise
        run = self._to_run(recording, "event" if self.stopped else "time", before)
        self._warn(run, recording)
        return run

    def _require_later(self, time: float, name: str = "time") -> None:
        if time < self.time:
            raise InputError(f"{name}: expected seconds, not before {self.time:g}; got {time}")

    def _to_run(self, recording: _core.Recording, end: str, before: int) -> Run:
        options, given = self._options, self._given
        facts: dict[str, Any] = {"method": options.method}
        if options.fixed_step:
            facts["step"] = options.fixed_step
        else:
            facts["rtol"], facts["atol"] = options.tolerances
        for name in ("limits", "baumgarte"):
            if given[name] is not None:
                facts[name] = given[name]
        if self._law():
            facts["control"] = self._law()
        if given["rigid"]:
            facts["rigid"] = "damping, friction, stops, springs and loads are left out"
        if self._cut_open:
            facts["cut_open"] = "closures and grasps are left out"
        return Run(
            self.system, recording.names, recording.units, recording.values(), self.statistics,
            self.occurrences[before:], end, facts,
        )

    def _warn(self, run: Run, recording: _core.Recording) -> None:
        statistics = run.statistics
        if statistics.missed_at is not None:
            warn(
                f"the tolerance is missed from t = {statistics.missed_at:.6g} s on (rows are marked in "
                "'tolerance_missed'); a smaller rtol holds longer where there is room, on_miss='stop' ends the run there",
                RunWarning,
            )
        for contact in {slip.contact: slip for slip in reversed(statistics.slips)}.values():
            then = "it was released there" if contact.released else "on_slip says what happens then"
            warn(f"contact {contact.contact!r} {contact.loss} at t = {contact.time:.9g} s; {then}", RunWarning)
        if self._given["effort_limits"] != "tell":
            return
        efforts, times = recording.largest_efforts()
        for name, effort, time, limit in zip(self.system.velocity_names, efforts, times, self.system.effort_limits):
            if abs(effort) > limit * (1 + 1e-9):
                warn(
                    f"joint {name!r}: an effort of {effort:.4g} at t = {time:.6g} s, beyond its limit {limit:g}; nothing "
                    "enforces it (effort_limits='cut' does)",
                    RunWarning,
                )

    # --- state

    @property
    def time(self) -> float:
        """Seconds."""
        time: float = self._core.full_state()[0]
        return time

    @property
    def state(self) -> State:
        """Position and velocity now."""
        from ._system import State

        _, q, v, _ = self._core.full_state()
        return State(q, v)

    @property
    def extra(self) -> dict[str, float]:
        """Currents and other extra states, by name."""
        return dict(zip(self._core.extra_names, map(float, self._core.full_state()[3])))

    def set_state(
        self, q: ArrayLike, v: ArrayLike, *, time: Finite | None = None, extra: Mapping[str, float] | None = None
    ) -> None:
        """Goes on from another state; samples are counted from there."""
        numbers = self.extra
        numbers.update(named_numbers(extra or {}, list(numbers), "extra"))
        self._core.set_state(self.time if time is None else time, q, v, list(numbers.values()))

    @property
    def accelerations(self) -> Floats:
        """Of the joints, now."""
        a: Floats = self._core.snapshot()[4]
        return a

    @property
    def efforts(self) -> Floats:
        """On the joints, now: what inputs, controllers and motors give."""
        tau: Floats = self._core.snapshot()[5]
        return tau

    @property
    def input_names(self) -> list[str]:
        """What a controller may write: efforts, voltages, sources."""
        return self._core.input_names

    @property
    def stopped(self) -> bool:
        """Whether an event ended it."""
        return self._core.stopped

    @property
    def occurrences(self) -> list[Occurrence]:
        """Events that took place."""
        return [Occurrence(time, name) for time, name in self._core.occurrences()]

    @property
    def statistics(self) -> Statistics:
        """Steps, errors of closures, drifts."""
        return to_statistics(self._core.statistics())

    def save(self) -> bytes:
        """Everything that is needed to go on: the same bits follow as from here."""
        return self._core.save()

    def restore(self, saved: bytes) -> None:
        """Goes on from `save` of a simulation with the same system, method, controllers and events."""
        self._core.restore(saved)

    def __repr__(self) -> str:
        return f"Simulation of {self.system.name or 'a mechanism'} at t = {self.time:g} s, {self._options.method}"


@judged
def simulate(
    system: System, time: Finite, *, every: NotNegative = 0.0, record: Sequence[str] = (), channels: Sequence[Channel] = (),
    any_size: bool = False, **options: Unpack[SimulationOptions],
) -> Run:
    """Moves a mechanism until a time and records it.

    every: seconds between two rows, 0 for every step. record: further channels, as "frame:tool0", "tau", "closure:c1".
    channels: numbers of your own. any_size: more than 2 GB of rows too. The other options say where it starts, what
    drives it and how it is computed (SimulationOptions).

    >>> run = lw.simulate(arm, 2.0, move={"joint2": 1.2}, move_in=1.5, record=["frame:tool0"])
    >>> fall = lw.simulate(arm, 0.5, control=lambda t, q, v: -2 * v, rtol=1e-9)
    """
    simulation = Simulation(system, **options)
    simulation._require_later(time, "time")
    return simulation.run(time, every=every, record=record, channels=channels, any_size=any_size)


def _show_options(function: Any) -> None:
    """help() shows every option by name."""
    signature = inspect.signature(function)
    kept = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=DEFAULTS[name],
                          annotation=getattr(annotation, "__forward_arg__", annotation))
        for name, annotation in SimulationOptions.__annotations__.items()
    ]
    function.__signature__ = signature.replace(parameters=kept + options)


_show_options(simulate)
_show_options(Simulation.__init__)
