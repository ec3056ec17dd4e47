#include "viewer/drawn_shapes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "system/canonical.hpp"
#include "viewer/colours.hpp"

namespace linkwright::viewer {
namespace {

using Kind = Visual::Shape;

Vector3 unit(const Vector3& v) {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : Vector3{0, 0, 1};
}

/// A pose whose z axis lies along `direction`.
Pose along(const Vector3& direction, const Vector3& centre) {
  return {canonical::rotation_to(unit(direction)), centre};
}

Shape rod(const Vector3& from, const Vector3& to, double radius, const Colour& colour) {
  const Vector3 d = to - from;
  return {Kind::capsule, {radius, norm(d), 0}, along(d, 0.5 * (from + to)), colour, "layout"};
}

/// How far a point is from the straight line from the origin to `end`.
double distance_to_rod(const Vector3& point, const Vector3& end) {
  const double length2 = dot(end, end);
  const double s = length2 > 0 ? std::clamp(dot(point, end) / length2, 0.0, 1.0) : 0;
  return norm(point - s * end);
}

/// Edges of the uniform box with these principal moments; an impossible inertia gives flat ones.
Vector3 box_edges(double mass, const Eigen::Vector3d& moments) {
  const double sum = moments.sum();
  const auto edge = [&](int i) {
    return std::sqrt(std::max(0.0, 6 * (sum - 2 * moments[i]) / mass));
  };
  return {edge(0), edge(1), edge(2)};
}

class Draughtsman {
 public:
  Draughtsman(const Skeleton& skeleton, const Proportions& proportions,
              const std::vector<Colour>& colours, Drawing& drawing)
      : skeleton_(skeleton), size_(proportions), colours_(colours), drawing_(drawing) {
    is_shown_.resize(skeleton.bodies.size());
    for (const SkeletonBody& body : skeleton.bodies)
      if (body.has_mass()) heaviest_ = std::max(heaviest_, body.body->mass);
    for (std::size_t b = 0; b < skeleton.bodies.size(); ++b)
      if (!drawing.shapes[b].empty()) is_shown_[skeleton.bodies[b].group] = true;
    for (std::size_t b = 0; b < skeleton.bodies.size(); ++b) {
      has_own_.push_back(!drawing.shapes[b].empty());
      if (drawing.lost[b]) is_shown_[skeleton.bodies[b].group] = false;
    }
  }

  void draw_all() {
    draw_ground();
    for (const std::size_t b : skeleton_.order) {
      if (b == 0) continue;
      if (needs_rail(b)) draw_rail(b);
      if (has_own_[b] || is_shown_[skeleton_.bodies[b].group]) continue;
      draw_hub(b);
      draw_rods(b);
      draw_inertia(b);
    }
  }

 private:
  void add(std::size_t b, const Shape& shape) { drawing_.shapes[b].push_back(shape); }

  /// Rods from the world's origin to the joints that stand on the ground.
  void draw_ground() {
    if (is_shown_[0]) return;
    for (const std::size_t child : skeleton_.bodies[0].children) {
      const Joint& joint = *skeleton_.bodies[child].joint;
      const Vector3& at = joint.pose.translation;
      const bool stands = velocity_count(joint) < 3 && skeleton_.bodies[child].matters;
      if (stands && norm(at) > size_.rod) add(0, rod({}, at, 0.8 * size_.rod, ground_colour));
    }
  }

  [[nodiscard]] bool needs_rail(std::size_t b) const {
    const SkeletonBody& body = skeleton_.bodies[b];
    const JointType type = body.joint->type;
    return (type == JointType::prismatic || type == JointType::cylindrical) &&
           !is_shown_[skeleton_.bodies[body.parent].group];
  }

  /// What a sliding joint slides on, as long as its limits.
  void draw_rail(std::size_t b) {
    const SkeletonBody& body = skeleton_.bodies[b];
    const Joint& joint = *body.joint;
    const Limits limits =
        per_freedom(joint.limits, velocity_count(joint) - 1, Limits{});  // the sliding one is last
    const double least = std::isfinite(limits.lower) ? limits.lower : -6 * size_.rod;
    const double most = std::isfinite(limits.upper) ? limits.upper : 12 * size_.rod;
    const double low = std::clamp(least, -size_.reach, size_.reach);
    const double high = std::clamp(most, -size_.reach, size_.reach);
    if (high - low < size_.rod) return;
    const Vector3 n = joint.pose.rotation * unit(joint.axis);
    const Vector3& at = joint.pose.translation;
    add(body.parent, rod(at + low * n, at + high * n, 0.5 * size_.rod, hub_colour));
  }

  /// The joint itself, at the origin of the body that it carries.
  void draw_hub(std::size_t b) {
    const Joint& joint = *skeleton_.bodies[b].joint;
    const double r = size_.rod;
    const Pose pose = along(joint.axis, {});
    switch (joint.type) {
      case JointType::fixed:
      case JointType::free:
        return;
      case JointType::revolute:
      case JointType::continuous:
      case JointType::helical:
        return add(b, {Kind::cylinder, {1.5 * r, 3.2 * r, 0}, pose, hub_colour, "layout"});
      case JointType::prismatic:
      case JointType::cylindrical:
        return add(b, {Kind::box, {2.6 * r, 2.6 * r, 4 * r}, pose, hub_colour, "layout"});
      case JointType::planar:
        return add(b, {Kind::box, {4 * r, 4 * r, r}, pose, hub_colour, "layout"});
      case JointType::universal:
      case JointType::spherical:
      case JointType::custom:
        return add(b, {Kind::sphere, {1.7 * r, 0, 0}, {}, hub_colour, "layout"});
    }
  }

  /// Where rods of a body end: at what it carries and where loops close on it; at its farthest frame
  /// when there is neither.
  [[nodiscard]] std::vector<Vector3> rod_ends(const SkeletonBody& body) const {
    std::vector<Vector3> ends = body.closures, tips = body.frames;
    for (const std::size_t child : body.children) {
      const SkeletonBody& carried = skeleton_.bodies[child];
      const bool carries = carried.matters || velocity_count(*carried.joint) > 0;
      (carries ? ends : tips).push_back(carried.joint->pose.translation);
    }
    if (ends.empty() && !tips.empty())
      ends.push_back(
          *std::max_element(tips.begin(), tips.end(),
                            [](const Vector3& a, const Vector3& b) { return norm(a) < norm(b); }));
    return ends;
  }

  void draw_rods(std::size_t b) {
    const SkeletonBody& body = skeleton_.bodies[b];
    for (const Vector3& end : rod_ends(body))
      if (norm(end) > size_.rod) add(b, rod({}, end, size_.rod, colours_[b]));
  }

  /// How long the box of a body may be: inertias of made-up models can be far larger than the links.
  [[nodiscard]] double longest_edge(const SkeletonBody& body) const {
    const Vector3& com = body.body->com;
    double farthest = norm(com);
    for (const Vector3& end : rod_ends(body)) farthest = std::max(farthest, norm(end - com));
    return std::max(2.2 * farthest, std::min(0.2 * size_.reach, 12 * size_.rod));
  }

  /// The uniform box, along the principal axes, no longer than fits the body.
  [[nodiscard]] Shape inertia_box(const SkeletonBody& body) const {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(
        to_eigen(spatial::to_full(body.body->inertia)));
    const Vector3 edges = box_edges(body.body->mass, axes.eigenvalues());
    const double shrink = std::min(1.0, longest_edge(body) / std::max({edges.x, edges.y, edges.z}));
    const auto fit = [&](double edge) { return std::max(shrink * edge, 2.4 * size_.rod); };
    Eigen::Matrix3d R = axes.eigenvectors();
    if (R.determinant() < 0) R.col(2) = -R.col(2);
    const Matrix3 turned{R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1),
                         R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
    return {Kind::box,
            {fit(edges.x), fit(edges.y), fit(edges.z)},
            {turned, body.body->com},
            {},
            "inertia"};
  }

  /// A point mass, or next to no mass: files hang such inertias on mere frames, and they say nothing.
  [[nodiscard]] bool is_point(const Body& body) const {
    const Symmetric3& I = body.inertia;
    return I.xx + I.yy + I.zz <= 0 || body.mass < 1e-4 * heaviest_;
  }

  void draw_inertia(std::size_t b) {
    const SkeletonBody& body = skeleton_.bodies[b];
    if (!body.has_mass()) return;
    Shape shape{
        Kind::sphere, {2 * size_.rod, 0, 0}, {Matrix3::identity(), body.body->com}, {}, "inertia"};
    double opacity = 1;
    if (!is_point(*body.body)) {
      shape = inertia_box(body);
      if (!holds_rods(body, shape)) opacity = 0.45;  // or it would hide the joints
    }
    connect_com(b, 0.5 * std::max({shape.size.x, shape.size.y, shape.size.z}));
    shape.colour = lighter(colours_[b], 0.25);
    shape.colour[3] = opacity;
    add(b, shape);
  }

  /// Whether a box reaches from end to end of the body, so that it may stand for the whole of it.
  [[nodiscard]] bool holds_rods(const SkeletonBody& body, const Shape& box) const {
    std::vector<Vector3> points = rod_ends(body);
    points.emplace_back();
    return std::all_of(points.begin(), points.end(), [&](const Vector3& point) {
      const Vector3 p = inverse(box.pose) * point;
      const double slack = 3 * size_.rod;
      return std::abs(p.x) <= 0.5 * box.size.x + slack &&
             std::abs(p.y) <= 0.5 * box.size.y + slack && std::abs(p.z) <= 0.5 * box.size.z + slack;
    });
  }

  /// A rod to a box that would otherwise float beside the body.
  void connect_com(std::size_t b, double half) {
    const SkeletonBody& body = skeleton_.bodies[b];
    const Vector3& com = body.body->com;
    double nearest = norm(com);
    for (const Vector3& end : rod_ends(body))
      nearest = std::min(nearest, distance_to_rod(com, end));
    const bool is_bare = rod_ends(body).empty() && norm(com) > size_.rod;
    if (is_bare || nearest > half) add(b, rod({}, com, size_.rod, colours_[b]));
  }

  const Skeleton& skeleton_;
  const Proportions size_;
  const std::vector<Colour>& colours_;
  Drawing& drawing_;
  double heaviest_ = 0;
  std::vector<bool> has_own_;   // per body: the file gives shapes
  std::vector<bool> is_shown_;  // per group: it does so for some, and all of them are there
};

}  // namespace

Proportions choose_proportions(const Skeleton& skeleton, double reach) {
  std::vector<double> lengths;
  for (const SkeletonBody& body : skeleton.bodies) {
    if (body.joint == nullptr || !body.matters) continue;
    const double carried = norm(body.joint->pose.translation), own = norm(body.body->com);
    for (const double length : {carried, body.children.empty() ? own : 0.0})
      if (length > 1e-6 * reach) lengths.push_back(length);
  }
  double typical = 0.2 * reach;
  if (!lengths.empty()) {
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    typical = *middle;
  }
  return {reach, std::clamp(0.1 * typical, 0.005 * reach, 0.02 * reach)};
}

void add_drawn_shapes(const Skeleton& skeleton, const Proportions& proportions,
                      const std::vector<Colour>& colours, Drawing& drawing) {
  Draughtsman(skeleton, proportions, colours, drawing).draw_all();
}

}  // namespace linkwright::viewer
