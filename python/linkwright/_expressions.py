"""Expressions of spatial operators: a tree of letters that runs the sweeps that are compiled."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Iterator, Literal, NamedTuple, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arguments import judged
from ._errors import InputError

if TYPE_CHECKING:
    from .operators import Operators

Floats = NDArray[np.float64]
Algorithm = Literal["FD1", "FD2", "FD3", "FD4"]


class _Entry(NamedTuple):
    """One compiled expression."""

    number: int
    name: str
    text: str
    range: int
    domain: int
    kind: str


_entries = [_Entry(i, *entry) for i, entry in enumerate(_core._operator_entries())]
letters = {entry.name: entry for entry in _entries if entry.name}
_compiled = {(entry.text, entry.range, entry.domain): entry for entry in _entries}
ANY = -1  # the space of an identity that has not met its neighbours


@judged
class Operator:
    """A linear map between stacked vectors: combine with @, + and -, transpose with .T, apply to vectors with @.

    What it maps between is checked when it is put together; the configuration is that of its Operators when
    it is applied.
    """

    __array_ufunc__ = None  # numpy leaves x @ operator to us

    def __init__(self, of: Operators, range_: int, domain: int, kind: str) -> None:
        self._of, self._range, self._domain, self._kind = of, range_, domain, kind

    @property
    def range(self) -> str:
        """The space of what it gives, "joint efforts" for example."""
        return _space(self._range)

    @property
    def domain(self) -> str:
        """The space of what it takes."""
        return _space(self._domain)

    @property
    def kind(self) -> str:
        """Which nodes take part: memoryless, (strictly) causal, (strictly) anticausal, general."""
        return self._kind

    @property
    def shape(self) -> tuple[int, int]:
        """That of the matrix that it stands for."""
        if self._range == ANY:
            raise InputError("I alone belongs to no space; add it to something, or apply what it stands in")
        return self._of._size(self._range), self._of._size(self._domain)

    @property
    def T(self) -> Operator:
        """The transpose."""
        raise NotImplementedError

    def inverse(self) -> Operator:
        """The inverse, of those expressions whose inverse the paper knows."""
        return _inverse(self)

    def __neg__(self) -> Operator:
        return _Negative(self)

    def __add__(self, other: Operator) -> Operator:
        if not isinstance(other, Operator):
            return NotImplemented
        return _sum(self, other, "+")

    def __sub__(self, other: Operator) -> Operator:
        if not isinstance(other, Operator):
            return NotImplemented
        return _sum(self, other, "-")

    @overload
    def __matmul__(self, other: Operator) -> Operator: ...
    @overload
    def __matmul__(self, other: ArrayLike) -> Floats: ...
    def __matmul__(self, other: Operator | ArrayLike) -> Operator | Floats:
        return _product(self, other) if isinstance(other, Operator) else self._times(other)

    def __rmatmul__(self, other: ArrayLike) -> Floats:
        """x @ operator, by the transpose; rows of x one by one."""
        return self.T._times(np.asarray(other).T).T

    def _times(self, given: ArrayLike) -> Floats:
        x = np.asarray(given)
        size = self.shape[1]
        if 0 in self.shape:
            raise InputError(f"{self}: no frames were chosen, so frames have no forces and motions; give them as "
                             "system.operators(q, frames=[...])")
        if x.ndim not in (1, 2) or x.shape[0] != size:
            raise InputError(
                f"{self} takes {self.domain}, {size} numbers of this system: expected shape ({size},) or, for many "
                f"vectors, ({size}, K); got {x.shape}"
            )
        return self._apply(x.T).T  # a vector in each row

    def _apply(self, rows: NDArray[Any]) -> Floats:
        raise NotImplementedError

    def _notes(self) -> Iterator[_core.SweepNote]:
        raise NotImplementedError

    def _dense(self) -> Floats:
        raise NotImplementedError

    def __repr__(self) -> str:
        return str(self)


class Letter(Operator):
    """One that is compiled."""

    def __init__(self, of: Operators, entry: _Entry) -> None:
        super().__init__(of, entry.range, entry.domain, entry.kind)
        self._entry = entry

    @property
    def T(self) -> Operator:
        name = self._entry.name
        other = name[:-2] if name.endswith(".T") else name + ".T"
        return Letter(self._of, letters.get(other, self._entry))  # else its own transpose

    def _apply(self, rows: NDArray[Any]) -> Floats:
        return self._of._apply(self._entry.number, rows)

    def _notes(self) -> Iterator[_core.SweepNote]:
        yield from self._of._notes(self._entry.number)

    def _dense(self) -> Floats:
        return self._of._dense(self._entry.number)

    def __str__(self) -> str:
        return self._entry.text


class Identity(Operator):
    def __init__(self, of: Operators, space: int) -> None:
        super().__init__(of, space, space, "memoryless")

    @property
    def T(self) -> Operator:
        return Identity(self._of, _dual(self._range))

    def _apply(self, rows: NDArray[Any]) -> Floats:
        return np.array(rows, float)

    def _notes(self) -> Iterator[_core.SweepNote]:
        return iter(())

    def _dense(self) -> Floats:
        return np.eye(self.shape[0])

    def __str__(self) -> str:
        return "I"


class _Negative(Operator):
    def __init__(self, of: Operator) -> None:
        super().__init__(of._of, of._range, of._domain, of._kind)
        self._operand = of

    @property
    def T(self) -> Operator:
        return _Negative(self._operand.T)

    def _apply(self, rows: NDArray[Any]) -> Floats:
        return -self._operand._apply(rows)

    def _notes(self) -> Iterator[_core.SweepNote]:
        return self._operand._notes()

    def _dense(self) -> Floats:
        return -self._operand._dense()

    def __str__(self) -> str:
        text = _factor(self._operand)
        return "−" + (f"({text})" if text.startswith("−") else text)


class _Sum(Operator):
    def __init__(self, first: Operator, second: Operator) -> None:
        super().__init__(first._of, first._range, first._domain, _core._sum_kind(first._kind, second._kind))
        self._terms = (first, second)

    @property
    def T(self) -> Operator:
        return _Sum(self._terms[0].T, self._terms[1].T)

    @cached_property
    def _whole(self) -> _Entry | None:
        """The same, where it is compiled."""
        return _find_compiled((self,))

    def _apply(self, rows: NDArray[Any]) -> Floats:
        if self._whole is not None:
            return self._of._apply(self._whole.number, rows)
        first, second = self._terms
        return first._apply(rows) + second._apply(rows)

    def _notes(self) -> Iterator[_core.SweepNote]:
        if self._whole is not None:
            yield from self._of._notes(self._whole.number)
            return
        for term in self._terms:
            yield from term._notes()
        minus = isinstance(self._terms[1], _Negative)
        yield _core._elementwise("x − x" if minus else "x + x", self.shape[0])

    def _dense(self) -> Floats:
        first, second = self._terms
        return first._dense() + second._dense()

    def __str__(self) -> str:
        first, second = map(str, self._terms)
        return f"{first} − {second[1:]}" if second.startswith("−") else f"{first} + {second}"


class _Product(Operator):
    def __init__(self, factors: tuple[Operator, ...]) -> None:
        kind = factors[0]._kind
        for factor in factors[1:]:
            kind = _core._product_kind(kind, factor._kind)
        super().__init__(factors[0]._of, factors[0]._range, factors[-1]._domain, kind)
        self._factors = factors

    @property
    def T(self) -> Operator:
        return _Product(tuple(factor.T for factor in reversed(self._factors)))

    @cached_property
    def _steps(self) -> list[_Entry | Operator]:
        """What is applied in turn: the longest products that are compiled, and factors, from the right."""
        steps: list[_Entry | Operator] = []
        end = len(self._factors)
        while end > 0:
            for first in range(end):
                found = _find_compiled(self._factors[first:end])
                if found is not None:
                    steps.append(found)
                    end = first
                    break
            else:
                end -= 1
                steps.append(self._factors[end])
        return steps

    def _apply(self, rows: NDArray[Any]) -> Floats:
        for step in self._steps:
            rows = step._apply(rows) if isinstance(step, Operator) else self._of._apply(step.number, rows)
        return rows

    def _notes(self) -> Iterator[_core.SweepNote]:
        for step in self._steps:
            yield from step._notes() if isinstance(step, Operator) else self._of._notes(step.number)

    def _dense(self) -> Floats:
        out = self._factors[-1]._dense()
        for factor in reversed(self._factors[:-1]):
            out = factor._dense() @ out
        return out

    def __str__(self) -> str:
        return _product_text(self._factors)


def _space(number: int) -> str:
    return "any space" if number == ANY else _core._space_name(number)


def _dual(number: int) -> int:
    return ANY if number == ANY else _core._dual(number)


def _factor(x: Operator) -> str:
    """A sum stands in brackets within a product."""
    return f"({x})" if isinstance(x, _Sum) else str(x)


def _product_text(factors: Sequence[Operator]) -> str:
    first, *others = map(_factor, factors)
    return " ".join([first, *(f"({text})" if text.startswith("−") else text for text in others)])


def _find_compiled(factors: Sequence[Operator]) -> _Entry | None:
    text = _product_text(factors) if len(factors) > 1 else str(factors[0])
    return _compiled.get((text, factors[0]._range, factors[-1]._domain))


def _check_owner(x: Operator, y: Operator) -> None:
    if x._of is not y._of:
        raise InputError(f"{x} and {y} are operators of two Operators; expected those of one")


def _sum(x: Operator, y: Operator, sign: str) -> Operator:
    _check_owner(x, y)
    for one, other in ((x, y), (y, x)):
        if one._range == ANY and other._range != other._domain:
            raise InputError(f"I {sign} {other}: {other} maps {other.domain} to {other.range}; only what maps a "
                             "space to itself has an identity beside it")
    if x._range == ANY:
        x = Identity(x._of, y._range)
    if y._range == ANY:
        y = Identity(y._of, x._range)
    if (x._range, x._domain) != (y._range, y._domain):
        raise InputError(f"{x} {sign} {y}: {x} maps {x.domain} to {x.range}, {y} maps {y.domain} to {y.range}; terms "
                         "of a sum map between the same spaces")
    return _Sum(x, y if sign == "+" else _Negative(y))


def _product(x: Operator, y: Operator) -> Operator:
    _check_owner(x, y)
    if isinstance(x, Identity) and x._range in (ANY, y._range):
        return y
    if isinstance(y, Identity) and y._range in (ANY, x._domain):
        return x
    if x._domain != y._range:
        raise InputError(f"{_factor(x)} @ {_factor(y)}: {x} takes {x.domain}, {y} gives {y.range}")
    factors: list[Operator] = []
    for one in (x, y):
        factors.extend(one._factors if isinstance(one, _Product) else [one])
    return _Product(tuple(factors))


def _known_inverses(o: Operators) -> list[tuple[Operator, Operator]]:
    """Pairs of inverses: (4.14), (4.16), (a.10), (a.11), (a.14) to (a.16), (a.22) to (a.25)."""
    I, H, L, S = o.I, o.H, o.L, o.S
    pairs = [
        (o.D, o.D_inverse),
        (o.phi, I - S @ o.Delta_phi),
        (o.psi, I - S @ o.Delta_psi),
        (I + H @ o.Phi @ L, I - H @ o.Psi @ L),
        (I + o.Phi @ L @ H, I - o.Psi @ L @ H),
        (I + S @ L @ H @ o.phi, I - S @ L @ H @ o.psi),
        (I + L @ H @ o.Phi, I - L @ H @ o.Psi),
        (o.mass, o.mass_inverse),
    ]
    return pairs + [(x.T, y.T) for x, y in pairs]


def _key(x: Operator) -> tuple[str, int, int]:
    return str(x), x._range, x._domain


def _inverse(x: Operator) -> Operator:
    o = x._of
    if isinstance(x, Identity):
        return x
    if isinstance(x, _Negative):
        return _Negative(_inverse(x._operand))
    bare_mass = o.H @ o.phi @ o.M @ o.phi.T @ o.H.T
    if _key(x) == _key(bare_mass):
        if o.has_rotors:
            raise InputError(f"{x} is not all of the mass matrix, joints have rotors; {bare_mass + o.R} has an inverse")
        return o.mass_inverse
    for one, other in _known_inverses(o):
        if _key(x) == _key(one):
            return other
        if _key(x) == _key(other):
            return one
    if isinstance(x, _Product) and all(factor._range == _dual(factor._domain) or factor._range == factor._domain
                                       for factor in x._factors):
        return _Product(tuple(_inverse(factor) for factor in reversed(x._factors)))
    raise InputError(f"the inverse of {x} is not among those that are known; solve with dense(...), or write it as a "
                     "product of D, phi, psi, I + H Phi L, their transposes and inverses, or as the mass matrix")


@judged
def dense(expression: Operator) -> Floats:
    """The matrix of an expression, block by block from definitions; no pass over the tree takes part.

    >>> dense(ops.mass)
    """
    return expression._dense()


@judged
def explain(what: Operator | Algorithm, at: Operators | None = None) -> str:
    """What applying an expression runs: a line per pass with its operations. Or of "FD1" to "FD4" with `at`.

    >>> print(explain(ops.mass.inverse()), explain("FD3", ops))
    """
    if not isinstance(what, Operator):
        if at is None:
            raise InputError("at: expected the Operators of a system, of which an algorithm's name says nothing; got None")
        return at._explain_algorithm(what)
    lines = [str(what)]
    for i, note in enumerate(what._notes(), 1):
        divisions = f", {note.divisions} divisions" if note.divisions else ""
        lines.append(f"  {i}. {note.direction}  {note.what}   {note.multiplications} multiplications, "
                     f"{note.additions} additions{divisions}")
    return "\n".join(lines) + "\n"
