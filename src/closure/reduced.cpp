#include "closure/closing_efforts.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// v = G v_i, v̇ = G v̇_i + g.
struct Map {
  Map(ClosedWorkspace& work, const State& state, std::span<const int> entries)
      : G(work.system().nv(), static_cast<Index>(entries.size())), g(work.system().nv()) {
    compute_coordinate_map(work, state, entries, G, g);
  }
  MatrixXd G;
  VectorXd g;
};

/// Ġ along v: J Ġ = −J̇ G, and the chosen entries stay what they are. After the Map at the same state,
/// which leaves the rows at hand.
MatrixXd map_rate(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                  const MatrixXd& G) {
  MatrixXd J_rate(work.rows(), G.rows()), out(G.rows(), G.cols());
  compute_closure_jacobian_rate(work, state, J_rate);
  const MatrixXd right = -J_rate * G;
  VectorXd column(G.rows()), own(G.cols());
  for (Index c = 0; c < G.cols(); ++c) {
    closure::solve_rows(work.dense(), right.col(c), column);
    for (Index i = 0; i < own.size(); ++i) own[i] = column[entries[static_cast<std::size_t>(i)]];
    out.col(c) = column - G * own;
  }
  return out;
}

}  // namespace

void compute_mass_matrix(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef mass_matrix) {
  closure::compute_whole_mass_matrix(work, q, mass_matrix);
}

void compute_bias(ClosedWorkspace& work, const State& state, VectorRef bias) {
  compute_bias(work.tree(), state, bias);
  closure::add_rotor_bias(work, state, bias);
}

void compute_mass_matrix(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                         MatrixRef mass_matrix) {
  const auto n = static_cast<Index>(entries.size());
  door::check_output(mass_matrix, n, n, "mass_matrix");
  const Map map(work, state, entries);
  MatrixXd& M = work.dense().M;
  closure::compute_whole_mass_matrix(work, state.q, M);
  mass_matrix.noalias() = map.G.transpose() * (M * map.G);
}

void compute_bias(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                  VectorRef bias) {
  door::check_output(bias.size(), static_cast<Index>(entries.size()), "bias");
  const Map map(work, state, entries);
  VectorXd full(work.system().nv());
  MatrixXd& M = work.dense().M;
  compute_bias(work, state, full);
  closure::compute_whole_mass_matrix(work, state.q, M);
  bias = map.G.transpose() * (full + M * map.g);
}

void compute_gravity(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                     VectorRef gravity) {
  door::check_output(gravity.size(), static_cast<Index>(entries.size()), "gravity");
  const Map map(work, state, entries);
  VectorXd full(work.system().nv());
  compute_gravity(work.tree(), state.q, full);
  gravity = map.G.transpose() * full;
}

void compute_coriolis_matrix(ClosedWorkspace& work, const State& state, MatrixRef coriolis) {
  compute_coriolis_matrix(work.tree(), state, coriolis);
  const System& system = work.system();
  if (!closure::has_rotors(system)) return;
  const auto count = static_cast<Index>(system.closing_names().size());
  MatrixXd L(count, system.nv()), L_rate(count, system.nv());
  compute_closing_jacobian(work, state.q, L);
  compute_closing_jacobian_rate(work, state, L_rate);
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.freedoms; ++i) L_rate.row(c.closing + i) *= c.freedom[i].rotor;
  coriolis.noalias() += L.transpose() * L_rate;
}

void compute_coriolis_matrix(ClosedWorkspace& work, const State& state,
                             std::span<const int> entries, MatrixRef coriolis) {
  const auto n = static_cast<Index>(entries.size());
  door::check_output(coriolis, n, n, "coriolis");
  const Map map(work, state, entries);
  const MatrixXd G_rate = map_rate(work, state, entries, map.G);
  MatrixXd full(map.G.rows(), map.G.rows());
  compute_coriolis_matrix(work, state, full);
  MatrixXd& M = work.dense().M;
  closure::compute_whole_mass_matrix(work, state.q, M);
  coriolis.noalias() = map.G.transpose() * (full * map.G + M * G_rate);
}

}  // namespace linkwright
