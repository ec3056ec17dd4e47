#include "io/sdf/values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

std::vector<double> exactly(const XmlElement& element, std::size_t count) {
  std::vector<double> values = numbers_of(element);
  if (values.size() != count)
    element.fail(fmt::format("{} has {} number(s); expected {}", in_quotes(element.text()),
                             values.size(), count));
  return values;
}

Pose to_pose(const XmlElement& element, const std::vector<double>& numbers) {
  const bool quaternion = element.attribute("rotation_format").value_or("euler_rpy") == "quat_xyzw";
  if (numbers.size() != (quaternion ? 7U : 6U))
    element.fail(fmt::format(
        "{} has {} number(s); expected {}", in_quotes(element.text()), numbers.size(),
        quaternion ? "x y z and a quaternion x y z w" : "x y z and the angles roll pitch yaw"));
  Pose pose;
  pose.translation = {numbers[0], numbers[1], numbers[2]};
  if (!quaternion) {
    const double unit = element.attribute("degrees").value_or("false") == "true" ? M_PI / 180 : 1;
    pose.rotation = spatial::from_rpy({unit * numbers[3], unit * numbers[4], unit * numbers[5]});
    return pose;
  }
  if (numbers[3] == 0 && numbers[4] == 0 && numbers[5] == 0 && numbers[6] == 0)
    element.fail("has a quaternion of zeros; expected a unit quaternion such as 0 0 0 1");
  pose.rotation = spatial::to_matrix(Quaternion{numbers[6], numbers[3], numbers[4], numbers[5]});
  return pose;
}

void check_format(const XmlElement& element) {
  const auto require = [&](std::string_view name, std::string_view a, std::string_view b) {
    const auto value = element.attribute(name);
    if (value && *value != a && *value != b)
      element.fail(
          fmt::format("attribute {} is {}; expected {} or {}", name, in_quotes(*value), a, b));
  };
  require("rotation_format", "euler_rpy", "quat_xyzw");
  require("degrees", "true", "false");
}

}  // namespace

std::string text_of(const XmlElement& element) {
  if (element.text().empty()) element.fail("is empty; expected a value");
  return std::string(element.text());
}

std::vector<double> numbers_of(const XmlElement& element) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<double> values;
  std::string_view rest = element.text();
  for (std::size_t first; (first = rest.find_first_not_of(blanks)) != std::string_view::npos;) {
    rest.remove_prefix(first);
    const std::string_view word = rest.substr(0, rest.find_first_of(blanks));
    const auto value = parse_number(word);
    if (!value) element.fail(explain_bad_number(word));
    values.push_back(*value);
    rest.remove_prefix(word.size());
  }
  return values;
}

double number_of(const XmlElement& element) {
  if (element.text().empty()) element.fail("is empty; expected a number");
  return exactly(element, 1).front();
}

Vector3 vector_of(const XmlElement& element) {
  const auto v = exactly(element, 3);
  return {v[0], v[1], v[2]};
}

bool truth_of(const XmlElement& element) {
  const std::string_view text = element.text();
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  element.fail(fmt::format("is {}; expected true or false", in_quotes(text)));
}

std::optional<double> find_number(const XmlElement& parent, std::string_view tag) {
  const auto child = parent.child(tag);
  return child ? std::optional(number_of(*child)) : std::nullopt;
}

std::optional<Vector3> find_vector(const XmlElement& parent, std::string_view tag) {
  const auto child = parent.child(tag);
  return child ? std::optional(vector_of(*child)) : std::nullopt;
}

bool find_truth(const XmlElement& parent, std::string_view tag, bool missing) {
  const auto child = parent.child(tag);
  return child ? truth_of(*child) : missing;
}

std::optional<std::string> find_text(const XmlElement& parent, std::string_view tag) {
  const auto child = parent.child(tag);
  return child ? std::optional(text_of(*child)) : std::nullopt;
}

GivenPose find_pose(const XmlElement& parent) {
  GivenPose given;
  given.source = parent.source();
  const auto element = parent.child("pose");
  if (!element) return given;
  given.is_given = true;
  given.source = element->source();
  check_format(*element);
  // `frame` is what versions before 1.7 called it.
  const std::string_view old = element->attribute("frame").value_or(std::string_view{});
  given.relative_to = element->attribute("relative_to").value_or(old);
  const std::vector<double> numbers = numbers_of(*element);
  if (!numbers.empty()) given.pose = to_pose(*element, numbers);
  return given;
}

}  // namespace linkwright::sdf
