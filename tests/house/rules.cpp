#include "house/rules.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

namespace house {
namespace {

constexpr std::array<std::string_view, 15> kOrder{
    "spatial",     "model",   "system",      "dynamics",  "batch",
    "operators",   "closure", "coordinates", "actuation", "linear",
    "manipulator", "network", "verify",      "simulate",  "viewer"};

/// Position in the order; io stands right of model and left of those who write or read files only:
/// recordings, checkpoints and meshes.
int rank(std::string_view folder) {
  const auto at = std::find(kOrder.begin(), kOrder.end(), folder);
  return at == kOrder.end() ? -1 : static_cast<int>(at - kOrder.begin());
}

bool may_include(std::string_view from, std::string_view to) {
  if (from == to) return true;
  if (to == "io") return from == "simulate" || from == "viewer";
  if (from == "io") return rank(to) >= 0 && rank(to) <= rank("model");
  return rank(to) >= 0 && rank(to) < rank(from);
}

/// The path between the quotes or brackets of an #include line, or empty.
std::string included_path(const std::string& line) {
  const auto hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return {};
  const auto word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return {};
  const auto open = line.find_first_of("\"<", word);
  if (open == std::string::npos) return {};
  const auto close = line.find_first_of("\">", open + 1);
  return close == std::string::npos ? std::string{} : line.substr(open + 1, close - open - 1);
}

/// Drops `prefix` from the front of `path`; says whether it was there.
bool drop(std::string& path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return false;
  path.erase(0, prefix.size());
  return true;
}

}  // namespace

std::vector<std::string> include_order_violations(std::string_view folder, std::string_view text) {
  std::vector<std::string> found;
  if (folder != "io" && rank(folder) < 0) {
    return {"folder '" + std::string(folder) + "' has no place in the include order"};
  }
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string written = included_path(line);
    std::string path = written;
    bool ours = drop(path, "linkwright/");
    while (drop(path, "../")) ours = true;
    drop(path, "linkwright/");
    const auto slash = path.find('/');
    const std::string to = path.substr(0, slash == std::string::npos ? 0 : slash);
    ours = ours || to == "io" || rank(to) >= 0;
    if (!ours || path == "error.hpp" || path == "version.hpp") continue;
    if (!may_include(folder, to)) {
      found.push_back("line " + std::to_string(number) + ": " + std::string(folder) +
                      "/ may not include '" + written + "'");
    }
  }
  return found;
}

std::vector<std::string> independence_violations(std::string_view own, std::string_view text) {
  std::vector<std::string> found;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string written = included_path(line);
    // The standard library and Eigen stand in brackets.
    const bool quoted = line.find('"') != std::string::npos;
    if (written.empty() || (!quoted && !written.starts_with("linkwright/"))) continue;
    const std::string name = written.substr(written.rfind('/') + 1);
    const bool allowed = written == "linkwright/error.hpp" ||
                         written.starts_with("linkwright/model/") ||
                         written.starts_with("linkwright/spatial/") || name.starts_with(own);
    if (!allowed)
      found.push_back("line " + std::to_string(number) + ": must share nothing with '" + written +
                      "'");
  }
  return found;
}

std::vector<std::string> text_violations(std::string_view text, int longest) {
  std::vector<std::string> found;
  // Spelled in halves so that this file passes its own rule.
  const std::array<std::string, 2> promises{std::string("TO") + "DO", std::string("FIX") + "ME"};
  std::istringstream lines{std::string(text)};
  std::string line;
  int number = 0;
  while (std::getline(lines, line)) {
    ++number;
    for (const auto& promise : promises) {
      if (line.find(promise) != std::string::npos) {
        found.push_back("line " + std::to_string(number) + ": " + promise);
      }
    }
  }
  if (number > longest) {
    found.push_back(std::to_string(number) + " lines, at most " + std::to_string(longest));
  }
  return found;
}

std::vector<std::string> foreign_storage_violations(std::string_view text) {
  static const std::regex type(R"(\n(?:struct|class) (\w+)[^;{]*\{)");
  static const std::regex array(
      R"(\n  (?:Eigen::(?:VectorXd|MatrixXd|Matrix<[^>]*>)|std::vector<Eigen::\w+>) [\w, ]+(?:\{\})?;)");
  std::vector<std::string> found;
  const std::string all(text);
  for (std::sregex_iterator it(all.begin(), all.end(), type), end; it != end; ++it) {
    const std::string name = (*it)[1];
    const auto first = static_cast<std::size_t>(it->position() + it->length());
    const std::string body = all.substr(first, all.find("\n}", first) - first);
    // "explicit inline" and a body in the header are code of the program that includes it.
    const std::regex made_elsewhere(R"((?:^|\n)  (?:explicit )?)" + name +
                                    R"(\([^)]*\)(?: noexcept)?;)");
    if (std::regex_search(body, array) && std::regex_search(body, made_elsewhere) &&
        body.find("~" + name) == std::string::npos)
      found.push_back(
          name +
          " owns arrays of Eigen that the library allocates and the program frees: write "
          "its constructors in the header, or its destructor in the library");
  }
  return found;
}

std::vector<std::string> shared_weak_symbols(std::string_view nm_output, std::string_view isa) {
  std::vector<std::string> found;
  std::istringstream lines{std::string(nm_output)};
  std::string line;
  while (std::getline(lines, line)) {
    const auto name_at = line.rfind(' ');
    if (name_at == std::string::npos || name_at < 2 || line[name_at - 2] != ' ') continue;
    const char kind = line[name_at - 1];
    const std::string name = line.substr(name_at + 1);
    const bool weak = kind == 'W' || kind == 'V' || kind == 'u';
    // A pointer to the personality routine, emitted for exception tables: data, the same
    // everywhere.
    const bool harmless = name.starts_with("DW.ref.");
    if (weak && !harmless && name.find(isa) == std::string::npos) found.push_back(name);
  }
  return found;
}

}  // namespace house
