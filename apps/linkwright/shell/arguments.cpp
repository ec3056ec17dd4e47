#include "shell/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "linkwright/error.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::app {
namespace {

constexpr std::array<std::string_view, 4> list_options{"--q", "--v", "--a", "--tau"};

bool takes_list(std::string_view word) {
  return std::find(list_options.begin(), list_options.end(), word.substr(0, word.find('='))) !=
         list_options.end();
}

/// "0.1", "-1e3" or "elbow=0.3".
bool is_entry(std::string_view text) {
  const std::size_t sign = text.rfind('=');
  return parse_number(sign == std::string_view::npos ? text : text.substr(sign + 1)).has_value();
}

bool is_list(std::string_view word) {
  if (word.ends_with(',')) word.remove_suffix(1);
  for (std::size_t start = 0; start <= word.size();) {
    const std::size_t end = std::min(word.find(',', start), word.size());
    if (!is_entry(word.substr(start, end - start))) return false;
    start = end + 1;
  }
  return true;
}

}  // namespace

std::vector<std::string> join_lists(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (takes_list(word)) {
      const bool waits = word.find('=') == std::string::npos;
      if (waits && i + 1 < words.size() && !words[i + 1].starts_with("--"))
        word += "=" + words[++i];
      while (i + 1 < words.size() && is_list(words[i + 1]))
        word += (word.back() == ',' || word.back() == '=' ? "" : ",") + words[++i];
    }
    joined.push_back(std::move(word));
  }
  return joined;
}

double parse_real(std::string_view option, const std::string& text) {
  const auto value = parse_number(text);
  if (!value) throw Error(fmt::format("{} {}", option, explain_bad_number(text)));
  return *value;
}

int parse_whole(std::string_view option, const std::string& text, int least, int most) {
  const double value = parse_real(option, text);
  if (value != std::floor(value) || value < least || value > most)
    throw Error(fmt::format("{} {}: expected a whole number from {} to {}", option, in_quotes(text),
                            least, most));
  return static_cast<int>(value);
}

}  // namespace linkwright::app
