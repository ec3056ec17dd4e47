#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/load_sharing.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::DenseLoops;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void check_actuation(const System& system, const Actuation& actuation) {
  const auto count = actuation.entries.size();
  for (std::size_t i = 0; i < count; ++i) {
    const int entry = actuation.entries[i];
    if (entry < 0 || entry >= system.effort_count() || (i > 0 && entry <= actuation.entries[i - 1]))
      throw Error(fmt::format("actuated entry {}: expected entries 0 … {}, ascending", entry,
                              system.effort_count() - 1));
  }
  const auto check = [&](std::size_t size, const char* what) {
    if (size != 0 && size != count)
      throw Error(fmt::format("the actuation has {} {} for {} motors; expected one per motor", size,
                              what, count));
  };
  check(actuation.weights.size(), "weights");
  check(actuation.internal_load.size(), "internal loads");
  for (const double weight : actuation.weights)
    if (!(weight > 0) || !std::isfinite(weight))
      throw Error(fmt::format("a motor's weight is {}; expected a positive number", weight));
}

/// Which joint moves most in a motion, for messages.
std::string most_moved(const System& system, const DenseLoops& d, const VectorXd& v) {
  Index most = 0;
  v.cwiseQuotient(d.column_scale).cwiseAbs().maxCoeff(&most);
  return system.velocity_names()[at(most)];
}

/// Efforts Bᵀ τ = f must be possible: B's rows are the motors' parts in each motion.
void require_possible(const System& system, const DenseLoops& d, const MatrixXd& N,
                      const MatrixXd& B, const VectorXd& f) {
  MatrixXd U = MatrixXd::Identity(B.rows(), B.rows());
  Index rank = 0;
  if (B.cols() > 0) {
    const Eigen::JacobiSVD<MatrixXd> svd(B, Eigen::ComputeFullU);
    const VectorXd& values = svd.singularValues();
    const double least = closure::rank_threshold * (values[0] > 0 ? values[0] : 1);
    rank = (values.array() > least).count();
    U = svd.matrixU();
  }
  for (Index i = rank; i < B.rows(); ++i) {
    const VectorXd motion = N * U.col(i);
    const double needed = U.col(i).dot(f);
    if (std::abs(needed) <= 1e-9 * std::max(1.0, f.norm())) continue;
    throw Error(
        fmt::format(
            "the motors cannot produce this motion: nothing drives the freedom in which '{}' moves "
            "most, and it would need {:.3g} there. Give efforts by forward dynamics, or a motor "
            "to one of its joints",
            most_moved(system, d, motion), needed / std::max(1e-300, motion.norm())),
        Error::Kind::failed_computation);
  }
}

closure::Sharing sharing_of(const System& system, const Actuation& actuation) {
  const auto count = static_cast<Index>(actuation.entries.size());
  closure::Sharing sharing{VectorXd::Ones(count), VectorXd::Constant(count, HUGE_VAL),
                           VectorXd::Zero(count)};
  for (Index i = 0; i < count; ++i) {
    if (!actuation.weights.empty()) sharing.weights[i] = actuation.weights[at(i)];
    if (!actuation.internal_load.empty()) sharing.preferred[i] = actuation.internal_load[at(i)];
  }
  if (actuation.limits == Actuation::Limits::ignore) return sharing;
  sharing.most = closure::effort_limits(system, actuation.entries);
  return sharing;
}

/// What moves per unit of effort: the rows of the motors in each motion, transposed.
MatrixXd motor_columns(ClosedWorkspace& work, const ConstVectorRef& q, const MatrixXd& N,
                       const Actuation& actuation) {
  const System& system = work.system();
  MatrixXd B(N.cols(), static_cast<Index>(actuation.entries.size()));
  const bool closing = !actuation.entries.empty() && actuation.entries.back() >= system.nv();
  MatrixXd L(closing ? static_cast<Index>(system.closing_names().size()) : 0, system.nv());
  if (closing) compute_closing_jacobian(work, q, L);
  for (std::size_t i = 0; i < actuation.entries.size(); ++i) {
    const int entry = actuation.entries[i];
    auto column = B.col(static_cast<Index>(i));
    if (entry < system.nv()) {
      column = N.row(entry).transpose();
    } else {
      const ClosingMotor& motor = system.closing_motors()[at(entry - system.nv())];
      const int row = system.closures()[at(motor.closure)].closing + motor.freedom;
      column = N.transpose() * L.row(row).transpose();
    }
  }
  return B;
}

}  // namespace

Actuation all_motors(const System& system) {
  Actuation all;
  const std::vector<std::string> names = system.effort_names();
  const std::vector<Actuator>& actuators = system.model().actuators;
  std::vector<bool> driven(names.size(), actuators.empty());
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const Actuator& actuator : actuators) {
      const GearTerm term = terms_of(actuator).front();
      driven[i] =
          driven[i] ||
          (is_coupled(actuator) ? names[i] == actuator.name
                                : names[i] == term.joint ||
                                      names[i] == fmt::format("{}:{}", term.joint, term.freedom));
    }
  for (const int passive : system.passive_freedoms()) driven[at(passive)] = false;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (driven[i]) all.entries.push_back(static_cast<int>(i));
  return all;
}

void compute_inverse_dynamics(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                              ExternalForces forces, const Actuation& actuation, VectorRef tau) {
  const System& system = work.system();
  check_actuation(system, actuation);
  const bool closing = !actuation.entries.empty() && actuation.entries.back() >= system.nv();
  if (tau.size() != system.nv() || closing)
    door::check_output(tau.size(), system.effort_count(), "tau");
  DenseLoops& d = work.dense();
  d.make_room();
  compute_inverse_dynamics(work.tree(), state, a, forces, d.bias);
  closure::subtract_closing_forces(work, state, a, d.bias);
  closure::compute_row_space(work, state.q);
  const MatrixXd N = d.N.leftCols(d.mobility);
  const MatrixXd B = motor_columns(work, state.q, N, actuation);
  const VectorXd f = N.transpose() * d.bias;
  require_possible(system, d, N, B, f);
  tau.setZero();
  if (actuation.entries.empty()) return;  // it moves by itself
  const closure::Sharing sharing = sharing_of(system, actuation);
  const VectorXd efforts = closure::share_load(B, f, sharing);
  const double missed = (B * efforts - f).norm();
  if (missed > 1e-9 * std::max(1.0, f.norm()))
    throw Error(
        fmt::format("the motors' effort limits do not allow this motion: what they can give "
                    "misses it by {:.3g} of {:.3g}",
                    missed, f.norm()),
        Error::Kind::failed_computation);
  for (std::size_t i = 0; i < actuation.entries.size(); ++i)
    tau[actuation.entries[i]] = efforts[static_cast<Index>(i)];
}

}  // namespace linkwright
