#include "linkwright/linear/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

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
  MatrixXd motor_state, motor_input;
  VectorXd unit;  // what counts as one, per unknown
};

class Search {
 public:
  Search(ClosedWorkspace& work, const EquilibriumOptions& options)
      : work_(work), options_(options) {}

  [[nodiscard]] Balance weigh(const OperatingPoint& point) const;
  /// Nothing where there is no linear model: a singular position, or one where the coordinates fail.
  [[nodiscard]] std::optional<Balance> weigh_on_the_way(const OperatingPoint& point) const {
    try {
      return weigh(point);
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  /// Whether the point could be moved: closures close again.
  bool move(OperatingPoint& point, const Balance& balance, const VectorXd& by) const;
  /// A step of Newton's method, in which no unknown moves by more than `longest`.
  [[nodiscard]] VectorXd newton(const Balance& balance) const;

 private:
  [[nodiscard]] double unit_of(const Balance& balance, Index k) const;

  ClosedWorkspace& work_;
  const EquilibriumOptions& options_;
};

/// Efforts that are to be found: those of motors that no input of their own drives.
std::vector<Index> efforts_to_find(const System& system, const actuation::Drives* drives) {
  std::vector<Index> out;
  for (int i = 0; i < system.effort_count(); ++i) {
    bool found = !is_passive(system, i);
    if (drives != nullptr)
      for (const actuation::Drive& drive : drives->list())
        found = found && !(drive.effort == i && (drive.voltage >= 0 || drive.torque >= 0));
    if (found) out.push_back(i);
  }
  return out;
}

/// Which numbers are to be found.
struct Unknowns {
  std::vector<Index> positions, efforts;  // of the reduced coordinates; of System::effort_names
  Index motor_states = 0, motor_inputs = 0;

  Unknowns(const System& system, const FullModel& full, const Reduction& to,
           const EquilibriumOptions& options) {
    const bool holds = options.find == EquilibriumOptions::Find::efforts;
    for (Index i = 0; i < static_cast<Index>(to.positions.size()); ++i) {
      Index entry = 0;
      to.R_v.row(i).cwiseAbs().maxCoeff(&entry);
      if (!holds || is_passive(system, static_cast<int>(entry))) positions.push_back(i);
    }
    if (holds) efforts = efforts_to_find(system, options.drives);
    motor_states = full.z_z.rows();
    motor_inputs = holds ? full.z_u.cols() : 0;
  }
  [[nodiscard]] Index count() const {
    return static_cast<Index>(positions.size() + efforts.size()) + motor_states + motor_inputs;
  }
};

Balance Search::weigh(const OperatingPoint& point) const {
  const System& system = work_.system();
  const FullModel full(work_, point, options_.drives);
  const Reduction to = reduce(work_, full, point.state, {});
  const Index m = static_cast<Index>(to.velocities.size()), z = full.z_z.rows();
  const Unknowns unknowns(system, full, to, options_);
  const Index count = unknowns.count();
  Balance out{to.velocities,
              VectorXd(m + z),
              MatrixXd::Zero(m + z, count),
              MatrixXd::Zero(system.nv(), count),
              MatrixXd::Zero(system.effort_count(), count),
              MatrixXd::Zero(z, count),
              MatrixXd::Zero(full.z_u.cols(), count),
              VectorXd::Ones(count)};
  if (options_.drives != nullptr)
    for (const Quantity& state : options_.drives->extra_states()) out.names.push_back(state.name);
  out.rates << to.drift.tail(m), full.z_rate;
  // At rest δv = 0: the velocities' columns of the reduction do not count.
  const MatrixXd pick = to.R_a.bottomRows(m);
  Index k = 0;
  for (const Index i : unknowns.positions) {
    out.displacement.col(k) = to.T_q.col(i);
    out.by.col(k++) << pick * (full.a_q * to.T_q.col(i)), full.z_q * to.T_q.col(i);
  }
  for (Index i = 0; i < z; ++i) {
    out.motor_state(i, k) = 1;
    out.by.col(k++) << pick * full.a_z.col(i), full.z_z.col(i);
  }
  for (const Index i : unknowns.efforts) {
    out.effort(i, k) = 1;
    out.by.col(k++).head(m) = pick * full.a_tau.col(i);
  }
  for (Index i = 0; i < unknowns.motor_inputs; ++i) {
    out.motor_input(i, k) = 1;
    out.by.col(k++) << pick * full.a_u.col(i), full.z_u.col(i);
  }
  for (k = 0; k < count; ++k) out.unit[k] = unit_of(out, k);
  return out;
}

/// A displacement is measured by what it moves most, in radians or the mechanism's size; the rest, which
/// enters linearly, by what it changes.
double Search::unit_of(const Balance& balance, Index k) const {
  const double moves =
      (work_.dense().column_scale.cwiseInverse().asDiagonal() * balance.displacement.col(k))
          .cwiseAbs()
          .maxCoeff();
  if (moves > 0) return 1 / moves;
  const double changes = balance.by.col(k).norm();
  return changes > 0 ? std::max(1.0, balance.rates.norm()) / changes : 1;
}

VectorXd Search::newton(const Balance& balance) const {
  if (balance.by.size() == 0) return VectorXd::Zero(balance.by.cols());
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
  const VectorXd displacement = balance.displacement * by, effort = balance.effort * by,
                 state = balance.motor_state * by, input = balance.motor_input * by;
  compute_integral(system, point.state.q, displacement, 1, point.state.q);
  for (Index i = 0; i < effort.size(); ++i) point.tau[at(i)] += effort[i];
  for (Index i = 0; i < state.size(); ++i) point.motor_states[at(i)] += state[i];
  for (Index i = 0; i < input.size(); ++i) point.motor_inputs[at(i)] += input[i];
  if (work_.rows() == 0) return true;
  AssemblyOptions options;
  options.limits = AssemblyOptions::Limits::ignore, options.restarts = 0;
  return assemble(work_, options, point.state.q).assembled;
}

/// What counts as rest: rounding in the accelerations' own terms.
double tolerance(const Balance& balance) {
  const double most =
      balance.by.size() == 0 ? 0 : (balance.by * balance.unit.asDiagonal()).cwiseAbs().maxCoeff();
  return 1e-11 * std::max(1.0, most);
}

double largest(const VectorXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/// A shortened step that comes nearer; nothing where none does.
bool come_nearer(const Search& search, OperatingPoint& point, Balance& balance) {
  const VectorXd step = search.newton(balance);
  if (largest(step) == 0) return false;
  for (double part = 1; part > 1e-4; part /= 2) {
    OperatingPoint trial = point;
    if (!search.move(trial, balance, part * step)) continue;
    std::optional<Balance> there = search.weigh_on_the_way(trial);
    if (!there || !(there->rates.norm() < (1 - 1e-4 * part) * balance.rates.norm())) continue;
    point = std::move(trial), balance = std::move(*there);
    return true;
  }
  return false;
}

/// Lets the mechanism sink by its own accelerations, a little.
bool sink(const Search& search, OperatingPoint& point, Balance& balance) {
  VectorXd step = VectorXd::Zero(balance.by.cols());
  double most = 0;
  // Displacements stand first, in the order of the accelerations.
  const bool same = balance.by.cols() == balance.by.rows();
  for (Index i = 0; i < step.size(); ++i) {
    if (balance.displacement.col(i).isZero(0) || !same) continue;
    step[i] = balance.rates[i];
    most = std::max(most, std::abs(step[i] / balance.unit[i]));
  }
  if (most == 0) return false;
  OperatingPoint trial = point;
  if (!search.move(trial, balance, (0.1 / most) * step)) return false;
  std::optional<Balance> there = search.weigh_on_the_way(trial);
  if (!there) return false;
  point = std::move(trial), balance = std::move(*there);
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
  if (options.drives != nullptr) {
    const MotorPoint motors(work, point, *options.drives);
    point.motor_states.assign(motors.x.begin(), motors.x.end());
    point.motor_inputs.assign(motors.u.begin(), motors.u.end());
  }
  const Search search(work, options);
  Balance balance = search.weigh(point);
  Equilibrium out;
  while (largest(balance.rates) > tolerance(balance) && out.steps < options.steps) {
    ++out.steps;
    if (come_nearer(search, point, balance)) continue;
    if (!sink(search, point, balance)) break;
  }
  out.residual = largest(balance.rates);
  // Rounding of large terms that cancel may leave more than the tolerance; a last step tells.
  out.found = out.residual <= 1e3 * tolerance(balance);
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
