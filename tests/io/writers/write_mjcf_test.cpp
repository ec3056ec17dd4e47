// MJCF files written as system files: the same mechanism, with its equalities, tendons and actuators.

#include <gtest/gtest.h>

#include <limits>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/io/urdf.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

const std::filesystem::path mjcf_folder =
    std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data/mjcf";

std::vector<std::filesystem::path> whole_files() {
  std::vector<std::filesystem::path> found;
  for (const auto& file : testing::files_in(mjcf_folder, ".xml"))
    if (file.stem().string().find("_part") == std::string::npos) found.push_back(file);
  return found;
}

/// Of the mechanism with its shafts and closures, in all coordinates.
Eigen::MatrixXd mass_matrix(const System& system, const Eigen::VectorXd& q) {
  ClosedWorkspace work(system);
  Eigen::MatrixXd m(system.nv(), system.nv());
  compute_mass_matrix(work, q, m);
  return m;
}

TEST(WrittenMjcf, is_the_same_mechanism) {
  int shafts = 0;
  for (const std::filesystem::path& file : whole_files()) {
    SCOPED_TRACE(file.string());
    const System first = compile(read_model(file));
    const System second = compile(parse_system_file(
        write_system_file(read_model(file), mjcf_folder), "written.yaml", mjcf_folder));
    ASSERT_EQ(second.closures().size(), first.closures().size());
    ASSERT_EQ(second.velocity_names(), first.velocity_names());
    const State start = initial_state(first), again = initial_state(second);
    EXPECT_EQ(again.q, start.q);
    EXPECT_EQ(again.v, start.v);
    const Eigen::MatrixXd m = mass_matrix(first, start.q);
    EXPECT_LE((mass_matrix(second, start.q) - m).norm(),
              64 * std::numeric_limits<double>::epsilon() * m.norm());
    for (const Closure& closure : first.model().closures)
      shafts += closure.kind == Closure::Kind::shaft ? 1 : 0;
  }
  EXPECT_GT(shafts, 0) << "no tendon over several joints was tried";
}

TEST(WrittenMjcf, tendons_over_several_joints_are_refused_in_urdf) {
  try {
    (void)write_urdf(read_model(mjcf_folder / "tendons.xml"));
    FAIL() << "URDF has no tendons";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("turns with several joints"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace linkwright
