"""A sweep over processes: how gain and damping of a regulated four-bar decide how long it takes to settle.

A Dask cluster or MPI takes the place of the processes with one line: `client.get_executor()`, `MPIPoolExecutor()`.
"""

from concurrent.futures import ProcessPoolExecutor

import numpy as np

import linkwright as lw


def settling(kp, damping):
    """Seconds until the crank stays within 0.01 rad of where it is sent."""
    model = lw.read_model("models/four_bar.yaml")
    model.joints[0].damping = [damping]
    bar = lw.compile(model)
    start = bar.equilibrium({"crank_pivot": 1.0}, hold=True)
    goal = start.q[0] + 0.2
    hold = bar.equilibrium({"crank_pivot": goal}, hold=True).tau[0]
    run = lw.simulate(bar, 4.0, q=start.q, control=lambda t, q, v: {"tau:crank_pivot": hold + kp * (goal - q[0])}, step=2e-3)
    away = np.abs(run.q[:, 0] - goal) > 0.01
    return float(run.time[away][-1])


if __name__ == "__main__":
    cases = lw.grid(kp=[4.0, 8.0], damping=[0.05, 0.2, 0.8])
    with ProcessPoolExecutor(2) as executor:
        study = lw.sweep(settling, cases, executor, file="sweep.jsonl")
    print(study.to_pandas())
    print("cases", len(study))
    print("failed", len(study.failures))
    print("too_little", study[0])
    print("well_damped", study[1])
    print("too_much", study[2])
