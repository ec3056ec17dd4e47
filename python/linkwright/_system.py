"""System: what is compiled from a model, and computed with."""

from __future__ import annotations

import copyreg
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Mapping, NamedTuple, Sequence, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _tables
from ._arguments import Count, Expected, Natural, judged
from ._closed import Assembly, ClosingJoints, Mobility
from ._errors import ComputationError, InputError
from ._rooms import Rooms
from .model import FlexibleLink, Model

Floats = NDArray[np.float64]


#: {frame: [mx, my, mz, fx, fy, fz]} in the frame's own axes, or objects; (K, 6) where K states are meant
Forces: TypeAlias = "Mapping[str, ArrayLike] | ExternalForce | Sequence[ExternalForce] | None"


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


class InverseDerivatives(NamedTuple):
    """Of inverse dynamics: by q along the group, by v, by a. (nv, nv), or (K, nv, nv)."""

    dtau_dq: Floats
    dtau_dv: Floats
    dtau_da: Floats


class ForwardDerivatives(NamedTuple):
    """Of forward dynamics: by q along the group, by v, by tau. (nv, nv), or (K, nv, nv)."""

    da_dq: Floats
    da_dv: Floats
    da_dtau: Floats


class ClosureForceDerivatives(NamedTuple):
    """Of closure_forces: by q along the group, by v, by tau. (closures, 6, nv), or (K, closures, 6, nv)."""

    df_dq: Floats
    df_dv: Floats
    df_dtau: Floats


class SecondInverseDerivatives(NamedTuple):
    """[i, j, k] is the derivative of tau[i] by the j-th of the first, and that by the k-th of the second.

    (nv, nv, nv), or (K, nv, nv, nv).
    """

    dqdq: Floats
    dvdv: Floats
    dqdv: Floats
    dadq: Floats


class SecondForwardDerivatives(NamedTuple):
    """[i, j, k] is the derivative of a[i] by the j-th of the first, and that by the k-th of the second.

    (nv, nv, nv), or (K, nv, nv, nv).
    """

    dqdq: Floats
    dvdv: Floats
    dqdv: Floats
    dtaudq: Floats


class Beam(NamedTuple):
    """A flexible link as its chain tells it; frequencies in Hz of its first modes of each kind, clamped at its root."""

    body: str
    elements: int
    length: float
    mass: float
    damping_ratio: float
    #: of "bend_y", "bend_z", "twist", "stretch" those that it does
    frequencies: dict[str, list[float]]


@dataclass(frozen=True)
class JointPlace:
    """Where a joint's numbers stand: q[joint.q], v[joint.v]."""

    name: str
    type: str
    q: slice
    v: slice
    parent: str
    child: str


@judged
@dataclass(frozen=True)
class ExternalForce:
    """A moment and a force at a frame's origin, in the frame's own axes or in the world's.

    (3,) each, or (K, 3): every one of K states its own.
    """

    frame: str
    force: ArrayLike = (0.0, 0.0, 0.0)
    moment: ArrayLike = (0.0, 0.0, 0.0)
    axes: Literal["own", "world"] = "own"

    def __post_init__(self) -> None:
        moment, force = self._part("moment"), self._part("force")
        if moment.ndim == force.ndim == 2 and len(moment) != len(force):
            raise InputError(
                f"ExternalForce on {self.frame!r}: moment holds {len(moment)} states, force {len(force)}; expected as many, "
                "or one for all"
            )

    def _part(self, name: str) -> Floats:
        part: Floats = np.asarray(getattr(self, name), float)
        if part.ndim not in (1, 2) or part.shape[-1] != 3:
            raise InputError(
                f"ExternalForce on {self.frame!r}: {name} has shape {part.shape}; expected (3,) or, for many states, (K, 3)"
            )
        return part

    @property
    def wrench(self) -> Floats:
        """[moment; force], (6,) or (K, 6)"""
        return np.concatenate(np.broadcast_arrays(self._part("moment"), self._part("force")), axis=-1)


#: lines of a system's repr: a humanoid fits in, a long chain does not
_MOST_LINES = 80


#: numbers of some joints
Values: TypeAlias = Annotated[Mapping[str, ArrayLike], Expected("{joint: value}")]
#: what is given names
Result: TypeAlias = Annotated[ArrayLike, Expected("an array of one axis or more", lambda x: np.ndim(x) > 0)]
#: what is compiled
Source: TypeAlias = Annotated[Model | _core.Model, Expected("a linkwright.Model (lw.load takes the path of a file)")]
#: how far closures may be open
Gap = Annotated[float, Expected("metres above 0 (1e-8, or inf)", lambda x: x > 0)]


@judged
class System(Rooms):
    """A compiled model: immutable, shared between threads, ready for computing.

    Made by load and compile. Positions q have nq numbers and velocities v nv; arrays (K, nq) hold K states, and results then have K
    rows. External forces are {frame: [mx, my, mz, fx, fy, fz]} in the frame's own axes, or ExternalForce; a wrench (K, 6) is
    each state's own.
    """

    def joint(self, name: str) -> JointPlace:
        """Where a joint's numbers stand in q and v, what it is and what it connects."""
        name, type_, q, nq, v, nv, parent, child = self._joint(name)
        return JointPlace(name, type_, slice(q, q + nq), slice(v, v + nv), parent, child)

    def __init__(self, model: Source, *, cut_open: bool = False, closure_tolerance: Gap = 1e-8) -> None:
        compiled = _core._from_python(model) if isinstance(model, Model) else model
        super().__init__(compiled, cut_open=cut_open, closure_tolerance=closure_tolerance)

    def __repr__(self) -> str:
        """As print shows it; of a large one the beginning and the end."""
        lines = str(self).splitlines()
        left_out = len(lines) - _MOST_LINES
        if left_out > 1:
            lines[-_MOST_LINES // 4 - left_out : -_MOST_LINES // 4] = [f"… {left_out} more lines; print(system) shows them"]
        return "\n".join(lines)

    @property
    def model(self) -> Model:
        """A copy of the model that it was compiled from, to look at and to edit."""
        return to_python(self._cpp_model)

    def cut_open(self) -> System:
        """The same mechanism as if every loop were cut: the spanning tree alone."""
        return System(self._cpp_model, cut_open=True)

    def rigid(self) -> System:
        """The same mechanism without what is added to rigid bodies: damping, friction, springs, loads, flexible bases.

        Rotor inertia and the stiffness of flexible links stay. As `--rigid` of the program.
        """
        bare = _core._without_forces(self._cpp_model)
        return System(bare, cut_open=self.is_cut_open, closure_tolerance=self.closure_tolerance)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.model, self.is_cut_open, self.closure_tolerance)

    def state(self) -> State:
        """The state that the model asks to start from; neutral and at rest where it names none.

        Closed systems: the nearest one that closes every loop and keeps it closed.
        """
        q, v = self._initial()
        if self.is_closed:
            q = self.assemble(q, hold=self._hold).q
            v = self.project_velocity(q, v)
        return State(q, v)

    def position(self, values: Values) -> Floats:
        """The model's own position with these joints elsewhere: {"elbow": 0.3, "ball": [w, x, y, z]}."""
        return self._with_values(self._initial()[0], values, "position_names")

    def velocity(self, values: Values) -> Floats:
        """At rest but for these joints: {"elbow": 1.0}."""
        return self._with_values(np.zeros(self.nv), values, "velocity_names")

    def _with_values(self, out: Floats, values: Mapping[str, ArrayLike], which: str) -> Floats:
        entries = {name: i for i, name in enumerate(getattr(self, which))}
        for name, given in values.items():
            if name in entries:
                place = slice(entries[name], entries[name] + 1)
            else:
                joint = self.joint(name)
                place = joint.q if which == "position_names" else joint.v
            count = place.stop - place.start
            entry = np.asarray(given, float)
            if entry.ndim > 1 or entry.size != count or not np.isfinite(entry).all():
                raise InputError(f"'{name}': expected {count} finite number{'' if count == 1 else 's'}; got {given!r}")
            out[place] = entry
        return out

    # --- closed systems ------------------------------------------------------------------------

    def assemble(
        self,
        q: ArrayLike | Mapping[str, ArrayLike] | None = None,
        *,
        hold: Sequence[str] | None = None,
        branch: Natural | None = None,
        limits: bool = True,
        restarts: Natural = 40,
    ) -> Assembly:
        """The nearest position that closes every loop; ComputationError names what stays open.

        q: where to start (the model's own position without it), or {joint: value}, which are held then.
        hold: joints that keep their position; without it the model's own, or the joints of q's names.
        branch: the how-manieth way to assemble it with these joints held; the nearest is 0.
        limits: whether joints keep within theirs. restarts: other starts that are tried.
        """
        start, held = self._start(q, hold)
        if branch is not None:
            ways = self.assemblies(start, hold=held, limits=limits)
            if branch >= len(ways):
                raise InputError(
                    f"branch {branch}: {len(ways)} found with the held joints where they are; expected 0 … {len(ways) - 1}"
                )
            start = ways[branch]
        found, assembled, residual, moved, steps, trouble = self._assemble(start, held, limits, restarts)
        if not assembled:
            raise ComputationError(
                f"the mechanism cannot be closed from here: at the nearest position found, {trouble}. "
                "Give another start, hold fewer joints, or check the lengths"
            )
        return Assembly(found, residual, moved, steps)

    def assemblies(
        self,
        q: ArrayLike | Mapping[str, ArrayLike] | None = None,
        *,
        hold: Sequence[str] | None = None,
        limits: bool = True,
        starts: Count = 400,
    ) -> Floats:
        """Every way to assemble it with the held joints where they are, a row each, the nearest to q first."""
        start, held = self._start(q, hold)
        return self._assemblies(start, held, limits, starts)

    def _start(
        self, q: ArrayLike | Mapping[str, ArrayLike] | None, hold: Sequence[str] | None
    ) -> tuple[ArrayLike, Sequence[str]]:
        if q is None:
            return self._initial()[0], self._hold if hold is None else hold
        if isinstance(q, Mapping):
            return self.position(q), [self._joint_of(name) for name in q] if hold is None else hold
        return q, [] if hold is None else hold

    def _joint_of(self, name: str) -> str:
        """"ball:2" belongs to "ball"."""
        return name if name in self.joint_names else name.rpartition(":")[0] or name

    def mobility(self, q: ArrayLike | None = None) -> Mobility:
        """Freedoms, redundant closures, idle freedoms, how far the next singularity is; at q, or where it starts."""
        return Mobility(**self._mobility(self.state().q if q is None else q))

    def closing_joints(self, q: ArrayLike, v: ArrayLike | None = None) -> ClosingJoints:
        """Where the joints that close loops stand and how fast they move; named by closing_names."""
        positions = self._closing_positions(q)
        return ClosingJoints(positions, np.zeros_like(positions) if v is None else self._closing_rates(q, v))

    # --- derivatives ---------------------------------------------------------------------------

    def inverse_dynamics_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, forces: Forces = None, *,
        coordinates: str | Sequence[str] | None = None, threads: Count = 1,
    ) -> InverseDerivatives:
        """Exact, along the group. Closed systems: in independent coordinates, along the closures."""
        return InverseDerivatives(*self._inverse_dynamics_derivatives(q, v, a, forces, coordinates, threads))

    def forward_dynamics_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, forces: Forces = None, *,
        coordinates: str | Sequence[str] | None = None, threads: Count = 1,
    ) -> ForwardDerivatives:
        """Exact, along the group. Closed systems: of all joints, or of chosen coordinates along the closures."""
        return ForwardDerivatives(*self._forward_dynamics_derivatives(q, v, tau, forces, coordinates, threads))

    def closure_force_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, forces: Forces = None, *, threads: Count = 1
    ) -> ClosureForceDerivatives:
        """Exact derivatives of what closures carry, one 6 x nv per name of closure_names."""
        found = self._closure_force_derivatives(q, v, tau, forces, threads)
        return ClosureForceDerivatives(*(f.reshape(*f.shape[:-2], -1, 6, f.shape[-1]) for f in found))

    def inverse_dynamics_second_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, forces: Forces = None, *, threads: Count = 1
    ) -> SecondInverseDerivatives:
        """Exact second derivatives of tau."""
        return SecondInverseDerivatives(*self._inverse_dynamics_second_derivatives(q, v, a, forces, threads))

    def forward_dynamics_second_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, forces: Forces = None, *, threads: Count = 1
    ) -> SecondForwardDerivatives:
        """Exact second derivatives of a."""
        return SecondForwardDerivatives(*self._forward_dynamics_second_derivatives(q, v, tau, forces, threads))

    # --- results with names --------------------------------------------------------------------

    def named(self, values: Result, names: Sequence[str] | None = None) -> dict[str, Any]:
        """{name: value} for a result, by its last axis; arrays where there are many states."""
        return _tables.named(self, values, names)

    def to_pandas(self, values: Result, names: Sequence[str] | None = None) -> Any:
        """A result as Series, or as DataFrame with a row per state; square ones have names on both sides."""
        return _tables.to_pandas(self, values, names)

    def to_xarray(
        self, values: Result, names: Sequence[str] | None = None, dims: Sequence[str] | None = None
    ) -> Any:
        """A result as DataArray; dims are state, row, column, as many as it has axes."""
        return _tables.to_xarray(self, values, names, dims)

    def energy(self, q: ArrayLike, v: ArrayLike, *, threads: Count = 1) -> Energy:
        """Kinetic energy, rotors included, and potential energy of gravity and springs."""
        both = self._energy(q, v, threads)
        return Energy(*(both.tolist() if both.ndim == 1 else both.T))

    @property
    def flexible_links(self) -> list[Beam]:
        """Links that are chains of rigid pieces on elastic joints."""
        return [Beam(*beam) for beam in _core._found_beams(self._cpp_model)]

    @property
    def position_limits(self) -> tuple[Floats, Floats]:
        """Lower and upper, an entry per entry of q; infinite where there is none."""
        lower, upper = self._limits(True)
        return lower, upper

    @property
    def velocity_limits(self) -> Floats:
        """An entry per entry of v; infinite where there is none."""
        velocity: Floats = self._limits(False)[0]
        return velocity

    @property
    def effort_limits(self) -> Floats:
        """An entry per entry of v; infinite where there is none."""
        effort: Floats = self._limits(False)[1]
        return effort


def to_python(model: _core.Model) -> Model:
    out = _core._to_python(model)
    assert isinstance(out, Model)
    return out


def _rebuild(cls: type[System], model: Model, cut_open: bool, closure_tolerance: float) -> System:
    return cls(model, cut_open=cut_open, closure_tolerance=closure_tolerance)


# Processes are sent arm.gravity as arm and "gravity".
copyreg.pickle(type(_core.System.__dict__["gravity"].__get__(object(), object)), lambda m: (getattr, (m.__self__, m.__name__)))


@judged
def to_elastic_chains(model: Model, links: Sequence[FlexibleLink]) -> Model:
    """The same mechanism with each of these links as a chain of rigid pieces on elastic joints.

    The body keeps its name and is the first piece; joints "boom:bend1", "boom:twist1", … stand behind those of the model.

    >>> boom = lw.FlexibleLink("boom", along=(2, 0, 0), E=7e10, density=2700, section=lw.BeamSection(width=0.05, height=0.01))
    >>> system = lw.compile(lw.to_elastic_chains(model, [boom]))
    """
    return to_python(_core._to_elastic_chains(_core._from_python(model), links))


@judged
def compile(model: Source, *, cut_open: bool = False, closure_tolerance: Gap = 1e-8) -> System:
    """Judges a model and makes it ready for computing.

    cut_open: compute as if every loop were cut. closure_tolerance: how far closures may be open at a state that
    is given, in metres and radians; inf does not ask.
    """
    return System(model, cut_open=cut_open, closure_tolerance=closure_tolerance)
