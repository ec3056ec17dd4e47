"""Dynamics of linkages: arms, legged and parallel robots, space robots, hands.

>>> import linkwright as lw
>>> arm = lw.load("models/arm7.urdf")
>>> tau = arm.inverse_dynamics(arm.neutral(), [0] * arm.nv, [0] * arm.nv)
"""

from . import coordinates, manipulator, model, network, operators
from ._closed import Assembly, ClosingJoints, Mobility
from ._errors import ComputationError, Error, InputError, Mistake
from ._system import (
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
    load,
    loads,
    read_model,
)
from ._verify import Verification
from .manipulator import Manipulator, grasp
from .model import (
    Actuator,
    Body,
    BodyLoad,
    Closure,
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
    Pose,
)
from .network import Network
from .operators import Operators, dense, explain

__all__ = [
    "Actuator",
    "Assembly",
    "Body",
    "BodyLoad",
    "Closure",
    "ClosingJoints",
    "ComputationError",
    "Energy",
    "Error",
    "ExternalForce",
    "ForwardDerivatives",
    "Frame",
    "Friction",
    "Grasp",
    "InputError",
    "InverseDerivatives",
    "Joint",
    "JointLoad",
    "JointPlace",
    "JointSpring",
    "Limits",
    "LineSpring",
    "Manipulator",
    "Mistake",
    "Mobility",
    "Model",
    "Motor",
    "Network",
    "Operators",
    "Pose",
    "SecondForwardDerivatives",
    "SecondInverseDerivatives",
    "State",
    "System",
    "Verification",
    "compile",
    "coordinates",
    "dense",
    "explain",
    "grasp",
    "load",
    "loads",
    "manipulator",
    "model",
    "network",
    "operators",
    "read_model",
]
