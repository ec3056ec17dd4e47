"""What an arm weighs, from a measured motion: found again within the error bars that noise leaves."""

import numpy as np

import linkwright as lw

arm = lw.load("models/arm6.urdf")
run = lw.simulate(arm, 8.0, reference="models/arm6_excitation.csv", every=0.01, record=["a", "tau"])

noise = np.random.default_rng(1).normal(0, 0.05, run["tau"].shape)  # N m
measured = {"q": run.q, "v": run.v, "a": run["a"], "tau": run["tau"] + noise}
found = arm.identify(measured, joints=["damping", "friction"])

print("condition", found.condition)
print("parameters", len(found.names))
print("worst_in_deviations", np.abs((found.values - found.model_values) / found.deviations).max())
print("noise_found", np.mean(found.effort_deviations))
