// Closures, springs and independents in the payload: the page must close the same frames, hang the same
// springs and lead the same joints as the library.
#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"
#include "viewer/payload.hpp"

namespace linkwright::viewer_tests {
namespace {

std::string bundled(const std::string& name) { return LINKWRIGHT_SOURCE_DIR "/models/" + name; }

/// Both closure frames in the world, from the payload alone.
std::pair<Eigen::Isometry3d, Eigen::Isometry3d> frames_of(const Json& data, const Json& closure,
                                                          const Eigen::VectorXd& q) {
  const auto poses = forward_kinematics(data, q);
  return {poses.at(closure.at("a").get<std::size_t>()) * to_isometry(closure.at("at_a")),
          poses.at(closure.at("b").get<std::size_t>()) * to_isometry(closure.at("at_b"))};
}

/// Where the library has closed the loops, frames of balls and hinges meet in the payload too; elsewhere
/// they are as far apart as the library says.
void expect_same_frames(const System& system, const std::string& name) {
  const Json data = data_of(system);
  ASSERT_EQ(data.at("closures").size(), system.closures().size()) << name;
  ClosedWorkspace work(system);
  Eigen::VectorXd open(system.nq());
  compute_random(system, 3, open);
  Eigen::VectorXd closed = initial_state(system).q, residual(work.rows());
  ASSERT_TRUE(assemble(work, {}, closed).assembled) << name;
  for (std::size_t i = 0; i < system.closures().size(); ++i) {
    const ClosurePlace& place = system.closures()[i];
    const Json& closure = data["closures"][i];
    EXPECT_EQ(closure.at("name"), place.name);
    if (place.kind != PairKind::lower_pair || place.joint == JointType::fixed) continue;
    const double scale = 1 + data.at("size").get<double>();
    const auto [a, b] = frames_of(data, closure, closed);
    if (place.joint == JointType::spherical || place.joint == JointType::revolute) {
      EXPECT_LT((a.translation() - b.translation()).norm(), 1e-11 * scale)
          << name << ", " << place.name;
    }
    if (place.joint != JointType::spherical) continue;
    compute_closure_residual(work, open, residual);
    const auto [c, d] = frames_of(data, closure, open);
    EXPECT_NEAR((c.translation() - d.translation()).norm(), residual.segment(place.row, 3).norm(),
                1e-11 * scale)
        << name << ", " << place.name;
  }
}

TEST(page_closures, close_the_frames_that_the_library_closes) {
  int closed = 0;
  for (const auto& file : all_model_files()) {
    if (file.extension() != ".yaml") continue;
    const System system = compile(read_model(file));
    if (system.closures().empty()) continue;
    expect_same_frames(system, file.filename().string());
    ++closed;
  }
  EXPECT_GE(closed, 12);
}

/// Links welded together, a joint that sits elsewhere than in its child's frame, a grasp by a frame.
TEST(page_closures, stand_where_bodies_are_though_they_are_welded_or_turned) {
  const testing::TemporaryFolder folder;
  const auto file = folder.path() / "m.yaml";
  std::ofstream(file) << R"(linkwright: 1
bodies:
  - {name: arm, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - {name: hand, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
objects: [{name: box, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]
joints:
  - {name: turn, type: revolute, parent: world, child: arm, pose: {xyz: [0.1, 0, 0], rpy: [0.4, 0, 0]}, axis: [1, 1, 0]}
  - {name: weld, type: fixed, parent: arm, child: hand, pose: {xyz: [0.5, 0, 0], rpy: [0, 0.3, 0.2]}}
frames: [{name: finger, body: hand, pose: {xyz: [0, 0, 0.2], rpy: [0.1, 0, 0]}}]
grasps: [{name: pinch, arm: finger, object: box, at: {xyz: [0.1, 0.1, 0], rpy: [0, 0, 1]}, contact: point}]
)";
  expect_same_frames(compile(read_model(file)), "pinch");
}

TEST(page_closures, name_the_independents_of_the_library) {
  const System system = compile(read_model(bundled("stewart.yaml")));
  const Json independent = data_of(system).at("independent");
  std::vector<std::string> names;
  for (const Json& entry : independent) {
    EXPECT_EQ(entry.at("freedom"), 0);
    names.push_back(system.joints()[entry.at("joint").get<std::size_t>()].name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"leg1", "leg2", "leg3", "leg4", "leg5", "leg6"}));
  const Json floating = data_of(compile(read_model(bundled("walking_machine.yaml"))));
  ASSERT_EQ(floating.at("independent").size(), 6U);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(floating["independent"][static_cast<std::size_t>(i)].at("freedom"), i);
  EXPECT_TRUE(data_of(compile(read_model(bundled("arm7.urdf")))).at("independent").empty());
}

TEST(page_closures, coordinates_that_do_not_serve_are_told_and_the_page_is_made) {
  Model model = read_model(bundled("four_bar.yaml"));
  model.coordinates = {"crank_pivot", "crank_pin"};
  const System system = compile(model);
  const Page page = to_page_data(system, initial_state(system).q);
  ASSERT_EQ(page.warnings.size(), 1U);
  EXPECT_TRUE(testing::contains(page.warnings[0].text(), "2 coordinates"))
      << page.warnings[0].text();
  EXPECT_TRUE(Json::parse(page.text).at("independent").empty());
}

TEST(page_closures, gears_name_their_joints) {
  const Json data = data_of(compile(read_model(bundled("gripper.yaml"))));
  const Json& gears = data.at("closures").at(2);
  EXPECT_EQ(gears.at("pair"), "gear");
  EXPECT_EQ(data["joints"][gears.at("leader").get<std::size_t>()].at("name"), "left_motor");
  EXPECT_EQ(data["joints"][gears.at("follower").get<std::size_t>()].at("name"), "right_driver");
  EXPECT_EQ(gears.at("ratio"), -1);
}

TEST(page_springs, hang_between_bodies_at_joints_and_at_closing_joints) {
  Model model = read_model(bundled("four_bar.yaml"));
  model.line_springs.push_back({.name = "pull",
                                .body_a = "world",
                                .body_b = "rocker",
                                .at_a = {0, 0, 1},
                                .at_b = {0.1, 0, 0},
                                .stiffness = 5,
                                .rest_length = 0.3});
  model.joint_springs.push_back({.joint = "rocker_pivot", .stiffness = 2, .rest = 0.5});
  model.joint_springs.push_back({.joint = "rocker_pin", .stiffness = 3});
  const Json springs = data_of(compile(model)).at("springs");
  ASSERT_EQ(springs.size(), 3U);
  EXPECT_EQ(springs[0].at("type"), "line");
  EXPECT_EQ(springs[0].at("a"), 0);
  EXPECT_EQ(springs[0].at("at_b"), Json::array({0.1, 0, 0}));
  EXPECT_EQ(springs[0].at("rest"), 0.3);
  EXPECT_EQ(springs[1].at("joint"), 2);
  EXPECT_EQ(springs[1].at("stiffness"), 2);
  EXPECT_EQ(springs[2].at("closure"), 0);
  EXPECT_FALSE(springs[2].contains("joint"));
}

}  // namespace
}  // namespace linkwright::viewer_tests
