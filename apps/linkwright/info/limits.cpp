#include "info/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "linkwright/model/names.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

struct Row {
  std::string name;  ///< of the freedom, as in velocity_names
  Limits limits;
  bool slides = false;
};

/// Grasps are no closures of the model; their contacts turn.
bool slides_at(const System& system, const ClosurePlace& place, int freedom) {
  const auto index = static_cast<std::size_t>(&place - system.closures().data());
  const std::vector<Closure>& closures = system.model().closures;
  return index < closures.size() && slides(to_joint(closures[index]), freedom);
}

std::vector<Row> rows_of(const System& system) {
  std::vector<Row> rows(static_cast<std::size_t>(system.nv()));
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    const Joint& joint = system.model().joints[j];
    for (int i = 0; i < place.nv; ++i) {
      const auto v = static_cast<std::size_t>(place.v + i);
      rows[v] = {system.velocity_names()[v], per_freedom(joint.limits, i, Limits{}),
                 slides(joint, i)};
    }
  }
  for (const ClosurePlace& place : system.closures())
    for (int i = 0; i < place.freedoms; ++i)
      rows.push_back({system.closing_names()[static_cast<std::size_t>(place.closing + i)],
                      place.freedom[i].limits, slides_at(system, place, i)});
  return rows;
}

bool has_limit(const Row& row) {
  const Limits& l = row.limits;
  return std::isfinite(l.lower) || std::isfinite(l.upper) || std::isfinite(l.velocity) ||
         std::isfinite(l.effort);
}

std::string number(double limit) {
  return std::isfinite(limit) ? fmt::format("{:.5g}", limit) : std::string("-");
}

Json json_number(double limit) { return std::isfinite(limit) ? Json(limit) : Json(nullptr); }

}  // namespace

std::string limits_table(const System& system) {
  const std::vector<Row> rows = rows_of(system);
  std::size_t width = 0;
  std::vector<std::string> unlimited;
  for (const Row& row : rows) {
    if (has_limit(row))
      width = std::max(width, printable(row.name).size());
    else
      unlimited.push_back(row.name);
  }
  if (rows.empty()) return {};
  const std::string none = unlimited.empty() ? "" : "  none: " + list_in_quotes(unlimited) + "\n";
  if (width == 0) return fmt::format("\n{}\n{}", bold("limits"), none);
  std::string text = fmt::format("\n{}{:{}}{:>11}{:>11}{:>11}{:>11}\n", bold("limits"), "",
                                 width > 4 ? width - 4 : 0, "lower", "upper", "velocity", "effort");
  for (const Row& row : rows) {
    if (!has_limit(row)) continue;
    const Limits& l = row.limits;
    text += fmt::format("  {:{}}{:>11}{:>11}{:>11}{:>11}  {}\n", printable(row.name),
                        std::max<std::size_t>(width, 4), number(l.lower), number(l.upper),
                        number(l.velocity), number(l.effort),
                        row.slides ? "m, m/s, N" : "rad, rad/s, N m");
  }
  return text + none;
}

Json limits_json(const System& system) {
  Json list = Json::array();
  for (const Row& row : rows_of(system))
    list.push_back({{"name", row.name},
                    {"lower", json_number(row.limits.lower)},
                    {"upper", json_number(row.limits.upper)},
                    {"velocity", json_number(row.limits.velocity)},
                    {"effort", json_number(row.limits.effort)}});
  return list;
}

}  // namespace linkwright::app
