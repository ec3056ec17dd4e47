#include "shell/state/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::app {
namespace {

std::unordered_map<std::string, int> index(const std::vector<std::string>& names) {
  std::unordered_map<std::string, int> places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], static_cast<int>(i));
  return places;
}

std::vector<std::string> split_entries(std::string_view text) {
  std::vector<std::string> entries;
  if (text.ends_with(',')) text.remove_suffix(1);
  for (std::size_t start = 0; start <= text.size() && !text.empty();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    std::string_view entry = text.substr(start, end - start);
    start = end + 1;
    const std::size_t first = entry.find_first_not_of(' ');
    if (first == std::string_view::npos) {
      entries.emplace_back();
      continue;
    }
    // Blanks separate numbers too: "0.1 0.2".
    for (entry.remove_prefix(first); !entry.empty();) {
      const std::size_t blank = std::min(entry.find(' '), entry.size());
      entries.emplace_back(entry.substr(0, blank));
      entry.remove_prefix(std::min(entry.find_first_not_of(' ', blank), entry.size()));
    }
  }
  return entries;
}

/// Puts names with blanks together again, "left arm=1".
std::vector<std::string> join_names(const CoordinateNames& known, Variable variable,
                                    const std::vector<std::string>& entries) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    joined.push_back(entries[i]);
    std::string whole = entries[i];
    for (std::size_t j = i; whole.find('=') == std::string::npos && ++j < entries.size();) {
      whole += ' ' + entries[j];
      if (!known.find(variable, whole.substr(0, whole.rfind('=')))) continue;
      joined.back() = whole, i = j;
    }
  }
  return joined;
}

double number(Variable variable, std::string_view thing, std::string_view text) {
  if (const auto value = parse_number(text)) return *value;
  throw Error(fmt::format("--{}: {}: {}", letter(variable), thing, explain_bad_number(text)));
}

Eigen::VectorXd parse_numbers(const CoordinateNames& known, Variable variable,
                              const std::vector<std::string>& entries) {
  const auto& names = known.names(variable);
  if (entries.size() != names.size())
    throw Error(
        fmt::format("--{}: {} numbers are given; expected {}: one for each of {}, or name "
                    "the ones you mean as in {}=0.3",
                    letter(variable), entries.size(), names.size(), list_in_quotes(names),
                    names.empty() ? "joint" : names.front()));
  Eigen::VectorXd values(static_cast<Eigen::Index>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i)
    values[static_cast<Eigen::Index>(i)] =
        number(variable, fmt::format("number {} ({})", i + 1, in_quotes(names[i])), entries[i]);
  return values;
}

Eigen::VectorXd parse_named(const CoordinateNames& known, Variable variable,
                            const std::vector<std::string>& entries, Eigen::VectorXd values) {
  std::vector<bool> given(static_cast<std::size_t>(values.size()), false);
  for (const std::string& entry : entries) {
    const std::size_t sign = entry.rfind('=');
    if (sign == std::string::npos)
      throw Error(
          fmt::format("--{}: {} has no name while others have; write all as name=number or "
                      "none",
                      letter(variable), in_quotes(entry)));
    const std::string name = entry.substr(0, sign);
    const auto place = known.find(variable, name);
    if (!place)
      throw Error(fmt::format("--{}: there is no {}{}", letter(variable), in_quotes(name),
                              known.suggestion(variable, name)));
    if (given[static_cast<std::size_t>(*place)])
      throw Error(
          fmt::format("--{}: {} is given twice; keep one", letter(variable), in_quotes(name)));
    given[static_cast<std::size_t>(*place)] = true;
    values[*place] = number(variable, in_quotes(name), entry.substr(sign + 1));
  }
  return values;
}

}  // namespace

std::string_view letter(Variable variable) {
  constexpr std::array<std::string_view, 7> letters{"q", "v", "a", "j", "s", "c", "tau"};
  return letters[static_cast<std::size_t>(variable)];
}

Input::Input(const System& system)
    : state(system),
      a(Eigen::VectorXd::Zero(system.nv())),
      j(Eigen::VectorXd::Zero(system.nv())),
      s(j),
      c(j),
      tau(Eigen::VectorXd::Zero(system.effort_count())) {
  compute_initial(system, state.q, state.v);
}

Eigen::VectorXd& Input::values(Variable variable) {
  switch (variable) {
    case Variable::q:
      return state.q;
    case Variable::v:
      return state.v;
    case Variable::a:
      return a;
    case Variable::j:
      return j;
    case Variable::s:
      return s;
    case Variable::c:
      return c;
    case Variable::tau:
      break;
  }
  return tau;
}

CoordinateNames::CoordinateNames(const System& system)
    : system_(system),
      positions_(index(system.position_names())),
      velocities_(index(system.velocity_names())),
      effort_names_(system.effort_names()),
      efforts_(index(effort_names_)) {
  for (const JointPlace& joint : system.joints()) {
    if (joint.nq == 1) positions_.emplace(joint.name + ":0", joint.q);
    if (joint.nv == 1) velocities_.emplace(joint.name + ":0", joint.v);
    if (joint.nv == 1) efforts_.emplace(joint.name + ":0", joint.v);
  }
}

const std::vector<std::string>& CoordinateNames::names(Variable variable) const {
  if (variable == Variable::tau) return effort_names_;
  return variable == Variable::q ? system_.position_names() : system_.velocity_names();
}

std::optional<int> CoordinateNames::find(Variable variable, std::string_view name) const {
  const auto& places = variable == Variable::q     ? positions_
                       : variable == Variable::tau ? efforts_
                                                   : velocities_;
  const auto found = places.find(std::string(name));
  return found == places.end() ? std::nullopt : std::optional<int>(found->second);
}

std::string CoordinateNames::suggestion(Variable variable, std::string_view name) const {
  const std::size_t colon = name.rfind(':');
  for (const JointPlace& joint : system_.joints()) {
    if (joint.name != name && joint.name != name.substr(0, colon)) continue;
    const int count = variable == Variable::q ? joint.nq : joint.nv;
    if (count == 0) return "; this joint is fixed";
    if (count == 1) return fmt::format("; this joint has one number, {}", joint.name);
    return fmt::format("; this joint has {} numbers, {}:0 … {}:{}", count, joint.name, joint.name,
                       count - 1);
  }
  for (const ClosurePlace& closure : system_.closures()) {
    if (closure.freedoms == 0 || (closure.name != name && closure.name != name.substr(0, colon)))
      continue;
    if (variable != Variable::tau)
      return "; this joint closes a loop, its coordinate follows from those of the others";
    return closure.freedom[0].passive
               ? "; this joint closes a loop and is passive: it has no motor"
               : "; this joint closes a loop, and not all its freedoms have a motor";
  }
  std::string close = did_you_mean(name, names(variable));
  if (!close.empty() || names(variable).empty()) return close;
  return "; known are " + list_in_quotes(names(variable));
}

Eigen::VectorXd neutral(const System& system, Variable variable) {
  if (variable != Variable::q)
    return Eigen::VectorXd::Zero(variable == Variable::tau ? system.effort_count() : system.nv());
  Eigen::VectorXd q(system.nq());
  compute_neutral(system, q);
  return q;
}

bool names_entries(const std::string& text) { return text.find('=') != std::string::npos; }

Eigen::VectorXd parse_coordinates(const System& system, Variable variable, const std::string& text,
                                  const Eigen::VectorXd& others) {
  const CoordinateNames known(system);
  const std::vector<std::string> entries = split_entries(text);
  return names_entries(text)
             ? parse_named(known, variable, join_names(known, variable, entries), others)
             : parse_numbers(known, variable, entries);
}

}  // namespace linkwright::app
