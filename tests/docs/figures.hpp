#pragma once
/// The figures of the pages that the library draws itself.

#include <string>

namespace docs {

/// docs/figures/operator_sparsity.svg: the operators of the bundled quadruped.
/// `root` is the repository's.
std::string operator_sparsity(const std::string& root);

}  // namespace docs
