#include <fmt/format.h>

#include <cmath>

#include "io/mesh/formats.hpp"
#include "io/mesh/mesh_files.hpp"
#include "io/text_file.hpp"
#include "linkwright/error.hpp"
#include "linkwright/io/number.hpp"

namespace linkwright::mesh {
namespace {

/// Reads "v x y z", "f a b c …" and the colours that "usemtl" takes from the files of "mtllib";
/// normals, textures and groups do not matter here.
class ObjReader {
 public:
  ObjReader(const std::string& name, const std::filesystem::path& folder)
      : source_{name}, folder_(folder), builders_(name) {}

  void read_line(std::string_view line) {
    ++source_.line;
    const std::string_view kind = next_word(line);
    if (kind == "v") read_corner(line);
    if (kind == "f") read_face(line);
    if (kind == "mtllib") read_library(std::string(trimmed(line)));
    if (kind == "usemtl") {
      const auto found = materials_.find(trimmed(line));
      colour_ = found == materials_.end() ? std::nullopt : found->second;
    }
  }

  std::vector<Mesh> finish() && { return std::move(builders_).finish(); }

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

  /// One file, or several whose names have no blanks.
  void read_library(const std::string& names) {
    if (!find_inside(folder_, names).empty()) return add_materials(names);
    std::string_view rest = names;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest))
      add_materials(std::string(word));
  }

  /// A library that is missing leaves the mesh without colours, as those of many robots are.
  void add_materials(const std::string& file) {
    const std::filesystem::path path = find_inside(folder_, file);
    if (path.empty()) return;
    try {
      materials_.merge(parse_materials(read_text_file(path)));
    } catch (const Error&) {  // too large to be one
    }
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
      if (seen >= 2)
        builders_.of(colour_).add_triangle(triangle, "line " + std::to_string(source_.line));
    }
    if (seen < 3)
      throw Error(source_, fmt::format("a face has {} corners; expected three or more", seen));
  }

  Source source_;
  std::filesystem::path folder_;
  ColourBuilders builders_;
  std::map<std::string, Colour, std::less<>> materials_;
  Colour colour_;
  std::vector<std::array<double, 3>> corners_;
};

}  // namespace

std::vector<Mesh> parse_obj(std::string_view text, const std::string& name,
                            const std::filesystem::path& folder) {
  ObjReader reader(name, folder);
  while (!text.empty()) reader.read_line(next_line(text));
  return std::move(reader).finish();
}

}  // namespace linkwright::mesh
