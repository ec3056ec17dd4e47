#include "model/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace linkwright {

namespace {

bool is_same(const Source& a, const Source& b) { return a.line == b.line && a.file == b.file; }

/// What was done, without the names that follow.
std::string without_names(const std::string& meaning) {
  return meaning.substr(0, meaning.find(','));
}

}  // namespace

void Problems::add(Refusal refusal) {
  if (is_full()) return;
  const auto is_told = [&](const Refusal& other) {
    return is_same(other.mistake.where, refusal.mistake.where) &&
           other.mistake.message == refusal.mistake.message;
  };
  if (std::any_of(refusals_.begin(), refusals_.end(), is_told)) return;
  refusals_.push_back(std::move(refusal));
}

void Problems::refuse(const Source& where, const std::string& message) {
  add({{where, message}, {}});
}

void Problems::refuse(const Source& where, const std::string& message, const Repair& repair) {
  if (strictness_ == Strictness::strict) {
    add({{where, message}, repair.meaning});
    return;
  }
  warn(where, message + "; " + repair.meaning, "repaired: " + without_names(repair.meaning));
  if (repair.change) repairs_.push_back(repair.change);
}

void Problems::warn(const Source& where, const std::string& message, std::string_view kind) {
  warnings_.push_back({where, message, std::string(kind)});
}

void Problems::set_unread(const std::string& name) {
  if (name.empty())
    unnamed_unread_ = true;
  else
    unread_.insert(name);
}

bool Problems::is_unread(std::string_view name) const {
  if (unnamed_unread_ || unread_.contains(std::string(name))) return true;
  const std::size_t prefix = name.find('/');
  return prefix != std::string_view::npos && unread_.contains(std::string(name.substr(prefix + 1)));
}

std::string Problems::describe_repairs() const {
  std::map<std::string, std::size_t> counts;
  std::size_t repairable = 0;
  bool in_file = false;
  for (const Refusal& refusal : refusals_) {
    in_file = in_file || !refusal.mistake.where.file.empty();
    if (refusal.repair.empty()) continue;
    ++repairable;
    ++counts[without_names(refusal.repair)];
  }
  if (repairable == 0) return {};
  const std::string_view reader = in_file ? "--lenient" : "repair(model)";
  if (repairable < refusals_.size() || is_full())
    return fmt::format("{} repairs {} of {} mistakes, the others it refuses too", reader,
                       repairable, refusals_.size());
  const std::string_view reads = in_file ? "reads it" : "gives it a meaning";
  if (repairable == 1) return fmt::format("{} {}: {}", reader, reads, refusals_.front().repair);
  std::string meanings;
  for (const auto& [meaning, count] : counts)
    meanings += fmt::format("{}{}{}", meanings.empty() ? "" : ", ", meaning,
                            count == 1 ? "" : fmt::format(" ({} times)", count));
  return fmt::format("{} {}: {}", reader, reads, meanings);
}

void Problems::throw_mistakes() const {
  if (refusals_.empty()) return;
  std::map<std::string, std::size_t> order;
  std::vector<Mistake> sorted;
  for (const Refusal& refusal : refusals_) {
    order.emplace(refusal.mistake.where.file, order.size());
    sorted.push_back(refusal.mistake);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Mistake& a, const Mistake& b) {
    return std::pair(order.at(a.where.file), a.where.line) <
           std::pair(order.at(b.where.file), b.where.line);
  });
  std::string rest;
  if (sorted.size() > most_listed) {
    rest = fmt::format("and {}{} more", is_full() ? "at least " : "", sorted.size() - most_listed);
    sorted.resize(most_listed);
  }
  const std::string repairs = describe_repairs();
  if (!repairs.empty()) rest += (rest.empty() ? "" : "\n") + repairs;
  throw Error(std::move(sorted), rest);
}

// The last change first: a change that erases an entry leaves the places before it as they were.
void Problems::apply_repairs(Model& model) const {
  std::for_each(repairs_.rbegin(), repairs_.rend(), [&](const auto& change) { change(model); });
}

void append_new(std::vector<Warning>& warnings, const std::vector<Warning>& more) {
  std::unordered_set<std::string> told;
  for (const Warning& warning : warnings) told.insert(warning.text());
  for (const Warning& warning : more)
    if (told.insert(warning.text()).second) warnings.push_back(warning);
}

}  // namespace linkwright
