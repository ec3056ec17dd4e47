"""A space robot: what its arms do, its bus feels; they can also move so that it does not, or turn it as a cat turns."""

import numpy as np

import linkwright as lw

robot = lw.load("models/space_robot.yaml")
arms = lw.Manipulator(robot, tips=["left_hand", "right_hand"])
q0 = robot.state().q
print(arms.base, "driven:", arms.active)

# The generalized Jacobian: the bus gives way, so the hand moves less than on the ground.
model = arms.model(q0)
elbow = arms.active.index("left_elbow")
print("hand_per_radian_on_the_ground", np.linalg.norm(model.J_q[3:6, elbow]))
print("hand_per_radian_in_space", np.linalg.norm(model.J[3:6, elbow]))


def rates(q, arm_rates):
    """Rates of everything while the momentum stays zero."""
    v = robot.velocity(dict(zip(arms.active, arm_rates)))
    v[:6] = arms.model(q).base_velocity(np.zeros(6), v)
    return v


def turn(side, steps=20):
    """Shoulder and elbow of one arm go round a square; how far the bus has turned when they are back."""
    q = q0
    for joint, sign in (("left_yaw", 1), ("left_pitch", 1), ("left_yaw", -1), ("left_pitch", -1)):
        one = sign * side * np.eye(len(arms.active))[arms.active.index(joint)]
        for _ in range(steps):
            middle = robot.integrate(q, rates(q, one), 0.5 / steps)
            q = robot.integrate(q, rates(middle, one), 1 / steps)
    return 2 * np.linalg.norm(q[1:4]), np.abs(q[7:] - q0[7:]).max()


print("momentum", np.abs(robot.momentum(q0, rates(q0, np.ones(6)))).max())
(small, back), (large, _) = turn(0.2), turn(0.4)
print("arms_are_back", back)
print("turned", small)
print("turned_by_twice_the_side", large / small)       # the area that the joints went round
