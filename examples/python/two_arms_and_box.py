"""Two arms hold a box between soft fingertips: who carries how much, and how hard they must squeeze."""

import numpy as np

import linkwright as lw

system = lw.load("models/two_arms_and_box.yaml")
held = lw.grasp(system, "box")
print(held)
print("rank", held.rank)
print("margin", held.force_closure.margin)
print("squeeze_error", np.abs(held.G @ held.internal).max())            # squeezes: forces that move nothing

weight, friction = 4 * 9.81, {c.name: c.friction or 0.0 for c in held.analysis.contacts}
for name, reserve in (("all", 0.0), ("kept_back", 0.3)):
    shared = held.share(reserve=reserve)
    print(f"weight_error_{name}", abs(sum(c.tangential for c in shared.contacts) - weight) / weight)
    used = [c.tangential / ((1 - reserve) * friction[c.name] * c.normal) for c in shared.contacts]
    print(f"part_of_friction_{name}", min(used))                        # no harder than friction asks for
    print(f"normal_{name}", shared.contacts[0].normal)

# The efforts that were found do hold it.
shared = held.share(reserve=0.3)
tau = np.zeros(len(system.effort_names))
for motor in shared.motors:
    tau[system.effort_names.index(motor.name)] = motor.effort
a = system.forward_dynamics(held.q, np.zeros(system.nv), tau)
print("acceleration_when_held", np.abs(a).max())
print("least_margin", min(held.margins(tau).values()))

# Lifted with 2 m/s²: the arms carry more by as much.
lifted = held.share([0, 0, 0, 0, 0, 2.0])
print("lift_error", abs(sum(c.tangential for c in lifted.contacts) / weight - (1 + 2 / 9.81)))
felt = held.impedance()
print("felt_mass", np.diag(felt.inertia)[3:].min())                     # its own 4 kg and the arms behind
