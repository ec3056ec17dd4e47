"""A PUMA 560 driven by voltages: those of a motion are computed, given to its motors, and the motion comes back."""

import numpy as np

import linkwright as lw

arm = lw.load("models/puma560_motors.yaml")
for motor in arm.drives:
    print(motor)

# Joint 2 swings; its motor needs the jerk, because the current in its inductance has to change.
t = np.linspace(0, 0.5, 1001)
q, v, a, jerk = (np.tile(x, (len(t), 1)) for x in (arm.state().q, *np.zeros((3, arm.nv))))
w = 2 * np.pi
q[:, 1] += 0.1 * (1 - np.cos(w * t))
v[:, 1], a[:, 1], jerk[:, 1] = 0.1 * w * np.sin(w * t), 0.1 * w**2 * np.cos(w * t), -0.1 * w**3 * np.sin(w * t)
demand = arm.nominal_voltages(q, v, a, jerk)

volts = {"time": t} | {f"voltage:{n}": demand.voltage[:, i] for i, n in enumerate(demand.names)}
amperes = {f"motor:{n}:current": demand.current[0, i] for i, n in enumerate(demand.names)}
run = lw.simulate(arm, 0.5, q=q[0], v=v[0], inputs=volts, extra=amperes, step=2e-4, limits="ignore", record=["motor:m2"])
print("way", q[:, 1].max() - q[0, 1])
print("error", np.abs(run.q[-1, 1] - q[-1, 1]))
print("highest_voltage", np.abs(demand.voltage).max())
# Where the joint turns round, its dry friction changes sign at once, and the current follows as fast as its coil lets it.
off = np.abs(np.interp(t, run.time, run["motor:m2:current"]) - demand.current[:, 1])
print("current_error", np.median(off))
