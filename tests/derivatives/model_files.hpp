#pragma once
/// Every model file of a folder, on a fixed and, a URDF, on a free base.
///
///     const int count = for_each_model(folder, [](const System& system, const std::string& name) { … });

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "linkwright/io/read_model.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::testing {

/// Answers how many were judged. Files that cannot be read are skipped with a line; what `judge` throws is not.
template <class Judge>
int for_each_model(const std::filesystem::path& folder, const Judge& judge) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path& file = entry.path();
    const bool urdf = file.extension() == ".urdf";
    if (!urdf && (file.extension() != ".yaml" || file.stem().extension() == ".closures")) continue;
    for (const Base base : {Base::fixed, Base::free}) {
      if (base == Base::free && !urdf) continue;
      const std::string name = file.filename().string() + (base == Base::free ? " (free)" : "");
      SCOPED_TRACE(name);
      std::optional<System> system;
      try {
        system.emplace(compile(read_model(file, {.base = base})));
      } catch (const Error& error) {
        std::cout << "skipped: " << error.what() << "\n";
        continue;
      }
      if (system->nv() == 0) continue;
      judge(*system, name);
      ++count;
    }
  }
  return count;
}

}  // namespace linkwright::testing
