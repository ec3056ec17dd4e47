#include "model/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace linkwright {

void Problems::refuse(const Source& where, const std::string& message) {
  if (!is_full()) mistakes_.push_back({where, message});
}

void Problems::refuse(const Source& where, const std::string& message, const Repair& repair) {
  if (strictness_ == Strictness::strict) {
    refuse(where, message);
    return;
  }
  // The kind is what was done, without the names that follow.
  warn(where, message + "; " + repair.meaning,
       "repaired: " + repair.meaning.substr(0, repair.meaning.find(',')));
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

void Problems::throw_mistakes() const {
  if (mistakes_.empty()) return;
  std::map<std::string, std::size_t> order;
  for (const Mistake& mistake : mistakes_) order.emplace(mistake.where.file, order.size());
  std::vector<Mistake> sorted = mistakes_;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Mistake& a, const Mistake& b) {
    return std::pair(order.at(a.where.file), a.where.line) <
           std::pair(order.at(b.where.file), b.where.line);
  });
  std::string rest;
  if (sorted.size() > most_listed) {
    rest = fmt::format("and {}{} more", is_full() ? "at least " : "", sorted.size() - most_listed);
    sorted.resize(most_listed);
  }
  throw Error(std::move(sorted), rest);
}

// The last change first: a change that erases an entry leaves the places before it as they were.
void Problems::apply_repairs(Model& model) const {
  std::for_each(repairs_.rbegin(), repairs_.rend(), [&](const auto& change) { change(model); });
}

}  // namespace linkwright
