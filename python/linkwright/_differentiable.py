"""Functions of a system with their exact derivatives, for the modules that hand them to CasADi and JAX.

Derivatives by positions are along the group (a ball joint has three of them, and four numbers in q); what other
tools want are derivatives by the numbers themselves. Both are joined by D, which makes of a change dq of the numbers
the displacement D dq; of a quaternion it counts what turns, not what changes its length.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable

import numpy as np
from numpy.typing import NDArray

from . import coordinates
from ._errors import InputError

if TYPE_CHECKING:
    from ._system import JointPlace, System

Floats = NDArray[np.float64]

#: ω = 2 Im(q* dq) of q = [w x y z]: entry (i, j, k) times q_k is that of row i and column j
_TURN = np.zeros((3, 4, 4))
for _i, _row in enumerate([[-2, 1, 4, -3], [-3, -4, 1, 2], [-4, 3, -2, 1]]):
    for _j, _k in enumerate(_row):
        _TURN[_i, _j, abs(_k) - 1] = 2 * np.sign(_k)


def _rotation(r: Floats) -> Floats:
    w, x, y, z = np.moveaxis(r, -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def _cross(turns: Floats) -> Floats:
    """(..., 3, 3, n): entry k is the matrix of ω_k × for the columns ω_k."""
    x, y, z = np.moveaxis(turns, -2, 0)
    zero = np.zeros_like(x)
    return np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), (0, 1), (-3, -2))


def _of_turn(q: Floats) -> tuple[Floats, Floats]:
    """D of a unit quaternion and its derivative; beyond unit length D falls with the length's square."""
    D: Floats = np.einsum("ijk,...k->...ij", _TURN, q)
    return D, _TURN - 2 * D[..., None] * q[..., None, None, :]


def _of_pose(q: Floats) -> tuple[Floats, Floats]:
    D, rates = np.zeros((*q.shape[:-1], 6, 7)), np.zeros((*q.shape[:-1], 6, 7, 7))
    D[..., :3, :4], rates[..., :3, :4, :4] = _of_turn(q[..., :4])
    D[..., 3:, 4:] = inverse = np.swapaxes(_rotation(q[..., :4]), -1, -2)
    rates[..., 3:, 4:, :4] = -np.einsum("...ilk,...lj->...ijk", _cross(D[..., :3, :4]), inverse)
    return D, rates


def _of_joint(system: System, place: JointPlace, q: Floats) -> tuple[Floats, Floats]:
    freedoms, numbers = place.v.stop - place.v.start, place.q.stop - place.q.start
    if freedoms == numbers:
        return np.eye(freedoms), np.zeros((freedoms, freedoms, freedoms))
    if numbers == 4:
        return _of_turn(q)
    D, rates = _of_pose(q)
    if freedoms == 6:
        return D, rates
    to_modes = np.linalg.pinv(np.array(system.model.joint(place.name).modes, float).T)
    return to_modes @ D, np.einsum("ab,...bij->...aij", to_modes, rates)


def _displacements(system: System, q: Floats) -> tuple[Floats, Floats]:
    """D (..., nv, nq), and its derivative by the numbers (..., nv, nq, nq)."""
    D = np.zeros((*q.shape[:-1], system.nv, system.nq))
    rates = np.zeros((*D.shape, system.nq))
    for name in system.joint_names:
        place = system.joint(name)
        D[..., place.v, place.q], rates[..., place.v, place.q, place.q] = _of_joint(system, place, q[..., place.q])
    return D, rates


def displacements(system: System, q: Floats) -> Floats:
    """(..., nv, nq): what a change of each number of q is as a displacement of the joints."""
    return _displacements(system, q)[0]


#: Entry [i][j] is of the derivative by argument i the derivative by argument j: (..., size, i, j)
Second = tuple[tuple[Floats, ...], ...]


@dataclass(frozen=True)
class Function:
    """Numbers in, numbers out, for one state or a row each; first and second derivatives by each of its arguments."""

    name: str
    arguments: tuple[tuple[str, int], ...]
    size: int
    evaluate: Callable[..., Floats]
    #: (..., size, argument) for every argument
    derivatives: Callable[..., tuple[Floats, ...]]
    second: Callable[..., Second]


def _by_numbers(system: System, q: Floats, first: Floats, second: Floats) -> Floats:
    """Second derivatives by the numbers, of those along the group."""
    D, rates = _displacements(system, q)
    out: Floats = np.einsum("...rab,...ai,...bj->...rij", second, D, D) + np.einsum("...ra,...aij->...rij", first, rates)
    return out


def _dynamics(system: System, name: str, third: str, evaluate: Any, first: Any, second: Any) -> Function:
    """A function of q, v and what it is linear in."""

    def derivatives(q: Floats, v: Floats, x: Floats) -> tuple[Floats, ...]:
        by_q, by_v, by_x = first(q, v, x)
        return by_q @ displacements(system, q), by_v, by_x

    def all_second(q: Floats, v: Floats, x: Floats) -> Second:
        dqdq, dvdv, dqdv, dxdq = second(q, v, x)
        D = displacements(system, q)
        qq = _by_numbers(system, q, first(q, v, x)[0], dqdq)
        qv = np.einsum("...rab,...ai->...rib", dqdv, D)
        xq = np.einsum("...rba,...ai->...rbi", dxdq, D)
        nothing = np.zeros_like(dvdv)
        turned = [np.swapaxes(block, -1, -2) for block in (qv, xq)]
        return (qq, qv, turned[1]), (turned[0], dvdv, nothing), (xq, nothing, nothing)

    if system.is_closed:
        raise InputError(f"{name}: this system has loops, whose positions are no free numbers; give its cut_open(), "
                         "and its closures as equations (closure_residual, closure_jacobian)")
    nv = system.nv
    return Function(name, (("q", system.nq), ("v", nv), (third, nv)), nv, evaluate, derivatives, all_second)


def forward_dynamics(system: System) -> Function:
    return _dynamics(system, "forward_dynamics", "tau", system.forward_dynamics, system.forward_dynamics_derivatives,
                     system.forward_dynamics_second_derivatives)


def inverse_dynamics(system: System) -> Function:
    return _dynamics(system, "inverse_dynamics", "a", system.inverse_dynamics, system.inverse_dynamics_derivatives,
                     system.inverse_dynamics_second_derivatives)


def frame_position(system: System, frame: str) -> Function:
    def evaluate(q: Floats) -> Floats:
        return system.frame_pose(q, frame)[..., :3, 3]

    def along_the_group(q: Floats) -> Floats:
        return system.jacobian(q, frame, "world")[..., 3:, :]

    def derivatives(q: Floats) -> tuple[Floats, ...]:
        return (along_the_group(q) @ displacements(system, q),)

    def second(q: Floats) -> Second:
        rows = np.atleast_2d(q)
        H = np.array([coordinates.frame_influence(system, row, frame).H[3:] for row in rows])
        return ((_by_numbers(system, q, along_the_group(q), H.reshape(*q.shape[:-1], *H.shape[1:])),),)

    system.frame_pose(system.neutral(), frame)  # refuses a frame that is not there
    return Function(f"position_of_{frame}", (("q", system.nq),), 3, evaluate, derivatives, second)
