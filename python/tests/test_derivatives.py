"""Derivatives against differences, open and closed, one state and many."""

import numpy as np
import pytest
from conftest import load, random_state

import linkwright as lw

H = 1e-6  # central differences: truncation h², rounding 1e-16 / h, both below 1e-9 of the largest number


def differences(function, arm, q, v, x):
    """Columns by q (along the group), v and x."""
    n = arm.nv
    columns = [], [], []
    for k in range(n):
        step = H * np.eye(n)[k]
        columns[0].append((function(arm.integrate(q, step), v, x) - function(arm.integrate(q, -step), v, x)) / (2 * H))
        columns[1].append((function(q, v + step, x) - function(q, v - step, x)) / (2 * H))
        columns[2].append((function(q, v, x + step) - function(q, v, x - step)) / (2 * H))
    return [np.array(c).T for c in columns]


@pytest.fixture(params=["arm7.urdf", "space_robot.yaml", "humanoid.urdf"])
def arm(request):
    return load(request.param)


def near(got, expected, scale=1.0):
    """scale: of what the differences are taken."""
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-8 * max(scale, 100 * np.abs(expected).max(), 100))


def test_inverse_dynamics(arm):
    q, v, a = random_state(arm, 1)
    force = {arm.frame_names[-1]: [1, 2, 3, 4, 5, 6]}
    found = arm.inverse_dynamics_derivatives(q, v, a, force)
    for got, expected in zip(found, differences(lambda *x: arm.inverse_dynamics(*x, force), arm, q, v, a)):
        near(got, expected)
    np.testing.assert_allclose(found.dtau_da, arm.mass_matrix(q), rtol=0, atol=1e-12 * np.abs(found.dtau_da).max())


def test_forward_dynamics(arm):
    q, v, a = random_state(arm, 2)
    inverse = arm.inverse_dynamics_derivatives(q, v, a)
    tau = arm.inverse_dynamics(q, v, a)
    passive = load_passive(arm)
    if passive.any():
        tau = np.where(passive, 0, tau)
        a = arm.forward_dynamics(q, v, tau)
        inverse = arm.inverse_dynamics_derivatives(q, v, a)
    found = arm.forward_dynamics_derivatives(q, v, tau)
    Minv = arm.mass_matrix_inverse(q)
    for got, expected in ((found.da_dq, -Minv @ inverse.dtau_dq), (found.da_dv, -Minv @ inverse.dtau_dv),
                          (found.da_dtau, Minv)):
        scale = np.linalg.norm(Minv, 2) * np.linalg.norm(inverse.dtau_dq, 2) + np.abs(expected).max()
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-11 * scale)


def load_passive(arm):
    passive = np.zeros(arm.nv, bool)
    for joint in arm.model.joints:
        if joint.passive:
            passive[arm.joint(joint.name).v] = joint.passive
    return passive


@pytest.mark.parametrize("name", ["four_bar.yaml", "stewart.yaml"])
def test_what_closures_carry(name):
    machine = load(name, closure_tolerance=np.inf)  # differences step off the closures
    q, v = machine.state()
    v = machine.project_velocity(q, np.ones(machine.nv))
    active = [i for i, name in enumerate(machine.effort_names) if name not in machine.passive_names]
    tau = np.zeros(len(machine.effort_names))
    tau[active] = 2.0
    found = machine.closure_force_derivatives(q, v, tau)
    assert found.df_dq.shape == (len(machine.closure_names), 6, machine.nv)

    def along(move):
        return (machine.closure_forces(*move(H)) - machine.closure_forces(*move(-H))) / (2 * H)

    scale = np.abs(machine.closure_forces(q, v, tau)).max()
    for k in range(machine.nv):
        e = np.eye(machine.nv)[k]
        near(found.df_dq[..., k], along(lambda h: (machine.integrate(q, h * e), v, tau)), scale)
        near(found.df_dv[..., k], along(lambda h: (q, v + h * e, tau)), scale)
    for k in active:
        e = np.eye(len(tau))[k]
        near(found.df_dtau[..., k], along(lambda h: (q, v, tau + h * e)), scale)
    pushes = {machine.frame_names[-1]: np.random.default_rng(1).normal(size=(3, 6))}
    many = machine.closure_force_derivatives(q, v, tau, pushes, threads=2)
    for s in range(3):
        alone = machine.closure_force_derivatives(q, v, tau, {f: w[s] for f, w in pushes.items()})
        for got, given in zip(many, alone):
            assert np.array_equal(got[s], given)
    with pytest.raises(lw.InputError, match="has no loops"):
        load("arm7.urdf").closure_force_derivatives(np.zeros(7), np.zeros(7), np.zeros(7))


def test_many_states(arm):
    q, v, a = (np.array(x) for x in zip(*(random_state(arm, seed) for seed in range(9))))
    for verb, x in (("inverse_dynamics_derivatives", a), ("forward_dynamics_derivatives", a * ~load_passive(arm))):
        many = getattr(arm, verb)(q, v, x)
        for s in range(9):
            for got, one in zip(many, getattr(arm, verb)(q[s], v[s], x[s])):
                np.testing.assert_allclose(got[s], one, rtol=0, atol=1e-11 * max(1, np.abs(one).max()))
        for got, other in zip(many, getattr(arm, verb)(q, v, x, threads=2)):
            assert np.array_equal(got, other)


def test_second_order():
    arm = load("arm7.urdf")
    q, v, a = random_state(arm, 3)
    found = arm.inverse_dynamics_second_derivatives(q, v, a)
    forward = arm.forward_dynamics_second_derivatives(q, v, a)
    by_q = arm.inverse_dynamics_derivatives(q, v, arm.forward_dynamics(q, v, a)).dtau_dq
    rounding = np.linalg.norm(arm.mass_matrix_inverse(q), 2) * np.linalg.norm(by_q, 2)
    for k in range(arm.nv):
        step = H * np.eye(arm.nv)[k]
        ahead, behind = (arm.inverse_dynamics_derivatives(arm.integrate(q, s), v, a) for s in (step, -step))
        near(found.dqdq[:, :, k], (ahead.dtau_dq - behind.dtau_dq) / (2 * H))
        near(found.dadq[:, :, k], (ahead.dtau_da - behind.dtau_da) / (2 * H))
        ahead, behind = (arm.inverse_dynamics_derivatives(q, v + s, a) for s in (step, -step))
        near(found.dqdv[:, :, k], (ahead.dtau_dq - behind.dtau_dq) / (2 * H))
        near(found.dvdv[:, :, k], (ahead.dtau_dv - behind.dtau_dv) / (2 * H))
        ahead, behind = (arm.forward_dynamics_derivatives(arm.integrate(q, s), v, a) for s in (step, -step))
        near(forward.dqdq[:, :, k], (ahead.da_dq - behind.da_dq) / (2 * H), rounding)


@pytest.mark.parametrize("name", ["four_bar.yaml", "five_bar.yaml", "stewart.yaml"])
def test_closed(name):
    machine = load(name)
    q, v = machine.state()
    v = machine.project_velocity(q, 0.3 * np.random.default_rng(1).normal(size=machine.nv))
    tau = np.zeros(machine.nv)
    found = machine.forward_dynamics_derivatives(q, v, tau, coordinates="independent")
    names = machine.independent(q)
    entries = [machine.velocity_names.index(n) for n in names]
    # Along the motion: a changes by (da_dq v + da_dv a) dt while the mechanism moves by itself.
    a = machine.forward_dynamics(q, v, tau)
    moved = []
    for h in (1e-5, -1e-5):
        at = machine.assemble(machine.integrate(machine.integrate(q, v, h), a, h * h / 2)).q
        speed = machine.project_velocity(at, v + h * a)
        moved.append(machine.forward_dynamics(at, speed, tau)[entries])
    rate = (moved[0] - moved[1]) / 2e-5
    expected = found.da_dq @ v[entries] + found.da_dv @ a[entries]
    np.testing.assert_allclose(rate, expected, rtol=0, atol=1e-3 * max(1, np.abs(expected).max()))
    inverse = machine.inverse_dynamics_derivatives(q, v, a, coordinates=names)
    np.testing.assert_allclose(inverse.dtau_da, machine.mass_matrix(q, coordinates=names), rtol=0,
                               atol=1e-9 * np.abs(inverse.dtau_da).max())
    full = machine.forward_dynamics_derivatives(q, v, tau)
    many = machine.forward_dynamics_derivatives(np.array([q, q]), v, tau)
    for one, both in zip(full, many):
        assert np.array_equal(one, both[1])
    with pytest.raises(lw.Error, match="along its closures"):
        machine.inverse_dynamics_derivatives(q, v, a)
    with pytest.raises(lw.Error, match="second derivatives"):
        machine.inverse_dynamics_second_derivatives(q, v, a)
