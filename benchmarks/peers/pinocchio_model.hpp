#pragma once
/// Pinocchio's model of the neutral description and its order of numbers; shared by its shims.

#if __has_include(<pinocchio/multibody.hpp>)
#include <pinocchio/multibody.hpp>
#else
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>
#endif
#include <string>
#include <vector>

#include "layout.hpp"

namespace peers {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using RowMatrix3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

inline pinocchio::Inertia inertia_of(const PeerBody& b) {
  Matrix3d about_com;
  about_com << b.inertia[0], b.inertia[3], b.inertia[4], b.inertia[3], b.inertia[1], b.inertia[5],
      b.inertia[4], b.inertia[5], b.inertia[2];
  return {b.mass, Vector3d(b.com[0], b.com[1], b.com[2]), about_com};
}

/// The joint specialised for its axis where Pinocchio has one: that is how a model file loads too.
template <class X, class Y, class Z, class General>
pinocchio::JointModel along(const Vector3d& axis) {
  if (axis == Vector3d::UnitX()) return X();
  if (axis == Vector3d::UnitY()) return Y();
  if (axis == Vector3d::UnitZ()) return Z();
  return General(axis);
}

inline pinocchio::JointModel joint_of(const PeerBody& b) {
  using namespace pinocchio;
  const Vector3d axis(b.axis[0], b.axis[1], b.axis[2]);
  switch (b.joint) {
    case PEER_REVOLUTE:
      return along<JointModelRX, JointModelRY, JointModelRZ, JointModelRevoluteUnaligned>(axis);
    case PEER_PRISMATIC:
      return along<JointModelPX, JointModelPY, JointModelPZ, JointModelPrismaticUnaligned>(axis);
    case PEER_UNIVERSAL:
      return JointModelUniversal(axis, Vector3d(b.axis2[0], b.axis2[1], b.axis2[2]));
    default:
      return JointModelFreeFlyer();
  }
}

struct PinocchioTree {
  std::vector<PeerBody> bodies;
  Layout layout;
  pinocchio::Model model;
  std::vector<pinocchio::JointIndex> joint_of;  // per body
  std::vector<pinocchio::SE3> in_joint;         // per body: its frame on that joint

  PinocchioTree(const PeerBody* given, int count)
      : bodies(given, given + count),
        layout(given, count),
        joint_of(static_cast<std::size_t>(count)),
        in_joint(static_cast<std::size_t>(count)) {
    // addJoint demands this order; in any other the mass matrix comes out wrong without a word.
    for (const int k : depth_first(given, count)) {
      const PeerBody& b = bodies[static_cast<std::size_t>(k)];
      const auto at = static_cast<std::size_t>(k);
      const auto up = static_cast<std::size_t>(b.parent);
      pinocchio::SE3 placement(Eigen::Map<const RowMatrix3d>(b.R),
                               Vector3d(b.p[0], b.p[1], b.p[2]));
      if (b.parent >= 0) placement = in_joint[up] * placement;
      const pinocchio::JointIndex parent = b.parent < 0 ? 0 : joint_of[up];
      if (b.joint == PEER_FIXED) {
        joint_of[at] = parent;
        in_joint[at] = placement;
      } else {
        joint_of[at] = model.addJoint(parent, peers::joint_of(b), placement, b.name);
        in_joint[at].setIdentity();
      }
      model.appendBodyToJoint(joint_of[at], inertia_of(b), in_joint[at]);
    }
    model.gravity.linear() = Vector3d(0, 0, -9.81);
  }

  /// Calls visit(native index, common index) for every freedom; free joints swap their halves.
  template <class Visit>
  void each_freedom(Visit visit) const {
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const int n = freedoms_of(bodies[k].joint);
      if (n == 0) continue;
      const int native = model.joints[joint_of[k]].idx_v();
      for (int i = 0; i < n; ++i) visit(native + (n == 6 ? (i + 3) % 6 : i), layout.v_at[k] + i);
    }
  }

  [[nodiscard]] VectorXd native_position(const double* q) const {
    VectorXd native(layout.nq);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const int n = positions_of(bodies[k].joint);
      if (n == 0) continue;
      const double* from = q + layout.q_at[k];
      const int to = model.joints[joint_of[k]].idx_q();
      if (n == 7)
        native.segment<7>(to) << from[4], from[5], from[6], from[1], from[2], from[3], from[0];
      else
        native.segment(to, n) = VectorXd::Map(from, n);
    }
    return native;
  }

  [[nodiscard]] VectorXd native_freedoms(const double* x) const {
    VectorXd native(layout.nv);
    each_freedom([&](int at, int common) { native[at] = x[common]; });
    return native;
  }
};

inline const char* compiler_name() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace peers
