#pragma once
/// Look-up in the tables of io/vocabulary.hpp.

#include "linkwright/io/vocabulary.hpp"

namespace linkwright {

/// The words that are understood in an element of that kind; none for a kind that is not.
const ElementWords& words_of(std::span<const ElementWords> vocabulary, std::string_view kind);
bool holds(const std::vector<std::string_view>& words, std::string_view word);

}  // namespace linkwright
