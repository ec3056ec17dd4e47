#include "linkwright/model/validation.hpp"

#include <fmt/format.h>

#include "model/checks.hpp"

namespace linkwright {

std::vector<Warning> validate(const Model& model) {
  if (model.bodies.size() > static_cast<std::size_t>(max_bodies))
    throw Error(model.bodies.front().source,
                fmt::format("the model has {} links, more than the {} that are allowed; split it "
                            "into several models",
                            model.bodies.size(), max_bodies));
  std::vector<Warning> warnings;
  const checks::Names names = checks::check_names(model);
  checks::require_finite({}, "model", "gravity", model.gravity);
  checks::check_tree(model, names);
  checks::check_bodies(model, warnings);
  checks::check_joints(model, warnings);
  checks::check_frames(model, names);
  checks::check_closures(model, names, warnings);
  checks::check_grasps(model, names, warnings);
  checks::check_springs_and_loads(model, names);
  checks::check_actuation(model, names, warnings);
  checks::check_initial_state(model, names, warnings);
  checks::warn_of_massless_links(model, names, warnings);
  return warnings;
}

}  // namespace linkwright
