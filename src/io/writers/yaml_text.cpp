#include "io/writers/yaml_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/spatial/group.hpp"
#include "linkwright/spatial/rpy.hpp"

namespace linkwright::writers {
namespace {

constexpr std::size_t longest_line = 118, longest_key = 1000;  // YAML: a key in 1024 characters

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A word that no YAML parser takes for a number, a truth value or nothing.
bool is_plain(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return false;
  for (const std::string_view word : {"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
    if (std::equal(text.begin(), text.end(), word.begin(), word.end(),
                   [](char a, char b) { return (a | 0x20) == b; }))
      return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '/' || c == '.';
  });
}

/// The length of the UTF-8 character that `text` begins with; 0 where it begins with none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(1);
  const bool is_other = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return is_other ? 0 : length;
}

bool is_same(const Matrix3& a, const Matrix3& b) {
  return a.xx == b.xx && a.xy == b.xy && a.xz == b.xz && a.yx == b.yx && a.yy == b.yy &&
         a.yz == b.yz && a.zx == b.zx && a.zy == b.zy && a.zz == b.zz;
}

/// The number that a person would have typed: 15 digits, and whole turns less.
double rounded(double x) {
  if (std::abs(x) < 1e-12 || std::abs(std::abs(x) - 2 * M_PI) < 1e-12) return 0;
  return std::stod(fmt::format("{:.15g}", x));
}

/// The angles that a rotation may have been typed as: both ways to pitch, with 15 digits and with all.
std::array<Vector3, 4> possible_angles(const Matrix3& R) {
  const Vector3 a = spatial::to_rpy(R);
  const auto around = [](double x) { return x > 0 ? x - M_PI : x + M_PI; };
  const Vector3 b{around(a.x), (a.y < 0 ? -M_PI : M_PI) - a.y, around(a.z)};
  const auto typed = [](const Vector3& v) {
    return Vector3{rounded(v.x), rounded(v.y), rounded(v.z)};
  };
  return {typed(a), typed(b), a, b};
}

/// By angles where they give the same bits, by a quaternion where that does, else by its nine numbers.
void add_rotation(const Matrix3& R, FlowMap& map) {
  if (is_same(R, Matrix3::identity())) return;
  for (const Vector3& rpy : possible_angles(R))
    if (is_same(spatial::from_rpy(rpy), R)) return map.vector("rpy", rpy);
  const Quaternion q = spatial::to_quaternion(R);
  if (is_same(spatial::to_matrix(q), R)) return map.numbers("quaternion", {q.w, q.x, q.y, q.z});
  const auto row = [&](double x, double y, double z) {
    return yaml_list(
        {yaml_number(x, map.thing()), yaml_number(y, map.thing()), yaml_number(z, map.thing())});
  };
  map.add("rotation",
          yaml_list({row(R.xx, R.xy, R.xz), row(R.yx, R.yy, R.yz), row(R.zx, R.zy, R.zz)}));
}

}  // namespace

std::string yaml_number(double x, std::string_view thing) {
  if (!std::isfinite(x))
    throw Error(
        fmt::format("{}: {} is no finite number and cannot be written; expected a finite "
                    "one",
                    thing, x));
  return fmt::format("{}", x + 0.0);  // not -0
}

std::string yaml_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string quoted = "\"";
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    if (length == 0)
      throw Error(
          fmt::format("the name {} is no UTF-8 text and cannot be written in a YAML file; "
                      "rename it",
                      in_quotes(text)));
    const char c = rest.front();
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7F))
      quoted += fmt::format("\\x{:02X}", static_cast<unsigned>(c));
    else
      quoted += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return quoted + '"';
}

std::string yaml_list(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string yaml_names(const std::vector<std::string>& names) {
  std::vector<std::string> items;
  items.reserve(names.size());
  for (const std::string& name : names) items.push_back(yaml_text(name));
  return yaml_list(items);
}

void FlowMap::add(std::string_view key, std::string value) {
  entries_.push_back(fmt::format("{}: {}", key, value));
}

void FlowMap::add_named(std::string_view name, std::string value) {
  const std::string key = yaml_text(name);
  if (key.size() > longest_key || name == "<<")
    throw Error(fmt::format("{}: the name {} cannot be a key of a YAML file; rename it", thing_,
                            in_quotes(name)));
  add(key, std::move(value));
}

void FlowMap::text(std::string_view key, std::string_view value) { add(key, yaml_text(value)); }

void FlowMap::number(std::string_view key, double value) {
  add(key, yaml_number(value, fmt::format("{}: {}", thing_, key)));
}

void FlowMap::number_unless(std::string_view key, double value, double missing) {
  if (value != missing) number(key, value);
}

void FlowMap::numbers(std::string_view key, const std::vector<double>& values) {
  std::vector<std::string> items;
  items.reserve(values.size());
  for (const double x : values) items.push_back(yaml_number(x, fmt::format("{}: {}", thing_, key)));
  add(key, yaml_list(items));
}

void FlowMap::vector(std::string_view key, const Vector3& value) {
  numbers(key, {value.x, value.y, value.z});
}

void FlowMap::vector_unless_zero(std::string_view key, const Vector3& value) {
  if (value.x != 0 || value.y != 0 || value.z != 0) vector(key, value);
}

void FlowMap::pose(std::string_view key, const Pose& value) {
  FlowMap map(fmt::format("{}: {}", thing_, key));
  map.vector_unless_zero("xyz", value.translation);
  add_rotation(value.rotation, map);
  if (!map.is_empty()) add(key, map.inlined());
}

std::string FlowMap::inlined() const { return fmt::format("{{{}}}", fmt::join(entries_, ", ")); }

std::string FlowMap::item() const {
  std::string done, line = "  - {";
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string entry = entries_[i] + (i + 1 < entries_.size() ? "," : "");
    if (i > 0 && line.size() + entry.size() >= longest_line) {
      done += line + '\n';
      line = "    ";
    } else if (i > 0) {
      line += ' ';
    }
    line += entry;
  }
  return done + line + "}\n";
}

}  // namespace linkwright::writers
