#include "closure/closing_efforts.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
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

}  // namespace linkwright
