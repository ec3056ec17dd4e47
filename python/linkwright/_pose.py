"""Pose: where a frame sits in another one."""

from __future__ import annotations

import math
from typing import Annotated, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import Expected, judged
from ._errors import InputError

Vector = Sequence[float]
Three = Annotated[ArrayLike, Expected("three numbers", lambda x: np.shape(x) == (3,))]
Quaternion = Annotated[ArrayLike, Expected("four numbers, w x y z", lambda x: np.shape(x) == (4,))]
Rotation = Annotated[ArrayLike, Expected("a 3 x 3 rotation matrix", lambda x: np.shape(x) == (3, 3))]
Matrix = Annotated[ArrayLike, Expected("a 4 x 4 matrix", lambda x: np.shape(x) == (4, 4))]


def _turn(rpy: ArrayLike) -> list[list[float]]:
    """Roll, pitch, yaw about fixed axes, one after the other, as in URDF."""
    (cr, cp, cy), (sr, sp, sy) = (f(np.asarray(rpy, float)).tolist() for f in (np.cos, np.sin))
    return [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]


def _turn_of_quaternion(quaternion: ArrayLike) -> list[list[float]]:
    w, x, y, z = np.asarray(quaternion, float) / np.linalg.norm(quaternion)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


@judged
class Pose:
    """Where a frame sits in another one: a place and a rotation. Cannot be changed; `@` composes.

    >>> Pose((0, 0, 1), rpy=(0, 0, math.pi / 2)) @ Pose((1, 0, 0))
    """

    __slots__ = ("_rows", "_xyz")
    _rows: tuple[tuple[float, ...], ...]
    _xyz: tuple[float, ...]

    def __init__(
        self,
        xyz: Three = (0.0, 0.0, 0.0),
        rpy: Three | None = None,
        *,
        quaternion: Quaternion | None = None,
        rotation: Rotation | None = None,
    ) -> None:
        """xyz: metres. The rotation as roll, pitch, yaw (as in URDF), as [w x y z], or as a 3 x 3 matrix."""
        if sum(given is not None for given in (rpy, quaternion, rotation)) > 1:
            raise InputError("Pose: expected one of rpy, quaternion and rotation; got several")
        if rpy is not None:
            rotation = _turn(rpy)
        elif quaternion is not None:
            rotation = _turn_of_quaternion(quaternion)
        elif rotation is None:
            rotation = np.eye(3)
        rows, place = np.asarray(rotation, float), np.asarray(xyz, float)
        if not np.allclose(rows @ rows.T, np.eye(3), atol=1e-6) or np.linalg.det(rows) < 0:
            raise InputError("rotation: expected a matrix whose columns are orthogonal, of length one and right-handed; "
                             f"got {rows.tolist()}")
        object.__setattr__(self, "_rows", tuple(map(tuple, rows.tolist())))
        object.__setattr__(self, "_xyz", tuple(place.tolist()))

    @classmethod
    def from_matrix(cls, matrix: Matrix) -> Pose:
        """Of a 4 x 4 matrix, as System.frame_pose returns it."""
        m = np.asarray(matrix, float)
        return cls(m[:3, 3], rotation=m[:3, :3])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Pose cannot be changed; make a new one for another {name}")

    @property
    def xyz(self) -> NDArray[np.float64]:
        return np.array(self._xyz)

    @property
    def rotation(self) -> NDArray[np.float64]:
        return np.array(self._rows)

    @property
    def quaternion(self) -> NDArray[np.float64]:
        """[w x y z], w not negative."""
        R = self.rotation
        # The column of this matrix with the largest diagonal entry is the quaternion, four times squared.
        squares = np.array([
            [1 + R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2], R[1, 0] + R[0, 1], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[1, 0] + R[0, 1], 1 - R[0, 0] + R[1, 1] - R[2, 2], R[2, 1] + R[1, 2]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2], 1 - R[0, 0] - R[1, 1] + R[2, 2]],
        ])
        best: NDArray[np.float64] = squares[int(np.argmax(np.diag(squares)))]
        best = best / np.linalg.norm(best)
        return -best if best[0] < 0 else best

    @property
    def rpy(self) -> NDArray[np.float64]:
        """Roll, pitch, yaw about fixed axes, as in URDF."""
        R = self.rotation
        pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
        if math.hypot(R[0, 0], R[1, 0]) < 1e-12:  # straight up or down: roll and yaw are one
            return np.array([math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0])
        return np.array([math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])])

    @property
    def matrix(self) -> NDArray[np.float64]:
        """4 x 4."""
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = self._rows, self._xyz
        return out

    def inverse(self) -> Pose:
        return Pose(-self.rotation.T @ self.xyz, rotation=self.rotation.T)

    def __matmul__(self, other: Pose) -> Pose:
        if not isinstance(other, Pose):
            return NotImplemented
        return Pose(self.rotation @ other.xyz + self.xyz, rotation=self.rotation @ other.rotation)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pose) and (self._rows, self._xyz) == (other._rows, other._xyz)

    def __hash__(self) -> int:
        return hash((self._rows, self._xyz))

    def __reduce__(self) -> tuple[object, ...]:
        return _pose, (self._xyz, self._rows)

    def __repr__(self) -> str:
        xyz, rpy = ("(" + ", ".join(f"{x:.6g}" for x in part) + ")" for part in (self._xyz, self.rpy + 0.0))
        return f"Pose({xyz}, rpy={rpy})" if np.any(self.rpy) else f"Pose({xyz})"


def _pose(xyz: Vector, rows: Sequence[Vector]) -> Pose:
    return Pose(xyz, rotation=rows)
