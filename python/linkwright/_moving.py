"""The verbs of a System about motion over time, linear models, motors and pages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from numpy.typing import ArrayLike

from . import _core, _linear, _motors, _page
from ._arguments import Count, judged
from ._linear import Equilibrium, LinearModel
from ._motors import Demand, Drive, Estimate
from ._page import Page

if TYPE_CHECKING:
    from ._run import Run
    from ._system import Forces, System


@judged
class MovingSystem(_core.System):
    """What System adds to the compiled mechanism for these."""

    def linearize(
        self: Any, q: ArrayLike | Mapping[str, ArrayLike] | None = None, v: ArrayLike | None = None,
        tau: ArrayLike | Mapping[str, float] | None = None, forces: Forces = None, *, coordinates: Sequence[str] = (),
        inputs: Sequence[str] = (), outputs: Sequence[str] = (), motors: bool = False,
        voltage: Mapping[str, float] | None = None, motor_states: Mapping[str, float] | None = None,
    ) -> LinearModel:
        """The linear model about a state: the model's own without q, at rest without v.

        coordinates: joints or parts of frames ("frame:tip:x"), as many as there are freedoms; without them all joints,
        of closed systems independent ones. inputs: "tau" (usual), "tau:elbow", "force:tool:fx", "voltage:m1".
        outputs: the positions (usual), "v", "frame:tip", "closure:c1", … . motors: their currents and shafts are
        states, their voltages inputs; voltage and motor_states say where those stand.

        >>> model = arm.linearize({"joint2": 0.5}, tau=arm.gravity(arm.position({"joint2": 0.5})))
        """
        return _linear.linearize(
            self, q, v, tau, forces, coordinates, inputs, outputs, motors, voltage, motor_states
        )

    def equilibrium(
        self: Any, q: ArrayLike | Mapping[str, ArrayLike] | None = None,
        tau: ArrayLike | Mapping[str, float] | None = None, forces: Forces = None, *, hold: bool = False,
        motors: bool = False, voltage: Mapping[str, float] | None = None, steps: Count = 200,
    ) -> Equilibrium:
        """The state at rest near q; ComputationError where none is found.

        Efforts (and voltages) stay and joints move; with hold joints with a motor stay and efforts hold them.

        >>> hanging = pendulum.equilibrium({"pivot": 0.3}).q
        """
        return _linear.equilibrium(self, q, tau, forces, hold, motors, voltage, steps)

    @property
    def drives(self: Any) -> list[Drive]:
        """Its motors."""
        return _motors.drives(self)

    def nominal_voltages(
        self: Any, q: ArrayLike, v: ArrayLike, a: ArrayLike, jerk: ArrayLike | None = None,
        snap: ArrayLike | None = None, crackle: ArrayLike | None = None,
    ) -> Demand:
        """Torques, currents and voltages that a motion takes of its motors; arrays (K, …) for many states.

        Motors with an inductance need the jerk, elastic gears snap and crackle (drives tell). Of closed systems the
        independent joints count, and the others follow.

        >>> volts = arm.nominal_voltages(q, v, a, jerk).voltage
        """
        return _motors.nominal_voltages(self, q, v, a, jerk, snap, crackle)

    def identify(self: Any, data: Mapping[str, Any] | Run, joints: Sequence[str] = ()) -> Estimate:
        """Base parameters from a measured motion, by weighted least squares.

        data: a Run that recorded "a" and "tau", or {"q": (K, nq), "v": …, "a": …, "tau": …}, or columns ("q:elbow").
        joints: what to find of every joint beside the bodies: "rotor", "damping", "friction".

        >>> found = arm.identify(lw.simulate(arm, 4, inputs="excitation.csv", record=["a", "tau"]))
        """
        return _motors.identify(self, data, joints)

    def view(self: Any, path: str | os.PathLike[str] | None = None, *, q: ArrayLike | None = None) -> Page:
        """The interactive page: the mechanism in 3D, with a slider per joint. Written to a file where one is given.

        >>> page = arm.view()
        """
        return _page.view_system(self, q, path)

    def _repr_html_(self: Any) -> str | None:
        return self.view()._repr_html_() if _core.page_available() else None
