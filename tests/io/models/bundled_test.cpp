// What we ship passes a strict XML parser and is read without a warning.

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "linkwright/io/urdf.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::warns;

const std::filesystem::path root = LINKWRIGHT_SOURCE_DIR;

TEST(Bundled, EveryUrdfIsReadWithoutAWarning) {
  for (const auto& file : testing::files_in(root / "models", ".urdf"))
    EXPECT_EQ(all_texts(read_urdf(file).warnings), "") << file;
}

TEST(Bundled, EveryUrdfPassesAStrictParser) {
  if (std::system("python3 -c 'import xml.parsers.expat' 2>/dev/null") != 0) {
    std::cout << "skipped: bundled files in a strict XML parser (no python3 here)\n";
    GTEST_SKIP() << "no python3";
  }
  std::vector<std::filesystem::path> files = testing::files_in(root / "models", ".urdf");
  for (const auto& file : testing::files_in(root / "tests/data", ".urdf")) files.push_back(file);
  ASSERT_GE(files.size(), 5U);
  const auto parses = [](const std::filesystem::path& file) {
    return std::system(
               ("python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' '" +
                file.string() + "' 2>/dev/null")
                   .c_str()) == 0;
  };
  for (const auto& file : files) EXPECT_TRUE(parses(file)) << file;
  EXPECT_FALSE(parses(root / "tests/data/bad_models/comment_dashes.urdf")) << "it is not strict";
}

TEST(Bundled, DashesAtTheEndOfACommentAreToldToo) {
  const std::string robot = "<robot name='r'><link name='a'/></robot>";
  EXPECT_TRUE(warns(parse_urdf("<!-- a --->" + robot, "m.urdf").warnings, {"m.urdf:1", "comment"}));
  EXPECT_EQ(all_texts(parse_urdf("<!-- a - b -->" + robot, "m.urdf").warnings), "");
}

}  // namespace
}  // namespace linkwright
