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
    #: (singular value, closures, joints, whether nearby too): motions that the closures forbid by a hair
    narrowly_forbidden: list[tuple[float, list[str], list[str], bool]]
    #: the same of motions that count as free since the closures forbid them by less than counts
    narrowly_allowed: list[tuple[float, list[str], list[str], bool]]
    #: joints and closures whose loops share joints
    clusters: list[list[str]]
    #: rows x (rows - rank): forces among the closures that balance each other
    internal_forces: Floats = field(compare=False)

    #: all this in words
    text: str = field(compare=False)

    def __repr__(self) -> str:
        return self.text.rstrip()
