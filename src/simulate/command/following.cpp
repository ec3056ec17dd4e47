#include "linkwright/simulate/following.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

/// Where nothing is said: errors fade at 20 per second.
constexpr double usual_kp = 400;
constexpr double same_rank = 1e-9;

bool carries_quaternion(const System& system, int velocity) {
  return std::any_of(system.joints().begin(), system.joints().end(), [&](const JointPlace& joint) {
    return joint.nq != joint.nv && velocity >= joint.v && velocity < joint.v + joint.nv;
  });
}

/// Whether the closures leave these entries of v free of each other: the others can answer to any motion
/// of them.
bool are_independent(const Eigen::MatrixXd& J, Eigen::Index rank, const std::vector<int>& entries) {
  Eigen::MatrixXd others = J;
  for (const int entry : entries) others.col(entry).setZero();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposition(others);
  decomposition.setThreshold(same_rank);
  return decomposition.rank() == rank;
}

std::vector<int> entries_of(const System& system, const std::vector<Move>& moves) {
  const auto& names = system.velocity_names();
  std::vector<int> entries;
  for (const Move& move : moves)
    for (const auto& [name, target] : move.targets)
      entries.push_back(
          static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()));
  return entries;
}

}  // namespace

std::vector<std::string> find_holding_motors(const System& system, const ConstVectorRef& q,
                                             const std::vector<Move>& moves) {
  std::vector<int> driven = entries_of(system, moves);
  Eigen::MatrixXd J(0, system.nv());
  Eigen::Index rank = 0;
  if (!system.closures().empty()) {
    ClosedWorkspace work(system);
    J.resize(work.rows(), system.nv());
    compute_closure_jacobian(work, q, J);
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposition(J);
    decomposition.setThreshold(same_rank);
    rank = decomposition.rank();
  }
  std::vector<std::string> holding;
  for (const int entry : all_motors(system).entries) {
    if (entry >= system.nv() || carries_quaternion(system, entry) ||
        std::find(driven.begin(), driven.end(), entry) != driven.end())
      continue;
    driven.push_back(entry);
    if (J.rows() > 0 && !are_independent(J, rank, driven))
      driven.pop_back();
    else
      holding.push_back(system.velocity_names()[static_cast<std::size_t>(entry)]);
  }
  return holding;
}

ControlLaw to_control_law(std::string_view name) {
  if (name == "computed-torque") return ControlLaw::computed_torque;
  if (name == "pd") return ControlLaw::pd;
  if (name == "pd-gravity") return ControlLaw::pd_with_gravity;
  throw Error(fmt::format("control: expected 'computed-torque', 'pd' or 'pd-gravity'; got {}",
                          in_quotes(name)));
}

ControlOptions complete_gains(const System& system, const ConstVectorRef& q, ControlLaw law,
                              std::vector<std::string> joints,
                              std::span<const std::optional<double>> kp,
                              std::span<const std::optional<double>> kd) {
  ControlOptions options{.joints = std::move(joints), .kp = {}, .kd = {}};
  const std::size_t count = options.joints.size();
  const auto given = [count](std::span<const std::optional<double>> gains, std::size_t i,
                             double otherwise) {
    if (!gains.empty() && gains.size() != count)
      throw Error(fmt::format("{} gains are given for {} joints", gains.size(), count));
    return gains.empty() ? otherwise : gains[i].value_or(otherwise);
  };
  std::vector<double> inertias(count, 1);
  if (law != ControlLaw::computed_torque)
    inertias = scaled_by_inertia(system, q, {.joints = options.joints, .kp = {1}, .kd = {1}}).kp;
  for (std::size_t i = 0; i < count; ++i) {
    options.kp.push_back(given(kp, i, usual_kp * inertias[i]));
    options.kd.push_back(given(kd, i, 2 * std::sqrt(options.kp[i] * inertias[i])));
  }
  return options;
}

Controller make_controller(const System& system, ControlLaw law, const ControlOptions& options) {
  switch (law) {
    case ControlLaw::pd:
      return pd(system, options);
    case ControlLaw::pd_with_gravity:
      return pd_with_gravity(system, options);
    case ControlLaw::computed_torque:
      break;
  }
  return computed_torque(system, options);
}

}  // namespace linkwright
