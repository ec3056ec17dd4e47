// The closure of a custom joint's modes under the bracket, wherever the joint frame lies.
#include <gtest/gtest.h>

#include "linkwright/model/pose_group.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Kind = PoseGroup::Kind;
using Mode = std::array<double, 6>;

Joint custom(std::vector<Mode> modes) {
  return {.name = "joint", .type = JointType::custom, .modes = std::move(modes)};
}
/// The same modes seen from a frame that lies at `at` in the joint frame, and mixed with each other.
Joint seen_from(const Pose& at, std::vector<Mode> modes, RandomModel& random) {
  std::vector<Mode> moved;
  for (const Mode& m : modes) {
    const Vector3 w = at.rotation * Vector3{m[0], m[1], m[2]};
    const Vector3 v = at.rotation * Vector3{m[3], m[4], m[5]} + cross(at.translation, w);
    moved.push_back({w.x, w.y, w.z, v.x, v.y, v.z});
  }
  std::vector<Mode> mixed = moved;
  for (std::size_t i = 0; i < moved.size(); ++i)
    for (std::size_t j = 0; j < moved.size(); ++j) {
      const double share = random.between(-0.3, 0.3);
      for (std::size_t c = 0; c < 6; ++c) mixed[i][c] += share * moved[j][c];
    }
  return custom(mixed);
}

constexpr Mode turn_x{1, 0, 0, 0, 0, 0}, turn_y{0, 1, 0, 0, 0, 0}, turn_z{0, 0, 1, 0, 0, 0};
constexpr Mode slide_x{0, 0, 0, 1, 0, 0}, slide_y{0, 0, 0, 0, 1, 0}, slide_z{0, 0, 0, 0, 0, 1};
constexpr Mode screw_z{0, 0, 1, 0, 0, 0.2};

struct Example {
  std::vector<Mode> modes;
  Kind kind;
  int dimension;
  double pitch;
};
const std::vector<Example> examples = {
    {{turn_x, turn_y, turn_z}, Kind::about_point, 3, 0},
    {{turn_x, turn_z}, Kind::about_point, 3, 0},
    {{turn_z, slide_x, slide_y}, Kind::in_plane, 3, 0},
    {{turn_z, slide_y}, Kind::in_plane, 3, 0},
    {{screw_z, slide_x, slide_y}, Kind::in_plane, 3, 0.2},
    {{screw_z, slide_x}, Kind::in_plane, 3, 0.2},
    {{turn_z, slide_x, slide_y, slide_z}, Kind::upright, 4, 0},
    {{turn_z, {0, 0, 0, 1, 0, 1}}, Kind::upright, 4, 0},
    {{screw_z, slide_x, slide_z}, Kind::upright, 4, 0},
    {{turn_x, turn_y, slide_z}, Kind::all, 6, 0},
    {{turn_x, screw_z}, Kind::all, 6, 0},
    {{turn_x, turn_y, turn_z, slide_x}, Kind::all, 6, 0},
    {{turn_x, turn_y, turn_z, slide_x, slide_y, slide_z}, Kind::all, 6, 0}};

TEST(PoseGroup, is_found_wherever_the_joint_frame_lies) {
  for (const double reach : {0.0, 1.0, 50.0})
    for (std::size_t i = 0; i < examples.size(); ++i)
      for (unsigned seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE("example " + std::to_string(i) + ", reach " + std::to_string(reach));
        const Example& example = examples[i];
        RandomModel random(seed);
        const Pose at = random.pose(reach);
        const PoseGroup group = pose_group(seen_from(at, example.modes, random));
        ASSERT_EQ(group.kind, example.kind);
        EXPECT_EQ(group.dimension, example.dimension);
        EXPECT_NEAR(std::abs(group.pitch), example.pitch, 1e-9 * (1 + reach));
        if (group.kind == Kind::about_point) {
          EXPECT_LE(norm(group.centre - at.translation), 1e-9 * (1 + reach));
        }
        if (group.kind == Kind::in_plane || group.kind == Kind::upright) {
          EXPECT_LE(norm(cross(group.axis, at.rotation.column_z())), 1e-9);
        }
      }
}

TEST(PoseGroup, a_pose_off_the_group_is_measured_and_one_near_it_is_moved_onto_it) {
  RandomModel random(2);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    SCOPED_TRACE("example " + std::to_string(i));
    const PoseGroup group = pose_group(seen_from(random.pose(1), examples[i].modes, random));
    if (group.kind == Kind::all) continue;
    Quaternion r = spatial::exp_rotation(2e-4 * random.direction());
    Vector3 p = random.vector(2e-5);
    project(group, r, p);
    const PoseMisfit none = misfit(group, r, p);
    EXPECT_LE(none.angle, 1e-12);
    EXPECT_LE(none.distance, 1e-12);
    const Vector3 aside = cross(group.axis, random.direction());
    const PoseMisfit turned = misfit(group, spatial::exp_rotation(0.1 / norm(aside) * aside), {});
    if (group.kind != Kind::about_point) {
      EXPECT_NEAR(turned.angle, 0.1, 1e-9);
    }
    EXPECT_FALSE(turned.passes()) << describe(group);
    if (group.kind == Kind::in_plane) {
      EXPECT_NEAR(misfit(group, {}, 0.05 * group.axis).distance, 0.05, 1e-12);
    }
  }
}

TEST(PoseGroup, digits_of_a_file_are_enough_and_a_lean_is_not_overlooked) {
  EXPECT_EQ(pose_group(custom({turn_z, slide_x, {1e-10, 0, 0, 0, 1, 0}})).kind, Kind::in_plane);
  EXPECT_EQ(pose_group(custom({turn_z, slide_x, {1e-4, 0, 0, 0, 1, 0}})).kind, Kind::all);
}

}  // namespace
}  // namespace linkwright::testing
