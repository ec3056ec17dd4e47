"""Redundancy: seven joints for six directions of the tool.

Of all joint rates that move the tool alike, one takes the least kinetic energy; and the elbow can swing round while the
tool stands still.
"""

import numpy as np

import linkwright as lw
from linkwright import coordinates as co

arm = lw.load("models/arm7.urdf")
q = np.array([0.3, 0.6, -0.2, -1.4, 0.4, 0.9, 0.1])


def task(q):
    """The tool's six numbers by the joints, turned round so that the energy is least."""
    return co.RedundantTransfer(co.frame_influence(arm, q, "tool"), co.kinetic_energy_weight(arm, q))


# Whatever is added in the null space, the tool moves alike and the energy grows.
twist = np.array([0, 0, 0.5, 0.2, 0, -0.1])
now, J = task(q), arm.jacobian(q, "tool", "world")
others = [now.rates(twist, np.random.default_rng(seed).normal(size=7)) for seed in range(100)]
print("least_energy", arm.energy(q, now.rates(twist)).kinetic)
print("least_of_others", min(arm.energy(q, rates).kinetic for rates in others))
print("task_error", max(np.abs(J @ rates - twist).max() for rates in others))


def swing(q):
    """Joint rates that the tool does not notice."""
    return task(q).null_space @ np.array([0, 0, 1.0, 0, 0, 0, 0])


def follow(steps):
    """One second of it by Runge and Kutta's method; where the joints are, and how far the tool has gone."""
    at, h = q, 1 / steps
    for _ in range(steps):
        k1 = swing(at)
        k2 = swing(at + h / 2 * k1)
        k3 = swing(at + h / 2 * k2)
        at = at + h / 6 * (k1 + 2 * k2 + 2 * k3 + swing(at + h * k3))
    return at, np.abs(arm.frame_pose(at, "tool") - arm.frame_pose(q, "tool")).max()


(there, coarse), (_, fine) = follow(20), follow(40)
print("swing", np.abs(there - q).max())
print("tool_moved", fine)
print("moved_by_steps_twice_as_long", coarse / fine)  # only what the method leaves, of its fourth order
