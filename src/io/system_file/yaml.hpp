#pragma once
/// YAML values that know where they stand, so that every message has file, line and owner.
/// Built on yaml-cpp's events, which give a line for every key and let us bound nesting and
/// aliases.

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/system_file/keys.hpp"
#include "linkwright/error.hpp"
#include "linkwright/spatial/spatial.hpp"

namespace linkwright {

/// The parsed tree; an alias shares the value of its anchor.
struct YamlValue {
  enum class Kind { null, scalar, list, map };
  struct Entry {
    std::string key;
    std::shared_ptr<const YamlValue> value;
    int line = 0;
  };
  Kind kind = Kind::null;
  int line = 0;
  std::string scalar;
  std::vector<std::shared_ptr<const YamlValue>> items;
  std::vector<Entry> entries;
};

/// One value of a document, with the words that messages call it by.
class Yaml {
 public:
  /// Throws Error with the line for text that is not one YAML document.
  static Yaml parse(std::string_view text, const std::string& file);

  [[nodiscard]] Source source() const { return {*file_, value_->line}; }
  [[nodiscard]] bool is_null() const { return value_->kind == YamlValue::Kind::null; }
  [[nodiscard]] bool is_scalar() const { return value_->kind == YamlValue::Kind::scalar; }
  [[nodiscard]] bool is_list() const { return value_->kind == YamlValue::Kind::list; }
  [[nodiscard]] bool is_map() const { return value_->kind == YamlValue::Kind::map; }

  /// The same value under another name in messages, such as "joint 'elbow'".
  [[nodiscard]] Yaml called(std::string label) const;
  /// Called by its kind and the text under `name:`, where there is one.
  [[nodiscard]] Yaml called_by_name(std::string_view kind) const;

  /// Throws unless this is a map with no other keys than those of the section, or of any of several
  /// that it may turn out to be.
  void allow_keys(system_file::Section section) const { allow_keys({section}); }
  void allow_keys(std::initializer_list<system_file::Section> sections) const;
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] std::optional<Yaml> find(std::string_view key) const;
  [[nodiscard]] Yaml at(std::string_view key) const;
  /// The keys of a map, with their values.
  [[nodiscard]] std::vector<std::pair<std::string, Yaml>> entries() const;
  /// The items of a list; an absent or empty value is an empty list.
  [[nodiscard]] std::vector<Yaml> list(std::string_view key) const;
  [[nodiscard]] std::vector<Yaml> items() const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] int whole_number() const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] std::vector<double> numbers() const;
  [[nodiscard]] Vector3 vector3() const;
  [[nodiscard]] std::array<double, 6> six_numbers() const;

  [[nodiscard]] std::string text_or(std::string_view key, std::string_view missing) const;
  [[nodiscard]] double number_or(std::string_view key, double missing) const;
  [[nodiscard]] Vector3 vector3_or(std::string_view key, const Vector3& missing) const;

  [[noreturn]] void fail(std::string_view message) const;

 private:
  Yaml(std::shared_ptr<const YamlValue> value, std::shared_ptr<const std::string> file,
       std::string label)
      : value_(std::move(value)), file_(std::move(file)), label_(std::move(label)) {}

  [[nodiscard]] Yaml below(std::shared_ptr<const YamlValue> value, std::string_view key) const;
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::vector<double> exactly(std::size_t count) const;

  std::shared_ptr<const YamlValue> value_;
  std::shared_ptr<const std::string> file_;
  std::string label_;
};

}  // namespace linkwright
