/// Packages of meshes and models: by option, by the environment, by the folders above.

#include "linkwright/io/resource.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "linkwright/io/read_model.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::contains;
using testing::warns;

/// A variable of the environment, as it was again afterwards.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (old_)
      ::setenv(name_, old_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(Resource, packages_are_found_where_the_environment_says) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "src/arm/meshes");
  std::filesystem::create_directories(folder.path() / "install/share/leg/meshes");
  const auto arm = folder.write("src/arm/meshes/a.stl", "solid\n");
  const auto leg = folder.write("install/share/leg/meshes/l.stl", "solid\n");
  EXPECT_EQ(find_resource("package://arm/meshes/a.stl", "/nowhere/m.urdf"), std::nullopt);
  {
    const Variable ros("ROS_PACKAGE_PATH", "/none:" + (folder.path() / "src").string());
    EXPECT_EQ(find_resource("package://arm/meshes/a.stl", "/nowhere/m.urdf"), arm);
  }
  {
    const Variable ros("ROS_PACKAGE_PATH", (folder.path() / "src/arm").string());
    EXPECT_EQ(find_resource("package://arm/meshes/a.stl", "/nowhere/m.urdf"), arm);
  }
  const Variable ament("AMENT_PREFIX_PATH", (folder.path() / "install").string());
  EXPECT_EQ(find_resource("package://leg/meshes/l.stl", "/nowhere/m.urdf"), leg);
  const Variable gazebo("GZ_SIM_RESOURCE_PATH", (folder.path() / "src").string());
  EXPECT_EQ(find_resource("model://arm/meshes/a.stl", "/nowhere/m.sdf"), arm);
  EXPECT_EQ(find_resource("model://arm", "/nowhere/m.sdf"), folder.path() / "src/arm");
}

TEST(Resource, packages_that_are_given_come_first_and_idle_ones_are_told) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "there/meshes");
  const auto mesh = folder.write("there/meshes/a.stl", "solid\n");
  const auto file =
      folder.write("m.urdf",
                   "<robot name='m'><link name='l'><visual><geometry><mesh "
                   "filename='package://arm/meshes/a.stl'/></geometry></visual></link></robot>");
  const Model model = read_model(file, {.packages = {{"arm", folder.path() / "there"}}});
  EXPECT_EQ(model.visuals.at(0).file, mesh.string());
  EXPECT_TRUE(model.warnings.empty());
  const Model other =
      read_model(file, {.packages = {{"amr", folder.path()}, {"arm", folder.path()}}});
  EXPECT_TRUE(warns(other.warnings, {"package 'amr'", "names it"}));
  EXPECT_TRUE(warns(other.warnings, {"m.urdf:1", "is not in the folder"}));
}

const std::string arm =
    R"(<robot name="arm"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
<joint name="j3" type="continuous"><parent link="base"/><child link="c"/><axis xyz="0 0 1"/></joint></robot>)";

TEST(ClosuresFile, pairs_of_frames_close_loops_and_motors_are_named) {
  const testing::TemporaryFolder folder;
  const auto urdf = folder.write("arm.urdf", arm);
  const auto list = folder.write(
      "arm.closures.yaml", "closed_loop: [[b, j3], [a, c]]\ntype: ['6d', '3d']\nname_mot: [j1]\n");
  const Model model = read_model(urdf, {.closures = list});
  ASSERT_EQ(model.closures.size(), 2U);
  EXPECT_EQ(model.closures[0].name, "loop1");
  EXPECT_EQ(model.closures[0].body_b, "c");
  EXPECT_EQ(model.closures[0].joint, JointType::fixed);
  EXPECT_EQ(model.closures[1].joint, JointType::spherical);
  EXPECT_TRUE(model.joints.at(1).passive.empty());
  EXPECT_EQ(model.joints.at(2).passive, std::vector<bool>{true});
  // In a system file, with a prefix.
  const auto yaml = folder.write("two.yaml",
                                 "linkwright: 1\nmodels:\n  - {file: arm.urdf, name: left, "
                                 "closures_file: arm.closures.yaml}\n");
  const Model two = read_model(yaml);
  EXPECT_EQ(two.closures.at(0).name, "left/loop1");
  EXPECT_EQ(two.closures.at(0).body_a, "left/b");
}

TEST(ClosuresFile, mistakes_are_named_with_their_line) {
  const testing::TemporaryFolder folder;
  const auto urdf = folder.write("arm.urdf", arm);
  const auto refusal = [&](const std::string& text) {
    const auto list = folder.write("l.yaml", text);
    return testing::error_of([&] { read_model(urdf, {.closures = list}); });
  };
  EXPECT_TRUE(contains(refusal("closed_loop: [[b, d]]\ntype: [6d]\n"), "l.yaml:1"));
  EXPECT_TRUE(contains(refusal("closed_loop: [[b, c]]\ntype: [5d]\n"), "'5d'"));
  EXPECT_TRUE(contains(refusal("closed_loop: [[b, c]]\ntype: []\n"), "0 entries for 1 pairs"));
  EXPECT_TRUE(contains(refusal("closed_loop: [[b]]\ntype: [6d]\n"), "expected two"));
  EXPECT_TRUE(
      contains(refusal("closed_loop: [[b, c]]\ntype: [6d]\nname_mot: [j4]\n"), "no joint 'j4'"));
  EXPECT_TRUE(contains(refusal("closed_loops: []\n"), "closed_loop"));
  const auto yaml = folder.write("s.yaml", "linkwright: 1\nmodels: [{file: arm.urdf}]\n");
  EXPECT_TRUE(
      contains(testing::error_of([&] { read_model(yaml, {.closures = urdf}); }), "closures_file"));
}

TEST(ClosuresFile, shared_closed_models_close) {
  const auto folder = testing::shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "closures of the shared models");
  for (const char* name : {"delta", "fivebar", "fivebar_iso3d", "cassie_like", "disney_like"}) {
    const Model model = read_model(folder / (std::string(name) + ".urdf"),
                                   {.closures = folder / (std::string(name) + ".closures.yaml")});
    EXPECT_FALSE(model.closures.empty()) << name;
    EXPECT_EQ(testing::error_of([&] { testing::judged(model); }), "") << name;
  }
}

}  // namespace
}  // namespace linkwright
