"""Grasps, shares and arms on any base: balances, known answers, and agreement with the library's own dynamics."""

import numpy as np
import pytest
from conftest import MODELS, load

import linkwright as lw
from linkwright.manipulator import Manipulator, contact_attitudes, contact_forces, grasp, held_objects, table_one

HELD = ["pinched_box.yaml", "two_arms_and_box.yaml", "three_fingers_and_ball.yaml", "space_robot_catch.yaml"]


@pytest.mark.parametrize("name", HELD)
def test_grasp_maps(name):
    system = load(name)
    held = grasp(system)
    assert held_objects(system) == [held.object] and repr(held).startswith(f"grasp of '{held.object}'")
    G = held.G
    analysis = held.analysis
    assert G.shape == (len(analysis.freedoms), len(held.columns)) and held.rank == np.linalg.matrix_rank(G)
    assert held.internal.shape == (len(held.columns), len(held.columns) - held.rank)
    np.testing.assert_allclose(G @ held.internal, 0, atol=1e-12 * np.abs(G).max())
    # Contacts keep Gᵀ v_object = J v_hands for every motion that the closures allow.
    v = np.random.default_rng(1).normal(size=system.nv)
    kept = system.named(system.project_velocity(held.q, v))
    object_rates = np.array([kept[name] for name in analysis.freedoms])
    hand_rates = np.array([kept[name] for name in analysis.hand_freedoms])
    np.testing.assert_allclose(G.T @ object_rates, analysis.hand_jacobian @ hand_rates, atol=1e-11 * np.abs(v).max())
    closed = held.force_closure
    assert bool(closed) == closed.holds
    if closed.holds:
        np.testing.assert_allclose(G @ closed.squeeze, 0, atol=1e-7)
    else:
        assert closed.reason and len(closed.escape) == len(analysis.freedoms)


def test_two_fingers_on_a_box():
    """The right finger carries 65 % of the weight; both press just hard enough for it, and friction is 0.5."""
    system = load("pinched_box.yaml")
    held = grasp(system, "box")
    shared = held.share()
    assert shared and not shared.blocking
    left, right = shared.contacts
    np.testing.assert_allclose(right.tangential, 0.65 * 2 * 9.81, rtol=1e-9)
    np.testing.assert_allclose(right.normal, right.tangential / 0.5, rtol=1e-9)
    np.testing.assert_allclose(left.normal, right.normal, rtol=1e-9)
    assert abs(right.margin) < 1e-8 < left.margin
    efforts = np.array([motor.effort for motor in shared.motors])
    named = {motor.name: motor.effort for motor in shared.motors}
    tau = np.array([named.get(name, 0.0) for name in system.effort_names])
    # These efforts hold it: nothing accelerates, and the contacts carry what was shared.
    a = system.forward_dynamics(held.q, np.zeros(system.nv), tau)
    np.testing.assert_allclose(a, 0, atol=1e-8)
    margins = held.margins(tau)
    assert list(margins) == ["left", "right"] and margins["left"] > -1e-7 and margins["right"] > -1e-7
    carried = contact_forces(system, held.q, tau)
    np.testing.assert_allclose(sum(c.tangential for c in carried), 2 * 9.81, rtol=1e-8)
    turned = contact_attitudes(system, held.q)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(np.abs(turned[:, 0]), 1, atol=1e-9)  # nothing has turned where it starts
    # A reserve asks for more normal force, and a push that friction cannot hold is refused by name.
    assert held.share(reserve=0.2).contacts[1].normal > 1.2 * right.normal
    too_much = held.share(forces=lw.ExternalForce("box", force=(0, 0, -60), axes="world"))
    assert not too_much and too_much.reason and too_much.shortage > 0 and too_much.blocking
    faster = held.share(acceleration=[0, 0, 0, 0, 0, 1.0])
    assert faster and faster.contacts[1].normal > right.normal and efforts.size == 4
    least = held.share(rule="least_torque")
    assert least.cost <= (efforts**2).sum() * (1 + 1e-9)


def test_what_an_object_feels_like():
    system = load("two_arms_and_box.yaml")
    held = grasp(system)
    felt = held.impedance()
    assert felt.inertia.shape == (6, 6)
    np.testing.assert_allclose(felt.inertia, felt.inertia.T, atol=1e-10 * np.abs(felt.inertia).max())
    ops = system.operators(held.q, frames=[held.object])
    space = ops.operational_space()
    if felt.rank == 6:
        np.testing.assert_allclose(space.inertia(), felt.inertia, atol=1e-8 * np.abs(felt.inertia).max())
    stiff = held.impedance(stiffness=np.full(system.nv, 100.0))
    assert np.linalg.eigvalsh(stiff.stiffness).max() > np.linalg.eigvalsh(felt.stiffness).max()


def test_a_space_robot_and_its_catch():
    system = load("space_robot_catch.yaml")
    robot = Manipulator(system)
    assert robot.base == ("bus", "free") and robot.objects == ["satellite"]
    assert [arm.tip for arm in robot.arms] == ["left_grip", "right_grip"] and all(arm.holds for arm in robot.arms)
    q, v = system.state()
    tau = np.zeros(system.nv)
    a = system.forward_dynamics(q, v, tau)
    model = robot.model(q, v, tau)
    scale = 1e-9 * np.abs(a).max()
    found = table_one(model)
    np.testing.assert_allclose(found.a, a, atol=scale)
    assert found.rank == found.rows == 12
    for algorithm in ("RCCFD1", "RCCFD2", "RCCFD3", "non_rigid"):
        for dense in (False, True):
            chain = robot.forward_dynamics(q, v, tau, algorithm=algorithm, dense=dense)
            np.testing.assert_allclose(chain.a, a, atol=scale)
            assert chain.omega.shape == (12, 12) and np.linalg.eigvalsh(chain.omega).min() > 0
            assert [len(W) for W, _ in chain.rolling] == [0, 0]
            np.testing.assert_allclose(chain.end_forces[0], system.closure_forces(q, v, tau)[0], atol=1e-7)
    np.testing.assert_allclose(model.base_acceleration(), system.frame_acceleration(q, v, a, "bus"), atol=1e-10)
    np.testing.assert_allclose(model.object_acceleration(), system.frame_acceleration(q, v, a, "satellite"), atol=1e-10)
    assert model.M.shape == (12, 12) and model.J.shape == (12, 12) and len(model.passive) == 6
    # (B7), (38), (41): what the unified model is made of.
    np.testing.assert_allclose(model.J_D, np.linalg.solve(model.M_p, model.M_ap), atol=1e-12)
    np.testing.assert_allclose(model.J, model.J_a - model.J_p @ model.J_D, atol=1e-12)
    np.testing.assert_allclose(model.M, model.M_a - model.M_ap.T @ model.J_D, atol=1e-10)


def test_reaction_null_space():
    model = lw.read_model(MODELS / "space_robot_catch.yaml")
    model.grasps.clear()
    system = lw.compile(model)
    robot = Manipulator(system, tips=["left_grip", "right_grip"])
    q = system.state().q
    unified = robot.model(q)
    projector = unified.reaction_null_space()
    np.testing.assert_allclose(projector @ projector, projector, atol=1e-12)
    assert unified.coupling_rank == 6 == 12 - round(np.trace(projector))
    wave = projector @ np.ones(12)
    v = system.velocity(dict(zip(robot.active, wave)))
    np.testing.assert_allclose(system.momentum(q, v), 0, atol=1e-11)
    assert np.linalg.norm(unified.J @ wave) > 0.1
    # A base that takes up the momentum of the arms: the whole has what was asked for.
    moving = system.velocity(dict(zip(robot.active, np.ones(12))))
    moving[:6] = unified.base_velocity([0, 0, 0, 0, 0, 0], moving)
    np.testing.assert_allclose(system.momentum(q, moving)[3:], 0, atol=1e-10)
    still, left = unified.still_acceleration(np.ones(12))
    assert left < 1e-9 and np.abs(unified.passive_acceleration(still)).max() < 1e-9


def test_refusals():
    box = load("pinched_box.yaml")
    for refused, part in [
        (lambda: grasp(box, "bix"), "bix"),
        (lambda: grasp(load("four_bar.yaml")), "grasp"),
        (lambda: grasp(load("arm6.urdf")), "grasp"),
        (lambda: grasp(box).share(rule="best"), "'least_squares', 'weighted' or 'least_torque'"),
        (lambda: grasp(box).share(rule="weighted", weights=[1.0]), "weights has shape (1,)"),
        (lambda: grasp(box).share([1, 2]), "acceleration has shape (2,)"),
        (lambda: grasp(box, q=box.state().q + 0.05), "closure"),
        (lambda: Manipulator(load("four_bar.yaml")), "arm"),
        (lambda: Manipulator(box, base_freedoms="some"), "'passive' or 'active'"),
        (lambda: Manipulator(box).forward_dynamics(box.state().q, np.zeros(box.nv), np.zeros(box.nv), algorithm="x"),
         "RCCFD1"),
    ]:
        with pytest.raises(lw.Error) as told:
            refused()
        assert part in str(told.value), told.value
