// The rules of the house, applied to the tree as it stands.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "house/rules.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = LINKWRIGHT_SOURCE_DIR;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".hpp" || extension == ".cpp" || extension == ".h" || extension == ".inl") {
      files.push_back(entry.path());
    }
  }
  return files;
}

void complain(const fs::path& file, const std::vector<std::string>& violations) {
  for (const auto& violation : violations) {
    ADD_FAILURE() << fs::relative(file, kRoot).string() << ": " << violation;
  }
}

TEST(tree, folders_include_only_folders_to_their_left) {
  int seen = 0;
  for (const auto& base : {kRoot / "include/linkwright", kRoot / "src"}) {
    for (const auto& file : sources_below(base)) {
      const fs::path inside = fs::relative(file, base);
      if (inside.has_parent_path()) {
        ++seen;
        const std::string folder = inside.begin()->string();
        complain(file, house::include_order_violations(folder, contents(file)));
      }
    }
  }
  EXPECT_GT(seen, 0) << "no sources found below " << kRoot;
}

/// The formulation that proves the others must not lean on what it proves.
TEST(tree, absolute_coordinates_share_nothing_but_the_model) {
  const std::string own = "absolute_coordinates";
  int seen = 0;
  for (const auto& base : {kRoot / "include/linkwright/verify", kRoot / "src/verify"}) {
    for (const auto& file : sources_below(base)) {
      if (!file.filename().string().starts_with(own)) continue;
      ++seen;
      complain(file, house::independence_violations(own, contents(file)));
    }
  }
  EXPECT_GE(seen, 5);
}

/// The arithmetic below `spatial.hpp` and the sweeps are read by those who write recursions.
TEST(tree, public_headers_show_an_example) {
  int seen = 0;
  for (const auto& file : sources_below(kRoot / "include/linkwright")) {
    const std::string folder = file.parent_path().filename().string();
    if (folder == "sweeps" || (folder == "spatial" && file.filename() != "spatial.hpp")) continue;
    ++seen;
    EXPECT_NE(contents(file).find("\n///     "), std::string::npos)
        << file << ": show in its head how it is used, indented by four";
  }
  EXPECT_GE(seen, 30);
}

TEST(tree, storage_is_freed_where_it_was_made) {
  int seen = 0;
  for (const auto& file : sources_below(kRoot / "include/linkwright")) {
    ++seen;
    complain(file, house::foreign_storage_violations(contents(file)));
  }
  EXPECT_GT(seen, 0);
}

TEST(tree, files_are_short_and_promise_nothing) {
  for (const char* folder : {"include", "src", "apps"}) {
    for (const auto& file : sources_below(kRoot / folder)) {
      complain(file, house::text_violations(contents(file), 500));
    }
  }
}

/// What a command prints, and whether it ran and succeeded.
std::pair<std::string, bool> output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {text, false};
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe) != nullptr) {
    text += buffer.data();
  }
  return {text, pclose(pipe) == 0};
}

TEST(tree, kernel_symbols) {
  const std::array<std::pair<std::string, std::string>, 2> kernels{
      {{"avx2", LINKWRIGHT_AVX2_OBJECTS}, {"avx512", LINKWRIGHT_AVX512_OBJECTS}}};
  int seen = 0;
  for (const auto& [isa, objects] : kernels) {
    std::istringstream paths(objects);
    for (std::string object; std::getline(paths, object, ':');) {
      if (!fs::exists(object)) continue;
      const auto [symbols, ran] = output_of("nm --defined-only '" + object + "' 2>/dev/null");
      if (!ran) GTEST_SKIP() << "no nm: the kernels' weak symbols were not checked";
      ++seen;
      for (const auto& name : house::shared_weak_symbols(symbols, isa)) {
        ADD_FAILURE() << isa << " kernels define the weak symbol " << name;
      }
    }
  }
  if (seen == 0) GTEST_SKIP() << "this build has baseline kernels only: no weak symbols to check";
}

}  // namespace
