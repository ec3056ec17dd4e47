"""A flexible base: an arm on a long boom shakes what it stands on, and can still it again.

With accelerations a = g M_apᵀ v_p of its joints the arm takes the power g |M_apᵀ v_p|² out of the boom: reaction used
as a brake.
"""

import numpy as np

import linkwright as lw

system = lw.load("models/arm_on_beam.yaml")
arm = ["waist", "shoulder", "elbow"]
robot = lw.Manipulator(system, base="boom", tips=["tool"])
joints = [system.velocity_names.index(name) for name in robot.active]
boom = [system.velocity_names.index(name) for name in robot.passive]
assert robot.active == arm
rest = system.state().q
tip = system.frame_pose(rest, "tip")[:3, 3]


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
    """How far the tip of the boom is from where it began, over time, after a blow; Runge and Kutta's method."""
    q, v = rest, system.velocity({boom_joint: 0.05 for boom_joint in robot.passive[-1:]})
    v[boom] += 0.02
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
assert np.isclose(v[boom] @ (-model.M_ap @ (3.0 * pull)), -3.0 * pull @ pull) and pull @ pull > 0
held, braked = swing(0), swing(3.0)
late = len(held) * 2 // 3
print(f"swing of the boom at the end: {held[late:].max():.4f} with the arm held still, {braked[late:].max():.4f} braked")
assert braked[late:].max() < held[late:].max()
