// Published numbers of MotionGenesis, an independent symbolic program, for the KUKA iiwa.
#include <gtest/gtest.h>

#include <map>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/csv.hpp"

namespace linkwright::testing {
namespace {

using Figures = std::map<std::string, std::vector<double>>;

/// The published numbers by case and quantity.
std::map<std::string, Figures> read_figures() {
  std::map<std::string, Figures> cases;
  const auto rows = read_csv(LINKWRIGHT_SOURCE_DIR "/tests/data/iiwa_figures.csv");
  for (std::size_t r = 1; r < rows.size(); ++r)
    for (std::size_t i = 2; i < rows[r].size(); ++i)
      cases[rows[r][0]][rows[r][1]].push_back(std::stod(rows[r][i]));
  return cases;
}
Eigen::VectorXd seven(const std::vector<double>& x) {
  EXPECT_EQ(x.size(), 7U);
  return Eigen::VectorXd::Map(x.data(), 7);
}
Vector3 three(const std::vector<double>& x, std::size_t first = 0) {
  return {x.at(first), x.at(first + 1), x.at(first + 2)};
}
/// Trust of the reference: 1e-13 relative to the largest number of its kind in the row.
void expect_near(const Vector3& got, const Vector3& expected, double size) {
  EXPECT_LE(norm(got - expected), 1e-13 * (1 + size));
}

TEST(Iiwa, matches_motion_genesis) {
  const System system = compile(read_model(LINKWRIGHT_SOURCE_DIR "/tests/data/iiwa.yaml"));
  Workspace work(system);
  const auto cases = read_figures();
  ASSERT_EQ(cases.size(), 8U);
  bool moves = false, accelerates = false;
  for (const auto& [name, figures] : cases) {
    SCOPED_TRACE("case " + name);
    State state(system);
    state.q = seven(figures.at("q"));
    state.v = seven(figures.at("v"));
    const Eigen::VectorXd a = seven(figures.at("a")), expected = seven(figures.at("tau"));
    moves = moves || state.v.norm() > 1;
    accelerates = accelerates || a.norm() > 1;
    Eigen::VectorXd tau(7);
    compute_inverse_dynamics(work, state, a, {}, tau);
    EXPECT_LE((tau - expected).norm(), 1e-13 * expected.norm());
    compute_forward_kinematics(work, state, a);
    const FrameId last = system.frame("link7");
    const Pose pose = frame_pose(work, last);
    const Matrix3& R = pose.rotation;
    expect_near(pose.translation, three(figures.at("position")), 1);
    expect_near({R.xx, R.xy, R.xz}, three(figures.at("rotation"), 0), 1);
    expect_near({R.yx, R.yy, R.yz}, three(figures.at("rotation"), 3), 1);
    expect_near({R.zx, R.zy, R.zz}, three(figures.at("rotation"), 6), 1);
    const Motion V = frame_velocity(work, last, Axes::world),
                 A = frame_acceleration(work, last, Axes::world);
    expect_near(V.angular, three(figures.at("angular velocity")), norm(V.angular));
    expect_near(V.linear, three(figures.at("velocity")), norm(V.linear));
    expect_near(A.angular, three(figures.at("angular acceleration")), norm(A.angular));
    expect_near(A.linear, three(figures.at("acceleration")), norm(A.linear));
  }
  EXPECT_TRUE(moves && accelerates);
}

}  // namespace
}  // namespace linkwright::testing
