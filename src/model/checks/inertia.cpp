// Judges the inertias by the rules of inertia_rules.hpp: each link alone, and one that fails together
// with what it is welded to, since only the whole moves.

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"
#include "model/checks/inertia_rules.hpp"

namespace linkwright::checks {
namespace {

constexpr double triangle_rounding = printed_rounding;

std::string numbers(const Eigen::Vector3d& v) {
  return fmt::format("{:.6g}, {:.6g}, {:.6g}", v[0], v[1], v[2]);
}

bool is_finite(const Body& body) {
  const Symmetric3& I = body.inertia;
  for (const double x :
       {body.mass, body.com.x, body.com.y, body.com.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz})
    if (!std::isfinite(x)) return false;
  return true;
}

/// For each body its place in the list, or `none` for the world and for names that are unknown.
std::size_t find_body(const Names& names, const std::string& name) {
  const auto found = names.bodies.find(name);
  return found == names.bodies.end() ? none : found->second;
}

/// The largest distance on each link: its centre of mass and the joints it carries.
std::vector<double> lengths(const Model& model, const Names& names) {
  std::vector<double> length;
  for (const Body& body : model.bodies) length.push_back(spatial::norm(body.com));
  for (const Joint& joint : model.joints) {
    const std::size_t parent = find_body(names, joint.parent);
    const double distance = spatial::norm(joint.pose.translation);
    if (parent != none && std::isfinite(distance))
      length[parent] = std::max(length[parent], distance);
  }
  return length;
}

/// Links that move as one.
struct Group {
  std::vector<std::size_t> bodies;
  std::vector<Pose> poses;        ///< of each in the first one's frame
  bool held_by_the_file = false;  ///< welded to the world by a joint that the file declares
  Judgement sum;
};

class Welds {
 public:
  Welds(const Model& model, const Names& names) : model_(model), neighbours_(model.bodies.size()) {
    held_.assign(model.bodies.size(), false);
    group_of_.assign(model.bodies.size(), none);
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      const Joint& joint = model.joints[j];
      if (velocity_count(joint) != 0 || names.tree.closes[j]) continue;
      const std::size_t child = find_body(names, joint.child);
      const std::size_t parent = find_body(names, joint.parent);
      if (child == none) continue;
      // Whether the root of a description is welded to the world is the caller's choice, not the
      // file's: the same file must be right for a base that moves.
      if (joint.parent == world_name && !joint.implied) held_[child] = true;
      if (parent == none || parent == child) continue;
      const Pose pose = joint.pose * inverse(joint.at_child);
      neighbours_[parent].push_back({child, pose});
      neighbours_[child].push_back({parent, inverse(pose)});
    }
  }

  const Group& group_of(std::size_t body) {
    if (group_of_[body] == none) collect(body);
    return groups_[group_of_[body]];
  }

 private:
  struct Neighbour {
    std::size_t body;
    Pose pose;
  };

  void collect(std::size_t start) {
    Group group{{start}, {Pose{}}, false, {}};
    group_of_[start] = groups_.size();
    for (std::size_t k = 0; k < group.bodies.size(); ++k) {
      const std::size_t body = group.bodies[k];
      group.held_by_the_file = group.held_by_the_file || held_[body];
      for (const Neighbour& next : neighbours_[body]) {
        if (group_of_[next.body] != none) continue;
        group_of_[next.body] = groups_.size();
        group.bodies.push_back(next.body);
        group.poses.push_back(group.poses[k] * next.pose);
      }
    }
    group.sum = judge_sum(group);
    groups_.push_back(std::move(group));
  }

  [[nodiscard]] Judgement judge_sum(const Group& group) const {
    double mass = 0, length = 0;
    Vector3 first_moment;
    for (std::size_t k = 0; k < group.bodies.size(); ++k) {
      const Body& body = model_.bodies[group.bodies[k]];
      mass += body.mass;
      first_moment += body.mass * (group.poses[k] * body.com);
    }
    const Vector3 centre = mass > 0 ? (1 / mass) * first_moment : Vector3{};
    Symmetric3 inertia;
    for (std::size_t k = 0; k < group.bodies.size(); ++k) {
      const Body& body = model_.bodies[group.bodies[k]];
      const Vector3 arm = group.poses[k] * body.com - centre;
      inertia += congruence(group.poses[k].rotation, body.inertia);
      inertia += spatial::point_inertia(body.mass, arm);
      length = std::max({length, spatial::norm(arm), spatial::norm(body.com)});
    }
    return judge_inertia(inertia, mass, length);
  }

  const Model& model_;
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<bool> held_;
  std::vector<std::size_t> group_of_;
  std::vector<Group> groups_;
};

/// "'base' and 2 more": the others of a group.
std::string others(const Group& group, std::size_t body, const Model& model) {
  std::vector<std::string> names;
  for (const std::size_t other : group.bodies)
    if (other != body) names.push_back(model.bodies[other].name);
  return list_in_quotes(names);
}

/// A moment that is negative beyond rounding: what counts is the whole that moves.
void check_welded(std::size_t b, const Judgement& alone, Welds& welds, const Model& model,
                  Problems& problems) {
  const Body& body = model.bodies[b];
  const Group& group = welds.group_of(b);
  const std::string text = fmt::format("link {}: its inertia has the principal moments {}",
                                       in_quotes(body.name), numbers(alone.moments));
  const bool sum_is_physical =
      group.sum.verdict == Verdict::physical || group.sum.verdict == Verdict::negative_by_printing;
  if (group.held_by_the_file) {
    problems.warn(
        inertial_place(body),
        text + ", no real body has them; it is welded to the world, so they have no effect",
        "negative principal moment of a welded link");
  } else if (sum_is_physical) {
    problems.warn(inertial_place(body),
                  fmt::format("{}, no real body has them; it is welded to {}, and together they "
                              "have {}",
                              text, others(group, b, model), numbers(group.sum.moments)),
                  "negative principal moment of a welded link");
  } else {
    const std::string together =
        group.bodies.size() == 1 ? std::string{}
                                 : fmt::format(" (with {}, welded to it: {})",
                                               others(group, b, model), numbers(group.sum.moments));
    problems.refuse(
        inertial_place(body),
        fmt::format("{}{}; expected none below zero, check the signs of the products ixy, ixz, iyz",
                    text, together),
        {"clipped to the nearest inertia that a body can have", [b](Model& changed) {
           changed.bodies[b].inertia = nearest_physical(changed.bodies[b].inertia);
         }});
  }
}

/// A point mass matters where it moves alone.
void check_point_mass(std::size_t b, Welds& welds, const Model& model, Problems& problems) {
  const Body& body = model.bodies[b];
  const Group& group = welds.group_of(b);
  if (group.held_by_the_file || group.sum.verdict != Verdict::nothing) return;
  problems.warn(inertial_place(body),
                fmt::format("link {}: mass {} without inertia, a point mass; forward dynamics will "
                            "refuse a joint that moves it alone about an axis through it",
                            in_quotes(body.name), body.mass),
                "mass without inertia");
}

void warn_of_printing(const Body& body, const Judgement& judgement, Problems& problems) {
  problems.warn(inertial_place(body),
                fmt::format("link {}: its principal moments {} are not all positive; the smallest "
                            "is negative by no more than the digits of a file ({:g} of the "
                            "largest) and used as it stands",
                            in_quotes(body.name), numbers(judgement.moments), printed_rounding),
                "principal moment slightly negative");
}

bool violates_triangle(const Judgement& judgement) {
  const Eigen::Vector3d& moments = judgement.moments;
  return judgement.verdict == Verdict::physical &&
         moments[2] - moments[0] - moments[1] > triangle_rounding * moments[2];
}

/// Here too what counts is the whole that moves.
void check_triangle(std::size_t b, const Judgement& alone, Welds& welds, const Model& model,
                    Problems& problems) {
  const Body& body = model.bodies[b];
  const Group& group = welds.group_of(b);
  const std::string text = fmt::format(
      "link {}: its principal moments {} violate the triangle inequality ({:.6g} > "
      "{:.6g} + {:.6g}), no real body has them",
      in_quotes(body.name), numbers(alone.moments), alone.moments[2], alone.moments[0],
      alone.moments[1]);
  const bool is_alone = group.bodies.size() == 1 && !group.held_by_the_file;
  if (is_alone || (!group.held_by_the_file && violates_triangle(group.sum))) {
    const std::string together =
        is_alone ? std::string{}
                 : fmt::format("; nor {}, which they have with {}, welded to it",
                               numbers(group.sum.moments), others(group, b, model));
    problems.warn(inertial_place(body), text + together, "triangle inequality");
    return;
  }
  problems.warn(
      inertial_place(body),
      text + (group.held_by_the_file
                  ? std::string("; it is welded to the world, so they have no effect")
                  : fmt::format("; it is welded to {}, and together they have {}, as a body can",
                                others(group, b, model), numbers(group.sum.moments))),
      "triangle inequality of a welded link");
}

}  // namespace

void check_inertias(const Model& model, const Names& names, Problems& problems) {
  const std::vector<double> length = lengths(model, names);
  std::optional<Welds> welds;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!is_finite(body)) continue;
    const Judgement judgement = judge_inertia(body.inertia, std::abs(body.mass), length[b]);
    if (judgement.verdict == Verdict::negative_by_printing)
      warn_of_printing(body, judgement, problems);
    const bool is_point_mass = judgement.verdict == Verdict::nothing && body.mass > 0;
    const bool is_negative = judgement.verdict == Verdict::negative;
    if (!is_point_mass && !is_negative && !violates_triangle(judgement)) continue;
    if (!welds) welds.emplace(model, names);
    if (is_point_mass)
      check_point_mass(b, *welds, model, problems);
    else if (is_negative)
      check_welded(b, judgement, *welds, model, problems);
    else
      check_triangle(b, judgement, *welds, model, problems);
  }
}

}  // namespace linkwright::checks
