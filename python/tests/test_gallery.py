"""The programs of examples/python run, what they print obeys the law that each of them is about, and each has its picture."""

import contextlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "examples" / "python"
PICTURES = ROOT / "docs" / "figures" / "gallery"
#: bytes of all of them together
MOST = 1_500_000


def run_example(name, folder):
    """Runs it and draws its picture in the folder; lines "name number" of what it prints."""
    done = subprocess.run([sys.executable, ROOT / "examples" / "pictures", name, "--out", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = {}
    for line in done.stdout.splitlines():
        match = re.fullmatch(r"(\w+) (\S+)", line)
        with contextlib.suppress(ValueError):
            if match:
                found[match[1]] = float(match[2])
    assert found, done.stdout
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
    "redundancy": ["least_of_others > least_energy", "task_error < 1e-12", "swing > 0.1", "tool_moved < 1e-9",
                   "12 < moved_by_steps_twice_as_long < 20"],
    "operational_space": ["acceleration_error < 1e-10", "joints_feel > 1", "tool_feels < 1e-9 * joints_feel",
                          "abs(energy / energy_by_lambda - 1) < 1e-10"],
    # Standard deviations of 28 to 49 numbers, drawn from a fixed seed.
    "what_the_filter_means": ["covariance_off_in_deviations < 5", "correlation_of_efforts > 0.5",
                              "correlation_of_innovations_in_deviations < 5", "variance_off_in_deviations < 5",
                              "inverse_error < 1e-10", "log_determinant_error < 1e-10"],
    # Lengths stand in the file with six digits, 1e-6 m over rods that are 8 cm apart.
    "delta": ["mobility == 3", "turns < 1.3e-5", "asymmetry < 1.3e-5", "kilograms_up > 0.4", "virtual_work_error < 1e-10",
              "abs(effort_loaded) > abs(effort_alone)"],
    "ankle": ["bend > 0 > roll", "statics_error < 1e-10", "rotors_share > 0.5", "rest_is_positive > 0"],
    "two_arms_and_box": ["rank == 6", "margin > 0", "squeeze_error < 1e-12", "weight_error_all < 1e-9",
                         "weight_error_kept_back < 1e-9", "abs(part_of_friction_all - 1) < 1e-9",
                         "abs(part_of_friction_kept_back - 1) < 1e-9", "normal_kept_back > 1.4 * normal_all",
                         "acceleration_when_held < 1e-8", "least_margin > 0", "lift_error < 1e-9", "felt_mass > 4"],
    "soft_fingers": ["holds_2_point == 0", "holds_2_soft_finger == holds_3_point == holds_3_soft_finger == 1",
                     "rank_2_point == 5", "rank_2_soft_finger == 6", "resistance_to_the_turn < 1e-9",
                     "without_friction == 0", "up_error < 1e-9", "in_error < 1e-9"],
    # The turn is the area that the joints go round, to the order of its side.
    "space_robot": ["hand_per_radian_in_space < hand_per_radian_on_the_ground", "momentum < 1e-10", "arms_are_back < 1e-12",
                    "turned > 1e-3", "abs(turned_by_twice_the_side - 4) < 0.4"],
    "flexible_base": ["abs(power / power_by_the_law - 1) < 1e-12", "power < 0", "swing_braked < 0.9 * swing_held_still"],
    # Elements half as long err a quarter as much.
    "flexible_arm": ["3 < first_off_3 / first_off_6 < 6", "3 < first_off_6 / first_off_12 < 6", "3 < second_off_3 / second_off_6 < 6",
                     "3 < second_off_6 / second_off_12 < 6", "first_off_12 < 1e-3", "abs(weighted / by_rayleigh - 1) < 1e-3",
                     "weighted < unweighted"],
    "network_with_motors": ["states == 4", "shoulder < 0", "lowest_voltage < 23", "sum_of_powers < 1e-9 * largest_power",
                            "0.5 < rings_at / undamped < 1"],
}


def test_every_example_has_its_laws():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(LAWS)
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text().splitlines()) <= 60, f"{path.name} is more than a screen"


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_example(name, tmp_path):
    found = run_example(name, tmp_path)
    for law in LAWS[name]:
        assert eval(law, {"abs": abs}, found), f"{law}: {found}"
    assert drawn_words(tmp_path / f"{name}.svg") == drawn_words(PICTURES / f"{name}.svg"), "make figures draws it anew"


def drawn_words(picture):
    """Titles and labels; numbers at the axes may differ by rounding from machine to machine."""
    words = re.findall(r"<text[^>]*>([^<]*)</text>", picture.read_text(encoding="utf-8"))
    return [word for word in words if re.search("[a-z]", word)]


def test_the_page_shows_every_example():
    names = {path.stem for path in EXAMPLES.glob("*.py")}
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| !\[[^\]]+\]\(figures/gallery/(\w+)\.svg\) \| .* Law: .*\(\.\./examples/python/(\w+)\.py\)(?:, \[\w+\.cpp\]\(\.\./examples/\w+\.cpp\))? \|$", page, re.M)
    assert sorted(shown) == sorted((name, name) for name in names)
    assert {path.name for path in PICTURES.iterdir()} == {f"{name}.svg" for name in names}
    assert sum(path.stat().st_size for path in PICTURES.iterdir()) < MOST
