"""Hands and what they hold: grasps, who carries how much, arms on any base.

>>> held = grasp(system, "box")                      # how the box is held where the model starts
>>> held.force_closure.holds, held.G.shape, held.internal
>>> shared = held.share(rule="least_torque")         # contact forces and efforts that carry it
>>> robot = Manipulator(system)                      # the same hands as arms on a base
>>> generalized = robot.model(q).J                   # the generalized Jacobian
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import (
    Arm,
    ClosureVerdict,
    ContactShare,
    GraspAnalysis,
    GraspContact,
    LoadSharing,
    MotorShare,
    ObjectImpedance,
    UnifiedModel,
    contact_attitudes,
    contact_forces,
    held_objects,
)
from ._arguments import Expected, judged
from ._errors import InputError

if TYPE_CHECKING:
    from ._system import Forces, System

__all__ = [
    "Arm",
    "ChainDynamics",
    "ClosureVerdict",
    "ContactShare",
    "Grasped",
    "GraspAnalysis",
    "GraspContact",
    "LoadSharing",
    "Manipulator",
    "MotorShare",
    "ObjectImpedance",
    "TableDynamics",
    "UnifiedModel",
    "contact_attitudes",
    "contact_forces",
    "grasp",
    "held_objects",
    "table_one",
]

Floats = NDArray[np.float64]
Rule = Literal["least_squares", "weighted", "least_torque"]


#: of friction
Share = Annotated[float, Expected("a number from 0 up, below 1", lambda x: 0 <= x < 1)]


@judged
class Grasped:
    """An object in its hands at a position: what GraspAnalysis says, and what can be asked besides."""

    def __init__(self, system: System, analysis: GraspAnalysis, q: Floats) -> None:
        self.system, self.analysis, self.q = system, analysis, q

    @property
    def object(self) -> str:
        """The body that is held."""
        return self.analysis.object

    @property
    def G(self) -> Floats:
        """The grasp map: efforts on the object's own freedoms per unit of each contact force."""
        return self.analysis.G

    @property
    def columns(self) -> list[str]:
        """Contact forces, columns of G: "left:fn" along a normal, "left:f1" along the surface, "left:mn"."""
        return self.analysis.columns

    @property
    def rank(self) -> int:
        """Directions in which the contacts can push the object."""
        return self.analysis.rank

    @property
    def internal(self) -> Floats:
        """Columns: contact forces that balance each other."""
        return self.analysis.internal

    @property
    def force_closure(self) -> ClosureVerdict:
        """Whether the contacts hold it against every push, with friction."""
        return self.analysis.force_closure

    @property
    def form_closure(self) -> ClosureVerdict:
        """The same without friction."""
        return self.analysis.form_closure

    def share(
        self,
        acceleration: ArrayLike | None = None,
        *,
        v: ArrayLike | None = None,
        forces: Forces = None,
        rule: Rule = "least_squares",
        weights: ArrayLike | None = None,
        cones: bool = True,
        efforts: bool = True,
        reserve: Share = 0.0,
    ) -> LoadSharing:
        """Contact forces and motor efforts for a load, within friction cones and effort limits.

        acceleration: of the object's own freedoms, the hands follow; without it nothing accelerates. forces:
        what else pushes. rule: what is made least; weights: one per grasp of the model, of "weighted".
        cones, efforts: whether they are respected. reserve: part of the friction that is kept back.
        """
        return _core._share_load(
            self.system, self.q, rule, cones, efforts, reserve, self.object, v, weights, acceleration, forces
        )

    def impedance(self, stiffness: ArrayLike | None = None, damping: ArrayLike | None = None) -> ObjectImpedance:
        """Inertia, damping and stiffness that a hand on the object feels; gains of servos, one per entry of v."""
        return _core._impedance(self.system, self.object, self.q, stiffness, damping)

    def margins(self, tau: ArrayLike, v: ArrayLike | None = None, forces: Forces = None) -> dict[str, float]:
        """Newtons until each contact slips while these efforts act; negative where it would have let go."""
        return {c.name: c.margin for c in contact_forces(self.system, self.q, tau, v, forces)}

    def __repr__(self) -> str:
        return repr(self.analysis)


@judged
def grasp(system: System, object: str | None = None, q: ArrayLike | None = None) -> Grasped:
    """How an object is held: at q, or where the model starts. object: may be left out where there is only one.

    >>> grasp(system, "box").force_closure.holds
    """
    if object is None:
        held = held_objects(system)
        if len(held) != 1:
            raise InputError(f"object: grasps hold {', '.join(map(repr, held))}; say which is meant")
        object = held[0]
    at = np.array(system.state().q if q is None else q, float)
    return Grasped(system, _core._analyse_grasp(system, object, at), at)


class ChainDynamics(NamedTuple):
    """Accelerations, and what each arm does to what it holds."""

    a: Floats
    #: a row per arm, [moment; force] at the grasp's frame on the object, in its axes; zero of empty hands
    end_forces: Floats
    #: of all contacts; fewer independent ones where the grasp is redundant
    rows: int
    rank: int
    #: (rows, rows): accelerations of the contacts per unit of their forces
    omega: Floats
    #: per arm how its contact rolls, rates and their derivatives
    rolling: list[tuple[Floats, Floats]]


class TableDynamics(NamedTuple):
    """What Table I of the unified model finds; as ChainDynamics."""

    a: Floats
    end_forces: Floats
    rows: int
    rank: int


@judged
class Manipulator(_core.Manipulator):
    """A system as several arms on one base: the grasps' arms, and the tips that are named besides.

    >>> robot = Manipulator(system, tips=["left_grip", "right_grip"])
    >>> robot.base, robot.active                     # ('bus', 'free'), joints with a motor
    """

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Forces = None,
        *,
        algorithm: Literal["RCCFD1", "RCCFD2", "RCCFD3", "non_rigid"] = "RCCFD1",
        dense: bool = False,
    ) -> ChainDynamics:
        """By recursions around one system for the contact forces; dense: that system as one matrix."""
        return ChainDynamics(*self._forward_dynamics(algorithm, dense, q, v, tau, forces))


@judged
def table_one(model: UnifiedModel) -> TableDynamics:
    """Forward dynamics by the unified model: all accelerations, and the end forces, a row per arm.

    >>> table_one(Manipulator(system).model(q, v, tau)).a
    """
    a, f, rows, rank = model._forward_dynamics()
    return TableDynamics(a, f.reshape(-1, 6), rows, rank)
