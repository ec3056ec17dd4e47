"""Motors: what they are, the voltages that a motion takes, and parameters from measurements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arguments import judged
from ._errors import InputError

if TYPE_CHECKING:
    from ._run import Run
    from ._system import System

Floats = NDArray[np.float64]


class Drive(NamedTuple):
    """A motor, and the effort (of system.effort_names) that its gear acts on. Infinite limits are none."""

    name: str
    effort: str
    gear: float
    #: N m/A = V s/rad; 0: it has no electrical side
    k: float
    Ra: float
    La: float
    is_elastic: bool
    voltage_limit: float
    current_limit: float
    #: how many derivatives of the velocity its voltage depends on: 1 accelerations, 2 jerk, 3 snap, 4 crackle
    derivatives_needed: int


class Demand(NamedTuple):
    """What motors must give along a motion, an entry per motor: (motors,), or (K, motors).

    torque and speed are those of the motors' own shafts; current and voltage are NaN without an electrical side.
    """

    names: list[str]
    torque: Floats
    current: Floats
    voltage: Floats
    speed: Floats


def drives(system: System) -> list[Drive]:
    return [Drive(*motor) for motor in _core.motors(system)]


def nominal_voltages(
    system: System, q: ArrayLike, v: ArrayLike, a: ArrayLike, jerk: ArrayLike | None, snap: ArrayLike | None,
    crackle: ArrayLike | None,
) -> Demand:
    rates = [a]
    for name, rate in (("jerk", jerk), ("snap", snap), ("crackle", crackle)):
        if rate is None:
            continue
        if len(rates) < ("a", "jerk", "snap", "crackle").index(name):
            raise InputError(f"{name} is given without the derivatives before it")
        rates.append(rate)
    found = _core.voltages(system, q, v, rates)
    torque, current, voltage, speed = (found[..., i, :] for i in range(4))
    return Demand([motor.name for motor in drives(system)], torque, current, voltage, speed)


@judged
@dataclass(frozen=True)
class Estimate:
    """Base parameters found from measurements, with standard deviations, beside those of the model.

    condition: 1 at best; above a hundred the motion excites some parameters poorly.
    """

    names: list[str]
    values: Floats
    deviations: Floats
    model_values: Floats
    condition: float
    effort_names: list[str]
    effort_deviations: list[float]
    samples: int
    #: rows that would mislead: of joints at rest with friction, of joints at a limit
    left_out: int
    #: how far measured positions of a closed system had to move to fit its closures
    moved: float = 0.0

    def to_pandas(self) -> Any:
        """A DataFrame with a row per parameter: found, deviation, model."""
        import pandas as pd

        return pd.DataFrame(
            {"found": self.values, "deviation": self.deviations, "model": self.model_values}, index=self.names
        )


def _column(data: Mapping[str, Any] | Run, prefix: str, names: Sequence[str]) -> Floats:
    if prefix in data:
        return np.asarray(data[prefix], float)
    missing = [name for name in names if f"{prefix}:{name}" not in data]
    if missing:
        raise InputError(f"data: there is no column {prefix}:{missing[0]}; expected {prefix} of every joint")
    return np.column_stack([np.asarray(data[f"{prefix}:{name}"], float) for name in names])


def identify(system: System, data: Mapping[str, Any] | Run, joints: Sequence[str]) -> Estimate:
    from ._run import Run

    tau: Floats | None = None
    passive = set(system.passive_names)
    if isinstance(data, Run):
        q, v, a = data.q, data.v, _column(data, "a", system.velocity_names)
    else:
        q = _column(data, "q", system.position_names)
        v, a = (_column(data, name, system.velocity_names) for name in "va")
        if "tau" in data:
            tau = np.asarray(data["tau"], float)
    if tau is None:  # what has no motor has no effort
        tau = np.zeros((len(q), len(system.effort_names)))
        for i, name in enumerate(system.effort_names):
            if name not in passive or f"tau:{name}" in data:
                tau[:, i] = _column(data, "tau", [name])[:, 0]
    return Estimate(**_core.identify(system, q, v, a, tau, list(joints)))
