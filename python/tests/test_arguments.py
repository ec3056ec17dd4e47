"""Whatever is given wrong is refused by the argument's name, for every argument of every public callable."""

import dataclasses
import inspect
import re

import callables
import numpy as np
import pytest

import linkwright as lw

CALLABLES = callables.public()
HUGE = "a whole number of 31 digits"
#: longer than anything that takes a list here
WRONG = {
    "None": None,
    "a text": "no such name",
    "1.5": 1.5,
    "-1": -1,
    "nan": float("nan"),
    HUGE: 10**30,
    "an object": object(),
    "a list of the wrong length": [1.0] * 97,
    "an empty list": [],
    "complex numbers": np.ones(97, complex),
    "texts": np.array(["no such name"] * 6),
    "bytes": b"x",
    "a closed file": callables.closed_file(),
    "a mapping of nothing known": {"no such name": 1.5},
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return callables.World(tmp_path_factory.mktemp("arguments"))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """A text is a path, too."""
    monkeypatch.chdir(tmp_path)


def names(text, argument):
    """Whether a message speaks of an argument; "a" is an article elsewhere."""
    known = "|".join(re.escape(name) for name in {argument, *argument.split("_or_"), argument.replace("_", " ")})
    alone = rf"(^|\W)({known})(\W|$)" if len(argument) > 1 else rf"(^|'|, )({known})( has| is|:|,|'|\[)"
    return re.search(alone, text, re.I) is not None


def is_told(error, argument, kind, given, others):
    """By its name, with what was expected. What only this system refuses: by it, its value, or what it contradicts."""
    text = str(error)
    if not isinstance(error, lw.Error):
        return False
    if kind.fault(given, argument) is not None:
        return names(text, argument) and "expected" in text
    return "no such name" in text or any(names(text, one) for one in others)


def tries(kind):
    """What to give: a number that is far too large only where it would not be computed with for ever."""
    return {what: given for what, given in WRONG.items() if what != HUGE or not kind.fits(1.5)}


def faults_of(name, way, argument, kind, world):
    """In words, what came of every wrong value that is neither refused by name nor documented."""
    for what, given in tries(kind).items():
        call, right = callables.right_call(world, name, CALLABLES[name])
        if argument not in right and name == "coordinates.Transfer.apply":
            right = {}
        try:
            call(**{**right, argument: given})
        except BaseException as error:
            of_a_sequence = name == "Sweep.__getitem__" and isinstance(error, IndexError)  # Python's protocol
            if not of_a_sequence and not is_told(error, argument, kind, given, way.by_name):
                yield f"{argument} = {what}: {type(error).__name__}: {error}"
        else:
            if kind.fault(given, argument) is not None:
                yield f"{argument} = {what} is taken for right"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLABLES)
def test_every_argument(name, world):
    call, right = callables.right_call(world, name, CALLABLES[name])
    call(**right)
    faults = [fault for way in callables.ways_of(CALLABLES[name]) for argument, kind in way.by_name.items()
              if argument not in ("self", "cls") for fault in faults_of(name, way, argument, kind, world)]
    assert not faults, "\n".join(faults)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLABLES)
def test_arguments_that_are_unknown_missing_or_too_many(name, world):
    for way in callables.ways_of(CALLABLES[name]):
        call, right = callables.right_call(world, name, CALLABLES[name])
        if not way.takes_any_name:
            with pytest.raises(lw.InputError, match="there is no argument 'no_such_argument'"):
                call(**right, no_such_argument=1)
        for argument in (name for name, _ in way.needed if name in right):
            with pytest.raises(lw.InputError, match=f"'{argument}' is missing; expected"):
                call(**{key: value for key, value in right.items() if key != argument})
        with pytest.raises(lw.InputError, match="arguments? by position"):
            call(*[None] * (len(way.by_place) - way.skipped + 1))


def test_every_room_is_walked():
    import linkwright.casadi
    import linkwright.jax

    public = {name for name, thing in vars(lw).items() if inspect.ismodule(thing) and not name.startswith("_")}
    assert public - {"model"} <= {room.removesuffix(".") for room in callables.ROOMS} | {"casadi", "jax"}
    for name in lw.model.__dict__.values():
        assert not inspect.isfunction(name) or name.__module__ != "linkwright.model" or name.__name__.startswith("_")


def test_what_a_model_holds_is_named_when_it_is_compiled():
    """Data, nothing is judged before: then the field is named, wherever it stands."""
    kinds = [kind for kind in vars(lw.model).values() if dataclasses.is_dataclass(kind)]
    holders = {}
    for kind in kinds:
        for field in dataclasses.fields(kind):
            for held in kinds:
                if re.search(rf"\b{held.__name__}\b", str(field.type)) and held is not kind:
                    holders.setdefault(held, (kind, field))
    assert set(kinds) - holders.keys() == {lw.Model, lw.FlexibleLink}
    for kind in kinds:
        for field in dataclasses.fields(kind):
            thing = kind()
            setattr(thing, field.name, object())
            while type(thing) not in (lw.Model, lw.FlexibleLink):
                kind_above, place = holders[type(thing)]
                above = kind_above()
                setattr(above, place.name, [thing] if "list" in str(place.type) else thing)
                thing = above
            with pytest.raises(lw.InputError, match=rf"(model|links).*\.{field.name}.*expected"):
                lw.compile(thing) if isinstance(thing, lw.Model) else lw.to_elastic_chains(lw.Model(), [thing])
