#pragma once
/// The rules of the house as functions of plain text, so that each can be shown to catch a culprit.

#include <string>
#include <string_view>
#include <vector>

namespace house {

/// Complaints about the includes of one file that lives in `folder` of include/linkwright or src.
std::vector<std::string> include_order_violations(std::string_view folder, std::string_view text);

/// Complaints about the includes of a file that must share nothing with the rest of the library but the
/// Model: of ours it may include spatial/, model/, error.hpp and files whose names begin with `own`.
std::vector<std::string> independence_violations(std::string_view own, std::string_view text);

/// Complaints about the length of a file and about promises left in it instead of kept.
std::vector<std::string> text_violations(std::string_view text, int longest);

/// Types of a public header that own Eigen's arrays, are made by code of the library, and are freed by
/// code of the program that uses it, whose compiler flags may ask for another alignment.
std::vector<std::string> foreign_storage_violations(std::string_view text);

/// Weak symbols in the output of `nm` that belong to no namespace of this instruction set: the
/// linker keeps one of several equal weak symbols, and it might keep the one an old machine cannot
/// run.
std::vector<std::string> shared_weak_symbols(std::string_view nm_output, std::string_view isa);

}  // namespace house
