#include "linkwright/system/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace linkwright {
namespace {

// A chain of thousands of joints must not indent by thousands of columns.
constexpr std::size_t deepest_indent = 40;

std::string direction(const Vector3& axis) {
  const auto is = [&](double x, double y, double z) {
    return axis.x == x && axis.y == y && axis.z == z;
  };
  if (is(1, 0, 0)) return "x";
  if (is(0, 1, 0)) return "y";
  if (is(0, 0, 1)) return "z";
  if (is(-1, 0, 0)) return "-x";
  if (is(0, -1, 0)) return "-y";
  if (is(0, 0, -1)) return "-z";
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", axis.x, axis.y, axis.z);
}

std::string motion(const Joint& joint) {
  switch (joint.type) {
    case JointType::revolute:
    case JointType::continuous:
    case JointType::cylindrical:
      return fmt::format("{} about {}", to_string(joint.type), direction(joint.axis));
    case JointType::prismatic:
      return "prismatic along " + direction(joint.axis);
    case JointType::helical:
      return fmt::format("helical about {}, {:.4g} m/rad", direction(joint.axis), joint.pitch);
    case JointType::universal:
      return fmt::format("universal about {} and {}", direction(joint.axis),
                         direction(joint.axis2));
    case JointType::planar:
      return "planar, normal " + direction(joint.axis);
    case JointType::custom:
      return fmt::format("custom, {} freedoms", joint.modes.size());
    case JointType::fixed:
    case JointType::spherical:
    case JointType::free:
      break;
  }
  return std::string(to_string(joint.type));
}

std::string range(std::string_view letter, int first, int count) {
  if (count == 1) return fmt::format("{}{}", letter, first + 1);
  return fmt::format("{}{}…{}", letter, first + 1, first + count);
}

/// ", passive", or which freedoms are.
std::string passive_part(const Joint& joint, const JointPlace& place) {
  std::string which;
  int count = 0;
  for (int i = 0; i < place.nv; ++i)
    if (per_freedom(joint.passive, i, false)) {
      which += fmt::format("{}{}", count == 0 ? " freedom " : ", ", i);
      ++count;
    }
  if (count == 0) return {};
  return ", passive" + (count == place.nv ? std::string{} : which);
}

std::string details(const System& system, const Joint& joint, const JointPlace& place) {
  if (place.nv == 0) return joint.implied && place.parent < 0 ? "weld to the world" : "weld";
  std::string text = motion(joint) + ", " + range("q", place.q, place.nq);
  const auto any = [&place](const std::vector<double>& per_entry_of_v) {
    const auto first = per_entry_of_v.begin() + place.v;
    return std::any_of(first, first + place.nv, [](double x) { return x != 0; });
  };
  const bool has_rotor = any(system.rotor_inertia());
  const bool is_damped = any(system.tree().joint_forces.damping);
  if (place.nq != place.nv) text += ", " + range("v", place.v, place.nv);
  if (has_rotor) text += ", rotor";
  if (is_damped) text += ", damped";
  if (!joint.friction.empty()) text += ", friction";
  text += passive_part(joint, place);
  return text;
}

std::string weight(const Body& body) {
  return body.mass == 0 ? std::string("massless") : fmt::format("{:.4g} kg", body.mass);
}

struct Branch {
  std::size_t joint;
  std::string indent;  ///< what stands in front of this joint's own corner
  bool last;
  std::size_t depth;
};

class Drawing {
 public:
  Drawing(const System& system, const Emphasis& emphasize)
      : system_(system), model_(system.model()), emphasize_(emphasize) {
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      children_[model_.joints[j].parent].push_back(j);
  }

  std::string text() {
    std::string out = "world\n";
    push(std::string(world_name), "", 0);
    while (!stack_.empty()) {
      const Branch branch = std::move(stack_.back());
      stack_.pop_back();
      out += line(branch);
      push(model_.joints[branch.joint].child, deeper(branch), branch.depth + 1);
    }
    return out;
  }

 private:
  void push(const std::string& body, const std::string& indent, std::size_t depth) {
    const auto found = children_.find(body);
    if (found == children_.end()) return;
    const auto& joints = found->second;
    for (std::size_t i = joints.size(); i-- > 0;)
      stack_.push_back({joints[i], indent, i + 1 == joints.size(), depth});
  }

  static std::string deeper(const Branch& branch) {
    if (branch.depth >= deepest_indent) return branch.indent;
    return branch.indent + (branch.last ? "   " : "│  ");
  }

  [[nodiscard]] std::string line(const Branch& branch) const {
    const Joint& joint = model_.joints[branch.joint];
    const JointPlace& place = system_.joints()[branch.joint];
    const Body& body = model_.bodies[static_cast<std::size_t>(place.child)];
    const std::string depth =
        branch.depth > deepest_indent ? fmt::format("(depth {}) ", branch.depth) : std::string{};
    const std::string name = printable(joint.name);
    return fmt::format("{}{}{}{} → {}  ({}; {})\n", branch.indent, branch.last ? "└─ " : "├─ ",
                       depth, emphasize_ ? emphasize_(name) : name, printable(body.name),
                       details(system_, joint, place), weight(body));
  }

  const System& system_;
  const Model& model_;
  const Emphasis& emphasize_;
  std::unordered_map<std::string, std::vector<std::size_t>> children_;
  std::vector<Branch> stack_;
};

std::string pair_text(const Closure& closure) {
  switch (closure.kind) {
    case Closure::Kind::point_on_line:
      return "point on line";
    case Closure::Kind::point_on_plane:
      return "point on plane";
    case Closure::Kind::distance:
      return fmt::format("distance {:.6g} m", closure.distance);
    case Closure::Kind::rolling:
      return fmt::format("{} of radius {:.6g} m rolling", closure.disc ? "disc" : "ball",
                         closure.distance);
    case Closure::Kind::joint:
    case Closure::Kind::gear:
    case Closure::Kind::shaft:
      break;
  }
  return closure.joint == JointType::fixed ? "weld" : std::string(to_string(closure.joint));
}

std::string equations(int rows) { return fmt::format("{} equation{}", rows, rows == 1 ? "" : "s"); }

}  // namespace

std::string draw_tree(const System& system, const Emphasis& emphasize) {
  return Drawing(system, emphasize).text();
}

std::string describe(const Closure& closure) {
  const std::string rows = equations(row_count(closure));
  if (closure.kind == Closure::Kind::gear)
    return fmt::format("{}: gear, {} = {:.6g} · {} + {:.6g}, {}", printable(closure.name),
                       printable(closure.follower), closure.ratio, printable(closure.leader),
                       closure.offset, rows);
  return fmt::format("{}: {} between {} and {}, {}", printable(closure.name), pair_text(closure),
                     printable(closure.body_a), printable(closure.body_b), rows);
}

std::string describe(const Grasp& grasp) {
  return fmt::format("{}: {} holds {}, {} contact, {}", printable(grasp.name), printable(grasp.arm),
                     printable(grasp.object), to_string(grasp.contact),
                     equations(row_count(grasp)));
}

std::string describe(const System& system, bool cut_open) {
  const Model& model = system.model();
  std::string text =
      fmt::format("{}: {} in q, {} in v", printable(model.name), system.nq(), system.nv());
  if (!system.closures().empty())
    text += cut_open ? ", loops cut open" : fmt::format(", {} loops", system.closures().size());
  text += "\n" + draw_tree(system);
  if (!cut_open) {
    for (const Closure& closure : model.closures)
      if (closure.kind != Closure::Kind::shaft) text += describe(closure) + "\n";
    for (const Grasp& grasp : model.grasps) text += describe(grasp) + "\n";
  }
  text.pop_back();
  return text;
}

std::string printable(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f)
      out += fmt::format("\\x{:02x}", code);
    else
      out += c;
  }
  return out;
}

}  // namespace linkwright
