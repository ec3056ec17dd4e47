"""Dynamics inside CasADi and JAX: the library's values and derivatives, by q as numbers too."""

import numpy as np
import pytest
from conftest import load, random_state

import linkwright as lw
from linkwright._differentiable import displacements, forward_dynamics, frame_position, inverse_dynamics

MODELS = ["arm7.urdf", "space_robot.yaml"]


@pytest.fixture(scope="module")
def every_joint():
    """A free base with joints of every kind behind it, modes that do not commute among them."""
    model = lw.Model(name="every_joint")
    kinds = ["free", "spherical", "universal", "planar", "cylindrical", "helical", "custom"]
    parent = "world"
    for i, kind in enumerate(kinds):
        body = f"body{i}"
        model.bodies.append(lw.Body(body, mass=1 + 0.1 * i, com=(0.1, 0.02, -0.2), inertia=(0.02, 0.03, 0.04, 0, 0, 0)))
        more = {"modes": [(1, 0, 0, 0, 0.1, 0), (0, 1, 0, 0.2, 0, 0)]} if kind == "custom" else {}
        if kind == "helical":
            more["pitch"] = 0.05
        model.joints.append(lw.Joint(f"joint{i}", kind, parent=parent, child=body, pose=lw.Pose((0.3, 0.1, 0.2)), **more))
        parent = body
    model.frames.append(lw.Frame("tip", parent, lw.Pose((0.1, 0.2, 0.3))))
    return lw.compile(model)


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


def rates_of_numbers(system, q, h=0.01):
    """(nq, nv): differences of the eighth order along the group, on which positions stay."""
    weights = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    return np.array([sum(w * (system.integrate(q, k * h * e) - system.integrate(q, -k * h * e)) / h
                         for k, w in enumerate(weights, 1)) for e in np.eye(system.nv)]).T


@pytest.mark.parametrize("name", [*MODELS, "every joint"])
def test_a_change_of_position_is_a_displacement(name, every_joint):
    system = every_joint if name == "every joint" else load(name)
    q, v, _ = random_state(system, 1)
    small = 1e-5
    there, back = system.integrate(q, small * v), system.integrate(q, -small * v)
    np.testing.assert_allclose(displacements(system, q) @ (there - back) / (2 * small), v, rtol=0, atol=1e-9)
    many = displacements(system, np.array([q, system.random(5)]))
    np.testing.assert_array_equal(many[0], displacements(system, q))


MAKERS = [forward_dynamics, inverse_dynamics, lambda s: frame_position(s, s.frame_names[-1])]


@pytest.mark.parametrize("name", [*MODELS, "every joint"])
@pytest.mark.parametrize("make", MAKERS)
def test_derivatives_by_the_numbers(name, make, every_joint):
    system = every_joint if name == "every joint" else load(name)
    function = make(system)
    given = random_state(system, 2)[: len(function.arguments)]
    for which, J in enumerate(function.derivatives(*given)):
        assert J.shape == (function.size, function.arguments[which][1])
        expected = numeric(function.evaluate, given, which)
        if which == 0 and system.nq != system.nv:  # differences leave the unit quaternions: only along the group
            T = rates_of_numbers(system, given[0])
            J, expected = J @ T, expected @ T
        np.testing.assert_allclose(J, expected, rtol=0, atol=1e-7 * max(np.abs(expected).max(), 1))


@pytest.mark.parametrize("name", [*MODELS, "every joint"])
@pytest.mark.parametrize("make", MAKERS)
def test_second_derivatives_by_the_numbers(name, make, every_joint):
    """Against differences of the first, q moved along the group: beyond it there are no positions."""
    system = every_joint if name == "every joint" else load(name)
    function = make(system)
    given = random_state(system, 6)[: len(function.arguments)]
    found = function.second(*given)
    along = rates_of_numbers(system, given[0])
    # What modes cannot reach has no derivative: those of a custom joint are along its modes only.
    known = [system.joint("joint6").q.start if name == "every joint" else None, None, None]
    for j in range(len(given)):
        def first(step, j=j):
            moved = [system.integrate(x, step) if k == 0 else x + step for k, x in enumerate(given) if k == j]
            return function.derivatives(*given[:j], *moved, *given[j + 1 :])

        steps = 1e-3 * np.eye(system.nv)
        for i, J in enumerate(function.derivatives(*given)):
            by_j = np.stack([(8 * (first(s)[i] - first(-s)[i]) - first(2 * s)[i] + first(-2 * s)[i]) / 12e-3 for s in steps], -1)
            assert found[i][j].shape == (*J.shape, function.arguments[j][1])
            H = found[i][j] @ along if j == 0 else found[i][j]
            np.testing.assert_allclose(H, by_j, rtol=0, atol=1e-7 * max(np.abs(by_j).max(), 1), err_msg=f"{i}, {j}")
            np.testing.assert_allclose(found[i][j][:, : known[i], : known[j]],
                                       np.swapaxes(found[j][i], -1, -2)[:, : known[i], : known[j]], rtol=0,
                                       atol=1e-9 * max(np.abs(by_j).max(), 1))
    many = function.second(*(np.array([x, x]) for x in given))
    for ours, theirs in zip(found, many):
        for one, rows in zip(ours, theirs):
            np.testing.assert_allclose(rows[1], one, rtol=0, atol=1e-13 * max(np.abs(one).max(), 1))


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


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("make", ["forward_dynamics", "inverse_dynamics"])
def test_casadi_hessians(name, make):
    casadi = pytest.importorskip("casadi", reason="casadi is not installed")
    import linkwright._differentiable as differentiable
    import linkwright.casadi as lc

    system = load(name)
    given = random_state(system, 5)
    f = getattr(lc, make)(system)
    function = getattr(differentiable, make)(system)
    load_of = np.cos(np.arange(system.nv))  # second derivatives of its product with the result
    symbols = [casadi.MX.sym(n, size) for n, size in function.arguments]
    everything = casadi.vertcat(*symbols)
    hessian = casadi.Function("H", symbols, [casadi.hessian(casadi.dot(load_of, f(*symbols)), everything)[0]])
    expected = np.block([[np.einsum("r,rij->ij", load_of, block) for block in row] for row in function.second(*given)])
    np.testing.assert_allclose(np.array(hessian(*given)), expected, rtol=0, atol=1e-13 * np.abs(expected).max())


@pytest.mark.parametrize("hessian, tolerance, error", [("exact", 1e-10, 1e-9), ("limited-memory", 1e-8, 1e-6)])
def test_casadi_finds_how_to_reach(hessian, tolerance, error):
    """Inverse kinematics by a solver that sees only the callback and its derivatives; with second ones in few steps."""
    casadi = pytest.importorskip("casadi", reason="casadi is not installed")
    import linkwright.casadi as lc

    arm = load("arm7.urdf")
    wanted = arm.frame_pose(np.full(7, 0.5), "tool")[:3, 3]
    position = lc.frame_position(arm, "tool")
    q = casadi.MX.sym("q", 7)
    solver = casadi.nlpsol("reach", "ipopt", {"x": q, "f": casadi.sumsqr(q), "g": position(q) - wanted},
                           {"ipopt.hessian_approximation": hessian, "ipopt.tol": tolerance, "ipopt.print_level": 0, "print_time": 0})
    found = np.array(solver(x0=np.full(7, 0.1), lbg=0, ubg=0)["x"]).ravel()
    np.testing.assert_allclose(arm.frame_pose(found, "tool")[:3, 3], wanted, rtol=0, atol=error)
    assert found @ found <= 7 * 0.25 + 1e-6 and solver.stats()["success"]
    assert hessian != "exact" or solver.stats()["iter_count"] < 20


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
    for wrong, told in (((q, v), r"\(q, v, tau\)"), (("a", v, tau), "q: expected numbers"), ((q, v, 1j * tau), "tau: expected numbers"),
                        ((jax.numpy.asarray(1j * q), v, tau), "q: expected numbers .*complex")):
        with pytest.raises(lw.InputError, match=told):
            f(*wrong)
    np.testing.assert_array_equal(f(tau=tau, q=q, v=v), a)
    with pytest.raises(lw.InputError, match="2 by position and 'x'"):
        f(q, v, x=tau)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("make", ["forward_dynamics", "inverse_dynamics"])
def test_jax_hessians(name, make):
    jax = pytest.importorskip("jax", reason="jax is not installed")
    jax.config.update("jax_enable_x64", True)
    import linkwright._differentiable as differentiable
    import linkwright.jax as lj

    system = load(name)
    given = random_state(system, 5)
    expected = getattr(differentiable, make)(system).second(*given)
    f = getattr(lj, make)(system)
    for found in (jax.hessian(f, (0, 1, 2))(*given), jax.jacrev(jax.jacfwd(f, (0, 1, 2)), (0, 1, 2))(*given)):
        for ours, theirs in zip(found, expected):
            for block, exact in zip(ours, theirs):
                np.testing.assert_allclose(block, exact, rtol=0, atol=1e-12 * max(np.abs(exact).max(), 1))
    many = np.array([system.random(k) for k in range(3)])
    rows = jax.vmap(jax.hessian(f), (0, None, None))(many, *given[1:])
    exact = getattr(differentiable, make)(system).second(many[2], *given[1:])[0][0]
    np.testing.assert_allclose(rows[2], exact, rtol=0, atol=1e-12 * np.abs(exact).max())


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
