"""Our numbers beside Pinocchio's and MuJoCo's, on every model that both can read. Needs `pip install pin mujoco`."""

import numpy as np
import pytest
from conftest import MODELS, SHARED

import linkwright as lw


def models():
    files = sorted(MODELS.glob("*.urdf"))
    if (SHARED / "models").is_dir():
        files += sorted((SHARED / "models").glob("*.urdf"))
    return files


def bare(file, base):
    """The tree alone: neither peer knows our dampers, rotors and gears in the same sense."""
    try:
        model = lw.read_model(file, base, lenient=True)
        for joint in model.joints:
            joint.damping, joint.friction, joint.rotor_inertia = [], [], []
        model.closures, model.actuators = [], []
        return lw.compile(model)
    except lw.Error as refused:
        pytest.skip(str(refused).splitlines()[0])


def close(got, expected, what):
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * max(1, np.abs(expected).max(initial=0)), err_msg=what)


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("file", models(), ids=lambda f: f.name)
def test_pinocchio(file, base):
    pin = pytest.importorskip("pinocchio", reason="pin is not installed")
    arm = bare(file, base)
    try:
        theirs = pin.buildModelFromUrdf(str(file), *([pin.JointModelFreeFlyer()] if base == "free" else []))
    except Exception as refused:
        pytest.skip(f"Pinocchio does not read it: {refused}")
    data = theirs.createData()
    order = [name for name in theirs.names if name != "universe"]
    if base == "free":
        order[0] = arm.joint_names[0]
    if sorted(order) != sorted(arm.joint_names):
        pytest.skip("the two read different joints")
    them = arm.convention("pinocchio", order)
    for seed in range(3):
        numbers = np.random.default_rng(seed)
        q, v, a = arm.random(seed), numbers.normal(size=arm.nv), numbers.normal(size=arm.nv)
        their_q, their_v, their_a = them.position(q), them.velocity(q, v), them.acceleration(q, v, a)
        tau = pin.rnea(theirs, data, their_q, their_v, their_a)
        close(them.from_effort(q, tau), arm.inverse_dynamics(q, v, a), "inverse dynamics")
        bias = pin.rnea(theirs, data, their_q, their_v, them.acceleration(q, v, np.zeros(arm.nv)))
        close(them.from_effort(q, bias), arm.bias(q, v), "bias")
        M = pin.crba(theirs, data, their_q)
        M = np.triu(M) + np.triu(M, 1).T
        T = np.array([them.velocity(q, e) for e in np.eye(arm.nv)]).T
        close(T.T @ M @ T, arm.mass_matrix(q), "mass matrix")
        back = arm.integrate(q, arm.difference(q, them.from_position(their_q)))
        close(back, q if np.allclose(back, q, atol=1e-9) else -q, "position")


@pytest.mark.parametrize("file", models(), ids=lambda f: f.name)
def test_mujoco(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it stands
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")
    arm = bare(file, "fixed")
    import re

    text = re.sub(r"<(visual|collision)\b.*?</\1>", "", file.read_text(), flags=re.S)
    text = re.sub(r"<transmission\b.*?</transmission>", "", text, flags=re.S)
    compiler = '<mujoco><compiler fusestatic="false" discardvisual="false" balanceinertia="false" boundmass="0" boundinertia="0"/></mujoco>'
    text = re.sub(r"(<robot\b[^>]*>)", lambda m: m.group(1) + compiler, text, count=1)
    try:
        theirs = mujoco.MjModel.from_xml_string(text)
    except ValueError as refused:
        pytest.skip(f"MuJoCo does not read it: {str(refused).splitlines()[0]}")
    order = [mujoco.mj_id2name(theirs, mujoco.mjtObj.mjOBJ_JOINT, i) for i in range(theirs.njnt)]
    if sorted(order) != sorted(arm.joint_names):
        pytest.skip("the two read different joints")
    theirs.dof_damping[:] = 0
    theirs.dof_armature[:] = 0
    theirs.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data, them = mujoco.MjData(theirs), arm.convention("mujoco", order)
    for seed in range(3):
        q, v = arm.random(seed), np.random.default_rng(seed).normal(size=arm.nv)
        data.qpos, data.qvel = them.position(q), them.velocity(q, v)
        mujoco.mj_forward(theirs, data)
        M = np.zeros((theirs.nv, theirs.nv))
        mujoco.mj_fullM(theirs, data, M) if _new_order(mujoco) else mujoco.mj_fullM(theirs, M, data.qM)
        T = np.array([them.velocity(q, e) for e in np.eye(arm.nv)]).T
        close(T.T @ M @ T, arm.mass_matrix(q), "mass matrix")
        close(them.from_effort(q, data.qfrc_bias), arm.bias(q, v), "bias")


def _new_order(mujoco):
    """MuJoCo 3.4 takes the data whole."""
    return tuple(map(int, mujoco.__version__.split(".")[:2])) >= (3, 4) and "MjData" in (mujoco.mj_fullM.__doc__ or "")
