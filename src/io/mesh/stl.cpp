#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "io/mesh/formats.hpp"
#include "linkwright/error.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mesh {
namespace {

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

std::size_t bytes_of(std::uint32_t triangles) {
  return header_bytes + triangle_bytes * std::size_t{triangles};
}

/// 80 bytes of anything, a count, then per triangle a normal, three corners and two spare bytes.
Mesh parse_binary(std::string_view text, const std::string& name) {
  const std::uint32_t count = little_endian(text, header_bytes - 4);
  if (bytes_of(count) > text.size())
    throw Error(Source{name},
                fmt::format("the file says {} triangles, which take {} bytes, but has "
                            "{} bytes; it is cut off or not an STL file",
                            count, bytes_of(count), text.size()));
  Builder builder(name);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t corner = bytes_of(i) + 12;
    std::array<std::array<double, 3>, 3> corners{};
    for (std::size_t k = 0; k < 9; ++k)
      corners[k / 3][k % 3] =
          static_cast<double>(std::bit_cast<float>(little_endian(text, corner + 4 * k)));
    builder.add_triangle(corners, fmt::format("triangle {}", i + 1));
  }
  return std::move(builder).finish();
}

double coordinate(std::string_view& rest, const std::string& where, const std::string& name) {
  const std::string_view word = next_word(rest);
  const auto value = parse_number(word);
  if (value) return *value;
  throw Error(Source{name}, word.empty() ? where + ": the file ends too early"
                                         : where + ": " + explain_bad_number(word));
}

/// "solid …  facet normal … outer loop vertex x y z (three times) endloop endfacet … endsolid".
Mesh parse_words(std::string_view text, const std::string& name) {
  Builder builder(name);
  std::array<std::array<double, 3>, 3> corners{};
  std::size_t seen = 0, triangles = 0;
  bool ended = false;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    ended = word == "endsolid" || (ended && word != "solid");
    if (word != "vertex") continue;
    for (double& x : corners[seen])
      x = coordinate(text, fmt::format("triangle {}", triangles + 1), name);
    seen = (seen + 1) % 3;
    if (seen == 0) builder.add_triangle(corners, fmt::format("triangle {}", ++triangles));
  }
  if (seen != 0 || !ended)
    throw Error(Source{name}, fmt::format("the file ends after {} triangles without \"endsolid\"; "
                                          "it is cut off",
                                          triangles));
  return std::move(builder).finish();
}

}  // namespace

Mesh parse_stl(std::string_view text, const std::string& name) {
  // Binary files may begin with "solid" too, so an exact size decides first.
  const bool fits =
      text.size() >= header_bytes && bytes_of(little_endian(text, header_bytes - 4)) == text.size();
  std::string_view rest = text;
  const bool solid = next_word(rest) == "solid";
  if (!fits && solid) return parse_words(text, name);
  if (text.size() >= header_bytes) return parse_binary(text, name);
  throw Error(Source{name}, fmt::format("the file has {} bytes; an STL file begins with \"solid\" "
                                        "or has at least {} bytes",
                                        text.size(), header_bytes));
}

}  // namespace linkwright::mesh
