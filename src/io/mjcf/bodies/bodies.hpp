#pragma once
/// The parts of a body: its joints, its inertia and its geoms.

#include <optional>
#include <vector>

#include "io/mjcf/scene.hpp"
#include "linkwright/spatial/inertia.hpp"

namespace linkwright::mjcf {

/// An element below a body, with what the <frame> elements around it add.
struct Part {
  XmlElement element;
  Pose frame{};              ///< of those <frame>, in the body's frame
  std::string childclass{};  ///< for elements without a class of their own
};

/// The body that is being read.
struct BodyPlace {
  std::string name{};
  Pose in_parent{};  ///< as the file draws it
  std::string parent{};
  Pose in_world{};  ///< as the file draws it
  Source source{};
};

/// Adds the joints from the parent to the body, with a massless link between two of them each.
void add_joints(Scene& scene, const std::vector<Part>& joints, const BodyPlace& place);

/// The inertia of a shape about the origin of its own frame, for density or for mass.
using SolidInertia = spatial::Inertia<double>;

struct Geom {
  enum class Type { plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf };
  Type type = Type::sphere;
  Pose pose{};                 ///< in the body
  std::vector<double> size{};  ///< halves of edges and lengths, radii
  const MeshAsset* mesh = nullptr;
  int group = 0;
  bool touches = true;  ///< whether it can meet others
  bool is_shell = false;
  double density = 1000;
  std::optional<double> mass{};
};

/// Throws for a shape that cannot be read.
Geom read_geom(const Scene& scene, const Part& part);
/// What the body has of it, about the body's origin; none of a plane or a height field.
SolidInertia compute_inertia(const Scene& scene, const Geom& geom, const XmlElement& element);
/// Shapes to see and to touch with.
void add_shapes(Scene& scene, const Geom& geom, const Part& part, const std::string& body);

/// Of a closed surface or, where `mesh` says so, of its skin; for density 1.
SolidInertia compute_mesh_inertia(const MeshAsset& mesh,
                                  const std::vector<std::array<Vector3, 3>>& triangles,
                                  const XmlElement& element);

/// Mass, centre of mass and inertia of <inertial> or of the geoms, within the compiler's bounds.
void set_inertia(Scene& scene, Body& body, const std::optional<Part>& inertial,
                 const std::vector<Part>& geoms);

}  // namespace linkwright::mjcf
