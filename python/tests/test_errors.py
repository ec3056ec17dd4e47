"""Mistakes are told by name, with the program's own words."""

import pickle

import numpy as np
import pytest
from conftest import MODELS, SHARED, load

import linkwright as lw


@pytest.fixture(scope="module")
def arm():
    return load("arm7.urdf")


ZERO = np.zeros(7)


def test_what_a_callers_function_raises_comes_out_as_it_is(arm):
    """Also what looks like a refusal of a compiled call, and texts that no encoding knows."""
    for told in ("step(): incompatible function arguments. Invoked with: 3", "cannot read \udcff"):
        def control(t, q, v, told=told):
            raise TypeError(told)

        with pytest.raises(TypeError) as raised:
            lw.simulate(arm, 0.01, control=control)
        assert str(raised.value) == told and not isinstance(raised.value, lw.Error)


def test_what_prints_as_no_text_is_refused_by_name(arm):
    class Odd:
        def __repr__(self):
            return "\udcff"

    with pytest.raises(lw.InputError, match="threads: expected 1, 2, 3"):
        arm.gravity(ZERO, threads=Odd())


@pytest.mark.parametrize(
    "given, parts",
    [
        ([1, 2, 3], ["q has shape (3,)", "expected (7,)", "(K, 7)"]),
        (np.zeros((2, 3, 7)), ["q has shape (2, 3, 7)"]),
        (3.0, ["q has shape ()"]),
        ("text", ["q is str", "expected real numbers"]),
        (["0"] * 7, ["q is list", "expected real numbers"]),
        (np.zeros(7, complex), ["q is an array of dtype complex128", "float64"]),
        (np.zeros(7, bool), ["q is an array of dtype bool"]),
        ([[1, 2], [3]], ["q: expected numbers; got list"]),
        (None, ["q is None", "expected real numbers"]),
        (np.full(7, np.nan), ["q[0] of joint 'joint1' is nan"]),
    ],
)
def test_arguments(arm, given, parts):
    with pytest.raises(lw.InputError) as told:
        arm.inverse_dynamics(given, ZERO, ZERO)
    for part in parts:
        assert part in str(told.value)
    assert isinstance(told.value, ValueError) and isinstance(told.value, lw.Error)


def test_the_argument_is_named_as_it_is_called(arm):
    for call in (arm.forward_dynamics, arm.inverse_dynamics):
        with pytest.raises(lw.InputError, match=r"^q\[0\] of joint 'joint1' is nan"):
            call(np.full(7, np.nan), ZERO, ZERO)
        with pytest.raises(lw.InputError, match=r"^v\[0\] of joint 'joint1' is inf") as told:
            call(ZERO, np.full(7, np.inf), ZERO)
        assert told.value.mistakes[0].message.startswith("v[0]")


def test_rows_that_disagree(arm):
    with pytest.raises(lw.Error, match="v holds 3 states, q 2"):
        arm.inverse_dynamics(np.zeros((2, 7)), np.zeros((3, 7)), ZERO)


def test_integers_and_single_precision_are_numbers(arm):
    q = np.arange(7)
    expected = arm.gravity(q.astype(float))
    for given in (q, q.tolist(), tuple(q), q.astype(np.float32), q.astype(">f8"), range(7)):
        assert np.array_equal(arm.gravity(given), expected)


def test_one_of_many_states_is_named(arm):
    q = np.zeros((5, 7))
    q[3, 2] = np.inf
    with pytest.raises(lw.Error, match=r"state 3: .*joint3"):
        arm.bias(q, ZERO)
    with pytest.warns(RuntimeWarning, match="1 of 5 states have no answer, their rows are NaN: 3"):
        tau = arm.inverse_dynamics(q, ZERO, ZERO)
    assert np.isnan(tau[3]).all() and np.isfinite(tau[[0, 1, 2, 4]]).all()


def test_names(arm):
    with pytest.raises(lw.Error, match="tool"):
        arm.jacobian(ZERO, "tol")
    with pytest.raises(lw.Error, match="'own' or 'world'; got 'local'"):
        arm.jacobian(ZERO, "tool", "local")
    with pytest.raises(lw.Error, match="joint2"):
        arm.joint("jont2")
    with pytest.raises(lw.Error, match="forces, of frame 'tool' has shape"):
        arm.inverse_dynamics(ZERO, ZERO, ZERO, {"tool": [1, 2, 3]})
    with pytest.raises(lw.Error, match="expected 'fixed', 'free' or 'planar'; got 'floating'"):
        lw.load(MODELS / "arm7.urdf", base="floating")


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda arm: arm.frame_pose(ZERO, 3), "frame: expected a text .str.; got 3"),
        (lambda arm: arm.jacobian(ZERO, "tool", 3), "axes: expected a text .str.; got 3"),
        (lambda arm: arm.inverse_dynamics(ZERO, ZERO, ZERO, {3: [0] * 6}), "frame of a force: expected a text .str.; got 3"),
        (lambda arm: arm.position({"joint1": "a"}), "values, 'joint1': expected numbers .float64.; got 'a'"),
        (lambda arm: arm.position({"joint1": np.nan}), "'joint1': expected 1 finite number; got nan"),
        (lambda arm: arm.velocity([1, 2]), "values: expected {joint: value}; got"),
        (lambda arm: load("four_bar.yaml").assemble(hold="crank_pivot"), "hold: expected a list of names; got 'crank_pivot'"),
        (lambda arm: load("four_bar.yaml").assemble({"crank_pivot": 1}, branch="a"), "branch: expected 0, 1, 2, …; got 'a'"),
        (lambda arm: load("four_bar.yaml").inverse_dynamics([0] * 3, [0] * 3, [0] * 3, motors="crank_pivot"),
         "motors: expected a list of names; got 'crank_pivot'"),
        (lambda arm: arm.inverse_dynamics(ZERO, ZERO, ZERO, threads=1.5), "^threads: expected 1, 2, 3, …; got 1.5"),
        (lambda arm: arm.random("a"), "^seed: expected a whole number from 0 to .*; got 'a'"),
        (lambda arm: arm.frame_pose(ZERO, None), "^frame: expected a text .str.; got None"),
        (lambda arm: load("four_bar.yaml").assemble(restarts=-1), "^restarts: expected 0, 1, 2, …; got -1"),
        (lambda arm: load("four_bar.yaml").assemble(limits="no"), "^limits: expected True or False; got 'no'"),
        (lambda arm: arm.rollout([ZERO], ZERO, ZERO, 0.1, 2.7), "^steps: expected 0, 1, 2, …; got 2.7"),
        (lambda arm: arm.rollout([ZERO], ZERO, ZERO, "x", 2), "^dt: expected a number above zero; got 'x'"),
        (lambda arm: arm.rollout([ZERO], ZERO, ZERO, 0.1, 2**31), "^steps: expected a whole number below 2³¹; got 2147483648"),
        (lambda arm: arm.gravity(ZERO, thread=2), "^System.gravity: there is no argument 'thread'; did you mean 'threads'?"),
        (lambda arm: arm.bias(ZERO), "^System.bias: 'v' is missing; expected .q, v, "),
        (lambda arm: lw.load(None), "path: expected the path of a file or folder; got None"),
        (lambda arm: lw.load(MODELS), "this is a folder; expected a model file"),
        (lambda arm: lw.load(MODELS / "arm7.urdf", 3), "base: expected 'fixed', 'free' or 'planar'; got 3"),
        (lambda arm: lw.load(MODELS / "arm7.urdf", lenient="no"), "lenient: expected True or False; got 'no'"),
        (lambda arm: lw.load(MODELS / "arm7.urdf", packages=["a"]), "packages: expected {name: folder}; got"),
        (lambda arm: lw.load(MODELS / "arm7.urdf", packages={"a": 3}), "packages, 'a': expected the path of a file or folder; got 3"),
        (lambda arm: lw.load(MODELS / "four_bar.yaml", closure_tolerance="x"), "closure_tolerance: expected metres above 0"),
        (lambda arm: lw.loads("<!-- nothing -->"), "there is no element; expected <robot>, <sdf> or <mujoco>"),
        (lambda arm: lw.loads("<mujocoinclude/>"), "<mujocoinclude>; expected <robot>; read_model reads <sdf> and <mujoco> too"),
        (lambda arm: lw.loads(3), "text: expected the text of a model; got 3"),
        (lambda arm: lw.compile("arm7.urdf"), "model: expected a linkwright.Model .lw.load takes the path of a file.; got 'arm7.urdf'"),
    ],
)
def test_what_is_no_name_number_path_or_text(arm, call, told):
    with pytest.raises(lw.InputError, match=told):
        call(arm)


def test_threads(arm):
    many = np.zeros((4, 7))
    for call in (arm.gravity, lambda q, threads: arm.inverse_dynamics(q, ZERO, ZERO, threads=threads)):
        with pytest.raises(lw.Error, match="threads.*0"):
            call(many, threads=0)


def test_a_computation_without_answer(tmp_path):
    path = tmp_path / "empty.urdf"
    path.write_text('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">'
                    '<parent link="a"/><child link="b"/></joint></robot>')
    system = lw.load(path, lenient=True)
    with pytest.raises(lw.ComputationError, match="'j'"):
        system.forward_dynamics([0], [0], [1])


def test_files(tmp_path, program):
    with pytest.raises(lw.InputError, match="there is no such file"):
        lw.load(tmp_path / "nothing.urdf")
    path = tmp_path / "bad.urdf"
    path.write_text('<robot name="r">\n<link name="a"/>\n<joint name="j" type="bent">\n'
                    '<parent link="a"/><child link="c"/></joint>\n</robot>\n')
    with pytest.raises(lw.InputError) as told:
        lw.load(path)
    error = told.value
    assert error.file == str(path) and error.line == 3
    assert all(isinstance(m, lw.Mistake) and m.line > 0 for m in error.mistakes)
    said = program("check", path)
    for mistake in error.mistakes:
        assert f"{mistake.file}:{mistake.line}: {mistake.message}" in said
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and again.mistakes == error.mistakes


def test_bad_models_are_told_as_the_program_tells_them(program):
    folder = SHARED / "bad_models"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    files = [f for f in sorted(folder.iterdir()) if f.suffix in (".urdf", ".yaml")]
    refused = 0
    for file in files[:40]:
        try:
            lw.load(file)
        except lw.Error as error:
            refused += 1
            said = program("check", file)
            assert isinstance(said, str), file
            for mistake in error.mistakes:
                assert mistake.message in said, file
    assert refused > 0
