#include "compute/output/lost_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "shell/output.hpp"

namespace linkwright::app {

LostContacts::LostContacts(const Quantity& quantity, const System& system) {
  constexpr std::array<std::string_view, 4> about_forces{"forward-dynamics", "closure-forces",
                                                         "contacts", "reactions"};
  const auto& grasps = system.model().grasps;
  looks_ =
      std::find(about_forces.begin(), about_forces.end(), quantity.name) != about_forces.end() &&
      std::any_of(grasps.begin(), grasps.end(), [](const Grasp& g) { return is_one_sided(g); });
}

void LostContacts::take(ClosedWorkspace& work, const Input& in, const std::string& where) {
  if (!looks_) return;
  const System& system = work.system();
  Eigen::VectorXd a(system.nv());
  compute_forward_dynamics(work, in.state, in.tau, in.forces, a);
  std::vector<ContactForce> carried(system.model().grasps.size());
  contact_forces(work, carried);
  bool any = false;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    const double nothing = 1e-9 * (std::abs(carried[i].normal) + carried[i].tangential);
    if (carried[i].margin >= -nothing) continue;
    any = true;
    if (carried[i].margin >= worst_) continue;
    worst_ = carried[i].margin;
    text_ = (where.empty() ? "" : where + ": ") +
            describe_loss(system, static_cast<int>(i), carried[i], nothing);
  }
  states_ += any ? 1 : 0;
}

void LostContacts::report() const {
  if (states_ == 0) return;
  report_note(fmt::format(
      "{}. It is computed as if it held all the same{}", text_,
      states_ > 1 ? fmt::format("; so are contacts at {} states", states_) : std::string()));
}

}  // namespace linkwright::app
