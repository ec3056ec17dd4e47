"""Laws that the verbs keep, and the program's own numbers."""

import numpy as np
import pytest
from conftest import MODELS, OPEN, load, numbers_text, random_state

# Rounding of a few hundred operations, relative to the largest number that takes part.
ROUNDING = 1e-12


def close(got, expected, scale=None):
    scale = np.abs(expected).max() if scale is None else scale
    np.testing.assert_allclose(got, expected, rtol=0, atol=ROUNDING * max(scale, 1e-300))


@pytest.fixture(params=OPEN)
def arm(request):
    return load(request.param)


def actuated(arm, tau):
    """tau without what nobody can give."""
    return tau * [name not in arm.passive_names for name in arm.velocity_names]


def test_passive_freedoms_take_no_effort(arm):
    for i, name in enumerate(arm.velocity_names):
        effort = (arm.neutral(), np.zeros(arm.nv), np.eye(arm.nv)[i])
        if name in arm.passive_names:
            with pytest.raises(ValueError, match=name.split(":")[0]):
                arm.forward_dynamics(*effort)
        else:
            arm.forward_dynamics(*effort)


def test_forward_dynamics_inverts_inverse_dynamics(arm):
    q, v, _ = random_state(arm, 1)
    tau = actuated(arm, np.random.default_rng(7).normal(size=arm.nv))
    a = arm.forward_dynamics(q, v, tau)
    M = arm.mass_matrix(q)
    # What inverse dynamics returns is off by the rounding of M a.
    close(arm.inverse_dynamics(q, v, a), tau, scale=np.linalg.norm(M, 1) * np.abs(a).max())


def test_equation_of_motion(arm):
    q, v, a = random_state(arm, 2)
    tau = arm.inverse_dynamics(q, v, a)
    bodies_and_world = arm.mass_matrix(q) @ a + arm.bias(q, v) - arm.joint_forces(q, v)
    # What springs between bodies and loads on bodies add is the same at any acceleration.
    rest = arm.inverse_dynamics(q, v, 0 * a) - arm.bias(q, v) + arm.joint_forces(q, v)
    close(tau, bodies_and_world + rest, scale=np.abs(bodies_and_world).max())


def test_coriolis_matrix_is_consistent(arm):
    q, v, _ = random_state(arm, 3)
    C = arm.coriolis_matrix(q, v)
    close(C @ v, arm.coriolis(q, v), scale=np.abs(C).max() * np.abs(v).max())
    close(arm.coriolis(q, v) + arm.gravity(q), arm.bias(q, v))


def test_mass_matrix_and_its_inverse(arm):
    q, _, x = random_state(arm, 4)
    M, inverse = arm.mass_matrix(q), arm.mass_matrix_inverse(q)
    assert np.array_equal(M, M.T)
    condition = np.linalg.cond(M)
    np.testing.assert_allclose(M @ inverse, np.eye(arm.nv), rtol=0, atol=1e-15 * condition)
    np.testing.assert_allclose(arm.mass_matrix_solve(q, x), inverse @ x, rtol=0,
                               atol=1e-15 * condition * np.abs(inverse).max() * arm.nv)


def test_kinetic_energy_is_that_of_the_mass_matrix(arm):
    q, v, _ = random_state(arm, 5)
    close(arm.energy(q, v).kinetic, v @ arm.mass_matrix(q) @ v / 2)


def test_frames(arm):
    q, v, a = random_state(arm, 6)
    frame = arm.frame_names[-1]
    for axes in ("own", "world"):
        J = arm.jacobian(q, frame, axes)
        assert J.shape == (6, arm.nv)
        close(J @ v, arm.frame_velocity(q, v, frame, axes))
        close(J @ a + arm.jacobian_rate_times_velocity(q, v, frame, axes),
              arm.frame_acceleration(q, v, a, frame, axes))
    pose = arm.frame_pose(q, frame)
    close(pose[:3, :3] @ pose[:3, :3].T, np.eye(3))
    assert np.array_equal(pose[3], [0, 0, 0, 1])
    # The place moves with the velocity: central differences are exact to h².
    h = 1e-5
    ahead, behind = (arm.frame_pose(arm.integrate(q, v, dt), frame)[:3, 3] for dt in (h, -h))
    np.testing.assert_allclose((ahead - behind) / (2 * h), arm.frame_velocity(q, v, frame, "world")[3:],
                               rtol=0, atol=1e-7 * (1 + np.abs(v).max()) ** 3)


def test_momentum_and_centre_of_mass(arm):
    q, v, _ = random_state(arm, 7)
    close(arm.momentum(q, v)[3:], arm.mass * arm.com_velocity(q, v))
    h = 1e-5
    ahead, behind = (arm.com(arm.integrate(q, v, dt)) for dt in (h, -h))
    np.testing.assert_allclose((ahead - behind) / (2 * h), arm.com_velocity(q, v), rtol=0,
                               atol=1e-7 * (1 + np.abs(v).max()) ** 3)


def test_external_forces_act_through_the_jacobian(arm):
    import linkwright as lw

    q, v, a = random_state(arm, 8)
    frame = arm.frame_names[-1]
    wrench = np.array([1.0, -2, 3, 40, 50, -60])
    without = arm.inverse_dynamics(q, v, a)
    own = arm.jacobian(q, frame).T @ wrench
    close(arm.inverse_dynamics(q, v, a, {frame: wrench}), without - own, scale=np.abs(without).max() + 100)
    world = arm.jacobian(q, frame, "world").T @ wrench
    push = lw.ExternalForce(frame, wrench[3:], wrench[:3], axes="world")
    for given in (push, [push]):
        close(arm.inverse_dynamics(q, v, a, given), without - world, scale=np.abs(without).max() + 100)


def test_positions(arm):
    q0, q1 = arm.random(1), arm.random(2)
    close(arm.integrate(q0, arm.difference(q0, q1)), q1 if arm.nq == arm.nv else
          arm.integrate(q0, arm.difference(q0, arm.integrate(q0, arm.difference(q0, q1)))))
    assert np.array_equal(arm.random(5), arm.random(5))
    lower, upper = arm.position_limits
    for q in (arm.random(3), arm.middle()):
        assert np.all(q >= lower) and np.all(q <= upper)
    assert np.array_equal(arm.normalize(arm.neutral()), arm.neutral())


def test_many_states_are_the_single_ones(arm):
    states = [random_state(arm, seed) for seed in range(19)]
    q, v, a = (np.array(column) for column in zip(*states))
    verbs = {
        "inverse_dynamics": (q, v, a), "mass_matrix": (q,), "bias": (q, v), "gravity": (q,),
        "coriolis": (q, v), "coriolis_matrix": (q, v), "mass_matrix_inverse": (q,), "momentum": (q, v),
        "com": (q,), "com_velocity": (q, v), "joint_forces": (q, v), "reactions": (q, v, a),
        "integrate": (q, v), "difference": (q, q[::-1]),
    }
    in_lanes = {"inverse_dynamics", "mass_matrix"}  # SIMD: the same to rounding; all else bit for bit
    for verb, given in verbs.items():
        call = getattr(arm, verb)
        many = call(*given)
        for s in range(len(q)):
            one = call(*(x[s] for x in given))
            assert many[s].shape == one.shape, verb
            if verb in in_lanes:
                close(many[s], one)
            else:
                assert np.array_equal(many[s], one), verb
    frame = arm.frame_names[-1]
    for s in range(len(q)):
        close(arm.frame_pose(q, frame)[s], arm.frame_pose(q[s], frame))
        close(arm.jacobian(q, frame, "world")[s], arm.jacobian(q[s], frame, "world"))
    assert np.array_equal(arm.energy(q, v).total[3], arm.energy(q[3], v[3]).total)


def test_layouts_and_threads_change_no_bit(arm):
    q, v, a = (np.array(column) for column in zip(*(random_state(arm, seed) for seed in range(37))))
    tau = arm.inverse_dynamics(q, v, a)
    columns = [np.asfortranarray(x) for x in (q, v, a)]
    strided = [np.repeat(x, 2, axis=1)[:, ::2] for x in (q, v, a)]
    for given in (columns, strided, [x.tolist() for x in (q, v, a)]):
        assert np.array_equal(arm.inverse_dynamics(*given), tau)
    assert np.array_equal(arm.inverse_dynamics(q, v, a, threads=3), tau)
    assert np.array_equal(arm.bias(q, v, threads=3), arm.bias(q, v))
    # One velocity for all states.
    assert np.array_equal(arm.inverse_dynamics(q, v[0], a), arm.inverse_dynamics(q, np.tile(v[0], (37, 1)), a))
    assert arm.inverse_dynamics(q[:0], v[:0], a[:0]).shape == (0, arm.nv)


def test_kinematics_reads_what_the_verbs_compute(arm):
    q, v, a = random_state(arm, 10)
    at = arm.kinematics(q, v, a)
    still = arm.kinematics(q)
    for frame in arm.frame_names:
        assert np.array_equal(at.pose(frame), arm.frame_pose(q, frame))
        assert np.array_equal(at.velocity(frame, "world"), arm.frame_velocity(q, v, frame, "world"))
        assert np.array_equal(at.acceleration(frame), arm.frame_acceleration(q, v, a, frame))
        assert not still.velocity(frame).any()
    assert list(at.poses()) == arm.frame_names
    arm.gravity(arm.random(3))  # other calls use other workspaces
    assert np.array_equal(at.pose(frame), arm.frame_pose(q, frame))


def test_rollout_is_its_steps(arm):
    q, v, _ = (np.array(x) for x in zip(*(random_state(arm, seed) for seed in range(5))))
    tau, dt = np.zeros(arm.nv), 1e-3
    end_q, end_v = arm.rollout(q, v, tau, dt, 3, threads=2)
    for _ in range(3):
        v = v + dt * arm.forward_dynamics(q, v, tau)
        q = arm.integrate(q, v, dt)
    close(end_v, v)
    close(end_q, q)


def test_rigid_leaves_inertia_and_gravity_alone(arm):
    bare = arm.rigid()
    q, v, tau = random_state(arm, 3)
    tau = actuated(arm, tau)
    assert bare.velocity_names == arm.velocity_names
    assert np.array_equal(bare.mass_matrix(q), arm.mass_matrix(q))
    assert np.array_equal(bare.bias(q, v), arm.bias(q, v))
    if not any(":bend" in name for name in arm.joint_names):  # the stiffness of flexible links stays
        assert not bare.joint_forces(q, v).any()
        a = bare.forward_dynamics(q, v, tau)
        M = arm.mass_matrix(q)
        close(M @ a + arm.bias(q, v), tau, scale=np.linalg.norm(M, 1) * np.abs(a).max())


@pytest.mark.parametrize("name", ["arm7.urdf", "puma560.yaml", "space_robot.yaml", "flexible_arm.yaml"])
def test_agrees_with_the_program(program, name):
    arm = load(name)
    q, v, a = random_state(arm, 9)
    given = ["--q", numbers_text(q), "--v", numbers_text(v), "--json"]
    frame = arm.frame_names[-1]
    expected = {
        "inverse-dynamics": arm.inverse_dynamics(q, v, a), "mass-matrix": arm.mass_matrix(q),
        "bias": arm.bias(q, v), "gravity": arm.gravity(q), "coriolis": arm.coriolis(q, v),
        "joint-forces": arm.joint_forces(q, v), "momentum": arm.momentum(q, v),
        "jacobian": arm.jacobian(q, frame), "reactions": arm.reactions(q, v, a),
        "energy": [*arm.energy(q, v), arm.energy(q, v).total],
    }
    uses = {"mass-matrix": 1, "gravity": 1, "jacobian": 1, "inverse-dynamics": 3, "reactions": 3}
    for quantity, values in expected.items():
        options = given[: 2 * min(uses.get(quantity, 2), 2)] + ["--json"]
        if uses.get(quantity, 2) == 3:
            options += ["--a", numbers_text(a)]
        if quantity == "jacobian":
            options += ["--frame", frame]
        said = program("compute", quantity, MODELS / name, *options)
        assert isinstance(said, dict), said
        assert np.array_equal(np.ravel(said["values"]), np.ravel(values)), quantity
