"""Closed mechanisms through the same verbs."""

import math

import numpy as np
import pytest
from conftest import MODELS, load

import linkwright as lw

CLOSED = ["four_bar.yaml", "five_bar.yaml", "bricard.yaml", "delta.yaml", "stewart.yaml", "ankle.yaml", "gripper.yaml",
          "two_arms_and_box.yaml", "swinging_load.yaml", "mobile_manipulator.yaml"]


@pytest.fixture(params=CLOSED, scope="module")
def machine(request):
    return load(request.param)


def moving_state(machine, seed=1):
    """Near the start, closed, with a velocity that keeps it so."""
    numbers = np.random.default_rng(seed)
    q, _ = machine.state()
    q = machine.assemble(machine.integrate(q, 0.03 * numbers.normal(size=machine.nv)), limits=False).q
    return q, machine.project_velocity(q, 0.3 * numbers.normal(size=machine.nv))


def efforts(machine, seed=2):
    """At every freedom that has a motor."""
    tau = np.random.default_rng(seed).normal(size=machine.nv)
    for joint in machine.model.joints:
        place = machine.joint(joint.name).v
        if joint.passive:
            tau[place] *= ~np.array(joint.passive * (1 if len(joint.passive) > 1 else place.stop - place.start))
    return tau


def test_accelerations_keep_the_closures(machine):
    q, v = moving_state(machine)
    J = machine.closure_jacobian(q)
    a = machine.forward_dynamics(q, v, efforts(machine))
    bias = machine.closure_bias(q, v)
    scale = np.linalg.norm(J, 2) * np.linalg.norm(a) + np.linalg.norm(bias)
    # The redundant rows of the mechanism agree to the gap of the assembly.
    assert np.abs(J @ a + bias).max() <= 1e-9 * max(scale, 1)
    assert np.abs(machine.closure_residual(q)).max() <= 1e-10
    assert np.abs(J @ v).max() <= 1e-9 * max(1, np.abs(v).max())


def test_coordinate_map(machine):
    q, v = moving_state(machine)
    names = machine.independent(q)
    G, g = machine.coordinate_map(q, v)
    assert G.shape == (machine.nv, len(names)) and len(names) == machine.mobility(q).mobility
    entries = [machine.velocity_names.index(name) for name in names]
    np.testing.assert_allclose(G @ v[entries], v, rtol=0, atol=1e-8 * max(1, np.abs(v).max()))
    a = machine.forward_dynamics(q, v, np.zeros(machine.nv))
    np.testing.assert_allclose(G @ a[entries] + g, a, rtol=0, atol=1e-8 * max(1, np.abs(a).max()))


def test_reduced_equations_of_motion(machine):
    """M a + bias = Gᵀ (tau + joint forces + what springs and loads do) in independent coordinates."""
    q, v = moving_state(machine)
    tau = efforts(machine)
    names = machine.independent(q)
    entries = [machine.velocity_names.index(name) for name in names]
    given = {"coordinates": "independent"}
    M = machine.mass_matrix(q, **given)
    assert M.shape == (len(names),) * 2
    np.testing.assert_allclose(M @ machine.mass_matrix_inverse(q, **given), np.eye(len(names)), rtol=0,
                               atol=1e-14 * np.linalg.cond(M))
    # Two sets of efforts: what is unknown here cancels.
    G, _ = machine.coordinate_map(q, v)
    moved = (machine.forward_dynamics(q, v, tau) - machine.forward_dynamics(q, v, 0 * tau))[entries]
    np.testing.assert_allclose(M @ moved, G.T @ tau, rtol=0, atol=1e-8 * max(1, np.abs(M).max() * np.abs(moved).max()))
    C = machine.coriolis_matrix(q, v, coordinates=names)
    np.testing.assert_allclose(C @ v[entries], machine.coriolis(q, v, coordinates=names), rtol=0,
                               atol=1e-9 * max(1, np.abs(C).max()))


def test_inverse_dynamics_finds_efforts_that_give_the_motion(machine):
    q, v = moving_state(machine)
    a = machine.forward_dynamics(q, v, efforts(machine))
    tau = machine.inverse_dynamics(q, v, a)
    back = machine.forward_dynamics(q, v, tau)
    np.testing.assert_allclose(back, a, rtol=0, atol=1e-7 * max(1, np.abs(a).max()))
    independent = [name for name in machine.independent(q)]
    try:
        named = machine.inverse_dynamics(q, v, a, motors=independent)
    except lw.Error as refused:  # passive ones cannot be named
        assert "passive" in str(refused)
        return
    assert np.count_nonzero(named) <= len(independent)


def test_many_states(machine):
    states = [moving_state(machine, seed) for seed in range(11)]
    q, v = (np.array(x) for x in zip(*states))
    tau = efforts(machine)
    a = machine.forward_dynamics(q, v, tau)
    again = machine.forward_dynamics(np.asfortranarray(q), v, np.tile(tau, (11, 1)), threads=2)
    assert np.array_equal(a, again)
    back = machine.inverse_dynamics(q, v, a)
    for s in range(11):
        one = machine.forward_dynamics(q[s], v[s], tau)
        np.testing.assert_allclose(a[s], one, rtol=0, atol=1e-8 * max(1, np.abs(one).max()))
        np.testing.assert_allclose(back[s], machine.inverse_dynamics(q[s], v[s], a[s]), rtol=0,
                                   atol=1e-7 * max(1, np.abs(back[s]).max()))
        assert np.array_equal(machine.closure_jacobian(q)[s], machine.closure_jacobian(q[s]))
    by_columns = machine.closure_forces(np.asfortranarray(q), np.asfortranarray(v), tau, threads=3)
    carried = machine.closure_forces(q, v, tau)
    assert np.array_equal(by_columns, carried)
    assert carried.shape == (11, len(machine.closure_names), 6)
    assert np.array_equal(carried[4], machine.closure_forces(q[4], v[4], tau))


def test_open_states_are_refused(machine):
    q, v = moving_state(machine)
    apart = machine.integrate(q, 0.05 * np.random.default_rng(3).normal(size=machine.nv))
    zero = np.zeros(machine.nv)
    for ask in (
        lambda: machine.forward_dynamics(apart, zero, zero),
        lambda: machine.inverse_dynamics(apart, zero, zero),
        lambda: machine.closure_forces(apart, zero, zero),
        lambda: machine.mobility(apart),
        lambda: machine.mass_matrix(apart, coordinates="independent"),
    ):
        with pytest.raises(lw.Error, match="assemble"):
            ask()
    with pytest.raises(lw.Error, match="state 1: .*assemble"):
        machine.forward_dynamics(np.array([q, apart]), zero, zero)
    careless = lw.compile(machine.model, closure_tolerance=math.inf)
    assert np.isfinite(careless.forward_dynamics(apart, zero, zero)).all()


def test_the_cut_tree_only_in_words(machine):
    tree = machine.cut_open()
    assert tree.is_cut_open and not tree.is_closed and "loops cut open" in repr(tree)
    q = machine.random(4)
    zero = np.zeros(machine.nv)
    tau = tree.inverse_dynamics(q, zero, zero)
    np.testing.assert_allclose(tree.forward_dynamics(q, zero, np.zeros(tree.nv)) if not tau.any() else tau,
                               tree.bias(q, zero) - tree.joint_forces(q, zero) + (tau - tree.bias(q, zero) + tree.joint_forces(q, zero)))
    assert tree.digest == machine.digest
    with pytest.raises(lw.Error, match="cut open"):
        tree.assemble()


def test_assembly():
    machine = load("four_bar.yaml")
    found = machine.assemble({"crank_pivot": 2.0})
    assert found.q[0] == 2.0 and found.residual < 1e-11 and "crank_pivot" not in found.moved
    ways = machine.assemblies({"crank_pivot": 2.0})
    assert len(ways) == 2
    for branch, way in enumerate(ways):
        np.testing.assert_allclose(machine.assemble({"crank_pivot": 2.0}, branch=branch).q, way, rtol=0, atol=1e-9)
    with pytest.raises(lw.InputError, match="branch 2: 2 found"):
        machine.assemble({"crank_pivot": 2.0}, branch=2)
    with pytest.raises(lw.ComputationError, match="cannot be closed from here"):
        model = machine.model
        model.joints[1].pose = lw.Pose((9.1, 0, 0))
        lw.compile(model).assemble()
    with pytest.raises(lw.Error, match="crank_pivot"):
        machine.assemble(hold=["crank_pivo"])


def test_assembly_agrees_with_the_program(program):
    for name in ("four_bar.yaml", "stewart.yaml", "delta.yaml"):
        said = program("assemble", MODELS / name, "--json")
        assert np.array_equal(said["q"], load(name).assemble().q), name


def test_mobility_agrees_with_the_program(program, machine):
    said = program("info", MODELS / f"{machine.name}.yaml", "--json")
    if isinstance(said, str):
        pytest.skip(said)
    found = machine.mobility()
    for key in ("mobility", "grubler", "rank", "rows", "independent", "singular", "locked", "gained", "clusters",
                "smallest_singular_value", "largest_dropped_singular_value"):
        assert getattr(found, key) == said[key], key
    assert list(found.redundant) == said["redundant_constraints"]
    assert found.internal_forces.shape == (found.rows, found.rows - found.rank)
    J = machine.closure_jacobian(machine.state().q)
    assert np.abs(J.T @ found.internal_forces).max(initial=0) < 1e-8 * max(1, np.abs(J).max())
    assert f"mobility {found.mobility} " in repr(found)


def test_closing_joints(machine):
    q, v = moving_state(machine)
    found = machine.closing_joints(q, v)
    assert found.q.shape == found.v.shape == (len(machine.closing_names),)
    h = 1e-6
    ahead, behind = (machine.closing_joints(machine.integrate(q, v, dt)).q for dt in (h, -h))
    turns = [name for name in machine.closing_names if ":" not in name]
    for i, name in enumerate(machine.closing_names):
        if name in turns:  # a ball's rotation vector has other rates
            rate = (ahead[i] - behind[i]) / (2 * h)
            assert abs(rate - found.v[i]) < 1e-5 * max(1, abs(rate))


def test_motors_by_name():
    machine = load("five_bar.yaml")
    q, v = moving_state(machine)
    a = machine.forward_dynamics(q, v, np.zeros(machine.nv))
    with pytest.raises(lw.Error, match="did you mean 'left_motor'"):
        machine.inverse_dynamics(q, v, a, motors=["left_moto"])
    tau = machine.inverse_dynamics(q, v, a, motors=["left_motor", "right_motor"])
    assert set(np.array(machine.effort_names)[tau != 0]) <= {"left_motor", "right_motor"}


OPEN_BAR = """<robot name="bar">
  <link name="ground"/>
  {links}
  <joint name="crank" type="continuous"><parent link="ground"/><child link="a"/><axis xyz="0 1 0"/></joint>
  <joint name="knee" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/></joint>
  <joint name="wrist" type="continuous"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/></joint>
  <link name="tip"/><joint name="at_tip" type="fixed"><parent link="c"/><child link="tip"/><origin xyz="1 0 0"/></joint>
  <link name="post"/><joint name="at_post" type="fixed"><parent link="ground"/><child link="post"/><origin xyz="1 0 0"/></joint>
</robot>"""
LINK = ('<link name="{}"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" '
        'iyz="0"/></inertial><visual><geometry><mesh filename="package://bars/{}.stl"/></geometry></visual></link>')


def test_loops_and_packages_of_a_urdf_come_from_elsewhere(tmp_path):
    urdf, pairs, meshes = tmp_path / "bar.urdf", tmp_path / "pairs.yaml", tmp_path / "meshes"
    urdf.write_text(OPEN_BAR.format(links="".join(LINK.format(name, name) for name in "abc")))
    pairs.write_text("closed_loop: [[tip, post]]\ntype: ['3d']\nname_mot: [crank]\n")
    meshes.mkdir()
    for name in "abc":
        (meshes / f"{name}.stl").write_text("solid s\nendsolid s\n")
    bar = lw.load(urdf, packages={"bars": meshes}, closures=pairs)
    assert bar.closure_names == ["loop1"] and not bar.model.warnings
    q = bar.assemble({"crank": 1.0}).q
    assert bar.mobility(q).mobility == 1
    np.testing.assert_allclose(bar.frame_pose(q, "tip")[:3, 3], bar.frame_pose(q, "post")[:3, 3], atol=1e-10)
    assert {visual.file for visual in bar.model.visuals} == {str(meshes / f"{name}.stl") for name in "abc"}
    again = lw.loads(urdf.read_text(), packages={"bars": meshes}, closures=str(pairs))
    assert again.closure_names == bar.closure_names
    with pytest.raises(lw.InputError, match=r"pairs\.yaml:1: .*no link or joint 'tipp'; did you mean 'tip'"):
        pairs.write_text("closed_loop: [[tipp, post]]\ntype: ['3d']\nname_mot: [crank]\n")
        lw.load(urdf, closures=pairs)
