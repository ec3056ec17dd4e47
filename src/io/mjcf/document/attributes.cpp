#include "io/mjcf/document/attributes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {

std::optional<std::vector<double>> read_numbers(const XmlElement& element, std::string_view name,
                                                std::size_t least, std::size_t most) {
  if (!element.attribute(name)) return std::nullopt;
  std::vector<double> values = element.number_list(name);
  if (values.size() < least || values.size() > most)
    element.fail(fmt::format("attribute {} = {} has {} number(s); expected {}", name,
                             in_quotes(*element.attribute(name)), values.size(),
                             least == most ? std::to_string(least)
                             : most > 1000 ? fmt::format("at least {}", least)
                                           : fmt::format("{} to {}", least, most)));
  return values;
}

std::optional<std::string> read_word(const XmlElement& element, std::string_view name,
                                     std::initializer_list<const char*> words) {
  const auto text = element.attribute(name);
  if (!text) return std::nullopt;
  const std::string word(trimmed(*text));
  std::string known;
  for (const char* candidate : words) {
    if (word == candidate) return word;
    known += (known.empty() ? "" : ", ") + std::string(candidate);
  }
  element.fail(
      fmt::format("attribute {} = {} is unknown{}; expected one of {}", name, in_quotes(word),
                  did_you_mean(word, std::vector<std::string>(words.begin(), words.end())), known));
}

std::optional<bool> read_flag(const XmlElement& element, std::string_view name) {
  const auto word = read_word(element, name, {"true", "false"});
  return word ? std::optional(*word == "true") : std::nullopt;
}

std::optional<XmlElement> Attributes::holder(std::string_view name) const {
  for (const XmlElement& element : chain_)
    if (element.attribute(name)) return element;
  return std::nullopt;
}

std::optional<std::string> Attributes::text(std::string_view name) const {
  const auto element = holder(name);
  if (!element) return std::nullopt;
  return std::string(*element->attribute(name));
}

std::optional<double> Attributes::number(std::string_view name) const {
  const auto element = holder(name);
  return element ? element->number(name) : std::nullopt;
}

double Attributes::number(std::string_view name, double otherwise) const {
  return number(name).value_or(otherwise);
}

int Attributes::integer(std::string_view name, int otherwise) const {
  const auto element = holder(name);
  if (!element) return otherwise;
  const double value = element->required_number(name);
  if (value != std::floor(value) || std::abs(value) > 1e9)
    element->fail(fmt::format("attribute {} is {}; expected a whole number", name, value));
  return static_cast<int>(value);
}

std::optional<Vector3> Attributes::vector3(std::string_view name) const {
  const auto element = holder(name);
  return element ? element->vector3(name) : std::nullopt;
}

std::optional<std::vector<double>> Attributes::numbers(std::string_view name, std::size_t least,
                                                       std::size_t most) const {
  const auto element = holder(name);
  return element ? read_numbers(*element, name, least, most) : std::nullopt;
}

std::optional<std::string> Attributes::word(std::string_view name,
                                            std::initializer_list<const char*> words) const {
  const auto element = holder(name);
  return element ? read_word(*element, name, words) : std::nullopt;
}

std::optional<bool> Attributes::flag(std::string_view name) const {
  const auto element = holder(name);
  return element ? read_flag(*element, name) : std::nullopt;
}

std::optional<Range> read_range(const Attributes& attributes, std::string_view range,
                                std::string_view limited, bool autolimits) {
  const auto word = attributes.word(limited, {"true", "false", "auto"}).value_or("auto");
  const auto pair = attributes.numbers(range, 2, 2);
  const bool given = pair && ((*pair)[0] != 0 || (*pair)[1] != 0);
  if (word == "false") return std::nullopt;
  if (word == "true" && !given)
    attributes.fail(fmt::format("has {}=\"true\" and no {}; give it two numbers, the smaller first",
                                limited, range));
  if (!given) return std::nullopt;
  if (word == "auto" && !autolimits)
    attributes.holder(range)->fail(
        fmt::format("has {} while <compiler autolimits=\"false\"> asks for {} to be said; write "
                    "{}=\"true\" or \"false\"",
                    range, limited, limited));
  return Range{(*pair)[0], (*pair)[1]};
}

}  // namespace linkwright::mjcf
