#include "linkwright/simulate/equations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/simulate/callbacks.hpp"
#include "simulate/contacts/mechanism.hpp"
#include "simulate/equations/descriptor_forms.hpp"
#include "simulate/equations/joint_units.hpp"

namespace linkwright {
namespace {

Eigen::Index find(const std::vector<Quantity>& among, std::string_view name, const char* kind) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < among.size(); ++i) {
    if (among[i].name == name) return static_cast<Eigen::Index>(i);
    known.push_back(among[i].name);
  }
  throw Error(fmt::format("there is no {} {}{}; there {}", kind, in_quotes(name),
                          did_you_mean(name, known),
                          known.empty() ? "is none" : "are " + list_in_quotes(known)));
}

}  // namespace

std::vector<Quantity> Equations::inputs() const { return effort_inputs(system()); }

void Equations::compute_efforts(const FullState& /*now*/, const Eigen::VectorXd& input,
                                VectorRef tau) {
  if (input.size() != tau.size())
    throw Error(
        fmt::format("these equations take {} inputs for {} joint efforts and do not say which "
                    "efforts they cause; give their class a compute_efforts",
                    input.size(), tau.size()));
  tau = input;
}

void Equations::compute_closing_efforts(const FullState& /*now*/, const Eigen::VectorXd& input,
                                        VectorRef efforts) {
  const Eigen::Index nv = system().nv();
  if (input.size() >= nv + efforts.size())
    efforts = input.segment(nv, efforts.size());
  else
    efforts.setZero();
}

std::vector<Event> Equations::events() { return {}; }

Eigen::Index input_index(const Equations& equations, std::string_view name) {
  return find(equations.inputs(), name, "input");
}

Eigen::Index extra_index(const Equations& equations, std::string_view name) {
  return find(equations.extra_states(), name, "extra state");
}

TreeEquations::TreeEquations(const System& system, Closures closures)
    : system_(&system),
      smooth_(without_friction(system, Closures::leave_out)),
      work_(smooth_ ? *smooth_ : system, Closures::leave_out) {
  require_open(system, closures, "SimulationOptions with .closures = Closures::leave_out");
  std::vector<ContactFreedom> freedoms = contact_freedoms(system, Closures::leave_out);
  const std::size_t most = freedoms.size();
  if (smooth_)
    contacts_ = std::make_unique<Contacts>(std::move(freedoms), make_tree_mechanism(work_, most));
}

void TreeEquations::compute_rates(const FullState& now, const Eigen::VectorXd& input,
                                  ExternalForces forces, VectorRef a, VectorRef /*extra_rates*/) {
  if (!contacts_ || contacts_->idle())
    return compute_forward_dynamics(work_, now.state, input, forces, a);
  door::check_efforts(*system_, input);  // here joints without a motor take friction's
  contacts_->compute_accelerations(now.state, input, forces, a);
}

std::unique_ptr<DescriptorForm> TreeEquations::make_descriptor_form() {
  if (contacts_ && !contacts_->idle()) return make_explicit_form(*this);
  return make_mechanism_form(*system_, Closures::leave_out);
}

}  // namespace linkwright
