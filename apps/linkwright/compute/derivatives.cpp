#include "compute/derivatives.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "linkwright/closure/derivatives.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright::app {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Row by row, one matrix after the other.
void put(std::initializer_list<MatrixXd> matrices, VectorXd& out) {
  Index at = 0;
  for (const MatrixXd& m : matrices)
    for (Index i = 0; i < m.rows(); ++i, at += m.cols())
      out.segment(at, m.cols()) = m.row(i).transpose();
}

void of_tree(Workspace& tree, const Input& in, const QuantityOptions& ask, VectorXd& out) {
  const Index n = tree.system().nv();
  VectorXd a = in.a;
  if (ask.motion == Variable::tau) compute_forward_dynamics(tree, in.state, in.tau, in.forces, a);
  MatrixXd tau_q(n, n), tau_v(n, n), tau_a(n, n), inverse(n, n);
  compute_inverse_dynamics_derivatives(tree, in.state, a, in.forces, tau_q, tau_v, tau_a);
  compute_mass_matrix_inverse(tree, in.state.q, inverse);
  put({tau_q, tau_v, tau_a, -inverse * tau_q, -inverse * tau_v, inverse}, out);
}

/// Efforts are those at the coordinates' own joints.
void of_closed(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask, VectorXd& out) {
  const System& system = work.system();
  const std::vector<int>& entries = ask.coordinates;
  if (entries.empty())
    throw Error(
        "derivatives of a closed system are taken along its closures, in independent coordinates; "
        "leave out --coordinates full, or name some");
  const std::vector<int> positions = position_coordinates(work, in.state.q, entries);
  if (positions.size() != entries.size())
    throw Error(
        fmt::format("derivatives: {} displacements and {} velocities are independent, since "
                    "closures bind velocities alone (rolling); `linearize` names both",
                    positions.size(), entries.size()));
  const auto n = static_cast<Index>(entries.size());
  MatrixXd tau_q(n, n), tau_v(n, n), tau_a(n, n), a_q(n, n), a_v(n, n), a_tau(n, n);
  if (ask.motion == Variable::a) {  // whether a motor could give these efforts is not asked
    compute_inverse_dynamics_derivatives(work, in.state, in.a, in.forces, positions, entries, tau_q,
                                         tau_v, tau_a);
    a_tau = tau_a.llt().solve(MatrixXd::Identity(n, n));
    a_q = -a_tau * tau_q, a_v = -a_tau * tau_v;
  } else {  // efforts at other joints stay as they are given
    MatrixXd by_efforts(n, system.effort_count());
    compute_forward_dynamics_derivatives(work, in.state, in.tau, in.forces, positions, entries, a_q,
                                         a_v, by_efforts);
    for (Index i = 0; i < n; ++i)
      a_tau.col(i) = by_efforts.col(entries[static_cast<std::size_t>(i)]);
    compute_mass_matrix(work, in.state, entries, tau_a);
    tau_q = -tau_a * a_q, tau_v = -tau_a * a_v;
  }
  put({tau_q, tau_v, tau_a, a_q, a_v, a_tau}, out);
}

}  // namespace

void derivatives(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                 VectorXd& out) {
  if (work.system().closures().empty())
    of_tree(work.tree(), in, ask, out);
  else
    of_closed(work, in, ask, out);
}

}  // namespace linkwright::app
