// MJCF files as models of a system file: two of one file are two of the same mechanism.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

const std::filesystem::path mjcf_folder =
    std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data/mjcf";

Model including(const std::string& text) {
  return parse_system_file("linkwright: 1\n" + text, "cell.yaml", mjcf_folder);
}

Eigen::MatrixXd mass_matrix(const System& system, const Eigen::VectorXd& q) {
  Workspace work(system);
  Eigen::MatrixXd m(system.nv(), system.nv());
  compute_mass_matrix(work, q, m);
  return m;
}

TEST(IncludedMjcf, two_are_two_of_the_same) {
  const System one = compile(read_model(mjcf_folder / "chains.xml"));
  const System two = compile(including(
      "gravity: [0.3, -0.2, -9.7]\n"
      "models:\n"
      "  - {file: chains.xml, name: left}\n"
      "  - {file: chains.xml, name: right, pose: {xyz: [0, 3, 0], rpy: [0.1, 0.2, 0.3]}}\n"));
  const State start = initial_state(one), both = initial_state(two);
  ASSERT_EQ(both.q.size(), 2 * start.q.size());
  EXPECT_EQ(both.q.head(one.nq()), start.q);
  EXPECT_EQ(both.q.tail(one.nq()), start.q);
  EXPECT_EQ(both.v.tail(one.nv()), start.v);
  const Eigen::MatrixXd m = mass_matrix(one, start.q), mm = mass_matrix(two, both.q);
  const int n = one.nv();
  const double size = m.norm() * 64 * std::numeric_limits<double>::epsilon();
  EXPECT_LE((mm.topLeftCorner(n, n) - m).norm(), size);
  EXPECT_LE((mm.bottomRightCorner(n, n) - m).norm(), size);
  EXPECT_EQ(mm.topRightCorner(n, n).norm(), 0);
  EXPECT_EQ(two.joint("left/pitch").v + n, two.joint("right/pitch").v);
}

TEST(IncludedMjcf, actuators_and_closures_are_called_by_the_prefix) {
  const Model single = read_model(mjcf_folder / "loops.xml");
  const Model model =
      including(fmt::format("gravity: [{}, {}, {}]\n"
                            "models: [{{file: loops.xml, name: left}}]\n",
                            single.gravity.x, single.gravity.y, single.gravity.z));
  ASSERT_FALSE(single.actuators.empty());
  ASSERT_EQ(model.actuators.size(), single.actuators.size());
  for (std::size_t i = 0; i < single.actuators.size(); ++i) {
    EXPECT_EQ(model.actuators[i].name, "left/" + single.actuators[i].name);
    if (!single.actuators[i].joint.empty()) {
      EXPECT_EQ(model.actuators[i].joint, "left/" + single.actuators[i].joint);
    }
  }
  ASSERT_EQ(model.closures.size(), single.closures.size());
  EXPECT_EQ(compile(model).nv(), compile(single).nv());
}

TEST(IncludedMjcf, a_state_of_the_system_file_comes_before_that_of_the_model) {
  const System system =
      compile(including("gravity: [0.3, -0.2, -9.7]\n"
                        "models: [{file: chains.xml}]\n"
                        "state: {q: {turn: 0.125}}\n"));
  const State own = initial_state(compile(read_model(mjcf_folder / "chains.xml")));
  const State start = initial_state(system);
  EXPECT_EQ(start.q[system.joint("turn").q], 0.125);
  EXPECT_EQ(start.q[system.joint("pitch").q], own.q[system.joint("pitch").q]);
  EXPECT_EQ(start.v, own.v);
}

TEST(IncludedMjcf, gravity_is_that_of_the_system_file) {
  const Model model = including("gravity: [0, 0, -1.625]\nmodels: [{file: chains.xml}]\n");
  EXPECT_EQ(model.gravity.z, -1.625);
  ASSERT_EQ(model.body_loads.size(), 1U);  // gravcomp="0.4" of a wrist of 1.2 kg
  EXPECT_NEAR(model.body_loads[0].force.force.z, 0.4 * 1.2 * 1.625, 1e-15);
  EXPECT_NEAR(model.body_loads[0].force.force.x, 0, 1e-15);
  EXPECT_TRUE(testing::warns(model.warnings, {"[0.3, -0.2, -9.7], is not used"}));
}

}  // namespace
}  // namespace linkwright
