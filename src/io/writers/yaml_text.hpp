#pragma once
/// Values of a system file as text: numbers that read back bit by bit, names in quotes where YAML needs them.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linkwright/spatial/spatial.hpp"

namespace linkwright::writers {

/// The shortest text that reads back as the same number. Throws Error for one that is not finite.
std::string yaml_number(double x, std::string_view thing);
/// In double quotes unless it is a plain word. Throws Error for text that is no UTF-8.
std::string yaml_text(std::string_view text);
/// [a, b, c]
std::string yaml_list(const std::vector<std::string>& items);
std::string yaml_names(const std::vector<std::string>& names);

/// {key: value, …} as it grows; `thing` stands in messages.
class FlowMap {
 public:
  explicit FlowMap(std::string thing) : thing_(std::move(thing)) {}

  /// A value that is YAML already.
  void add(std::string_view key, std::string value);
  /// The same for a key that is a name from the model.
  void add_named(std::string_view name, std::string value);
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, double value);
  /// Unless it is `missing`, which the reader takes for a key that is not there.
  void number_unless(std::string_view key, double value, double missing);
  void numbers(std::string_view key, const std::vector<double>& values);
  void vector(std::string_view key, const Vector3& value);
  void vector_unless_zero(std::string_view key, const Vector3& value);
  /// Unless it is the identity.
  void pose(std::string_view key, const Pose& value);

  [[nodiscard]] bool is_empty() const { return entries_.empty(); }
  [[nodiscard]] const std::string& thing() const { return thing_; }
  /// {a: 1, b: 2}
  [[nodiscard]] std::string inlined() const;
  /// "  - {a: 1, b: 2}" with a line end, broken where it is long.
  [[nodiscard]] std::string item() const;

 private:
  std::string thing_;
  std::vector<std::string> entries_;
};

}  // namespace linkwright::writers
