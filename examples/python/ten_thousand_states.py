"""Ten thousand states in one call: arrays (K, nq) go to the batch path by themselves."""

import time

import numpy as np

import linkwright as lw

arm = lw.load("models/arm7.urdf")
numbers = np.random.default_rng(1)
lower, upper = np.maximum(arm.position_limits[0], -3), np.minimum(arm.position_limits[1], 3)
q = numbers.uniform(lower, upper, (10_000, arm.nq))
v = numbers.normal(size=(10_000, arm.nv))



def seconds(work):
    """Of the processor, the shortest of three."""
    took = []
    for _ in range(3):
        begin = time.process_time()
        result = work()
        took.append(time.process_time() - begin)
    return min(took), result


rest = np.zeros(arm.nv)
together, tau = seconds(lambda: arm.inverse_dynamics(q, v, np.zeros_like(v)))  # threads=2 would halve it
one_by_one, alone = seconds(lambda: np.array([arm.inverse_dynamics(x, y, rest) for x, y in zip(q, v)]))

print("states", len(tau))
print("times_faster", one_by_one / together)
print("difference", np.abs(tau - alone).max() / np.abs(alone).max())
