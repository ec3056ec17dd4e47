"""The table of formulations, and that it notices."""

import pytest
from conftest import load

import linkwright as lw


@pytest.mark.parametrize("name, first, count", [("arm6.urdf", "trunk", 8), ("four_bar.yaml", "recursion", 10),
                                                ("space_robot.yaml", "trunk", 8)])
def test_formulations_agree(name, first, count):
    table = load(name).verify(5, seed=3)
    assert table and table.agree and len(table.formulations) == count and table.formulations[0].name == first
    assert 0 < table.closest < 1 and table.condition >= 1
    for formulation in list(table)[1:]:
        assert formulation.effort <= formulation.bound and formulation.ns is None
    assert "All agree" in repr(table) and "absolute coordinates" in repr(table)
    assert table["FD3"].name == "FD3"


def test_agrees_with_the_program(program):
    arm = load("arm6.urdf")
    said = program("verify", "models/arm6.urdf", "--states", "3", "--json")
    table = arm.verify(3)
    for row, formulation in zip(said["formulations"], table):
        assert row["name"] == formulation.name and row["effort_difference"] == formulation.effort
        assert row["sweeps"] == formulation.sweeps
    assert said["condition"] == table.condition


def test_options():
    four_bar = load("four_bar.yaml")
    cut = four_bar.cut_open().verify(2, times=True)
    assert cut["trunk"].ns > 0 and cut.formulations[0].sweeps
    for refused, part in [(lambda: four_bar.verify(0), "states"), (lambda: four_bar.verify(2, frame="world"), "does not move"),
                          (lambda: four_bar.verify(2, frame="nothing"), "nothing")]:
        with pytest.raises(lw.InputError, match=part):
            refused()
