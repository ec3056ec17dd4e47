#include "linkwright/closure/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "closure/assembly/hold.hpp"
#include "closure/closing_efforts.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::DenseLoops, closure::free_entries;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Lower and upper end of every entry of v whose coordinate is a plain number.
struct Box {
  VectorXd lower, upper;
  std::vector<int> position;  // entry of q for each entry of v; −1: on a group
};
Box limits_of(const System& system) {
  Box box{VectorXd::Constant(system.nv(), -HUGE_VAL), VectorXd::Constant(system.nv(), HUGE_VAL),
          std::vector<int>(at(system.nv()), -1)};
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    if (place.nq != place.nv) continue;
    for (int i = 0; i < place.nv; ++i) {
      const Limits limits = per_freedom(system.model().joints[j].limits, i, Limits{});
      box.position[at(place.v + i)] = place.q + i;
      box.lower[place.v + i] = limits.lower, box.upper[place.v + i] = limits.upper;
    }
  }
  return box;
}

/// Levenberg and Marquardt's method on the scaled residual, towards one closed position.
class Solver {
 public:
  Solver(ClosedWorkspace& work, const AssemblyOptions& options)
      : work_(work),
        options_(options),
        dense_(work.dense()),
        free_(free_entries(work.system(), options.hold)),
        box_(limits_of(work.system())),
        residual_(work.rows()),
        trial_(work.rows()),
        step_(work.system().nv()),
        next_(work.system().nq()) {
    dense_.make_room();
    if (options.limits == AssemblyOptions::Limits::ignore)
      box_.lower.setConstant(-HUGE_VAL), box_.upper.setConstant(HUGE_VAL);
  }

  /// Returns the largest gap that is left.
  double run(VectorRef q, int& steps) {
    constexpr int most_steps = 200;
    enter_box(q);
    double damping = 1e-4;
    double size = measure(q, residual_);
    for (int i = 0; i < most_steps; ++i, ++steps) {
      if (residual_gap(q) <= options_.tolerance) break;
      if (!improve(q, size, damping)) break;
    }
    return residual_gap(q);
  }

 private:
  double residual_gap(const ConstVectorRef& q) { return compute_worst_closure(work_, q).gap(); }

  double measure(const ConstVectorRef& q, VectorXd& out) {
    compute_closure_residual(work_, q, out);
    out.array() *= dense_.row_scale.array();
    return out.norm();
  }

  /// One step that makes the residual smaller; false where none does.
  bool improve(VectorRef q, double& size, double& damping) {
    compute_closure_jacobian(work_, q, dense_.J);
    MatrixXd J = dense_.row_scale.asDiagonal() * dense_.J * dense_.column_scale.asDiagonal();
    drop_velocity_rows(J);
    for (int i = 0; i < work_.system().nv(); ++i)
      if (!free_[at(i)]) J.col(i).setZero();
    for (; damping < 1e12; damping = 8 * std::max(damping, 1e-15)) {
      find_step(J, q, size < 1e-4 ? 0 : damping);
      compute_integral(work_.system(), q, step_, 1, next_);
      const double after = measure(next_, trial_);
      if (after < size || (after <= size && size < 1e-13)) {
        q = next_;
        const bool moved = after < (1 - 1e-12) * size;
        size = after;
        residual_ = trial_;
        damping = damping / 16;
        return moved;
      }
      if (size < 1e-4 && damping < 1e-6) damping = 1e-6;
      if (size < 1e-4) return improve_damped(J, q, size);
    }
    return false;
  }
  /// Close to the end where the undamped step fails: shorter and shorter ones along it.
  bool improve_damped(const MatrixXd& J, VectorRef q, double& size) {
    for (double damping = 1e-8; damping < 1e4; damping *= 10) {
      find_step(J, q, damping);
      compute_integral(work_.system(), q, step_, 1, next_);
      const double after = measure(next_, trial_);
      if (after < (1 - 1e-6) * size) {
        q = next_;
        size = after;
        residual_ = trial_;
        return true;
      }
    }
    return false;
  }

  void drop_velocity_rows(MatrixXd& J) const {
    for (const ClosurePlace& c : work_.system().closures())
      J.middleRows(c.row + c.position_rows, c.rows - c.position_rows).setZero();
  }

  /// δ of least squares, within the limits: what would leave the box is set on its edge.
  void find_step(const MatrixXd& J, const ConstVectorRef& q, double damping) {
    MatrixXd free = J;
    VectorXd right = -residual_;
    step_.setZero();
    std::vector<bool> fixed(free_.size(), false);
    for (std::size_t round = 0; round <= free_.size(); ++round) {
      const VectorXd x = solve(free, right, damping);
      bool inside = true;
      for (Index i = 0; i < x.size(); ++i) {
        if (fixed[static_cast<std::size_t>(i)] || !free_[static_cast<std::size_t>(i)]) continue;
        step_[i] = x[i] * dense_.column_scale[i];
        const int at_q = box_.position[static_cast<std::size_t>(i)];
        if (at_q < 0) continue;
        const double inside_step = std::clamp(step_[i], std::min(0.0, box_.lower[i] - q[at_q]),
                                              std::max(0.0, box_.upper[i] - q[at_q]));
        if (inside_step == step_[i]) continue;
        inside = false;
        fixed[static_cast<std::size_t>(i)] = true;
        step_[i] = inside_step;
        right -= J.col(i) * (inside_step / dense_.column_scale[i]);
        free.col(i).setZero();
      }
      if (inside) break;
    }
    // No more than a radian, or the mechanism's size, at once.
    const double longest = step_.cwiseQuotient(dense_.column_scale).cwiseAbs().maxCoeff();
    if (longest > 1) step_ /= longest;
  }
  VectorXd solve(const MatrixXd& J, const VectorXd& right, double damping) {
    if (damping == 0) {
      dense_.A = J.transpose();
      dense_.space.compute(dense_.A, closure::rank_threshold);
      VectorXd x(J.cols());
      dense_.space.solve_rows(right, x);
      return x;
    }
    MatrixXd normal = J.transpose() * J;
    normal.diagonal().array() += damping;
    const VectorXd left = J.transpose() * right;
    return normal.ldlt().solve(left);
  }

  void enter_box(VectorRef q) const {
    for (std::size_t i = 0; i < box_.position.size(); ++i)
      if (box_.position[i] >= 0 && free_[i])
        q[box_.position[i]] = std::clamp(q[box_.position[i]], box_.lower[static_cast<Index>(i)],
                                         box_.upper[static_cast<Index>(i)]);
  }

  ClosedWorkspace& work_;
  const AssemblyOptions& options_;
  DenseLoops& dense_;
  std::vector<bool> free_;
  Box box_;
  VectorXd residual_, trial_, step_, next_;
};

/// Start number `k`: a move of growing size from q, then any position; held joints stay.
VectorXd another_start(const System& system, const ConstVectorRef& q, const std::vector<bool>& free,
                       int k, int nearby) {
  std::mt19937 random(static_cast<unsigned>(k));
  const auto draw = [&] { return 2.0 * static_cast<double>(random()) / 4294967295.0 - 1.0; };
  VectorXd out = q, move(system.nv());
  if (k >= nearby) {
    VectorXd anywhere(system.nq());
    compute_random(system, static_cast<std::uint64_t>(k), anywhere);
    for (const JointPlace& joint : system.joints())
      if (joint.nv > 0 && free[at(joint.v)])
        out.segment(joint.q, joint.nq) = anywhere.segment(joint.q, joint.nq);
    return out;
  }
  const double size = 0.05 * std::pow(1.6, k);
  for (Index i = 0; i < move.size(); ++i)
    move[i] = free[static_cast<std::size_t>(i)] ? size * draw() : 0;
  compute_integral(system, q, move, 1, out);
  return out;
}

std::vector<std::string> moved_joints(const System& system, const ConstVectorRef& before,
                                      const ConstVectorRef& after) {
  VectorXd difference(system.nv());
  compute_difference(system, before, after, difference);
  std::vector<std::string> names;
  for (const JointPlace& joint : system.joints())
    if (joint.nv > 0 && difference.segment(joint.v, joint.nv).cwiseAbs().maxCoeff() > 1e-12)
      names.push_back(joint.name);
  return names;
}

/// A position that assembly reached.
struct Candidate {
  VectorXd q;
  double gap = 0;
  double excess = 0;        // beyond the limits of closing joints
  std::string beyond = {};  // the one that is farthest out

  [[nodiscard]] bool is_good(const AssemblyOptions& options) const {
    return gap <= options.tolerance && beyond.empty();
  }
  [[nodiscard]] bool is_better(const Candidate& other, const AssemblyOptions& options) const {
    const bool closed = gap <= options.tolerance, other_closed = other.gap <= options.tolerance;
    return closed && other_closed ? excess < other.excess : gap < other.gap;
  }
};

/// Closing joints have limits too; they are judged where the mechanism is closed.
void judge_limits(ClosedWorkspace& work, const AssemblyOptions& options, Candidate& here) {
  constexpr double rounding = 1e-9;
  if (options.limits == AssemblyOptions::Limits::ignore || here.gap > options.tolerance) return;
  const System& system = work.system();
  VectorXd coordinates(static_cast<Index>(system.closing_names().size()));
  compute_closing_coordinates(work, here.q, coordinates);
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.freedoms; ++i) {
      const Limits& limits = c.freedom[i].limits;
      const double x = coordinates[c.closing + i];
      const double excess = std::max(x - limits.upper, limits.lower - x);
      if (excess > std::max(rounding, here.excess))
        here.excess = excess, here.beyond = system.closing_names()[at(c.closing + i)];
    }
}

/// Position and two axes of every body: what tells two assemblies apart.
VectorXd where_bodies_are(ClosedWorkspace& work, const ConstVectorRef& q) {
  compute_worst_closure(work, q);  // places all bodies
  const auto& pose = work.tree().scratch().pose;
  VectorXd out(9 * static_cast<Index>(pose.size()));
  for (std::size_t k = 0; k < pose.size(); ++k) {
    const auto& R = pose[k].rotation;
    out.segment<9>(9 * static_cast<Index>(k)) << to_eigen(pose[k].translation), R.xx, R.yx, R.zx,
        R.xy, R.yy, R.zy;
  }
  return out;
}

void require_no_freedom(ClosedWorkspace& work, const AssemblyOptions& options,
                        const ConstVectorRef& q) {
  const System& system = work.system();
  closure::compute_row_space(work, q);
  const DenseLoops& d = work.dense();
  const std::vector<bool> free = free_entries(system, options.hold);
  MatrixXd held = d.N.leftCols(d.mobility);
  for (int i = 0; i < system.nv(); ++i)
    if (free[at(i)]) held.row(i).setZero();
  const int left = d.mobility - static_cast<int>(Eigen::ColPivHouseholderQR<MatrixXd>(held).rank());
  if (left == 0) return;
  throw Error(
      fmt::format("with the held joints fixed the mechanism still has {} freedom{}, so its "
                  "assemblies cannot be "
                  "counted. Hold as many joints as it has freedoms ({}), its motors for example",
                  left, left == 1 ? "" : "s", d.mobility));
}

}  // namespace

std::string describe(const System& system, const Assembly& assembly) {
  if (assembly.beyond_limits.empty()) return describe(system, assembly.worst);
  return fmt::format("every closure is closed, but closing joint {} stands beyond its limits",
                     in_quotes(assembly.beyond_limits));
}

Assembly assemble(ClosedWorkspace& work, const AssemblyOptions& options, VectorRef q) {
  const System& system = work.system();
  door::check_position(system, q);
  const VectorXd before = q;
  const std::vector<bool> free = free_entries(system, options.hold);
  Solver solver(work, options);
  Assembly result;
  Candidate best{q};
  best.gap = solver.run(best.q, result.steps);
  judge_limits(work, options, best);
  const int nearby = options.restarts / 2;
  for (int k = 0; k < options.restarts && !best.is_good(options); ++k) {
    Candidate other{another_start(system, before, free, k, nearby)};
    other.gap = solver.run(other.q, result.steps);
    judge_limits(work, options, other);
    if (other.is_better(best, options)) best = other;
  }
  q = best.q;
  result.beyond_limits = best.gap <= options.tolerance ? best.beyond : std::string();
  result.worst = compute_worst_closure(work, q);
  result.residual = result.worst.closure < 0 ? 0 : result.worst.gap();
  result.assembled = result.residual <= options.tolerance && result.beyond_limits.empty();
  result.moved = moved_joints(system, before, q);
  return result;
}

std::vector<double> find_assemblies(ClosedWorkspace& work, const AssemblyOptions& options,
                                    const ConstVectorRef& q, int starts) {
  const System& system = work.system();
  door::check_position(system, q);
  const std::vector<bool> free = free_entries(system, options.hold);
  Solver solver(work, options);
  struct Found {
    VectorXd q, where;
    double away;
  };
  std::vector<Found> found;
  const VectorXd home = where_bodies_are(work, q);
  int steps = 0;
  for (int k = -1; k < starts; ++k) {
    VectorXd start = k < 0 ? VectorXd(q) : another_start(system, q, free, k, 0);
    Candidate here{start};
    if (solver.run(start, steps) > options.tolerance) continue;
    here.q = start;
    judge_limits(work, options, here);
    if (!here.beyond.empty()) continue;
    if (found.empty()) require_no_freedom(work, options, start);
    const VectorXd where = where_bodies_are(work, start);
    const double close = 1e-6 * std::max(1.0, work.dense().length);
    if (std::any_of(found.begin(), found.end(), [&](const Found& other) {
          return (other.where - where).cwiseAbs().maxCoeff() < close;
        }))
      continue;
    found.push_back({start, where, (where - home).norm()});
  }
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.away < b.away; });
  std::vector<double> out;
  for (const Found& one : found) out.insert(out.end(), one.q.data(), one.q.data() + one.q.size());
  return out;
}

}  // namespace linkwright
