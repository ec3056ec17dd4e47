"""An arm from a URDF file: where its tool is, what it takes to hold it and to move it."""

import numpy as np

import linkwright as lw

arm = lw.load("models/arm7.urdf")
print(arm)  # the tree of its links

q = arm.position({"joint2": 0.6, "joint4": -1.2})
rest = np.zeros(arm.nv)
hold = arm.inverse_dynamics(q, rest, rest)
a = arm.forward_dynamics(q, rest, hold)
place = arm.frame_pose(q, "tool")[:3, 3]

# A push of 10 N, upwards, at the tool: the joints feel it through the Jacobian.
push = lw.ExternalForce("tool", force=[0, 0, 10], axes="world")
felt = hold - arm.inverse_dynamics(q, rest, rest, push)
expected = arm.jacobian(q, "tool", "world")[5] * 10

print("height", place[2])
print("hold_joint2", hold[arm.joint("joint2").v][0])
print("acceleration_when_held", np.abs(a).max())
print("push_error", np.abs(felt - expected).max())
