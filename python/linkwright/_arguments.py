"""Arguments: what a caller gives is judged by the type that the signature states, and refused by name.

>>> @judged
... def roll(system: System, steps: Count, frame: str | None = None) -> Floats: ...
>>> roll(arm, 2.5)       # InputError: steps: expected 1, 2, 3, …; got 2.5
>>> roll(arm)            # InputError: roll: 'steps' is missing; expected (system, steps, frame=None)

Everything public here is judged before its body runs. Compiled functions convert what they are given themselves,
at no cost; where nanobind finds no fit, `explain` finds the words.
"""

from __future__ import annotations

import builtins
import collections.abc
import difflib
import functools
import importlib
import inspect
import math
import numbers
import os
import re
import sys
import types
import typing
from dataclasses import dataclass, replace
from typing import Annotated, Any, Callable, Iterator, Mapping, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ._errors import InputError

# --- types with bounds, for signatures ---------------------------------------------------------------


class Expected(NamedTuple):
    """In Annotated: what a message says is expected, and what must hold besides the type."""

    text: str
    holds: Callable[[Any], bool] | None = None


_SMALL = Expected("a whole number below 2³¹", lambda n: n < 2**31)
Count = Annotated[int, Expected("1, 2, 3, …", lambda n: n >= 1), _SMALL]
Natural = Annotated[int, Expected("0, 1, 2, …", lambda n: n >= 0), _SMALL]
Seed = Annotated[int, Expected("a whole number from 0 to 2⁶⁴ − 1", lambda n: 0 <= n < 2**64)]
Positive = Annotated[float, Expected("a number above zero", lambda x: 0 < x < math.inf)]
NotNegative = Annotated[float, Expected("a number that is not negative", lambda x: 0 <= x < math.inf)]
Finite = Annotated[float, Expected("a finite number", lambda x: abs(x) < math.inf)]


# --- kinds -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """What fits a type, and how that is said. `short` stands in lists: "{name: number}", "a list of numbers"."""

    text: str
    short: str
    fits: Callable[[Any], bool]
    #: what is wrong with a part of something that fits as a whole
    inside: Callable[[Any, str], str | None] | None = None

    def fault(self, given: Any, where: str) -> str | None:
        """What is wrong; None where nothing is."""
        if not self.fits(given):
            return f"{where}: expected {self.text}; got {told(given)}"
        return None if self.inside is None else self.inside(given, where)


def told(given: Any) -> str:
    """What came, in a few words."""
    if isinstance(given, np.ndarray):
        return f"an array of shape {given.shape}, dtype {given.dtype}"
    if isinstance(given, collections.abc.Sized) and len(given) > 100:
        return f"a {type(given).__name__} of {len(given)}"
    text = repr(given)
    return text if len(text) <= 80 and "\n" not in text else f"a {type(given).__name__}"


def _is_whole(x: Any) -> bool:
    return type(x) is int or (isinstance(x, numbers.Integral) and not isinstance(x, bool))


def _is_number(x: Any) -> bool:
    if type(x) is float:
        return x == x
    if isinstance(x, (bool, np.bool_)) or not (isinstance(x, numbers.Real) or _is_scalar_array(x)):
        return False
    try:
        return not math.isnan(float(x))
    except OverflowError:
        return False


def _is_scalar_array(x: Any) -> bool:
    return hasattr(x, "__array__") and np.ndim(x) == 0 and np.asarray(x).dtype.kind in "fiu"


def _is_numbers(x: Any, letters: str = "fiu") -> bool:
    if type(x) is not np.ndarray:
        if x is None or isinstance(x, (str, bytes, Mapping)):
            return False
        try:
            x = np.asarray(x)
        except Exception:  # a ragged list, or whatever an object's own conversion raises
            return False
    return x.dtype.kind in letters


def _is_list(x: Any) -> bool:
    if isinstance(x, np.ndarray):
        return x.ndim > 0
    return isinstance(x, collections.abc.Collection) and not isinstance(x, (str, bytes, bytearray, Mapping))


ANYTHING = Kind("anything", "thing", lambda x: True)
NOTHING = Kind("None", "None", lambda x: x is None)
PATH = Kind("the path of a file or folder", "path", lambda x: isinstance(x, (str, os.PathLike)))
NUMBERS = Kind("numbers (float64)", "numbers", _is_numbers)
COMPLEXES = Kind("numbers (complex128)", "numbers", lambda x: _is_numbers(x, "cfiu"))
FUNCTION = Kind("a function", "function", callable)
PLAIN: dict[Any, Kind] = {
    Any: ANYTHING,
    object: ANYTHING,
    inspect.Parameter.empty: ANYTHING,
    None: NOTHING,
    type(None): NOTHING,
    bool: Kind("True or False", "flag", lambda x: isinstance(x, bool)),
    int: Kind("a whole number", "whole number", _is_whole),
    float: Kind("a number", "number", _is_number),
    complex: Kind("a number", "number", lambda x: isinstance(x, numbers.Complex) and not isinstance(x, bool) and x == x),
    str: Kind("a text (str)", "name", lambda x: isinstance(x, str)),
    bytes: Kind("bytes", "bytes", lambda x: isinstance(x, bytes)),
}


def _one_of(words: tuple[Any, ...]) -> Kind:
    quoted = [repr(word) for word in words]
    text = " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(words) > 1 else quoted)
    return Kind(text, "word", lambda x: isinstance(x, str) and x in words)


def _list_of(item: Kind) -> Kind:
    def inside(given: Any, where: str) -> str | None:
        return _first(item.fault(one, f"{where}[{i}]") for i, one in enumerate(given))

    return Kind("a list" if item is ANYTHING else f"a list of {item.short}s", "list", _is_list, inside)


def _tuple_of(items: tuple[Kind, ...]) -> Kind:
    def inside(given: Any, where: str) -> str | None:
        return _first(item.fault(one, f"{where}[{i}]") for i, (item, one) in enumerate(zip(items, given)))

    text = f"({', '.join(item.short for item in items)})"
    return Kind(text, text, lambda x: _is_list(x) and len(x) == len(items), inside)


def _mapping_of(key: Kind, value: Kind) -> Kind:
    def inside(given: Any, where: str) -> str | None:
        return _first(fault for name, one in given.items()
                      for fault in (key.fault(name, f"{where}, a name"), value.fault(one, f"{where}, {name!r}")))

    text = f"{{{key.short}: {value.short}}}"
    return Kind(text, text, lambda x: isinstance(x, Mapping), inside)


def _any_of(kinds: list[Kind]) -> Kind:
    if any(kind is PATH for kind in kinds):  # str | os.PathLike
        kinds = [kind for kind in kinds if kind is not PLAIN[str]]
    others = list(dict.fromkeys(kind for kind in kinds if kind is not NOTHING))
    if len(others) < len(kinds) and not others:
        return NOTHING

    def inside(given: Any, where: str) -> str | None:
        faults = [None if kind.inside is None else kind.inside(given, where) for kind in kinds if kind.fits(given)]
        return None if None in faults else faults[0]

    texts = list(dict.fromkeys(kind.text for kind in others))  # what may be left out is None: nobody is told to give it
    return Kind(" or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts), others[0].short,
                lambda x: any(kind.fits(x) for kind in kinds), inside)


def _bounded(kind: Kind, bounds: tuple[Expected, ...]) -> Kind:
    """The first bound says what is expected; those that follow are looked at where it holds."""
    (text, holds), *others = bounds

    def inside(given: Any, where: str) -> str | None:
        for bound in others:
            if bound.holds is not None and not bound.holds(given):
                return f"{where}: expected {bound.text}; got {told(given)}"
        return None if kind.inside is None else kind.inside(given, where)

    return replace(kind, text=text, fits=lambda x: kind.fits(x) and (holds is None or bool(holds(x))), inside=inside)


def _instance_of(cls: type[Any]) -> Kind:
    name = public_name(cls)
    return Kind(f"a {name}", cls.__name__, lambda x: isinstance(x, cls))


def public_name(thing: Any) -> str:
    """"linkwright.coordinates.Influence", wherever it is compiled."""
    for room in ("linkwright", *(f"linkwright.{room}" for room in ROOMS)):
        if hasattr(sys.modules.get(room), thing.__name__):
            return f"{room}.{thing.__name__}"
    return str(thing.__name__)


ROOMS = ("coordinates", "manipulator", "model", "network", "operators")


def _first(faults: Iterator[str | None]) -> str | None:
    return next((fault for fault in faults if fault is not None), None)


def _with_array_like(members: tuple[Any, ...]) -> list[Any]:
    """What numpy can convert is a union itself, and is lost among the members of a larger one."""
    parts = typing.get_args(ArrayLike)
    if not set(parts) <= set(members):
        return list(members)
    return [ArrayLike, *(one for one in members if one not in parts)]


def kind_of(annotation: Any, names: Mapping[str, Any]) -> Kind:
    """`names`: what the words of an annotation that is still a text mean."""
    if isinstance(annotation, typing.ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        annotation = eval(annotation, {}, names)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return _bounded(kind_of(arguments[0], names), annotation.__metadata__)
    if origin is typing.Literal:
        return _one_of(arguments)
    if annotation == ArrayLike:
        return NUMBERS
    if origin in (typing.Union, types.UnionType):
        return _any_of([kind_of(one, names) for one in _with_array_like(arguments)])
    if origin is np.ndarray:
        return COMPLEXES if "complex" in str(arguments) else NUMBERS
    if origin is collections.abc.Callable or annotation is Callable:
        return FUNCTION
    if origin is os.PathLike or annotation is os.PathLike:
        return PATH
    if origin is tuple and Ellipsis not in arguments:
        return _tuple_of(tuple(kind_of(one, names) for one in arguments))
    if origin is collections.abc.Iterable:
        return Kind("cases one after the other", "things",
                    lambda x: isinstance(x, collections.abc.Iterable) and not isinstance(x, (str, bytes)))
    if isinstance(origin, type) and issubclass(origin, collections.abc.Mapping):
        return _mapping_of(*(kind_of(one, names) for one in arguments))
    if isinstance(origin, type) and issubclass(origin, collections.abc.Collection):
        return _list_of(kind_of(arguments[0], names))
    if isinstance(annotation, TypeVar):
        return ANYTHING
    return PLAIN[annotation] if annotation in PLAIN else _instance_of(annotation)


class Names(Mapping[str, Any]):
    """What a module's annotations speak of, what it imports for type checkers alone included."""

    def __init__(self, module: str) -> None:
        self.module = vars(sys.modules[module])

    def __getitem__(self, name: str) -> Any:
        for whole in IMPORTED:
            if name == whole.partition(".")[0]:
                importlib.import_module(whole)
                return sys.modules[name]
        found = self.module.get(name, getattr(builtins, name, None))
        for room in () if found is not None else IN_ROOMS:
            found = getattr(importlib.import_module(f"linkwright{room}"), name, None)
            if found is not None:
                break
        if found is None:
            raise KeyError(name)
        return eval(found, {}, self) if isinstance(found, str) else found

    def __iter__(self) -> Iterator[str]:
        return iter(self.module)

    def __len__(self) -> int:
        return len(self.module)


#: named in full by the signatures of compiled functions
IMPORTED = ("collections.abc", "linkwright", "numpy.typing", "os", "typing")
IN_ROOMS = ("", "._system", "._run", "._callbacks", "._simulation_options", *(f".{room}" for room in ROOMS))


# --- calls -------------------------------------------------------------------------------------------


#: what other libraries call some arguments
ELSEWHERE = {"dt": "step", "timestep": "step", "h": "step", "integrator": "method", "controller": "control",
             "torque": "tau", "q0": "q", "v0": "v"}


class Arguments:
    """What a callable takes."""

    def __init__(self, name: str, signature: inspect.Signature, names: Mapping[str, Any]) -> None:
        self.name = name
        parameters = list(signature.parameters.values())
        self.skipped = 1 if parameters and parameters[0].name in ("self", "cls") else 0
        shown = [p.replace(annotation=p.empty) for p in parameters[self.skipped :]]
        text = str(inspect.Signature(shown))
        self.shown = text if len(text) <= 240 else f"those of help({name})"
        kinds = {p.name: ANYTHING if i < self.skipped else kind_of(p.annotation, names) for i, p in enumerate(parameters)}
        plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self.by_place = [(p.name, kinds[p.name]) for p in parameters if p.kind in plain]
        self.by_name = {p.name: kinds[p.name] for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
        self.takes_more = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        self.takes_any_name = any(p.kind is p.VAR_KEYWORD for p in parameters)
        self.of_any_name = next((kinds[p.name] for p in parameters if p.kind is p.VAR_KEYWORD), ANYTHING)
        required = [p for p in parameters if p.default is p.empty and p.name in self.by_name]
        self.needed = [(p.name, i if p.kind in plain else sys.maxsize) for i, p in enumerate(required)]

    def mistake(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
        """What is wrong with a call, in words that name the argument; None where nothing is."""
        if len(args) > len(self.by_place) and not self.takes_more:
            most = len(self.by_place) - self.skipped
            return f"{self.name}: expected at most {most} arguments by position, {self.shown}; got {len(args) - self.skipped}"
        for name in kwargs:
            if name not in self.by_name and not self.takes_any_name:
                elsewhere = ELSEWHERE.get(name)
                near = [elsewhere] if elsewhere in self.by_name else difflib.get_close_matches(name, self.by_name, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"expected {self.shown}"
                return f"{self.name}: there is no argument {name!r}; {hint}"
            if any(name == taken for taken, _ in self.by_place[: len(args)]):
                return f"{self.name}: {name!r} is given twice, by position and by name; expected {self.shown}"
        for name, place in self.needed:
            if place >= len(args) and name not in kwargs:
                return f"{self.name}: {name!r} is missing; expected {self.shown}"
        for (name, kind), given in zip(self.by_place, args):
            if kind is not ANYTHING and (fault := kind.fault(given, name)) is not None:
                return fault
        for name, given in kwargs.items():
            kind = self.by_name.get(name, self.of_any_name)
            if kind is not ANYTHING and (fault := kind.fault(given, name)) is not None:
                return fault
        return None


T = TypeVar("T")
#: judged beside what has no underscore
SPECIAL = ("__init__", "__call__", "__getitem__")


def judged(thing: T) -> T:
    """A function, or a class with all its public methods, whose arguments are judged before its body runs."""
    if not isinstance(thing, type):
        return _judged_function(thing)  # type: ignore[arg-type, return-value]
    for name, member in list(vars(thing).items()):
        if name.startswith("_") and name not in SPECIAL:
            continue
        if isinstance(member, (staticmethod, classmethod)):
            setattr(thing, name, type(member)(_judged_function(member.__func__)))
        elif inspect.isfunction(member):
            setattr(thing, name, _judged_function(member))
    return thing


def _judged_function(function: Callable[..., Any]) -> Callable[..., Any]:
    known: list[Arguments] = []  # made at the first call, when every module is there

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not known:
            name = function.__qualname__.removesuffix(".__init__").replace("Rooms.", "System.")
            known.append(Arguments(name, inspect.signature(call), Names(function.__module__)))
        mistake = known[0].mistake(args, kwargs)
        if mistake is not None:
            raise InputError(mistake)
        return function(*args, **kwargs)

    return call


# --- compiled functions ------------------------------------------------------------------------------


@functools.cache
def _compiled_arguments(function: Any) -> list[Arguments]:
    """One for each way to call it."""
    out = []
    for text, _, defaults in function.__nb_signature__:
        plain = re.sub(r"\\(\d+)", lambda place: f"defaults[{place[1]}]", text)
        scope: dict[str, Any] = {"defaults": defaults}
        exec(f"from __future__ import annotations\n{plain}: ...".replace("def __init__", "def made"), scope)
        made = next(one for one in scope.values() if inspect.isfunction(one))
        out.append(Arguments(function.__qualname__.removesuffix(".__init__"), inspect.signature(made), Names(__name__)))
    return out


def explain(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Why nanobind finds no fit for a call."""
    ways = _compiled_arguments(function)
    mistakes = [way.mistake(args, kwargs) for way in ways]
    found = list(dict.fromkeys(mistake for mistake in mistakes if mistake is not None))
    if found and None not in mistakes:
        return ", or ".join(found)
    way = ways[mistakes.index(None)]
    for name, given in [*zip((name for name, _ in way.by_place), args), *kwargs.items()]:
        if _is_whole(given) and abs(given) > 2**31 - 1:
            return f"{name}: expected a whole number below 2³¹; got {told(given)}"
    got = ", ".join(type(given).__name__ for given in [*args[way.skipped :], *kwargs.values()])
    return f"{way.name}: expected {way.shown}; got ({got})"
