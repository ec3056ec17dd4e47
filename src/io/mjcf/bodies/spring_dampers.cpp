// Stiffness and damping of joints that the file describes by a time constant and a damping ratio of the
// inertia that each feels, all others free, in the configuration that the file draws.

#include "io/mjcf/scene.hpp"
#include "linkwright/spatial/inertia.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::mjcf {
namespace {

using spatial::Inertia;

/// A freedom as it moves what it carries, about the world's origin.
struct Freedom {
  Motion motion{};
  std::size_t carried = 0;  ///< body that it moves
  double armature = 0;
};

/// The mechanism as the file draws it.
class DrawnMechanism {
 public:
  explicit DrawnMechanism(const Scene& scene) : scene_(scene), model_(scene.model) {
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) index_[model_.bodies[b].name] = b;
    poses_.resize(model_.bodies.size());
    parents_.assign(model_.bodies.size(), none);
    // Every body stands behind its parent, so its joint does too.
    for (const Joint& joint : model_.joints) place(joint);
  }

  /// Of the freedoms in the order of the joints.
  Eigen::MatrixXd compute_mass_matrix() const {
    const auto n = static_cast<Eigen::Index>(freedoms_.size());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
    std::vector<Inertia<double>> carried(model_.bodies.size());
    for (std::size_t b = model_.bodies.size(); b-- > 0;) {
      const Body& body = model_.bodies[b];
      carried[b] +=
          to_parent(poses_[b], spatial::inertia_from_com(body.mass, body.com, body.inertia));
      if (parents_[b] != none) carried[parents_[b]] += carried[b];
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const Freedom& outer = freedoms_[static_cast<std::size_t>(i)];
      const Force momentum = carried[outer.carried] * outer.motion;
      for (Eigen::Index j = 0; j <= i; ++j) {
        const Freedom& inner = freedoms_[static_cast<std::size_t>(j)];
        if (!carries(inner.carried, outer.carried)) continue;
        M(i, j) = M(j, i) =
            dot(inner.motion.angular, momentum.moment) + dot(inner.motion.linear, momentum.force);
      }
      M(i, i) += outer.armature;
    }
    return M;
  }

  [[nodiscard]] bool is_tree() const { return index_.size() == model_.bodies.size(); }
  /// Index of a joint's first freedom.
  [[nodiscard]] Eigen::Index freedom_of(std::size_t joint) const { return first_.at(joint); }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void place(const Joint& joint) {
    const std::size_t child = index_.at(joint.child);
    Pose parent;
    if (joint.parent != world_name) {
      parents_[child] = index_.at(joint.parent);
      parent = poses_[parents_[child]];
    }
    const auto info = scene_.joints.find(joint.name);
    const double q = info == scene_.joints.end() ? 0 : info->second.ref;
    Pose at = parent * joint.pose;
    if (joint.type == JointType::free) at = scene_.bodies.find(joint.child)->second;
    if (info != scene_.joints.end() && info->second.is_scalar) at = at * motion_of(joint, q);
    first_.push_back(static_cast<Eigen::Index>(freedoms_.size()));
    const double armature = joint.rotor_inertia.empty() ? 0 : joint.rotor_inertia.front();
    const auto add = [&](const Vector3& axis, bool turns) {
      const Vector3 w = at.rotation * axis;
      freedoms_.push_back(
          {turns ? Motion{w, cross(at.translation, w)} : Motion{{}, w}, child, armature});
    };
    const bool is_pose = joint.type == JointType::free || joint.type == JointType::spherical;
    if (!is_pose && velocity_count(joint) == 1) add(joint.axis, joint.type != JointType::prismatic);
    for (const Vector3& axis : {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}}) {
      if (is_pose) add(axis, true);
      if (joint.type == JointType::free) add(axis, false);
    }
    poses_[child] = at * inverse(joint.at_child);
  }

  [[nodiscard]] bool carries(std::size_t inner, std::size_t outer) const {
    while (outer != none && outer != inner) outer = parents_[outer];
    return outer == inner;
  }

  const Scene& scene_;
  const Model& model_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<Pose> poses_;           ///< in the world
  std::vector<std::size_t> parents_;  ///< none: the world
  std::vector<Freedom> freedoms_;
  std::vector<Eigen::Index> first_;
};

void set_spring(Scene& scene, const JointInfo& info, double inertia) {
  Joint& joint = scene.model.joints[info.index];
  const double t = info.time_constant, zeta = info.damping_ratio;
  const double stiffness = inertia / (t * t * zeta * zeta);
  std::erase_if(scene.model.joint_springs,
                [&](const JointSpring& spring) { return spring.joint == joint.name; });
  if (scene.settings.springs)
    scene.model.joint_springs.push_back({.joint = joint.name,
                                         .stiffness = stiffness,
                                         .rest = info.springref,
                                         .source = joint.source});
  if (scene.settings.damping) joint.damping = {2 * inertia / t};
}

}  // namespace

void apply_spring_dampers(Scene& scene) {
  bool any = false;
  for (const auto& [name, info] : scene.joints)
    any = any || (info.time_constant > 0 && info.is_scalar);
  if (!any || scene.problems.has_mistakes()) return;
  const DrawnMechanism drawn(scene);
  if (!drawn.is_tree()) return;  // names stand twice, which `validate` tells
  const Eigen::MatrixXd M = drawn.compute_mass_matrix();
  const Eigen::LDLT<Eigen::MatrixXd> factors(M);
  for (const auto& [name, info] : scene.joints) {
    if (!(info.time_constant > 0) || !info.is_scalar) continue;
    const Eigen::Index i = drawn.freedom_of(info.index);
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(M.rows(), i);
    set_spring(scene, info, 1 / factors.solve(unit)[i]);
  }
}

}  // namespace linkwright::mjcf
