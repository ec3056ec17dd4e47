"""Influence coefficients, transfer, redundancy, shares of load, regressors: against other rooms and differences."""

import numpy as np
import pytest
from conftest import load, random_state

import linkwright as lw
from linkwright import coordinates as co

ROUNDING = 1e-12  # of a few hundred operations; times what a matrix that is inverted on the way may add


def close(got, expected, scale=None, factor=1.0):
    scale = np.abs(expected).max() if scale is None else scale
    np.testing.assert_allclose(got, expected, rtol=0, atol=ROUNDING * factor * max(scale, 1e-300))


@pytest.fixture(scope="module")
def arm():
    return load("arm6.urdf")


Q = np.array([0.3, -0.5, 0.9, 0.4, 0.8, -0.2])


def along(function, system, q, v, h=1e-3):
    """The derivative along a motion that starts at q with constant v, to the sixth order of h."""
    at = {k: function(system.integrate(q, v, k * h)) for k in (-3, -2, -1, 1, 2, 3)}
    return (45 * (at[1] - at[-1]) - 9 * (at[2] - at[-2]) + (at[3] - at[-3])) / (60 * h)


@pytest.mark.parametrize("axes", ["own", "world"])
def test_frame_influence(arm, axes):
    _, v, a = random_state(arm, 1)
    jerk = np.random.default_rng(5).normal(size=6)
    tool = co.frame_influence(arm, Q, "tool", axes, order=3)
    assert tool.of[:2] == ["tool:wx", "tool:wy"] and tool.by == arm.velocity_names and tool.order == 3
    close(tool.G, arm.jacobian(Q, "tool", axes))
    # [H] and [D] are the rates of [G] and [H]; sixth-order differences lose what h leaves of the digits.
    H = np.stack([along(lambda q: co.frame_influence(arm, q, "tool", axes).G, arm, Q, e) for e in np.eye(6)], -1)
    np.testing.assert_allclose(tool.H, H, rtol=0, atol=1e-10)
    D = np.stack([along(lambda q: co.frame_influence(arm, q, "tool", axes).H, arm, Q, e) for e in np.eye(6)], -1)
    np.testing.assert_allclose(tool.D, D, rtol=0, atol=1e-10)
    if axes == "world":
        close(tool.acceleration(v, a), arm.frame_acceleration(Q, v, a, "tool", axes), factor=10)
    motion = co.frame_motion(arm, Q, v, a, jerk, frame="tool", axes=axes)
    close(motion.velocity, tool.velocity(v))
    close(motion.acceleration, tool.acceleration(v, a), factor=10)
    close(motion.jerk, tool.jerk(v, a, jerk), factor=100)
    load_ = np.arange(6.0)
    close(tool.effective_load(load_) @ v, load_ @ tool.velocity(v), factor=10)


def test_parts_of_frames_and_shafts(arm):
    tool = co.frame_influence(arm, Q, "tool")
    close(co.frame_influence(arm, Q, "tool", orientation=True).G, tool.G[:3])
    point = [0.1, -0.2, 0.3]
    pose = arm.frame_pose(Q, "tool")
    v = np.arange(6.0)
    expected = tool.velocity(v)[3:] + np.cross(tool.velocity(v)[:3], pose[:3, :3] @ point)
    close(co.frame_influence(arm, Q, "tool", point=point).velocity(v), expected)
    some = tool.select(["tool:vx", "tool:wz"]).stack(co.joint_influence(arm, ["elbow"]))
    assert some.of == ["tool:vx", "tool:wz", "elbow"]
    close(some.G, np.vstack([tool.G[3], tool.G[2], np.eye(6)[2]]))
    shafts = co.shaft_influence(arm, {"m1": {"waist": 100}, "m2": {"waist": 1, "elbow": -2}})
    assert shafts.of == ["m1", "m2"]
    close(shafts.G @ v, [100 * v[0], v[0] - 2 * v[2]])


def test_transfer_to_the_hand_and_back(arm):
    _, v, a = random_state(arm, 2)
    hand = co.frame_influence(arm, Q, "tool", order=3)
    to_hand = co.Transfer(hand)
    joints = to_hand.initial
    eye = joints @ hand
    close(eye.G, np.eye(6), factor=to_hand.condition)
    close(eye.H, np.zeros_like(eye.H), np.abs(hand.H).max(), factor=to_hand.condition**2)
    model = co.joint_model(arm, Q, v)
    close(model.inertia, arm.mass_matrix(Q))
    close(model.coriolis_matrix(v), arm.coriolis_matrix(Q, v), np.abs(model.power).max() * np.abs(v).max())
    tau = arm.inverse_dynamics(Q, v, a)
    close(model.loads(v, a), tau)
    close(model.accelerations(v, tau), a, factor=np.linalg.cond(model.inertia))
    at_hand = to_hand.apply(model)
    wrench = at_hand.loads(hand.velocity(v), hand.acceleration(v, a))
    close(hand.effective_load(wrench), tau, factor=to_hand.condition**2)
    close(model.transfer(joints).inertia, at_hand.inertia)
    close((model + model).loads(v, a), 2 * tau)
    A = np.random.default_rng(1).normal(size=(2, 6))
    close(model.map_loads(A, ["one", "two"]).loads(v, a), A @ tau, factor=10)


def test_closed_mechanisms_in_chosen_coordinates():
    five_bar = load("five_bar.yaml")
    q = five_bar.state().q
    names = ["left_motor", "right_motor"]
    motors = co.joint_influence(five_bar, names)
    v = co.mechanism_influence(five_bar, q, names).velocity([0.4, -0.7])
    mechanism = co.double_transfer(five_bar, q, v, motors)
    factor = 10 * mechanism.condition**2
    close(mechanism.model.inertia, five_bar.mass_matrix(q, coordinates=names), factor=factor)
    close(mechanism.joints.velocity([0.4, -0.7]), v, factor=factor)
    tau = np.array([0.3, 0, -0.2, 0])
    a = five_bar.forward_dynamics(q, v, tau)
    close(mechanism.forward_dynamics(five_bar, q, v, tau), a, factor=factor)
    J = five_bar.closure_jacobian(q)
    close(co.closure_influence(five_bar, q).G, J)
    close(J @ co.mechanism_influence(five_bar, q).G, np.zeros((len(J), 2)), 1.0)
    # What the closures carry balances the tree: Jᵀ λ is what the motion needs beyond tau.
    tree = five_bar.cut_open()
    needed = tree.inverse_dynamics(q, v, a) - tau
    lam = mechanism.constraint_forces(five_bar, q, v, tau, a)
    close(J.T @ lam, needed, np.abs(needed).max() + 1, factor=factor)
    stewart = load("stewart.yaml")
    q = stewart.state().q
    free = stewart.independent(q)
    wanted = co.joint_influence(stewart, list(free))
    by_legs = co.leg_by_leg(stewart, q, np.zeros(stewart.nv), "plate", wanted)
    at_once = co.double_transfer(stewart, q, np.zeros(stewart.nv), wanted)
    close(by_legs.model.inertia, at_once.model.inertia, factor=100 * at_once.condition**2)


def test_redundancy():
    arm = load("arm7.urdf")
    q, v, a = random_state(arm, 3)
    hand = co.frame_influence(arm, q, "tool")
    task = co.RedundantTransfer(hand, co.kinetic_energy_weight(arm, q))
    u, xi = np.arange(6.0), np.random.default_rng(2).normal(size=7)
    rates = task.rates(u, xi)
    factor = 10 * task.condition**2
    close(hand.velocity(rates), u, factor=factor)
    close(hand.velocity(task.null_space @ xi), np.zeros(6), np.abs(xi).max(), factor=factor)
    # Least energy: what is left of the answer is M-orthogonal to every motion that the hand does not feel.
    close(task.null_space.T @ arm.mass_matrix(q) @ task.rates(u), np.zeros(7), np.abs(u).max(), factor=factor)
    close(hand.acceleration(rates, task.accelerations(u, -u, xi, xi)), -u, factor=100 * factor)
    plain = co.RedundantTransfer(hand, co.constant_weight(np.eye(7)))
    close(plain.initial.G, np.linalg.pinv(hand.G), factor=factor)
    with pytest.raises(lw.InputError, match=r"W.*expected"):
        co.constant_weight([1.0, 2.0])


def test_shares_of_load():
    walker = load("five_bar.yaml")
    q = walker.state().q
    motors = co.joint_influence(walker, ["left_motor", "right_motor", "left_elbow"])
    body = co.mechanism_influence(walker, q, ["left_motor", "right_motor"])
    by_body = motors @ body
    wanted = np.array([1.0, -2.0])
    efforts = co.distribution(by_body, wanted)
    close(by_body.effective_load(efforts), wanted, factor=10)
    close(efforts, np.linalg.pinv(by_body.G.T) @ wanted, factor=10)
    most = np.abs(efforts).max()
    limited = co.distribution(by_body, wanted, limits=[0.95 * most] * 3)
    assert np.abs(limited).max() <= 0.95 * most * (1 + ROUNDING)
    close(by_body.effective_load(limited), wanted, factor=100)
    with pytest.raises(lw.ComputationError):
        co.distribution(by_body, wanted, limits=[1e-3] * 3)


def test_regressors():
    for name in ("arm6.urdf", "space_robot.yaml"):
        system = load(name)
        regressor = co.Regressor(system, ["rotor", "damping", "friction"])
        assert len(regressor) == len(regressor.names) == len(regressor.values)
        states = [random_state(system, seed) for seed in range(5)]
        q, v, a = (np.array(x) for x in zip(*states))
        Y, rest = regressor.compute(q, v, a)
        tau = system.inverse_dynamics(q, v, a)
        close(Y @ regressor.values + rest, tau, np.abs(tau).max(), factor=10)
        one = regressor.compute(q[3], v[3], a[3])
        assert np.array_equal(one.Y, Y[3]) and np.array_equal(one.rest, rest[3])
    regressor = co.Regressor(load("arm6.urdf"))
    system = load("arm6.urdf")
    base = regressor.base_parameters()
    values = base.combination @ regressor.values
    q, v, a = random_state(system, 9)
    Y, rest = regressor.compute(q, v, a)
    close(Y[:, base.columns] @ values + rest, system.inverse_dynamics(q, v, a), factor=100)
    assert len(base) == len(base.names) == len(base.columns) < len(regressor)
    assert base.largest_dropped < 1e-6 * base.smallest_kept
    five_bar = load("five_bar.yaml")
    loop = co.Regressor(five_bar)
    q = five_bar.state().q
    with pytest.raises(lw.InputError, match="coordinates"):
        loop.compute(q, np.zeros(4), np.zeros(4))
    names = ["left_motor", "right_motor"]
    Y, rest = loop.compute(q, np.zeros(4), np.zeros(4), coordinates=names)
    close(Y @ loop.values + rest, five_bar.gravity(q, coordinates=names), 1.0)
    assert len(loop.base_parameters(q)) < len(loop)


def test_refusals(arm):
    five_bar = load("five_bar.yaml")
    tool = co.frame_influence(arm, Q, "tool")
    for refused, part in [
        (lambda: tool.D, "order=3"),
        (lambda: co.frame_influence(arm, Q, "tool", order=4), "order"),
        (lambda: co.frame_influence(arm, Q, "tol"), "'tool'"),
        (lambda: co.frame_influence(arm, Q, "tool", point=[0, 0, 0], orientation=True), "point"),
        (lambda: tool.select(["tool:ux"]), "tool:ux"),
        (lambda: tool.velocity([1, 2]), "rates has shape (2,)"),
        (lambda: co.Transfer(tool.select(["tool:vx"])), "vx"),
        (lambda: co.mechanism_influence(arm, Q), "no loops"),
        (lambda: co.joint_influence(arm, ["elbo"]), "elbow"),
        (lambda: co.kinetic_energy_weight(five_bar, five_bar.state().q), "cut_open"),
        (lambda: co.Regressor(arm, ["colour"]), "'rotor', 'damping' or 'friction'"),
        (lambda: co.shaft_influence(arm, {"m": 3}), "{joint: ratio}"),
    ]:
        with pytest.raises(lw.Error) as told:
            refused()
        assert part in str(told.value)
    with pytest.raises(lw.Error, match="clos"):
        co.double_transfer(five_bar, five_bar.state().q + 0.1, np.zeros(4), co.joint_influence(five_bar, ["left_motor"]))
