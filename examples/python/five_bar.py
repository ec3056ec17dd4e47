"""A five-bar: two motors on the ground move one point over the plane, through a closed loop."""

import numpy as np

import linkwright as lw

bar = lw.load("models/five_bar.yaml")
freedoms = bar.mobility()
print("mobility", freedoms.mobility)

run = lw.simulate(bar, 1.0, move=[{"left_motor": 0.3}, {"right_motor": -0.2}], move_in=[0.5, 0.5],
                  record=["frame:tip", "closure:tool", "tau"], rtol=1e-9)
print("left_error", abs(run["q:left_motor"][-1] - 0.3))
print("right_error", abs(run["q:right_motor"][-1] + 0.2))
print("closure_error", run.closure_error.max())

# What the motors give is what the energy and the friction of the loop take.
power = run["tau:left_motor"] * run["v:left_motor"] + run["tau:right_motor"] * run["v:right_motor"]
work = np.trapezoid(power, run.time)
print("work", work)
print("work_error", abs(work - (run.energy[-1] - run.energy[0])))
