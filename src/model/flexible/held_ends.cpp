#include "model/flexible/held_ends.hpp"

#include <fmt/format.h>

#include <map>

#include "linkwright/model/names.hpp"
#include "model/flexible/pieces.hpp"
#include "spatial/groups.hpp"

namespace linkwright {
namespace {

/// A rigid bond between two bodies; the places are in the bodies' frames.
struct Bond {
  std::string name, a, b;
  Vector3 at_a, at_b;
};

std::string body_of_arm(const Model& model, const std::string& arm, Vector3& place) {
  for (const Frame& frame : model.frames)
    if (frame.name == arm) {
      place = frame.pose.translation;
      return frame.body;
    }
  return arm;
}

std::vector<Bond> rigid_bonds(const Model& model) {
  std::vector<Bond> bonds;
  for (const Joint& joint : model.joints)
    if (velocity_count(joint) == 0)
      bonds.push_back({joint.name, joint.parent, joint.child, joint.pose.translation,
                       joint.at_child.translation});
  for (const Closure& closure : model.closures)
    if (closure.kind == Closure::Kind::joint && velocity_count(to_joint(closure)) == 0)
      bonds.push_back({closure.name, closure.body_a, closure.body_b, closure.at_a.translation,
                       closure.at_b.translation});
  for (const Grasp& grasp : model.grasps) {
    if (grasp.contact != Grasp::Contact::rigid) continue;
    Vector3 place{};
    const std::string arm = body_of_arm(model, grasp.arm, place);
    bonds.push_back({grasp.name, arm, grasp.object, place, grasp.at.translation});
  }
  return bonds;
}

}  // namespace

void check_held_ends(const FlexibleLink& link, const Beam& beam, const Model& model) {
  if (beam.moves(BeamMotion::stretch)) return;
  const std::vector<Bond> bonds = rigid_bonds(model);
  std::map<std::string, std::size_t> numbers{{std::string(world_name), 0}};
  for (const Body& body : model.bodies) numbers.emplace(body.name, numbers.size());
  Groups groups(numbers.size());
  const auto is_known = [&](const Bond& bond) {
    return numbers.contains(bond.a) && numbers.contains(bond.b);
  };
  for (const Bond& bond : bonds)
    if (is_known(bond) && bond.a != link.body && bond.b != link.body)
      groups.join(numbers[bond.a], numbers[bond.b]);
  const Pieces pieces(link, beam);
  std::map<std::size_t, std::pair<std::size_t, std::string>> held;  // by group: piece, bond
  for (const Bond& bond : bonds) {
    if (!is_known(bond) || (bond.a != link.body) == (bond.b != link.body)) continue;
    const bool is_a = bond.a == link.body;
    const std::size_t piece = pieces.at(is_a ? bond.at_a : bond.at_b);
    const std::size_t holder = groups.root(numbers[is_a ? bond.b : bond.a]);
    const auto [first, fresh] = held.emplace(holder, std::pair{piece, bond.name});
    if (fresh || first->second.first == piece) continue;
    throw Error(
        link.source,
        fmt::format("flexible link {}: {} and {} hold it rigidly at two places, and it "
                    "cannot bend between them without stretching; add `axial: true`",
                    in_quotes(link.body), in_quotes(first->second.second), in_quotes(bond.name)));
  }
}

}  // namespace linkwright
