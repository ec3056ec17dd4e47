"""What a System offers of the library's other rooms; each of them has a module of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Sequence, cast

from numpy.typing import ArrayLike

from . import _core
from ._arguments import Count, Natural, judged
from ._moving import MovingSystem
from ._verify import Formulation, Verification

if TYPE_CHECKING:
    from ._system import Forces, System
    from .operators import Operators


@judged
class Rooms(MovingSystem):
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

    def verify(
        self, states: Count = 20, seed: Natural = 1, *, frame: str | None = None, times: bool = False
    ) -> Verification:
        """Forward dynamics by every formulation at random states, compared; times: how long a call takes.

        >>> print(system.verify())
        """
        rows, left_out, condition, bound, closest, disagreement = _core._verify(self, states, seed, frame, times)
        return Verification(
            [Formulation(*row[:6], row[6] if times else None, *(None if n < 0 else n for n in row[7:])) for row in rows],
            left_out, condition, bound, closest, disagreement,
        )
