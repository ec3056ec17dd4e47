#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "linkwright/simulate/motions.hpp"
#include "simulate/command/recorded.hpp"
#include "simulate/command/spline.hpp"
#include "simulate/equations/joint_units.hpp"

namespace linkwright {
namespace {

using Place = std::optional<std::size_t>;

constexpr std::array<std::string_view, 3> letters{"q", "v", "a"};

/// q, v or a; 3 for other columns.
std::size_t letter_of(const std::string& title) {
  const std::string_view head = std::string_view(title).substr(0, title.find(':'));
  const bool named = title.find(':') != std::string::npos;
  return named ? static_cast<std::size_t>(std::find(letters.begin(), letters.end(), head) -
                                          letters.begin())
               : letters.size();
}

std::vector<std::string> possible_columns(const System& system) {
  std::vector<std::string> all{"time"};
  for (const std::string& name : system.position_names()) all.push_back("q:" + name);
  for (const std::string& name : system.velocity_names()) {
    all.push_back("v:" + name);
    all.push_back("a:" + name);
  }
  return all;
}

[[noreturn]] void refuse_column(const System& system, const TimeTable& table,
                                const std::string& title) {
  std::string reason = "is unknown" + did_you_mean(title, possible_columns(system));
  for (const ClosurePlace& closure : system.closures())
    if (closure.freedoms > 0 && title.substr(title.find(':') + 1) == closure.name)
      reason = "names a joint that closes a loop: its coordinate follows from those of the others";
  throw Error(table.titles(),
              fmt::format("column {} {}; expected `time`, q:JOINT, v:JOINT and a:JOINT",
                          in_quotes(title), reason));
}

/// Units of an entry of q (`letter` 0), v or a.
std::string unit_of(const System& system, std::size_t letter, int entry) {
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    const Joint& joint = system.model().joints[j];
    const int first = letter == 0 ? place.q : place.v, count = letter == 0 ? place.nq : place.nv;
    if (entry < first || entry >= first + count) continue;
    if (letter == 0) return position_unit(joint, entry - first);
    return freedom_unit(joint, entry - first) + (letter == 1 ? "/s" : "/s^2");
  }
  return "1";
}

}  // namespace

/// Which column gives which entry.
struct ReferenceTable::Columns {
  std::array<std::vector<Place>, 3> of;
};

ReferenceTable::ReferenceTable(const Equations& equations, TimeTable table)
    : table_(std::move(table)) {
  const System& system = equations.system();
  Columns columns;
  sort_columns(equations, columns);
  check_times_ = table_.time;
  for (const JointPlace& joint : system.joints()) take_joint(system, joint, columns);
  if (coordinates_.empty())
    throw Error(
        table_.titles(),
        fmt::format("no column gives the position of a joint that a motor can move; expected "
                    "q:JOINT. Found {}",
                    list_in_quotes(table_.columns)));
}

void ReferenceTable::sort_columns(const Equations& equations, Columns& columns) {
  const System& system = equations.system();
  const std::array<const std::vector<std::string>*, 3> names{
      &system.position_names(), &system.velocity_names(), &system.velocity_names()};
  for (std::size_t l = 0; l < letters.size(); ++l) columns.of[l].resize(names[l]->size());
  RecordedColumns recorded(equations);
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    const std::string& title = table_.columns[i];
    const std::size_t l = letter_of(title);
    if (l == letters.size()) {
      if (!recorded.has(title)) refuse_column(system, table_, title);
      unused_.push_back(title);
      continue;
    }
    const auto found = std::find(names[l]->begin(), names[l]->end(), title.substr(2));
    if (found == names[l]->end()) refuse_column(system, table_, title);
    const auto entry = static_cast<std::size_t>(found - names[l]->begin());
    table_.require_unit(title, unit_of(system, l, static_cast<int>(entry)));
    columns.of[l][entry] = i;
  }
}

void ReferenceTable::take_joint(const System& system, const JointPlace& joint,
                                const Columns& columns) {
  const auto has = [&columns](std::size_t letter, int entry) {
    return columns.of[letter][static_cast<std::size_t>(entry)].has_value();
  };
  int given = 0;
  for (int i = 0; i < joint.nq; ++i) given += has(0, joint.q + i) ? 1 : 0;
  bool rates = false;
  for (int i = 0; i < joint.nv; ++i) rates = rates || has(1, joint.v + i) || has(2, joint.v + i);
  if (given == 0 && !rates) return;
  if (joint.nq == joint.nv) {
    for (int i = 0; i < joint.nv; ++i) take_freedom(system, joint, i, columns);
    return;
  }
  const std::vector<int>& passive = system.passive_freedoms();
  const bool driven = !std::binary_search(passive.begin(), passive.end(), joint.v);
  if (given == joint.nq && !system.closures().empty() && !driven)
    for (int i = 0; i < joint.nq; ++i)
      told_.emplace_back(joint.q + i, *columns.of[0][static_cast<std::size_t>(joint.q + i)]);
  else if (!table_.is_recording)
    throw Error(table_.titles(),
                fmt::format("joint {} cannot follow a table: its position is a quaternion and not "
                            "plain numbers. Leave its columns out, and write a controller for it",
                            in_quotes(joint.name)));
  leave_aside(joint, columns);
}

/// Says that columns of a joint are not followed.
void ReferenceTable::leave_aside(const JointPlace& joint, const Columns& columns) {
  for (std::size_t l = 0; l < letters.size(); ++l) {
    const int first = l == 0 ? joint.q : joint.v, count = l == 0 ? joint.nq : joint.nv;
    for (int i = 0; i < count; ++i)
      if (const Place& column = columns.of[l][static_cast<std::size_t>(first + i)])
        unused_.push_back(table_.columns[*column]);
  }
}

void ReferenceTable::take_freedom(const System& system, const JointPlace& joint, int freedom,
                                  const Columns& columns) {
  const int q = joint.q + freedom, v = joint.v + freedom;
  const std::string& name = system.velocity_names()[static_cast<std::size_t>(v)];
  const Place position = columns.of[0][static_cast<std::size_t>(q)];
  const Place velocity = columns.of[1][static_cast<std::size_t>(v)];
  const Place acceleration = columns.of[2][static_cast<std::size_t>(v)];
  if (!position && !velocity && !acceleration) return;
  if (!position || (acceleration && !velocity))
    throw Error(table_.titles(),
                fmt::format("column {} stands without {}; give that too, or leave both out",
                            in_quotes((velocity ? "v:" : "a:") + name),
                            in_quotes((position ? "v:" : "q:") + name)));
  const std::vector<int>& passive = system.passive_freedoms();
  if (std::binary_search(passive.begin(), passive.end(), v)) {
    if (!system.closures().empty())
      told_.emplace_back(q, *position);
    else if (!table_.is_recording)
      throw Error(
          table_.titles(),
          fmt::format("column {} commands joint {}, which is passive: it has no motor. Leave "
                      "the column out, or remove the joint's `passive` mark",
                      in_quotes("q:" + name), in_quotes(joint.name)));
    for (const Place& column : {position, velocity, acceleration})
      if (column) unused_.push_back(table_.columns[*column]);
    return;
  }
  coordinates_.push_back({name, q, v});
  const std::size_t first = knots_.size();
  for (std::size_t row = 0; row < table_.rows(); ++row)
    knots_.push_back({table_.at(row, *position), velocity ? table_.at(row, *velocity) : 0,
                      acceleration ? table_.at(row, *acceleration) : 0});
  const std::span<GivenValue> own = std::span(knots_).subspan(first);
  if (!velocity)
    spline::fill_velocities(table_.time, own);
  else if (!acceleration)
    spline::fill_accelerations(table_.time, own);
  if (!velocity || acceleration) break_times_ = table_.time;  // the jerk jumps at the rows
}

GivenValue ReferenceTable::value(std::size_t which, double t) const {
  const std::size_t k = table_.stretch_of(t);
  const GivenValue* const own = knots_.data() + which * table_.rows();
  if (k + 1 == table_.rows()) return own[k];
  return spline::quintic(own[k], own[k + 1], table_.time[k + 1] - table_.time[k],
                         t - table_.time[k]);
}

std::string ReferenceTable::where(std::size_t check) const { return table_.where(check).text(); }

}  // namespace linkwright
