#pragma once
/// Whole text files, with the limits and refusals that every reader shares.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "linkwright/model/model.hpp"

namespace linkwright {

inline constexpr std::size_t max_file_bytes = std::size_t{64} << 20;

/// The text of a file. Throws Error for a missing file, a folder, one that cannot be read or is too
/// large; `expected` says what the file should be.
std::string read_text_file(const std::filesystem::path& path,
                           std::string_view expected = "a model file");

/// Throws Error for text that is too large, empty or not text at all.
void check_text(std::string_view text, const std::string& name);

/// Of XML the name of the first element, behind declarations and comments.
std::string_view root_tag(std::string_view text);

/// What a model keeps of the file it was read from.
SourceText to_source(std::string_view text, const std::string& path);

}  // namespace linkwright
