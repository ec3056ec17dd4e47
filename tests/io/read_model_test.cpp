#include "linkwright/io/read_model.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::contains;
using testing::error_of;
using testing::TemporaryFolder;

const std::string urdf = "<robot name='r'><link name='a'/></robot>";
const std::string system_file = "linkwright: 1\nobjects: [{name: a, mass: 1}]\n";

TEST(ReadModel, TheReaderIsPickedByExtensionOrContent) {
  const TemporaryFolder folder;
  for (const char* name : {"a.urdf", "a.xml", "a.robot", "a"})
    EXPECT_EQ(read_model(folder.write(name, urdf)).name, "r") << name;
  for (const char* name : {"a.yaml", "a.yml", "a.system"})
    EXPECT_EQ(read_model(folder.write(name, system_file)).objects.size(), 1U) << name;
  EXPECT_EQ(read_model(folder.write("bom.urdf", "\xEF\xBB\xBF" + urdf)).name, "r");
}

TEST(ReadModel, ABaseIsForUrdfOnly) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_model(folder.write("a.urdf", urdf), {.base = Base::free}).joints.at(0).type,
            JointType::free);
  const auto path = folder.write("a.yaml", system_file);
  EXPECT_TRUE(contains(error_of([&] { read_model(path, {.base = Base::free}); }), "base:"));
}

struct Case {
  std::string name, text;
  std::vector<std::string> words;
};

TEST(ReadModel, FilesThatAreNoModelAreRefusedByName) {
  const TemporaryFolder folder;
  const Case cases[] = {
      {"empty.yaml", "", {"empty"}},
      {"blank.urdf", " \n\t", {"empty"}},
      {"noise.urdf", std::string("<ro\0bot", 7), {"byte 4", "UTF-8"}},
      {"utf16.yaml", std::string("l\0i\0n\0k\0", 8), {"UTF-16"}},
      {"note.txt", "hello", {"'.txt'", ".urdf", ".yaml"}},
      {"scene.xml", "<mujoco/>", {"<mujoco>", "MJCF", "<robot>"}},
      {"scene.sdf", "<sdf/>", {"<model>", "<world>"}},
      {"old.sdf", "<gazebo/>", {"<gazebo>", "<robot>"}},
      {"page.xml", "<html/>", {"<html>", "<robot>"}},
      {"two.urdf", urdf + urdf, {"second root element"}},
      {"loop.closures.yaml", "closed_loop: []", {"'linkwright'", "missing"}},
      {"twice.yaml", system_file + "---\n" + system_file, {"second document"}},
  };
  for (const Case& c : cases) {
    const auto path = folder.write(c.name, c.text);
    const std::string message = error_of([&] { read_model(path); });
    EXPECT_TRUE(contains(message, c.name)) << message;
    for (const std::string& word : c.words)
      EXPECT_TRUE(contains(message, word)) << "no \"" << word << "\" in: " << message;
  }
}

TEST(ReadModel, PathsThatAreNoFilesAreRefusedByName) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(error_of([&] { read_model(folder.path()); }), "folder"));
  EXPECT_TRUE(contains(error_of([&] { read_model(folder.path() / "gone.urdf"); }), "no such file"));
  EXPECT_TRUE(contains(error_of([&] { read_model(""); }), "no such file"));
  const auto locked = folder.write("locked.urdf", urdf);
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (geteuid() == 0)
    std::cout << "skipped: a file without read permission (root may read every file)\n";
  else
    EXPECT_TRUE(contains(error_of([&] { read_model(locked); }), "permission"));
}

TEST(ReadModel, AFileThatIsTooLargeIsRefused) {
  const TemporaryFolder folder;
  const auto path = folder.write("large.urdf", "<robot>");
  std::filesystem::resize_file(path, (std::uintmax_t{64} << 20) + 1);
  EXPECT_TRUE(contains(error_of([&] { read_model(path); }), "64 MiB"));
  EXPECT_TRUE(contains(error_of([] { read_model("/dev/zero"); }), "64 MiB"));
}

}  // namespace
}  // namespace linkwright
