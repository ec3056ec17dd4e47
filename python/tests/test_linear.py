"""Linear models against finite differences, simulations and closed forms; rests; motors; identification."""

import numpy as np
import pytest
from conftest import MODELS, load, random_state

import linkwright as lw

PENDULUM = """
linkwright: 1
gravity: [0, 0, -9.81]
bodies: [{name: rod, mass: 2, com: [0, 0, -0.5], inertia: [0.3, 0.3, 0.01, 0, 0, 0]}]
joints: [{name: pivot, type: revolute, parent: world, child: rod, axis: [0, 1, 0], damping: 0.4}]
"""
INERTIA, WEIGHT, DAMPING = 0.3 + 2 * 0.5**2, 2 * 9.81 * 0.5, 0.4


def test_a_pendulum_in_closed_form():
    pendulum = lw.loads(PENDULUM)
    model = pendulum.linearize()
    np.testing.assert_allclose(model.A, [[0, 1], [-WEIGHT / INERTIA, -DAMPING / INERTIA]], rtol=0, atol=1e-13)
    np.testing.assert_allclose(model.B, [[0], [1 / INERTIA]], rtol=1e-14)
    w = np.sqrt(WEIGHT / INERTIA)
    ratio = DAMPING / INERTIA / (2 * w)
    np.testing.assert_allclose([m.frequency for m in model.modes], [w, w], rtol=1e-13)
    np.testing.assert_allclose(model.damping_ratios, ratio, rtol=1e-12)
    np.testing.assert_allclose(model.eigenvalues, w * (-ratio + np.array([1j, -1j]) * np.sqrt(1 - ratio**2)), rtol=1e-13)
    assert (model.controllability_rank, model.observability_rank) == (2, 2)
    assert not model.analyse().unstable and len(pendulum.linearize({"pivot": np.pi}).analyse().unstable) == 1
    g = model.transfer_function()
    np.testing.assert_allclose(g(2j), 1 / (INERTIA * (2j) ** 2 + DAMPING * 2j + WEIGHT), rtol=1e-12)
    response = model.frequency_response(frequencies=[0.5, 2, 9])
    np.testing.assert_allclose(response.value, [g(1j * x) for x in response.frequency], rtol=1e-12)


@pytest.mark.parametrize("name", ["arm7.urdf", "flexible_arm.yaml", "space_robot.yaml"])
def test_the_matrices_are_derivatives(name):
    arm = load(name)
    q, v, _ = random_state(arm, 3)
    v *= 0.3
    tau = np.zeros(arm.nv)
    model = arm.linearize(q, v, tau)
    n, h = arm.nv, 1e-6
    assert model.states == [f"q:{x}" for x in arm.velocity_names] + [f"v:{x}" for x in arm.velocity_names]
    by_v = np.array([(arm.forward_dynamics(q, v + h * e, tau) - arm.forward_dynamics(q, v - h * e, tau)) / (2 * h)
                     for e in np.eye(n)]).T
    by_q = np.array([(arm.forward_dynamics(arm.integrate(q, h * e), v, tau) - arm.forward_dynamics(arm.integrate(q, -h * e), v, tau))
                     / (2 * h) for e in np.eye(n)]).T
    # Central differences: h² of the third derivative, and rounding over h.
    scale = np.abs(model.A[n:]).max()
    np.testing.assert_allclose(model.A[n:, n:], by_v, rtol=0, atol=1e-7 * scale)
    np.testing.assert_allclose(model.A[n:, :n], by_q, rtol=0, atol=1e-7 * scale)
    np.testing.assert_allclose(model.drift, np.concatenate([v, arm.forward_dynamics(q, v, tau)]), rtol=1e-10, atol=1e-12)


def test_a_linear_model_foretells_small_motions():
    bar = load("four_bar.yaml")
    rest = bar.equilibrium({"crank_pivot": -1.5})
    a = bar.forward_dynamics(rest.q, np.zeros(3), np.zeros(3))
    assert np.abs(a).max() < 1e-9 and rest.residual < 1e-9
    model = bar.linearize(rest.q)
    step = model.discrete(0.01)
    small = 1e-5
    start = bar.assemble({"crank_pivot": rest.q[0] + small}).q
    run = lw.simulate(bar, 0.2, q=start, step=5e-4, every=0.01)
    x = np.array([small, 0.0])
    for row in range(len(run)):
        # What is left out is of second order in the deviation.
        np.testing.assert_allclose([run.q[row, 0] - rest.q[0], run.v[row, 0]], x, rtol=0, atol=100 * small**2)
        x = step.A @ x + step.drift


def test_efforts_that_hold():
    arm = load("arm6.urdf")
    q = arm.random(4)
    rest = arm.equilibrium(q, hold=True)
    np.testing.assert_allclose(rest.q, q, rtol=0, atol=0)
    np.testing.assert_allclose(rest.tau, arm.inverse_dynamics(q, np.zeros(6), np.zeros(6)), rtol=0,
                               atol=1e-10 * np.abs(rest.tau).max())
    floating = lw.loads(PENDULUM.replace("com: [0, 0, -0.5]", "com: [0, 0.5, 0]").replace("[0, 1, 0], damping: 0.4", "[0, 0, 1]"))
    assert floating.equilibrium({"pivot": 0.7}).moved == []  # nothing decides where it stands


def test_libraries_of_control():
    scipy_signal, control = pytest.importorskip("scipy.signal"), pytest.importorskip("control")
    arm = load("arm6.urdf")
    model = arm.linearize(tau=arm.gravity(arm.neutral()), inputs=["tau:elbow"], outputs=["q:elbow", "frame:tool:z"])
    state_space = model.to_control()
    assert state_space.state_labels == model.states and state_space.output_labels == model.outputs
    at = 3j
    expected = model.C @ np.linalg.solve(at * np.eye(12) - model.A, model.B) + model.D
    np.testing.assert_allclose(state_space(at), expected, rtol=1e-9)
    assert np.array_equal(model.to_scipy().A, model.A)
    g = model.transfer_function(output="q:elbow")
    np.testing.assert_allclose([g(at), g.to_control()(at)], expected[0, 0], rtol=1e-7)
    np.testing.assert_allclose(scipy_signal.freqresp(g.to_scipy(), [3.0])[1], expected[0, 0], rtol=1e-7)
    discrete = model.discrete(0.01)
    assert discrete.to_control().dt == 0.01 and discrete.to_scipy().dt == 0.01


def test_frames_tables_and_pictures(tmp_path):
    bar = load("five_bar.yaml")
    model = bar.linearize(coordinates=["frame:tip:x", "frame:tip:y"], outputs=["frame:tip"])
    assert model.states[:2] == ["frame:tip:x", "frame:tip:y"]
    tables = model.to_pandas()
    assert tables["A"].shape == (4, 4) and list(tables["B"].columns) == model.inputs
    picture = model.bode(tmp_path / "plot.svg", [(model.inputs[0], model.outputs[0])])
    assert picture.read_text().startswith("<svg") or "<svg" in picture.read_text()
    assert "4 states" in repr(model)


def test_agrees_with_the_program(program):
    found = program("linearize", MODELS / "five_bar_motors.yaml", "--motors", "--json")
    model = load("five_bar_motors.yaml").linearize(motors=True)
    assert [model.states, model.inputs, model.outputs] == [found["states"], found["inputs"], found["outputs"]]
    for name in "ABCD":
        np.testing.assert_allclose(getattr(model, name), found[name], rtol=1e-12, atol=1e-12 * np.abs(found[name]).max())
    assert model.controllability_rank == found["controllability_rank"]


@pytest.mark.parametrize(
    "arguments, parts",
    [
        ({"outputs": ["q:elbw"]}, ["'elbw'", "'elbow'"]),
        ({"outputs": "q"}, ["outputs", "list of names"]),
        ({"inputs": ["tau:elbw"]}, ["'elbw'"]),
        ({"motors": True}, ["motors=True"]),
        ({"q": [0, 0]}, ["q has shape (2,)"]),
        ({"tau": {"elbw": 1}}, ["tau", "'elbw'", "'elbow'"]),
        ({"voltage": {"m1": 1}}, ["voltage", "m1"]),
    ],
)
def test_mistakes(arguments, parts):
    arm = load("arm6.urdf")
    with pytest.raises(lw.InputError) as told:
        arm.linearize(**arguments)
    for part in parts:
        assert part in str(told.value)


def test_names_of_transfer_functions():
    model = load("arm6.urdf").linearize()
    with pytest.raises(lw.InputError, match="6; name one of"):
        model.transfer_function()
    with pytest.raises(lw.InputError, match="tau:elbow"):
        model.transfer_function("tau:elbw", "q:elbow")
    with pytest.raises(lw.InputError, match="cut open"):
        load("four_bar.yaml", cut_open=True).linearize()


# --- motors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["puma560_motors.yaml", "five_bar_motors.yaml"])
def test_nominal_voltages_make_the_motion(name):
    """Voltages that were computed for a motion, given to the motors, make it."""
    arm = load(name)
    q0 = arm.state().q
    assert all(drive.k > 0 and drive.derivatives_needed == 2 for drive in arm.drives)
    move = {"left_shoulder": 0.1} if arm.is_closed else {"joint1": 0.4, "joint2": 1.0}
    run = lw.simulate(arm, 0.5, move=move, move_in=0.5, record=["a"], step=5e-4)
    jerk = np.gradient(run["a"], run.time, axis=0, edge_order=2)
    demand = arm.nominal_voltages(run.q, run.v, run["a"], jerk)
    assert demand.voltage.shape == (len(run), len(arm.drives)) and demand.names == [d.name for d in arm.drives]
    volts = {"time": run.time} | {f"voltage:{n}": demand.voltage[:, i] for i, n in enumerate(demand.names)}
    again = lw.simulate(arm, 0.5, q=run.q[0], inputs=volts, step=1e-4,
                        extra={f"motor:{n}:current": demand.current[0, i] for i, n in enumerate(demand.names)}, limits="ignore")
    np.testing.assert_allclose(again.final.q, run.final.q, rtol=0, atol=2e-3 * np.abs(run.final.q - q0).max())


def test_voltages_obey_the_motor_equation():
    arm = load("puma560_motors.yaml")
    q, v, a = random_state(arm, 5)
    jerk = np.zeros(6)
    demand = arm.nominal_voltages(q, v, a, jerk)
    gear = np.array([d.gear for d in arm.drives])
    np.testing.assert_allclose(demand.speed, gear * v, rtol=1e-12)
    k, Ra, La = (np.array([getattr(d, n) for d in arm.drives]) for n in ("k", "Ra", "La"))
    np.testing.assert_allclose(demand.torque, k * demand.current, rtol=1e-12)
    steady = Ra * demand.current + k * demand.speed
    assert np.all(np.abs(demand.voltage - steady) > 0)  # the current changes along the motion
    h = 1e-6
    ahead, behind = (arm.nominal_voltages(arm.integrate(q, s * h * v + h * h / 2 * a), v + s * h * a, a, jerk).current for s in (1, -1))
    np.testing.assert_allclose(demand.voltage, steady + La * (ahead - behind) / (2 * h), rtol=1e-6)
    with pytest.raises(lw.Error, match="jerk"):
        arm.nominal_voltages(q, v, a)
    with pytest.raises(lw.InputError, match="snap"):
        arm.nominal_voltages(q, v, a, snap=jerk)
    with pytest.raises(lw.Error):
        load("arm6.urdf").nominal_voltages([0] * 6, [0] * 6, [0] * 6)


# --- identification --------------------------------------------------------------------------------


def test_identification_finds_what_made_the_data(program, tmp_path):
    arm = load("arm6.urdf")
    run = lw.simulate(arm, 8, reference=MODELS / "arm6_excitation.csv", every=0.02, record=["a", "tau"])
    found = arm.identify(run, joints=["damping", "friction"])
    # Rounding, magnified by the condition of the data.
    np.testing.assert_allclose(found.values, found.model_values, rtol=0, atol=1e-10 * found.condition)
    assert found.samples + found.left_out >= len(run) and list(found.to_pandas().columns) == ["found", "deviation", "model"]
    columns = {n: run[n] for n in run.names}
    arrays = {"q": run.q, "v": run.v, "a": run["a"], "tau": run["tau"]}
    for data in (columns, arrays):
        assert np.array_equal(arm.identify(data, joints=["damping", "friction"]).values, found.values)
    noisy = dict(arrays, tau=run["tau"] + np.random.default_rng(1).normal(0, 0.1, run["tau"].shape))
    rough = arm.identify(noisy, joints=["damping", "friction"])
    # Errors are standard deviations: hardly one beyond five.
    assert np.all(np.abs(rough.values - rough.model_values) < 5 * rough.deviations + 1e-9)
    with pytest.raises(lw.InputError, match="a:"):
        arm.identify({k: v for k, v in arrays.items() if k != "a"})
    with pytest.raises(lw.InputError, match="'stiction'"):
        arm.identify(run, joints=["stiction"])


def test_identification_of_a_closed_mechanism():
    bar = load("five_bar.yaml")
    motors = [n for n in bar.effort_names if n not in bar.passive_names]
    swing = lambda t, q, v: {f"tau:{n}": (1 + i) * np.sin((3 + 2 * i) * t) for i, n in enumerate(motors)}
    run = lw.simulate(bar, 1.5, control=swing, every=0.01, record=["a", "tau"], rtol=1e-9, limits="ignore")
    found = bar.identify(run)
    assert found.moved < 1e-8
    np.testing.assert_allclose(found.values, found.model_values, rtol=0, atol=1e-7 * found.condition)


def test_a_network_is_part_of_the_model(program):
    arm = load("network_arm.yaml")
    found = program("linearize", MODELS / "network_arm.yaml", "--json")
    model = arm.linearize()
    assert [model.states, model.inputs] == [found["states"], found["inputs"]]
    np.testing.assert_allclose(model.A, found["A"], rtol=0, atol=1e-12 * np.abs(found["A"]).max())
    run = lw.simulate(arm, 0.02, method="bdf")
    told = program("simulate", MODELS / "network_arm.yaml", "--time", 0.02, "--method", "bdf", "--json")
    assert run.statistics.steps == told["steps"]
