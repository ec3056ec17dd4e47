#include "linkwright/io/vocabulary.hpp"

namespace linkwright {

std::span<const ElementWords> sdf_vocabulary() {
  static const std::vector<ElementWords> elements{
      {"sdf", {"version"}, {"model", "world"}},
      {"world", {"name"}, {"gravity", "model", "include", "frame", "joint"}},
      {"model",
       {"name", "canonical_link", "placement_frame"},
       {"pose", "static", "link", "joint", "frame", "model", "include"}},
      {"include",
       {"merge", "placement_frame"},
       {"uri", "name", "pose", "static", "placement_frame"}},
      {"pose", {"relative_to", "frame", "degrees", "rotation_format"}, {}},
      {"frame", {"name", "attached_to"}, {"pose"}},
      {"link", {"name"}, {"pose", "inertial", "gravity", "visual", "collision"}},
      {"inertial", {"auto"}, {"pose", "mass", "inertia"}},
      {"inertia", {}, {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}},
      {"visual", {"name"}, {"pose", "geometry", "material"}},
      {"collision", {"name"}, {"pose", "geometry"}},
      {"geometry", {}, {"box", "cylinder", "capsule", "sphere", "mesh"}},
      {"box", {}, {"size"}},
      {"cylinder", {}, {"radius", "length"}},
      {"capsule", {}, {"radius", "length"}},
      {"sphere", {}, {"radius"}},
      {"mesh", {}, {"uri", "scale"}},
      {"material", {}, {"diffuse", "ambient"}},
      {"joint",
       {"name", "type"},
       {"pose", "parent", "child", "axis", "axis2", "gearbox_ratio", "gearbox_reference_body",
        "thread_pitch", "screw_thread_pitch"}},
      {"axis", {}, {"xyz", "use_parent_model_frame", "limit", "dynamics", "mimic"}},
      {"axis2", {}, {"xyz", "use_parent_model_frame", "limit", "dynamics", "mimic"}},
      {"xyz", {"expressed_in"}, {}},
      {"limit", {}, {"lower", "upper", "effort", "velocity", "stiffness", "dissipation"}},
      {"dynamics", {}, {"damping", "friction", "spring_reference", "spring_stiffness"}},
      {"mimic", {"joint", "axis"}, {"multiplier", "offset", "reference"}},
  };
  return elements;
}

}  // namespace linkwright
