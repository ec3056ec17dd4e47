"""Forward dynamics by every formulation, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

from ._arguments import judged
from ._errors import InputError


@dataclass(frozen=True)
class Formulation:
    """One way to forward dynamics, and how far it is from the first; the worst of all states, relative."""

    name: str
    effort: float  #: of M (a - a'): what is judged
    closures: float  #: of the closures' rows; judged
    acceleration: float  #: of a - a': grows with the condition of M, not judged
    tip: float
    bound: float  #: the most that was allowed
    ns: float | None  #: median time per call
    sweeps: int | None
    multiplications: int | None
    additions: int | None


@judged
@dataclass(frozen=True, repr=False)
class Verification:
    """A table of formulations. `agree`: whether all of them do, within rounding."""

    formulations: list[Formulation]
    left_out: list[str]  #: why others do not fit this system
    condition: float  #: of the mass matrix, the largest of all states
    bound: float
    closest: float  #: largest share of its bound that a difference took
    disagreement: str  #: the first, in words

    @property
    def agree(self) -> bool:
        """Whether every two formulations agree."""
        return not self.disagreement

    def __bool__(self) -> bool:
        return self.agree

    def __iter__(self) -> Iterator[Formulation]:
        return iter(self.formulations)

    def __getitem__(self, name: str) -> Formulation:
        for f in self.formulations:
            if f.name == name:
                return f
        raise InputError(f"name: there is no formulation {name!r}; expected one of "
                         f"{', '.join(repr(f.name) for f in self.formulations)}")

    def __repr__(self) -> str:
        timed = any(f.ns is not None for f in self.formulations)
        head = ("formulation", "effort", "closures", "acceleration", "tip", *(["ns"] if timed else []))
        rows: list[tuple[str, ...]] = [head]
        for i, f in enumerate(self.formulations):
            differences = [f"{x:.1e}" if i else "reference" for x in (f.effort, f.closures, f.acceleration, f.tip)]
            rows.append((f.name, *differences, *(["" if f.ns is None else f"{f.ns:.0f}"] if timed else [])))
        widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        verdict = self.disagreement or f"All agree: at most {self.bound:.1e} is allowed, {self.closest:.1e} of it was taken."
        return "\n".join([*lines, *(f"{reason}." for reason in self.left_out), verdict])
