"""The programs of examples/python run, and what they print obeys the law that each of them is about."""

import contextlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "examples" / "python"


def run_example(name, folder):
    """In a folder of its own, beside which the models stand; lines "name number" of what it prints."""
    (folder / "models").symlink_to(ROOT / "models")
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout, "an example shows something"
    found = {}
    for line in done.stdout.splitlines():
        match = re.fullmatch(r"(\w+) (\S+)", line)
        with contextlib.suppress(ValueError):
            if match:
                found[match[1]] = float(match[2])
    return found


#: what must hold of the numbers that are printed
LAWS = {
    "arm_from_urdf": ["acceleration_when_held < 1e-10", "push_error < 1e-12", "height > 0", "abs(hold_joint2) > 1"],
    "computed_torque": ["start_error > 0.5", "farthest_from_the_law < 1e-6", "end_error < 1e-2 * start_error"],
    "five_bar": ["mobility == 2", "left_error < 1e-6", "right_error < 1e-6", "closure_error < 1e-10",
                 "abs(work) > 1e-3", "work_error < 1e-3 * abs(work)"],
    "stewart": ["mobility == 6", "motors == 6", "acceleration_when_held < 1e-8", "residual < 1e-12", "closure_error < 1e-10"],
    "bricard": ["counted == 0", "mobility == 1", "redundant == 1", "way > 0.5", "energy_drift < 1e-6", "closure_error < 1e-10"],
    # Four times as long a chain: linear time is 4; quadratic would be 16.
    "forty_four_bars": ["mobility == 1", "times_longer < 10", "spread < 1e-9", "closure_error < 1e-9"],
    "motor_voltages": ["way > 0.15", "error < 1e-3 * way", "highest_voltage < 60", "current_error < 1e-4"],
    "linearize_and_regulate": ["unstable_before == 1", "slowest_pole < 0", "start_error > 0.04", "end_error < 1e-3 * start_error"],
    # Standard deviations: hardly one in fifty beyond four.
    "identification": ["condition < 100", "parameters > 40", "worst_in_deviations < 5", "abs(noise_found - 0.05) < 0.005"],
    "ten_thousand_states": ["states == 10000", "times_faster > 2", "difference < 1e-12"],
    "sweep": ["cases == 6", "failed == 0", "well_damped < too_little / 2", "well_damped < too_much / 2"],
}


def test_every_example_has_its_laws():
    """Here, or as assertions of its own."""
    names = {path.stem for path in EXAMPLES.glob("*.py")}
    assert set(LAWS) <= names
    for path in EXAMPLES.glob("*.py"):
        text = path.read_text()
        assert path.stem in LAWS or re.search(r"^ *assert ", text, re.M), f"{path.name} has no law"
        assert len(text.splitlines()) <= 90, f"{path.name} is more than a screen or two"


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_example(name, tmp_path):
    printed = run_example(name, tmp_path)
    for law in LAWS.get(name, []):
        assert eval(law, {"abs": abs}, printed), f"{law}: {printed}"
