#pragma once
/// Helpers for tests that read files: the shared folder, temporary files, the text of an error.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/error.hpp"
#include "linkwright/model/model.hpp"
#include "linkwright/model/validation.hpp"

#ifndef LINKWRIGHT_SHARED_DIR
#define LINKWRIGHT_SHARED_DIR ""
#endif

namespace linkwright::testing {

/// A folder of the shared material, or an empty path where it is not there.
inline std::filesystem::path shared_folder(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(LINKWRIGHT_SHARED_DIR) / name;
  std::error_code trouble;
  return !std::string_view(LINKWRIGHT_SHARED_DIR).empty() &&
                 std::filesystem::is_directory(folder, trouble)
             ? folder
             : std::filesystem::path{};
}

/// The files of a folder with that extension, in order of name.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   const std::string& extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// The message of the linkwright::Error that `action` throws; empty when it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Whether some warning of the model has all these parts.
inline bool warns(const std::vector<Warning>& warnings, const std::vector<std::string>& parts) {
  for (const Warning& warning : warnings) {
    bool all = true;
    for (const std::string& part : parts) all = all && contains(warning.text(), part);
    if (all) return true;
  }
  return false;
}

inline std::string all_texts(const std::vector<Warning>& warnings) {
  std::string text;
  for (const Warning& warning : warnings) text += warning.text() + "\n";
  return text;
}

/// A model that was read, with what `validate` says about it among its warnings.
inline Model judged(Model model) {
  for (Warning& warning : validate(model)) model.warnings.push_back(std::move(warning));
  return model;
}

/// A folder that is removed when the test is over.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "linkwright_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace linkwright::testing

/// Leaves the test, saying aloud what was not checked.
#define LINKWRIGHT_SKIP_WITHOUT(folder, what)                                                \
  if ((folder).empty()) {                                                                    \
    std::cout << "skipped: " << (what) << " (no shared folder at '" << LINKWRIGHT_SHARED_DIR \
              << "')\n";                                                                     \
    GTEST_SKIP() << (what) << ": no shared folder";                                          \
  }
