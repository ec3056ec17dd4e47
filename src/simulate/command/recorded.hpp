#pragma once
/// Columns of recordings, which files with inputs and references may carry along.

#include <string>
#include <unordered_set>

#include "linkwright/simulate/channels.hpp"

namespace linkwright {

/// The columns that `simulate` can write for some equations; listed when first asked for.
class RecordedColumns {
 public:
  explicit RecordedColumns(const Equations& equations) : equations_(&equations) {}

  [[nodiscard]] bool has(const std::string& column) {
    if (names_.empty()) {
      const Channels all(*equations_, Channels::known(*equations_));
      for (const Column& known : all.columns()) names_.insert(known.name);
    }
    return names_.contains(column);
  }

 private:
  const Equations* equations_;
  std::unordered_set<std::string> names_;
};

}  // namespace linkwright
