"""A network with motors: two motors on one weak battery, and an arm whose shoulder makes the elbow's voltage sag."""

import numpy as np

import linkwright as lw
from linkwright.network import Network

arm = lw.load("models/network_arm.yaml")
circuit = Network.of(arm).circuit()
print("states", len(circuit.states))
J = circuit.inertia                                    # the shoulder's rotor turns with its joint: part of the mass matrix


def rates(q, v, s):
    """Of positions, velocities and the circuit; the network answers speeds of joints with torques."""
    now = circuit.evaluate(s, given=v)
    torques = now.answers
    a = np.linalg.solve(arm.mass_matrix(q) + J, torques + arm.joint_forces(q, v) - arm.bias(q, v))
    return v, a, now.rates


def powers(q, v, s):
    """What every component takes, joints included: by Tellegen's theorem nothing in sum."""
    outputs = list(circuit.evaluate(s, given=v, given_rates=rates(q, v, s)[1]).outputs.values())
    return np.array(outputs[::2]) * np.array(outputs[1::2])


q, v, s, h = arm.neutral(), np.zeros(2), circuit.start(given=np.zeros(2)), 2e-5
names, bus = list(circuit.states), []
for _ in range(2500):
    k = [rates(q, v, s)]
    for part in (0.5, 0.5, 1.0):
        k.append(rates(*(x + part * h * dx for x, dx in zip((q, v, s), k[-1]))))
    q, v, s = (x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip((q, v, s), *k))
    bus.append(abs(s[names.index("network:buffer:voltage")]))
taken = powers(q, v, s)
print("shoulder", q[0])                                 # after 50 ms
print("lowest_voltage", min(bus))
print("largest_power", np.abs(taken).max())
print("sum_of_powers", abs(taken.sum()))

# How the belt of the elbow's gear rings: between any two places of the network.
linear = circuit.linear()
answer = linear.frequency_response("voltage:battery", "network:elbow_belt:torque", np.geomspace(10, 3000, 400))
peak = answer.frequency[np.argmax(abs(answer.value))]
print("rings_at", peak)                                 # rad/s: the elbow's rotor on its belt
print("undamped", np.sqrt(2.0 / 1.5e-5))
