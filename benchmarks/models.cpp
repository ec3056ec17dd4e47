#include "models.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numbers>
#include <stdexcept>

#include "linkwright/io/read_model.hpp"
#include "random.hpp"

namespace bench {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// A solid that could exist: positive mass, principal moments that obey the triangle inequality.
void give_inertia(PeerBody& b, Random& random) {
  b.mass = random.uniform(0.5, 3.0);
  Vector3d::Map(b.com) = random.vector(0.1);
  const double x = random.uniform(0.002, 0.02), y = random.uniform(0.002, 0.02),
               z = random.uniform(0.002, 0.02);
  const Matrix3d R = random.rotation().toRotationMatrix();
  const Matrix3d inertia = b.mass * R * Vector3d(y + z, x + z, x + y).asDiagonal() * R.transpose();
  const double six[] = {inertia(0, 0), inertia(1, 1), inertia(2, 2),
                        inertia(0, 1), inertia(0, 2), inertia(1, 2)};
  std::copy(std::begin(six), std::end(six), b.inertia);
}

void add(BenchModel& model, int parent, PeerJoint joint, const Matrix3d& R, const Vector3d& p,
         const Vector3d& axis, Random& random) {
  PeerBody b{};
  b.parent = parent;
  b.joint = joint;
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor>::Map(b.R) = R;
  Vector3d::Map(b.p) = p;
  Vector3d::Map(b.axis) = axis;
  give_inertia(b, random);
  b.name = model.body_names.emplace_back("body" + std::to_string(model.bodies.size())).c_str();
  model.bodies.push_back(b);
}

int joint_of(linkwright::JointType type) {
  switch (type) {
    case linkwright::JointType::revolute:
    case linkwright::JointType::continuous:
      return PEER_REVOLUTE;
    case linkwright::JointType::prismatic:
      return PEER_PRISMATIC;
    case linkwright::JointType::free:
      return PEER_FREE;
    case linkwright::JointType::fixed:
      return PEER_FIXED;
    case linkwright::JointType::universal:
      return PEER_UNIVERSAL;
    default:
      throw std::runtime_error("the peers have no joint of this type");
  }
}

}  // namespace

PeerBody to_peer_body(const linkwright::Body& body, const linkwright::Joint& joint) {
  PeerBody b{};
  b.joint = joint_of(joint.type);
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor>::Map(b.R) =
      linkwright::to_eigen(joint.pose.rotation);
  Vector3d::Map(b.p) = linkwright::to_eigen(joint.pose.translation);
  Vector3d::Map(b.axis) = linkwright::to_eigen(joint.axis);
  Vector3d::Map(b.axis2) = linkwright::to_eigen(joint.axis2);
  b.mass = body.mass;
  Vector3d::Map(b.com) = linkwright::to_eigen(body.com);
  const double six[] = {body.inertia.xx, body.inertia.yy, body.inertia.zz,
                        body.inertia.xy, body.inertia.xz, body.inertia.yz};
  std::copy(std::begin(six), std::end(six), b.inertia);
  return b;
}

BenchModel arm(int joints) {
  BenchModel model("arm" + std::to_string(joints));
  Random random;
  for (int k = 0; k < joints; ++k) {
    const double turn = k == 0 ? 0 : (k % 2 == 1 ? -0.5 : 0.5) * std::numbers::pi;
    const Matrix3d R = Eigen::AngleAxisd(turn, Vector3d::UnitX()).toRotationMatrix();
    add(model, k - 1, PEER_REVOLUTE, R, {0, 0.02 * (k % 2), 0.2}, Vector3d::UnitZ(), random);
  }
  return model;
}

BenchModel chain(int joints) {
  BenchModel model("chain" + std::to_string(joints));
  Random random;
  for (int k = 0; k < joints; ++k) {
    add(model, k - 1, PEER_REVOLUTE, random.rotation().toRotationMatrix(), {0.1, 0, 0.1},
        Vector3d::Unit(random.below(3)), random);
  }
  return model;
}

BenchModel random_tree(int joints, Base base) {
  const bool free = base == Base::free;
  BenchModel model((free ? "free_tree" : "tree") + std::to_string(joints));
  Random random;
  if (free) {
    add(model, -1, PEER_FREE, Matrix3d::Identity(), Vector3d::Zero(), Vector3d::Zero(), random);
  }
  for (int k = 0; k < joints; ++k) {
    const int present = static_cast<int>(model.bodies.size());
    // Mostly limbs, some branches: one of the four youngest carries the next body.
    const int parent = present == 0 ? -1 : present - 1 - random.below(std::min(present, 4));
    add(model, parent, PEER_REVOLUTE, random.rotation().toRotationMatrix(), random.vector(0.3),
        Vector3d::Unit(random.below(3)), random);
  }
  return model;
}

std::optional<BenchModel> from_file(const std::string& name, const std::string& path, Base base) {
  if (!std::filesystem::exists(path)) {
    std::printf("skipped: %s, there is no %s\n", name.c_str(), path.c_str());
    return std::nullopt;
  }
  const linkwright::Model file = linkwright::read_model(
      path, {.base = base == Base::free ? linkwright::Base::free : linkwright::Base::fixed});
  BenchModel model(name);
  std::map<std::string, int> index{{"world", -1}};
  std::map<std::string, const linkwright::Body*> bodies;
  for (const auto& body : file.bodies) bodies[body.name] = &body;
  // Parents first, whatever the order of the file.
  for (std::size_t placed = 0; placed < file.joints.size();) {
    for (const auto& joint : file.joints) {
      if (index.count(joint.child) != 0 || index.count(joint.parent) == 0) continue;
      const linkwright::Body& body = *bodies.at(joint.child);
      PeerBody b = to_peer_body(body, joint);
      b.parent = index.at(joint.parent);
      b.name = model.body_names.emplace_back(body.name).c_str();
      index[joint.child] = static_cast<int>(model.bodies.size());
      model.bodies.push_back(b);
      ++placed;
    }
  }
  return model;
}

States random_states(const peers::Layout& layout, const BenchModel& model, int count) {
  Random random;
  States s{count, {}, {}, {}, {}};
  for (int i = 0; i < count; ++i) {
    for (const auto& b : model.bodies) {
      if (b.joint == PEER_FREE) {
        const Quaterniond r = random.rotation();
        const Vector3d p = random.vector(1);
        s.q.insert(s.q.end(), {r.w(), r.x(), r.y(), r.z(), p.x(), p.y(), p.z()});
      } else if (b.joint != PEER_FIXED) {
        s.q.push_back(random.uniform(-3, 3));
      }
    }
    for (int j = 0; j < layout.nv; ++j) {
      s.v.push_back(random.uniform(-1, 1));
      s.a.push_back(random.uniform(-1, 1));
      s.tau.push_back(random.uniform(-1, 1));
    }
  }
  return s;
}

}  // namespace bench
