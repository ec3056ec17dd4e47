"""An ankle with push rods: two motors on the shank bend and roll the foot through a closed chain."""

import numpy as np

import linkwright as lw
from linkwright import coordinates as co

ankle = lw.load("models/ankle.yaml")
motors, foot = ["left_motor", "right_motor"], ["ankle:0", "ankle:1"]     # pitch and roll
entries = [ankle.effort_names.index(name) for name in motors]


def transmission(q):
    """Motor rates by the rates of pitch and roll: what gears would be, but it changes with the pose."""
    return co.mechanism_influence(ankle, q, foot).select(motors).G


level = ankle.assemble({"ankle": [0.0, 0.0]}).q
G = transmission(level)
print("motors by pitch and roll, foot level:\n", np.round(G, 3))
print("bend", G[0, 0] * G[1, 0])                       # together they bend it,
print("roll", G[0, 1] * G[1, 1])                       # against each other they roll it

# What must the motors give for 30 N m of pitch under the foot? Statics through the transmission, and the closed dynamics.
worst = 0
for pitch, roll in [(0.0, 0.0), (0.4, 0.1), (-0.5, -0.2)]:
    q = ankle.assemble({"ankle": [pitch, roll]}).q
    still = np.zeros(ankle.nv)
    ground = lw.ExternalForce("foot", moment=(0, 30, 0), axes="world")
    alone = ankle.inverse_dynamics(q, still, still, motors=motors)[entries]
    pushed = ankle.inverse_dynamics(q, still, still, ground, motors=motors)[entries]
    at_foot = (co.frame_influence(ankle, q, "foot") @ co.mechanism_influence(ankle, q, foot)).effective_load(
        [0, 30, 0, 0, 0, 0])
    by_statics = -np.linalg.solve(transmission(q).T, at_foot)
    print(f"pitch {pitch:+.1f}, roll {roll:+.1f}: motors {np.round(pushed - alone, 3)} N m")
    worst = max(worst, np.abs(pushed - alone - by_statics).max())
print("statics_error", worst)

# Its rotors, felt at the foot, make most of its inertia: that is what gears and rods cost.
M = ankle.mass_matrix(level, coordinates=foot)
rotors = 0.02 * G.T @ G
print("rotors_share", rotors[0, 0] / M[0, 0])
print("rest_is_positive", np.linalg.eigvalsh(M - rotors).min())
