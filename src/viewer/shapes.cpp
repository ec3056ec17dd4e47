#include "viewer/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "viewer/colours.hpp"
#include "viewer/drawn_shapes.hpp"
#include "viewer/file_shapes.hpp"
#include "viewer/skeleton.hpp"

namespace linkwright::viewer {
namespace {

/// A box that grows around what it is shown.
class Bounds {
 public:
  void add(const Vector3& centre, double radius) {
    const Vector3 r{radius, radius, radius}, a = centre - r, b = centre + r;
    low_ = {std::min(low_.x, a.x), std::min(low_.y, a.y), std::min(low_.z, a.z)};
    high_ = {std::max(high_.x, b.x), std::max(high_.y, b.y), std::max(high_.z, b.z)};
    is_empty_ = false;
  }
  [[nodiscard]] double diagonal() const { return is_empty_ ? 0 : norm(high_ - low_); }
  [[nodiscard]] Vector3 centre() const { return is_empty_ ? Vector3{} : 0.5 * (low_ + high_); }

 private:
  static constexpr double far = std::numeric_limits<double>::infinity();
  Vector3 low_{far, far, far}, high_{-far, -far, -far};
  bool is_empty_ = true;
};

double radius_of(const Shape& shape) {
  switch (shape.type) {
    case Visual::Shape::box:
      return 0.5 * norm(shape.size);
    case Visual::Shape::cylinder:
      return std::hypot(shape.size.x, 0.5 * shape.size.y);
    case Visual::Shape::capsule:
      return shape.size.x + 0.5 * shape.size.y;
    default:
      return shape.size.x;
  }
}

void add_shape(const Shape& shape, const Pose& body, const std::vector<Bounds>& meshes,
               Bounds& bounds) {
  const Pose pose = body * shape.pose;
  if (shape.mesh < 0) return bounds.add(pose.translation, radius_of(shape));
  const Bounds& mesh = meshes[static_cast<std::size_t>(shape.mesh)];
  const Vector3 &s = shape.size, c = mesh.centre();
  const double scale = std::max({std::abs(s.x), std::abs(s.y), std::abs(s.z)});
  bounds.add(pose * Vector3{s.x * c.x, s.y * c.y, s.z * c.z}, 0.5 * scale * mesh.diagonal());
}

std::vector<Bounds> bounds_of(const std::vector<Mesh>& meshes) {
  std::vector<Bounds> all;
  for (const Mesh& mesh : meshes) {
    Bounds bounds;
    for (const auto& [x, y, z] : mesh.corners)
      bounds.add({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)}, 0);
    all.push_back(bounds);
  }
  return all;
}

/// How far the mass lies from the centre of mass.
double gyration_radius(const Body& body) {
  const Symmetric3& I = body.inertia;
  const double trace = I.xx + I.yy + I.zz;
  return body.mass > 0 && trace > 0 ? std::sqrt(0.5 * trace / body.mass) : 0;
}

/// Extent of joints, centres of mass, frames and of the shapes there are so far.
double extent(const Skeleton& skeleton, const Drawing& drawing) {
  const std::vector<Bounds> meshes = bounds_of(drawing.meshes);
  Bounds bounds;
  for (std::size_t b = 0; b < skeleton.bodies.size(); ++b) {
    const SkeletonBody& body = skeleton.bodies[b];
    for (const Shape& shape : drawing.shapes[b])
      if (shape.source != "inertia") add_shape(shape, body.pose, meshes, bounds);
    if (body.body == nullptr || !body.matters) continue;
    bounds.add(body.pose.translation, 0);
    if (body.has_mass()) bounds.add(body.pose * body.body->com, 0);
    for (const Vector3& frame : body.frames) bounds.add(body.pose * frame, 0);
  }
  return bounds.diagonal();
}

double largest_gyration_radius(const Model& model) {
  double largest = 0;
  for (const Body& body : model.bodies) largest = std::max(largest, gyration_radius(body));
  return largest;
}

}  // namespace

std::optional<std::size_t> find_body(const Model& model, std::string_view name) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].name == name) return b + 1;
  return name == world_name ? std::optional<std::size_t>(0) : std::nullopt;
}

Drawing draw(const System& system, const ConstVectorRef& q) {
  const Skeleton skeleton = make_skeleton(system, q);
  const std::vector<Colour> colours = choose_colours(skeleton);
  Drawing drawing;
  drawing.shapes.resize(skeleton.bodies.size());
  drawing.lost.resize(skeleton.bodies.size());
  add_file_shapes(system.model(), colours, drawing);
  double reach = extent(skeleton, drawing);
  if (reach < 1e-9) reach = 4 * largest_gyration_radius(system.model());
  if (reach < 1e-9) reach = 1;
  add_drawn_shapes(skeleton, choose_proportions(skeleton, reach), colours, drawing);
  drawing.size = std::max(extent(skeleton, drawing), 1e-9);
  if (drawing.shapes.size() == 1 || drawing.size <= 1e-9) drawing.size = reach;
  return drawing;
}

}  // namespace linkwright::viewer
