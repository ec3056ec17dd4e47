"""Pages: whole, self-contained, and shown in a notebook by themselves."""

import html
import re
import subprocess

import numpy as np
import pytest
from conftest import MODELS, PROGRAM, load

import linkwright as lw

pytestmark = pytest.mark.skipif(not lw._core.page_available(), reason="this build has no page (node and npm make it)")


def test_a_system_shows_itself(tmp_path, program):
    arm = load("arm7.urdf")
    page = arm.view(tmp_path / "arm.html")
    assert (tmp_path / "arm.html").read_text(encoding="utf-8") == page.text
    shown = arm._repr_html_()
    inside = re.search(r'srcdoc="([^"]*)"', shown)
    assert inside and html.unescape(inside[1]) == page.text  # no quote of the page ends the attribute
    assert "<iframe" in shown and 'src="http' not in page.text


def test_the_page_is_that_of_the_program(tmp_path, program):
    subprocess.run([PROGRAM, "view", MODELS / "arm7.urdf", "-o", tmp_path / "program.html"], check=True, capture_output=True)
    assert load("arm7.urdf").view().text == (tmp_path / "program.html").read_text(encoding="utf-8")


def test_a_run_shows_itself(tmp_path):
    bar = load("four_bar.yaml")
    run = lw.simulate(bar, 0.1, record=["closure:rocker_pin", "force:crank_pivot"])
    page = run.view(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == page.text
    for name in ("closure:rocker_pin:fx", "force:crank_pivot"):
        assert name in page.text
    assert "<iframe" in run._repr_html_()
    with pytest.raises(lw.Error, match="nowhere"):
        run.view(tmp_path / "nowhere" / "run.html")
    assert not list(tmp_path.glob("nowhere*"))


def test_positions_that_are_shown():
    arm = load("arm7.urdf")
    with pytest.raises(lw.InputError, match="q has shape"):
        arm.view(q=[0, 0])
    assert arm.view(q=np.full(7, 0.1)).text != arm.view().text
