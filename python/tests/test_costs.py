"""What calls cost: time beside C++, memory, and the interpreter's lock."""

import pathlib
import sys
import threading

import numpy as np
import pytest
from conftest import MODELS, PROGRAM, ROOT, load, random_state

sys.path.insert(0, str(ROOT / "benchmarks"))
from python_overhead import measure  # noqa: E402


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
def test_a_call_costs_a_microsecond_more_than_in_cpp_at_most():
    rows = {}
    for _ in range(3):  # another load on the machine is no cost of ours
        for what, cpp, python in measure(MODELS / "arm7.urdf", PROGRAM, 0.1):
            best = rows.setdefault(what, [cpp, python])
            rows[what] = [min(best[0], cpp), min(best[1], python)]
    for what, (cpp, python) in rows.items():
        print(f"{what}: C++ {cpp:.0f} ns, Python {python:.0f} ns")
        if "one state" in what:
            assert python <= cpp + 1000, what
        elif "columns" in what:
            assert python <= 1.5 * cpp, what


def resident():
    """Bytes in memory."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="no /proc")
def test_memory_is_flat():
    arm = load("arm7.urdf")
    machine = load("four_bar.yaml")
    q, v, a = random_state(arm, 1)
    at, speed = machine.state()
    many = [np.tile(x, (32, 1)) for x in (q, v, a)]
    force = {"tool": [1, 2, 3, 4, 5, 6]}

    def some():
        for _ in range(1000):
            arm.inverse_dynamics(q, v, a, force)
            machine.forward_dynamics(at, speed, speed)
        for _ in range(10):
            arm.jacobian(q, "tool")
            arm.inverse_dynamics(*many)
            arm.inverse_dynamics_derivatives(q, v, a)
            for bad in (q[:3], None):
                try:
                    arm.gravity(bad)
                except ValueError:
                    pass

    some()
    before = resident()
    for _ in range(100):  # 10⁵ calls
        some()
    # 100 000 results of 56 bytes and their heads would be more than 10 MB.
    assert resident() - before < 2e6


def test_long_calls_let_other_threads_run():
    arm = load("humanoid.urdf")
    q = np.array([arm.random(s) for s in range(50)] * 200)
    v = np.ones((len(q), arm.nv))
    ticks, done = 0, threading.Event()

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1

    sys.setswitchinterval(1e-6)
    other = threading.Thread(target=count)
    other.start()
    try:
        for call in (lambda: arm.inverse_dynamics(q, v, v), lambda: arm.bias(q, v)):
            ticks = 0
            call()
            assert ticks > 100, "the other thread stood still"
    finally:  # or it would count for ever
        done.set()
        other.join()


def test_threads_share_a_system():
    arm = load("arm7.urdf")
    machine = load("four_bar.yaml")
    q, v, a = (np.array(x) for x in zip(*(random_state(arm, seed) for seed in range(300))))
    expected = arm.inverse_dynamics(q, v, a)
    at, speed = machine.state()
    forward = machine.forward_dynamics(at, speed, 0 * speed)
    wrong = []

    def work(k):
        for s in range(300):
            if k % 2:
                if not np.array_equal(arm.inverse_dynamics(q, v, a), expected):
                    wrong.append(k)
            elif not np.array_equal(machine.forward_dynamics([at] * 4, speed, 0 * speed)[3],
                                    machine.forward_dynamics([at] * 4, speed, 0 * speed)[0]):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert np.array_equal(machine.forward_dynamics(at, speed, 0 * speed), forward)
