"""Models in Python: building, editing, pickling, and nothing lost between the two languages."""

import copy
import dataclasses
import math
import pickle
import warnings

import numpy as np
import pytest
from conftest import MODELS, SHARED, load

import linkwright as lw
from linkwright import _core


def test_classes_are_those_of_the_library():
    for name, made in _core._defaults().items():
        mine = getattr(lw.model, name)()
        assert mine == made, name
        assert all(hasattr(made, f.name) for f in dataclasses.fields(mine)), name


def test_a_misspelled_field_is_refused():
    with pytest.raises(AttributeError, match="axsi"):
        lw.Joint("hinge").axsi = (0, 0, 1)


def test_version():
    import re

    stated = re.search(r"project\(linkwright VERSION ([0-9.]+)", (MODELS.parent / "CMakeLists.txt").read_text())
    assert lw.__version__ == stated[1]


def pendulum(length=1.0):
    model = lw.Model(name="pendulum")
    model.bodies.append(lw.Body("rod", mass=2, com=(0, 0, -length), inertia=(0.1, 0.1, 0.01, 0, 0, 0)))
    model.joints.append(lw.Joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0)))
    return model


def test_a_mechanism_from_scratch():
    arm = lw.compile(pendulum(0.7))
    assert arm.joint_names == ["hinge"] and arm.name == "pendulum"
    np.testing.assert_allclose(arm.mass_matrix([0.3]), [[0.1 + 2 * 0.7**2]])
    np.testing.assert_allclose(arm.gravity([0.3]), [2 * 9.81 * 0.7 * math.sin(0.3)])
    np.testing.assert_allclose(arm.frame_pose([0.3], "rod")[:3, 2], [math.sin(0.3), 0, math.cos(0.3)])


def test_flexible_links_are_those_of_a_file(program):
    file = load("flexible_arm.yaml")
    model = lw.read_model(MODELS / "flexible_arm.yaml")
    rigid = lw.Model(gravity=model.gravity)
    for body in model.bodies:
        if ":" not in body.name:
            rigid.bodies.append(lw.Body("upper") if body.name == "upper" else lw.Body("lower") if body.name == "lower" else body)
    at_the_end = {"mount": "upper", "grip": "lower"}
    for joint in model.joints:
        if not joint.implied:
            rigid.joints.append(joint)
            if joint.name in at_the_end:  # of the whole links again
                joint.parent, joint.pose = at_the_end[joint.name], lw.Pose((0.8, 0, 0))
    rigid.frames.append(lw.Frame("tip", "lower", lw.Pose((0.8, 0, 0))))
    common = {"along": (0.8, 0, 0), "E": 7e10, "density": 2700, "bending": "z", "elements": 6, "damping_ratio": 0.005}
    bent = lw.compile(lw.to_elastic_chains(rigid, [
        lw.FlexibleLink("upper", section=lw.BeamSection(width=0.0025, height=0.06), **common),
        lw.FlexibleLink("lower", section=lw.BeamSection(width=0.002, height=0.05), **common),
    ]))
    assert bent.velocity_names == file.velocity_names
    q, v = file.random(1), np.ones(file.nv)
    assert np.array_equal(bent.mass_matrix(q), file.mass_matrix(q))
    assert np.array_equal(bent.joint_forces(q, v), file.joint_forces(q, v))
    told = program("info", MODELS / "flexible_arm.yaml", "--json")["flexible_links"]
    for beam, expected in zip(bent.flexible_links, told, strict=True):
        assert beam.frequencies == expected["clamped_frequencies_hz"]
        assert (beam.body, beam.elements, beam.length, beam.mass) == tuple(expected[k] for k in ("body", "elements", "length", "mass"))
    assert load("arm7.urdf").flexible_links == []


@pytest.mark.parametrize(
    "links, told",
    [
        ([lw.FlexibleLink("rot", along=(1, 0, 0))], "'rot'"),
        ([lw.FlexibleLink("rod")], "along"),
        ([lw.FlexibleLink("rod", along=(1, 0, 0), section=lw.BeamSection("square"))], "links.0..section.shape: there is no section 'square'"),
        ([lw.FlexibleLink("rod", along=(1, 0, 0), elements="many")], r"links.0..elements: expected a whole number; got 'many'"),
        (lw.FlexibleLink("rod"), "links: expected a list"),
    ],
)
def test_flexible_links_that_are_none_are_named(links, told):
    with pytest.raises(lw.InputError, match=told):
        lw.to_elastic_chains(pendulum(), links)


def test_editing():
    model = pendulum()
    first = lw.compile(model)
    model.body("rod").mass = 3
    model.joint("hinge").damping = [0.5]
    model.joint_springs.append(lw.JointSpring("hinge", stiffness=4, rest=0.1))
    model.frames.append(lw.Frame("tip", "rod", lw.Pose((0, 0, -2), rpy=(0, 0, math.pi / 2))))
    second = lw.compile(model)
    assert first.mass == 2 and second.mass == 3
    np.testing.assert_allclose(second.joint_forces([0.3], [2.0]), [-0.5 * 2 - 4 * 0.2])
    np.testing.assert_allclose(second.frame_pose([0], "tip")[:3], [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, -2]],
                               atol=1e-15)
    with pytest.raises(lw.InputError, match="did you mean 'rod'"):
        model.body("rot")


@pytest.mark.parametrize(
    "spoil, parts",
    [
        (lambda m: setattr(m.bodies[0], "mass", "heavy"), ["model.bodies[0].mass: expected a number; got 'heavy'"]),
        (lambda m: setattr(m.bodies[0], "com", (1, 2)), ["model.bodies[0].com has shape (2,)", "(3,)"]),
        (lambda m: setattr(m.joints[0], "type", "bent"), ["model.joints[0].type", "joint type 'bent'"]),
        (lambda m: setattr(m.joints[0], "limits", [1]), ["model.joints[0].limits[0]", "linkwright.model.Limits"]),
        (lambda m: setattr(m.joints[0], "pose", np.eye(4)), ["model.joints[0].pose", "linkwright.Pose"]),
        (lambda m: setattr(m, "cut", "hinge"), ["model.cut: expected a list"]),
        (lambda m: setattr(m.bodies[0], "mass", -1), ["'rod'", "mass"]),
        (lambda m: setattr(m.joints[0], "child", "rot"), ["'hinge'", "rot"]),
        (lambda m: m.bodies.append(lw.Joint()), ["model.bodies[1]: expected a linkwright.model.Body"]),
    ],
)
def test_mistakes_name_the_thing(spoil, parts):
    model = pendulum()
    spoil(model)
    with pytest.raises(lw.InputError) as told:
        lw.compile(model)
    for part in parts:
        assert part in str(told.value)


def files():
    yield from sorted(MODELS.glob("*.urdf"))
    yield from sorted(MODELS.glob("*.yaml"))
    for kind in ("*.urdf", "*.sdf", "*.xml"):
        yield from sorted((SHARED / "models").glob(kind))


@pytest.mark.parametrize("file", list(files()), ids=lambda f: f.name)
def test_nothing_is_lost(file):
    try:
        system = lw.load(file, lenient=True)
    except lw.Error as refused:
        pytest.skip(str(refused).splitlines()[0])
    model = system.model
    assert model == lw.read_model(file, lenient=True)
    again = pickle.loads(pickle.dumps(system))
    assert again.model == model and again.digest == system.digest and repr(again) == repr(system)
    assert again.warnings == system.warnings
    assert lw.compile(copy.deepcopy(model)).digest == system.digest
    q = system.random(1)
    assert np.array_equal(again.gravity(q), system.gravity(q))


def test_pickles_keep_the_options():
    system = load("four_bar.yaml", closure_tolerance=1e-6)
    assert pickle.loads(pickle.dumps(system)).closure_tolerance == 1e-6
    assert pickle.loads(pickle.dumps(system.cut_open())).is_cut_open


def test_text_in_memory(tmp_path):
    text = (MODELS / "arm7.urdf").read_text()
    assert lw.loads(text).digest == load("arm7.urdf").digest
    text = (MODELS / "four_bar.yaml").read_text()
    assert lw.loads(text, folder=MODELS).digest == load("four_bar.yaml").digest
    text = """<mujoco><worldbody><body name="b"><joint name="j" axis="0 1 0"/>
      <geom type="sphere" size="0.1" mass="1" pos="0 0 -1"/></body></worldbody></mujoco>"""
    assert lw.loads(text).joint_names == ["j"]
    text = """<sdf version="1.7"><model name="m"><link name="b"><inertial><mass>1</mass></inertial></link>
      <joint name="j" type="revolute"><parent>world</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
      </model></sdf>"""
    assert lw.loads(text, lenient=True).joint_names == ["j"]
    with pytest.raises(lw.InputError, match="note:1"):
        lw.loads("<robot><link/></robot>", name="note")


@pytest.mark.parametrize("name", [f.name for f in files() if f.parent == MODELS])
def test_written_models_are_the_same(name, tmp_path):
    system = load(name)
    lw.dump(system, tmp_path / "again.yaml")
    again = lw.load(tmp_path / "again.yaml")
    assert again.digest == system.digest
    assert lw.loads(lw.dumps(system.model), folder=MODELS).digest == system.digest


def test_written_urdf(tmp_path):
    system = load("arm7.urdf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # frames and motors are told, and have no part in the dynamics
        lw.dump(system, tmp_path / "again.urdf", lenient=True)
    again = lw.load(tmp_path / "again.urdf")
    q = system.random(1)
    np.testing.assert_allclose(again.mass_matrix(q), system.mass_matrix(q), rtol=0, atol=1e-14)
    with pytest.raises(lw.InputError, match="says no format"):
        lw.dump(system, tmp_path / "again.xml")
    with pytest.raises(lw.Error, match="rocker_pin|closure|loop"):
        lw.dumps(load("four_bar.yaml"), "urdf")


def test_pose():
    numbers = np.random.default_rng(1)
    for _ in range(20):
        quaternion = numbers.normal(size=4)
        a = lw.Pose(numbers.normal(size=3), quaternion=quaternion)
        b = lw.Pose(numbers.normal(size=3), rpy=numbers.normal(size=3))
        np.testing.assert_allclose((a @ b).matrix, a.matrix @ b.matrix, atol=1e-14)
        np.testing.assert_allclose((a @ a.inverse()).matrix, np.eye(4), atol=1e-14)
        for same in (lw.Pose(a.xyz, quaternion=a.quaternion), lw.Pose(a.xyz, rpy=a.rpy), lw.Pose.from_matrix(a.matrix)):
            np.testing.assert_allclose(same.matrix, a.matrix, atol=1e-14)
        assert pickle.loads(pickle.dumps(a)) == a and hash(lw.Pose.from_matrix(a.matrix)) == hash(a)
    assert repr(lw.Pose((1, 2, 3))) == "Pose((1, 2, 3))"
    with pytest.raises(ValueError, match="rotation: expected"):
        lw.Pose(rotation=2 * np.eye(3))
    with pytest.raises(AttributeError):
        a.xyz = (1, 2, 3)


def test_repr_shows_the_tree():
    for file in ("arm7.urdf", "stewart.yaml", "humanoid.urdf"):
        assert repr(load(file)) == str(load(file)).rstrip("\n")
    text = repr(load("arm7.urdf"))
    assert "joint4 → link4" in text and len(text.splitlines()) == 11
    text = repr(load("four_bar.yaml"))
    assert "rocker_pin: continuous between" in text or "rocker_pin: revolute between" in text


def test_positions_by_name():
    arm = load("space_robot.yaml")
    joint = arm.joint_names[1]
    q = arm.position({joint: 0.5})
    assert q[arm.joint(joint).q] == 0.5
    base = arm.joint(arm.joint_names[0])
    q = arm.position({base.name: [0, 1, 0, 0, 1, 2, 3]})
    assert np.array_equal(q[base.q], [0, 1, 0, 0, 1, 2, 3])
    assert np.array_equal(arm.velocity({arm.velocity_names[2]: 1.5}), 1.5 * np.eye(arm.nv)[2])
    with pytest.raises(lw.InputError, match="expected 7 finite numbers"):
        arm.position({base.name: 1.0})


def test_state_of_the_file():
    arm = load("space_robot.yaml")
    q, v = arm.state()
    model = arm.model
    assert model.initial.q or model.initial.v
    for entry in model.initial.q:
        np.testing.assert_allclose(q[arm.joint(entry.joint).q], entry.values)
    for entry in model.initial.v:
        np.testing.assert_allclose(v[arm.joint(entry.joint).v], entry.values)


