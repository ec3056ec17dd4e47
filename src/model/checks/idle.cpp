#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

constexpr std::string_view idle_kind = "spring, load or actuator without effect";

// Why a spring or a load has no effect; empty when it has one. A spring inside what moves as one still
// stores energy, a constant.

std::string why_idle(const LineSpring& spring, const Welded& welded) {
  const std::string a = in_quotes(spring.body_a), b = in_quotes(spring.body_b);
  if (spring.body_a == spring.body_b)
    return fmt::format("both ends are on link {}, so it moves nothing", a);
  if (welded.to_the_world(spring.body_a) && welded.to_the_world(spring.body_b))
    return fmt::format("its ends {} and {} do not move, so it moves nothing", a, b);
  if (welded.together(spring.body_a, spring.body_b))
    return fmt::format("its ends {} and {} are welded together, so it moves nothing", a, b);
  if (spring.stiffness == 0 && spring.damping == 0)
    return "stiffness and damping are 0, so it has no effect";
  return {};
}

std::string why_idle(const JointSpring& spring) {
  if (spring.stiffness != 0 || spring.damping != 0) return {};
  return "stiffness and damping are 0, so it has no effect";
}

std::string why_idle(const JointLoad& load) {
  return load.effort == 0 ? "its effort is 0, so it has no effect" : "";
}

std::string why_idle(const BodyLoad& load, const Welded& welded) {
  if (load.body == world_name) return "the world does not move, so it has no effect";
  if (norm(load.force.force) == 0 && norm(load.force.moment) == 0)
    return "force and moment are 0, so it has no effect";
  return welded.to_the_world(load.body) ? "the link is welded to the world, so it moves nothing"
                                        : "";
}

void warn_if(const std::string& why, const Source& where, std::string_view thing,
             Problems& problems) {
  if (!why.empty()) problems.warn(where, fmt::format("{}: {}", thing, why), idle_kind);
}

void warn_of_negative(const Source& where, std::string_view thing, double stiffness,
                      Problems& problems) {
  if (stiffness < 0)
    problems.warn(
        where,
        fmt::format("{}: its stiffness is {}, so it pushes away from its rest", thing, stiffness),
        "negative stiffness");
}

}  // namespace

std::string line_spring_text(const Model& model, std::size_t index) {
  const std::string& name = model.line_springs[index].name;
  return name.empty() ? fmt::format("line spring number {}", index + 1)
                      : "spring " + in_quotes(name);
}

void warn_of_idle(const Model& model, const Names& names, Problems& problems) {
  if (!model.line_springs.empty() || !model.body_loads.empty()) {
    const Welded welded(model, names);
    for (std::size_t i = 0; i < model.line_springs.size(); ++i) {
      const LineSpring& spring = model.line_springs[i];
      const std::string thing = line_spring_text(model, i);
      warn_if(why_idle(spring, welded), spring.source, thing, problems);
      warn_of_negative(spring.source, thing, spring.stiffness, problems);
    }
    for (const BodyLoad& load : model.body_loads)
      warn_if(why_idle(load, welded), load.source, "load on link " + in_quotes(load.body),
              problems);
  }
  for (const JointSpring& spring : model.joint_springs) {
    const std::string thing = "spring on joint " + in_quotes(spring.joint);
    warn_of_negative(spring.source, thing, spring.stiffness, problems);
    warn_if(why_idle(spring), spring.source, thing, problems);
  }
  for (const JointLoad& load : model.joint_loads)
    warn_if(why_idle(load), load.source, "load on joint " + in_quotes(load.joint), problems);
}

}  // namespace linkwright::checks
