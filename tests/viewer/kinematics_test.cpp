// What the page draws must be where the library says it is: forward kinematics from the payload,
// written independently, against frame_pose.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/random_model.hpp"
#include "viewer/payload.hpp"

namespace linkwright::viewer_tests {
namespace {

/// Rounding of a chain of products, with a factor to spare: the deepest model has 40 bodies.
constexpr double tolerance = 1e-12;

double difference(const Eigen::Isometry3d& drawn, const Pose& pose) {
  const double turned = (drawn.rotation() - to_eigen(pose.rotation)).cwiseAbs().maxCoeff();
  return std::max(turned, (drawn.translation() - to_eigen(pose.translation)).norm());
}

void expect_same_poses(const System& system, std::uint64_t seed, const std::string& name) {
  const Json data = data_of(system);
  State state(system);
  compute_random(system, seed, state.q);
  Workspace work(system, Closures::leave_out);
  compute_forward_kinematics(work, state, Eigen::VectorXd::Zero(system.nv()));
  const auto poses = forward_kinematics(data, state.q);
  const double scale = 1 + state.q.lpNorm<Eigen::Infinity>() + data.at("size").get<double>();
  ASSERT_EQ(poses.size(), system.model().bodies.size() + 1) << name;
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const std::string body = data["bodies"][b]["name"];
    EXPECT_LT(difference(poses[b], frame_pose(work, system.frame(body))), tolerance * scale)
        << name << ", body " << body;
  }
  ASSERT_EQ(data["frames"].size(), system.model().frames.size()) << name;
  for (std::size_t f = 0; f < data["frames"].size(); ++f) {
    const Json& frame = data["frames"][f];
    const auto drawn = poses.at(frame["body"].get<std::size_t>()) * to_isometry(frame["pose"]);
    // A frame may have a body's name, so it is found by its place.
    const FrameId id{static_cast<int>(poses.size() + f)};
    EXPECT_LT(difference(drawn, frame_pose(work, id)), tolerance * scale)
        << name << ", frame " << frame["name"];
  }
}

TEST(page_kinematics, agrees_with_the_library_for_every_model) {
  const auto files = all_model_files();
  ASSERT_GE(files.size(), 7U);
  for (const auto& file : files)
    for (const std::uint64_t seed : {1U, 2U, 3U})
      expect_same_poses(compile(read_model(file)), seed, file.filename().string());
}

TEST(page_kinematics, agrees_with_the_library_on_a_moving_base) {
  for (const std::string name : {"arm7.urdf", "quadruped.urdf", "humanoid.urdf"})
    for (const Base base : {Base::free, Base::planar})
      expect_same_poses(
          compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + name, base)), 4, name);
}

TEST(page_kinematics, agrees_with_the_library_for_every_joint_type) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    testing::RandomModel random(seed);
    const Base base = seed % 3 == 0 ? Base::fixed : seed % 3 == 1 ? Base::free : Base::planar;
    expect_same_poses(compile(random.tree(14, base, testing::all_joint_types())), seed,
                      "random model " + std::to_string(seed));
  }
}

TEST(page_kinematics, knows_custom_joints_whose_modes_commute) {
  testing::RandomModel random(7);
  Model model;
  model.bodies = {random.body("a"), random.body("b")};
  model.joints = {random.joint("screw", JointType::custom, "world", "a"),
                  random.joint("pair", JointType::custom, "a", "b")};
  model.joints[0].modes = {{0, 0.6, 0.8, 0.1, 0.2, 0.3}};
  model.joints[1].modes = {{0, 0, 2, 0, 0, 0.1}, {0, 0, 0, 0, 0, 3}};
  const System system = compile(model);
  EXPECT_EQ(system.nq(), 3);
  for (const std::uint64_t seed : {1U, 2U, 3U}) expect_same_poses(system, seed, "commuting modes");
}

}  // namespace
}  // namespace linkwright::viewer_tests
