"""What a person describes and edits: bodies, joints and everything attached to them, by name.

>>> import linkwright as lw
>>> model = lw.Model(name="pendulum")
>>> model.bodies.append(lw.Body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.02, 0.02, 1e-4, 0, 0, 0)))
>>> model.joints.append(lw.Joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0)))
>>> pendulum = lw.compile(model)

A Model is plain data: nothing is judged before `compile`. The order of `joints` is the order of q and v. Lists per
freedom (damping, limits, …) hold one entry per freedom of the joint, or one that serves all, or none for zero.
Angles are radians, everything else SI. docs/system_file.md tells what each thing means.
"""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass, field, fields
from typing import Literal, Protocol, Sequence, TypeVar

from ._arguments import judged
from ._errors import InputError
from ._pose import Pose as Pose
from ._pose import Vector as Vector

JointType = Literal[
    "fixed", "revolute", "continuous", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical",
    "free", "custom",
]

INFINITE = math.inf


@dataclass(slots=True)
class Source:
    """A place in a file; line 0: none known."""

    file: str = ""
    line: int = 0


def _source() -> Source:
    return field(default_factory=Source, repr=False)


@dataclass(slots=True)
class Body:
    name: str = ""
    mass: float = 0.0
    #: centre of mass, in the body's frame
    com: Vector = (0.0, 0.0, 0.0)
    #: ixx, iyy, izz, ixy, ixz, iyz about the centre of mass, in the body's axes
    inertia: Vector = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    has_inertial: bool = True
    source: Source = _source()
    inertial_source: Source = _source()


@dataclass(slots=True)
class Limits:
    """Of one freedom; the last three say how a simulation stops it."""

    lower: float = -INFINITE
    upper: float = INFINITE
    velocity: float = INFINITE
    effort: float = INFINITE
    restitution: float = 0.0
    stiffness: float = INFINITE
    damping: float = 0.0


@dataclass(slots=True)
class Friction:
    """Coulomb friction of one freedom; magnitudes."""

    forward: float = 0.0
    backward: float = 0.0
    breakaway: float = 0.0


@dataclass(slots=True)
class Joint:
    name: str = ""
    type: JointType = "fixed"
    parent: str = ""
    child: str = ""
    #: joint frame in the parent's frame; the child's frame is the joint frame at q = 0
    pose: Pose = Pose()
    #: where the joint sits on the child, in the child's frame
    at_child: Pose = Pose()
    #: in the joint frame
    axis: Vector = (1.0, 0.0, 0.0)
    axis2: Vector = (0.0, 1.0, 0.0)
    #: helical: metres per radian
    pitch: float = 0.0
    #: custom: columns [wx wy wz vx vy vz] in the child frame, one per freedom
    modes: list[Sequence[float]] = field(default_factory=list)
    passive: list[bool] = field(default_factory=list)
    damping: list[float] = field(default_factory=list)
    friction: list[Friction] = field(default_factory=list)
    rotor_inertia: list[float] = field(default_factory=list)
    limits: list[Limits] = field(default_factory=list)
    implied: bool = field(default=False, repr=False)
    source: Source = _source()


@dataclass(slots=True)
class Frame:
    """A named place on a body."""

    name: str = ""
    body: str = ""
    pose: Pose = Pose()
    source: Source = _source()


@dataclass(slots=True)
class GearTerm:
    joint: str = ""
    freedom: int = 0
    ratio: float = 1.0


@dataclass(slots=True)
class Closure:
    """A joint that closes a loop, another bond between two bodies, or a gear between two joints."""

    name: str = ""
    kind: Literal["joint", "point_on_line", "point_on_plane", "distance", "rolling", "gear", "shaft"] = "joint"
    body_a: str = ""
    body_b: str = ""
    at_a: Pose = Pose()
    at_b: Pose = Pose()
    #: kind joint: the pair's type
    joint: JointType = "fixed"
    axis: Vector = (0.0, 0.0, 1.0)
    axis2: Vector = (0.0, 1.0, 0.0)
    disc: bool = False
    pitch: float = 0.0
    modes: list[Sequence[float]] = field(default_factory=list)
    #: kind distance; rolling: the radius
    distance: float = 0.0
    #: gear: q(follower) = ratio q(leader) + offset
    leader: str = ""
    follower: str = ""
    ratio: float = 1.0
    offset: float = 0.0
    terms: list[GearTerm] = field(default_factory=list)
    passive: list[bool] = field(default_factory=list)
    damping: list[float] = field(default_factory=list)
    friction: list[Friction] = field(default_factory=list)
    rotor_inertia: list[float] = field(default_factory=list)
    limits: list[Limits] = field(default_factory=list)
    source: Source = _source()


@dataclass(slots=True)
class Grasp:
    """How a hand holds an object."""

    name: str = ""
    #: body or frame that touches
    arm: str = ""
    object: str = ""
    #: contact frame in the object's frame
    at: Pose = Pose()
    contact: Literal["rigid", "line", "point", "soft_finger"] = "rigid"
    normal: Vector = (0.0, 0.0, 1.0)
    axis: Vector = (0.0, 0.0, 1.0)
    friction: float | None = None
    torsion: float | None = None
    source: Source = _source()


@dataclass(slots=True)
class LineSpring:
    """A spring with damper on a straight line between two bodies."""

    name: str = ""
    body_a: str = ""
    body_b: str = ""
    at_a: Vector = (0.0, 0.0, 0.0)
    at_b: Vector = (0.0, 0.0, 0.0)
    stiffness: float = 0.0
    damping: float = 0.0
    rest_length: float = 0.0
    source: Source = _source()


@dataclass(slots=True)
class JointSpring:
    joint: str = ""
    freedom: int = 0
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    source: Source = _source()


@dataclass(slots=True)
class JointLoad:
    """A constant effort on one freedom of a joint."""

    joint: str = ""
    freedom: int = 0
    effort: float = 0.0
    source: Source = _source()


@dataclass(slots=True)
class BodyLoad:
    """A constant moment and force on a body at `at`, in the body's frame."""

    body: str = ""
    moment: Vector = (0.0, 0.0, 0.0)
    force: Vector = (0.0, 0.0, 0.0)
    at: Vector = (0.0, 0.0, 0.0)
    in_world: bool = True
    source: Source = _source()


@dataclass(slots=True)
class Motor:
    """A direct-current motor; Ra, La, k all 0: no electrical side."""

    rotor_inertia: float = 0.0
    damping: float = 0.0
    friction: Friction = field(default_factory=Friction)
    Ra: float = 0.0
    La: float = 0.0
    k: float = 0.0
    field_constant: float = 0.0
    field_current: float = 0.0
    voltage_limit: float = INFINITE
    current_limit: float = INFINITE


@dataclass(slots=True)
class ElasticGear:
    stiffness: float = 0.0
    damping: float = 0.0


@dataclass(slots=True)
class Actuator:
    name: str = ""
    #: empty: `transmission` says what the shaft turns
    joint: str = ""
    freedom: int = 0
    motor: Motor | None = None
    gear: float = 1.0
    transmission: list[GearTerm] = field(default_factory=list)
    elastic: ElasticGear | None = None
    source: Source = _source()


def _no_matrix() -> Sequence[Sequence[float]]:
    return ((0.0,) * 6,) * 6


@dataclass(slots=True)
class FlexibleBase:
    """A free joint that gives way elastically; 6 x 6, [angular; linear]."""

    joint: str = ""
    stiffness: Sequence[Sequence[float]] = field(default_factory=_no_matrix)
    damping: Sequence[Sequence[float]] = field(default_factory=_no_matrix)
    source: Source = _source()


@dataclass(slots=True)
class InitialEntry:
    joint: str = ""
    values: list[float] = field(default_factory=list)
    source: Source = _source()


@dataclass(slots=True)
class MotorEntry:
    motor: str = ""
    value: float = 0.0
    source: Source = _source()


@dataclass(slots=True)
class InitialState:
    """What System.state starts from."""

    q: list[InitialEntry] = field(default_factory=list)
    v: list[InitialEntry] = field(default_factory=list)
    hold: list[str] = field(default_factory=list)
    hold_source: Source = _source()
    current: list[MotorEntry] = field(default_factory=list)
    shaft_angle: list[MotorEntry] = field(default_factory=list)
    shaft_speed: list[MotorEntry] = field(default_factory=list)


@dataclass(slots=True)
class Visual:
    body: str = ""
    pose: Pose = Pose()
    shape: Literal["box", "cylinder", "sphere", "capsule", "mesh"] = "box"
    #: box edges; cylinder, capsule: radius, length; sphere: radius; mesh: scale
    size: Vector = (0.0, 0.0, 0.0)
    file: str = ""
    name: str = ""
    rgba: Sequence[float] | None = None
    source: Source = _source()


@dataclass(slots=True)
class Warning:
    message: str = ""
    kind: str = ""
    source: Source = _source()


@dataclass(slots=True)
class SourceText:
    name: str = ""
    text: str = field(default="", repr=False)


@dataclass(slots=True)
class NetworkWire:
    from_: str = ""
    to: str = ""


@dataclass(slots=True)
class NetworkComponent:
    name: str = ""
    kind: str = "resistor"
    value: float = 0.0
    ratios: list[float] = field(default_factory=list)
    electrical: bool = False
    initial: float | None = None
    wires: list[NetworkWire] = field(default_factory=list)
    source: Source = _source()


@dataclass(slots=True)
class NetworkModel:
    """Circuits and shafts around the mechanism."""

    components: list[NetworkComponent] = field(default_factory=list)
    is_reflected: bool = False
    source: Source = _source()


@dataclass(slots=True)
class BeamSection:
    """The cross-section of a beam whose x axis runs along it."""

    shape: Literal["rectangle", "circle", "tube"] = "rectangle"
    #: rectangle: along the beam's y and z
    width: float = 0.0
    height: float = 0.0
    #: circle; tube
    radius: float = 0.0
    inner_radius: float = 0.0


@dataclass(slots=True)
class FlexibleLink:
    """A body that is a beam, by material and section, or by stiffness and mass per length; for `to_elastic_chains`."""

    body: str = ""
    #: where the beam begins, in the body's frame, and from there to its far end
    from_: Vector = (0.0, 0.0, 0.0)
    along: Vector = (0.0, 0.0, 0.0)
    #: the beam's z, as far as it is normal to along; zero: the body's z, for a beam along it the body's x
    up: Vector = (0.0, 0.0, 0.0)
    #: Pa, Pa, kg/m3; without G it does not twist, without a density it has the body's mass
    E: float | None = None
    G: float | None = None
    density: float | None = None
    section: BeamSection | None = None
    #: in place of E and section, about y and z of the beam; one number serves both
    EI: list[float] = field(default_factory=list)
    GJ: float | None = None
    EA: float | None = None
    mass_per_length: float | None = None
    inertia_per_length: float | None = None
    #: about which axes of the beam it bends
    bending: Literal["both", "y", "z"] = "both"
    #: whether it stretches; None: where EA is given
    axial: bool | None = None
    #: elastic joints; None: by modes, the bending modes within 2 % each way (three)
    elements: int | None = None
    modes: int | None = None
    #: of the first mode of each kind, clamped where it begins
    damping_ratio: float = 0.0
    source: Source = _source()


@dataclass(repr=False, slots=True)
class Model:
    """A mechanism as it is described; `compile` judges it and makes a System of it.

    >>> model = lw.read_model("models/arm7.urdf")
    >>> model.body("link3").mass = 4
    """

    name: str = ""
    gravity: Vector = (0.0, 0.0, -9.81)
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    cut_source: Source = _source()
    frames: list[Frame] = field(default_factory=list)
    closures: list[Closure] = field(default_factory=list)
    grasps: list[Grasp] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    line_springs: list[LineSpring] = field(default_factory=list)
    joint_springs: list[JointSpring] = field(default_factory=list)
    joint_loads: list[JointLoad] = field(default_factory=list)
    body_loads: list[BodyLoad] = field(default_factory=list)
    actuators: list[Actuator] = field(default_factory=list)
    network: NetworkModel = field(default_factory=NetworkModel)
    flexible_bases: list[FlexibleBase] = field(default_factory=list)
    coordinates: list[str] = field(default_factory=list)
    coordinates_source: Source = _source()
    initial: InitialState = field(default_factory=InitialState)
    visuals: list[Visual] = field(default_factory=list, repr=False)
    collisions: list[Visual] = field(default_factory=list, repr=False)
    warnings: list[Warning] = field(default_factory=list)
    sources: list[SourceText] = field(default_factory=list, repr=False)

    def __repr__(self) -> str:
        parts = [(each.name.replace("_", " "), getattr(self, each.name)) for each in fields(self) if each.repr and each.name != "warnings"]
        filled = [(name, part) for name, part in parts if isinstance(part, list) and part]
        head = f"Model {self.name!r}: " + (", ".join(f"{len(part)} {name}" for name, part in filled) or "empty")
        return "\n".join([head, *(f"  {name}: {_names(part)}" for name, part in filled if name in _SHOWN)])

    @judged
    def body(self, name: str) -> Body:
        """The body of that name."""
        return _named(self.bodies, name, "body")

    @judged
    def joint(self, name: str) -> Joint:
        """The joint of that name."""
        return _named(self.joints, name, "joint")

    @judged
    def closure(self, name: str) -> Closure:
        """The closure of that name."""
        return _named(self.closures, name, "closure")

    @judged
    def actuator(self, name: str) -> Actuator:
        """The actuator of that name."""
        return _named(self.actuators, name, "actuator")


#: parts of a model whose names its text shows, and how many of each
_SHOWN, _MOST = ("bodies", "joints", "closures", "grasps", "actuators"), 12


class _Thing(Protocol):
    name: str


def _names(things: Sequence[_Thing]) -> str:
    more = len(things) - _MOST
    return ", ".join(thing.name for thing in things[:_MOST]) + (f" and {more} more" if more > 0 else "")


T = TypeVar("T", bound=_Thing)


def _named(things: Sequence[T], name: str, what: str) -> T:
    for thing in things:
        if thing.name == name:
            return thing
    near = difflib.get_close_matches(name, [thing.name for thing in things], 1)
    raise InputError(f"there is no {what} '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
