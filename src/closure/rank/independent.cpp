#include "linkwright/closure/independent.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "closure/rank/pivot.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright {
namespace {

using closure::DenseLoops;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// All motions that the closures allow, each freedom measured in radians or in the mechanism's size:
/// orthonormal columns.
MatrixXd scaled_motions(ClosedWorkspace& work, const ConstVectorRef& q) {
  closure::compute_row_space(work, q);
  const DenseLoops& d = work.dense();
  return d.column_scale.cwiseInverse().asDiagonal() * d.N.leftCols(d.mobility);
}

MatrixXd rows_of(const MatrixXd& N, std::span<const int> entries) {
  MatrixXd out(static_cast<Index>(entries.size()), N.cols());
  for (std::size_t i = 0; i < entries.size(); ++i)
    out.row(static_cast<Index>(i)) = N.row(entries[i]);
  return out;
}

double smallest_singular_value(const MatrixXd& A) {
  if (A.rows() == 0) return 1;
  const Eigen::JacobiSVD<MatrixXd> svd(A);
  return svd.singularValues().minCoeff();
}

/// The best conditioned choice for motions of all joints.
std::vector<int> pivot(const System& system, const MatrixXd& N) {
  std::vector<int> entries(static_cast<std::size_t>(N.rows()));
  std::iota(entries.begin(), entries.end(), 0);
  return closure::pivot(system, entries, N);
}

std::string names_of(const System& system, std::span<const int> entries) {
  std::string text;
  for (const int i : entries)
    text += (text.empty() ? "" : ", ") + system.velocity_names()[static_cast<std::size_t>(i)];
  return text.empty() ? "none" : text;
}

VectorXd entries_of(const VectorXd& x, std::span<const int> entries) {
  VectorXd out(static_cast<Index>(entries.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = x[entries[static_cast<std::size_t>(i)]];
  return out;
}

/// G: all entries of v by some, after which DenseLoops holds the rows at q.
MatrixXd all_by(ClosedWorkspace& work, const ConstVectorRef& q, std::span<const int> entries) {
  closure::compute_row_space(work, q);
  const DenseLoops& d = work.dense();
  if (static_cast<Index>(entries.size()) != d.mobility)
    throw Error(
        fmt::format("{} independent coordinates for a mechanism with {} freedoms at this position",
                    entries.size(), d.mobility));
  const MatrixXd N = d.N.leftCols(d.mobility);
  const MatrixXd chosen = rows_of(N, entries).transpose(), all = N.transpose();
  const MatrixXd by_chosen = chosen.partialPivLu().solve(all);
  return by_chosen.transpose();
}

/// out += x with J x + bias = 0 and x = 0 at the entries.
void add_dependent_part(DenseLoops& d, const MatrixXd& G, std::span<const int> entries,
                        const VectorXd& bias, VectorRef out) {
  VectorXd x(G.rows());
  const VectorXd right = -bias;
  closure::solve_rows(d, right, x);
  out += x - G * entries_of(x, entries);
}

/// Entries of v behind names such as "elbow" or "base:3".
std::vector<int> entries_of(const System& system, const std::vector<std::string>& names) {
  const auto& known = system.velocity_names();
  std::vector<int> entries;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found != known.end()) {
      entries.push_back(static_cast<int>(found - known.begin()));
      continue;
    }
    const JointPlace& joint = system.joint(name);
    if (joint.nv == 0)
      throw Error(fmt::format("coordinate {}: the joint is fixed; expected one that moves",
                              in_quotes(name)));
    for (int i = 0; i < joint.nv; ++i) entries.push_back(joint.v + i);
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

}  // namespace

std::vector<int> closure::pivot(const System& system, std::span<const int> entries, MatrixXd N) {
  const std::vector<int>& passive = system.passive_freedoms();
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (std::binary_search(passive.begin(), passive.end(), entries[i]))
      N.row(static_cast<Index>(i)) *= 0.1;
  Orthogonal order(static_cast<int>(N.cols()), static_cast<int>(N.rows()));
  order.compute(N.transpose(), 1e-12);
  std::vector<int> chosen;
  for (int k = 0; k < order.rank(); ++k)
    chosen.push_back(entries[static_cast<std::size_t>(order.column(k))]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Independent choose_independent(ClosedWorkspace& work, const ConstVectorRef& q) {
  const System& system = work.system();
  // Without rows all joints are independent, and a choice has no effect, which is told.
  if (!system.model().coordinates.empty() && work.rows() > 0)
    return require_independent(work, q, system.model().coordinates);
  door::check_position(system, q);
  const MatrixXd N = scaled_motions(work, q);
  Independent chosen{pivot(system, N), 0};
  chosen.conditioning = smallest_singular_value(rows_of(N, chosen.entries));
  return chosen;
}

Independent require_independent(ClosedWorkspace& work, const ConstVectorRef& q,
                                const std::vector<std::string>& names) {
  const System& system = work.system();
  door::check_position(system, q);
  Independent chosen{entries_of(system, names), 0};
  const MatrixXd N = scaled_motions(work, q);
  const std::string would_do = names_of(system, pivot(system, N));
  const auto count = static_cast<Index>(chosen.entries.size());
  if (count != N.cols())
    throw Error(
        fmt::format("{} coordinate{} ({}) for a mechanism with {} freedom{} at this position; "
                    "expected as many as "
                    "it has freedoms, such as {}",
                    count, count == 1 ? "" : "s", names_of(system, chosen.entries), N.cols(),
                    N.cols() == 1 ? "" : "s", would_do));
  chosen.conditioning = smallest_singular_value(rows_of(N, chosen.entries));
  if (chosen.conditioning <= closure::rank_threshold)
    throw Error(
        fmt::format("the coordinates {} depend on each other at this position: they leave a motion "
                    "of the mechanism "
                    "open. {} would do",
                    names_of(system, chosen.entries), would_do));
  return chosen;
}

void compute_coordinate_map(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                            MatrixRef G, VectorRef g) {
  const System& system = work.system();
  door::check_state(system, state);
  DenseLoops& d = work.dense();
  compute_closure_bias(work, state, d.lambda);
  const MatrixXd all = all_by(work, state.q, entries);
  door::check_output(G, system.nv(), static_cast<Index>(entries.size()), "G");
  door::check_output(g.size(), system.nv(), "g");
  G = all;
  g.setZero();
  add_dependent_part(d, all, entries, d.lambda, g);
}

void compute_dependent_motion(ClosedWorkspace& work, const ConstVectorRef& q,
                              std::span<const int> entries, VectorRef v, VectorRef a,
                              VectorRef jerk) {
  const System& system = work.system();
  door::check_position(system, q);
  const MatrixXd G = all_by(work, q, entries);
  VectorXd bias(work.rows());
  const auto complete = [&](VectorRef x, const char* name) {
    door::check_output(x.size(), system.nv(), name);
    const VectorXd all = G * entries_of(x, entries);
    x = all;
    door::check_velocity_like(system, x, name);
  };
  State state(system);
  state.q = q;
  complete(v, "v");
  state.v = v;
  complete(a, "a");
  compute_closure_bias(work, state, bias);
  add_dependent_part(work.dense(), G, entries, bias, a);
  complete(jerk, "jerk");
  compute_closure_jerk_bias(work, state, a, bias);
  add_dependent_part(work.dense(), G, entries, bias, jerk);
}

}  // namespace linkwright
