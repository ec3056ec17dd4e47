#pragma once
/// How a reader takes mistakes, from what the caller asked.

#include "linkwright/io/read_options.hpp"
#include "model/problems.hpp"

namespace linkwright {

inline Problems::Strictness to_strictness(const ReadOptions& options) {
  return options.lenient ? Problems::Strictness::lenient : Problems::Strictness::strict;
}

}  // namespace linkwright
