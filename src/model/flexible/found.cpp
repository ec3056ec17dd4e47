// Flexible links read back from their chains.

#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "linkwright/model/flexible_links.hpp"

namespace linkwright {
namespace {

/// What one elastic joint says: "boom:bend1" belongs to "boom".
std::optional<std::pair<std::string, std::string>> split_name(const std::string& joint) {
  const std::size_t colon = joint.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  return std::pair{joint.substr(0, colon), joint.substr(colon + 1)};
}

/// Reads one chain: masses and centres of its pieces, joints and springs at its first place.
class ChainReader {
 public:
  ChainReader(const Model& model, const std::vector<bool>& of_beams, std::string link)
      : link_(std::move(link)), model_(model), of_beams_(of_beams), result_{.body = link_} {}

  FoundFlexibleLink run(int elements) {
    result_.beam.elements = elements;
    read_pieces();
    for (const Joint& joint : model_.joints) {
      if (!is_elastic(joint)) continue;
      const auto name = split_name(joint.name);
      if (name && name->first == link_) read_joint(joint, name->second);
    }
    return result_;
  }

 private:
  /// The frame of every piece but the link's own is where it begins, so its length is twice as far as its
  /// centre; all have the same mass per length.
  void read_pieces() {
    Beam& beam = result_.beam;
    double mass = 0;
    const Body* own = nullptr;
    const Body* other = nullptr;
    for (const Body& body : model_.bodies) {
      if (body.name == link_) own = &body, mass += body.mass;
      if (is_piece(body.name)) other = &body, mass += body.mass;
    }
    if (own == nullptr || other == nullptr) return;
    const double reach = norm(other->com), length = 2 * reach;
    beam.mass_per_length = other->mass / length;
    beam.length = mass / beam.mass_per_length;
    const Vector3 x = (1 / reach) * other->com;
    const Symmetric3& I = other->inertia;
    beam.inertia_per_length.x = dot(x, I * x) / length;
    x_ = x;
  }

  [[nodiscard]] bool is_piece(const std::string& body) const {
    const auto name = split_name(body);
    return name && name->first == link_ &&
           name->second.find_first_not_of("0123456789") == std::string::npos;
  }

  void read_joint(const Joint& joint, const std::string& kind) {
    if (kind == "twist1") read_spring(joint, 0, BeamMotion::twist);
    if (kind == "stretch1") read_spring(joint, 0, BeamMotion::stretch);
    if (kind != "bend1") return;
    if (joint.type == JointType::universal) {
      read_spring(joint, 0, BeamMotion::bend_y), read_spring(joint, 1, BeamMotion::bend_z);
      return;
    }
    const bool about_y = dot(cross(joint.axis, joint.axis2), x_) > 0;
    read_spring(joint, 0, about_y ? BeamMotion::bend_y : BeamMotion::bend_z);
  }

  void read_spring(const Joint& joint, int freedom, BeamMotion motion) {
    for (std::size_t i = 0; i < of_beams_.size(); ++i) {
      const JointSpring& spring = model_.joint_springs[i];
      if (!of_beams_[i] || spring.joint != joint.name || spring.freedom != freedom) continue;
      Beam& beam = result_.beam;
      beam.stiffness[static_cast<std::size_t>(motion)] =
          spring.stiffness * beam.length / beam.elements;
      const double first = clamped_frequencies(beam, motion, 1).front();
      result_.damping_ratio = spring.damping / spring.stiffness * first / 2;
    }
  }

  std::string link_;
  const Model& model_;
  const std::vector<bool>& of_beams_;
  FoundFlexibleLink result_;
  Vector3 x_{};
};

}  // namespace

// The springs of a beam stand where the link does in the file, and behind those that the file adds.
std::vector<bool> find_springs_of_beams(const Model& model) {
  std::unordered_map<std::string_view, const Joint*> elastic;
  for (const Joint& joint : model.joints)
    if (is_elastic(joint)) elastic.emplace(joint.name, &joint);
  std::vector<bool> found(model.joint_springs.size(), false);
  std::set<std::pair<std::string_view, int>> seen;
  for (std::size_t i = found.size(); i-- > 0;) {
    const JointSpring& spring = model.joint_springs[i];
    const auto joint = elastic.find(spring.joint);
    if (joint == elastic.end()) continue;
    const Source& link = joint->second->source;
    found[i] = spring.source.file == link.file && spring.source.line == link.line &&
               seen.emplace(spring.joint, spring.freedom).second;
  }
  return found;
}

std::vector<FoundFlexibleLink> find_flexible_links(const Model& model) {
  std::vector<std::pair<std::string, int>> links;  // with their number of elements
  for (const Joint& joint : model.joints) {
    if (!is_elastic(joint)) continue;
    const auto name = split_name(joint.name);
    if (!name || !name->second.starts_with("bend")) continue;
    if (links.empty() || links.back().first != name->first) links.emplace_back(name->first, 0);
    ++links.back().second;
  }
  const std::vector<bool> of_beams = find_springs_of_beams(model);
  std::vector<FoundFlexibleLink> found;
  for (const auto& [link, elements] : links)
    found.push_back(ChainReader(model, of_beams, link).run(elements));
  return found;
}

}  // namespace linkwright
