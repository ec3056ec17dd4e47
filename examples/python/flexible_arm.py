"""A flexible arm: the frequencies of a beam come out of its elements, and a weight at its end lowers them as it must."""

import numpy as np

import linkwright as lw

E, density, length, width, height = 7e10, 2700.0, 0.8, 0.0025, 0.06
area, moment = width * height, height * width**3 / 12


def frequencies(elements, weight):
    """Of a beam clamped at one end with a weight at the other, rad/s."""
    beam = lw.loads(f"""
linkwright: 1
bodies:
  - {{name: beam}}
  - {{name: weight, mass: {weight}, inertia: [1.0e-9, 1.0e-9, 1.0e-9, 0, 0, 0]}}
joints:
  - {{name: foot, type: fixed, parent: world, child: beam}}
  - {{name: grip, type: fixed, parent: beam, child: weight, pose: {{xyz: [{length}, 0, 0]}}}}
flexible_links:
  - {{body: beam, along: [{length}, 0, 0], E: {E}, density: {density}, section: {{rectangle: [{width}, {height}]}},
      bending: z, elements: {elements}, damping_ratio: 0}}
gravity: [0, 0, 0]
""")
    q, still = beam.neutral(), np.zeros(beam.nv)
    stiffness = -np.array([beam.joint_forces(beam.integrate(q, e), still) for e in np.eye(beam.nv)]).T
    M = beam.mass_matrix(q)
    return np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, stiffness)).real))


# Euler and Bernoulli's beam: (beta L)² sqrt(EI / (rho A L⁴)), beta L = 1.8751 and 4.6941.
expected = np.array([1.8751040687, 4.6940911330]) ** 2 * np.sqrt(E * moment / (density * area * length**4))
errors = []
for elements in (3, 6, 12):
    found = frequencies(elements, 1e-9)[:2]
    errors.append(np.abs(found / expected - 1))
    print(f"first_off_{elements}", errors[-1][0])
    print(f"second_off_{elements}", errors[-1][1])

# A weight far heavier than the beam sits on a spring of 3 EI / L³.
weight = 5.0
beam_mass = density * area * length
rayleigh = np.sqrt(3 * E * moment / length**3 / (weight + 33 / 140 * beam_mass))
found = frequencies(12, weight)[0]
print("weighted", found)
print("by_rayleigh", rayleigh)
print("unweighted", expected[0])
