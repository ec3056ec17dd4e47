"""Networks: Kirchhoff's and Tellegen's laws, known circuits, and mechanisms from their graphs."""

import gc
import weakref

import numpy as np
import pytest
from conftest import MODELS, OPEN, load, motor_on_a_battery, random_state

import linkwright as lw
from linkwright import network as ne
from linkwright.network import Network


def test_a_motor_on_a_battery():
    net = motor_on_a_battery()
    circuit = net.circuit()
    assert set(circuit.states) == {"network:choke:current", "network:rotor:speed"} and circuit.index == 1
    assert circuit.sources == {"voltage:battery": "V"} and circuit.states["network:rotor:speed"] == "rad/s"
    at = dict(zip(circuit.states, circuit.start()))
    assert at == {"network:choke:current": 0.5, "network:rotor:speed": 3.0}
    now = circuit.evaluate(circuit.start())
    rates = dict(zip(circuit.states, now.rates))
    i, w = 0.5, 3.0
    np.testing.assert_allclose(rates["network:choke:current"], (12 - 0.8 * i - 0.05 * w) / 2e-3, rtol=1e-12)
    np.testing.assert_allclose(rates["network:rotor:speed"], 0.05 * i / 1e-4, rtol=1e-12)
    np.testing.assert_allclose(now.stored, 2e-3 * i**2 / 2 + 1e-4 * w**2 / 2, rtol=1e-12)
    # Tellegen: what all components take sums to nothing.
    names = list(now.outputs)
    powers = [now.outputs[a] * now.outputs[b] for a, b in zip(names[::2], names[1::2])]
    np.testing.assert_allclose(sum(powers), 0, atol=1e-12 * np.abs(powers).max())
    linear = circuit.linear()
    g = linear.transfer_function("voltage:battery", "network:rotor:speed")
    k, R, L, J = 0.05, 0.8, 2e-3, 1e-4
    s = 1j * np.array([0.1, 10.0, 1000.0])
    expected = k / (L * J * s**2 + R * J * s + k * k)
    np.testing.assert_allclose(linear.frequency_response("voltage:battery", "network:rotor:speed", s.imag).value, expected, rtol=1e-12)
    np.testing.assert_allclose(g.gain / np.prod(np.subtract.outer(s, g.poles), axis=1), expected, rtol=1e-10)
    assert len(g.zeros) == 0 and g.left_out == 0
    with pytest.raises(lw.InputError, match="voltage:battery"):
        linear.frequency_response("battery", "network:rotor:speed", [1.0]).value


def test_answers_to_every_source():
    net = motor_on_a_battery()
    net.torque_source("load", 0.0, "rotor")
    net.capacitor("across", 3e-3, "plus")
    linear = net.circuit().linear()
    assert set(linear.inputs) == {"voltage:battery", "torque:load"}
    k, R, L, J = 0.05, 0.8, 2e-3, 1e-4
    s = 1j * np.array([0.1, 10.0, 1000.0])
    by_load = (R + L * s) / (L * J * s**2 + R * J * s + k * k)
    np.testing.assert_allclose(linear.frequency_response("torque:load", "network:rotor:speed", s.imag).value, by_load, rtol=1e-12)
    # A capacitor across a source adds no state: its current is the rate of the source.
    np.testing.assert_allclose(linear.frequency_response("voltage:battery", "network:across:current", s.imag).value, 3e-3 * s, rtol=1e-12)
    with pytest.raises(lw.InputError, match="how fast"):
        linear.transfer_function("voltage:battery", "network:across:current")


def test_what_is_wired_wrongly_is_told():
    net = motor_on_a_battery()
    for refused, part in [
        (lambda: net.resistor("winding", 1, "a", "b"), "winding"),
        (lambda: net.resistor("r", -1, "a", "b"), "r"),
        (lambda: net.resistor("r", 1, "rotor", "b"), "rotor"),
        (lambda: net.port("p", "plus", domain="water"), "'electrical' or 'shaft'"),
        (lambda: net.drive("winding", lambda t: 0.0), "winding"),
    ]:
        with pytest.raises(lw.Error) as told:
            refused()
        assert part in str(told.value)
    net.voltage_source("second", 5, "plus")
    with pytest.raises(lw.Error, match="battery.*second|second.*battery"):
        net.circuit()


def test_components_of_your_own():
    seen = []

    def diode(t, across, states):
        seen.append(t)
        return [1e-12 * np.expm1(across[0] / 0.026)]

    net = Network()
    net.voltage_source("battery", 5, "plus")
    net.resistor("limiter", 100, "plus", "lamp")
    net.component("diode", diode, {"anode": "lamp"})
    circuit = net.circuit()
    del net
    gc.collect()
    out = circuit.evaluate([]).outputs
    voltage = next(v for name, v in out.items() if name.startswith("network:diode") and name.endswith("voltage"))
    np.testing.assert_allclose((5 - voltage) / 100, 1e-12 * np.expm1(voltage / 0.026), rtol=1e-9)
    assert seen
    with pytest.raises(lw.InputError, match="own"):
        circuit.linear()

    def leaky(t, across, states):
        return [states[0]], [across[0] / 0.1]  # an inductor of 0.1 H

    own = Network()
    own.voltage_source("battery", 2, "plus")
    own.component("coil", leaky, {"end": "plus"}, states={"current": "A"}, start=[0.25],
                  stored=lambda x: 0.05 * x[0] ** 2)
    circuit = own.circuit()
    assert circuit.states == {"network:coil:current": "A"} and circuit.start().tolist() == [0.25]
    now = circuit.evaluate([0.25])
    np.testing.assert_allclose([now.rates[0], now.stored], [20.0, 0.05 * 0.25**2], rtol=1e-12)
    bad = Network()
    bad.voltage_source("battery", 2, "plus")
    bad.component("thing", lambda t, across, states: [1.0, 2.0], {"end": "plus"})
    with pytest.raises(lw.Error, match="thing"):
        bad.circuit().evaluate([])


def test_functions_are_let_go():
    class Lamp:
        """What its own component's function refers to: a cycle."""

    lamp = Lamp()
    inner = Network()
    inner.resistor("r", 10, "a", "b")
    inner.resistor("more", 10, "b")
    inner.port("in", "a")
    lamp.net = Network()
    lamp.net.voltage_source("battery", 1, "a")
    lamp.net.part("part", inner.circuit(), {"in": "a"})
    lamp.net.component("own", lambda t, across, states: [across[0] + 0.0 * hash(lamp)], {"end": "a"})
    lamp.net.drive("battery", lambda t: 0.0 * hash(lamp))
    del inner
    gc.collect()
    lamp.circuit = lamp.net.circuit()
    assert lamp.circuit.evaluate([], t=1.0).rates.size == 0
    seen = weakref.ref(lamp)
    del lamp
    gc.collect()
    assert seen() is None


def test_parts_and_functions_of_time():
    low_pass = Network()
    low_pass.resistor("r", 1e3, "in", "out")
    low_pass.capacitor("c", 1e-6, "out")
    low_pass.port("in", "in")
    low_pass.port("out", "out", given="through")
    reduced = low_pass.circuit()
    assert reduced.ports == ["in", "out"]
    two = Network()
    two.voltage_source("signal", 0, "a")
    two.part("first", reduced, {"in": "a", "out": "b"})
    two.part("second", reduced, {"in": "b", "out": "c"})
    two.resistor("load", 1e6, "c")
    two.drive("signal", lambda t: (np.sin(t), np.cos(t)))
    circuit = two.circuit()
    assert len(circuit.states) == 2
    now = circuit.evaluate([0.0, 0.0], t=0.5)
    np.testing.assert_allclose(now.outputs["network:signal:voltage"], np.sin(0.5), rtol=1e-14)
    s = 1j * np.array([1.0, 1e3])
    got = circuit.linear().frequency_response("voltage:signal", "network:load:voltage", s.imag).value
    R, C, load_ = 1e3, 1e-6, 1e6
    second = 1 / (1 / load_ + s * C)
    at_b = 1 / (s * C + 1 / (R + second))
    np.testing.assert_allclose(got, at_b / (at_b + R) * second / (second + R), rtol=1e-10)


def test_networks_of_models():
    arm = load("network_arm.yaml")
    net = Network.of(arm)
    assert ("battery", "voltage_source") in net.components and set(net.joints) == {"joint:shoulder", "joint:elbow"}
    circuit = net.circuit()
    assert circuit.ports == net.joints
    assert [name for name, _ in circuit.dependent] == ["shoulder_rotor"]
    np.testing.assert_allclose(circuit.inertia[0, 0], 2e-5 * 80**2, rtol=1e-12)
    model = lw.read_model(MODELS / "five_bar_motors.yaml")
    for actuator in model.actuators:
        actuator.motor.voltage_limit = actuator.motor.current_limit = np.inf
    motors = Network.of_motors(lw.compile(model))
    kinds = {kind for _, kind in motors.components}
    assert {"voltage_source", "resistor", "motor", "inertia"} <= kinds
    with pytest.raises(lw.InputError, match="limits of voltage"):
        Network.of_motors(load("puma560_motors.yaml"))
    # What turns with the joints is felt there, in a system of the model as it is too.
    bare = arm.model
    bare.network.components = []
    links = lw.compile(bare)
    for whole in (arm, lw.compile(ne.reflect_inertias(arm.model))):
        np.testing.assert_allclose(whole.mass_matrix(arm.neutral()), links.mass_matrix(arm.neutral()) + circuit.inertia,
                                   rtol=1e-12)
    assert Network.of(lw.compile(ne.to_network(model))).components == motors.components
    branches, chords = net.tree()
    assert "battery" in branches and len(branches) + len(chords) >= len(net.components)


@pytest.mark.parametrize("name", ["arm6.urdf", "four_bar.yaml", "stewart.yaml", "five_bar_motors.yaml"])
def test_system_graphs(name):
    system = load(name)
    graph = ne.graph(system)
    B, Q = graph.circuits(), graph.cut_sets()
    assert not graph.conflicts and B.shape == (len(graph.chords), len(graph.edges))
    assert Q.shape == (len(graph.branches), len(graph.edges))
    assert not (B @ Q.T).any()
    names = [edge.name for edge in graph.edges]
    assert np.array_equal(B[:, [names.index(c) for c in graph.chords]], np.eye(len(graph.chords)))
    svg = graph.draw()
    assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>") and graph._repr_svg_() == svg


def test_drivers_that_contradict():
    system = load("four_bar.yaml")
    joints = system.joint_names
    clash = ne.graph(system, across=[*joints, *system.closure_names])
    assert clash.conflicts and clash._repr_svg_() is None
    with pytest.raises(lw.Error, match=clash.conflicts[0][:20].replace("(", r"\(")):
        clash.draw()
    two = ne.graph(system, across=joints[:2])
    with pytest.raises(lw.Error, match=joints[0]):
        two.require_compatible(system, system.state().q, joints[:2])
    ne.graph(system, across=joints[:1]).require_compatible(system, system.state().q, joints[:1])
    with pytest.raises(lw.Error, match="'centre', 'inboard' or 'outboard'"):
        ne.graph(system, drivers="middle")


@pytest.mark.parametrize("name", OPEN)
def test_dynamics_from_the_graph(name):
    system = load(name)
    q, v, _ = random_state(system, 4)
    tau = np.zeros(system.nv)
    a = system.forward_dynamics(q, v, tau)
    scale = np.linalg.cond(system.mass_matrix(q)) * 1e-13 * np.abs(a).max()
    np.testing.assert_allclose(ne.forward_dynamics(system, q, v, tau), a, rtol=0, atol=scale)


def test_dynamics_of_loops_from_the_graph():
    system = load("stewart.yaml")
    q, v = system.state()
    tau = np.zeros(len(system.effort_names))
    a = system.forward_dynamics(q, v, tau)
    np.testing.assert_allclose(ne.forward_dynamics(system, q, v, tau), a, rtol=0, atol=1e-9 * np.abs(a).max())


def test_terminal_equations():
    arm = load("arm6.urdf")
    q, v, a = random_state(arm, 5)
    equations = ne.terminal_equations(arm, q, v, ["tool"])
    reduced = equations.reduce()
    M = arm.mass_matrix(q)
    np.testing.assert_allclose(reduced.P, M, atol=1e-12 * np.abs(M).max())
    np.testing.assert_allclose(reduced.loads, arm.jacobian(q, "tool", "world"), atol=1e-12)
    push = np.array([1.0, 2, 3, 4, 5, 6])
    tau = arm.inverse_dynamics(q, v, a, lw.ExternalForce("tool", push[3:], push[:3], axes="world"))
    tau += arm.joint_forces(q, v)
    np.testing.assert_allclose(reduced.efforts(v, a, push), tau, atol=1e-11 * np.abs(tau).max())
    np.testing.assert_allclose(reduced.accelerations(v, tau, push), a, atol=1e-12 * np.linalg.cond(M) * np.abs(a).max())
    np.testing.assert_allclose(np.abs(equations.S), np.abs(np.linalg.inv(equations.K)), atol=1e-10)
    with pytest.raises(lw.Error, match="cut_open"):
        ne.terminal_equations(load("four_bar.yaml"), load("four_bar.yaml").state().q)


def test_multi_ports():
    arm = load("arm6.urdf")
    q, v, _ = random_state(arm, 6)
    tau = np.arange(6.0)
    port = ne.multi_port(arm, q, v, tau, shafts=["waist"], frames=["tool"])
    assert port.ports == {"waist": slice(0, 1), "tool": slice(1, 7)}
    y = np.array([0.7, 1, -2, 3, 10, -20, 30.0])
    a = arm.forward_dynamics(q, v, tau + [0.7, 0, 0, 0, 0, 0],
                             lw.ExternalForce("tool", y[4:], y[1:4], axes="world"))
    expected = np.concatenate([[a[0]], arm.frame_acceleration(q, v, a, "tool", "world")])
    np.testing.assert_allclose(port.accelerations(y), expected, atol=1e-10 * np.abs(expected).max())
    np.testing.assert_allclose(port.Lambda, port.Lambda.T, atol=1e-12 * np.abs(port.Lambda).max())
    tool = ne.multi_port(arm, q, v, tau, frames=["tool"])
    P, u = tool.norton()
    x = tool.accelerations(y[1:])
    np.testing.assert_allclose(P @ x + u, y[1:], atol=1e-9 * np.abs(P @ x).max())
    # Two equal arms hand in hand: by symmetry the port's acceleration is what each has alone.
    both = tool.join(ne.multi_port(arm, q, v, tau, shafts=["waist"], frames=["tool"]), [("tool", "tool")])
    np.testing.assert_allclose(both.beta, [ne.multi_port(arm, q, v, tau, shafts=["waist"]).beta[0]], atol=1e-8)
    with pytest.raises(lw.Error, match="waist"):
        ne.multi_port(arm, q, v, tau, shafts=["wast"])
