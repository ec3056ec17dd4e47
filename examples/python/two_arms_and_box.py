"""Two arms hold a box between soft fingertips: who carries how much, and how hard they must squeeze."""

import numpy as np

import linkwright as lw

system = lw.load("models/two_arms_and_box.yaml")
held = lw.grasp(system, "box")
print(held)
assert held.force_closure.holds and held.rank == 6
assert np.allclose(held.G @ held.internal, 0, atol=1e-12)            # squeezes: forces that move nothing

weight = 4 * 9.81
for reserve in (0.0, 0.3):
    shared = held.share(reserve=reserve)
    print(f"reserve {reserve:.0%}:", {c.name: f"{c.normal:.2f} N in, {c.tangential:.2f} N up" for c in shared.contacts})
    friction = {c.name: c.friction for c in held.analysis.contacts}
    assert np.isclose(sum(c.tangential for c in shared.contacts), weight, rtol=1e-6)
    for contact in shared.contacts:                                   # no harder than friction asks for
        assert np.isclose(contact.tangential, (1 - reserve) * friction[contact.name] * contact.normal, rtol=1e-3)

# The efforts that were found do hold it.
shared = held.share(reserve=0.3)
tau = np.zeros(len(system.effort_names))
for motor in shared.motors:
    tau[system.effort_names.index(motor.name)] = motor.effort
a = system.forward_dynamics(held.q, np.zeros(system.nv), tau)
print(f"largest acceleration {np.abs(a).max():.0e}, margins {held.margins(tau)}")
assert np.abs(a).max() < 1e-6 and min(held.margins(tau).values()) > 0

# Lifted with 2 m/s²: the arms carry more by as much.
lifted = held.share([0, 0, 0, 0, 0, 2.0])
assert np.isclose(sum(c.tangential for c in lifted.contacts), weight * (1 + 2 / 9.81), rtol=1e-6)
felt = held.impedance()
print("what the box weighs to someone who pushes it, kg:", np.round(np.diag(felt.inertia)[3:], 1))
assert (np.diag(felt.inertia)[3:] > 4).all()                          # its own 4 kg and the arms behind
