"""Trees beside Pinocchio's and MuJoCo's, from every URDF that both can read. Needs `pip install pin mujoco`."""

import re

import numpy as np
import pytest
from conftest import random_state
from peers import close, files, mujoco_numbers, velocity_map, without_forces


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("file", files("*.urdf"))
def test_pinocchio(file, base):
    pin = pytest.importorskip("pinocchio", reason="pin is not installed")
    arm = without_forces(file, base)
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
        q, v, a = random_state(arm, seed)
        their_q, their_v, their_a = them.position(q), them.velocity(q, v), them.acceleration(q, v, a)
        tau = pin.rnea(theirs, data, their_q, their_v, their_a)
        close(them.from_effort(q, tau), arm.inverse_dynamics(q, v, a), "inverse dynamics")
        bias = pin.rnea(theirs, data, their_q, their_v, them.acceleration(q, v, np.zeros(arm.nv)))
        close(them.from_effort(q, bias), arm.bias(q, v), "bias")
        M = pin.crba(theirs, data, their_q)
        M = np.triu(M) + np.triu(M, 1).T
        T = velocity_map(arm, them, q)
        close(T.T @ M @ T, arm.mass_matrix(q), "mass matrix")
        back = arm.integrate(q, arm.difference(q, them.from_position(their_q)))
        close(back, q if np.allclose(back, q, atol=1e-9) else -q, "position")


@pytest.mark.parametrize("file", files("*.urdf"))
def test_mujoco(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it stands
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")
    arm = without_forces(file)
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
        q, v, _ = random_state(arm, seed)
        data.qpos, data.qvel = them.position(q), them.velocity(q, v)
        mujoco.mj_forward(theirs, data)
        M, bias = mujoco_numbers(mujoco, theirs, data)
        T = velocity_map(arm, them, q)
        close(T.T @ M @ T, arm.mass_matrix(q), "mass matrix")
        close(them.from_effort(q, bias), arm.bias(q, v), "bias")
