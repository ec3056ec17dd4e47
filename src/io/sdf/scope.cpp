#include "io/sdf/scope.hpp"

#include <fmt/format.h>

#include "linkwright/model/model.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

constexpr int deepest_attachment = 1000;

/// Counts how deep poses are relative to poses, so that no file exhausts the stack.
class Depth {
 public:
  Depth(const Source& where, std::string_view thing) {
    if (++now_ <= deepest) return;
    --now_;
    throw Error(where,
                fmt::format("{}: its pose is relative to another, and so on through more than "
                            "{} frames; no model needs that",
                            thing, deepest));
  }
  ~Depth() { --now_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  static constexpr int deepest = 1000;
  static inline thread_local int now_ = 0;
};

bool is_own_frame(std::string_view name) { return name.empty() || name == model_frame; }

}  // namespace

Place& Scope::add(const std::string& name, Place place) {
  if (name == world_name || (name.starts_with("__") && name.ends_with("__")))
    throw Error(place.given.source,
                fmt::format("{}: this name is reserved; rename it", place.thing));
  const auto [at, inserted] = places_.try_emplace(name);
  if (!inserted) {
    // Old files give joints the names of links; nothing is ever relative to a joint there.
    if (place.kind == Place::Kind::joint) return at->second;
    if (at->second.kind != Place::Kind::joint)
      throw Error(place.given.source,
                  fmt::format("{}: the name is taken by {} at {}; rename one of them", place.thing,
                              at->second.thing, at->second.given.source.text()));
  }
  at->second = std::move(place);
  return at->second;
}

void Scope::refuse(const std::string& name, const Source& where, std::string_view thing) const {
  // Or in a model that could not be read.
  const std::string full = prefix_ + name;
  for (std::size_t at = full.find("::"); at != std::string::npos; at = full.find("::", at + 2))
    if (problems_->is_unread(full.substr(0, at))) throw Consequence{};
  if (problems_->is_unread(full)) throw Consequence{};
  std::vector<std::string> known;
  for (const auto& [place, unused] : places_) known.push_back(place);
  throw Error(where, fmt::format("{}: there is no link, joint, frame or model {} in {}{}", thing,
                                 in_quotes(name), model_text(), did_you_mean(name, known)));
}

Scope::Found Scope::find(const std::string& name, const Source& where, std::string_view thing) {
  if (is_own_frame(name) || (is_world_ && name == world_name)) return {this, name, nullptr};
  const auto whole = places_.find(name);
  if (whole != places_.end()) return {this, name, &whole->second};
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at + 2)) {
    const auto model = places_.find(name.substr(0, at));
    if (model == places_.end() || !model->second.inner) continue;
    Found found = model->second.inner->find(name.substr(at + 2), where, thing);
    found.up = resolve(model->second) * found.up;
    return found;
  }
  refuse(name, where, thing);
}

Pose Scope::resolve(Place& place) {
  if (place.stage == Place::Stage::known) return place.in_scope;
  if (place.stage == Place::Stage::refused) throw Consequence{};
  if (place.stage == Place::Stage::under_way)
    throw Error(
        place.given.source,
        fmt::format("{}: its pose is relative to itself, by way of others; break the circle",
                    place.thing));
  const Depth depth(place.given.source, place.thing);
  place.stage = Place::Stage::under_way;
  try {
    place.in_scope = compute(place);
  } catch (...) {
    place.stage = Place::Stage::refused;  // it is told once
    throw;
  }
  place.stage = Place::Stage::known;
  return place.in_scope;
}

Pose Scope::compute(const Place& place) {
  const Depth depth(place.given.source, place.thing);
  const Pose pose = pose_of(place.given, place.relative_to, place.thing);
  if (place.placement_frame.empty() || !place.inner) return pose;
  return pose * inverse(place.inner->pose_of(place.placement_frame, place.given.source,
                                             place.thing + ": placement_frame"));
}

Pose Scope::pose_of(const std::string& name, const Source& where, std::string_view thing) {
  const Found found = find(name, where, thing);
  return found.place == nullptr ? found.up : found.up * found.scope->resolve(*found.place);
}

Pose Scope::pose_of(const GivenPose& given, const std::string& otherwise, std::string_view thing) {
  const std::string& base = given.relative_to.empty() ? otherwise : given.relative_to;
  if (is_own_frame(base)) return given.pose;
  return pose_of(base, given.source, thing) * given.pose;
}

std::string Scope::body_of(const std::string& name, const Source& where, std::string_view thing) {
  return follow(name, where, thing, 0);
}

std::string Scope::follow(const std::string& name, const Source& where, std::string_view thing,
                          int depth) {
  if (name == world_name) return name;
  if (depth > deepest_attachment)
    throw Error(where, fmt::format("{}: {} is attached to itself, by way of others; break the "
                                   "circle",
                                   thing, in_quotes(name)));
  const Found found = find(name, where, thing);
  if (found.place == nullptr)
    return found.scope->is_world_ ? std::string(world_name) : found.scope->main_link(where, thing);
  const Place& place = *found.place;
  if (place.kind == Place::Kind::link) return found.scope->prefix_ + found.name;
  if (place.kind == Place::Kind::model) return place.inner->main_link(where, thing);
  return found.scope->follow(place.attached_to, place.given.source, place.thing, depth + 1);
}

std::string Scope::main_link(const Source& where, std::string_view thing) {
  if (!canonical_link.empty()) {
    const Found found = find(canonical_link, where, thing);
    if (found.place != nullptr && found.place->kind == Place::Kind::link)
      return found.scope->prefix_ + found.name;
    throw Error(where, fmt::format("{}: the canonical_link {} is no link", thing,
                                   in_quotes(canonical_link)));
  }
  if (!links.empty()) return prefix_ + links.front();
  if (!models.empty()) return places_.at(models.front()).inner->main_link(where, thing);
  throw Error(where, fmt::format("{}: there is no link in {} to attach to", thing, model_text()));
}

std::string Scope::model_text() const {
  return prefix_.empty() ? std::string("this model")
                         : "model " + in_quotes(prefix_.substr(0, prefix_.size() - 2));
}

}  // namespace linkwright::sdf
