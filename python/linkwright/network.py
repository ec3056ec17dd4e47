"""Circuits, shafts and mechanisms as networks of components between terminals.

>>> net = Network()
>>> net.voltage_source("battery", 12, "plus")                  # the other end is the ground
>>> net.resistor("winding", 0.8, "plus", "coil")
>>> net.motor("m1", 0.05, electrical="coil", shaft="rotor")
>>> net.inertia("rotor", 1e-4, "rotor")
>>> circuit = net.circuit()
>>> circuit.linear().frequency_response("voltage:battery", "network:rotor:speed", [1.0, 10.0])
"""

from __future__ import annotations

import os
import pathlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import MultiPort, ReducedEquations, TerminalEquations, multi_port, terminal_equations
from ._arguments import Finite, Positive, judged
from ._errors import InputError
from ._linear import FrequencyResponse, LinearModel, TransferFunction
from .model import Model

if TYPE_CHECKING:
    from ._system import Forces, System

__all__ = [
    "Circuit",
    "CircuitMoment",
    "Edge",
    "LinearCircuit",
    "MultiPort",
    "Network",
    "ReducedEquations",
    "SystemGraph",
    "TerminalEquations",
    "forward_dynamics",
    "graph",
    "multi_port",
    "reflect_inertias",
    "terminal_equations",
    "to_network",
]

Floats = NDArray[np.float64]
Domain = Literal["electrical", "shaft"]
#: one node (the other end is the reference), or two
Wire = "str | tuple[str, str]"


def _wire(wire: str | tuple[str, str]) -> tuple[str, str]:
    return (wire, "") if isinstance(wire, str) else (wire[0], wire[1])


@judged
class Network(_core.Network):
    """Components wired between named nodes; nodes are made where they are named.

    An end that is left out is wired to the reference, "ground" of circuits and "housing" of shafts; a node
    "joint:NAME" is the shaft of a joint. initial: where a run begins, a current, voltage, speed or twist.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Any] = []  # functions and parts, which the compiled network borrows

    @classmethod
    def of(cls, system: System) -> Network:
        """The components in a system's model."""
        out = cls()
        out._read(system)
        return out

    @classmethod
    def of_motors(cls, system: System) -> Network:
        """The motors of a system as components: source, winding, rotor, gear of each."""
        out = cls()
        out._read_motors(system)
        return out

    def _one_port(self, kind: str, name: str, value: Finite, a: str, b: str, initial: Finite | None = None) -> None:
        self._add(kind, name, value, [], False, initial, [(a, b)])

    def resistor(self, name: str, ohm: Finite, a: str, b: str = "") -> None:
        """A resistance between two nodes."""
        self._one_port("resistor", name, ohm, a, b)

    def inductor(self, name: str, henry: Positive, a: str, b: str = "", *, initial: Finite | None = None) -> None:
        """An inductance; its current is a state."""
        self._one_port("inductor", name, henry, a, b, initial)

    def capacitor(self, name: str, farad: Positive, a: str, b: str = "", *, initial: Finite | None = None) -> None:
        """A capacitance; its voltage is a state."""
        self._one_port("capacitor", name, farad, a, b, initial)

    def voltage_source(self, name: str, volt: Finite, a: str, b: str = "") -> None:
        """Holds a at a voltage above b."""
        self._one_port("voltage_source", name, volt, a, b)

    def current_source(self, name: str, ampere: Finite, a: str, b: str = "") -> None:
        """Drives a current out at a."""
        self._one_port("current_source", name, ampere, a, b)

    def inertia(self, name: str, inertia: Finite, a: str, b: str = "", *, initial: Finite | None = None) -> None:
        """A rotor on a shaft; its speed is a state."""
        self._one_port("inertia", name, inertia, a, b, initial)

    def damper(self, name: str, damping: Finite, a: str, b: str = "") -> None:
        """A torque against a difference of speeds."""
        self._one_port("damper", name, damping, a, b)

    def spring(self, name: str, stiffness: Finite, a: str, b: str = "", *, initial: Finite | None = None) -> None:
        """An elastic shaft; its torque is a state."""
        self._one_port("spring", name, stiffness, a, b, initial)

    def speed_source(self, name: str, speed: Finite, a: str, b: str = "") -> None:
        """Holds a at a speed relative to b."""
        self._one_port("speed_source", name, speed, a, b)

    def torque_source(self, name: str, torque: Finite, a: str, b: str = "") -> None:
        """Drives a forward by a torque."""
        self._one_port("torque_source", name, torque, a, b)

    def motor(self, name: str, k: Finite, electrical: str | tuple[str, str], shaft: str | tuple[str, str]) -> None:
        """voltage = k speed, and k current drives the shaft forward; k in N m/A."""
        self._add("motor", name, k, [], False, None, [_wire(electrical), _wire(shaft)])

    def gear(self, name: str, ratio: Finite, driving: str | tuple[str, str], driven: str | tuple[str, str]) -> None:
        """The driving shaft turns `ratio` times as fast as the driven one."""
        self._add("gear", name, ratio, [], False, None, [_wire(driving), _wire(driven)])

    def transformer(
        self, name: str, ratios: Sequence[Finite], wires: Sequence[str | tuple[str, str]], *, electrical: bool = False
    ) -> None:
        """sum(ratio * across) = 0 over ports of one domain, and no power is lost."""
        if len(ratios) != len(wires):
            raise InputError(f"ratios and wires: expected as many of both; got {len(ratios)} and {len(wires)}")
        self._add("transformer", name, 0.0, list(ratios), electrical, None, [_wire(w) for w in wires])

    def component(
        self,
        name: str,
        function: Callable[[float, Floats, Floats], Any],
        wires: Mapping[str, str | tuple[str, str]],
        *,
        domains: Mapping[str, Domain] | None = None,
        states: Mapping[str, str] | None = None,
        start: Sequence[Finite] = (),
        stored: Callable[[Floats], float] | None = None,
    ) -> None:
        """A component of your own, which need not be linear: through variables by across variables.

        function(t, across, states) returns through, a number per port, or with states (through, their rates).
        wires: {port: node}. domains: of ports that are no "electrical" ones. states: {name: unit}; start: where
        they begin; stored: joules by states.

        >>> net.component("diode", lambda t, across, states: [1e-12 * np.expm1(across[0] / 0.026)], {"anode": "lamp"})
        """
        ports = [(port, (domains or {}).get(port, "electrical")) for port in wires]
        self._kept += [function, stored]
        self._add_own(name, ports, list((states or {}).items()), list(start), function, stored, _port_wires(wires))

    def part(self, name: str, circuit: Circuit, wires: Mapping[str, str | tuple[str, str]]) -> None:
        """A circuit with outside ports as a component here: {its port: node}."""
        self._kept.append(circuit)
        self._add_part(name, circuit, _port_wires(wires))

    def port(
        self,
        name: str,
        wire: str | tuple[str, str],
        *,
        domain: Domain = "electrical",
        given: Literal["across", "through"] = "across",
    ) -> None:
        """Where the outside is wired to; `given`: which of its two variables the outside gives."""
        self._add_port(name, domain, _wire(wire), given)

    def drive(self, source: str, function: Callable[[float], float | tuple[float, float]]) -> None:
        """A source gives what a function of time says (a value, or value and rate) on top of its own value."""
        self._kept.append(function)
        self._drive(source, function)

    def circuit(self) -> Circuit:
        """Its state equations, reduced to as many states as it has."""
        return Circuit(self)


def _port_wires(wires: Mapping[str, str | tuple[str, str]]) -> list[tuple[str, str, str]]:
    return [(port, *_wire(wire)) for port, wire in wires.items()]


class CircuitMoment(NamedTuple):
    """A circuit at a moment."""

    rates: Floats  #: of the states
    answers: Floats  #: at the ports: the variable that the outside does not give
    outputs: dict[str, float]  #: across and through variable of every component
    stored: float  #: joules
    fed: float  #: watts, every source counted as given


@judged
class Circuit(_core.Circuit):
    """The state equations of a network: what remains are independent voltages, speeds, currents and torques."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self._kept = list(network._kept)

    @property
    def states(self) -> dict[str, str]:
        """Names and units."""
        return dict(self._states)

    @property
    def sources(self) -> dict[str, str]:
        """Names ("voltage:battery") and units of what sources give."""
        return dict(self._sources)

    @property
    def outputs(self) -> dict[str, str]:
        """Names ("network:coil:current") and units of all across and through variables."""
        return dict(self._outputs)

    def start(self, *, given: ArrayLike | None = None, sources: ArrayLike | None = None) -> Floats:
        """States where a run begins: those that components were given, the others with least energy."""
        return self._start(given, sources)

    def evaluate(
        self,
        states: ArrayLike,
        *,
        t: Finite = 0.0,
        given: ArrayLike | None = None,
        sources: ArrayLike | None = None,
        source_rates: ArrayLike | None = None,
        given_rates: ArrayLike | None = None,
    ) -> CircuitMoment:
        """Everything at a moment. given: at the ports; sources: without functions of time; zero rates by default."""
        rates, answers, outputs, stored, fed = self._evaluate(t, states, given, sources, source_rates, given_rates)
        return CircuitMoment(rates, answers, dict(zip(self.outputs, outputs.tolist())), stored, fed)

    def linear(self) -> LinearCircuit:
        """The circuit as matrices: inputs are its ports and sources, outputs its variables and the ports' answers."""
        if not self.is_linear:
            raise InputError("this circuit has components of your own, which need not be linear; linearize a system "
                             "with them about a state")
        n, ports, sources = len(self._states), len(self.ports), len(self._sources)

        def column(x: int | None, w: int | None, rate: int | None) -> tuple[Floats, Floats]:
            one = np.eye(max(n, ports + sources, 1))
            given, given_rate = (np.zeros(ports + sources) if i is None else one[i][: ports + sources] for i in (w, rate))
            told = self._evaluate(0.0, np.zeros(n) if x is None else one[x][:n], given[:ports], given[ports:],
                                  given_rate[ports:], given_rate[:ports])
            return told[0], np.concatenate([told[2], told[1]])

        def columns(found: list[tuple[Floats, Floats]], part: int, rows: int) -> Floats:
            return np.array([one[part] for one in found]).reshape(len(found), rows).T

        outputs = [*self.outputs, *(f"answer:{port}" for port in self.ports)]
        by_x = [column(i, None, None) for i in range(n)]
        by_w = [column(None, i, None) for i in range(ports + sources)]
        by_rate = [column(None, None, i) for i in range(ports + sources)]
        m = len(outputs)
        return LinearCircuit(
            list(self.states), [*self.ports, *self.sources], outputs, columns(by_x, 0, n), columns(by_w, 0, n),
            columns(by_x, 1, m), columns(by_w, 1, m), np.zeros(n), D_rate=columns(by_rate, 1, m),
        )


@judged
@dataclass(frozen=True, repr=False)
class LinearCircuit(LinearModel):
    """A linear model whose outputs may depend on how fast inputs change: y = C x + D u + D_rate u'.

    What has no place for D_rate (transfer functions, state spaces, steps) refuses inputs and outputs that have one;
    frequency_response knows it.
    """

    D_rate: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def _require_no_rates(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        for i in outputs:
            for j in inputs:
                if self._rate(j, i) != 0:
                    raise InputError(f"{i} depends on how fast {j} changes: it has more zeros than poles; ask for "
                                     "frequency_response(...)")

    def _rate(self, input: str, output: str) -> float:
        if input not in self.inputs or output not in self.outputs:
            return 0.0  # refused by name where it is looked for
        return float(self.D_rate[self.outputs.index(output), self.inputs.index(input)])

    def transfer_function(self, input: str | None = None, output: str | None = None) -> TransferFunction:
        """Poles, zeros and gain from an input to an output; either may be left out where there is one only."""
        self._require_no_rates(self.inputs if input is None else [input], self.outputs if output is None else [output])
        return super().transfer_function(input, output)

    def frequency_response(
        self, input: str | None = None, output: str | None = None, frequencies: ArrayLike = ()
    ) -> FrequencyResponse:
        """Answers to waves at these frequencies (rad/s); without them where something happens."""
        found = super().frequency_response(input, output, frequencies)
        rate = self._rate(input or self.inputs[0], output or self.outputs[0])
        return FrequencyResponse(found.frequency, found.value + 1j * rate * found.frequency)

    def discrete(self, dt: Positive) -> LinearModel:
        """The same at steps of dt seconds, exactly, inputs constant over each."""
        self._require_no_rates(self.inputs, self.outputs)
        return super().discrete(dt)

    def bode(self, path: str | os.PathLike[str], pairs: Sequence[tuple[str, str]] | None = None) -> pathlib.Path:
        """Draws size and phase over frequency as SVG: of all pairs (input, output), or of these."""
        for input, output in pairs or [(i, o) for i in self.inputs for o in self.outputs]:
            self._require_no_rates([input], [output])
        return super().bode(path, pairs)

    def to_scipy(self) -> Any:
        """scipy.signal.StateSpace"""
        self._require_no_rates(self.inputs, self.outputs)
        return super().to_scipy()

    def to_control(self) -> Any:
        """control.StateSpace of python-control, with the names of states, inputs and outputs."""
        self._require_no_rates(self.inputs, self.outputs)
        return super().to_control()


class Edge(NamedTuple):
    """One edge of a system graph."""

    name: str
    a: str  #: terminal
    b: str
    component: str  #: what it is a port of: "body", "joint", "motor coil", ...
    driver: str  #: "none", "across" or "through"
    is_branch: bool  #: whether it is in the formulation tree


@judged
class SystemGraph(_core.SystemGraph):
    """A mechanism as a linear graph, with its formulation tree; a notebook shows the drawing."""

    edges: list[Edge]
    system: System

    @property
    def branches(self) -> list[str]:
        """Edges of the formulation tree, in the order of cut_sets()."""
        return [edge.name for edge in self.edges if edge.is_branch]

    @property
    def chords(self) -> list[str]:
        """The other edges, in the order of circuits()."""
        return [edge.name for edge in self.edges if not edge.is_branch]

    def _repr_svg_(self) -> str | None:
        return None if self.conflicts else self.draw()


@judged
def graph(
    system: System,
    *,
    drivers: Literal["centre", "inboard", "outboard"] | None = None,
    across: Sequence[str] = (),
    through: Sequence[str] = (),
) -> SystemGraph:
    """The system graph of a system and its formulation tree.

    drivers: Tokad's case, where inertia and weight of every body act. across, through: joints whose motion, or
    wrench, is given from outside. What conflicts is in `conflicts`.

    >>> graph(load("models/four_bar.yaml")).draw()[:4]
    '<svg'
    """
    out = SystemGraph(system, drivers, list(across), list(through))
    out.system = system
    out.edges = [Edge(*edge) for edge in out._edges]
    return out


@judged
def reflect_inertias(model: Model) -> Model:
    """Inertias of its network that joints turn rigidly become rotors of the mechanism, where they are felt."""
    return _changed(_core._reflect_inertias, model)


@judged
def to_network(model: Model) -> Model:
    """The motors of a model as components of its network, in place of its actuators."""
    return _changed(_core._to_network, model)


def _changed(change: Callable[[_core.Model], _core.Model], model: Model) -> Model:
    out = _core._to_python(change(_core._from_python(model)))
    assert isinstance(out, Model)
    return out


@judged
def forward_dynamics(
    system: System, q: ArrayLike, v: ArrayLike, tau: ArrayLike, forces: Forces = None
) -> Floats:
    """Accelerations from the system graph: outboard parts are replaced by what they do at the joint.

    >>> np.allclose(forward_dynamics(arm, q, v, tau), arm.forward_dynamics(q, v, tau))
    True
    """
    return _core._network_forward_dynamics(system, q, v, tau, forces)
