"""Models in any coordinates: influence coefficients, Freeman's transfer, regressors, redundancy, shares of load.

>>> hand = frame_influence(arm, q, "tool")                   # G, H: how the tool moves with the joints
>>> at_hand = Transfer(hand).apply(joint_model(arm, q, v))   # the arm's model at its tool
>>> wrench = at_hand.loads(hand.velocity(v), acceleration)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import (
    BaseParameters,
    Constrained,
    DynamicModel,
    FrameMotion,
    Influence,
    Mechanism,
    RedundantTransfer,
    Transfer,
    Weight,
    closing_influence,
    closure_influence,
    constant_weight,
    constrain,
    distribute,
    distribution,
    double_transfer,
    frame_influence,
    frame_motion,
    joint_influence,
    joint_model,
    kinetic_energy_weight,
    leg_by_leg,
    mechanism_influence,
)
from ._arguments import Count, Expected, judged

__all__ = [
    "BaseParameters",
    "Constrained",
    "DynamicModel",
    "FrameMotion",
    "Influence",
    "Mechanism",
    "RedundantTransfer",
    "Regression",
    "Regressor",
    "Transfer",
    "Weight",
    "closing_influence",
    "closure_influence",
    "constant_weight",
    "constrain",
    "distribute",
    "distribution",
    "double_transfer",
    "frame_influence",
    "frame_motion",
    "joint_influence",
    "joint_model",
    "kinetic_energy_weight",
    "leg_by_leg",
    "mechanism_influence",
    "shaft_influence",
]

if TYPE_CHECKING:
    from ._system import System

Floats = NDArray[np.float64]


#: of the gears of a shaft
Ratios = Annotated[Mapping[str, float], Expected("{joint: ratio}")]


@judged
def shaft_influence(system: System, shafts: Mapping[str, Ratios], *, order: int = 2) -> Influence:
    """Rates of shafts behind gears, {shaft: {joint: ratio}}, by the entries of v.

    >>> shaft_influence(arm, {"m1": {"shoulder": 100}, "m2": {"shoulder": 20, "elbow": 80}})
    """
    return _core._shaft_influence(system, [(name, list(r.items())) for name, r in shafts.items()], order)


class Regression(NamedTuple):
    """tau = Y @ values + rest. (nv, size) and (nv,); of K states (K, nv, size) and (K, nv)."""

    Y: Floats
    rest: Floats


@judged
class Regressor(_core.Regressor):
    """Efforts as a linear function of masses, first and second moments, and what is unknown of joints.

    >>> regressor = Regressor(arm, ["damping"])
    >>> Y, rest = regressor.compute(q, v, a)                  # Y @ regressor.values + rest = inverse dynamics
    >>> base = regressor.base_parameters()
    >>> values = base.combination @ regressor.values          # what measured efforts can tell
    """

    def compute(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        coordinates: str | Sequence[str] | None = None,
        threads: Count = 1,
    ) -> Regression:
        """At a state, or at many. Closed systems: in 'independent' coordinates, or in named ones."""
        both = self._compute(q, v, a, coordinates, threads)
        return Regression(both[..., :-1], both[..., -1])
