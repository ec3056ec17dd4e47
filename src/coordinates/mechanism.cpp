#include "linkwright/coordinates/mechanism.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "coordinates/elimination.hpp"
#include "coordinates/finish.hpp"
#include "coordinates/parameters.hpp"
#include "dynamics/door.hpp"

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
  throw Error(fmt::format(
      "the coordinates {} do not describe the motion of a mechanism with {} freedom{} here: {}. {} "
      "would do",
      names_of(at_places(c.by, kept)), best.y.size(), best.y.size() == 1 ? "" : "s",
      chosen.rest.of.empty() ? "they leave some of it open" : "they depend on each other",
      names_of(at_places(c.by, best.y))));
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
  return {second.apply(first.model),
          q_by_phi,
          second.apply(first.initial),
          refer_to(first.constraint, second.initial()),
          first.carried,
          first.condition * second.condition()};
}

Mechanism compute_double_transfer(ClosedWorkspace& work, const State& state, ExternalForces forces,
                                  const Influence& q_by_phi) {
  const DynamicModel open = compute_joint_model(work, state, forces);
  return finish(constrain(open, compute_closure_influence(work, state.q)), q_by_phi);
}

void compute_forward_dynamics(const Mechanism& mechanism, const State& state,
                              const ConstVectorRef& tau, VectorRef a) {
  const Influence& joints = mechanism.joints;
  door::check_output(state.v.size(), joints.G.rows(), "state.v");
  door::check_output(tau.size(), joints.G.rows(), "tau");
  door::check_output(a.size(), joints.G.rows(), "a");
  const Eigen::VectorXd rates = mechanism.inputs.G.view() * state.v;
  Eigen::VectorXd own(rates.size()), bias(a.size());
  compute_accelerations(mechanism.model, rates, joints.G.view().transpose() * tau, own);
  compute_quadratic(joints.H, rates, bias);
  a = joints.G.view() * own + bias;
}

void compute_constraint_forces(const Mechanism& mechanism, const State& state,
                               const ConstVectorRef& tau, const ConstVectorRef& a,
                               VectorRef lambda) {
  const Influence& inputs = mechanism.inputs;
  door::check_output(a.size(), inputs.G.cols(), "a");
  door::check_output(tau.size(), inputs.G.cols(), "tau");
  Eigen::VectorXd bias(inputs.G.rows());
  compute_quadratic(inputs.H, state.v, bias);
  compute_loads(mechanism.constraint, inputs.G.view() * state.v, inputs.G.view() * a + bias,
                lambda);
  lambda -= mechanism.carried.view() * tau;
}

}  // namespace linkwright::coordinates
