"""What the comparisons with Pinocchio and MuJoCo share: models without forces, states, how close is close."""

import numpy as np
import pytest
from conftest import MODELS, ROOT, SHARED

import linkwright as lw

#: rounding of sums of a few hundred products, relative to the largest
BOUND = 1e-12


def files(*patterns, own=MODELS):
    """Of the repository and, where they lie beside it, the shared ones, for parametrize."""
    return [pytest.param(file, id=file.name) for file in _find(patterns, own)] or [_nothing(1)]


def files_and_bases(*patterns):
    """The same, each on every base that it can have: what hangs from the world by joints of its own cannot be free."""
    found = []
    for file in _find(patterns, MODELS):
        found.append(pytest.param(file, "fixed", id=f"{file.name}-fixed"))
        try:
            lw.read_model(file, "free", lenient=True)
        except lw.InputError:
            continue
        found.append(pytest.param(file, "free", id=f"{file.name}-free"))
    return found or [_nothing(2)]


def _find(patterns, own):
    """Parts, which other files include, are no models."""
    found = [file for folder in (own, SHARED / "models") for pattern in patterns for file in sorted(folder.glob(pattern))]
    return [file for file in found if not file.stem.endswith("_part")]


def _nothing(count):
    return pytest.param(*[None] * count, marks=pytest.mark.skip(reason=f"{SHARED / 'models'} is not there"))


def without_forces(file, base="fixed", *, loops=False, angles=False, **options):
    """The file's masses and joints alone: dampers, springs, rotors and motors have other meanings elsewhere.

    angles: joints that turn for ever have one number in q elsewhere too.
    """
    model = lw.read_model(file, base, lenient=True, **options)
    for part in [*model.joints, *model.closures]:
        part.damping, part.friction, part.passive, part.rotor_inertia = [], [], [], []
    for joint in model.joints:
        joint.type = "revolute" if angles and joint.type == "continuous" else joint.type
    model.joint_springs, model.line_springs, model.joint_loads, model.body_loads, model.actuators = [], [], [], [], []
    if not loops:
        model.closures = []
    return lw.compile(model, cut_open=not loops)


def close(got, expected, what, bound=BOUND):
    np.testing.assert_allclose(got, expected, rtol=0, atol=bound * max(1, np.abs(expected).max(initial=0)), err_msg=what)


def mujoco_numbers(mujoco, theirs, data):
    """Mass matrix and bias."""
    M = np.zeros((theirs.nv, theirs.nv))
    if "MjData" in (mujoco.mj_fullM.__doc__ or ""):  # since 3.4
        mujoco.mj_fullM(theirs, data, M)
    else:
        mujoco.mj_fullM(theirs, M, data.qM)
    return M, data.qfrc_bias


def velocity_map(system, them, q):
    """T of their v = T v."""
    return np.array([them.velocity(q, e) for e in np.eye(system.nv)]).T
