#include "linkwright/linear/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "linear/names.hpp"
#include "linear/reduction.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Accelerations at rest and how the unknowns change them.
struct Balance {
  std::vector<std::string> names;  // of the rows
  VectorXd rates;                  // that are to vanish
  MatrixXd by;                     // rows × unknowns
  MatrixXd displacement;           // δq of all joints by the unknowns
  MatrixXd effort;                 // δtau by the unknowns
  VectorXd unit;                   // what counts as one, per unknown
};

class Search {
 public:
  Search(ClosedWorkspace& work, const EquilibriumOptions& options)
      : work_(work), options_(options) {}

  [[nodiscard]] Balance weigh(const OperatingPoint& point) const;
  /// Whether the point could be moved: closures close again.
  bool move(OperatingPoint& point, const Balance& balance, const VectorXd& by) const;
  /// A step of Newton's method, in which no unknown moves by more than `longest`.
  [[nodiscard]] VectorXd newton(const Balance& balance) const;

 private:
  ClosedWorkspace& work_;
  const EquilibriumOptions& options_;
};

Balance Search::weigh(const OperatingPoint& point) const {
  const System& system = work_.system();
  const FullModel full(work_, point);
  const Reduction to = reduce(work_, full, point.state, {});
  const Index p = static_cast<Index>(to.positions.size()),
              m = static_cast<Index>(to.velocities.size());
  const bool efforts = options_.find == EquilibriumOptions::Find::efforts;
  // At rest δv = 0: the velocities' columns do not count.
  const MatrixXd G = to.T_q.leftCols(p);
  const MatrixXd a_q = to.R_a.bottomRows(m) * full.a_q * G;
  const MatrixXd a_tau = to.R_a.bottomRows(m) * full.a_tau;
  std::vector<Index> moving, pushing;
  for (Index i = 0; i < p; ++i) {
    Index entry = 0;
    to.R_v.row(i).cwiseAbs().maxCoeff(&entry);
    if (!efforts || is_passive(system, static_cast<int>(entry))) moving.push_back(i);
  }
  if (efforts)
    for (int i = 0; i < system.effort_count(); ++i)
      if (i >= system.nv() || !is_passive(system, i)) pushing.push_back(i);
  const Index unknowns = static_cast<Index>(moving.size() + pushing.size());
  Balance out{to.velocities,
              to.drift.tail(m),
              MatrixXd(m, unknowns),
              MatrixXd::Zero(system.nv(), unknowns),
              MatrixXd::Zero(system.effort_count(), unknowns),
              VectorXd::Ones(unknowns)};
  Index k = 0;
  for (const Index i : moving) {
    out.by.col(k) = a_q.col(i), out.displacement.col(k) = G.col(i);
    const double moves =
        (work_.dense().column_scale.cwiseInverse().asDiagonal() * G.col(i)).cwiseAbs().maxCoeff();
    out.unit[k++] = moves > 0 ? 1 / moves : 1;
  }
  for (const Index i : pushing) {
    out.by.col(k) = a_tau.col(i), out.effort(i, k) = 1;
    // An effort that accelerates as much as a unit of displacement is one.
    const double push = a_tau.col(i).norm();
    out.unit[k++] = push > 0 ? std::max(1.0, out.rates.norm()) / push : 1;
  }
  return out;
}

VectorXd Search::newton(const Balance& balance) const {
  const MatrixXd scaled = balance.by * balance.unit.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
  solver.setThreshold(1e-10);
  solver.compute(scaled);
  const VectorXd right = -balance.rates;
  VectorXd step = solver.solve(right);
  // Efforts enter linearly; only displacements are to stay small.
  constexpr double longest = 0.5;
  double most = 0;
  for (Index i = 0; i < step.size(); ++i)
    if (!balance.displacement.col(i).isZero(0)) most = std::max(most, std::abs(step[i]));
  if (most > longest) step *= longest / most;
  return balance.unit.cwiseProduct(step);
}

bool Search::move(OperatingPoint& point, const Balance& balance, const VectorXd& by) const {
  const System& system = work_.system();
  const VectorXd displacement = balance.displacement * by, effort = balance.effort * by;
  compute_integral(system, point.state.q, displacement, 1, point.state.q);
  for (Index i = 0; i < effort.size(); ++i) point.tau[at(i)] += effort[i];
  if (work_.rows() == 0) return true;
  AssemblyOptions options;
  options.limits = AssemblyOptions::Limits::ignore, options.restarts = 0;
  return assemble(work_, options, point.state.q).assembled;
}

/// What counts as rest: rounding in the accelerations' own terms.
double tolerance(const Balance& balance, double start) {
  const double most =
      balance.by.size() == 0 ? 0 : (balance.by * balance.unit.asDiagonal()).cwiseAbs().maxCoeff();
  return 1e-11 * std::max({1.0, most, start});
}

double largest(const VectorXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/// A shortened step that comes nearer; nothing where none does.
bool come_nearer(const Search& search, OperatingPoint& point, Balance& balance) {
  const VectorXd step = search.newton(balance);
  if (largest(step) == 0) return false;
  for (double part = 1; part > 1e-4; part /= 2) {
    OperatingPoint trial = point;
    if (!search.move(trial, balance, part * step)) continue;
    Balance there = search.weigh(trial);
    if (!(there.rates.norm() < (1 - 1e-4 * part) * balance.rates.norm())) continue;
    point = std::move(trial), balance = std::move(there);
    return true;
  }
  return false;
}

/// Lets the mechanism sink by its own accelerations, a little.
bool sink(const Search& search, OperatingPoint& point, Balance& balance) {
  VectorXd step = VectorXd::Zero(balance.by.cols());
  double most = 0;
  const bool same = balance.by.cols() == balance.by.rows();
  for (Index i = 0; i < step.size(); ++i) {
    if (balance.displacement.col(i).isZero(0) || !same) continue;
    step[i] = balance.rates[i];
    most = std::max(most, std::abs(step[i] / balance.unit[i]));
  }
  if (most == 0) return false;
  if (!search.move(point, balance, (0.1 / most) * step)) return false;
  balance = search.weigh(point);
  return true;
}

std::vector<std::string> moved_joints(const System& system, const VectorXd& before,
                                      const VectorXd& after) {
  VectorXd way(system.nv());
  compute_difference(system, before, after, way);
  std::vector<std::string> out;
  for (const JointPlace& joint : system.joints())
    if (joint.nv > 0 && way.segment(joint.v, joint.nv).cwiseAbs().maxCoeff() > 1e-12)
      out.push_back(joint.name);
  return out;
}

}  // namespace

Equilibrium find_equilibrium(ClosedWorkspace& work, OperatingPoint& point,
                             const EquilibriumOptions& options) {
  const System& system = work.system();
  const VectorXd before = point.state.q;
  point.state.v.setZero();
  const Search search(work, options);
  Balance balance = search.weigh(point);
  const double start = largest(balance.rates);
  Equilibrium out;
  while (largest(balance.rates) > tolerance(balance, start) && out.steps < options.steps) {
    ++out.steps;
    if (come_nearer(search, point, balance)) continue;
    if (!sink(search, point, balance)) break;
  }
  out.residual = largest(balance.rates);
  // Rounding of large terms that cancel may leave more than the tolerance; a last step tells.
  out.found = out.residual <= 1e3 * tolerance(balance, start);
  if (balance.rates.size() > 0) {
    Index worst = 0;
    balance.rates.cwiseAbs().maxCoeff(&worst);
    out.worst = balance.names[at(worst)];
  }
  out.moved = moved_joints(system, before, point.state.q);
  return out;
}

std::string describe(const Equilibrium& e) {
  if (e.found)
    return fmt::format("at rest after {} step{}, {} moved", e.steps, e.steps == 1 ? "" : "s",
                       e.moved.empty() ? "no joint" : list_in_quotes(e.moved));
  return fmt::format(
      "no state at rest was found near the given one: after {} step{} {} still changes by {:.3g} "
      "per "
      "second. Start nearer to one (--q), give the efforts that hold it (--tau), or let the motors "
      "hold it (--tau hold)",
      e.steps, e.steps == 1 ? "" : "s", in_quotes(e.worst), e.residual);
}

}  // namespace linkwright::linear
