#include "linkwright/io/number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

bool has_negative_exponent(std::string_view text) {
  return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

namespace {

struct Parsed {
  std::optional<double> value;
  bool is_too_large = false;
};

Parsed parse(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-' && text[1] != '+')
    text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return {};
  // CAD exporters write residues such as 1e-400: too small for a double, and zero for all purposes.
  if (error == std::errc::result_out_of_range) {
    if (has_negative_exponent(text)) return {0.0};
    return {std::nullopt, true};
  }
  if (!std::isfinite(value)) return {};
  return {value};
}

}  // namespace

std::optional<double> parse_number(std::string_view text) { return parse(text).value; }

std::string explain_bad_number(std::string_view text) {
  const std::string_view bare = trimmed(text);
  if (bare.empty()) return "is empty; expected a number";
  if (parse(bare).is_too_large)
    return fmt::format("{} is out of range; the largest number is {:.3g}", in_quotes(bare),
                       std::numeric_limits<double>::max());
  const std::string quote = in_quotes(bare) + " is not a ";
  if (bare.find("${") != std::string_view::npos)
    return quote + "number; expand the file with xacro first";
  if (bare.find(',') != std::string_view::npos)
    return quote + "number; write a decimal point, not a comma";
  const std::string_view digits = bare.substr(bare.find_first_not_of("+-.") == 0 ? 0 : 1);
  if (digits.starts_with("nan") || digits.starts_with("inf") || digits.starts_with("NaN") ||
      digits.starts_with("Inf") || digits.starts_with("NAN") || digits.starts_with("INF"))
    return quote + "finite number; write a finite one";
  return quote + "number; write digits only, without a unit, such as 1.5 or -2e-3";
}

}  // namespace linkwright
