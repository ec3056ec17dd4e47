#include "simulate/command/gains.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"
#include "shell/state/closed_start.hpp"

namespace linkwright::app {
namespace {

double parse_gain(std::string_view option, const std::string& text) {
  const auto value = parse_number(text);
  if (!value) throw Error(fmt::format("{}: {}", option, explain_bad_number(text)));
  if (*value < 0)
    throw Error(fmt::format("{} {}: expected a number that is not negative", option, *value));
  return *value;
}

}  // namespace

std::vector<std::optional<double>> parse_gains(std::string_view option, const std::string& text,
                                               const std::vector<std::string>& names) {
  const std::vector<std::string> entries = split_names(text);
  std::vector<std::optional<double>> gains(names.size());
  if (text.find('=') == std::string::npos) {
    if (entries.size() != 1 && entries.size() != names.size())
      throw Error(
          fmt::format("{}: {} numbers are given; expected one for all, or one for each of {}",
                      option, entries.size(), list_in_quotes(names)));
    for (std::size_t i = 0; i < gains.size(); ++i)
      gains[i] = parse_gain(option, entries[entries.size() == 1 ? 0 : i]);
    return gains;
  }
  for (const std::string& entry : entries) {
    const std::size_t sign = std::min(entry.rfind('='), entry.size());
    const std::string name = entry.substr(0, sign);
    const auto place =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (sign == entry.size() || place == names.size())
      throw Error(fmt::format("{}: {} is no joint that is driven{}; driven are {}", option,
                              in_quotes(name), did_you_mean(name, names), list_in_quotes(names)));
    if (gains[place])
      throw Error(fmt::format("{}: {} is given twice; keep one", option, in_quotes(name)));
    gains[place] = parse_gain(option, entry.substr(sign + 1));
  }
  return gains;
}

}  // namespace linkwright::app
