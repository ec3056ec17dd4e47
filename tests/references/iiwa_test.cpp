// Published numbers of MotionGenesis, an independent symbolic program, for the KUKA iiwa.
#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/csv.hpp"

namespace linkwright::testing {
namespace {

const std::string shared = LINKWRIGHT_SHARED_DIR;

/// Columns first … first + 6 of a row.
Eigen::VectorXd seven(const std::vector<std::string>& row, int first) {
  Eigen::VectorXd x(7);
  for (int i = 0; i < 7; ++i) x[i] = std::stod(row.at(static_cast<std::size_t>(first + i)));
  return x;
}
Vector3 three(const std::vector<std::string>& row, int first) {
  const auto at = [&](int i) { return std::stod(row.at(static_cast<std::size_t>(first + i))); };
  return {at(0), at(1), at(2)};
}
/// Trust of the reference: 1e-13 relative to the largest number of its kind in the row.
void expect_near(const Vector3& got, const Vector3& expected, double size) {
  EXPECT_LE(norm(got - expected), 1e-13 * (1 + size));
}

TEST(Iiwa, matches_motion_genesis) {
  const std::string file = shared + "/references/iiwa_motiongenesis.csv";
  SKIP_WITHOUT_SHARED(file);
  const System system = compile(read_model(shared + "/models/drake_kuka_iiwa_robot.urdf"));
  Workspace work(system);
  const auto rows = read_csv(file);
  ASSERT_EQ(rows.size(), 21U);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    SCOPED_TRACE("case " + rows[r][0]);
    State state(system);
    state.q = seven(rows[r], 1);
    state.v = seven(rows[r], 8);
    const Eigen::VectorXd a = seven(rows[r], 15), expected = seven(rows[r], 22);
    Eigen::VectorXd tau(7);
    compute_inverse_dynamics(work, state, a, {}, tau);
    EXPECT_LE((tau - expected).norm(), 1e-13 * expected.norm());
    compute_forward_kinematics(work, state, a);
    const FrameId last = system.frame("iiwa_link_7");
    const Pose pose = frame_pose(work, last);
    expect_near(pose.translation, three(rows[r], 29), 1);
    expect_near({pose.rotation.xx, pose.rotation.xy, pose.rotation.xz}, three(rows[r], 32), 1);
    expect_near({pose.rotation.yx, pose.rotation.yy, pose.rotation.yz}, three(rows[r], 35), 1);
    expect_near({pose.rotation.zx, pose.rotation.zy, pose.rotation.zz}, three(rows[r], 38), 1);
    const Motion V = frame_velocity(work, last, Axes::world),
                 A = frame_acceleration(work, last, Axes::world);
    expect_near(V.angular, three(rows[r], 41), norm(V.angular));
    expect_near(V.linear, three(rows[r], 44), norm(V.linear));
    expect_near(A.angular, three(rows[r], 47), norm(A.angular));
    expect_near(A.linear, three(rows[r], 50), norm(A.linear));
  }
}

}  // namespace
}  // namespace linkwright::testing
