"""Dynamics as CasADi functions, with exact derivatives: for optimal control and estimation.

>>> import casadi
>>> import linkwright.casadi as lc
>>> f = lc.forward_dynamics(arm)                       # keep it as long as expressions use it
>>> q, v, tau = (casadi.MX.sym(name, 7) for name in ("q", "v", "tau"))
>>> a = f(q, v, tau)
>>> A = casadi.jacobian(a, q)                          # the library's own derivative

Second derivatives are exact, too: solvers need no approximation of the Hessian. CasADi is not installed with
linkwright: pip install casadi.
"""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from . import _differentiable
from ._arguments import Expected, judged
from ._errors import InputError

if TYPE_CHECKING:
    from ._differentiable import Function
    from ._system import System

__all__ = ["forward_dynamics", "frame_position", "inverse_dynamics"]


#: what CasADi may call a function
Name = Annotated[str, Expected("a letter, then letters, digits and single underscores, not 'null', 'jac' or 'hess'",
                               lambda name: re.fullmatch(r"(?!(null|jac|hess)$)[A-Za-z](_?[A-Za-z0-9])*_?", name) is not None)]


@judged
def forward_dynamics(system: System, name: Name = "forward_dynamics") -> Any:
    """a of (q, v, tau), a casadi.Callback."""
    return _callback(_differentiable.forward_dynamics(system), name)


@judged
def inverse_dynamics(system: System, name: Name = "inverse_dynamics") -> Any:
    """tau of (q, v, a), a casadi.Callback."""
    return _callback(_differentiable.inverse_dynamics(system), name)


@judged
def frame_position(system: System, frame: str, name: Name = "frame_position") -> Any:
    """Where the origin of a frame is, of q, a casadi.Callback."""
    return _callback(_differentiable.frame_position(system, frame), name)


def _numbers(given: Any) -> list[Any]:
    return [np.array(x, float).reshape(-1) for x in given]


def _callback(function: Function, name: str) -> Any:
    try:
        casadi = importlib.import_module("casadi")
    except ImportError as error:
        raise InputError("casadi is not installed: pip install casadi") from error
    base: Any = casadi.Callback
    sizes = [size for _, size in function.arguments]
    count = len(sizes)

    class Call(base):  # type: ignore[misc]
        """Named arrays in, named arrays out; `jacobian(name, inputs, outputs)` makes the function of its derivatives."""

        def __init__(self, called: str, inputs: list[str], shapes_in: list[Any], outputs: list[str],
                     shapes_out: list[Any], evaluate: Any, jacobian: Any = None) -> None:
            casadi.Callback.__init__(self)
            self._names, self._sparsity = (inputs, outputs), (shapes_in, shapes_out)
            self._evaluate, self._jacobian = evaluate, jacobian
            self._kept: list[Any] = []
            self.construct(called, {})

        def get_n_in(self) -> int:
            return len(self._names[0])

        def get_n_out(self) -> int:
            return len(self._names[1])

        def get_name_in(self, i: int) -> str:
            return self._names[0][i]

        def get_name_out(self, i: int) -> str:
            return self._names[1][i]

        def get_sparsity_in(self, i: int) -> Any:
            return self._sparsity[0][i]

        def get_sparsity_out(self, i: int) -> Any:
            return self._sparsity[1][i]

        def eval(self, given: Any) -> list[Any]:
            return [casadi.DM(x) for x in self._evaluate(*_numbers(given[:count]))]

        def has_jacobian(self) -> bool:
            return self._jacobian is not None

        def get_jacobian(self, called: str, inputs: list[str], outputs: list[str], _: Any) -> Any:
            self._kept.append(self._jacobian(called, inputs, outputs))
            return self._kept[-1]

    # CasADi gives a derivative the arguments, then the results; the latter say nothing new.
    dense = casadi.Sparsity.dense
    arguments = [dense(size, 1) for size in sizes]
    result = dense(function.size, 1)
    by_arguments = [dense(function.size, size) for size in sizes]
    by_both = [shape for first in sizes
               for shape in [dense(function.size * first, size) for size in sizes]
               + [casadi.Sparsity(function.size * first, function.size)]]

    def second(*given: Any) -> list[Any]:
        """Of every derivative, column after column, the derivative by every argument; by the result it has none."""
        return [block for row in function.second(*given)
                for block in [np.swapaxes(x, 0, 1).reshape(-1, x.shape[2]) for x in row]
                + [casadi.DM(row[0].shape[0] * row[0].shape[1], function.size)]]

    def second_derivatives(called: str, inputs: list[str], outputs: list[str]) -> Any:
        return Call(called, inputs, [*arguments, result, *by_arguments], outputs, by_both, second)

    def derivatives(called: str, inputs: list[str], outputs: list[str]) -> Any:
        return Call(called, inputs, [*arguments, result], outputs, by_arguments, function.derivatives,
                    second_derivatives)

    return Call(name, [n for n, _ in function.arguments], arguments, [function.name], [result],
                lambda *given: [function.evaluate(*given)], derivatives)
