"""Laws of motion, what drives it, and how a run ends; the program's own recordings."""

import _thread
import csv
import gc
import inspect
import pickle
import subprocess
import threading
import time
import weakref

import numpy as np
import pytest
from conftest import MODELS, PROGRAM, load

import linkwright as lw


@pytest.fixture(scope="module")
def arm():
    return load("arm7.urdf")


@pytest.fixture(scope="module")
def four_bar():
    return load("four_bar.yaml")


def read_csv(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    return rows[0], np.array(rows[1:], float)


@pytest.mark.parametrize(
    "name, arguments, options",
    [
        ("arm7.urdf", ["--time", 0.3, "--q", "joint2=0.5", "--record", "tau"], {"q": {"joint2": 0.5}, "record": ["tau"]}),
        ("arm7.urdf", ["--time", 1, "--move", "joint2=1.2,joint4=-1", "--in", 0.8, "--every", 0.1, "--record", "frame:tool"],
         {"move": {"joint2": 1.2, "joint4": -1}, "move_in": 0.8, "every": 0.1, "record": ["frame:tool"]}),
        ("arm7.urdf", ["--time", 0.5, "--move", "joint2=0.3", "--in", 0.5, "--control", "pd", "--kp", "joint2=300"],
         {"move": {"joint2": 0.3}, "move_in": 0.5, "control": "pd", "kp": {"joint2": 300}}),
        ("four_bar.yaml", ["--time", 0.5, "--rtol", 1e-9, "--record", "closure:rocker_pin"],
         {"rtol": 1e-9, "record": ["closure:rocker_pin"]}),
        ("five_bar.yaml", ["--time", 0.4, "--move", "left_motor=0.2", "--in", 0.3, "--control", "exact"],
         {"move": {"left_motor": 0.2}, "move_in": 0.3, "control": "exact"}),
        ("five_bar_motors.yaml", ["--time", 0.1, "--voltage", "left=6,right=-3", "--method", "bdf", "--record", "motor:left"],
         {"voltage": {"left": 6, "right": -3}, "method": "bdf", "record": ["motor:left"]}),
        ("space_robot.yaml", ["--time", 0.2, "--method", "symplectic", "--step", 0.002], {"method": "symplectic", "step": 0.002}),
    ],
)
def test_runs_are_those_of_the_program(program, tmp_path, name, arguments, options):
    file = tmp_path / "run.csv"
    told = program("simulate", MODELS / name, *arguments, "--out", file, "--json")
    assert not isinstance(told, str), told
    names, rows = read_csv(file)
    run = lw.simulate(load(name), arguments[1], **options)
    assert run.names == names
    # The same steps and the same sums: not a bit differs but by the text of the file.
    np.testing.assert_allclose(run.values, rows, rtol=1e-14, atol=1e-300)
    assert told["steps"] == run.statistics.steps
    run.save(tmp_path / "same.csv")
    assert (tmp_path / "same.csv").read_bytes() == file.read_bytes()


def test_energy_and_momentum_are_kept():
    robot = load("space_robot.yaml")
    q, v = robot.state()
    v = v + np.linspace(-0.3, 0.4, robot.nv)
    run = lw.simulate(robot, 0.5, q=q, v=v, rtol=1e-10, atol=1e-12, record=["momentum"])
    before, after = (robot.momentum(s[0], s[1]) for s in ((q, v), run.final))
    # The error of the run is a few hundred tolerances at most.
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-7 * np.abs(before).max())
    np.testing.assert_allclose(run["momentum"][-1], after, rtol=1e-12, atol=1e-12)


def test_a_function_gives_what_it_says(arm):
    tau = 0.1 * np.arange(7)
    constant = lw.simulate(arm, 0.05, tau=tau)
    as_names = lw.simulate(arm, 0.05, control=lambda t, q, v: {f"tau:{n}": x for n, x in zip(arm.velocity_names, tau)})
    assert np.array_equal(lw.simulate(arm, 0.05, control=lambda t, q, v: tau).values, constant.values)
    assert np.array_equal(as_names.values, constant.values)
    half = lw.simulate(arm, 0.05, tau=tau / 2, control=[lambda t, q, v: tau / 4, lw.Controller(lambda t, q, v: tau / 4)])
    assert np.array_equal(half.values, constant.values)


def test_computed_torque_in_python_obeys_its_law(arm):
    w, goal = 6.0, np.array([0.1, 0.5, -0.2, -1.0, 0.1, 0.6, 0.2])
    control = lambda t, q, v: arm.inverse_dynamics(q, v, -2 * w * v - w * w * (q - goal))
    run = lw.simulate(arm, 0.5, control=control, rtol=1e-9, atol=1e-12, limits="ignore", effort_limits="tell")
    e = (run.q[0] - goal) * ((1 + w * run.time) * np.exp(-w * run.time))[:, None]
    np.testing.assert_allclose(run.q - goal, e, rtol=0, atol=1e-7)


def test_the_laws_agree_with_each_other(arm):
    """A motion by names, as a table, as a recorded run and as a function is the same motion."""
    options = {"move": {"joint2": 0.4, "joint4": -0.5}, "move_in": 0.5}
    run = lw.simulate(arm, 0.5, record=["a"], **options)
    columns = {"time": run.time} | {n: run[n] for n in run.names if n[:2] in ("q:", "v:", "a:")}
    by_table = lw.simulate(arm, 0.5, reference=columns)
    by_run = lw.simulate(arm, 0.5, reference=run)
    np.testing.assert_allclose(by_table.q, run.q, rtol=0, atol=1e-9)
    np.testing.assert_allclose(by_run.q, by_table.q, rtol=0, atol=1e-12)

    def motion(t):
        s = min(t / 0.5, 1.0)
        way = np.array([0, 0.4, 0, -0.5, 0, 0, 0])
        return (way * (10 * s**3 - 15 * s**4 + 6 * s**5), way * 30 * s**2 * (1 - s) ** 2 / 0.5,
                way * 60 * s * (1 - s) * (1 - 2 * s) / 0.25)

    by_function = lw.simulate(arm, 0.5, reference=motion)
    np.testing.assert_allclose(by_function.q, run.q, rtol=0, atol=1e-9)


def test_inputs_over_time(arm, tmp_path):
    table = {"time": [0.0, 0.1, 0.2], "tau:joint1": [0.0, 1.0, 0.0]}
    by_function = lw.simulate(arm, 0.2, control=lambda t, q, v: np.interp(t, table["time"], table["tau:joint1"]) * np.eye(7)[0])
    by_table = lw.simulate(arm, 0.2, inputs=table)
    np.testing.assert_allclose(by_table.q[-1], by_function.q[-1], rtol=0, atol=1e-12)
    file = tmp_path / "push.csv"
    file.write_text("time,tau:joint1\n0,0\n0.1,1\n0.2,0\n")
    assert np.array_equal(lw.simulate(arm, 0.2, inputs=file).values, by_table.values)
    held = lw.simulate(arm, 0.2, inputs=table, between="hold", record=["tau:joint1"])
    assert set(held["tau:joint1"]) == {0.0, 1.0}


def test_loads_act_as_forces_do(arm):
    wrench = np.array([0, 0, 0.001, 5, 0, 20.0])
    run = lw.simulate(arm, 0.1, q={"joint2": 0.5}, limits="ignore", loads=[lw.Load("tool", lambda t, q, v: wrench)], record=["a"])
    for row in (0, -1):
        push = lw.ExternalForce("tool", wrench[3:], wrench[:3], axes="world")
        a = arm.forward_dynamics(run.q[row], run.v[row], np.zeros(7), push)
        np.testing.assert_allclose(run["a"][row], a, rtol=0, atol=1e-10 * np.abs(a).max())
    assert np.abs(run.v[-1]).max() > 0.1  # the speeds matter
    assert np.array_equal(run.v, run["v"]) and np.array_equal(run.q, run["q"])


BALL = """
linkwright: 1
gravity: [0, 0, -9.81]
bodies: [{name: ball, mass: 1, com: [0, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}]
joints: [{name: height, type: prismatic, parent: world, child: ball, axis: [0, 0, 1]}]
state: {q: {height: 1}}
"""


def test_events():
    ball = lw.loads(BALL)
    ground = {"function": lambda t, q, v: q[0], "direction": "falling"}
    fall = np.sqrt(2 / 9.81)
    run = lw.simulate(ball, 2, rtol=1e-10, events=[lw.Event(name="lands", then="stop", **ground)])
    assert run.end == "event" and [o.name for o in run.occurrences] == ["lands"]
    np.testing.assert_allclose(run.time[-1], fall, rtol=1e-8)
    bounce = lw.Event(name="bounces", action=lambda t, q, v: (q, -0.5 * v), **ground)
    run = lw.simulate(ball, 1.2, rtol=1e-10, events=[bounce])
    # Every flight takes half as long as the one before: 2·0.5ⁿ of the first fall.
    np.testing.assert_allclose([o.time for o in run.occurrences], [fall, 2 * fall, 2.5 * fall], rtol=1e-7)


def test_channels_and_names(arm):
    run = lw.simulate(arm, 0.02, record=["frame:tool", "a"], channels=[lw.Channel("height", lambda t, q, v: q[1] + t, "m")])
    np.testing.assert_array_equal(run["height"], run.q[:, 1] + run.time)
    assert run.unit("height") == "m" and run.unit("v:joint1") == "rad/s"
    for row in (0, -1):
        np.testing.assert_allclose(run["frame:tool"][row, :3], arm.frame_pose(run.q[row], "tool")[:3, 3], rtol=0, atol=1e-13)
    np.testing.assert_allclose(run.energy[-1], arm.energy(*run.final).total, rtol=1e-12)
    assert "frame:tool:x" in run and "frame:tool" not in run and len(run) == len(run.time) == 21
    table = run.to_pandas()
    assert np.array_equal(table["a:joint3"], run["a:joint3"]) and table.index.name == "time"
    grid = run.to_xarray()
    assert np.array_equal(grid.q.sel(position="joint4"), run["q:joint4"]) and grid["height"].units == "m"
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.values, run.values) and again.names == run.names and again.system.nq == 7


def test_extra_states_and_voltages():
    arm = load("five_bar_motors.yaml")
    seen = []

    def control(t, q, v, extra):
        seen.append(extra.copy())
        return {"voltage:left": 6.0, "voltage:right": -3.0}

    by_function = lw.simulate(arm, 0.02, control=control, voltage={"left": 0, "right": 0}, method="bdf")
    constant = lw.simulate(arm, 0.02, voltage={"left": 6, "right": -3}, method="bdf")
    np.testing.assert_allclose(by_function.q[-1], constant.q[-1], rtol=0, atol=1e-7)
    assert seen[-1].shape == (2,) and np.abs(seen[-1]).max() > 0.1  # currents
    simulation = lw.Simulation(arm, voltage={"left": 6}, extra={"motor:left:current": 2}, method="bdf")
    assert simulation.extra == {"motor:left:current": 2.0}


# --- stepwise --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["rk4", "semi-implicit", "adams"])
def test_going_on_from_saved_bytes_gives_the_same_bits(four_bar, method):
    def make():
        return lw.Simulation(four_bar, q={"crank_pivot": 2}, method=method, control=lambda t, q, v: [0.01, 0, 0])

    first, second = make(), make()
    first.advance_to(0.1)
    saved = first.save()
    first.advance_to(0.2)
    second.restore(saved)
    assert second.time == 0.1 and isinstance(saved, bytes)
    second.advance_to(0.2)
    assert np.array_equal(first.state.q, second.state.q) and np.array_equal(first.state.v, second.state.v)


def test_steps(arm):
    simulation = lw.Simulation(arm, q={"joint2": 0.5}, step=0.01)
    simulation.step()
    assert simulation.time == 0.01
    simulation.step(0.015)
    assert simulation.time == 0.015 and simulation.statistics.steps == 2
    np.testing.assert_allclose(simulation.accelerations, arm.forward_dynamics(*simulation.state, np.zeros(7)), rtol=1e-12)
    run = simulation.run(0.03, every=0.01)
    np.testing.assert_allclose(run.time, [0.015, 0.025, 0.03], rtol=0, atol=1e-15)
    simulation.set_state(arm.neutral(), np.zeros(7), time=1.0)
    assert simulation.time == 1.0 and not simulation.state.q.any()
    with pytest.raises(lw.InputError, match="not before 1"):
        simulation.advance_to(0.5)


# --- how a run ends --------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"rtol": 1e-8}, {"method": "bdf"}, {"method": "symplectic"}])
def test_what_a_function_raises_comes_out_as_it_is(options):
    robot = load("space_robot.yaml")
    trouble = KeyError("mine")

    def control(t, q, v):
        if t > 0.01:
            raise trouble
        return np.zeros(robot.nv)

    with pytest.raises(KeyError) as told:
        lw.simulate(robot, 0.05, control=control, **options)
    assert told.value is trouble


@pytest.mark.parametrize("control", [None, lambda t, q, v: np.zeros(7)])
def test_control_c_ends_a_run_in_good_order(arm, control):
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    begin = time.perf_counter()
    with pytest.raises(lw.Interrupted) as told:
        lw.simulate(arm, 1000, every=0.01, control=control, limits="ignore")
    timer.join()
    assert time.perf_counter() - begin < 30
    run = told.value.run
    assert isinstance(told.value, KeyboardInterrupt) and run.end == "interrupt"
    assert len(run) > 1 and np.all(np.isfinite(run.values))
    np.testing.assert_allclose(np.diff(run.time)[:-1], 0.01, rtol=0, atol=1e-9)


def test_other_threads_go_on_during_a_run(arm):
    beats, over = [], threading.Event()

    def beat():
        while not over.is_set():
            beats.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=beat)
    thread.start()
    begin = time.perf_counter()
    lw.simulate(arm, 20, every=20, limits="ignore")
    took = time.perf_counter() - begin
    over.set()
    thread.join()
    # With the lock held there would be none between begin and end.
    assert len([b for b in beats if begin + 0.1 * took < b < begin + 0.9 * took]) >= 3


def test_a_failed_run_keeps_its_rows():
    ball = lw.loads(BALL)
    with pytest.raises(lw.ComputationError) as told:
        lw.simulate(ball, 1, control=lambda t, q, v: -1e5 * v)
    assert told.value.run.end.startswith("failure") and len(told.value.run) > 1


def test_a_simulation_does_not_move_itself(arm):
    simulation = None

    def control(t, q, v):
        simulation.step()

    simulation = lw.Simulation(arm, control=control)
    with pytest.raises(lw.InputError, match="is running"):
        simulation.advance_to(0.1)
    simulation = None


def test_efforts_beyond_limits_are_told_and_cut(arm):
    limit = arm.effort_limits[0]
    with pytest.warns(lw.RunWarning, match="'joint1'.*beyond its limit"):
        lw.simulate(arm, 0.01, tau={"joint1": 2 * limit})
    run = lw.simulate(arm, 0.01, tau={"joint1": 2 * limit}, effort_limits="cut", record=["tau"])
    assert run["tau:joint1"].max() == limit


@pytest.mark.parametrize(
    "options, parts",
    [
        ({"tau": [1, 2]}, ["tau has shape (2,)", "(7,)"]),
        ({"tau": {"joint": 1}}, ["tau", "'joint'", "did you mean"]),
        ({"mtehod": "rk4"}, ["'mtehod'", "'method'"]),
        ({"method": "rk5"}, ["rk5", "rk4"]),
        ({"rtol": 1e-8, "method": "rk4"}, ["rtol", "no meaning", "rk4"]),
        ({"step": 0.1, "method": "bdf"}, ["step", "no meaning", "bdf"]),
        ({"step": -1}, ["step", "above zero"]),
        ({"limits": "stay"}, ["limits", "'hold'", "'stay'"]),
        ({"move": {"joint2": 1}}, ["move_in"]),
        ({"move": {"joint2": 9}, "move_in": 1}, ["'joint2'", "moves from", "9"]),
        ({"move": {"elbow": 1}, "move_in": 1}, ["move", "'elbow'"]),
        ({"kp": 3}, ["kp", "no effect"]),
        ({"control": "pd"}, ["'pd'", "no motion"]),
        ({"control": 7}, ["control", "f(t, q, v)"]),
        ({"control": lambda t, q, v: [0, 0]}, ["'control' returned", "(2,)", "(7,)"]),
        ({"control": lambda t, q, v: {"tau:jont1": 0}}, ["'control' returned", "'tau:jont1'", "tau:joint1"]),
        ({"control": lambda t, q, v: [np.nan] * 7}, ["control", "nan"]),
        ({"move": {"joint2": 1}, "move_in": 1, "control": lambda t, q, v: 0}, ["needs a law"]),
        ({"move": {"joint2": 1}, "move_in": 1, "kp": -3}, ["kp", "negative"]),
        ({"voltage": {"m1": 3}}, ["m1"]),
        ({"inputs": {"tau:joint1": [0]}}, ["inputs", "'time'"]),
        ({"inputs": {"time": [0, 1, 1], "tau:joint1": [0, 0, 0]}}, ["inputs", "rise", "row 2"]),
        ({"inputs": {"time": [0, 0.001], "tau:joint1": [0, 0]}}, ["input", "0.001"]),
        ({"inputs": {"time": [0, 1], "tau:jont1": [0, 0]}}, ["tau:jont1", "tau:joint1"]),
        ({"q": [0] * 6}, ["q has shape (6,)"]),
        ({"q": {"elbow": 1}}, ["elbow"]),
        ({"record": ["frame:tol"]}, ["frame:tol", "frame:tool"]),
        ({"every": -1}, ["every", "negative"]),
        ({"loads": [lw.Load("tol", lambda t, q, v: 0)]}, ["tol", "tool"]),
        ({"loads": [lw.Load("tool", lambda t, q, v: [1])]}, ["'load' returned", "(6,)"]),
        ({"events": [lw.Event(lambda t, q, v: "x", "odd")]}, ["'odd' returned", "number", "'x'"]),
    ],
)
def test_mistakes(arm, options, parts):
    with pytest.raises(lw.InputError) as told:
        lw.simulate(arm, 0.01, **options)
    for part in parts:
        assert part in str(told.value)


def test_rows_beyond_memory_are_refused(arm):
    with pytest.raises(lw.InputError, match="every"):
        lw.simulate(arm, 1e6)


def test_a_closed_start_is_asked_for(four_bar):
    q = four_bar.state().q + [0.1, 0, 0]
    with pytest.raises(lw.Error, match="rocker_pin"):
        lw.simulate(four_bar, 0.01, q=q)
    assert lw.simulate(four_bar, 0.01, q=q, assemble=True).closure_error.max() < 1e-10
    assert lw.simulate(four_bar, 0.01, q=q, cut_open=True).facts["cut_open"]


def test_rigid_is_the_program_s(program, tmp_path):
    arm = load("arm6.urdf")  # damped, with friction and stops
    start = {"q": {"shoulder": 0.3}, "v": {"waist": 1.0}}
    run = lw.simulate(arm, 0.2, **start, rigid=True)
    path = tmp_path / "run.csv"
    program("simulate", MODELS / "arm6.urdf", "--time", "0.2", "--q", "shoulder=0.3", "--v", "waist=1", "--rigid", "--out", path, "--json")
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    assert np.array_equal(run.values[:, :13], table[:, :13])
    assert run.statistics.energy_drift.relative < 1e-9 and run.facts["rigid"]
    damped = lw.simulate(arm, 0.2, **start)
    assert damped.energy[-1] < damped.energy[0] - 1e-3
    with pytest.raises(lw.InputError, match="limits 'hold' and rigid exclude each other"):
        lw.simulate(arm, 0.1, rigid=True, limits="hold")


def test_the_least_margin_of_contacts_is_the_program_s(program):
    held = lw.simulate(load("pinched_box.yaml"), 0.02).statistics.least_margin
    said = program("simulate", MODELS / "pinched_box.yaml", "--time", "0.02", "--json")["least_margin"]
    assert held._asdict() == said
    assert lw.simulate(load("arm7.urdf"), 0.002).statistics.least_margin is None


def test_checkpoints_are_the_program_s(arm, program, tmp_path):
    start = {"q": {"joint2": 0.5}}
    half = lw.Simulation(arm, **start)
    half.advance_to(0.1)
    (tmp_path / "half.json").write_bytes(half.save())
    said = program("simulate", MODELS / "arm7.urdf", "--time", "0.2", "--continue", tmp_path / "half.json",
                   "--checkpoint", tmp_path / "end.json", "--json")
    assert said["from"] == 0.1
    end = lw.Simulation(arm, **start)
    end.restore((tmp_path / "end.json").read_bytes())
    half.advance_to(0.2)
    assert end.time == 0.2 and np.array_equal(end.state.q, half.state.q) and np.array_equal(end.state.v, half.state.v)


def test_a_joint_that_hardly_anything_resists_is_told_as_the_program_tells_it(program, tmp_path):
    thin = lw.Model(bodies=[lw.Body("needle", mass=1, inertia=(0.5, 0.5, 1e-10, 0, 0, 0))])
    thin.joints.append(lw.Joint("spin", "revolute", parent="world", child="needle", axis=(0, 0, 1)))
    lw.dump(thin, tmp_path / "thin.yaml")
    with pytest.warns(lw.RunWarning) as told:
        lw.simulate(lw.compile(thin), 0.01)
    text = str(told[0].message)
    assert text.startswith("where the run starts, hardly any inertia resists joint 'spin' (link 'needle')")
    said = subprocess.run([PROGRAM, "simulate", tmp_path / "thin.yaml", "--time", "0.01"], capture_output=True, text=True)
    assert text in said.stderr


def test_ida_is_a_method_too(arm):
    run = lw.simulate(arm, 0.05, q={"joint2": 0.5}, method="ida", rtol=1e-9)
    other = lw.simulate(arm, 0.05, q={"joint2": 0.5}, method="rk4", step=1e-4)
    np.testing.assert_allclose(run.final.q, other.final.q, rtol=0, atol=1e-6)


def test_help_shows_every_option():
    shown = inspect.signature(lw.simulate).parameters
    assert set(lw.SimulationOptions.__annotations__) <= set(shown) and "options" not in shown
    assert shown["on_slip"].default == "warn"


def test_runs_may_be_simulated_side_by_side(arm):
    runs = [None] * 4

    def work(i):
        runs[i] = lw.simulate(arm, 0.05, q={"joint2": 0.1 * i}, control=lambda t, q, v: -0.01 * v)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, run in enumerate(runs):
        alone = lw.simulate(arm, 0.05, q={"joint2": 0.1 * i}, control=lambda t, q, v: -0.01 * v)
        assert np.array_equal(run.values, alone.values)


def test_a_simulation_that_its_own_function_knows_is_collected(arm):
    def make():
        simulation = lw.Simulation(arm, control=lambda t, q, v: simulation.system.gravity(q))
        simulation.advance_to(0.002)
        return weakref.ref(simulation)

    gone = make()
    gc.collect()
    assert gone() is None
