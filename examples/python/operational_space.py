"""Operational space: the tool as a mass that is pushed, whatever the arm behind it.

With Lambda, the inertia that the tool shows, a wanted acceleration becomes a force at the tool and joint torques; in
the null space of these the elbow can be moved without the tool noticing.
"""

import numpy as np

import linkwright as lw

arm = lw.load("models/arm7.urdf")
q, v = np.array([0.3, 0.6, -0.2, -1.4, 0.4, 0.9, 0.1]), np.linspace(-1, 1, 7)

ops = arm.operators(q, frames=["tool"])
space = ops.operational_space()               # by recursions: neither J nor the mass matrix is formed
Lambda = space.inertia()

# The tool is to accelerate like this, along its own axes.
wanted = np.array([0, 0, 2.0, 1.0, -0.5, 0.3])
J = arm.jacobian(q, "tool")
force = Lambda @ (wanted - arm.jacobian_rate_times_velocity(q, v, "tool") + J @ arm.mass_matrix_solve(
    q, arm.bias(q, v) - arm.joint_forces(q, v)))
tau = J.T @ force
a = arm.forward_dynamics(q, v, tau)
print("acceleration_error", np.abs(arm.frame_acceleration(q, v, a, "tool") - wanted).max())

# A torque at the shoulder that would swing the elbow round, and what is left of it once its effect on the tool is taken away.
elbow = space.null_space() @ np.array([0, 0, 5.0, 0, 0, 0, 0])
b = arm.forward_dynamics(q, v, tau + elbow)
print("joints_feel", np.abs(b - a).max())
print("tool_feels", np.abs(J @ (b - a)).max())

# The consistent inverse moves the tool as asked with the least energy: 1/2 twistᵀ Lambda twist.
twist = np.array([0, 0, 0.5, 0.2, 0, -0.1])
energy = arm.energy(q, space.consistent_inverse() @ twist).kinetic
print("energy", energy)
print("energy_by_lambda", twist @ Lambda @ twist / 2)
