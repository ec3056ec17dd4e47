"""Dynamics as CasADi functions, with exact derivatives: for optimal control and estimation.

>>> import casadi
>>> import linkwright.casadi as lc
>>> f = lc.forward_dynamics(arm)                       # keep it as long as expressions use it
>>> q, v, tau = (casadi.MX.sym(name, 7) for name in ("q", "v", "tau"))
>>> a = f(q, v, tau)
>>> A = casadi.jacobian(a, q)                          # the library's own derivative

CasADi is not installed with linkwright: pip install casadi. Hessians are differences of the exact derivatives;
solvers do well with limited_memory.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _differentiable
from ._arguments import judged
from ._errors import InputError

if TYPE_CHECKING:
    from ._differentiable import Function
    from ._system import System

__all__ = ["forward_dynamics", "frame_position", "inverse_dynamics"]


@judged
def forward_dynamics(system: System, name: str = "forward_dynamics") -> Any:
    """a of (q, v, tau), a casadi.Callback."""
    return _callback(_differentiable.forward_dynamics(system), name)


@judged
def inverse_dynamics(system: System, name: str = "inverse_dynamics") -> Any:
    """tau of (q, v, a), a casadi.Callback."""
    return _callback(_differentiable.inverse_dynamics(system), name)


@judged
def frame_position(system: System, frame: str, name: str = "frame_position") -> Any:
    """Where the origin of a frame is, of q, a casadi.Callback."""
    return _callback(_differentiable.frame_position(system, frame), name)


def _numbers(given: Any) -> Any:
    return np.array(given, float).reshape(-1)


def _callback(function: Function, name: str) -> Any:
    try:
        casadi = importlib.import_module("casadi")
    except ImportError as error:
        raise InputError("casadi is not installed: pip install casadi") from error
    base: Any = casadi.Callback
    dense, count = casadi.Sparsity.dense, len(function.arguments)

    class Derivatives(base):  # type: ignore[misc]
        """(arguments, result) to the derivative by every argument."""

        def __init__(self, called: str, names: list[str], results: list[str], options: Any) -> None:
            casadi.Callback.__init__(self)
            self._names, self._results = names, results
            self.construct(called, {**options, "enable_fd": True})

        def get_n_in(self) -> int:
            return count + 1

        def get_n_out(self) -> int:
            return count

        def get_name_in(self, i: int) -> str:
            return self._names[i]

        def get_name_out(self, i: int) -> str:
            return self._results[i]

        def get_sparsity_in(self, i: int) -> Any:
            return dense(function.arguments[i][1] if i < count else function.size, 1)

        def get_sparsity_out(self, i: int) -> Any:
            return dense(function.size, function.arguments[i][1])

        def eval(self, given: Any) -> list[Any]:
            return [casadi.DM(J) for J in function.derivatives(*map(_numbers, given[:count]))]

    class Value(base):  # type: ignore[misc]
        def __init__(self) -> None:
            casadi.Callback.__init__(self)
            self._kept: list[Any] = []
            self.construct(name, {})

        def get_n_in(self) -> int:
            return count

        def get_n_out(self) -> int:
            return 1

        def get_name_in(self, i: int) -> str:
            return function.arguments[i][0]

        def get_sparsity_in(self, i: int) -> Any:
            return dense(function.arguments[i][1], 1)

        def get_sparsity_out(self, i: int) -> Any:
            return dense(function.size, 1)

        def eval(self, given: Any) -> list[Any]:
            return [casadi.DM(function.evaluate(*map(_numbers, given)))]

        def has_jacobian(self) -> bool:
            return True

        def get_jacobian(self, called: str, names: list[str], results: list[str], options: Any) -> Any:
            self._kept.append(Derivatives(called, names, results, options))
            return self._kept[-1]

    return Value()
