"""Dynamics of linkages: arms, legged and parallel robots, space robots, hands.

>>> import linkwright as lw
>>> arm = lw.load("models/arm7.urdf")
>>> tau = arm.inverse_dynamics(arm.neutral(), [0] * arm.nv, [0] * arm.nv)
"""

from ._errors import ComputationError, Error, InputError, Mistake
from ._system import Energy, ExternalForce, JointPlace, State, System, load

__all__ = [
    "ComputationError",
    "Energy",
    "Error",
    "ExternalForce",
    "InputError",
    "JointPlace",
    "Mistake",
    "State",
    "System",
    "load",
]
