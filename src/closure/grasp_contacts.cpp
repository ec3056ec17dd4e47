#include "linkwright/closure/grasp_contacts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/forces.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

/// The force along the surface that is as near to its limit as the moment about the normal is.
double moment_as_force(const Grasp& grasp, double moment) {
  if (!grasp.torsion || grasp.friction.value_or(0) == 0) return 0;
  return *grasp.friction / *grasp.torsion * std::abs(moment);
}

}  // namespace

double contact_margin(const Grasp& grasp, const ContactForce& carried) {
  if (!grasp.friction) return std::numeric_limits<double>::infinity();
  // Without any friction a normal force holds nothing along the surface, but it must push all the same.
  const double holds =
      *grasp.friction > 0 ? *grasp.friction * carried.normal : std::min(0.0, carried.normal);
  return holds - std::max(carried.tangential, moment_as_force(grasp, carried.moment));
}

namespace {

void check_room(const System& system, std::size_t got, const char* who) {
  if (got != system.model().grasps.size())
    throw Error(fmt::format("{} has room for {} grasps; expected {}", who, got,
                            system.model().grasps.size()));
}

}  // namespace

std::string_view to_string(ContactLoss loss) {
  if (loss == ContactLoss::opens) return "opens";
  return loss == ContactLoss::slips ? "slips" : "twists";
}

ContactForce to_contact_force(const Grasp& grasp, const Force& force) {
  const Vector3 n = (1 / norm(grasp.normal)) * grasp.normal;
  ContactForce carried{.normal = dot(n, force.force), .moment = dot(n, force.moment)};
  carried.tangential = norm(force.force - carried.normal * n);
  carried.margin = contact_margin(grasp, carried);
  return carried;
}

ContactLoss find_loss(const Grasp& grasp, const ContactForce& carried, double nothing) {
  if (carried.normal <= nothing) return ContactLoss::opens;
  return moment_as_force(grasp, carried.moment) > carried.tangential ? ContactLoss::twists
                                                                     : ContactLoss::slips;
}

double holding_force(const Grasp& grasp, const ContactForce& carried) {
  const double along = std::max(carried.tangential, moment_as_force(grasp, carried.moment));
  return along == 0 ? 0 : along / grasp.friction.value_or(std::numeric_limits<double>::infinity());
}

int grasp_closure(const System& system, int grasp) {
  return static_cast<int>(system.closures().size() - system.model().grasps.size()) + grasp;
}

void contact_forces(ClosedWorkspace& work, std::span<ContactForce> out) {
  const System& system = work.system();
  check_room(system, out.size(), "contact_forces");
  closure::find_forces(work, "contact_forces");
  for (int i = 0; i < static_cast<int>(out.size()); ++i)
    out[at(i)] =
        to_contact_force(system.model().grasps[at(i)],
                         closure::force_of(work, system.closures()[at(grasp_closure(system, i))]));
}

void compute_contact_attitudes(ClosedWorkspace& work, const ConstVectorRef& q,
                               std::span<Quaternion> out) {
  const System& system = work.system();
  check_room(system, out.size(), "compute_contact_attitudes");
  door::check_position(system, q);
  auto& s = work.tree().scratch();
  kernels().place(system.tree(), s, q.data());
  kernels().poses(system.tree(), s);
  for (int i = 0; i < static_cast<int>(out.size()); ++i) {
    const ClosurePlace& c = system.closures()[at(grasp_closure(system, i))];
    const Pose X = closure::relative_pose(c, s.pose[at(c.node_a)], s.pose[at(c.node_b)]);
    const Quaternion turn = spatial::to_quaternion(X.rotation);
    out[at(i)] = turn.w < 0 ? Quaternion{-turn.w, -turn.x, -turn.y, -turn.z} : turn;
  }
}

std::string describe_loss(const System& system, int grasp, const ContactForce& carried,
                          double nothing) {
  const Grasp& g = system.model().grasps[at(grasp)];
  const std::string thing = "contact " + in_quotes(g.name);
  const ContactLoss loss = find_loss(g, carried, nothing);
  const bool opens = loss == ContactLoss::opens, twists = loss == ContactLoss::twists;
  const bool at_edge = carried.margin >= -nothing;
  if (opens && at_edge) return thing + " opens: no force along its normal keeps it closed any more";
  const double held = (twists ? *g.torsion : g.friction.value_or(0)) * carried.normal;
  const std::string load =
      twists ? fmt::format("{:.4g} N*m about its normal", std::abs(carried.moment))
             : fmt::format("{:.4g} N along the surface", carried.tangential);
  if (at_edge)
    return fmt::format("{} {}: it carries {}, all that {:.4g} N on it hold", thing, to_string(loss),
                       load, carried.normal);
  const double needed = holding_force(g, carried);
  std::string remedy = "Without friction no normal force holds it";
  if (needed <= nothing)
    remedy = fmt::format("It must be pressed with {:.4g} N more to stay closed", -carried.normal);
  else if (std::isfinite(needed))
    remedy = fmt::format("A normal force of {:.4g} N would hold it, {:.4g} N more", needed,
                         needed - carried.normal);
  std::string state = fmt::format("it carries {}, and {:.4g} N on it hold {:.4g} {}", load,
                                  carried.normal, held, twists ? "N*m" : "N");
  if (opens && carried.normal < -nothing)
    state = fmt::format("it would have to pull with {:.4g} N", -carried.normal);
  else if (opens)
    state = fmt::format("nothing presses it, and it carries {}", load);
  return fmt::format("{} {}: {} (margin {:.4g} N). {}", thing, to_string(loss), state,
                     carried.margin, remedy);
}

System leave_out_grasps(const System& system, std::span<const char> left_out) {
  check_room(system, left_out.size(), "leave_out_grasps");
  Model model = system.model();
  model.grasps.clear();
  for (std::size_t i = 0; i < left_out.size(); ++i)
    if (left_out[i] == 0) model.grasps.push_back(system.model().grasps[i]);
  return compile(model);
}

}  // namespace linkwright
