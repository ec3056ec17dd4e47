"""Writes the types of linkwright._core for type checkers: python scripts/make_stub.py build/python/linkwright/_core.pyi"""

import pathlib
import re
import sys

import linkwright._core as core
from nanobind.stubgen import StubGen

generator = StubGen(core, include_private=True)
generator.put(core)
text = generator.get()
# Numbers are let in as None too, so that the refusal names the argument; nobody is meant to give it.
text = re.sub(r"(ArrayLike) \| None(?! = None)", r"\1", text)
text = re.sub(r"os\.PathLike(?!\[)", "os.PathLike[str]", text)
for bare, full in {"-> tuple:": "-> tuple[Any, ...]:", "-> dict:": "-> dict[str, Any]:", "-> list:": "-> list[Any]:"}.items():
    text = text.replace(bare, full)
text = text.replace("import os\n", "import os\nfrom typing import Any\n", 1)
pathlib.Path(sys.argv[1]).write_text(text)
