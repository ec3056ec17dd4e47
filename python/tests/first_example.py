"""What a newcomer tries first; mypy reads it, and every installation runs it: python first_example.py models"""

import sys

import numpy as np

import linkwright as lw

folder = sys.argv[1] if len(sys.argv) > 1 else "models"
arm = lw.load(f"{folder}/arm7.urdf")
q = arm.position({"joint2": 0.5, "joint4": -1.0})
v = np.zeros(arm.nv)
tau = arm.gravity(q)
a: np.ndarray = arm.forward_dynamics(q, v, tau)
assert np.allclose(a, 0, atol=1e-10), "what holds it still does not move it"

many = np.array([arm.random(seed) for seed in range(100)])
poses = arm.frame_pose(many, "tool")
assert poses.shape == (100, 4, 4)

push = lw.ExternalForce("tool", force=(0, 0, -10), axes="world")
pushed: dict[str, float] = arm.named(arm.inverse_dynamics(q, v, v, push) - tau)
assert abs(pushed["joint1"]) < 1e-9, "a vertical push does not turn a vertical axis"

machine = lw.load(f"{folder}/four_bar.yaml")
found = machine.assemble({"crank_pivot": 2.0})
mobility: int = machine.mobility(found.q).mobility
assert mobility == 1

try:
    arm.gravity(q[:3])
except lw.Error as error:
    print(error)
print(arm)
