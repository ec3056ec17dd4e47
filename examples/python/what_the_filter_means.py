"""What the filter means: the mass matrix as the covariance of a random process.

Give every link a random force whose covariance is its inertia, independent of all others, and look at it through
the joints, y = H phi w. Then the efforts y have the mass matrix as covariance. Inverting the mass matrix is filtering y:
the innovations, what each joint tells that its outboard neighbours did not, are independent, with variance D.
"""

import numpy as np

import linkwright as lw

arm = lw.load("models/arm7.urdf")
ops = arm.operators(np.full(7, 0.4))
rng, count = np.random.default_rng(1), 40000

# Link forces with covariance M, through H and phi: one pass over the arm for all samples.
root = np.linalg.cholesky(lw.dense(ops.M))
y = ops.H @ ops.phi @ (root @ rng.normal(size=(len(root), count)))
mass = arm.mass_matrix(np.full(7, 0.4))
spread = np.sqrt(np.outer(np.diag(mass), np.diag(mass)) + mass**2) / np.sqrt(count)  # of a sampled covariance
print("covariance_off_in_deviations", np.abs((np.cov(y) - mass) / spread).max())

# The filter takes from each joint what the outboard ones have told already.
whiten = ops.I - ops.H @ ops.Psi @ ops.L
innovations = whiten @ y
D = np.diag(lw.dense(ops.D))
print("correlation_of_efforts", np.abs(np.corrcoef(y) - np.eye(7)).max())
print("correlation_of_innovations_in_deviations", np.abs(np.corrcoef(innovations) - np.eye(7)).max() * np.sqrt(count))
print("variance_off_in_deviations", np.abs(innovations.var(axis=1) / D - 1).max() / np.sqrt(2 / count))

# So the inverse is filter, division, smoother, and the determinant is the product of the variances.
print(lw.explain((ops.H @ ops.phi @ ops.M @ ops.phi.T @ ops.H.T).inverse()))
print("inverse_error", np.abs(whiten.T @ (ops.D_inverse @ (whiten @ mass)) - np.eye(7)).max())
print("log_determinant_error", abs(np.log(D).sum() - np.linalg.slogdet(mass)[1]))
