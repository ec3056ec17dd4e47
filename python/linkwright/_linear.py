"""Linear models about a state: what they are, and what they can do."""

from __future__ import annotations

import os
import pathlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arguments import Finite, NotNegative, Positive, judged
from ._errors import ComputationError, InputError

if TYPE_CHECKING:
    from ._system import Forces, System

Floats = NDArray[np.float64]


class Mode(NamedTuple):
    """An eigenvalue, how fast (rad/s) and how well damped it is, and the state that it moves most."""

    eigenvalue: complex
    frequency: float
    damping_ratio: float
    uncertainty: float
    state: str


class Reach(NamedTuple):
    """How many states inputs reach (or outputs show), how sharply that was decided, and the modes beyond."""

    rank: int
    weakest: float
    dropped: float
    missed: tuple[Mode, ...]


@dataclass(frozen=True)
class Analysis:
    """What a linear model can do. Modes that neither grow nor fall, as far as rounding tells, are undecided."""

    modes: tuple[Mode, ...]
    unstable: tuple[Mode, ...]
    undecided: tuple[Mode, ...]
    controllability: Reach
    observability: Reach


@judged
@dataclass(frozen=True)
class TransferFunction:
    """gain Π (s - zero) / Π (s - pole), of the part that the input moves and the output shows; in z if discrete."""

    input: str
    output: str
    gain: float
    zeros: NDArray[np.complex128]
    poles: NDArray[np.complex128]
    #: states that the input does not move or the output does not show
    left_out: int
    step: float = 0.0

    def __call__(self, s: complex) -> complex:
        """Its value at s, or z: at 1j * w the answer to a wave of w rad/s."""
        return complex(self.gain * np.prod(s - self.zeros) / np.prod(s - self.poles))

    def to_scipy(self) -> Any:
        """scipy.signal.ZerosPolesGain"""
        from scipy import signal

        if self.step:
            return signal.ZerosPolesGain(self.zeros, self.poles, self.gain, dt=self.step)
        return signal.ZerosPolesGain(self.zeros, self.poles, self.gain)

    def to_control(self) -> Any:
        """control.TransferFunction"""
        import control

        return control.zpk(self.zeros, self.poles, self.gain, dt=self.step)


class FrequencyResponse(NamedTuple):
    """Answers to waves: frequencies in rad/s, complex values."""

    frequency: Floats
    value: NDArray[np.complex128]


@judged
@dataclass(frozen=True, repr=False)
class LinearModel:
    """dx/dt = A x + B u + drift, y = C x + D u, of deviations from a state; with names for everything.

    x are displacements and velocities ("q:elbow", "v:elbow"). drift is zero at a state of rest. A step above zero:
    x[k+1] = A x[k] + B u[k] + drift, inputs constant over each step.

    >>> model = four_bar.linearize(four_bar.equilibrium().q)
    >>> slowest = model.modes[0].frequency
    """

    states: list[str]
    inputs: list[str]
    outputs: list[str]
    A: Floats
    B: Floats
    C: Floats
    D: Floats
    drift: Floats
    step: NotNegative = 0.0

    def _compiled(self) -> _core.LinearModel:
        return _core.make_linear_model(
            self.states, self.inputs, self.outputs, self.A, self.B, self.C, self.D,
            np.reshape(self.drift, (len(self.states), 1)), self.step,
        )

    def discrete(self, dt: Positive) -> LinearModel:
        """The same at steps of dt seconds, exactly, inputs constant over each."""
        return _made(self._compiled().discrete(dt))

    def analyse(self) -> Analysis:
        """Modes, and what inputs reach and outputs show."""
        found = self._compiled().analyse()
        reach = [Reach(r[0], r[1], r[2], _modes(r[3])) for r in (found["controllability"], found["observability"])]
        return Analysis(_modes(found["modes"]), _modes(found["unstable"]), _modes(found["undecided"]), *reach)

    @property
    def modes(self) -> tuple[Mode, ...]:
        """By growing size of the eigenvalue, the upper of a pair first."""
        return self.analyse().modes

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Of A, by growing size."""
        return np.array([mode.eigenvalue for mode in self.modes], complex)

    @property
    def damping_ratios(self) -> Floats:
        """In the order of eigenvalues: 1 or more does not swing, below 0 grows; NaN for an eigenvalue of 0."""
        return np.array([mode.damping_ratio for mode in self.modes])

    @property
    def controllability_rank(self) -> int:
        """How many states the inputs reach."""
        return self.analyse().controllability.rank

    @property
    def observability_rank(self) -> int:
        """How many states the outputs show."""
        return self.analyse().observability.rank

    def transfer_function(self, input: str | None = None, output: str | None = None) -> TransferFunction:
        """Poles, zeros and gain from an input to an output; either may be left out where there is one only."""
        names = _only(self.inputs, input, "input"), _only(self.outputs, output, "output")
        found_input, found_output, gain, zeros, poles, left_out = self._compiled().transfer_function(*names)
        return TransferFunction(
            found_input, found_output, gain, np.array(zeros, complex), np.array(poles, complex), left_out, self.step
        )

    def frequency_response(
        self, input: str | None = None, output: str | None = None, frequencies: ArrayLike = ()
    ) -> FrequencyResponse:
        """Answers to waves at these frequencies (rad/s); without them where something happens."""
        names = _only(self.inputs, input, "input"), _only(self.outputs, output, "output")
        wanted = [float(w) for w in np.atleast_1d(np.asarray(frequencies, float))]
        found, values = self._compiled().frequency_response(*names, wanted)
        return FrequencyResponse(np.array(found), np.array(values, complex))

    def bode(self, path: str | os.PathLike[str], pairs: Sequence[tuple[str, str]] | None = None) -> pathlib.Path:
        """Draws size and phase over frequency as SVG: of all pairs (input, output), or of these."""
        if pairs is None:
            pairs = [(i, o) for i in self.inputs for o in self.outputs]
        pathlib.Path(path).write_text(self._compiled().draw(list(pairs)), encoding="utf-8")
        return pathlib.Path(path)

    def to_scipy(self) -> Any:
        """scipy.signal.StateSpace; the drift is left to the caller."""
        from scipy import signal

        if self.step:
            return signal.StateSpace(self.A, self.B, self.C, self.D, dt=self.step)
        return signal.StateSpace(self.A, self.B, self.C, self.D)

    def to_control(self) -> Any:
        """control.StateSpace of python-control, with the names of states, inputs and outputs."""
        import control

        def safe(names: list[str]) -> list[str]:
            return [name.replace(".", "_") for name in names]  # a point names a subsystem there

        return control.StateSpace(
            self.A, self.B, self.C, self.D, self.step,
            states=safe(self.states), inputs=safe(self.inputs), outputs=safe(self.outputs), remove_useless_states=False,
        )

    def to_pandas(self) -> dict[str, Any]:
        """{"A": …, "B": …, "C": …, "D": …} as DataFrames."""
        import pandas as pd

        places = {"A": (self.states, self.states), "B": (self.states, self.inputs),
                  "C": (self.outputs, self.states), "D": (self.outputs, self.inputs)}
        return {name: pd.DataFrame(getattr(self, name), index=rows, columns=columns)
                for name, (rows, columns) in places.items()}

    def __repr__(self) -> str:
        kind = f"step {self.step:g} s" if self.step else "continuous"
        lines = [f"LinearModel, {kind}: {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"]
        lines += [f"  states  {', '.join(self.states)}", f"  inputs  {', '.join(self.inputs)}",
                  f"  outputs {', '.join(self.outputs)}"]
        return "\n".join(lines)


class Equilibrium(NamedTuple):
    """A state at rest: the position, the efforts, and of motors with motors=True their states and voltages by name."""

    q: Floats
    tau: Floats
    residual: float
    moved: list[str]
    steps: int
    motor_states: dict[str, float]
    motor_inputs: dict[str, float]


def _made(parts: Sequence[Any]) -> LinearModel:
    states, inputs, outputs, A, B, C, D, drift, step = parts
    return LinearModel(states, inputs, outputs, A, B, C, D, np.ravel(drift), step)


def _modes(found: Sequence[Any]) -> tuple[Mode, ...]:
    return tuple(Mode(*mode) for mode in found)


def _only(names: list[str], given: str | None, what: str) -> str:
    if given is not None:
        return given
    if len(names) != 1:
        raise InputError(f"{what}: the model has {len(names)}; name one of {', '.join(map(repr, names))}")
    return names[0]


def _point(
    system: System, q: ArrayLike | Mapping[str, ArrayLike] | None, tau: ArrayLike | Mapping[str, float] | None
) -> tuple[Any, Any]:
    if q is None:
        q = system.state().q
    elif isinstance(q, Mapping):
        q = system.assemble(q).q if system.is_closed else system.position(q)
    efforts: Any = np.zeros(len(system.effort_names)) if tau is None else tau
    if isinstance(tau, Mapping):
        from ._simulation_options import named_numbers

        efforts = np.zeros(len(system.effort_names))
        for name, value in named_numbers(tau, system.effort_names, "tau"):
            efforts[system.effort_names.index(name)] = value
    return q, efforts


def _pairs(given: Mapping[str, float] | None, prefix: str = "") -> list[tuple[str, float]]:
    return [(name if name.startswith(prefix) else prefix + name, float(x)) for name, x in (given or {}).items()]


def linearize(
    system: System, q: ArrayLike | Mapping[str, ArrayLike] | None, v: ArrayLike | None,
    tau: ArrayLike | Mapping[str, float] | None, forces: Forces, coordinates: Sequence[str], inputs: Sequence[str],
    outputs: Sequence[str], motors: bool, voltage: Mapping[str, float] | None,
    motor_states: Mapping[str, float] | None,
) -> LinearModel:
    at, efforts = _point(system, q, tau)
    speeds = (system.state().v if q is None else np.zeros(system.nv)) if v is None else v
    return _made(_core.linearize(
        system, at, speeds, efforts, forces, motors, _pairs(motor_states), _pairs(voltage, "voltage:"),
        list(coordinates), list(inputs), list(outputs),
    ))


def equilibrium(
    system: System, q: ArrayLike | Mapping[str, ArrayLike] | None, tau: ArrayLike | Mapping[str, float] | None,
    forces: Forces, hold: bool, motors: bool, voltage: Mapping[str, float] | None, steps: int,
) -> Equilibrium:
    at, efforts = _point(system, q, tau)
    found, count, residual, _, moved, position, efforts, states, given, text = _core.equilibrium(
        system, at, efforts, forces, motors, _pairs(voltage, "voltage:"), hold, steps
    )
    if not found:
        raise ComputationError(text)
    return Equilibrium(position, efforts, residual, moved, count, states, given)
