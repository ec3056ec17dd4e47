// A chain whose elastic joints stand still is the rigid link: mass matrix, inverse dynamics, places of frames.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "support/beams.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// world -base (free)- hull -shoulder- boom -wrist- hand, with loads, springs and frames on the boom. The
/// shoulder holds the boom at `held`.
Model arm(const FlexibleLink& link, const Vector3& held) {
  Model model;
  model.bodies = {
      {.name = "hull", .mass = 30, .com = {0.1, 0, 0.2}, .inertia = {3, 4, 5, 0.1, 0.2, 0.3}},
      {.name = "boom"},
      {.name = "hand", .mass = 2, .com = {0.1, 0.05, 0}, .inertia = {0.1, 0.2, 0.15}}};
  model.joints = {{.name = "base", .type = JointType::free, .parent = "world", .child = "hull"},
                  {.name = "shoulder",
                   .type = JointType::revolute,
                   .parent = "hull",
                   .child = "boom",
                   .pose = {spatial::from_rpy(Vector3{0.3, 0.5, -0.2}), {0.5, 0.1, 0.2}},
                   .at_child = {spatial::from_rpy(Vector3{0.1, -0.4, 0.6}), held},
                   .axis = {0, 0.6, 0.8}},
                  {.name = "wrist",
                   .type = JointType::universal,
                   .parent = "boom",
                   .child = "hand",
                   .pose = {.translation = link.from + link.along}}};
  model.frames = {
      {.name = "middle", .body = "boom", .pose = {.translation = link.from + 0.5 * link.along}},
      {.name = "tip", .body = "boom", .pose = {.translation = link.from + link.along}}};
  model.line_springs = {{.name = "rope",
                         .body_a = "hull",
                         .body_b = "boom",
                         .at_a = {0, 0, 1},
                         .at_b = link.from + 0.7 * link.along,
                         .stiffness = 20,
                         .rest_length = 0.5}};
  model.body_loads = {
      {.body = "boom", .force = {{0.2, 0.3, 0.1}, {1, 2, 3}}, .at = link.from + 0.9 * link.along},
      {.body = "boom", .force = {{}, {3, 1, 2}}, .at = link.from, .in_world = false}};
  return model;
}

/// The beam as a rigid body.
void stiffen(Model& model, const FlexibleLink& link) {
  const Beam beam = beam_of(link);
  Body& boom = model.bodies[1];
  boom.mass = beam.mass_per_length * beam.length;
  boom.com = link.from + 0.5 * link.along;
  const double across = boom.mass * beam.length * beam.length / 12;
  const Vector3 slice = beam.length * beam.inertia_per_length;
  boom.inertia = congruence(
      beam.axes, Symmetric3{.xx = slice.x, .yy = slice.y + across, .zz = slice.z + across});
}

struct Answers {
  MatrixXd mass;
  VectorXd tau;
  Pose middle, tip;
};

Answers answers_of(const System& system, int joints) {
  Workspace work(system);
  State state = initial_state(system);
  VectorXd a = VectorXd::Zero(system.nv());
  srand(3);
  state.q.segment<4>(0) = Eigen::Vector4d(0.9, 0.1, -0.3, 0.2).normalized();
  state.q.segment<6>(4) << 0.1, -0.2, 0.3, 0.7, -0.4, 0.9;
  state.v.head(joints).setRandom(), a.head(joints).setRandom();
  Answers all{MatrixXd(system.nv(), system.nv()), VectorXd(system.nv()), {}, {}};
  compute_mass_matrix(work, state.q, all.mass);
  compute_inverse_dynamics(work, state, a, {}, all.tau);
  compute_forward_kinematics(work, state, a);
  all.middle = frame_pose(work, system.frame("middle"));
  all.tip = frame_pose(work, system.frame("tip"));
  return all;
}

TEST(FlexibleLinks, that_do_not_bend_are_rigid) {
  for (const Vector3& from : {Vector3{}, {0.2, 0.1, -0.1}, {-0.9, 0, 0.3}})
    for (const double held : {0.0, 0.4, 1.0}) {
      FlexibleLink link = strip(5);
      link.from = from, link.along = {1.2, 0.8, -0.5}, link.axial = true;
      Model rigid = arm(link, link.from + held * link.along);
      const System chain = compile(to_elastic_chains(rigid, {link}));
      stiffen(rigid, link);
      const Answers one = answers_of(compile(rigid), 9), other = answers_of(chain, 9);
      const double scale = one.mass.norm();
      EXPECT_LT((one.mass - other.mass.topLeftCorner(9, 9)).norm(), 1e-14 * scale);
      EXPECT_LT((one.tau - other.tau.head(9)).norm(), 1e-13 * one.tau.norm());
      EXPECT_LT(norm(one.middle.translation - other.middle.translation), 1e-14);
      EXPECT_LT(norm(one.tip.translation - other.tip.translation), 1e-14);
      EXPECT_LT(norm(one.tip.rotation.column_x() - other.tip.rotation.column_x()), 1e-14);
    }
}

}  // namespace
}  // namespace linkwright::testing
