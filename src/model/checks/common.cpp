#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::checks {
namespace {

constexpr double unit_tolerance = 1e-6;

bool finite(const Vector3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

std::vector<std::string> body_names(const Model& model) {
  std::vector<std::string> names{std::string(world_name)};
  for (const Body& body : model.bodies) names.push_back(body.name);
  return names;
}

std::vector<std::string> joint_names(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints) names.push_back(joint.name);
  return names;
}

void check_length(const Joint& joint, std::string_view thing, std::string_view what,
                  std::size_t got) {
  const auto freedoms = static_cast<std::size_t>(velocity_count(joint));
  if (got <= 1 || got == freedoms) return;
  throw Error(joint.source, fmt::format("{}: {} has {} entries; expected 1 or {}, one per freedom "
                                        "of a {} joint",
                                        thing, what, got, freedoms, to_string(joint.type)));
}

}  // namespace

void require_finite(const Source& where, std::string_view thing, std::string_view what,
                    double value) {
  if (!std::isfinite(value))
    throw Error(where, fmt::format("{}: {} is {}; expected a finite number", thing, what, value));
}

void require_finite(const Source& where, std::string_view thing, std::string_view what,
                    const Vector3& value) {
  if (!finite(value))
    throw Error(where, fmt::format("{}: {} is [{}, {}, {}]; expected three finite numbers", thing,
                                   what, value.x, value.y, value.z));
}

void require_finite(const Source& where, std::string_view thing, std::string_view what,
                    const Pose& value) {
  require_finite(where, thing, fmt::format("the position in {}", what), value.translation);
  const Matrix3& R = value.rotation;
  if (!finite(R.column_x()) || !finite(R.column_y()) || !finite(R.column_z()))
    throw Error(where, fmt::format("{}: the rotation in {} has an entry that is not a finite "
                                   "number; expected a rotation matrix",
                                   thing, what));
  const Eigen::Matrix3d matrix = to_eigen(R);
  const double gap = (matrix * matrix.transpose() - Eigen::Matrix3d::Identity()).norm();
  if (gap > unit_tolerance || matrix.determinant() < 0)
    throw Error(where, fmt::format("{}: the rotation in {} is no rotation matrix (|R Rᵀ − 1| = "
                                   "{:.3g}, determinant {:.3g}); expected an orthonormal, "
                                   "right-handed one",
                                   thing, what, gap, matrix.determinant()));
}

void require_not_negative(const Source& where, std::string_view thing, std::string_view what,
                          double value) {
  require_finite(where, thing, what, value);
  if (value < 0)
    throw Error(where, fmt::format("{}: {} is {}; expected zero or more", thing, what, value));
}

void check_axis(const Source& where, std::string_view thing, std::string_view what,
                const Vector3& axis, std::vector<Warning>& warnings) {
  require_finite(where, thing, what, axis);
  const double length = spatial::norm(axis);
  if (length == 0)
    throw Error(where, fmt::format("{}: {} is [0, 0, 0]; expected a direction such as [0, 0, 1]",
                                   thing, what));
  if (std::abs(length - 1) > unit_tolerance)
    warnings.push_back({where,
                        fmt::format("{}: {} [{}, {}, {}] has length {:.6g}, expected 1; "
                                    "only its direction is used",
                                    thing, what, axis.x, axis.y, axis.z, length),
                        "axis of another length than 1"});
}

void check_modes(const Source& where, std::string_view thing,
                 const std::vector<std::array<double, 6>>& modes) {
  if (modes.size() > 6)
    throw Error(where,
                fmt::format("{}: {} modes; a custom joint has at most 6", thing, modes.size()));
  if (modes.empty()) return;
  Eigen::Matrix<double, 6, Eigen::Dynamic> matrix(6, static_cast<Eigen::Index>(modes.size()));
  for (std::size_t j = 0; j < modes.size(); ++j) {
    for (std::size_t i = 0; i < 6; ++i) {
      require_finite(where, thing, fmt::format("number {} of mode {}", i + 1, j + 1), modes[j][i]);
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = modes[j][i];
    }
    const double length = matrix.col(static_cast<Eigen::Index>(j)).norm();
    if (length == 0)
      throw Error(where, fmt::format("{}: mode {} is zero; remove it or give it a direction", thing,
                                     j + 1));
    matrix.col(static_cast<Eigen::Index>(j)) /= length;
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(matrix);
  qr.setThreshold(1e-9);
  if (qr.rank() < matrix.cols())
    throw Error(where, fmt::format("{}: its {} modes are linearly dependent (rank {}); remove the "
                                   "ones that others already allow",
                                   thing, modes.size(), qr.rank()));
}

void require_body(const Source& where, std::string_view thing, std::string_view role,
                  const std::string& name, const Model& model, const Names& names) {
  if (name == world_name || names.bodies.contains(name)) return;
  if (name.empty())
    throw Error(where,
                fmt::format("{}: no {} link is named; expected a link or 'world'", thing, role));
  if (names.problems->is_unread(name)) throw Consequence{};
  throw Error(where, fmt::format("{}: the {} link {} does not exist{}", thing, role,
                                 in_quotes(name), did_you_mean(name, body_names(model))));
}

const Joint& require_joint(const Source& where, std::string_view thing, const std::string& name,
                           const Model& model, const Names& names) {
  const auto found = names.joints.find(name);
  if (found == names.joints.end()) {
    if (names.problems->is_unread(name)) throw Consequence{};
    throw Error(where, fmt::format("{}: the joint {} does not exist{}", thing, in_quotes(name),
                                   did_you_mean(name, joint_names(model))));
  }
  return model.joints[found->second];
}

const Joint& require_moving(const Source& where, std::string_view thing, const std::string& name,
                            const Model& model, const Names& names) {
  const Joint& joint = require_joint(where, thing, name, model, names);
  if (velocity_count(joint) == 0)
    throw Error(where, fmt::format("{}: joint {} is {} and has no freedom; expected a joint that "
                                   "moves",
                                   thing, in_quotes(name), to_string(joint.type)));
  return joint;
}

Joint require_moving_pair(const Source& where, std::string_view thing, const std::string& name,
                          const Model& model, const Names& names) {
  if (!names.joints.contains(name))
    for (const Closure& closure : model.closures) {
      if (closure.name != name || closure.kind == Closure::Kind::gear) continue;
      Joint pair = to_joint(closure);
      if (velocity_count(pair) == 0)
        throw Error(where, fmt::format("{}: closure {} has no freedom of its own; expected a joint "
                                       "that moves",
                                       thing, in_quotes(name)));
      return pair;
    }
  return require_moving(where, thing, name, model, names);
}

void require_freedom(const Source& where, std::string_view thing, const Joint& joint, int freedom) {
  if (freedom < 0 || freedom >= velocity_count(joint))
    throw Error(where, fmt::format("{}: freedom {} of joint {}; expected 0 to {}, a {} joint has "
                                   "{} freedom(s)",
                                   thing, freedom, in_quotes(joint.name), velocity_count(joint) - 1,
                                   to_string(joint.type), velocity_count(joint)));
}

void check_breakaway(const Source& where, std::string_view thing, const Friction& friction) {
  if (friction.breakaway == 0) return;
  require_not_negative(where, thing, "its breakaway friction (a magnitude)", friction.breakaway);
  const double most = std::max(friction.forward, friction.backward);
  if (friction.breakaway < most)
    throw Error(where, fmt::format("{}: its breakaway friction {} is less than its friction in "
                                   "motion, {}; expected at least that, or none",
                                   thing, friction.breakaway, most));
}

void check_stop(const Source& where, std::string_view thing, const Limits& limits) {
  const auto refuse = [&](std::string_view what, double value, std::string_view expected) {
    throw Error(where, fmt::format("{}: the {} of its stops is {}; expected {}", thing, what, value,
                                   expected));
  };
  if (!(limits.restitution >= 0 && limits.restitution <= 1))
    refuse("restitution", limits.restitution, "0 (no rebound) to 1 (no loss)");
  if (!(limits.stiffness > 0))
    refuse("stiffness", limits.stiffness, "a positive number, or none for a rigid stop");
  if (!(limits.damping >= 0) || !std::isfinite(limits.damping))
    refuse("damping", limits.damping, "zero or more");
  const bool rigid = std::isinf(limits.stiffness);
  if (!rigid && limits.restitution != 0)
    refuse("restitution", limits.restitution,
           "none beside a stiffness: such a stop loses energy by its damping");
  if (rigid && limits.damping != 0)
    refuse("damping", limits.damping, "none without a stiffness: a rigid stop has a restitution");
  const bool stops = std::isfinite(limits.lower) || std::isfinite(limits.upper);
  if (!stops && (!rigid || limits.restitution != 0))
    throw Error(where, fmt::format("{}: it has {}, but neither a lower nor an upper limit to stop "
                                   "at; give one",
                                   thing, rigid ? "a restitution" : "a stiffness of its stops"));
}

void check_entry_counts(const Joint& joint, std::string_view thing) {
  check_length(joint, thing, "passive", joint.passive.size());
  check_length(joint, thing, "damping", joint.damping.size());
  check_length(joint, thing, "friction", joint.friction.size());
  check_length(joint, thing, "rotor_inertia", joint.rotor_inertia.size());
  check_length(joint, thing, "limits", joint.limits.size());
}

void check_joint_list(const Source& where, const std::vector<std::string>& list,
                      std::string_view thing, const Model& model, const Names& names) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : list) {
    require_moving(where, thing, name, model, names);
    if (!seen.insert(name).second)
      throw Error(where,
                  fmt::format("{}: joint {} is listed twice; remove one", thing, in_quotes(name)));
  }
}

}  // namespace linkwright::checks
