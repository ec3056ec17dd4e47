"""Functions of a system with their exact derivatives, for the modules that hand them to CasADi and JAX.

Derivatives by positions are along the group (a ball joint has three of them, and four numbers in q); what other
tools want are derivatives by the numbers themselves. Both are joined by D, the rate of q for each rate of v: a
change dq of position belongs to the displacement D⁺ dq.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError

if TYPE_CHECKING:
    from ._system import System

Floats = NDArray[np.float64]

#: Central differences of the eighth order: with a step of 0.02 the turns and sines of a group lose no digit to it
#: (h⁸/630 is below 1e-16), and rounding costs two.
_STEP, _WEIGHTS = 0.02, (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def displacements(system: System, q: Floats) -> Floats:
    """(..., nv, nq): what a change of each number of q is as a displacement of the joints."""
    if all(place.q.stop - place.q.start == 1 for place in map(system.joint, system.joint_names)):
        return np.broadcast_to(np.eye(system.nv), (*q.shape[:-1], system.nv, system.nq))
    states = np.atleast_2d(q)
    columns = np.zeros((len(states), system.nv, system.nq))
    for i in range(system.nv):
        v = np.zeros(system.nv)
        for k, weight in enumerate(_WEIGHTS, 1):
            v[i] = k * _STEP
            columns[:, i] += weight / _STEP * (system.integrate(states, v) - system.integrate(states, -v))
    out: Floats = np.asarray(np.linalg.pinv(columns.transpose(0, 2, 1)), np.float64)
    return out.reshape(*q.shape[:-1], system.nv, system.nq)


@dataclass(frozen=True)
class Function:
    """Numbers in, numbers out, for one state or a row each; derivatives of the result by each of its arguments."""

    name: str
    arguments: tuple[tuple[str, int], ...]
    size: int
    evaluate: Callable[..., Floats]
    #: (..., size, argument) for every argument
    derivatives: Callable[..., tuple[Floats, ...]]


def forward_dynamics(system: System) -> Function:
    def derivatives(q: Floats, v: Floats, tau: Floats) -> tuple[Floats, ...]:
        by_q, by_v, by_tau = system.forward_dynamics_derivatives(q, v, tau)
        return by_q @ displacements(system, q), by_v, by_tau

    _require_open(system, "forward_dynamics")
    nv = system.nv
    return Function("forward_dynamics", (("q", system.nq), ("v", nv), ("tau", nv)), nv, system.forward_dynamics,
                    derivatives)


def inverse_dynamics(system: System) -> Function:
    def derivatives(q: Floats, v: Floats, a: Floats) -> tuple[Floats, ...]:
        by_q, by_v, by_a = system.inverse_dynamics_derivatives(q, v, a)
        return by_q @ displacements(system, q), by_v, by_a

    _require_open(system, "inverse_dynamics")
    nv = system.nv
    return Function("inverse_dynamics", (("q", system.nq), ("v", nv), ("a", nv)), nv, system.inverse_dynamics,
                    derivatives)


def frame_position(system: System, frame: str) -> Function:
    def evaluate(q: Floats) -> Floats:
        return system.frame_pose(q, frame)[..., :3, 3]

    def derivatives(q: Floats) -> tuple[Floats, ...]:
        return (system.jacobian(q, frame, "world")[..., 3:, :] @ displacements(system, q),)

    system.frame_pose(system.neutral(), frame)  # refuses a frame that is not there
    return Function(f"position_of_{frame}", (("q", system.nq),), 3, evaluate, derivatives)


def _require_open(system: System, verb: str) -> None:
    if system.is_closed:
        raise InputError(f"{verb}: this system has loops, whose positions are no free numbers; give its cut_open(), "
                         "and its closures as equations (closure_residual, closure_jacobian)")
