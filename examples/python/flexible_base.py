"""A flexible base: an arm on a long boom shakes what it stands on, and can still it again.

With accelerations a = g M_apᵀ v_p of its joints the arm takes the power g |M_apᵀ v_p|² out of the boom: reaction used
as a brake.
"""

import numpy as np

import linkwright as lw

system = lw.load("models/arm_on_beam.yaml")
robot = lw.Manipulator(system, base="boom", tips=["tool"])
joints = [system.velocity_names.index(name) for name in robot.active]
boom = [system.velocity_names.index(name) for name in robot.passive]
rest = system.state().q


def accelerations(q, v, gain):
    """The arm's motors do what the brake asks for; the boom does what it must."""
    model = robot.model(q, v)
    wish = gain * model.M_ap.T @ v[boom] - 2 * v[joints] - (q - rest)[joints]
    if gain == 0:
        wish = -40 * v[joints] - 400 * (q - rest)[joints]      # held still
    a = np.zeros(system.nv)
    a[joints], a[boom] = wish, model.passive_acceleration(wish)
    return a


def swing(gain, time=1.5, h=1.5e-3):
    """How fast the boom bends, over time, after a blow; Runge and Kutta's method."""
    q, v = rest, np.zeros(system.nv)
    v[boom] = 0.02
    path = []
    for _ in range(int(time / h)):
        k1 = accelerations(q, v, gain)
        k2 = accelerations(q + h / 2 * v, v + h / 2 * k1, gain)
        k3 = accelerations(q + h / 2 * v + h * h / 4 * k1, v + h / 2 * k2, gain)
        k4 = accelerations(q + h * v + h * h / 2 * k2, v + h * k3, gain)
        q = q + h * v + h * h / 6 * (k1 + k2 + k3)
        v = v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path.append(np.linalg.norm(v[boom]))
    return np.array(path)


# The law at one moment: the reaction of these accelerations takes power from the boom, never gives any.
v = np.random.default_rng(1).normal(size=system.nv)
model = robot.model(rest, v)
pull = model.M_ap.T @ v[boom]
print("power", v[boom] @ (-model.M_ap @ (3.0 * pull)))
print("power_by_the_law", -3.0 * pull @ pull)
held, braked = swing(0), swing(3.0)
late = len(held) * 2 // 3
print("swing_held_still", held[late:].max())
print("swing_braked", braked[late:].max())
