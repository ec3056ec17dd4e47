"""Dynamics of linkages: arms, legged and parallel robots, space robots, hands.

>>> import linkwright as lw
>>> arm = lw.load("models/arm7.urdf")
>>> tau = arm.inverse_dynamics(arm.neutral(), [0] * arm.nv, [0] * arm.nv)
"""

from . import coordinates, manipulator, model, network, operators
from ._callbacks import Channel, Controller, Event, Load
from ._closed import Assembly, ClosingJoints, Mobility
from ._core import Convention, Kinematics, _version as __version__
from ._errors import ComputationError, Error, InputError, Mistake
from ._files import dump, dumps, load, loads, read_model
from ._linear import Analysis, Equilibrium, FrequencyResponse, LinearModel, Mode, Reach, TransferFunction
from ._motors import Demand, Drive, Estimate
from ._page import Page
from ._pose import Pose
from ._run import Drift, Margin, Occurrence, Run, Slip, Statistics
from ._simulate import Interrupted, RunWarning, Simulation, simulate
from ._simulation_options import SimulationOptions
from ._sweep import Failure, Sweep, SweepWarning, grid, sweep
from ._system import (
    Beam,
    ClosureForceDerivatives,
    Energy,
    ExternalForce,
    ForwardDerivatives,
    InverseDerivatives,
    JointPlace,
    SecondForwardDerivatives,
    SecondInverseDerivatives,
    State,
    System,
    compile,
    to_elastic_chains,
)
from ._verify import Verification
from .manipulator import Manipulator, grasp
from .model import (
    Actuator,
    BeamSection,
    Body,
    BodyLoad,
    Closure,
    FlexibleLink,
    Frame,
    Friction,
    Grasp,
    Joint,
    JointLoad,
    JointSpring,
    Limits,
    LineSpring,
    Model,
    Motor,
)
from .network import Network
from .operators import Operators, dense, explain

__all__ = [
    "Actuator",
    "Analysis",
    "Assembly",
    "Beam",
    "BeamSection",
    "Body",
    "BodyLoad",
    "Channel",
    "ClosingJoints",
    "Closure",
    "ClosureForceDerivatives",
    "ComputationError",
    "Controller",
    "Convention",
    "Demand",
    "Drift",
    "Drive",
    "Energy",
    "Equilibrium",
    "Error",
    "Estimate",
    "Event",
    "ExternalForce",
    "Failure",
    "FlexibleLink",
    "ForwardDerivatives",
    "Frame",
    "FrequencyResponse",
    "Friction",
    "Grasp",
    "InputError",
    "Interrupted",
    "InverseDerivatives",
    "Joint",
    "JointLoad",
    "JointPlace",
    "JointSpring",
    "Kinematics",
    "Limits",
    "LineSpring",
    "LinearModel",
    "Load",
    "Manipulator",
    "Margin",
    "Mistake",
    "Mobility",
    "Mode",
    "Model",
    "Motor",
    "Network",
    "Occurrence",
    "Operators",
    "Page",
    "Pose",
    "Reach",
    "Run",
    "RunWarning",
    "SecondForwardDerivatives",
    "SecondInverseDerivatives",
    "Simulation",
    "SimulationOptions",
    "Slip",
    "State",
    "Statistics",
    "Sweep",
    "SweepWarning",
    "System",
    "TransferFunction",
    "Verification",
    "compile",
    "dump",
    "dumps",
    "coordinates",
    "dense",
    "explain",
    "grasp",
    "grid",
    "load",
    "loads",
    "manipulator",
    "model",
    "network",
    "operators",
    "read_model",
    "simulate",
    "sweep",
    "to_elastic_chains",
]
