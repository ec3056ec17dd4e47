#include "linkwright/io/vocabulary.hpp"

namespace linkwright {

std::span<const ElementWords> urdf_vocabulary() {
  static const std::vector<ElementWords> elements{
      {"robot", {"name", "version"}, {"material", "link", "joint"}},
      {"material", {"name"}, {"color"}},
      {"color", {"rgba"}, {}},
      {"link", {"name"}, {"inertial", "visual", "collision"}},
      {"inertial", {}, {"origin", "mass", "inertia"}},
      {"mass", {"value"}, {}},
      {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}},
      {"origin", {"xyz", "rpy", "quat_xyzw"}, {}},
      {"visual", {"name"}, {"origin", "geometry", "material"}},
      {"collision", {"name"}, {"origin", "geometry"}},
      {"geometry", {}, {"box", "cylinder", "capsule", "sphere", "mesh"}},
      {"box", {"size"}, {}},
      {"cylinder", {"radius", "length"}, {}},
      {"capsule", {"radius", "length"}, {}},
      {"sphere", {"radius"}, {}},
      {"mesh", {"filename", "scale"}, {}},
      {"joint",
       {"name", "type"},
       {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"}},
      {"parent", {"link"}, {}},
      {"child", {"link"}, {}},
      {"axis", {"xyz"}, {}},
      {"limit", {"lower", "upper", "velocity", "effort"}, {}},
      {"dynamics", {"damping", "friction"}, {}},
      {"mimic", {"joint", "multiplier", "offset"}, {}},
  };
  return elements;
}

}  // namespace linkwright
