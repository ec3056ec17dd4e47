"""Every public callable of linkwright, found and not listed, and one right call of each."""

import functools
import inspect
import io
import pathlib
import types

import numpy as np
from conftest import MODELS, load, motor_on_a_battery

import linkwright as lw
from linkwright import _arguments
from linkwright import coordinates as co
from linkwright import manipulator as ma
from linkwright import network as ne

ROOMS = {"": lw, "coordinates.": co, "manipulator.": ma, "network.": ne, "operators.": lw.operators}
for name in ("casadi", "jax"):
    try:
        __import__(name)
        ROOMS[f"{name}."] = __import__(f"linkwright.{name}", fromlist=[name])
    except ImportError:
        pass

#: what the library makes and gives away: nobody calls their constructors
ANSWERS = {
    "Analysis", "Assembly", "Estimate", "Failure", "JointPlace", "Mobility", "Page", "Run", "Statistics", "Sweep", "Verification",
    "manipulator.Grasped", "operators.Operator", "network.SystemGraph",
}


# --- found -------------------------------------------------------------------------------------------


def members(kind):
    """What a class brings, its bases in linkwright included: {name: function}; a property's setter is "name="."""
    found = {}
    for base in reversed(kind.__mro__):
        for name, member in vars(base).items() if base.__module__.startswith("linkwright") else ():
            if name.startswith("_") and name not in _arguments.SPECIAL:
                continue
            if isinstance(member, property):
                if member.fset is not None:
                    found[f"{name}="] = member.fset
            elif isinstance(member, (staticmethod, classmethod)):
                found[name] = member.__func__
            elif callable(member) and not isinstance(member, (type, types.WrapperDescriptorType)):
                found[name] = member
    return found


def is_plain(kind):
    """An exception, a named tuple, or data that is judged when it is compiled."""
    return issubclass(kind, (BaseException, tuple)) or (kind.__module__ == "linkwright.model" and kind is not lw.Pose)


def public():
    """{"System.bias": function, "coordinates.joint_model": …}."""
    found, seen = {}, set()
    for room, module in ROOMS.items():
        for name in module.__all__:
            thing = getattr(module, name)
            if name.startswith("_") or not getattr(thing, "__module__", "").startswith("linkwright"):
                continue
            functions = {room + name: thing} if not inspect.isclass(thing) else {
                f"{room}{name}.{member}".removesuffix(".__init__"): function for member, function in members(thing).items()
                if member != "__init__" or not (is_plain(thing) or room + name in ANSWERS)}
            found.update({full: function for full, function in functions.items()
                          if callable(function) and id(function) not in seen and hasattr(function, "__name__")})
            seen.update(map(id, functions.values()))
    return found


def ways_of(function):
    """Every way to call it, as its signatures say."""
    if hasattr(function, "__nb_signature__"):
        return _arguments._compiled_arguments(function)
    return [_arguments.Arguments(function.__qualname__, inspect.signature(function), _arguments.Names(function.__module__))]


# --- called ------------------------------------------------------------------------------------------


class World:
    """Systems to call things on, and the right value for an argument by its name."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    @functools.cached_property
    def arm(self):
        return load("arm6.urdf")

    @functools.cached_property
    def machine(self):
        return load("five_bar.yaml")

    @functools.cached_property
    def boxes(self):
        return load("space_robot_catch.yaml")

    @functools.cached_property
    def motors(self):
        return load("puma560_motors.yaml")

    @functools.cached_property
    def run(self):
        return lw.simulate(self.arm, 0.003, record=["a", "tau"])

    @functools.cached_property
    def linear(self):
        return self.arm.linearize()

    @functools.cached_property
    def tool(self):
        return co.frame_influence(self.arm, self.q(self.arm), "tool", order=3)

    @functools.cached_property
    def joints(self):
        return co.joint_influence(self.arm, order=3)

    @functools.cached_property
    def dynamic(self):
        return co.joint_model(self.arm, self.q(self.arm))

    @functools.cached_property
    def inputs(self):
        return co.joint_influence(self.machine, ["left_motor", "right_motor"])

    @functools.cached_property
    def mechanism(self):
        m = self.machine
        return co.double_transfer(m, self.q(m), np.zeros(m.nv), self.inputs)

    @functools.cached_property
    def unified(self):
        model = ma.Manipulator(self.boxes).model(self.q(self.boxes))
        ma.table_one(model)
        return model

    @functools.cached_property
    def port(self):
        arm = self.arm
        return ne.multi_port(arm, self.q(arm), frames=["tool"])

    @functools.cached_property
    def operators(self):
        return self.arm.operators(self.q(self.arm), np.zeros(6), frames=["tool"])

    def q(self, system):
        return system.state().q if system.is_closed else np.linspace(0.3, 0.9, system.nq)

    def network(self):
        return motor_on_a_battery()

    def circuit(self):
        return self.network().circuit()

    def usual(self, name, system):
        """By what arguments are called everywhere."""
        zeros = np.zeros(system.nv)
        values = {
            "system": system, "q": self.q(system), "q0": self.q(system), "q1": self.q(system), "v": zeros, "a": zeros, "x": zeros,
            "tau": np.zeros(len(system.effort_names)), "a_or_tau": np.zeros(len(system.effort_names)), "frame": "tool",
            "a_active": np.zeros(len(self.unified.active)), "path": self.folder / "out.yaml", "rates": zeros, "accelerations": zeros, "jerks": zeros, "loads": zeros,
            "time": 0.002, "until": 0.002, "model": system.model,
        }
        return values[name]


def stateless(t, q, v):
    return np.zeros(len(v))


def same(case):
    return case


#: on what methods of a class are called
OWNERS = {
    "Convention": lambda w: w.arm.convention("mujoco"),
    "Kinematics": lambda w: w.arm.kinematics(w.q(w.arm)),
    "LinearModel": lambda w: w.linear,
    "TransferFunction": lambda w: w.linear.transfer_function("tau:waist", "q:waist"),
    "Estimate": lambda w: lw.Estimate(["m"], np.ones(1), np.ones(1), np.ones(1), 1.0, [], [], 3, 0),
    "Page": lambda w: lw.Page("<html></html>"),
    "Pose": lambda w: lw.Pose(),
    "Run": lambda w: w.run,
    "Simulation": lambda w: lw.Simulation(w.arm),
    "Sweep": lambda w: lw.sweep(same, [1, 2]),
    "System": lambda w: w.arm,
    "Verification": lambda w: w.arm.verify(1),
    "Manipulator": lambda w: ma.Manipulator(w.boxes),
    "Model": lambda w: w.motors.model,
    "Network": lambda w: w.network(),
    "Operators": lambda w: w.operators,
    "Operator": lambda w: w.operators.mass,
    "OperationalSpace": lambda w: w.operators.operational_space(),
    "DynamicModel": lambda w: w.dynamic,
    "Influence": lambda w: w.joints,
    "Mechanism": lambda w: w.mechanism,
    "RedundantTransfer": lambda w: co.RedundantTransfer(w.tool, co.constant_weight(np.eye(6))),
    "Transfer": lambda w: co.Transfer(w.joints),
    "Regressor": lambda w: co.Regressor(w.arm),
    "UnifiedModel": lambda w: w.unified,
    "Grasped": lambda w: ma.grasp(w.boxes),
    "MultiPort": lambda w: w.port,
    "ReducedEquations": lambda w: ne.terminal_equations(w.arm, w.q(w.arm)).reduce(),
    "TerminalEquations": lambda w: ne.terminal_equations(w.arm, w.q(w.arm)),
    "Circuit": lambda w: w.circuit(),
    "LinearCircuit": lambda w: w.circuit().linear(),
    "SystemGraph": lambda w: ne.graph(w.machine, across=["left_motor"]),
}
#: methods and functions that are called on another system than the arm
SYSTEMS = {
    "machine": [
        "System.project_velocity", "System.closure_forces", "System.closing_forces", "System.closure_residual",
        "System.closure_jacobian", "System.closure_bias", "System.closure_force_derivatives", "System.coordinate_map", "System.independent", "System.assemble",
        "System.assemblies", "System.mobility", "System.closing_joints", "coordinates.closing_influence",
        "coordinates.closure_influence", "coordinates.mechanism_influence", "coordinates.double_transfer",
        "coordinates.Mechanism.forward_dynamics", "coordinates.Mechanism.constraint_forces", "Operators.choose_independent",
        "network.SystemGraph.require_compatible",
    ],
    "motors": ["System.nominal_voltages"],
    "boxes": [
        "Manipulator", "Manipulator.model", "Manipulator.forward_dynamics", "grasp", "manipulator.contact_attitudes",
        "manipulator.contact_forces", "manipulator.held_objects", "manipulator.Grasped.margins", "manipulator.UnifiedModel.base_velocity",
    ],
}
#: what is given where `usual` does not fit
GIVEN = {
    "Channel": lambda w: {"name": "c", "function": stateless},
    "Controller": lambda w: {"function": stateless},
    "Event": lambda w: {"function": stateless},
    "Load": lambda w: {"frame": "tool", "function": stateless},
    "Convention.from_position": lambda w: {"their_q": w.q(w.arm)},
    "Convention.from_velocity": lambda w: {"q": w.q(w.arm), "their_v": np.zeros(6)},
    "Convention.from_acceleration": lambda w: {"q": w.q(w.arm), "v": np.zeros(6), "their_a": np.zeros(6)},
    "Convention.from_effort": lambda w: {"q": w.q(w.arm), "their_tau": np.zeros(6)},
    "load": lambda w: {"path": MODELS / "arm6.urdf"},
    "loads": lambda w: {"text": (MODELS / "five_bar.yaml").read_text()},
    "read_model": lambda w: {"path": MODELS / "arm6.urdf"},
    "LinearModel.discrete": lambda w: {"dt": 0.01},
    "LinearModel.transfer_function": lambda w: {"input": "tau:waist", "output": "q:waist"},
    "LinearModel.frequency_response": lambda w: {"input": "tau:waist", "output": "q:waist"},
    "LinearModel.bode": lambda w: {"path": w.folder / "bode.svg", "pairs": [("tau:waist", "q:waist")]},
    "LinearModel": lambda w: {k: getattr(w.linear, k) for k in ("states", "inputs", "outputs", "A", "B", "C", "D", "drift")},
    "TransferFunction.__call__": lambda w: {"s": 1j},
    "TransferFunction": lambda w: {"input": "u", "output": "y", "gain": 1.0, "zeros": np.zeros(0, complex),
                                   "poles": np.ones(1, complex), "left_out": 0},
    "Page.made": lambda w: {"text": "t", "told": [], "path": None},
    "Pose.from_matrix": lambda w: {"matrix": np.eye(4)},
    "Run.__getitem__": lambda w: {"name": "q:waist"},
    "Run.unit": lambda w: {"name": "q:waist"},
    "Run.save": lambda w: {"path": w.folder / "run.csv"},
    "Simulation.restore": lambda w: {"saved": lw.Simulation(w.arm).save()},
    "Sweep.__getitem__": lambda w: {"index": 0},
    "sweep": lambda w: {"function": same, "cases": [1]},
    "ExternalForce": lambda w: {"frame": "tool"},
    "System.rollout": lambda w: {"q": np.zeros((2, 6)), "v": np.zeros(6), "tau": np.zeros(6), "dt": 0.01, "steps": 1},
    "System.assemblies": lambda w: {"hold": ["left_motor", "right_motor"], "starts": 4},
    "to_elastic_chains": lambda w: {"model": w.arm.model, "links": []},
    "System.convention": lambda w: {"library": "mujoco"},
    "System.identify": lambda w: {"data": {n: np.random.default_rng(1).normal(size=(60, 6)) for n in ("q", "v", "a", "tau")}},
    "System.joint": lambda w: {"name": "waist"},
    "System.position": lambda w: {"values": {"waist": 0.1}},
    "System.velocity": lambda w: {"values": {"waist": 0.1}},
    "System.named": lambda w: {"values": np.zeros(6)},
    "System.to_pandas": lambda w: {"values": np.zeros(6)},
    "System.to_xarray": lambda w: {"values": np.zeros(6)},
    "System.nominal_voltages": lambda w: {**{n: np.zeros(6) for n in ("v", "a", "jerk")}, "q": w.q(w.motors)},
    "System.verify": lambda w: {"states": 1},
    "to_elastic_chains": lambda w: {"links": []},
    "Verification.__getitem__": lambda w: {"name": w.arm.verify(1).formulations[0].name},
    "Manipulator.forward_dynamics": lambda w: {"q": w.q(w.boxes), "v": np.zeros(w.boxes.nv), "tau": np.zeros(w.boxes.nv)},
    "Model.body": lambda w: {"name": w.motors.model.bodies[0].name},
    "Model.joint": lambda w: {"name": w.motors.model.joints[0].name},
    "Model.closure": lambda w: {"name": w.machine.model.closures[0].name},
    "Model.actuator": lambda w: {"name": w.motors.model.actuators[0].name},
    "Network.transformer": lambda w: {"name": "t", "ratios": [1, -1], "wires": ["rotor", "other"]},
    "Network.component": lambda w: {"name": "t", "function": stateless, "wires": {"anode": "plus"}},
    "Network.part": lambda w: {"name": "t", "circuit": _with_port(w), "wires": {"in": "plus"}},
    "Network.port": lambda w: {"name": "in", "wire": "plus"},
    "Network.drive": lambda w: {"source": "battery", "function": lambda t: 1.0},
    "Network.motor": lambda w: {"name": "t", "k": 1.0, "electrical": "plus", "shaft": "rotor"},
    "Network.gear": lambda w: {"name": "t", "ratio": 2.0, "driving": "rotor", "driven": "other"},
    "Operators.forward_dynamics": lambda w: {"algorithm": "FD1", "q": w.q(w.arm), "v": np.zeros(6), "tau": np.zeros(6)},
    "Operators.draw": lambda w: {"expressions": [w.operators.H]},
    "dense": lambda w: {"expression": w.operators.H},
    "explain": lambda w: {"what": "FD1", "at": w.operators},
    "coordinates.DynamicModel.refer_to": lambda w: {"by": w.joints},
    "coordinates.DynamicModel.transfer": lambda w: {"by": w.joints},
    "coordinates.DynamicModel.map_loads": lambda w: {"A": np.eye(6), "names": list("abcdef")},
    "coordinates.Influence.effective_load": lambda w: {"load": np.zeros(6)},
    "coordinates.Influence.select": lambda w: {"names": ["waist"]},
    "coordinates.Influence.stack": lambda w: {"other": w.tool},
    "coordinates.RedundantTransfer": lambda w: {"task": w.tool, "weight": co.constant_weight(np.eye(6))},
    "coordinates.RedundantTransfer.rates": lambda w: {"u_rate": np.zeros(6)},
    "coordinates.RedundantTransfer.accelerations": lambda w: {"u_rate": np.zeros(6), "u_acceleration": np.zeros(6)},
    "coordinates.Transfer": lambda w: {"influence": w.joints},
    "coordinates.Transfer.apply": lambda w: {"u": w.joints},
    "coordinates.constant_weight": lambda w: {"W": np.eye(6)},
    "coordinates.constrain": lambda w: {"model": co.joint_model(w.machine, w.q(w.machine)),
                                        "resting": co.closure_influence(w.machine, w.q(w.machine))},
    "coordinates.distribute": lambda w: {"model": w.dynamic, "motors": w.joints},
    "coordinates.distribution": lambda w: {"motors": w.joints, "loads": np.zeros(6)},
    "coordinates.double_transfer": lambda w: {"q": w.q(w.machine), "v": np.zeros(w.machine.nv), "coordinates": w.inputs},
    "coordinates.leg_by_leg": lambda w: _legs(),
    "coordinates.shaft_influence": lambda w: {"shafts": {"m": {"waist": 2.0}}},
    "manipulator.UnifiedModel.base_velocity": lambda w: {"momentum": np.zeros(6), "v": np.zeros(w.boxes.nv)},
    "manipulator.table_one": lambda w: {"model": w.unified},
    "network.MultiPort.accelerations": lambda w: {"y": np.zeros(6)},
    "network.MultiPort.join": lambda w: {"other": w.port, "pairs": [("tool", "tool")]},
    "network.Circuit": lambda w: {"network": w.network()},
    "network.Circuit.evaluate": lambda w: {"states": w.circuit().start()},
    "network.LinearCircuit.transfer_function": lambda w: {"input": "voltage:battery", "output": "network:rotor:speed"},
    "network.LinearCircuit.frequency_response": lambda w: {"input": "voltage:battery", "output": "network:rotor:speed"},
    "network.LinearCircuit.discrete": lambda w: {"dt": 0.01},
    "network.LinearCircuit.bode": lambda w: {"path": w.folder / "bode.svg", "pairs": [("voltage:battery", "network:rotor:speed")]},
    "network.LinearCircuit": lambda w: {k: getattr(w.circuit().linear(), k) for k in
                                        ("states", "inputs", "outputs", "A", "B", "C", "D", "drift", "D_rate")},
    "network.SystemGraph.require_compatible": lambda w: {"q": w.q(w.machine), "across": ["left_motor"]},
}
for kind in ("resistor", "inductor", "capacitor", "voltage_source", "current_source"):
    GIVEN[f"Network.{kind}"] = lambda w: {"name": "t", 2: 1.0, "a": "plus"}
for kind in ("inertia", "damper", "spring", "speed_source", "torque_source"):
    GIVEN[f"Network.{kind}"] = lambda w: {"name": "t", 2: 1.0, "a": "rotor"}


def _with_port(w):
    net = w.network()
    net.port("in", "plus2")
    net.resistor("r2", 1.0, "plus2")
    return net.circuit()


@functools.cache
def _legs():
    stewart = load("stewart.yaml")
    q = stewart.state().q
    return {"system": stewart, "q": q, "v": np.zeros(stewart.nv), "platform": "plate",
            "coordinates": co.frame_influence(stewart, q, "plate")}


def right_call(world, name, function):
    """A bound callable and the arguments of a call that succeeds."""
    way = ways_of(function)[0]
    system = getattr(world, next((key for key, names in SYSTEMS.items() if name in names), "arm"))
    given = GIVEN.get(name, lambda w: {})(world)
    given = {way.by_place[key - 1 + way.skipped][0] if isinstance(key, int) else key: value for key, value in given.items()}
    given |= {needed: world.usual(needed, system) for needed, _ in way.needed
              if needed not in given and needed not in ("self", "cls")}
    kind, _, member = name.rpartition(".")
    if way.skipped == 0:
        return function, given
    room, _, kind = name.removesuffix(f".{member}").rpartition(".") if member[:1].islower() or member in _arguments.SPECIAL else (
        name.rpartition(".")[0], "", "")
    if not kind:  # a constructor
        module = ROOMS[f"{room}." if room else ""]
        return getattr(module, name.rpartition(".")[2]), given
    owner = system if kind == "System" else lw.Operators(system) if name == "Operators.choose_independent" else OWNERS[kind](world)
    if name == "Model.closure":
        owner = world.machine.model
    return getattr(owner, member), given


def closed_file():
    file = io.StringIO()
    file.close()
    return file
