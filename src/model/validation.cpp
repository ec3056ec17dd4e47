#include "linkwright/model/validation.hpp"

#include <fmt/format.h>

#include "model/checks/checks.hpp"
#include "model/problems.hpp"

namespace linkwright {
namespace {

void judge(const Model& model, Problems& problems) {
  if (model.bodies.size() > static_cast<std::size_t>(max_bodies))
    throw Error(model.bodies.front().source,
                fmt::format("the model has {} links, more than the {} that are allowed; split it "
                            "into several models",
                            model.bodies.size(), max_bodies));
  const checks::Names names = checks::check_names(model, problems);
  problems.attempt([&] { checks::require_finite({}, "model", "gravity", model.gravity); });
  checks::check_tree(model, names, problems);
  checks::check_bodies(model, problems);
  checks::check_inertias(model, names, problems);
  checks::check_joints(model, problems);
  checks::check_frames(model, names, problems);
  checks::check_loops(model, names, problems);
  checks::check_closures(model, names, problems);
  checks::check_grasps(model, names, problems);
  checks::check_shapes(model, names, problems);
  checks::check_springs_and_loads(model, names, problems);
  checks::check_actuation(model, names, problems);
  checks::check_network(model, names, problems);
  checks::check_initial_state(model, names, problems);
}

/// Which links nothing resists is a question about a tree that is whole, so mistakes are thrown and
/// repairs applied before.
void judge_whole(const Model& model, Problems& problems) {
  checks::warn_of_massless_links(model, checks::check_names(model, problems), problems);
}

}  // namespace

std::vector<Warning> validate(const Model& model) {
  Problems problems(Problems::Strictness::strict);
  judge(model, problems);
  problems.throw_mistakes();
  judge_whole(model, problems);
  return std::move(problems.warnings());
}

std::vector<Warning> repair(Model& model) {
  Problems problems(Problems::Strictness::lenient);
  judge(model, problems);
  problems.throw_mistakes();
  problems.apply_repairs(model);
  judge_whole(model, problems);
  return std::move(problems.warnings());
}

void finish_reading(Model& model, Problems& problems) {
  const bool judges = problems.has_mistakes() || problems.is_lenient();
  if (judges) judge(model, problems);
  problems.throw_mistakes();
  problems.apply_repairs(model);
  if (judges) judge_whole(model, problems);
  append_new(model.warnings, problems.warnings());
}

}  // namespace linkwright
