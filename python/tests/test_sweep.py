"""Sweeps: every case once, in order, whatever runs them; failures, files and clusters."""

import json
import os
import pickle
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import MODELS, load

import linkwright as lw

# Where other tests have imported JAX it warns of every fork; the processes here never come back to it.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")

CASES = lw.grid(length=[0.5, 1.0, 2.0], angle=[0.1, 0.4, 0.7, 1.0])


def swing(length, angle, gravity=9.81):
    """Angle of a pendulum after half a second."""
    model = lw.Model()
    model.gravity = [0, 0, -gravity]
    model.bodies = [lw.Body("bob", mass=1, com=[0, 0, -length], inertia=[0.01, 0.01, 0.01, 0, 0, 0])]
    model.joints = [lw.Joint("pivot", "revolute", parent="world", child="bob", axis=[0, 1, 0])]
    return float(lw.simulate(lw.compile(model), 0.5, q={"pivot": angle}, step=5e-3).final.q[0])


def picky(x):
    if x % 7 == 3:
        raise ValueError(f"{x} is odd in its way")
    return x * x


def unpicklable(x):
    return (lambda: x) if x == 2 else x


def where(_):
    time.sleep(0.01)
    return os.getpid()


@pytest.fixture(scope="module")
def expected():
    return [swing(**case) for case in CASES]


def test_here(expected):
    study = lw.sweep(swing, CASES)
    assert list(study) == expected and len(study) == 12 and study[-1] == expected[-1] and not study.failures
    table = study.to_pandas()
    assert list(table.columns) == ["length", "angle", "result"] and list(table.result) == expected
    assert lw.sweep(swing, CASES[:2], gravity=0.0).results == [0.1, 0.4]
    assert CASES[1] == {"length": 0.5, "angle": 0.4}


@pytest.mark.parametrize("make", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_threads_and_processes(expected, make):
    with make(2) as executor:
        assert list(lw.sweep(swing, CASES, executor)) == expected
        study = lw.sweep(load("four_bar.yaml"), lw.grid(tau=[[x, 0, 0] for x in (0.0, 0.1)]), executor, time=0.02)
    alone = [lw.simulate(load("four_bar.yaml"), 0.02, tau=[x, 0, 0]).values for x in (0.0, 0.1)]
    assert all(np.array_equal(run.values, values) for run, values in zip(study, alone))


def test_work_is_shared():
    with ProcessPoolExecutor(2) as executor:
        assert len(set(lw.sweep(where, range(60), executor))) == 2


def test_chunks_grow_with_what_cases_cost():
    class Counting(ThreadPoolExecutor):
        chunks = []

        def submit(self, function, call, chunk):
            self.chunks.append(len(chunk))
            return super().submit(function, call, chunk)

    with Counting(2) as executor:
        assert lw.sweep(abs, range(2000), executor).results == list(range(2000))
    assert executor.chunks[0] == 1 and max(executor.chunks) > 50 and executor.chunks[-1] <= 2
    Counting.chunks = []
    with Counting(2) as executor:
        lw.sweep(time.sleep, [0.3] * 6, executor)
    assert max(Counting.chunks) == 1  # each takes long enough by itself


@pytest.mark.parametrize("make", [None, ThreadPoolExecutor, ProcessPoolExecutor])
def test_failed_cases_are_told_and_others_go_on(make):
    executor = make and make(2)
    with pytest.warns(lw.SweepWarning, match="3 of 20 cases failed; the first: case 3, 3: ValueError: 3 is odd in its way"):
        study = lw.sweep(picky, range(20), executor)
    assert [f.index for f in study.failures] == [3, 10, 17] and study[3] is None and study[4] == 16
    assert "picky" in study.failures[1].traceback and study.failures[1].case == 10
    assert "case 10, 10: ValueError: 10 is odd" in repr(study)
    with pytest.raises(ValueError) as told:
        study.raise_first()
    assert told.value.__notes__ == ["case 3: 3"]
    if executor:
        executor.shutdown()


def test_a_result_that_cannot_travel_fails_alone():
    with ProcessPoolExecutor(2) as executor, pytest.warns(lw.SweepWarning, match="1 of 30.*case 2"):
        study = lw.sweep(unpicklable, range(30), executor)
    assert study[1] == 1 and study[29] == 29 and len(study.failures) == 1


def test_a_function_that_cannot_travel_is_refused_by_name():
    with ProcessPoolExecutor(1) as executor, pytest.raises(lw.InputError, match="lambda.*top of a module"):
        lw.sweep(lambda x: x, [1], executor)


# --- files -----------------------------------------------------------------------------------------


def test_a_rerun_computes_what_is_missing(tmp_path):
    file, calls = tmp_path / "sweep.jsonl", []

    def work(x, trouble):
        calls.append(x)
        if x >= trouble:
            raise KeyboardInterrupt
        return {"square": x * x, "array": np.arange(x)} if x % 2 else x

    def run(trouble):
        return lw.sweep(lambda x, **_: work(x, trouble), range(10), file=file)

    with pytest.raises(KeyboardInterrupt):
        run(6)
    assert calls == list(range(7))
    calls.clear()
    with open(file, "ab") as torn:
        torn.write(b'{"case": 6, "resu')  # a crash in the middle of a line
    study = run(99)
    assert calls == [6, 7, 8, 9] and study[4] == 4 and study[3]["square"] == 9
    assert np.array_equal(study[5]["array"], np.arange(5)) and study[7]["square"] == 49
    calls.clear()
    assert run(99)[9]["square"] == 81 and calls == []
    assert all(json.loads(line) for line in file.read_text().splitlines())


def test_failed_cases_are_tried_again(tmp_path):
    file = tmp_path / "sweep.jsonl"
    broken = {3}

    def work(x):
        if x in broken:
            raise ValueError("broken")
        return x

    with pytest.warns(lw.SweepWarning):
        lw.sweep(work, range(5), file=file)
    broken.clear()
    assert lw.sweep(work, range(5), file=file).results == [0, 1, 2, 3, 4]


def test_a_file_is_bound_to_its_cases(tmp_path):
    file = tmp_path / "sweep.jsonl"
    lw.sweep(swing, CASES[:2], file=file)
    kept = file.read_bytes()
    for function, cases, options, part in [
        (swing, CASES[1:3], {}, "cases or options"), (swing, CASES[:3], {}, "number of cases"),
        (swing, CASES[:2], {"gravity": 1.0}, "cases or options"), (picky, CASES[:2], {}, "function"),
    ]:
        with pytest.raises(lw.InputError, match=part):
            lw.sweep(function, cases, file=file, **options)
    assert file.read_bytes() == kept
    other = tmp_path / "notes.txt"
    other.write_text("shopping\nbread\n")
    with pytest.raises(lw.InputError, match="not a file of a sweep"):
        lw.sweep(swing, CASES[:2], file=other)
    assert other.read_text() == "shopping\nbread\n"
    arm, moved = load("four_bar.yaml"), load("four_bar.yaml").model
    lw.sweep(arm, [{"step": 0.01}], file=tmp_path / "runs.jsonl", time=0.02)
    moved.bodies[0].mass *= 2
    with pytest.raises(lw.InputError, match="cases or options"):
        lw.sweep(lw.compile(moved), [{"step": 0.01}], file=tmp_path / "runs.jsonl", time=0.02)
    again = lw.sweep(load("four_bar.yaml"), [{"step": 0.01}], file=tmp_path / "runs.jsonl", time=0.02)
    assert np.array_equal(again[0].values, lw.simulate(arm, 0.02, step=0.01).values)


def test_the_bar_is_plain_and_for_terminals(capsys):
    lw.sweep(abs, range(5))
    assert capsys.readouterr().err == ""
    lw.sweep(abs, range(5), progress=True)
    shown = capsys.readouterr().err
    assert "[##############################] 5/5" in shown and shown.endswith("\n")


# --- clusters --------------------------------------------------------------------------------------

MPI = """
import sys
sys.path.insert(0, {folder!r})
import linkwright as lw
from mpi4py import MPI
from mpi4py.futures import MPIPoolExecutor
from test_sweep import CASES, swing

if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        study = lw.sweep(swing, CASES, executor)
    print(MPI.COMM_WORLD.Get_size(), study.results == [float(x) for x in sys.argv[1].split(",")], study.results[5])
"""


def test_dask(expected):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert list(lw.sweep(swing, CASES, client.get_executor())) == expected
            assert len(set(lw.sweep(where, range(40), client.get_executor()))) == 2


def test_mpi(expected, tmp_path):
    pytest.importorskip("mpi4py")
    if not shutil.which("mpiexec"):
        pytest.skip("mpiexec is not installed (Debian: openmpi-bin)")
    script = tmp_path / "study.py"
    script.write_text(MPI.format(folder=os.path.dirname(__file__)))
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        ["mpiexec", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", script, ",".join(map(repr, expected))],
        capture_output=True, text=True, env=environment, timeout=300,
    )
    assert done.returncode == 0, done.stderr
    size, same, one = done.stdout.split()
    assert (size, same, float(one)) == ("3", "True", expected[5])


def test_sweeps_pickle(expected):
    study = lw.sweep(swing, CASES[:2])
    assert pickle.loads(pickle.dumps(study)).results == expected[:2]


def test_systems_take_options_only():
    with pytest.warns(lw.SweepWarning, match="mapping of options"):
        lw.sweep(lw.load(MODELS / "arm7.urdf"), [3], time=0.1)


ARM = load("arm7.urdf")
STATES = np.array([ARM.random(k) for k in range(64)])


def many_at_once(threads):
    return float(np.sum(ARM.inverse_dynamics(STATES, np.zeros(7), np.zeros(7), threads=threads)))


def test_processes_have_threads_of_their_own():
    """Those of the parent do not come along when it forks."""
    here = many_at_once(2)
    with ProcessPoolExecutor(1) as executor:
        assert executor.submit(many_at_once, 2).result(timeout=60) == here


def test_what_a_system_can_do_travels():
    with ProcessPoolExecutor(1) as executor:
        study = lw.sweep(ARM.gravity, list(STATES[:4]), executor=executor)
    assert not study.failures
    np.testing.assert_array_equal(study.results, [ARM.gravity(q) for q in STATES[:4]])


def test_a_grid_takes_lists():
    for wrong in (5, "abc"):
        with pytest.raises(lw.InputError, match="a: expected a list of values"):
            lw.grid(a=wrong)


def test_warnings_are_about_the_callers_line():
    with pytest.warns(lw.SweepWarning) as told:
        lw.sweep(picky, [3])
    assert {one.filename for one in told} == {__file__}
