#include "io/element_words.hpp"

#include <algorithm>

namespace linkwright {

const ElementWords& words_of(std::span<const ElementWords> vocabulary, std::string_view kind) {
  static const ElementWords nothing{};
  for (const ElementWords& element : vocabulary)
    if (element.kind == kind) return element;
  return nothing;
}

bool holds(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace linkwright
