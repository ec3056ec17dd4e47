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
print("covariance of the efforts against the mass matrix, in standard deviations:",
      np.round(np.abs((np.cov(y) - mass) / spread).max(), 1))
assert (np.abs(np.cov(y) - mass) < 5 * spread).all()

# The filter takes from each joint what the outboard ones have told already.
whiten = ops.I - ops.H @ ops.Psi @ ops.L
innovations = whiten @ y
D = np.diag(lw.dense(ops.D))
correlation = np.corrcoef(innovations)
print(f"largest correlation of two efforts {np.abs(np.corrcoef(y) - np.eye(7)).max():.2f}, "
      f"of two innovations {np.abs(correlation - np.eye(7)).max():.3f}")
assert np.abs(correlation - np.eye(7)).max() < 5 / np.sqrt(count)
assert np.allclose(innovations.var(axis=1), D, rtol=5 * np.sqrt(2 / count))

# So the inverse is filter, division, smoother, and the determinant is the product of the variances.
print(lw.explain((ops.H @ ops.phi @ ops.M @ ops.phi.T @ ops.H.T).inverse()))
assert np.allclose(whiten.T @ (ops.D_inverse @ (whiten @ mass)), np.eye(7), atol=1e-10)
assert np.isclose(ops.log_det(), np.log(D).sum()) and np.isclose(ops.log_det(), np.linalg.slogdet(mass)[1])
