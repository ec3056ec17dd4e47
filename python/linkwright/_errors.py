"""The exceptions of linkwright: the program's own texts, and where the mistakes are."""

from __future__ import annotations

import os
import pathlib
import sys
import warnings
from typing import Any, NamedTuple, Sequence

PACKAGE = str(pathlib.Path(__file__).parent) + os.sep


class Mistake(NamedTuple):
    """One thing that is wrong, and where; line 0 means that no line is known."""

    message: str
    file: str
    line: int


class Error(Exception):
    """Whatever linkwright refuses. `mistakes` lists them one by one."""

    def __init__(self, text: str, mistakes: Sequence[Mistake] = ()) -> None:
        super().__init__(text)
        self.mistakes = list(mistakes)

    @property
    def file(self) -> str | None:
        """The file of the first mistake that has one."""
        return next((m.file for m in self.mistakes if m.file), None)

    @property
    def line(self) -> int | None:
        """The line of the first mistake that has one."""
        return next((m.line for m in self.mistakes if m.line), None)

    def __reduce__(self) -> tuple[type[Error], tuple[str, list[Mistake]]]:
        return type(self), (str(self), self.mistakes)


class InputError(Error, ValueError):
    """Something that was given and can be corrected: a file, a name, a shape, a number."""


class ComputationError(Error, ArithmeticError):
    """A computation that has no answer: a singular position, a mechanism that cannot be closed.

    `run` holds the rows of a simulation that failed on its way.
    """

    run: Any = None


def warn(text: str, category: type[Warning]) -> None:
    """A warning at the line that called into this package, however deep it arose."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)
