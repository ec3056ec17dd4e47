#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "linkwright/model/names.hpp"
#include "linkwright/spatial/group.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

void check_coupled(const Closure& closure, std::string_view thing, const std::string& name,
                   const Model& model, const Names& names) {
  const Joint& joint = require_moving(closure.source, thing, name, model, names);
  if (velocity_count(joint) != 1)
    throw Error(closure.source, fmt::format("{}: joint {} has {} freedoms; a gear couples joints "
                                            "of one freedom",
                                            thing, in_quotes(name), velocity_count(joint)));
}

void check_gear(std::size_t index, std::string_view thing, const Model& model, const Names& names,
                Problems& problems) {
  const Closure& closure = model.closures[index];
  const auto couple = [&] {
    check_coupled(closure, thing, closure.leader, model, names);
    check_coupled(closure, thing, closure.follower, model, names);
    if (closure.leader == closure.follower)
      throw Error(closure.source, fmt::format("{}: joint {} follows itself; expected two different "
                                              "joints",
                                              thing, in_quotes(closure.leader)));
  };
  const std::string meaning =
      names.joints.contains(closure.follower)
          ? fmt::format("dropped, joint {} moves freely", in_quotes(closure.follower))
          : std::string("dropped");
  problems.attempt_or_repair(couple, {meaning, [index](Model& changed) {
                                        changed.closures.erase(changed.closures.begin() +
                                                               static_cast<std::ptrdiff_t>(index));
                                      }});
  require_finite(closure.source, thing, "its ratio", closure.ratio);
  if (closure.ratio == 0)
    throw Error(closure.source,
                fmt::format("{}: its ratio is 0; expected the speed of joint {} per speed of joint "
                            "{}, which is not 0. A joint that stays where it is has type 'fixed'",
                            thing, in_quotes(closure.follower), in_quotes(closure.leader)));
  require_finite(closure.source, thing, "its offset", closure.offset);
}

void check_ends(const Closure& closure, std::string_view thing, const Model& model,
                const Names& names, const Welded& welded) {
  require_body(closure.source, thing, "first", closure.body_a, model, names);
  require_body(closure.source, thing, "second", closure.body_b, model, names);
  const std::string a = in_quotes(closure.body_a), b = in_quotes(closure.body_b);
  if (closure.body_a == closure.body_b)
    throw Error(closure.source, fmt::format("{}: link {} is closed with itself; expected two "
                                            "different links",
                                            thing, a));
  if (welded.together(closure.body_a, closure.body_b))
    throw Error(
        closure.source,
        fmt::format("{}: {} and {} move as one, welded together by fixed joints, so it closes "
                    "a body with itself; remove it, or close links that can move apart",
                    thing, a, b));
  require_finite(closure.source, thing, "at_a", closure.at_a);
  require_finite(closure.source, thing, "at_b", closure.at_b);
}

/// A distance of zero would hold three directions, a sphere without radius could not roll.
void check_length(const Closure& closure, std::string_view thing) {
  const bool rolls = closure.kind == Closure::Kind::rolling;
  const std::string_view what = rolls ? "its radius" : "its distance";
  require_finite(closure.source, thing, what, closure.distance);
  if (closure.distance > 0) return;
  throw Error(closure.source,
              fmt::format("{}: {} is {}; expected more than zero{}", thing, what, closure.distance,
                          rolls || closure.distance < 0
                              ? ""
                              : ". Points that coincide are held by `joint: spherical`"));
}

void check_pair(const Closure& closure, std::string_view thing, std::vector<Warning>& warnings) {
  using Kind = Closure::Kind;
  if (closure.kind == Kind::distance || closure.kind == Kind::rolling) check_length(closure, thing);
  if (has_axis(closure)) check_axis(closure.source, thing, "its axis", closure.axis, warnings);
  if (closure.kind == Kind::rolling && closure.disc)
    check_axis(closure.source, thing, "its axle", closure.axis2, warnings);
  if (closure.kind != Kind::joint) return;
  if (closure.joint == JointType::universal) {
    check_axis(closure.source, thing, "its axis2", closure.axis2, warnings);
    const double product = spatial::norm(closure.axis) * spatial::norm(closure.axis2);
    if (spatial::norm(cross(closure.axis, closure.axis2)) < 1e-9 * product)
      throw Error(
          closure.source,
          fmt::format("{}: axis and axis2 are parallel; expected two different directions", thing));
  }
  if (closure.joint == JointType::helical)
    require_finite(closure.source, thing, "its pitch", closure.pitch);
  if (closure.joint == JointType::custom) check_modes(closure.source, thing, closure.modes);
}

/// What acts on the freedoms of the pair.
void check_freedoms(const Closure& closure, std::string_view thing) {
  const Joint pair = to_joint(closure);
  check_entry_counts(pair, thing);
  for (const double d : pair.damping) require_not_negative(closure.source, thing, "its damping", d);
  for (const Friction& f : pair.friction) {
    require_not_negative(closure.source, thing, "its forward friction (a magnitude)", f.forward);
    require_not_negative(closure.source, thing, "its backward friction (a magnitude)", f.backward);
    check_breakaway(closure.source, thing, f);
  }
  for (const double r : pair.rotor_inertia)
    require_not_negative(closure.source, thing, "its rotor inertia", r);
  for (const Limits& limits : pair.limits) {
    if (!(limits.velocity >= 0) || !(limits.effort >= 0))
      throw Error(
          closure.source,
          fmt::format("{}: its limits of velocity and effort are {} and {}; expected zero or "
                      "more",
                      thing, limits.velocity, limits.effort));
    if (!(limits.lower <= limits.upper))
      throw Error(closure.source,
                  fmt::format("{}: its lower limit {} exceeds its upper limit {}; swap them", thing,
                              limits.lower, limits.upper));
    check_stop(closure.source, thing, limits);
  }
}

/// Springs and motors are attached by name: one name, one joint.
void check_name(const Closure& closure, std::string_view thing, const Names& names) {
  if (closure.kind == Closure::Kind::joint && names.joints.contains(closure.name))
    throw Error(closure.source,
                fmt::format("{} has the name of a joint; rename one of them", thing));
}

bool is_same(const Pose& a, const Pose& b) {
  const Vector3 turned =
      spatial::log_rotation(spatial::to_quaternion(transpose(a.rotation) * b.rotation));
  return norm(a.translation - b.translation) < 1e-12 && norm(turned) < 1e-12;
}
/// Between the same places, and yet another length or ratio: no position satisfies both.
bool contradict(const Closure& a, const Closure& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Closure::Kind::gear)
    return a.leader == b.leader && a.follower == b.follower && a.ratio == b.ratio &&
           a.offset != b.offset;
  return a.kind == Closure::Kind::distance && a.body_a == b.body_a && a.body_b == b.body_b &&
         norm(a.at_a.translation - b.at_a.translation) < 1e-12 &&
         norm(a.at_b.translation - b.at_b.translation) < 1e-12 && a.distance != b.distance;
}
/// Welds of the same two links at different places.
bool weld_apart(const Closure& a, const Closure& b) {
  const auto is_weld = [](const Closure& c) {
    return c.kind == Closure::Kind::joint && c.joint == JointType::fixed;
  };
  return is_weld(a) && is_weld(b) && a.body_a == b.body_a && a.body_b == b.body_b &&
         !is_same(a.at_a * inverse(a.at_b), b.at_a * inverse(b.at_b));
}

void check_contradictions(const Model& model, Problems& problems) {
  for (std::size_t i = 0; i < model.closures.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (contradict(model.closures[i], model.closures[j]) ||
          weld_apart(model.closures[i], model.closures[j]))
        problems.refuse(
            model.closures[i].source,
            fmt::format("closures {} and {} contradict each other: they hold the same "
                        "places in different ways, and no position satisfies both. "
                        "Remove one",
                        in_quotes(model.closures[j].name), in_quotes(model.closures[i].name)));
}

}  // namespace

void check_closures(const Model& model, const Names& names, Problems& problems) {
  if (model.closures.empty()) return;
  const Welded welded(model, names);
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < model.closures.size(); ++i) {
    const Closure& closure = model.closures[i];
    const std::string thing = "closure " + in_quotes(closure.name);
    if (closure.name.empty())
      problems.refuse(closure.source, "a closure has no name; give it one");
    else if (!seen.insert(closure.name).second)
      problems.refuse(closure.source, fmt::format("{} is declared twice; rename one", thing));
    problems.attempt([&] {
      if (closure.kind == Closure::Kind::gear) return check_gear(i, thing, model, names, problems);
      // Made of an actuator, which is checked.
      if (closure.kind == Closure::Kind::shaft) return;
      check_name(closure, thing, names);
      check_ends(closure, thing, model, names, welded);
      check_pair(closure, thing, problems.warnings());
      check_freedoms(closure, thing);
    });
  }
  check_contradictions(model, problems);
}

}  // namespace linkwright::checks
