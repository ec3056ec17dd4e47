#pragma once
/// Reads the small comma-separated tables of published numbers.

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace linkwright::testing {

/// Rows of fields; '#' lines are skipped, quotes protect commas.
inline std::vector<std::vector<std::string>> read_csv(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char ch : line) {
      if (ch == '"')
        quoted = !quoted;
      else if (ch == ',' && !quoted)
        fields.emplace_back();
      else if (ch != '\r')
        fields.back() += ch;
    }
    rows.push_back(std::move(fields));
  }
  return rows;
}

}  // namespace linkwright::testing

/// Ends a test that needs a file of the shared folder when that folder is absent, saying so.
#define SKIP_WITHOUT_SHARED(path)                                           \
  if (!std::ifstream(path)) {                                               \
    std::cout << "skipped: needs " << (path) << ", which is not present\n"; \
    GTEST_SKIP() << "needs " << (path);                                     \
  }
