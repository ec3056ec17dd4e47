"""A Stewart platform: six legs carry one body. It is moved by its legs, and found again by assembly."""

import numpy as np

import linkwright as lw

platform = lw.load("models/stewart.yaml")
start = platform.state()
found = platform.mobility(start.q)
print("mobility", found.mobility)

# The efforts of the six legs that hold it where it is.
rest = np.zeros(platform.nv)
hold = platform.inverse_dynamics(start.q, rest, rest)
a = platform.forward_dynamics(start.q, rest, hold)
print("motors", np.count_nonzero(hold))
print("acceleration_when_held", np.abs(a).max())

# A sagging start: the loops are closed again by the nearest position.
moved = platform.assemble(platform.integrate(start.q, 0.02 * np.ones(platform.nv)))
print("residual", moved.residual)
run = lw.simulate(platform, 0.2, q=moved.q, tau=hold)
print("closure_error", run.closure_error.max())
