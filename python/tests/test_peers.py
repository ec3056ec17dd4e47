"""Trees beside Pinocchio's and MuJoCo's, from every URDF. Needs what python/requirements_peers.txt lists."""

import numpy as np
import pytest
from conftest import random_state
from peers import close, files, files_and_bases, mujoco_numbers, velocity_map, without_forces
from urdf_for_peers import for_pinocchio, load_into_mujoco


@pytest.mark.parametrize("file, base", files_and_bases("*.urdf"))
def test_pinocchio(file, base):
    pin = pytest.importorskip("pinocchio", reason="pin is not installed")
    arm = without_forces(file, base)
    theirs = pin.buildModelFromXML(for_pinocchio(file), *([pin.JointModelFreeFlyer()] if base == "free" else []))
    data = theirs.createData()
    order = [name for name in theirs.names if name != "universe"]
    if base == "free":
        order[0] = arm.joint_names[0]
    assert sorted(order) == sorted(arm.joint_names)
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
    theirs = load_into_mujoco(mujoco, file)
    order = [mujoco.mj_id2name(theirs, mujoco.mjtObj.mjOBJ_JOINT, i) for i in range(theirs.njnt)]
    assert sorted(order) == sorted(arm.joint_names)
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
