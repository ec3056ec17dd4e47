#include "linkwright/simulate/time_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "linkwright/io/csv.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

/// Rows end where a run does, up to the rounding of their text.
double slack(double t) { return 1e-12 * std::max(1.0, std::abs(t)); }

constexpr std::string_view unit_remark = "unit of ";

void read_units(const CsvReader& csv, TimeTable& table) {
  for (const std::string& remark : csv.remarks()) {
    const std::size_t colon = remark.rfind(": ");
    if (!remark.starts_with(unit_remark) || colon == std::string::npos) continue;
    table.units[remark.substr(unit_remark.size(), colon - unit_remark.size())] =
        remark.substr(colon + 2);
  }
}

/// Takes the titles; answers which of them is `time`.
std::size_t take_titles(const CsvReader& csv, const std::vector<std::string>& titles,
                        TimeTable& table) {
  std::size_t time = titles.size();
  for (std::size_t i = 0; i < titles.size(); ++i) {
    const auto first = std::find(titles.begin(), titles.end(), titles[i]) - titles.begin();
    if (static_cast<std::size_t>(first) < i)
      throw Error(csv.where(),
                  fmt::format("column {} stands twice, as number {} and {}; remove one",
                              in_quotes(titles[i]), first + 1, i + 1));
    if (titles[i] == "time")
      time = i;
    else
      table.columns.push_back(titles[i]);
  }
  if (time == titles.size())
    throw Error(csv.where(), fmt::format("there is no column 'time' (seconds){}; found {}",
                                         did_you_mean("time", titles), list_in_quotes(titles)));
  const auto has = [&titles](const char* name) {
    return std::find(titles.begin(), titles.end(), name) != titles.end();
  };
  table.is_recording = has("energy") && has("closure_error");
  table.title_line = csv.where().line;
  return time;
}

void take_row(const CsvReader& csv, const std::vector<std::string>& titles, std::size_t time,
              const std::vector<std::string>& fields, TimeTable& table) {
  if (fields.size() != titles.size())
    throw Error(csv.where(), fmt::format("this row has {} fields; the header has {} columns",
                                         fields.size(), titles.size()));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = parse_number(fields[i]);
    if (!value)
      throw Error(csv.where(), fmt::format("column {}: {}", in_quotes(titles[i]),
                                           explain_bad_number(fields[i])));
    if (i != time) {
      table.values.push_back(*value);
      continue;
    }
    if (!table.time.empty() && *value <= table.time.back())
      throw Error(csv.where(),
                  fmt::format("the time {} s follows {} s of line {}; times must rise from row to "
                              "row",
                              *value, table.time.back(), table.lines.back()));
    table.time.push_back(*value);
  }
  table.lines.push_back(csv.where().line);
}

}  // namespace

TimeTable read_time_table(const std::string& path, std::string_view what) {
  CsvReader csv(path, what);
  TimeTable table;
  table.file = csv.name();
  std::vector<std::string> titles, fields;
  if (!csv.next(titles))
    throw Error(
        Source{csv.name()},
        fmt::format("the file is empty; expected a line of column names, `time` among them, "
                    "then {} one line per time",
                    what));
  const std::size_t time = take_titles(csv, titles, table);
  while (csv.next(fields)) take_row(csv, titles, time, fields, table);
  read_units(csv, table);
  if (table.time.empty())
    throw Error(table.titles(), "no row follows the column names; expected at least one");
  return table;
}

std::size_t TimeTable::stretch_of(double t) const {
  if (!(t >= time.front() - slack(t)) || t > time.back() + slack(t))
    throw Error(Source{file}, fmt::format("t = {} s is outside this table, which reaches from {} s "
                                          "to {} s",
                                          t, time.front(), time.back()));
  const auto after = std::upper_bound(time.begin(), time.end(), t);
  const auto k = after - time.begin();
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(k, 1) - 1);
}

void TimeTable::require_span(double from, double to, std::string_view what) const {
  if (from < time.front() - slack(from))
    throw Error(where(0),
                fmt::format("{} begins at t = {} s; the run begins at {} s, and from there "
                            "on its numbers are missing",
                            what, time.front(), from));
  if (to > time.back() + slack(to))
    throw Error(where(rows() - 1),
                fmt::format("{} ends at t = {} s and the run goes on to {} s: its numbers are "
                            "missing from there on. Add rows, or ask for --time {}",
                            what, time.back(), to, time.back()));
}

void TimeTable::require_unit(const std::string& column, const std::string& unit) const {
  const auto told = units.find(column);
  if (told == units.end() || told->second == unit) return;
  throw Error(titles(), fmt::format("column {} is in {}, as the file says; expected {}",
                                    in_quotes(column), told->second, unit));
}

}  // namespace linkwright
