#include "viewer/drawn_shapes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "system/canonical.hpp"
#include "viewer/colours.hpp"
#include "viewer/directions.hpp"

namespace linkwright::viewer {
namespace {

using Kind = Visual::Shape;

/// A pose whose z axis lies along `direction`.
Pose along(const Vector3& direction, const Vector3& centre) {
  return {canonical::rotation_to(unit(direction)), centre};
}

Shape rod(const Vector3& from, const Vector3& to, double radius, const Colour& colour) {
  const Vector3 d = to - from;
  return {Kind::capsule, {radius, norm(d), 0}, along(d, 0.5 * (from + to)), colour, "layout"};
}

Shape ball(const Vector3& centre, double radius, const Colour& colour) {
  return {Kind::sphere, {radius, 0, 0}, {Matrix3::identity(), centre}, colour, "layout"};
}

/// Edges of the uniform box with these principal moments; an impossible inertia gives flat ones.
Vector3 box_edges(double mass, const Eigen::Vector3d& moments) {
  const double sum = moments.sum();
  const auto edge = [&](int i) {
    return std::sqrt(std::max(0.0, 6 * (sum - 2 * moments[i]) / mass));
  };
  return {edge(0), edge(1), edge(2)};
}

/// Radius of the uniform ball with this inertia, if everything that holds the body touches that ball; 0: it is none.
double ball_radius(const Body& body, const std::vector<Vector3>& contacts) {
  const Symmetric3& I = body.inertia;
  const double mean = (I.xx + I.yy + I.zz) / 3;
  const double apart =
      std::max({std::abs(I.xx - mean), std::abs(I.yy - mean), std::abs(I.zz - mean), std::abs(I.xy),
                std::abs(I.xz), std::abs(I.yz)});
  if (apart > 0.01 * mean) return 0;
  const double radius = std::sqrt(2.5 * mean / body.mass);
  const bool all = std::all_of(contacts.begin(), contacts.end(), [&](const Vector3& p) {
    return std::abs(norm(p - body.com) - radius) < 0.02 * radius;
  });
  return all ? radius : 0;
}

class Draughtsman {
 public:
  Draughtsman(const Skeleton& skeleton, const Proportions& proportions,
              const std::vector<Colour>& colours, Drawing& drawing)
      : skeleton_(skeleton), size_(proportions), colours_(colours), drawing_(drawing) {
    is_shown_.resize(skeleton.bodies.size());
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
      draw_inertia(b);
      if (needs_rail(b)) draw_rail(b);
      if (has_own_[b] || is_shown_[skeleton_.bodies[b].group]) continue;
      draw_hub(b);
      draw_link(b);
    }
  }

 private:
  void add(std::size_t b, const Shape& shape) { drawing_.shapes[b].push_back(shape); }

  /// Rods from the world's origin to the joints that stand on the ground and to bearings that close
  /// loops there.
  void draw_ground() {
    if (is_shown_[0]) return;
    const auto draw_rod = [&](const Vector3& at) {
      if (is_long(norm(at))) add(0, rod({}, at, 0.8 * radius_of(norm(at)), ground_colour));
    };
    for (const Vector3& at : skeleton_.bodies[0].closures) draw_rod(at);
    for (const std::size_t child : skeleton_.bodies[0].children) {
      const Joint& joint = *skeleton_.bodies[child].joint;
      const bool stands = velocity_count(joint) < 3 && skeleton_.bodies[child].matters;
      if (stands) draw_rod(joint.pose.translation);
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

  [[nodiscard]] bool is_long(double length) const { return length > 0.5 * size_.rod; }

  /// A rod's radius follows its length, within what the whole mechanism makes readable, and leaves
  /// the joints at its ends apart.
  [[nodiscard]] double radius_of(double length) const {
    return std::min(std::clamp(0.08 * length, 0.6 * size_.rod, 1.4 * size_.rod), 0.25 * length);
  }

  /// As thick as shows it outside the rods that meet there, as thin as the next joint allows.
  [[nodiscard]] double hub_radius(const SkeletonBody& body) const {
    double thickest = 0, room = 20 * size_.rod;
    std::vector<Vector3> neighbours = rod_ends(body);
    neighbours.push_back(body.joint->pose.translation);
    for (const Vector3& at : neighbours) {
      if (!is_long(norm(at))) continue;
      thickest = std::max(thickest, radius_of(norm(at)));
      room = std::min(room, norm(at));
    }
    if (thickest == 0) thickest = size_.rod;
    return std::max(std::min(1.3 * thickest, 0.35 * room), 0.5 * size_.rod);
  }

  /// The joint itself, at the origin of the body that it carries.
  void draw_hub(std::size_t b) {
    const Joint& joint = *skeleton_.bodies[b].joint;
    const double r = hub_radius(skeleton_.bodies[b]);
    const Pose pose = along(joint.axis, {});
    switch (joint.type) {
      case JointType::fixed:
      case JointType::free:
        return;
      case JointType::revolute:
      case JointType::continuous:
      case JointType::helical:
        return add(b, {Kind::cylinder, {r, 2.4 * r, 0}, pose, hub_colour, "layout"});
      case JointType::prismatic:
      case JointType::cylindrical:
        return add(b, {Kind::box, {1.8 * r, 1.8 * r, 2.8 * r}, pose, hub_colour, "layout"});
      case JointType::planar:
        return add(b, {Kind::box, {2.8 * r, 2.8 * r, 0.7 * r}, pose, hub_colour, "layout"});
      case JointType::universal:
      case JointType::spherical:
      case JointType::custom:
        return add(b, {Kind::sphere, {1.1 * r, 0, 0}, {}, hub_colour, "layout"});
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

  /// Rods from the joint to all ends; a body that floats has no joint to begin at and begins at its
  /// centre of mass. One without ends is a rod with a ball at its centre of mass.
  void draw_link(std::size_t b) {
    const SkeletonBody& body = skeleton_.bodies[b];
    const bool floats = body.joint->type == JointType::free && body.has_mass();
    const Vector3 from = floats ? body.body->com : Vector3{};
    const std::size_t before = drawing_.shapes[b].size();
    double thickest = 0;
    const auto draw_rod = [&](const Vector3& end) {
      const double length = norm(end - from);
      if (!is_long(length)) return;
      add(b, rod(from, end, radius_of(length), colours_[b]));
      thickest = std::max(thickest, radius_of(length));
    };
    const std::vector<Vector3> ends = rod_ends(body);
    for (const Vector3& end : ends) draw_rod(end);
    if (thickest == 0 && body.has_mass()) {
      draw_rod(body.body->com);
      if (thickest > 0) add(b, ball(body.body->com, 1.7 * thickest, colours_[b]));
    }
    if (floats && ends.size() > 1 && has_extent(*body.body)) draw_trunk(b, ends);
    if (drawing_.shapes[b].size() == before && body.has_mass()) draw_without_extent(b);
  }

  /// The middle of a body that floats: the box of its inertia, where it does not reach past the joints
  /// by more than a body's thickness.
  void draw_trunk(std::size_t b, const std::vector<Vector3>& ends) {
    const Body& held = *skeleton_.bodies[b].body;
    if (const double radius = ball_radius(held, ends); radius > 0)
      return add(b, ball(held.com, radius, lighter(colours_[b], 0.25)));
    Shape box = inertia_box(*skeleton_.bodies[b].body);
    Vector3 room{};
    double farthest = 0;
    for (const Vector3& end : ends) {
      const Vector3 p = inverse(box.pose) * end;
      room = {std::max(room.x, std::abs(p.x)), std::max(room.y, std::abs(p.y)),
              std::max(room.z, std::abs(p.z))};
      farthest = std::max(farthest, norm(p));
    }
    const auto fit = [&](double edge, double half) {
      return std::min(edge, 2 * std::max(half, 0.4 * farthest));
    };
    box.size = {fit(box.size.x, room.x), fit(box.size.y, room.y), fit(box.size.z, room.z)};
    box.colour = lighter(colours_[b], 0.25);
    box.source = "layout";
    add(b, box);
  }

  /// Neither joints nor frames say how large the body is. One that floats has all the room for the
  /// box of its inertia; another has its hub, or is marked by a ball.
  void draw_without_extent(std::size_t b) {
    const SkeletonBody& body = skeleton_.bodies[b];
    const bool floats = body.joint->type == JointType::free && body.children.empty();
    if (floats && has_extent(*body.body)) {
      Shape shape = inertia_box(*body.body);
      shape.colour = lighter(colours_[b], 0.25);
      shape.source = "layout";
      return add(b, shape);
    }
    const bool has_hub =
        body.joint->type != JointType::free && body.joint->type != JointType::fixed;
    if (!has_hub) add(b, ball(body.body->com, 1.5 * size_.rod, colours_[b]));
  }

  static bool has_extent(const Body& body) {
    return body.mass > 0 && body.inertia.xx + body.inertia.yy + body.inertia.zz > 0;
  }

  /// The uniform box, along the principal axes, as large as the inertia says.
  [[nodiscard]] Shape inertia_box(const Body& body) const {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(
        to_eigen(spatial::to_full(body.inertia)));
    const Vector3 edges = box_edges(body.mass, axes.eigenvalues());
    const auto visible = [&](double edge) { return std::max(edge, 0.1 * size_.rod); };
    Eigen::Matrix3d R = axes.eigenvectors();
    if (R.determinant() < 0) R.col(2) = -R.col(2);
    const Matrix3 turned{R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1),
                         R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
    return {Kind::box,
            {visible(edges.x), visible(edges.y), visible(edges.z)},
            {turned, body.com},
            {},
            "inertia"};
  }

  /// For the layer of inertias: every body with mass, whatever else it shows.
  void draw_inertia(std::size_t b) {
    const SkeletonBody& body = skeleton_.bodies[b];
    if (!body.has_mass() || !has_extent(*body.body)) return;
    Shape shape = inertia_box(*body.body);
    shape.colour = lighter(colours_[b], 0.25);
    shape.colour[3] = 0.45;
    add(b, shape);
  }

  const Skeleton& skeleton_;
  const Proportions size_;
  const std::vector<Colour>& colours_;
  Drawing& drawing_;
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
