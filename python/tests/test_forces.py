"""External forces of each state's own: every row is the answer to its state alone."""

import numpy as np
import pytest
from conftest import OPEN, load, random_state

import linkwright as lw

K = 19
ROUNDING = 1e-12


def close(got, expected, scale=1.0):
    np.testing.assert_allclose(got, expected, rtol=0, atol=ROUNDING * max(scale, np.abs(expected).max()))


def states(system, count=K):
    return (np.array(x) for x in zip(*(random_state(system, seed) for seed in range(count))))


class Pushes:
    """Forces on frames of a system: (K, 6) in either kind of axes, and one (6,) that is alike on all states."""

    def __init__(self, system, count=K, seed=1):
        numbers = np.random.default_rng(seed)
        frames = system.frame_names[1:]
        self.frames = [frames[-1], frames[len(frames) // 2], frames[0]]
        self.own = numbers.normal(size=(count, 6))
        self.world = numbers.normal(size=(count, 6))
        self.alike = numbers.normal(size=6)

    def on(self, s):
        """On the state s alone, or on all where it is a slice."""
        a, b, c = self.frames
        return [
            lw.ExternalForce(a, self.own[s, ..., 3:], self.own[s, ..., :3]),
            lw.ExternalForce(b, self.world[s, ..., 3:], self.world[s, ..., :3], axes="world"),
            lw.ExternalForce(c, self.alike[3:], self.alike[:3], axes="world"),
        ]

    @property
    def all(self):
        return self.on(slice(None))


@pytest.mark.parametrize("name", OPEN)
def test_each_row_is_its_state_alone(name):
    arm = load(name)
    q, v, a = states(arm)
    tau = np.zeros((K, arm.nv))
    pushes = Pushes(arm)
    efforts = arm.inverse_dynamics(q, v, a, pushes.all)
    motion = arm.forward_dynamics(q, v, tau, pushes.all)
    carried = arm.reactions(q, v, a, pushes.all)
    by = arm.inverse_dynamics_derivatives(q, v, a, pushes.all)
    end = arm.rollout(q, v, tau, 1e-3, 2, pushes.all)
    without = arm.inverse_dynamics(q, v, a)
    for s in range(K):
        alone = pushes.on(s)
        one = arm.inverse_dynamics(q[s], v[s], a[s], alone)
        close(efforts[s], one)
        assert np.abs(one - without[s]).max() > 1e-3
        M = arm.mass_matrix(q[s])
        expected = arm.forward_dynamics(q[s], v[s], tau[s], alone)
        close(M @ (motion[s] - expected), 0 * expected, np.abs(M).max() * np.abs(expected).max() * arm.nv)
        assert np.array_equal(carried[s], arm.reactions(q[s], v[s], a[s], alone))
        for got, given in zip(by, arm.inverse_dynamics_derivatives(q[s], v[s], a[s], alone)):
            close(got[s], given, np.abs(M).max())
        for got, given in zip(end, arm.rollout(q[s : s + 1], v[s], tau[s], 1e-3, 2, alone)):
            close(got[s], given[0])


@pytest.mark.parametrize("name", ["four_bar.yaml", "stewart.yaml", "two_arms_and_box.yaml"])
def test_loops_too(name):
    machine = load(name)
    q0, v0 = machine.state()
    count = 7
    pushes = Pushes(machine, count)
    tau = np.zeros(len(machine.effort_names))
    motion = machine.forward_dynamics(q0, v0, tau, pushes.all)  # one state under many pushes
    carried = machine.closure_forces(q0, v0, tau, pushes.all)
    reactions = machine.reactions(q0, v0, tau, pushes.all, threads=2)
    by = machine.forward_dynamics_derivatives(q0, v0, tau, pushes.all, threads=2)
    independent = machine.forward_dynamics_derivatives(q0, v0, tau, pushes.all, coordinates="independent")
    efforts = machine.inverse_dynamics(q0, v0, motion, pushes.all)
    for s in range(count):
        alone = pushes.on(s)
        one = machine.forward_dynamics(q0, v0, tau, alone)
        np.testing.assert_allclose(motion[s], one, rtol=0, atol=1e-9 * (1 + np.abs(one).max()))
        assert np.array_equal(carried[s], machine.closure_forces(q0, v0, tau, alone))
        assert np.array_equal(reactions[s], machine.reactions(q0, v0, tau, alone))
        for got, given in zip(by, machine.forward_dynamics_derivatives(q0, v0, tau, alone)):
            assert np.array_equal(got[s], given)
        for got, given in zip(independent, machine.forward_dynamics_derivatives(
                q0, v0, tau, alone, coordinates="independent")):
            assert np.array_equal(got[s], given)
        needed = machine.inverse_dynamics(q0, v0, motion[s], alone)
        np.testing.assert_allclose(efforts[s], needed, rtol=0, atol=1e-8 * (1 + np.abs(needed).max()))


def test_layouts_and_threads_change_no_bit():
    arm = load("arm7.urdf")
    q, v, a = states(arm)
    wrench = np.random.default_rng(3).normal(size=(K, 6))
    expected = arm.inverse_dynamics(q, v, a, {"tool": wrench})
    for given in (np.asfortranarray(wrench), wrench.tolist(), np.repeat(wrench, 2, axis=1)[:, ::2]):
        assert np.array_equal(arm.inverse_dynamics(q, v, a, {"tool": given}), expected)
    for threads in (2, 3):
        assert np.array_equal(arm.inverse_dynamics(q, v, a, {"tool": wrench}, threads=threads), expected)
        assert np.array_equal(arm.reactions(q, v, a, {"tool": wrench}, threads=threads),
                              arm.reactions(q, v, a, {"tool": wrench}))
    alike = arm.inverse_dynamics(q, v, a, {"tool": np.tile(wrench[0], (K, 1))})
    close(alike, arm.inverse_dynamics(q, v, a, {"tool": wrench[0]}))
    assert arm.inverse_dynamics(q[:0], v[:0], a[:0], {"tool": wrench[:0]}).shape == (0, arm.nv)


def test_one_array_may_stand_for_all():
    arm = load("arm7.urdf")
    q, v, a = random_state(arm, 4)
    wrench = np.random.default_rng(3).normal(size=(K, 6))
    tiled = [np.tile(x, (K, 1)) for x in (q, v, a)]
    assert np.array_equal(arm.inverse_dynamics(q, v, a, {"tool": wrench}), arm.inverse_dynamics(*tiled, {"tool": wrench}))
    for got, given in zip(arm.inverse_dynamics_derivatives(q, v, a, {"tool": wrench}),
                          arm.inverse_dynamics_derivatives(*tiled, {"tool": wrench})):
        assert np.array_equal(got, given)


def test_a_force_that_is_not_finite_spoils_its_state_alone():
    arm = load("arm7.urdf")
    q, v, a = states(arm)
    wrench = np.zeros((K, 6))
    clean = arm.inverse_dynamics(q, v, a, {"tool": wrench})
    wrench[11, 4] = np.inf
    with pytest.warns(RuntimeWarning, match="1 of 19 states have no answer, their rows are NaN: 11"):
        tau = arm.inverse_dynamics(q, v, a, {"tool": wrench})
    assert np.isnan(tau[11]).all() and np.array_equal(np.delete(tau, 11, 0), np.delete(clean, 11, 0))
    with pytest.raises(lw.Error, match="state 11: external force 0 on 'tool' is not finite"):
        arm.reactions(q, v, a, {"tool": wrench})


@pytest.mark.parametrize(
    "forces, told",
    [
        ({"tool": np.zeros((4, 6))}, "forces, of frame 'tool' holds 4 states, q 3; expected as many, or one for all"),
        ({"tool": np.zeros((3, 5))}, r"forces, of frame 'tool' has shape \(3, 5\); expected \(6,\) or, for many states, \(K, 6\)"),
        ({"tool": np.zeros((2, 3, 6))}, r"forces, of frame 'tool' has shape \(2, 3, 6\)"),
        (lw.ExternalForce("tool", force=np.zeros((4, 3))), "forces, of frame 'tool' holds 4 states, q 3"),
        ({"tol": np.zeros((3, 6))}, "did you mean 'tool'"),
    ],
)
def test_what_does_not_fit_is_named(forces, told):
    arm = load("arm7.urdf")
    q, v, a = states(arm, 3)
    for verb in (arm.inverse_dynamics, arm.forward_dynamics, arm.reactions, arm.inverse_dynamics_derivatives):
        with pytest.raises(lw.InputError, match=told):
            verb(q, v, a, forces)


@pytest.mark.parametrize(
    "parts, told",
    [
        ({"force": np.zeros((3, 2))}, r"ExternalForce on 'tool': force has shape \(3, 2\); expected \(3,\) or, for many"),
        ({"moment": 3}, r"ExternalForce on 'tool': moment has shape \(\); expected \(3,\)"),
        ({"moment": "up"}, "moment: expected numbers .float64.; got 'up'"),
        ({"force": np.zeros((3, 3)), "moment": np.zeros((2, 3))}, "moment holds 2 states, force 3; expected as many"),
    ],
)
def test_parts_that_are_no_vectors_are_named(parts, told):
    with pytest.raises(lw.InputError, match=told):
        lw.ExternalForce("tool", **parts)


def test_what_answers_for_one_state_takes_the_forces_of_one():
    arm = load("arm7.urdf")
    q, v, a = random_state(arm, 1)
    many = {"tool": np.zeros((3, 6))}
    for call in (
        lambda: arm.inverse_dynamics_second_derivatives(q, v, a, many),
        lambda: arm.linearize(q, forces=many),
        lambda: arm.equilibrium(q, forces=many),
        lambda: arm.operators(q, v, a, forces=many),
    ):
        with pytest.raises(lw.InputError, match=r"forces, of frame 'tool' has shape \(3, 6\); expected \(6,\)"):
            call()
