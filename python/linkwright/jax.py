"""Dynamics as JAX functions: jit, vmap, jvp, grad and hessian of the library's own, exact derivatives.

>>> import jax
>>> import linkwright.jax as lj
>>> f = lj.forward_dynamics(arm)
>>> step = jax.jit(lambda q, v, tau: v + 0.01 * f(q, v, tau))
>>> A = jax.jacobian(f)(q, v, tau)

Computed on the host in double precision, many states of a vmap in one call. JAX is not installed with linkwright:
pip install jax. Without jax.config.update("jax_enable_x64", True) JAX rounds arguments to single precision.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import _differentiable
from ._arguments import NUMBERS, judged
from ._errors import InputError

if TYPE_CHECKING:
    from ._differentiable import Function
    from ._system import System

__all__ = ["forward_dynamics", "frame_position", "inverse_dynamics"]


@judged
def forward_dynamics(system: System) -> Callable[..., Any]:
    """a of (q, v, tau)."""
    return _traced(_differentiable.forward_dynamics(system))


@judged
def inverse_dynamics(system: System) -> Callable[..., Any]:
    """tau of (q, v, a)."""
    return _traced(_differentiable.inverse_dynamics(system))


@judged
def frame_position(system: System, frame: str) -> Callable[..., Any]:
    """Where the origin of a frame is, of q."""
    return _traced(_differentiable.frame_position(system, frame))


def _traced(function: Function) -> Callable[..., Any]:
    try:
        jax = importlib.import_module("jax")
        jnp = importlib.import_module("jax.numpy")
    except ImportError as error:
        raise InputError("jax is not installed: pip install jax") from error

    def shapes(arguments: tuple[Any, ...]) -> Any:
        for (name, size), given in zip(function.arguments, arguments):
            if given.ndim != 1 or given.shape[0] != size:
                raise InputError(f"{name} has shape {given.shape}; expected ({size},); jax.vmap is for many states")
        return jnp.result_type(float, *arguments)

    def on_the_host(call: Callable[..., Any], dtype: Any) -> Callable[..., Any]:
        def run(*given: Any) -> Any:
            leading = np.broadcast_shapes(*(np.shape(x)[:-1] for x in given))
            rows = [np.broadcast_to(np.asarray(x, float), (*leading, np.shape(x)[-1])) for x in given]
            if leading:
                rows = [np.ascontiguousarray(x).reshape(-1, x.shape[-1]) for x in rows]

            def back(result: Any) -> Any:
                return np.asarray(result, dtype).reshape(*leading, *np.shape(result)[1 if leading else 0 :])

            def nested(result: Any) -> Any:
                return list(map(nested, result)) if isinstance(result, tuple) else back(result)

            return nested(call(*rows))

        return run

    sizes = [size for _, size in function.arguments]

    def asked(call: Callable[..., Any], shapes_out: Any, *arguments: Any) -> Any:
        dtype = shapes(arguments)
        results = jax.tree.map(lambda shape: jax.ShapeDtypeStruct((function.size, *shape), dtype), shapes_out,
                               is_leaf=lambda x: isinstance(x, tuple) and all(isinstance(n, int) for n in x))
        return jax.pure_callback(on_the_host(call, dtype), results, *arguments, vmap_method="broadcast_all")

    def value(*arguments: Any) -> Any:
        return asked(function.evaluate, (), *arguments)

    def derivatives(*arguments: Any) -> Any:
        return asked(function.derivatives, [(size,) for size in sizes], *arguments)

    def second(*arguments: Any) -> Any:
        return asked(function.second, [[(i, j) for j in sizes] for i in sizes], *arguments)

    def rule(arguments: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
        return out(*arguments), sum(J @ dx for J, dx in zip(differentiable(*arguments), tangents))

    def second_rule(arguments: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
        changes = [sum(H @ dx for H, dx in zip(row, tangents)) for row in second(*arguments)]
        return differentiable(*arguments), changes

    differentiable = jax.custom_jvp(derivatives)
    differentiable.defjvp(second_rule)
    out = jax.custom_jvp(value)
    out.defjvp(rule)

    names = [name for name, _ in function.arguments]

    def judge(name: str, given: Any) -> Any:
        fault = None if isinstance(given, jax.Array) else NUMBERS.fault(given, name)
        if fault is None and jnp.iscomplexobj(given):
            fault = f"{name}: expected numbers (float64); got complex ones"
        if fault is not None:
            raise InputError(fault)
        return jnp.asarray(given, jnp.result_type(float))

    def called(*arguments: Any, **named: Any) -> Any:
        given = dict(zip(names, arguments)) | named
        if len(arguments) + len(named) != len(names) or list(sorted(given)) != sorted(names):
            raise InputError(f"{function.name}: expected ({', '.join(names)}); got {len(arguments)} by position"
                             + (f" and {', '.join(map(repr, named))}" if named else ""))
        return out(*(judge(name, given[name]) for name in names))

    called.__name__ = function.name
    return called
