"""Other libraries' coordinates: there and back, and the same power."""

import numpy as np
import pytest
from conftest import load, random_state

import linkwright as lw


@pytest.mark.parametrize("library", ["pinocchio", "mujoco", "drake", "rbdl"])
@pytest.mark.parametrize("name", ["arm7.urdf", "quadruped.urdf", "space_robot.yaml"])
def test_there_and_back(name, library):
    arm = load(name)
    them = arm.convention(library)
    q, v, a = random_state(arm, 1)
    tau = np.random.default_rng(2).normal(size=arm.nv)
    their_v, their_tau = them.velocity(q, v), them.effort(q, tau)
    assert their_v.shape == (them.nv,) and them.position(q).shape == (them.nq,)
    np.testing.assert_allclose(their_tau @ their_v, tau @ v)
    back = them.from_position(them.position(q))
    np.testing.assert_allclose(arm.difference(q, back), 0, atol=1e-12)
    np.testing.assert_allclose(them.from_velocity(q, their_v), v, atol=1e-12)
    np.testing.assert_allclose(them.from_effort(q, their_tau), tau, atol=1e-12)
    np.testing.assert_allclose(them.from_acceleration(q, v, them.acceleration(q, v, a)), a, atol=1e-12)
    # The time derivative of their v, by differences along the motion.
    h = 1e-5
    ahead, behind = (them.velocity(arm.integrate(q, v + a * dt / 2, dt), v + a * dt) for dt in (h, -h))
    np.testing.assert_allclose((ahead - behind) / (2 * h), them.acceleration(q, v, a), atol=1e-7)


def test_many_states_and_orders():
    arm = load("arm7.urdf")
    q = np.array([arm.random(s) for s in range(5)])
    them = arm.convention("pinocchio", arm.joint_names[::-1])
    assert np.array_equal(them.velocity(q, q), q[:, ::-1])
    del arm  # the converters keep it
    assert np.array_equal(them.velocity(q, q), q[:, ::-1])


def test_mistakes():
    arm = load("arm7.urdf")
    with pytest.raises(lw.Error, match="expected 'pinocchio', 'mujoco', 'drake' or 'rbdl'; got 'pin'"):
        arm.convention("pin")
    with pytest.raises(lw.Error, match="joint9"):
        arm.convention("mujoco", ["joint9"])
