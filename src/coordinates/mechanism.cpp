#include "linkwright/coordinates/mechanism.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "coordinates/elimination.hpp"
#include "coordinates/finish.hpp"
#include "coordinates/parameters.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;

std::vector<Index> all_but(Index n, const std::vector<Index>& kept) {
  std::vector<Index> out;
  for (Index i = 0; i < n; ++i)
    if (std::find(kept.begin(), kept.end(), i) == kept.end()) out.push_back(i);
  return out;
}

/// Refuses a choice that the rows do not determine the others by, and names one that would do.
void require_determined(const Influence& c, const std::vector<Index>& kept,
                        const Elimination& chosen) {
  const auto n = static_cast<Index>(c.by.size());
  if (chosen.y.size() == kept.size() && chosen.rest.of.empty()) return;
  const Elimination best = eliminate(c, all_but(n, {}));
  const std::string would_do = names_of(at_places(c.by, best.y));
  throw Error(
      fmt::format("{} coordinate{} to keep ({}) {} the motion of a mechanism with {} freedom{} "
                  "here; {} would do",
                  kept.size(), kept.size() == 1 ? "" : "s", names_of(at_places(c.by, kept)),
                  chosen.rest.of.empty() ? "leave open" : "depend on each other in", best.y.size(),
                  best.y.size() == 1 ? "" : "s", would_do));
}

}  // namespace

Constrained constrain(const DynamicModel& model, const Influence& c_by_phi,
                      const std::vector<std::string>& keep) {
  require_same(c_by_phi.by, model.by, "the constraint");
  const auto n = static_cast<Index>(model.by.size());
  const std::vector<Index> kept = indices_of(model.by, keep);
  const Elimination e = eliminate(c_by_phi, all_but(n, kept));
  if (!keep.empty()) require_determined(c_by_phi, kept, e);
  const DynamicModel at_phi = refer_to(model, e.initial);
  return {map_loads(e.initial.G.view().transpose(), e.initial.by, at_phi), e.initial,
          map_loads(e.carried, c_by_phi.of, at_phi), Matrix(e.carried), e.condition};
}

Mechanism finish(const Constrained& first, const Influence& q_by_phi) {
  const Transfer second(compose(q_by_phi, first.initial));
  return {second.apply(first.model), second.apply(first.initial),
          refer_to(first.constraint, second.initial()), first.carried,
          first.condition * second.condition()};
}

Mechanism double_transfer(ClosedWorkspace& work, const State& state, ExternalForces forces,
                          const Influence& q_by_phi) {
  const DynamicModel open = joint_model(work, state, forces);
  return finish(constrain(open, closure_influence(work, state.q)), q_by_phi);
}

}  // namespace linkwright::coordinates
