#include "linkwright/model/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace linkwright {
namespace {

constexpr std::size_t longest_quote = 60;
constexpr std::size_t most_names = 5;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Insertions, deletions, exchanges and swaps of neighbours: the slips people make when typing.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, longest_quote)) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f)
      out += fmt::format("\\x{:02x}", code);
    else
      out += c;
  }
  return out + (text.size() > longest_quote ? "…'" : "'");
}

namespace {

/// A name in a system file: "left/elbow" has the prefix "left/".
std::string_view prefix_of(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : name.substr(0, slash + 1);
}

/// Distance of two names. A prefix that is the same, or missing on one side, says nothing about the
/// rest: "elbow" is as near to "left/elbow" as "left/elbow" to "left/elbows".
std::size_t name_distance(std::string_view name, std::string_view candidate, std::size_t most) {
  const std::string_view prefix = prefix_of(name), other = prefix_of(candidate);
  std::size_t apart = 0;
  if (prefix != other)
    apart = prefix.empty() || other.empty()
                ? 1
                : edit_distance(prefix.substr(0, longest_quote), other.substr(0, longest_quote));
  name = name.substr(prefix.size()).substr(0, longest_quote);
  candidate.remove_prefix(other.size());
  const std::size_t gap = candidate.size() > name.size() ? candidate.size() - name.size()
                                                         : name.size() - candidate.size();
  return gap + apart >= most ? most : apart + edit_distance(name, candidate);
}

}  // namespace

std::string closest_name(std::string_view name, const std::vector<std::string>& known) {
  const std::size_t length = name.size() - prefix_of(name).size();
  std::size_t best = std::min(length, longest_quote) / 3 + 2;
  std::string found;
  for (const std::string& candidate : known) {
    const std::size_t distance = name_distance(name, candidate, best);
    if (distance < best) best = distance, found = candidate;
  }
  return found;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string found = closest_name(name, known);
  return found.empty() ? std::string{} : "; did you mean " + in_quotes(found) + "?";
}

std::string list_in_quotes(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i)
    out += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  if (names.size() > most_names) out += fmt::format(" and {} more", names.size() - most_names);
  return out;
}

}  // namespace linkwright
