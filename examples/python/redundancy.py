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
least = arm.energy(q, now.rates(twist)).kinetic
for seed in range(100):
    rates = now.rates(twist, np.random.default_rng(seed).normal(size=7))
    assert np.allclose(J @ rates, twist, atol=1e-12)
    assert arm.energy(q, rates).kinetic >= least * (1 - 1e-12)
print(f"least energy for this motion of the tool: {least:.4f} J")


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
print(f"the elbow swung by {np.abs(there - q).max():.2f} rad, the tool moved by {fine:.1e}")
assert np.abs(there - q).max() > 0.1
assert fine < 1e-6 and coarse / fine > 10  # only by what the method leaves: its fourth order
