#pragma once
/// The readers of SDF's elements: each turns one kind of element into what the Model keeps of it.

#include <map>
#include <string>
#include <vector>

#include "io/sdf/gather.hpp"
#include "io/sdf/told.hpp"
#include "linkwright/model/model.hpp"
#include "model/problems.hpp"

namespace linkwright::sdf {

/// Mass, shapes and gravity of a link; its body's frame is the link's.
void read_link(const Item& item, Model& model, Told& told, Problems& problems);

/// Where links stand in the world, by their full names.
using Poses = std::map<std::string, Pose>;

/// A joint between bodies, or a gearbox, which waits for the joints that it couples.
struct Gearbox {
  std::string name{}, parent{}, child{}, reference{};  ///< bodies
  double ratio = 1;
  Vector3 axis{}, axis2{};  ///< in the world
  Source source{};
};
struct JointReading {
  Model& model;
  Told& told;
  Problems& problems;
  std::vector<Gearbox> gearboxes{};
};
void read_joint(const Item& item, JointReading& reading);
/// The closures of kind gear that gearboxes amount to, when all joints are read.
void add_gearboxes(const std::vector<Gearbox>& gearboxes, const Poses& poses, Model& model,
                   Problems& problems);

/// Joints of one freedom or two have <axis> and <axis2>.
struct Axis {
  Vector3 direction{0, 0, 1};  ///< in the joint frame
  Limits limits{};
  double damping = 0, friction = 0, stiffness = 0, reference = 0;
  bool has_motor = true;  ///< an effort limit of 0 leaves none
  std::optional<XmlElement> mimic{};
};
Axis read_axis(const XmlElement& element, const Item& item, const Pose& joint_in_scope,
               JointReading& reading);

/// Welds static links to the world, turns joints round whose parent is farther from the world than their child, and
/// attaches what floats as `base` says.
void attach_roots(const Gathered& gathered, const Poses& poses, Base base, Model& model,
                  Told& told);
/// The same joint seen from its child: what was the parent moves, and the numbers of q keep their meaning where
/// they are no quaternion.
Joint turned_round(const Joint& joint);

/// A whole SDF file without validation, for readers that go on building.
Model build(std::string_view text, const std::string& name_for_messages,
            const std::filesystem::path& folder, const ReadOptions& options, Problems& problems);

}  // namespace linkwright::sdf
