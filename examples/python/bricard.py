"""Bricard's linkage: counting says that it cannot move, and it moves, because one of its equations repeats the others."""

import linkwright as lw

ring = lw.load("models/bricard.yaml")
found = ring.mobility()
print("counted", found.grubler)
print("mobility", found.mobility)
print("redundant", found.rows - found.rank)

run = lw.simulate(ring, 1.0, rtol=1e-10, atol=1e-12)
print("way", abs(run.q[:, 0] - run.q[0, 0]).max())
print("energy_drift", abs(run.energy - run.energy[0]).max())
print("closure_error", run.closure_error.max())
