"""What a call from Python costs beside the same call in C++ (`linkwright bench`).

    python benchmarks/python_overhead.py build/bin/linkwright models/arm7.urdf …
"""

import json
import math
import subprocess
import sys
import timeit

import numpy as np

import linkwright as lw


def best_ns(call, seconds=1.0):
    """The fastest of many short runs: what the machine does when nothing disturbs it."""
    number = max(1, int(2e-3 / max(timeit.timeit(call, number=3) / 3, 1e-7)))
    runs = max(5, int(seconds / 2e-3))
    return min(timeit.repeat(call, number=number, repeat=runs)) / number * 1e9


def measure(file, program, seconds=1.0):
    """Rows (what, C++ ns, Python ns) per state."""
    said = subprocess.run([program, "bench", file, "--json", "--quiet", "--seconds", str(3 * seconds)], check=True,
                          capture_output=True, text=True)
    rows = json.loads(said.stdout)["rows"]
    theirs = {(r["quantity"], r["batch"] > 1): r["ns"] for r in rows if r["scalar"] == "double"}
    arm = lw.load(file, closure_tolerance=math.inf)  # C++ does not ask whether states close the loops
    q, v = arm.state() if arm.is_closed else (arm.random(1), np.ones(arm.nv))
    x = arm.forward_dynamics(q, v, np.zeros(arm.nv))
    many = max((r["batch"] for r in rows), default=4096)
    by_rows = [np.tile(n, (many, 1)) for n in (q, v, x)]
    by_columns = [np.asfortranarray(n) for n in by_rows]
    found = []
    for quantity, call, tau in (("inverse-dynamics", arm.inverse_dynamics, x),
                                ("forward-dynamics", arm.forward_dynamics, np.zeros(arm.nv))):
        if (quantity, False) in theirs:
            found.append((f"{quantity}, one state", theirs[quantity, False], best_ns(lambda: call(q, v, tau), seconds)))
        if (quantity, True) in theirs:
            for layout, (Q, V, X) in (("rows (C order)", by_rows), ("columns (Fortran order)", by_columns)):
                given = X if quantity == "inverse-dynamics" else 0 * X
                found.append((f"{quantity}, {many} states in {layout}", theirs[quantity, True],
                              best_ns(lambda: call(Q, V, given), seconds) / many))
    if arm.is_closed:
        asks = lw.load(file)
        Q, V, X = by_columns
        for quantity, call, tau, many_tau in (("inverse-dynamics", asks.inverse_dynamics, x, X),
                                              ("forward-dynamics", asks.forward_dynamics, 0 * x, 0 * X)):
            for states, cpp, ns in ((1, theirs[quantity, False], best_ns(lambda: call(q, v, tau), seconds)),
                                    (many, theirs.get((quantity, True), math.nan),
                                     best_ns(lambda: call(Q, V, many_tau), seconds) / many)):
                found.append((f"{quantity}, {states} states, closures asked", cpp, ns))
    return found


if __name__ == "__main__":
    for model in sys.argv[2:]:
        print(model)
        for what, cpp, python in measure(model, sys.argv[1]):
            print(f"  {what:<56} C++ {cpp:9.1f} ns   Python {python:9.1f} ns")
