#include <fmt/format.h>
#include <fmt/ranges.h>

#include "linkwright/closure/mobility.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

std::string redundant_text(const Mobility& found) {
  std::vector<std::string> parts;
  for (const Mobility::Redundant& one : found.redundant)
    parts.push_back(fmt::format("{} ({} of its rows)", in_quotes(one.closure), one.rows));
  return fmt::format("{} of {} rows repeat what the others say: {}\n", found.rows - found.rank,
                     found.rows, fmt::join(parts, ", "));
}

std::string idle_text(const Mobility::Idle& idle) {
  return fmt::format("idle freedom: {} can move between {} without moving anything else\n",
                     list_in_quotes(idle.bodies), list_in_quotes(idle.joints));
}

std::string singular_text(const Mobility& found) {
  std::string text =
      fmt::format("singular here: nearby positions have {} independent rows\n", found.nearby_rank);
  if (!found.locked.empty())
    text += fmt::format("  locked here: {}\n", list_in_quotes(found.locked));
  if (!found.gained.empty())
    text += fmt::format("  free here only: {}\n", list_in_quotes(found.gained));
  return text;
}

std::string narrow_text(const Mobility::Narrow& narrow) {
  return fmt::format(
      "forbidden by a hair ({:.1e} of the largest singular value): {} would move, {} hold{} it; "
      "{}\n",
      narrow.singular_value, list_in_quotes(narrow.joints), list_in_quotes(narrow.closures),
      narrow.closures.size() == 1 ? "s" : "",
      narrow.nearby_too ? "no less so nearby: are the poses of that loop given to few digits?"
                        : "a singular position is near");
}

std::string hardly_text(const Mobility::Narrow& narrow) {
  return fmt::format(
      "nearly redundant ({:.1e} of the largest singular value; more than {:.0e} counts): {} hold{} "
      "{} by no more, so that "
      "the motion counts as free, and opens {} as it goes; {}\n",
      narrow.singular_value, closure::rank_threshold, list_in_quotes(narrow.closures),
      narrow.closures.size() == 1 ? "s" : "", list_in_quotes(narrow.joints),
      narrow.closures.size() == 1 ? "it" : "them",
      narrow.nearby_too ? "no more at closed positions nearby: the loop is singular there, or its "
                          "poses are given to few digits"
                        : "nearby it counts, and locks: the position is singular, or nearly so");
}

}  // namespace

std::vector<std::string> independent_names(const System& system, const Mobility& found) {
  std::vector<std::string> names;
  for (const int i : found.independent.entries) names.push_back(system.velocity_names()[at(i)]);
  return names;
}

std::string describe(const System& system, const Mobility& found) {
  std::string text =
      fmt::format("mobility {} ({} in the joints, {} independent rows of {}; Grübler {})\n",
                  found.mobility, system.nv(), found.rank, found.rows, found.grubler);
  text +=
      fmt::format("independent coordinates: {} (conditioning {:.2g})\n",
                  list_in_quotes(independent_names(system, found)), found.independent.conditioning);
  if (!found.redundant.empty()) text += redundant_text(found);
  for (const Mobility::Idle& idle : found.idle) text += idle_text(idle);
  if (found.singular) text += singular_text(found);
  for (const Mobility::Narrow& narrow : found.narrowly_forbidden) text += narrow_text(narrow);
  for (const Mobility::Narrow& narrow : found.narrowly_allowed) text += hardly_text(narrow);
  return text + fmt::format("smallest singular value {:.2g} of the largest\n", found.smallest_kept);
}

}  // namespace linkwright
