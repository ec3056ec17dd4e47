#include "io/system_file/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/system_file/yaml_tree.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {

Yaml Yaml::parse(std::string_view text, const std::string& file) {
  return {parse_yaml_tree(text, file), std::make_shared<const std::string>(file), ""};
}

Yaml Yaml::called(std::string label) const { return {value_, file_, std::move(label)}; }

Yaml Yaml::called_by_name(std::string_view kind) const {
  const auto name = find("name");
  if (!name || !name->is_scalar()) return *this;
  return called(fmt::format("{} {}", kind, in_quotes(name->value_->scalar)));
}

Yaml Yaml::below(std::shared_ptr<const YamlValue> value, std::string_view key) const {
  return {std::move(value), file_,
          label_.empty() ? std::string(key) : fmt::format("{}: {}", label_, key)};
}

void Yaml::fail(std::string_view message) const {
  throw Error(source(),
              label_.empty() ? std::string(message) : fmt::format("{}: {}", label_, message));
}

std::string Yaml::description() const {
  switch (value_->kind) {
    case YamlValue::Kind::null:
      return "nothing";
    case YamlValue::Kind::list:
      return fmt::format("a list of {}", value_->items.size());
    case YamlValue::Kind::map:
      return "a map";
    case YamlValue::Kind::scalar:
      return in_quotes(value_->scalar);
  }
  return "nothing";
}

void Yaml::allow_keys(std::initializer_list<system_file::Section> sections) const {
  if (!is_map()) fail(fmt::format("expected `key: value` pairs, got {}", description()));
  std::vector<std::string> names;
  for (const system_file::Section section : sections)
    for (const std::string_view key : system_file::keys_of(section).keys)
      if (std::find(names.begin(), names.end(), key) == names.end()) names.emplace_back(key);
  for (const YamlValue::Entry& entry : value_->entries) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    std::string hint = did_you_mean(entry.key, names);
    if (hint.empty()) hint = fmt::format("; known keys: {}", fmt::join(names, ", "));
    throw Error(Source{*file_, entry.line},
                fmt::format("{}{}unknown key {}{}", label_, label_.empty() ? "" : ": ",
                            in_quotes(entry.key), hint));
  }
}

bool Yaml::has(std::string_view key) const { return find(key).has_value(); }

std::optional<Yaml> Yaml::find(std::string_view key) const {
  for (const YamlValue::Entry& entry : value_->entries)
    if (entry.key == key) return below(entry.value, key);
  return std::nullopt;
}

Yaml Yaml::at(std::string_view key) const {
  if (auto found = find(key)) return *found;
  fail(fmt::format("the key '{}' is missing", key));
}

std::vector<std::pair<std::string, Yaml>> Yaml::entries() const {
  if (!is_map()) fail(fmt::format("expected `key: value` pairs, got {}", description()));
  std::vector<std::pair<std::string, Yaml>> found;
  for (const YamlValue::Entry& entry : value_->entries)
    found.emplace_back(entry.key, below(entry.value, entry.key));
  return found;
}

std::vector<Yaml> Yaml::list(std::string_view key) const {
  const auto found = find(key);
  if (!found || found->is_null()) return {};
  return found->items();
}

std::vector<Yaml> Yaml::items() const {
  if (!is_list()) fail(fmt::format("expected a list, got {}", description()));
  std::vector<Yaml> found;
  found.reserve(value_->items.size());
  for (std::size_t i = 0; i < value_->items.size(); ++i)
    found.push_back({value_->items[i], file_, fmt::format("{}[{}]", label_, i)});
  return found;
}

std::string Yaml::text() const {
  if (!is_scalar()) fail(fmt::format("expected a text, got {}", description()));
  if (value_->scalar.empty()) fail("is empty; expected a text");
  return value_->scalar;
}

double Yaml::number() const {
  if (!is_scalar()) fail(fmt::format("expected a number, got {}", description()));
  const auto value = parse_number(value_->scalar);
  if (!value) fail(explain_bad_number(value_->scalar));
  return *value;
}

int Yaml::whole_number() const {
  const double value = number();
  if (value != std::floor(value) || std::abs(value) > 1e9)
    fail(fmt::format("{} is not a whole number", value));
  return static_cast<int>(value);
}

bool Yaml::truth() const {
  if (is_scalar() && value_->scalar == "true") return true;
  if (is_scalar() && value_->scalar == "false") return false;
  fail(fmt::format("expected true or false, got {}", description()));
}

std::vector<double> Yaml::numbers() const {
  std::vector<double> values;
  for (const Yaml& item : items()) values.push_back(item.number());
  return values;
}

std::vector<double> Yaml::exactly(std::size_t count) const {
  if (!is_list() || value_->items.size() != count)
    fail(fmt::format("expected a list of {} numbers, got {}", count, description()));
  return numbers();
}

Vector3 Yaml::vector3() const {
  const auto v = exactly(3);
  return {v[0], v[1], v[2]};
}

std::array<double, 6> Yaml::six_numbers() const {
  const auto v = exactly(6);
  return {v[0], v[1], v[2], v[3], v[4], v[5]};
}

std::string Yaml::text_or(std::string_view key, std::string_view missing) const {
  const auto found = find(key);
  return found ? found->text() : std::string(missing);
}

double Yaml::number_or(std::string_view key, double missing) const {
  const auto found = find(key);
  return found ? found->number() : missing;
}

Vector3 Yaml::vector3_or(std::string_view key, const Vector3& missing) const {
  const auto found = find(key);
  return found ? found->vector3() : missing;
}

}  // namespace linkwright
