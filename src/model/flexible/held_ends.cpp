#include "model/flexible/held_ends.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "linkwright/model/names.hpp"
#include "model/flexible/pieces.hpp"
#include "spatial/groups.hpp"

namespace linkwright {
namespace {

constexpr double nothing = 1e-6;  ///< of the beam's length, or the sine of an angle

/// A motion that a bond allows, at its place.
struct Way {
  Vector3 angular{}, linear{};
};

/// A bond between two bodies; the places are in their frames.
struct Bond {
  std::string name, a, b;
  Pose at_a, at_b;
  std::vector<Way> ways;     ///< in the axes of either place
  bool is_distance = false;  ///< a rod without mass; `ways` are not known before its direction is
  [[nodiscard]] bool is_rigid() const { return ways.empty() && !is_distance; }
};

/// Two directions across a third.
std::array<Vector3, 2> across(const Vector3& n) {
  const Vector3 other = std::abs(n.x) < 0.7 * norm(n) ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  const Vector3 first = cross(n, other);
  return {first, cross(n, first)};
}

constexpr std::array<Vector3, 3> axes_of_space{Vector3{1, 0, 0}, Vector3{0, 1, 0},
                                               Vector3{0, 0, 1}};

std::vector<Way> ways_of(const Joint& joint) {
  std::vector<Way> ways;
  const Vector3& axis = joint.axis;
  const auto turn = [&](const Vector3& about) { ways.push_back({about, {}}); };
  const auto slide = [&](const Vector3& along) { ways.push_back({{}, along}); };
  switch (joint.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::continuous:
      turn(axis);
      break;
    case JointType::prismatic:
      slide(axis);
      break;
    case JointType::helical:
      ways.push_back({axis, joint.pitch * axis});
      break;
    case JointType::cylindrical:
      turn(axis), slide(axis);
      break;
    case JointType::universal:
      turn(axis), turn(joint.axis2);
      break;
    case JointType::planar:
      turn(axis);
      for (const Vector3& along : across(axis)) slide(along);
      break;
    case JointType::free:
      for (const Vector3& along : axes_of_space) slide(along);
      [[fallthrough]];
    case JointType::spherical:
      for (const Vector3& about : axes_of_space) turn(about);
      break;
    case JointType::custom:
      for (const auto& m : joint.modes) ways.push_back({{m[0], m[1], m[2]}, {m[3], m[4], m[5]}});
      break;
  }
  return ways;
}

/// Nothing for what binds no two places.
std::optional<Bond> to_bond(const Closure& closure) {
  Bond bond{closure.name, closure.body_a, closure.body_b, closure.at_a, closure.at_b, {}};
  switch (closure.kind) {
    case Closure::Kind::joint:
      bond.ways = ways_of(to_joint(closure));
      return bond;
    case Closure::Kind::distance:
      bond.is_distance = true;
      return bond;
    case Closure::Kind::point_on_line:
      bond.ways = ways_of({.type = JointType::spherical});
      bond.ways.push_back({{}, closure.axis});
      return bond;
    case Closure::Kind::point_on_plane:
      bond.ways = ways_of({.type = JointType::spherical});
      for (const Vector3& along : across(closure.axis)) bond.ways.push_back({{}, along});
      return bond;
    case Closure::Kind::rolling:
    case Closure::Kind::gear:
    case Closure::Kind::shaft:
      break;
  }
  return std::nullopt;
}

Bond to_bond(const Model& model, const Grasp& grasp) {
  Bond bond{grasp.name, grasp.arm, grasp.object, {}, grasp.at, {}};
  for (const Frame& frame : model.frames)
    if (frame.name == grasp.arm) bond.a = frame.body, bond.at_a = frame.pose;
  switch (grasp.contact) {
    case Grasp::Contact::rigid:
      break;
    case Grasp::Contact::line:
      bond.ways = {{grasp.axis, {}}};
      break;
    case Grasp::Contact::point:
      bond.ways = ways_of({.type = JointType::spherical});
      break;
    case Grasp::Contact::soft_finger:
      for (const Vector3& about : across(grasp.normal)) bond.ways.push_back({about, {}});
      break;
  }
  return bond;
}

std::vector<Bond> bonds_of(const Model& model) {
  std::vector<Bond> bonds;
  for (const Joint& joint : model.joints)
    bonds.push_back(
        {joint.name, joint.parent, joint.child, joint.pose, joint.at_child, ways_of(joint)});
  for (const Closure& closure : model.closures)
    if (auto bond = to_bond(closure)) bonds.push_back(std::move(*bond));
  for (const Grasp& grasp : model.grasps) bonds.push_back(to_bond(model, grasp));
  return bonds;
}

/// Where bodies are when no joint has moved; those that joints do not lead to are left out.
std::map<std::string, Pose> resting_poses(const Model& model) {
  std::map<std::string, Pose> poses{{std::string(world_name), {}}};
  for (bool grows = true; grows;) {
    grows = false;
    for (const Joint& joint : model.joints)
      if (const auto parent = poses.find(joint.parent);
          parent != poses.end() && !poses.contains(joint.child)) {
        poses[joint.child] = parent->second * joint.pose * inverse(joint.at_child);
        grows = true;
      }
  }
  return poses;
}

/// Judges one link.
class HeldEnds {
 public:
  HeldEnds(const FlexibleLink& link, const Beam& beam, const Model& model)
      : link_(link),
        beam_(beam),
        bonds_(bonds_of(model)),
        poses_(resting_poses(model)),
        pieces_(link, beam) {
    numbers_.emplace(world_name, 0);
    for (const Body& body : model.bodies) numbers_.emplace(body.name, numbers_.size());
  }

  void run() {
    Groups groups(numbers_.size());
    for (const Bond& bond : bonds_)
      if (bond.is_rigid() && is_known(bond) && bond.a != link_.body && bond.b != link_.body)
        groups.join(numbers_[bond.a], numbers_[bond.b]);
    std::map<std::size_t, std::vector<Hold>> holds;  // by group
    for (const Bond& bond : bonds_) {
      if (!is_known(bond) || (bond.a != link_.body) == (bond.b != link_.body)) continue;
      const bool is_a = bond.a == link_.body;
      const std::string& holder = is_a ? bond.b : bond.a;
      const Pose &own = is_a ? bond.at_a : bond.at_b, &other = is_a ? bond.at_b : bond.at_a;
      if (lets_slide(bond, own, holder, other)) continue;
      Hold hold{bond.name, own.translation, other.translation, pieces_.at(own.translation)};
      if (const auto pose = poses_.find(holder); pose != poses_.end())
        hold.held_by = pose->second * hold.held_by;
      std::vector<Hold>& others = holds[groups.root(numbers_[holder])];
      for (const Hold& first : others) compare(first, hold);
      others.push_back(hold);
    }
  }

 private:
  /// Something that keeps a place of the beam's axis from moving along it.
  struct Hold {
    std::string name;
    Vector3 at;       ///< in the body's frame
    Vector3 held_by;  ///< the same place on the holder, in the world when no joint has moved
    std::size_t piece;
  };

  [[nodiscard]] bool is_known(const Bond& bond) const {
    return numbers_.contains(bond.a) && numbers_.contains(bond.b);
  }

  /// Whether the axis of the beam may move along itself where the bond is, at first order. A hinge beside
  /// the axis lets it: there the end moves to and fro as it turns.
  [[nodiscard]] bool lets_slide(const Bond& bond, const Pose& own, const std::string& holder,
                                const Pose& other) const {
    const Vector3 x = beam_.axes.column_x();
    if (bond.is_distance) return !is_along(own, holder, other);
    const Vector3 to_axis = pieces_.point(pieces_.distance(own.translation)) - own.translation;
    for (const Way& way : bond.ways) {
      const Vector3 turn = own.rotation * way.angular, slide = own.rotation * way.linear;
      if (std::abs(dot(slide, x)) > nothing * norm(slide)) return true;
      if (std::abs(dot(cross(turn, to_axis), x)) > nothing * beam_.length * norm(turn)) return true;
    }
    return false;
  }
  /// Whether a rod without mass runs along the beam when no joint has moved.
  [[nodiscard]] bool is_along(const Pose& own, const std::string& holder, const Pose& other) const {
    const auto body = poses_.find(link_.body), at = poses_.find(holder);
    if (body == poses_.end() || at == poses_.end()) return false;
    const Vector3 rod = at->second * other.translation - body->second * own.translation;
    const Vector3 x = body->second.rotation * beam_.axes.column_x();
    return norm(rod) > 0 && norm(cross(rod, x)) < nothing * norm(rod);
  }

  void compare(const Hold& first, const Hold& second) const {
    if (first.piece == second.piece) return;
    // Places nearer to each other than on the straight beam: it is bent already, and may bend more.
    const double own = std::abs(pieces_.distance(first.at) - pieces_.distance(second.at));
    if (norm(first.held_by - second.held_by) < (1 - nothing) * own) return;
    throw Error(link_.source,
                fmt::format("flexible link {}: {} and {} hold it at two places, and it cannot bend "
                            "between them without stretching; add `axial: true`{}",
                            in_quotes(link_.body), in_quotes(first.name), in_quotes(second.name),
                            link_.EI.empty() ? "" : " and EA"));
  }

  const FlexibleLink& link_;
  const Beam& beam_;
  std::vector<Bond> bonds_;
  std::map<std::string, Pose> poses_;
  Pieces pieces_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

void check_held_ends(const FlexibleLink& link, const Beam& beam, const Model& model) {
  if (!beam.moves(BeamMotion::stretch)) HeldEnds(link, beam, model).run();
}

}  // namespace linkwright
