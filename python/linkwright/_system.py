"""System: what is compiled from a model, and computed with."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Floats = NDArray[np.float64]
Base = Literal["fixed", "free", "planar"]


class Energy(NamedTuple):
    """In joules; arrays where many states were given."""

    kinetic: Any
    potential: Any

    @property
    def total(self) -> Any:
        return self.kinetic + self.potential


class State(NamedTuple):
    """A position and a velocity."""

    q: Floats
    v: Floats


@dataclass(frozen=True)
class JointPlace:
    """Where a joint's numbers stand: q[joint.q], v[joint.v]."""

    name: str
    type: str
    q: slice
    v: slice
    parent: str
    child: str


@dataclass(frozen=True)
class ExternalForce:
    """A moment and a force at a frame's origin, in the frame's own axes or in the world's."""

    frame: str
    force: ArrayLike = (0.0, 0.0, 0.0)
    moment: ArrayLike = (0.0, 0.0, 0.0)
    axes: Literal["own", "world"] = "own"

    @property
    def wrench(self) -> Floats:
        """[moment; force]"""
        return np.concatenate([np.asarray(self.moment, float), np.asarray(self.force, float)])


class System(_core.System):
    """A compiled model: immutable, shared between threads, ready for computing.

    Positions q have nq numbers and velocities v nv; arrays (K, nq) hold K states, and results then have K
    rows. External forces are {frame: [mx, my, mz, fx, fy, fz]} in the frame's own axes, or ExternalForce.
    """

    def joint(self, name: str) -> JointPlace:
        """Where a joint's numbers stand in q and v, what it is and what it connects."""
        name, type_, q, nq, v, nv, parent, child = self._joint(name)
        return JointPlace(name, type_, slice(q, q + nq), slice(v, v + nv), parent, child)

    def state(self) -> State:
        """The state that the model asks to start from; neutral and at rest where it names none."""
        return State(*self._initial())

    def energy(self, q: ArrayLike, v: ArrayLike, *, threads: int = 1) -> Energy:
        """Kinetic energy, rotors included, and potential energy of gravity and springs."""
        kinetic, potential = self._energy(q, v, threads).T
        return Energy(kinetic, potential)

    @property
    def position_limits(self) -> tuple[Floats, Floats]:
        """Lower and upper, an entry per entry of q; infinite where there is none."""
        lower, upper = self._limits(True)
        return lower, upper

    @property
    def velocity_limits(self) -> Floats:
        """An entry per entry of v; infinite where there is none."""
        return self._limits(False)[0]

    @property
    def effort_limits(self) -> Floats:
        """An entry per entry of v; infinite where there is none."""
        return self._limits(False)[1]


def load(
    path: str | os.PathLike[str],
    base: Base = "fixed",
    *,
    lenient: bool = False,
    cut_open: bool = False,
) -> System:
    """Reads a file (URDF or a system file) and compiles it.

    base: how the root of a URDF is attached to the world. lenient: mistakes that can be dropped or clipped
    become warnings. cut_open: compute as if every loop were cut.
    """
    return System(_core.read_model(path, base, lenient), cut_open=cut_open)
