// The extractor itself: what it finds, and that a broken block does not go unnoticed.
#include "docs/blocks.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/files.hpp"

namespace {

using docs::Block;
using docs::Command;
using linkwright::testing::contains;
using linkwright::testing::TemporaryFolder;

const std::string page = R"(# Page
```sh
make run     # exempt
LIMIT=1 linkwright info \
  models/arm7.urdf
```
Text with `include/linkwright/error.hpp`, `name/…`, [a link](other.md#part) and [the web](https://x.org/y.md).

  ```cpp
  int answer = 42;
  ```
```cpp
#include <vector>
int main() {
  return 0;
}
```
)";

TEST(blocks, are_found_with_their_lines) {
  const auto blocks = docs::blocks_of("docs/page.md", page);
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].language, "sh");
  EXPECT_EQ(blocks[0].line, 3);
  EXPECT_EQ(blocks[1].language, "cpp");
  EXPECT_EQ(blocks[1].line, 10);
  EXPECT_EQ(blocks[1].text, "  int answer = 42;\n");
  EXPECT_EQ(blocks[2].line, 13);
}

TEST(blocks, that_never_end_are_an_error) {
  try {
    (void)docs::blocks_of("page.md", "text\n```cpp\nint x;\n");
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(contains(error.what(), "page.md:2")) << error.what();
  }
}

TEST(blocks, commands_are_joined_and_sorted) {
  const auto commands = docs::commands_of(docs::blocks_of("page.md", page)[0]);
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0], "make run");
  EXPECT_EQ(docs::kind_of(commands[0]), Command::exempt);
  EXPECT_EQ(commands[1], "LIMIT=1 linkwright info   models/arm7.urdf");
  EXPECT_EQ(docs::kind_of(commands[1]), Command::program);
  EXPECT_EQ(docs::with_program(commands[1], "/p/linkwright"),
            "LIMIT=1 '/p/linkwright' info   models/arm7.urdf");
  EXPECT_EQ(docs::kind_of("linkwrong info x"), Command::unknown);
  EXPECT_EQ(docs::kind_of("build/bin/linkwright info x"), Command::program);
}

TEST(blocks, files_named_outside_code_are_found) {
  const auto files = docs::files_named_in(page);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "other.md");
  EXPECT_TRUE(files[0].is_link);
  EXPECT_EQ(files[1].path, "include/linkwright/error.hpp");
  EXPECT_EQ(files[1].line, 7);
}

/// Whether the compiler accepts what is generated from a page; `messages` gets what it says.
bool compiles(const std::string& text, std::string& messages) {
  const TemporaryFolder folder;
  // The library's header is heavy and beside the point here.
  std::string source = docs::examples_source(docs::blocks_of("docs/page.md", text), "/tree");
  const std::string header = "#include <linkwright/linkwright.hpp>\n";
  source.erase(source.find(header), header.size());
  folder.write("page.cpp", source);
  const std::string stem = (folder.path() / "page").string();
  const std::string command = std::string("'") + LINKWRIGHT_COMPILER +
                              "' -std=c++20 -fsyntax-only '" + stem + ".cpp' 2> '" + stem + ".txt'";
  const bool fine = std::system(command.c_str()) == 0;
  std::ostringstream said;
  said << std::ifstream(stem + ".txt").rdbuf();
  messages = said.str();
  return fine;
}

TEST(blocks, broken_code_is_found_at_its_line) {
  std::string messages;
  EXPECT_TRUE(compiles(page, messages)) << messages;
  EXPECT_FALSE(compiles(page + "```cpp\nint fine = 1;\nint broken = ;\n```\n", messages));
  EXPECT_TRUE(contains(messages, "/tree/docs/page.md:20")) << messages;
}

}  // namespace
