"""A four-bar stood on its head: linearised there, regulated by scipy's Riccati solution, and let go beside it."""

import numpy as np
from scipy.linalg import solve_continuous_are

import linkwright as lw

bar = lw.load("models/four_bar.yaml")
up = bar.equilibrium({"crank_pivot": 1.5}).q
model = bar.linearize(up, inputs=["tau:crank_pivot"])
print("unstable_before", len(model.analyse().unstable))

Q, R = np.diag([100.0, 1.0]), np.eye(1)
P = solve_continuous_are(model.A, model.B, Q, R)
K = np.linalg.solve(R, model.B.T @ P)
closed_loop = np.linalg.eigvals(model.A - model.B @ K)
print("slowest_pole", closed_loop.real.max())


def control(t, q, v):
    x = [q[0] - up[0], v[0]]
    return {"tau:crank_pivot": -(K @ x)[0]}


start = bar.assemble({"crank_pivot": up[0] + 0.05}).q
run = lw.simulate(bar, 3.0, q=start, control=control, rtol=1e-9, atol=1e-12)
print("start_error", abs(run.q[0, 0] - up[0]))
print("end_error", abs(run.q[-1, 0] - up[0]))
