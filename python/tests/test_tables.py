"""Results with names."""

import numpy as np
import pytest
from conftest import load, random_state

import linkwright as lw


@pytest.fixture(scope="module")
def arm():
    return load("space_robot.yaml")


def test_named(arm):
    q, v, _ = random_state(arm, 1)
    assert list(arm.named(q)) == arm.position_names and list(arm.named(v)) == arm.velocity_names
    bias = arm.bias(q, v)
    assert arm.named(bias)[arm.velocity_names[3]] == bias[3]
    many = arm.named(np.array([v, 2 * v]))
    assert np.array_equal(many[arm.velocity_names[2]], [v[2], 2 * v[2]])
    assert list(arm.named(arm.momentum(q, v))) == ["wx", "wy", "wz", "vx", "vy", "vz"]
    assert arm.named([1, 2], ["a", "b"]) == {"a": 1, "b": 2}
    with pytest.raises(lw.InputError, match="4 entries: neither nq"):
        arm.named([1, 2, 3, 4])
    with pytest.raises(lw.InputError, match="expected 2, one per entry"):
        arm.named([1, 2], ["a"])


def test_pandas(arm):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    q, v, _ = random_state(arm, 2)
    series = arm.to_pandas(arm.bias(q, v))
    assert isinstance(series, pandas.Series) and list(series.index) == arm.velocity_names
    M = arm.to_pandas(arm.mass_matrix(q))
    assert list(M.index) == list(M.columns) == arm.velocity_names
    name = arm.velocity_names[-1]
    assert M.loc[name, name] == arm.mass_matrix(q)[-1, -1]
    many = arm.to_pandas(np.array([q, q, q]))
    assert many.shape == (3, arm.nq) and list(many.columns) == arm.position_names
    J = arm.to_pandas(arm.jacobian(q, arm.frame_names[-1]))
    assert list(J.index) == ["wx", "wy", "wz", "vx", "vy", "vz"]


def test_xarray(arm):
    pytest.importorskip("xarray", reason="xarray is not installed")
    states = np.array([arm.random(s) for s in range(4)])
    M = arm.to_xarray(arm.mass_matrix(states))
    name = arm.velocity_names[-1]
    assert M.dims == ("state", "row", "column")
    assert np.array_equal(M.sel(row=name, column=name), arm.mass_matrix(states)[:, -1, -1])
    assert arm.to_xarray(states, dims=("time", "q")).dims == ("time", "q")
