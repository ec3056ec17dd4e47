"""What is told of closed mechanisms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Assembly:
    """A position that closes every loop."""

    q: Floats
    #: the largest gap that is left, metres or radians
    residual: float
    #: joints that stand elsewhere than before
    moved: list[str]
    steps: int


class ClosingJoints(NamedTuple):
    """Coordinates and rates of the joints that close loops, named by System.closing_names."""

    q: Floats
    v: Floats


@dataclass(frozen=True)
class Mobility:
    """What a closed mechanism can do at a position, and what its closures take for granted."""

    #: freedoms that are left
    mobility: int
    #: what counting alone would say
    grubler: int
    rank: int
    rows: int
    #: closures some of whose rows the others demand already, and how many rows
    redundant: dict[str, int]
    #: (bodies, joints, freedoms) that move and move nothing else
    idle: list[tuple[list[str], list[str], int]]
    independent: list[str]
    #: 1: the others move as much as the independents at most; 0: they do not determine them
    conditioning: float
    #: nearby positions have more independent rows
    singular: bool
    nearby_rank: int
    locked: list[str]
    gained: list[str]
    #: of the scaled rows, relative to the largest: how far the next singularity is
    smallest_singular_value: float
    #: how sharply the rank was decided
    largest_dropped_singular_value: float
    #: joints and closures whose loops share joints
    clusters: list[list[str]]
    #: rows x (rows - rank): forces among the closures that balance each other
    internal_forces: Floats = field(compare=False)

    def __repr__(self) -> str:
        lines = [
            f"mobility {self.mobility} ({self.mobility + self.rank} in the joints, {self.rank} independent rows of "
            f"{self.rows}; Grübler {self.grubler})",
            f"independent coordinates: {_listed(self.independent)} (conditioning {self.conditioning:.2g})",
        ]
        if self.redundant:
            parts = ", ".join(f"'{name}' ({count} of its rows)" for name, count in self.redundant.items())
            lines.append(f"{self.rows - self.rank} of {self.rows} rows repeat what the others say: {parts}")
        for bodies, joints, _ in self.idle:
            lines.append(f"idle freedom: {_listed(bodies)} can move between {_listed(joints)} without moving anything else")
        if self.singular:
            lines.append(f"singular here: nearby positions have {self.nearby_rank} independent rows")
            if self.locked:
                lines.append(f"  locked here: {_listed(self.locked)}")
            if self.gained:
                lines.append(f"  free here only: {_listed(self.gained)}")
        lines.append(f"smallest singular value {self.smallest_singular_value:.2g} of the largest")
        return "\n".join(lines)


def _listed(names: list[str]) -> str:
    most = 5
    text = ", ".join(f"'{name}'" for name in names[:most])
    return text + (f" and {len(names) - most} more" if len(names) > most else "")
