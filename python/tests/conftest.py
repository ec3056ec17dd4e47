"""What all tests share: the repository, its program, random states."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

import linkwright as lw

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
SHARED = ROOT.parent / "shared"
PROGRAM = pathlib.Path(os.environ.get("LINKWRIGHT_BUILD", ROOT / "build")) / "bin" / "linkwright"

OPEN = ["arm6.urdf", "arm7.urdf", "quadruped.urdf", "humanoid.urdf", "flexible_arm.yaml", "space_robot.yaml", "arm_on_beam.yaml"]


def load(name, **options):
    """A model of the repository; legged ones stand on nothing."""
    if name in ("quadruped.urdf", "humanoid.urdf"):
        options.setdefault("base", "free")
    return lw.load(MODELS / name, **options)


def random_state(system, seed):
    """A position within the limits, and velocities and accelerations of order one."""
    numbers = np.random.default_rng(seed)
    return system.random(seed), numbers.normal(size=system.nv), numbers.normal(size=system.nv)


def motor_on_a_battery():
    net = lw.Network()
    net.voltage_source("battery", 12, "plus")
    net.resistor("winding", 0.8, "plus", "coil")
    net.inductor("choke", 2e-3, "coil", "brush", initial=0.5)
    net.motor("m1", 0.05, electrical="brush", shaft="rotor")
    net.inertia("rotor", 1e-4, "rotor", initial=3.0)
    return net


@pytest.fixture
def program():
    """Runs the program and returns what it writes as JSON, or what it says when it refuses."""
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")

    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr

    return run


def numbers_text(values):
    return ",".join(repr(float(x)) for x in values)
