#include "io/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

[[noreturn]] void refuse_size(const std::string& name) {
  throw Error(Source{name}, fmt::format("the file is larger than {} MiB; a model description is "
                                        "text, keep meshes and recordings in files of their own",
                                        max_file_bytes >> 20));
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::string_view expected) {
  const std::string name = path.string();
  std::error_code trouble;
  const auto status = std::filesystem::status(path, trouble);
  if (!std::filesystem::exists(status))
    throw Error(Source{name}, "there is no such file; check the path");
  if (std::filesystem::is_directory(status))
    throw Error(Source{name}, fmt::format("this is a folder; expected {}", expected));
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw Error(Source{name}, fmt::format("the file cannot be opened ({}); check its permissions",
                                          errno == 0 ? "unknown reason" : std::strerror(errno)));
  std::string text;
  std::array<char, 65536> piece{};
  while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > max_file_bytes) refuse_size(name);
  }
  if (stream.bad()) throw Error(Source{name}, "the file cannot be read to its end; try again");
  return text;
}

void check_text(std::string_view text, const std::string& name) {
  if (text.size() > max_file_bytes) refuse_size(name);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(Source{name}, "the file is empty; expected a model description");
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos)
    throw Error(Source{name}, fmt::format("byte {} is zero, so this is a binary or UTF-16 file; "
                                          "expected UTF-8 text",
                                          nul + 1));
}

std::string_view root_tag(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with("!--")) {
      at = text.find("-->", at);
      if (at == std::string_view::npos) break;
    } else if (!rest.starts_with('?') && !rest.starts_with('!')) {
      return rest.substr(0, rest.find_first_of(" \t\r\n/>"));
    }
  }
  return {};
}

SourceText to_source(std::string_view text, const std::string& path) {
  return {std::filesystem::path(path).filename().string(), std::string(text)};
}

}  // namespace linkwright
