"""Every example of the gallery runs, and holds to the law that it is about."""

import runpy

import pytest
from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example(path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out, "an example shows something"
    assert len(path.read_text().splitlines()) <= 90, "a screen, or two at most"
