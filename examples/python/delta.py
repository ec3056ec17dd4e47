"""Delta: three motors move a plate that never turns, and its model in the plate's own three numbers."""

import numpy as np

import linkwright as lw
from linkwright import coordinates as co

delta = lw.load("models/delta.yaml")
motors = ["motor1", "motor2", "motor3"]
q = delta.state().q
print(delta.mobility(q))

# The plate's six numbers by the motors: through the legs, to the second order.
plate = co.frame_influence(delta, q, "plate") @ co.mechanism_influence(delta, q, motors)
# It never turns, as far as the six digits of its lengths in the file say: 1e-6 m over rods that are 8 cm apart.
assert np.abs(plate.G[:3]).max() < 1e-6 / 0.08 and np.abs(plate.H[:3]).max() < 1e-6 / 0.08
print("metres per second of the plate by one radian per second each:\n", np.round(plate.G[3:], 4))

# The machine in x, y, z of its plate.
place = co.frame_influence(delta, q, "plate").select(["plate:vx", "plate:vy", "plate:vz"])
at_plate = co.double_transfer(delta, q, np.zeros(delta.nv), place)
inertia = at_plate.model.inertia
print("what the plate weighs to a hand, kg:", np.round(np.diag(inertia), 3))
assert np.allclose(inertia, np.diag(np.diag(inertia)), atol=1e-4)               # three legs, a third of a turn apart
assert np.isclose(inertia[0, 0], inertia[1, 1], rtol=1e-4)

# Motors that hold it, and 2 kg more in its gripper: by virtual work, and by the closed dynamics.
load = np.array([0, 0, 0, 0, 0, -2 * 9.81])
still = np.zeros(delta.nv)
held = delta.inverse_dynamics(q, still, still, motors=motors)
loaded = delta.inverse_dynamics(q, still, still, lw.ExternalForce("plate", load[3:], axes="world"), motors=motors)
entries = [delta.effort_names.index(motor) for motor in motors]
print("N m to hold it:", np.round(held[entries], 3), "and with 2 kg:", np.round(loaded[entries], 3))
assert np.allclose((loaded - held)[entries], -plate.G.T @ load, atol=1e-9)
