"""Delta: three motors move a plate that never turns, and its model in the plate's own three numbers."""

import numpy as np

import linkwright as lw
from linkwright import coordinates as co

delta = lw.load("models/delta.yaml")
motors = ["motor1", "motor2", "motor3"]
q = delta.state().q
print("mobility", delta.mobility(q).mobility)

# The plate's six numbers by the motors: through the legs, to the second order.
plate = co.frame_influence(delta, q, "plate") @ co.mechanism_influence(delta, q, motors)
print("metres per second of the plate by one radian per second each:\n", np.round(plate.G[3:], 4))
print("turns", max(np.abs(plate.G[:3]).max(), np.abs(plate.H[:3]).max()))

# The machine in x, y, z of its plate.
place = co.frame_influence(delta, q, "plate").select(["plate:vx", "plate:vy", "plate:vz"])
at_plate = co.double_transfer(delta, q, np.zeros(delta.nv), place)
inertia = at_plate.model.inertia
print("kilograms_across", inertia[0, 0])                  # three legs, a third of a turn apart: alike in x and y
print("kilograms_up", inertia[2, 2])
print("asymmetry", max(abs(inertia[0, 0] - inertia[1, 1]), np.abs(inertia - np.diag(np.diag(inertia))).max()))

# Motors that hold it, and 2 kg more in its gripper: by virtual work, and by the closed dynamics.
load = np.array([0, 0, 0, 0, 0, -2 * 9.81])
still = np.zeros(delta.nv)
held = delta.inverse_dynamics(q, still, still, motors=motors)
loaded = delta.inverse_dynamics(q, still, still, lw.ExternalForce("plate", load[3:], axes="world"), motors=motors)
entries = [delta.effort_names.index(motor) for motor in motors]
print("effort_alone", held[entries][0])
print("effort_loaded", loaded[entries][0])
print("virtual_work_error", np.abs((loaded - held)[entries] + plate.G.T @ load).max())
