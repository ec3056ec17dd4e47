// Shapes to see and to touch with.

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

using Shapes = std::vector<Visual> Model::*;

void check_size(const Visual& visual, std::string_view thing) {
  const auto check = [&](std::string_view what, double value) {
    require_not_negative(visual.source, thing, what, value);
  };
  switch (visual.shape) {
    case Visual::Shape::box:
      check("an edge of its box along x", visual.size.x);
      check("an edge of its box along y", visual.size.y);
      check("an edge of its box along z", visual.size.z);
      break;
    case Visual::Shape::cylinder:
    case Visual::Shape::capsule:
      check("the radius", visual.size.x);
      check("the length", visual.size.y);
      break;
    case Visual::Shape::sphere:
      check("the radius", visual.size.x);
      break;
    case Visual::Shape::mesh:  // a negative scale mirrors
      require_finite(visual.source, thing, "the scale of its mesh", visual.size);
      break;
  }
}

void check_list(const Model& model, Shapes shapes, std::string_view kind, const Names& names,
                Problems& problems) {
  for (std::size_t i = 0; i < (model.*shapes).size(); ++i) {
    const Visual& shape = (model.*shapes)[i];
    const std::string thing = fmt::format("{} of link {}", kind, in_quotes(shape.body));
    const auto drop = [shapes, i](Model& changed) {
      (changed.*shapes).erase((changed.*shapes).begin() + static_cast<std::ptrdiff_t>(i));
    };
    problems.attempt_or_repair(
        [&] {
          require_body(shape.source, thing, "carrying", shape.body, model, names);
          require_finite(shape.source, thing, "its pose", shape.pose);
          check_size(shape, thing);
        },
        {fmt::format("this {} is left out", kind), drop});
  }
}

}  // namespace

void check_shapes(const Model& model, const Names& names, Problems& problems) {
  check_list(model, &Model::visuals, "<visual>", names, problems);
  check_list(model, &Model::collisions, "<collision>", names, problems);
}

}  // namespace linkwright::checks
