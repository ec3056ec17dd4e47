"""Writes the types of linkwright._core for type checkers: python scripts/make_stub.py build/python/linkwright/_core.pyi"""

import pathlib
import re
import sys

import linkwright._core as core
from nanobind.stubgen import StubGen

generator = StubGen(core)
generator.put(core)
text = generator.get()
# Numbers are let in as None too, so that the refusal names the argument; nobody is meant to give it.
text = re.sub(r"(ArrayLike) \| None(?! = None)", r"\1", text)
pathlib.Path(sys.argv[1]).write_text(text)
