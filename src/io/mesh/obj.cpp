#include <fmt/format.h>

#include <cmath>

#include "io/mesh/formats.hpp"
#include "linkwright/error.hpp"
#include "linkwright/io/number.hpp"

namespace linkwright::mesh {
namespace {

/// Reads "v x y z" and "f a b c …"; colours, normals, textures and groups do not matter here.
class ObjReader {
 public:
  explicit ObjReader(const std::string& name) : source_{name}, builder_(name) {}

  void read_line(std::string_view line) {
    ++source_.line;
    const std::string_view kind = next_word(line);
    if (kind == "v") read_corner(line);
    if (kind == "f") read_face(line);
  }

  Mesh finish() && { return std::move(builder_).finish(); }

 private:
  void read_corner(std::string_view rest) {
    std::array<double, 3> corner{};
    for (double& x : corner) {
      const std::string_view word = next_word(rest);
      const auto value = parse_number(word);
      if (!value) throw Error(source_, "\"v\" " + explain_bad_number(word));
      x = *value;
    }
    corners_.push_back(corner);
  }

  /// "7", "7/1/2" or "-1" (the last corner so far).
  const std::array<double, 3>& corner_of(std::string_view word) const {
    const auto count = static_cast<double>(corners_.size());
    const auto number = parse_number(word.substr(0, word.find('/')));
    if (number && *number == std::floor(*number)) {
      const double index = *number < 0 ? count + *number : *number - 1;
      if (index >= 0 && index < count) return corners_[static_cast<std::size_t>(index)];
    }
    throw Error(source_, fmt::format("\"f\" names corner '{}', but {} corners are given so far",
                                     word.substr(0, 20), corners_.size()));
  }

  /// A face of more than three corners becomes a fan.
  void read_face(std::string_view rest) {
    std::array<std::array<double, 3>, 3> triangle{};
    std::size_t seen = 0;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest), ++seen) {
      if (seen > 2) triangle[1] = triangle[2];
      triangle[std::min<std::size_t>(seen, 2)] = corner_of(word);
      if (seen >= 2) builder_.add_triangle(triangle, "line " + std::to_string(source_.line));
    }
    if (seen < 3)
      throw Error(source_, fmt::format("a face has {} corners; expected three or more", seen));
  }

  Source source_;
  Builder builder_;
  std::vector<std::array<double, 3>> corners_;
};

}  // namespace

Mesh parse_obj(std::string_view text, const std::string& name) {
  ObjReader reader(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader).finish();
}

}  // namespace linkwright::mesh
