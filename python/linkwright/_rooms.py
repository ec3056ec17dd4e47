"""What a System offers of the library's other rooms; each of them has a module of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence, cast

from numpy.typing import ArrayLike

from . import _core

if TYPE_CHECKING:
    from ._system import Forces, System
    from .operators import Operators


class Rooms(_core.System):
    """The methods that lead from a System to operators and verification."""

    def operators(
        self,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        frames: Sequence[str] = (),
        forces: Forces = None,
    ) -> Operators:
        """The spatial operators at a configuration, or at a state: see linkwright.operators."""
        from .operators import Operators

        return Operators(cast("System", self), q, v, tau, frames=frames, forces=forces)
