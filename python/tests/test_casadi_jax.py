"""Dynamics inside CasADi and JAX: the library's values and derivatives, by q as numbers too."""

import numpy as np
import pytest
from conftest import load, random_state

import linkwright as lw
from linkwright._differentiable import displacements, forward_dynamics, frame_position, inverse_dynamics

MODELS = ["arm7.urdf", "space_robot.yaml"]


def numeric(call, given, which, h=1e-4):
    """Sixth-order differences by the numbers themselves."""
    out = []
    for i in range(len(given[which])):
        at = {}
        for k in (-3, -2, -1, 1, 2, 3):
            moved = [np.array(x) for x in given]
            moved[which][i] += k * h
            at[k] = call(*moved)
        out.append((45 * (at[1] - at[-1]) - 9 * (at[2] - at[-2]) + (at[3] - at[-3])) / (60 * h))
    return np.array(out).T


@pytest.mark.parametrize("name", MODELS)
def test_a_change_of_position_is_a_displacement(name):
    system = load(name)
    q, v, _ = random_state(system, 1)
    small = 1e-5
    there, back = system.integrate(q, small * v), system.integrate(q, -small * v)
    np.testing.assert_allclose(displacements(system, q) @ (there - back) / (2 * small), v, rtol=0, atol=1e-9)
    many = displacements(system, np.array([q, system.random(5)]))
    np.testing.assert_array_equal(many[0], displacements(system, q))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("make", [forward_dynamics, inverse_dynamics, lambda s: frame_position(s, s.frame_names[-1])])
def test_derivatives_by_the_numbers(name, make):
    system = load(name)
    function = make(system)
    given = random_state(system, 2)[: len(function.arguments)]
    for which, J in enumerate(function.derivatives(*given)):
        assert J.shape == (function.size, function.arguments[which][1])
        expected = numeric(function.evaluate, given, which)
        if which == 0 and system.nq != system.nv:  # differences leave the unit quaternions: only along the group
            T = displacements(system, given[0])
            J, expected = J @ np.linalg.pinv(T), expected @ np.linalg.pinv(T)
        np.testing.assert_allclose(J, expected, rtol=0, atol=1e-7 * max(np.abs(expected).max(), 1))


@pytest.mark.parametrize("name", MODELS)
def test_casadi(name):
    casadi = pytest.importorskip("casadi", reason="casadi is not installed")
    import linkwright.casadi as lc

    system = load(name)
    q, v, tau = random_state(system, 3)
    f = lc.forward_dynamics(system)
    np.testing.assert_array_equal(np.array(f(q, v, tau)).ravel(), system.forward_dynamics(q, v, tau))
    symbols = [casadi.MX.sym(n, len(x)) for n, x in (("q", q), ("v", v), ("tau", tau))]
    expected = forward_dynamics(system).derivatives(q, v, tau)
    for symbol, J in zip(symbols, expected):
        got = casadi.Function("J", symbols, [casadi.jacobian(f(*symbols), symbol)])(q, v, tau)
        np.testing.assert_array_equal(np.array(got), J)
    cost = casadi.Function("g", symbols, [casadi.gradient(casadi.sumsqr(f(*symbols)), symbols[2])])
    a = system.forward_dynamics(q, v, tau)
    np.testing.assert_allclose(np.array(cost(q, v, tau)).ravel(), 2 * expected[2].T @ a, rtol=1e-12)
    frame = system.frame_names[-1]
    np.testing.assert_array_equal(np.array(lc.frame_position(system, frame)(q)).ravel(), system.frame_pose(q, frame)[:3, 3])
    np.testing.assert_array_equal(np.array(lc.inverse_dynamics(system)(q, v, a)).ravel(),
                                  system.inverse_dynamics(q, v, a))


def test_casadi_finds_how_to_reach():
    """Inverse kinematics by a solver that sees only the callback and its derivative."""
    casadi = pytest.importorskip("casadi", reason="casadi is not installed")
    import linkwright.casadi as lc

    arm = load("arm7.urdf")
    wanted = arm.frame_pose(np.full(7, 0.5), "tool")[:3, 3]
    position = lc.frame_position(arm, "tool")
    q = casadi.MX.sym("q", 7)
    solver = casadi.nlpsol("reach", "ipopt", {"x": q, "f": casadi.sumsqr(q), "g": position(q) - wanted},
                           {"ipopt.hessian_approximation": "limited-memory", "ipopt.print_level": 0, "print_time": 0})
    found = np.array(solver(x0=np.full(7, 0.1), lbg=0, ubg=0)["x"]).ravel()
    np.testing.assert_allclose(arm.frame_pose(found, "tool")[:3, 3], wanted, atol=1e-6)
    assert found @ found <= 7 * 0.25 + 1e-6


@pytest.mark.parametrize("name", MODELS)
def test_jax(name):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    import linkwright.jax as lj

    system = load(name)
    q, v, tau = random_state(system, 4)
    f = lj.forward_dynamics(system)
    a = system.forward_dynamics(q, v, tau)
    np.testing.assert_array_equal(jax.jit(f)(q, v, tau), a)
    expected = forward_dynamics(system).derivatives(q, v, tau)
    for which, J in enumerate(expected):
        scale = 1e-12 * np.abs(J).max()
        np.testing.assert_allclose(jax.jacfwd(f, which)(q, v, tau), J, rtol=0, atol=scale)
        np.testing.assert_allclose(jax.jacrev(f, which)(q, v, tau), J, rtol=0, atol=scale)
    np.testing.assert_allclose(jax.grad(lambda x: (f(q, v, x) ** 2).sum())(tau), 2 * expected[2].T @ a, rtol=1e-10)
    many = np.array([system.random(k) for k in range(5)])
    np.testing.assert_allclose(jax.vmap(f, (0, None, None))(many, v, tau),
                               system.forward_dynamics(many, np.tile(v, (5, 1)), np.tile(tau, (5, 1))), rtol=1e-12)
    jacobians = jax.vmap(jax.jacfwd(lj.inverse_dynamics(system)), (0, None, None))(many, v, a)
    np.testing.assert_allclose(jacobians[2], inverse_dynamics(system).derivatives(many[2], v, a)[0], rtol=0,
                               atol=1e-10 * np.abs(jacobians[2]).max())
    frame = system.frame_names[-1]
    np.testing.assert_allclose(lj.frame_position(system, frame)(q), system.frame_pose(q, frame)[:3, 3], rtol=1e-14)
    with pytest.raises(lw.InputError, match="q has shape"):
        f(q[:-1], v, tau)
    with pytest.raises(lw.InputError, match=r"\(q, v, tau\)"):
        f(q, v)


def test_loops_are_refused():
    with pytest.raises(lw.InputError, match="cut_open"):
        forward_dynamics(load("four_bar.yaml"))


def test_without_the_other_library(monkeypatch):
    import sys

    import linkwright.casadi as lc
    import linkwright.jax as lj

    monkeypatch.setitem(sys.modules, "casadi", None)
    monkeypatch.setitem(sys.modules, "jax", None)
    for made in (lc.forward_dynamics, lj.inverse_dynamics):
        with pytest.raises(lw.InputError, match="pip install"):
            made(load("arm7.urdf"))
