// The Coriolis matrix in O(N · depth), world axes about each tree's root (Echeandia & Wensing 2021,
// in the letters of this library).
//
//   C_ij = Σ_k S_iᵀ (M_k Ṡ_j + B_k S_j) over the bodies k outboard of both joints, with
//   B_k  = ½ (V×* M − M V× + (M V)×̄*),
// the factor of V in V×* M V for which d/dt M_k − 2 B_k stays skew; hence Ṁ − 2C is skew.
#include <Eigen/Dense>

#include "dynamics/coriolis_scratch.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright {
namespace {

using Matrix6 = CoriolisScratch::Matrix6;
using Vector6 = CoriolisScratch::Vector6;

Eigen::Matrix3d tilde(const Eigen::Vector3d& a) { return to_eigen(spatial::skew(to_vector3(a))); }
/// V× on motions; V×* = −(V×)ᵀ on forces.
Matrix6 motion_cross(const Vector6& V) {
  Matrix6 X = Matrix6::Zero();
  X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = tilde(V.head<3>());
  X.bottomLeftCorner<3, 3>() = tilde(V.tail<3>());
  return X;
}
/// h×̄*: the matrix for which V×* h = (h×̄*) V.
Matrix6 force_bar(const Vector6& h) {
  Matrix6 X = Matrix6::Zero();
  X.topLeftCorner<3, 3>() = -tilde(h.head<3>());
  X.topRightCorner<3, 3>() = X.bottomLeftCorner<3, 3>() = -tilde(h.tail<3>());
  return X;
}
Matrix6 dense(const Inertia& M) {
  Matrix6 X;
  const Eigen::Matrix3d h = tilde(to_eigen(M.first_moment));
  X << to_eigen(spatial::to_full(M.rotational)), h, -h, M.mass * Eigen::Matrix3d::Identity();
  return X;
}

}  // namespace

void compute_coriolis_matrix(Workspace& work, const State& state, MatrixRef coriolis) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_output(coriolis, system.nv(), system.nv(), "coriolis");
  ScratchD& s = work.scratch();
  const auto& tree = system.tree();
  kernels().place(tree, s, state.q.data());
  kernels().poses_from_root(tree, s);
  kernels().motion_columns(tree, s);
  coriolis.setZero();
  CoriolisScratch& c = work.coriolis();
  // Outward: velocity of each body at the root's origin, and the rates of the joint columns.
  c.V[0].setZero();
  for (std::size_t k = 1; k < tree.nodes.size(); ++k) {
    const Node<double>& n = tree.nodes[k];
    c.V[k] = c.V[static_cast<std::size_t>(n.parent)];
    for (int i = 0; i < n.d; ++i) c.V[k] += to_eigen(s.column(n.freedom + i)) * state.v[n.v + i];
    // Columns are fixed in the child's axes, so they turn with the child.
    const Matrix6 X = motion_cross(c.V[k]);
    for (int i = 0; i < n.d; ++i) {
      const auto at = static_cast<std::size_t>(n.v + i);
      c.column[at] = to_eigen(s.column(n.freedom + i));
      c.column_rate[at] = X * c.column[at];
    }
    c.M[k] = dense(to_parent(s.pose[k], n.M));
    c.B[k] = 0.5 * (-X.transpose() * c.M[k] - c.M[k] * X + force_bar(c.M[k] * c.V[k]));
  }
  // Inward: composites, and the products with every joint towards the base.
  for (std::size_t k = tree.nodes.size() - 1; k >= 1; --k) {
    const Node<double>& n = tree.nodes[k];
    for (int j = n.v; j < n.v + n.d; ++j) {
      const Vector6& S = c.column[static_cast<std::size_t>(j)];
      const Vector6 F = c.M[k] * c.column_rate[static_cast<std::size_t>(j)] + c.B[k] * S;
      const Vector6 MS = c.M[k] * S, BS = c.B[k].transpose() * S;
      for (int l = static_cast<int>(k); l != 0;
           l = tree.nodes[static_cast<std::size_t>(l)].parent) {
        const Node<double>& up = tree.nodes[static_cast<std::size_t>(l)];
        for (int i = up.v; i < up.v + up.d; ++i) {
          const Vector6& Si = c.column[static_cast<std::size_t>(i)];
          coriolis(i, j) = Si.dot(F);
          if (l != static_cast<int>(k))
            coriolis(j, i) = MS.dot(c.column_rate[static_cast<std::size_t>(i)]) + BS.dot(Si);
        }
      }
    }
    if (n.parent != 0) {
      c.M[static_cast<std::size_t>(n.parent)] += c.M[k];
      c.B[static_cast<std::size_t>(n.parent)] += c.B[k];
    }
  }
}

}  // namespace linkwright
