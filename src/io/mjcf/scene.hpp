#pragma once
/// What the readers of MJCF's sections share: the files, what has been read, and the model that grows.

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "io/mjcf/bodies/assets.hpp"
#include "io/mjcf/document/classes.hpp"

namespace linkwright::mjcf {

/// A joint as other sections refer to it.
struct JointInfo {
  std::size_t index = 0;  ///< in Model::joints
  double ref = 0;         ///< its position in the configuration that the file draws
  double springref = 0;   ///< where its spring is at rest
  bool is_scalar = true;
  double time_constant = 0, damping_ratio = 0;  ///< of `springdamper`; 0: not given
};
struct SiteInfo {
  std::string body{};
  Pose pose{};
};
/// A tendon that adds up joints.
struct TendonInfo {
  std::vector<GearTerm> terms{};
  double reference_length = 0;  ///< in the configuration that the file draws
};

struct Scene {
  const Document& document;
  const Settings& settings;
  const Classes& classes;
  const Assets& assets;
  Told& told;
  Problems& problems;
  Model& model;

  std::map<std::string, Pose, std::less<>>
      bodies{};  ///< poses in the world, as the file draws them
  std::map<std::string, JointInfo, std::less<>> joints{};
  std::map<std::string, SiteInfo, std::less<>> sites{};
  std::map<std::string, TendonInfo, std::less<>> tendons{};
  /// Names that the file gives, and those that have been made up.
  std::unordered_set<std::string> body_names{}, joint_names{}, closure_names{};
  /// Bodies, joints, … that could not be read: what refers to them is no second mistake.
  std::unordered_set<std::string> unread{};
  bool has_lost_joints = false;  ///< so that nobody knows what the numbers of a keyframe belong to

  /// `wanted`, or with _1, _2 … behind it where that is taken.
  static std::string take_name(std::unordered_set<std::string>& taken, const std::string& wanted);
  /// The entry called by an attribute of `element`; throws for one that does not exist.
  template <class Map>
  const typename Map::mapped_type& find(const Map& map, const XmlElement& element,
                                        std::string_view attribute, std::string_view what) const {
    const std::string name = element.required_attribute(attribute);
    const auto found = map.find(name);
    if (found != map.end()) return found->second;
    if (unread.contains(name) || problems.is_unread(name)) throw Consequence{};
    std::vector<std::string> known;
    for (const auto& [other, unused] : map) known.push_back(other);
    refuse_reference(element, attribute, what, name, known);
  }

 private:
  [[noreturn]] static void refuse_reference(const XmlElement& element, std::string_view attribute,
                                            std::string_view what, const std::string& name,
                                            const std::vector<std::string>& known);
};

/// What a hinge or a slide does at that position.
Pose motion_of(const Joint& joint, double position);
/// Notes that a force of the file is not modelled as it stands: a mistake, or lenient, left out.
void refuse_force(Scene& scene, const Source& where, const std::string& message,
                  const std::string& meaning);
/// The linear coefficient of a force that may be a polynomial of three, which is refused.
double read_linear(Scene& scene, const Attributes& attributes, std::string_view name);

// The sections, in the order in which they are read.
void read_bodies(Scene& scene, const XmlElement& worldbody);
void apply_total_mass(Scene& scene);
void apply_spring_dampers(Scene& scene);
void read_tendons(Scene& scene, const XmlElement& section);
void read_equalities(Scene& scene, const XmlElement& section);
void read_actuators(Scene& scene, const std::vector<XmlElement>& sections);
void read_start(Scene& scene, const std::vector<XmlElement>& keys);

}  // namespace linkwright::mjcf
