"""Spatial operators as expressions: what the paper writes as a product runs as recursions, without a matrix.

>>> ops = system.operators(q)
>>> mass = ops.H @ ops.phi @ ops.M @ ops.phi.T @ ops.H.T + ops.R
>>> tau = mass @ a                          # two passes over the tree
>>> print(explain(mass.inverse()))          # which passes, and what they cost
>>> a = mass.inverse() @ tau
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import OperationalSpace
from ._arguments import Count, Finite, Positive, Seed, judged
from ._errors import InputError
from ._expressions import ANY, Algorithm, Identity, Letter, Operator, dense, explain, letters

if TYPE_CHECKING:
    from ._system import Forces, System

__all__ = ["Algorithm", "Covariance", "OperationalSpace", "Operator", "Operators", "dense", "explain"]

Floats = NDArray[np.float64]
Covariance = Literal["mass", "inverse_mass"]


@judged
class Operators(_core.Operators):
    """The spatial operators of a system, at a configuration that can be moved with update().

    >>> ops = system.operators(q, frames=["tool"])
    >>> twist = ops.B.T @ ops.phi.T @ ops.H.T @ v        # the Jacobian times v, in one pass
    """

    def __init__(
        self,
        system: System,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        frames: Sequence[str] = (),
        forces: Forces = None,
    ) -> None:
        super().__init__(system, list(frames))
        self.system = system
        if q is not None:
            self.update(q, v, tau, forces)

    def update(
        self, q: ArrayLike, v: ArrayLike | None = None, tau: ArrayLike | None = None, forces: Forces = None
    ) -> None:
        """Moves to a configuration; with v or tau to a state, and a, b, T, g and a_0 are there too."""
        if v is None and tau is None and forces is None:
            self._update(self.system, q)
            return
        rest = np.zeros(self.system.nv)
        self._update_state(self.system, q, rest if v is None else v, rest if tau is None else tau, forces)

    def choose_independent(self, q: ArrayLike, names: Sequence[str] = ()) -> list[str]:
        """Of a closed system: what joint vectors hold from now on, the best conditioned joints or these."""
        self._choose(self.system, q, list(names))
        return self.independent

    def _letter(self, name: str) -> Operator:
        return Letter(self, letters[name])

    @property
    def phi(self) -> Operator:
        """φ: link forces carried rigidly to all nodes inboard."""
        return self._letter("phi")

    @property
    def Phi(self) -> Operator:
        """Φ = φ S"""
        return self._letter("Phi")

    @property
    def phi_tilde(self) -> Operator:
        """φ − I"""
        return self._letter("phi_tilde")

    @property
    def psi(self) -> Operator:
        """ψ: as φ, while the joints in between are free to give way."""
        return self._letter("psi")

    @property
    def Psi(self) -> Operator:
        """Ψ = ψ S"""
        return self._letter("Psi")

    @property
    def psi_tilde(self) -> Operator:
        """ψ − I"""
        return self._letter("psi_tilde")

    @property
    def S(self) -> Operator:
        """Inboard forces of the children, summed at the parent."""
        return self._letter("S")

    @property
    def Delta_phi(self) -> Operator:
        """φ from each link to its parent."""
        return self._letter("Delta_phi")

    @property
    def Delta_psi(self) -> Operator:
        """ψ from each link to its parent."""
        return self._letter("Delta_psi")

    @property
    def H(self) -> Operator:
        """Joint efforts of link forces."""
        return self._letter("H")

    @property
    def M(self) -> Operator:
        """Inertias of the links."""
        return self._letter("M")

    @property
    def P(self) -> Operator:
        """Articulated inertias."""
        return self._letter("P")

    @property
    def D(self) -> Operator:
        """What is felt at each joint: H P Hᵀ + R."""
        return self._letter("D")

    @property
    def D_inverse(self) -> Operator:
        """The inverse of D."""
        return self._letter("D_inverse")

    @property
    def G(self) -> Operator:
        """The filter's gain P Hᵀ D⁻¹."""
        return self._letter("G")

    @property
    def L(self) -> Operator:
        """Δφ G"""
        return self._letter("L")

    @property
    def R(self) -> Operator:
        """Inertias of rotors, as felt at the joints."""
        return self._letter("R")

    @property
    def B(self) -> Operator:
        """Forces on the frames to the links that carry them."""
        return self._letter("B")

    @property
    def E(self) -> Operator:
        """Motion of the world to the links that stand on it."""
        return self._letter("E")

    @property
    def I(self) -> Operator:
        """The identity, of whichever space the rest of a sum is on."""
        return Identity(self, ANY)

    @property
    def mass(self) -> Operator:
        """The mass matrix H φ M φᵀ Hᵀ + R."""
        return self.H @ self.phi @ self.M @ self.phi.T @ self.H.T + self.R

    @property
    def mass_inverse(self) -> Operator:
        """(I − H Ψ L)ᵀ D⁻¹ (I − H Ψ L)"""
        innovations = self.I - self.H @ self.Psi @ self.L
        return innovations.T @ self.D_inverse @ innovations

    @property
    def jacobian(self) -> Operator:
        """Bᵀ φᵀ Hᵀ: motion of the frames by joint rates, [angular; linear] in each frame."""
        return self.B.T @ self.phi.T @ self.H.T

    @property
    def a(self) -> Floats:
        """Bias accelerations of the links, at a state."""
        return self._vector("a")

    @property
    def b(self) -> Floats:
        """Bias forces of the links less external forces, at a state."""
        return self._vector("b")

    @property
    def T(self) -> Floats:
        """Efforts: those given, and what the model's springs, dampers and loads do at the joints."""
        return self._vector("T")

    @property
    def g(self) -> Floats:
        """Minus gravity, as a motion of the base."""
        return self._vector("g")

    @property
    def a_0(self) -> Floats:
        """Bias accelerations of the frames, plus gravity, at a state."""
        return self._vector("a_0")

    def forward_dynamics(
        self, algorithm: Algorithm, q: ArrayLike, v: ArrayLike, tau: ArrayLike, forces: Forces = None
    ) -> Floats:
        """Accelerations by one of the paper's four algorithms; moves to the state."""
        return self._forward_dynamics(self.system, algorithm, q, v, tau, forces)[0]

    def sample(
        self,
        covariance: Covariance = "mass",
        size: Count | None = None,
        rng: np.random.Generator | Seed | None = None,
    ) -> Floats:
        """Joint vectors that vary like the mass matrix or its inverse: (n,) or (size, n)."""
        n = self.shape_of_joints
        noise = np.random.default_rng(rng).normal(size=n if size is None else (size, n))
        return self._root(covariance, noise)

    @property
    def shape_of_joints(self) -> int:
        """Numbers in a joint vector: nv, or the independent joints of a closed system."""
        return self.D.shape[0]

    def operational_space(self, cutoff: Positive = 1e-10) -> OperationalSpace:
        """Inertia, consistent inverse and null space at the frames, by recursions."""
        return self._operational_space(cutoff)

    def draw(self, expressions: Sequence[Operator]) -> str:
        """Which nodes these connect, side by side, as the text of an SVG file."""
        return self._draw([(str(x), x._dense(), x._range, x._domain) for x in expressions])
