"""Computed torque as a Python function: errors fade as those of a critically damped spring."""

import numpy as np

import linkwright as lw

arm = lw.load("models/arm7.urdf")
goal = arm.position({"joint2": 0.8, "joint4": -1.0, "joint6": 0.5})
w = 5.0  # 1/s


def control(t, q, v):
    return arm.inverse_dynamics(q, v, w * w * (goal - q) - 2 * w * v)


run = lw.simulate(arm, 2.0, control=control, rtol=1e-9, record=["tau", "frame:tool"])
law = (run.q[0] - goal) * ((1 + w * run.time) * np.exp(-w * run.time))[:, None]
print("start_error", np.abs(run.q[0] - goal).max())
print("end_error", np.abs(run.q[-1] - goal).max())
print("farthest_from_the_law", np.abs(run.q - goal - law).max())
run.view("computed_torque.html")
