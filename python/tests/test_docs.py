"""The Python blocks of README.md and docs/: a page's blocks run one after the other, as its reader would type them."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import MODELS, ROOT

import linkwright as lw


PACKAGE = str(pathlib.Path(lw.__file__).absolute().parents[1])


def pages():
    """Those that speak of this package; the blocks of others run with their pages' commands, in tests/docs."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M)
        if any("import linkwright" in block for block in blocks):
            yield page, blocks


@pytest.mark.parametrize("page, blocks", list(pages()), ids=lambda x: getattr(x, "name", ""))
def test_page(page, blocks, tmp_path):
    (tmp_path / "models").symlink_to(MODELS)
    (tmp_path / "page.py").write_text("\n".join(blocks))
    done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONWARNINGS": "error", "PYTHONPATH": PACKAGE})
    assert done.returncode == 0, f"{page.name}\n{done.stdout}{done.stderr}"


def test_there_are_pages():
    assert {"README.md", "python.md"} <= {page.name for page, _ in pages()}
