#include "docs/blocks.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace docs {
namespace {

constexpr std::string_view fence = "```";
constexpr std::string_view program_head = "int main() {";

/// The line without the blanks in front of it.
std::string_view trimmed(std::string_view line) {
  const auto first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// "docs/system_file.md" becomes docs_system_file: a name C++ accepts.
std::string identifier(const std::string& page) {
  std::string name = page.substr(0, page.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

/// #include lines have to stand outside functions; a blank line keeps the count of lines.
std::string take_includes(const std::string& text, std::set<std::string>& includes) {
  std::string rest;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("#include")) includes.insert(line);
    rest += (line.starts_with("#include") ? "" : line) + "\n";
  }
  return rest;
}

/// Length of the "NAME=value " assignments in front of a command.
std::size_t assignments_before(std::string_view command) {
  static const std::regex pattern(R"(^([A-Z_]+=\S* +)*)");
  std::cmatch found;
  std::regex_search(command.data(), command.data() + command.size(), found, pattern);
  return static_cast<std::size_t>(found.length());
}

std::string_view first_word(std::string_view command) {
  return command.substr(0, command.find(' '));
}

}  // namespace

std::vector<Block> blocks_of(const std::string& page, std::string_view text) {
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    const bool is_fence = trimmed(line).starts_with(fence);
    if (is_fence && !inside)
      blocks.push_back({page, number + 1, std::string(trimmed(line).substr(fence.size())), ""});
    else if (!is_fence && inside)
      blocks.back().text += line + "\n";
    inside = is_fence != inside;
  }
  if (inside)
    throw std::runtime_error(page + ":" + std::to_string(blocks.back().line - 1) +
                             ": a code block begins here and never ends");
  return blocks;
}

std::string examples_source(const std::vector<Block>& blocks, const std::string& root) {
  std::set<std::string> includes{"#include <gtest/gtest.h>",
                                 "#include <linkwright/linkwright.hpp>"};
  std::string body;
  for (const Block& block : blocks) {
    if (block.language != "cpp") continue;
    const std::string code = take_includes(block.text, includes);
    const std::string place =
        "#line " + std::to_string(block.line) + " \"" + root + "/" + block.page + "\"\n";
    const std::string name = identifier(block.page) + ", line_" + std::to_string(block.line);
    const auto head = code.find(program_head);
    if (head == std::string::npos) {
      body += "TEST(" + name + ") {\n" + place + code + "}\n";
      continue;
    }
    const std::string function = "program_at_" + std::to_string(block.line);
    const std::string space = identifier(block.page);
    body += "namespace " + space + "_page {\n" + place + code.substr(0, head) + "int " + function +
            "() {" + code.substr(head + program_head.size()) + "}\nTEST(" + name +
            ") { EXPECT_EQ(" + space + "_page::" + function + "(), 0); }\n";
  }
  std::string source = "// Generated from the code blocks of README.md and docs/.\n";
  for (const std::string& include : includes) source += include + "\n";
  return source + body;
}

std::vector<std::string> commands_of(const Block& block) {
  std::vector<std::string> commands;
  std::string whole;
  for (const std::string& line : lines_of(block.text)) {
    whole += line.substr(0, line.find(" #"));
    if (whole.ends_with('\\')) {
      whole.pop_back();
      continue;
    }
    whole = std::string(trimmed(whole));
    whole.erase(whole.find_last_not_of(' ') + 1);
    if (!whole.empty() && whole.front() != '#') commands.push_back(whole);
    whole.clear();
  }
  if (!whole.empty()) throw std::runtime_error(block.page + ": a command ends in '\\'");
  return commands;
}

Command kind_of(std::string_view command) {
  constexpr std::array<std::string_view, 5> exempt{"make", "cmake", "ctest", "git", "pip"};
  const std::string_view word = first_word(command.substr(assignments_before(command)));
  if (word == "linkwright" || word == "build/bin/linkwright") return Command::program;
  return std::find(exempt.begin(), exempt.end(), word) != exempt.end() ? Command::exempt
                                                                       : Command::unknown;
}

std::string with_program(std::string_view command, const std::string& program) {
  const std::size_t at = assignments_before(command);
  const std::string_view word = first_word(command.substr(at));
  return std::string(command.substr(0, at)) + "'" + program + "'" +
         std::string(command.substr(at + word.size()));
}

std::vector<NamedFile> files_named_in(std::string_view text) {
  static const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  static const std::regex quoted(
      R"(`([A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*/([A-Za-z0-9_-]+\.(hpp|cpp|md|urdf|yaml|csv|json|sh|py))?)`)");
  std::vector<NamedFile> files;
  bool inside = false;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (trimmed(line).starts_with(fence)) inside = !inside;
    if (inside) continue;
    const auto collect = [&](const std::regex& pattern, bool is_link) {
      for (std::sregex_iterator at(line.begin(), line.end(), pattern), end; at != end; ++at)
        if (!(*at)[1].str().starts_with("http")) files.push_back({number, (*at)[1].str(), is_link});
    };
    collect(link, true);
    collect(quoted, false);
  }
  return files;
}

}  // namespace docs
