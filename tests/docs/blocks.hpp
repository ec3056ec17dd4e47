#pragma once
/// Code blocks of Markdown pages, as tests need them.

#include <string>
#include <string_view>
#include <vector>

namespace docs {

/// A fenced block: ```language … ```.
struct Block {
  std::string page;      ///< "docs/dynamics.md"
  int line = 0;          ///< of its first line of text
  std::string language;  ///< "cpp", "sh", "yaml" or whatever stands after the fence
  std::string text;
};

/// All fenced blocks of a page; throws std::runtime_error naming the line of a fence that never
/// ends.
std::vector<Block> blocks_of(const std::string& page, std::string_view text);

/// A GoogleTest source with one test per C++ block. A block with `int main() {` is a program;
/// anything else is a fragment and runs as the body of a test. Compilers report errors at the
/// page's own lines, below `root`.
std::string examples_source(const std::vector<Block>& blocks, const std::string& root);

/// The commands of a shell block: comments dropped, lines that end in \ joined.
std::vector<std::string> commands_of(const Block& block);

enum class Command { program, exempt, unknown };
/// Whether a command runs our program, is left to people (make, cmake, ctest, pip), or is neither.
Command kind_of(std::string_view command);
/// The command with the program's path in place of its name.
std::string with_program(std::string_view command, const std::string& program);

/// Files that a page names: targets of relative links, and `folder/file.ext` between backticks.
struct NamedFile {
  int line = 0;
  std::string path;
  bool is_link = false;  ///< relative to the page; otherwise to the root
};
std::vector<NamedFile> files_named_in(std::string_view text);

}  // namespace docs
