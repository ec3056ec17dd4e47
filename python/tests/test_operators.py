"""Operators as expressions: recursions against matrices, the identities of the paper, and what is refused."""

import numpy as np
import pytest
from conftest import load, random_state

import linkwright as lw
from linkwright.operators import dense, explain

ROUNDING = 1e-13  # of some hundred operations per node, relative to the largest number that takes part
LETTERS = ["phi", "Phi", "phi_tilde", "psi", "Psi", "psi_tilde", "S", "Delta_phi", "Delta_psi", "H", "M", "P", "D",
           "D_inverse", "G", "L", "R", "B", "E"]
MODELS = ["arm7.urdf", "humanoid.urdf", "space_robot.yaml", "puma560.yaml", "four_bar.yaml", "stewart.yaml",
          "two_arms_and_box.yaml"]


@pytest.fixture(params=MODELS, scope="module")
def ops(request):
    system = load(request.param)
    q = system.state().q if system.is_closed else system.random(3)
    frames = [system.frame_names[-1], system.frame_names[len(system.frame_names) // 2]]
    return system.operators(q, frames=frames)


def agree(got, expected, scale=None):
    scale = np.abs(expected).max() if scale is None else scale
    np.testing.assert_allclose(got, expected, rtol=0, atol=ROUNDING * max(scale, 1e-300))


def size_of(*factors):
    """The size of the terms that a product adds up: what its rounding is relative to."""
    out = np.abs(dense(factors[-1]))
    for factor in reversed(factors[:-1]):
        out = np.abs(dense(factor)) @ out
    return out.max()


@pytest.mark.parametrize("name", LETTERS)
def test_letters_are_their_matrices(ops, name):
    for x in (getattr(ops, name), getattr(ops, name).T):
        agree(x @ np.eye(x.shape[1]), dense(x), max(np.abs(dense(x)).max(), 1))
        assert x.shape == dense(x).shape
    agree(dense(getattr(ops, name).T), dense(getattr(ops, name)).T)


def test_products_are_products_of_matrices(ops):
    o = ops
    products = [
        (o.H, o.phi, o.M, o.phi.T, o.H.T), (o.H, o.psi, o.S, o.L), (o.B.T, o.phi.T, o.H.T), (o.H, o.phi, o.B),
        (o.psi, o.M, o.psi.T), (o.Phi, o.L, o.H), (o.L, o.H, o.Phi), (o.E.T, o.phi, o.M, o.phi.T, o.E),
        (o.Delta_psi, o.P, o.Delta_psi.T), (o.D_inverse, o.H, o.P), (o.psi_tilde, o.P, o.phi_tilde.T),
    ]
    rng = np.random.default_rng(1)
    for factors in products:
        whole = factors[0]
        for factor in factors[1:]:
            whole = whole @ factor
        scale = size_of(*factors)
        agree(whole @ np.eye(whole.shape[1]), dense(whole), scale)
        x = rng.normal(size=(whole.shape[1], 3))
        agree(whole @ x, dense(whole) @ x, scale * np.abs(x).sum())
        agree(x[:, 0] @ whole.T, whole @ x[:, 0], scale * np.abs(x).sum())
        agree((-whole + whole) @ x, 0 * (whole @ x), 1e-300)


def test_two_factors_and_their_inverses(ops):
    o = ops
    lower = o.I + o.H @ o.Phi @ o.L
    upper = o.I - o.H @ o.Psi @ o.L
    M, eye = dense(o.mass), np.eye(o.shape_of_joints)
    # Rounding in a factor's column is that of the column; the inverse may be as large as the condition number.
    slack = np.linalg.cond(M)
    agree(dense(lower @ o.D @ lower.T), M, np.abs(M).max() * len(M))
    agree(upper @ (lower @ eye), eye, slack)
    agree(o.mass_inverse @ (o.mass @ eye), eye, slack * len(M))
    agree(o.solve(M).T if o.has_rotors else o.solve(M), eye, slack * len(M))
    np.testing.assert_allclose(o.log_det(), np.linalg.slogdet(M)[1], rtol=0,
                               atol=1e-13 * slack + 1e-12 * len(M))


def test_inverses_that_the_paper_knows(ops):
    o = ops
    for x in (o.D, o.phi, o.psi.T, o.I + o.H @ o.Phi @ o.L, (o.I - o.H @ o.Psi @ o.L).T, o.I + o.Phi @ o.L @ o.H,
              o.I - o.S @ o.L @ o.H @ o.psi, o.I + o.L @ o.H @ o.Phi, o.mass, o.mass.inverse()):
        back = x.inverse()
        n = x.shape[1]
        scale = np.abs(dense(back)).max() * np.abs(dense(x)).max() * n
        agree(back @ (x @ np.eye(n)), np.eye(n), scale)
        assert str(back.inverse()) == str(x) or dense(back.inverse()).shape == x.shape
    with pytest.raises(lw.InputError, match="inverse of H is not among"):
        o.H.inverse()


def test_the_mass_matrix_is_the_library_s():
    for name in ("arm7.urdf", "puma560.yaml", "humanoid.urdf"):
        system = load(name)
        q = system.random(5)
        ops = system.operators(q)
        agree(dense(ops.mass), system.mass_matrix(q))
        agree(ops.mass @ np.eye(system.nv), system.mass_matrix(q))
        assert ops.has_rotors == (name == "puma560.yaml")
    bare = ops.H @ ops.phi @ ops.M @ ops.phi.T @ ops.H.T
    assert str(bare.inverse()) == str(ops.mass_inverse)
    puma = load("puma560.yaml")
    at = puma.operators(puma.neutral())
    with pytest.raises(lw.InputError, match="rotors"):
        (at.H @ at.phi @ at.M @ at.phi.T @ at.H.T).inverse()


def test_forward_dynamics_line_by_line():
    system = load("quadruped.urdf")
    q, v, _ = random_state(system, 2)
    tau = np.full(system.nv, 3.0)
    frame = system.frame_names[-1]
    push = {frame: [1, 2, 3, 4, 5, 6]}
    expected = system.forward_dynamics(q, v, tau, push)
    o = system.operators(q, v, tau, forces=push)
    T_free = o.T - o.H @ o.phi @ (o.M @ (o.phi.T @ (o.a + o.E @ o.g)) + o.b)
    scale = np.linalg.cond(system.mass_matrix(q)) * np.abs(expected).max()
    agree(o.mass_inverse @ T_free, expected, scale)
    for algorithm in ("FD1", "FD2", "FD3", "FD4"):
        agree(o.forward_dynamics(algorithm, q, v, tau, push), expected, scale)
        assert explain(algorithm, o).startswith(algorithm)
    with pytest.raises(lw.Error, match="FD5"):
        o.forward_dynamics("FD5", q, v, tau)


def test_closed_systems_obey_their_loops():
    system = load("stewart.yaml")
    q = system.state().q
    o = system.operators(q)
    assert o.is_closed and len(o.independent) == 6 == o.shape_of_joints and 0 < o.conditioning <= 1
    agree(dense(o.mass), system.mass_matrix(q, coordinates=o.independent), np.abs(dense(o.mass)).max() * 100)
    v = np.zeros(system.nv)
    tau = np.zeros(len(system.effort_names))
    for i in range(1, 7):
        tau[system.effort_names.index(f"leg{i}")] = 100.0 * i
    a = system.forward_dynamics(q, v, tau)
    agree(o.forward_dynamics("FD3", q, v, tau), a, 100 * np.abs(a).max() * np.linalg.cond(dense(o.mass)))
    # Rates that follow the independent ones keep every closure.
    rates = o.rates(np.arange(6.0))
    agree(system.closure_jacobian(q) @ rates, np.zeros(18), 100 * np.abs(rates).max())
    # Work does not change: tau at all joints does what its share at the independent ones does.
    agree(o.efforts(tau[: system.nv]) @ np.arange(6.0), tau[: system.nv] @ rates, 1e5)
    with pytest.raises(lw.Error, match="closure|loop"):
        system.operators(system.state().q + 0.1)


def test_operational_space_and_samples():
    system = load("quadruped.urdf")
    feet = ["front_left_foot", "hind_right_foot"]
    q = system.state().q
    o = system.operators(q, frames=feet)
    J = np.vstack([system.jacobian(q, foot) for foot in feet])
    agree(dense(o.jacobian), J, 10)
    agree(o.jacobian @ np.eye(system.nv), J, 10)
    space = o.operational_space()
    Omega = J @ system.mass_matrix_inverse(q) @ J.T
    agree(space.inverse_inertia(), Omega, 100 * np.abs(Omega).max())
    assert space.rank == np.linalg.matrix_rank(J) < 12 == space.size
    with pytest.raises(lw.ComputationError, match="rank"):
        space.inertia()
    Lambda = space.inertia(pseudo_inverse=True)
    agree(Lambda @ Omega @ Lambda, Lambda, 1e4 * np.abs(Lambda).max())
    N = space.null_space(pseudo_inverse=True)
    agree(N @ N, N, 1e4)
    # Covariance: S Sᵀ of the roots, exactly, and by many samples.
    root = o._root("mass", np.eye(system.nv)).T
    agree(root @ root.T, system.mass_matrix(q), 10 * np.abs(root).max() ** 2)
    drawn = o.sample("inverse_mass", size=20000, rng=1)
    inverse = system.mass_matrix_inverse(q)
    spread = np.sqrt(np.outer(np.diag(inverse), np.diag(inverse)))
    assert np.abs(np.cov(drawn.T) - inverse).max() <= 6 * (spread / np.sqrt(20000)).max()
    assert o.draw([o.phi, o.I - o.H @ o.Psi @ o.L]).startswith("<svg")


def test_explain_tells_the_passes():
    system = load("arm7.urdf")
    o = system.operators(np.full(7, 0.4))
    mass = o.H @ o.phi @ o.M @ o.phi.T @ o.H.T
    assert explain(mass).splitlines()[0] == "H φ M φᵀ Hᵀ"
    assert [line[:18] for line in explain(mass).splitlines()[1:]] == ["  1. base → tip  φ", "  2. tip → base  H"]
    assert "109 multiplications, 66 additions" in explain(mass)
    assert str(mass.inverse()) == "(I − Lᵀ Ψᵀ Hᵀ) D⁻¹ (I − H Ψ L)"
    assert len(explain(mass.inverse()).splitlines()) == 3
    assert explain(mass + o.R).splitlines()[-1].startswith("  4. node by node  x + x")
    assert o.H.kind == "memoryless" and mass.kind == "general" and (o.H @ o.Psi @ o.L).kind == "strictly causal"
    assert (o.I - o.H @ o.Psi @ o.L).kind == "causal" and (o.phi.T @ o.H.T).kind == "anticausal"
    assert o.phi.domain == "link forces" and o.phi.T.range == "link motions"


def test_what_does_not_fit_is_refused_by_name():
    system = load("arm7.urdf")
    o = system.operators(np.full(7, 0.4))
    for combine, parts in [
        (lambda: o.H @ o.H, ["H takes link forces", "H gives joint efforts"]),
        (lambda: o.phi + o.Phi, ["φ maps link forces", "Φ maps inboard forces"]),
        (lambda: o.I + o.H @ o.phi, ["H φ maps link forces to joint efforts"]),
        (lambda: o.H @ o.phi @ np.zeros(7), ["H φ takes link forces, 42 numbers", "(7,)"]),
        (lambda: o.I @ np.zeros(7), ["I alone"]),
        (lambda: o.B @ np.zeros(6), ["frame"]),
        (lambda: o.a, ["update"]),
        (lambda: o.H @ system.operators(np.zeros(7)).phi, ["two Operators"]),
        (lambda: system.operators(np.zeros(7), frames=["tol"]), ["'tool'"]),
        (lambda: system.operators(np.zeros(7), frames="tool"), ["list of names"]),
        (lambda: o.phi @ np.full(42, np.nan), ["finite"]),
    ]:
        with pytest.raises(lw.InputError) as told:
            combine()
        for part in parts:
            assert part in str(told.value)
    with pytest.raises(TypeError):
        o.phi + np.zeros(42)
    with pytest.raises(lw.Error, match="update"):
        system.operators().phi @ np.zeros(42)
