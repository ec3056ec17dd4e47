#include "linkwright/manipulator/sharing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "manipulator/cones/least_norm.hpp"
#include "manipulator/grasp/sharing_motion.hpp"
#include "manipulator/grasp/sharing_problem.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

void check(const System& system, const SharingOptions& options) {
  const std::size_t grasps = system.model().grasps.size();
  held_objects(system);
  if (system.nv() == 0) throw Error("nothing in it can move, so there is no load to share");
  if (!(options.reserve >= 0) || !(options.reserve < 1))
    throw Error(fmt::format("reserve is {}; expected a part of the friction, 0 … 1 without 1",
                            options.reserve));
  if (!options.object.empty() && options.acceleration.empty())
    throw Error(
        fmt::format("object {} is named, and no acceleration is given; give one number per "
                    "freedom of its own",
                    in_quotes(options.object)));
  for (const double a : options.acceleration)
    if (!std::isfinite(a))
      throw Error(fmt::format("an acceleration of object {} is {}; expected finite numbers",
                              in_quotes(options.object), a));
  if (options.rule != SharingRule::weighted) {
    if (!options.weights.empty())
      throw Error("weights are given, and the rule has none; choose the weighted rule");
    return;
  }
  if (options.weights.size() != grasps)
    throw Error(fmt::format("{} weights for {} grasps; expected one per grasp",
                            options.weights.size(), grasps));
  for (std::size_t i = 0; i < grasps; ++i)
    if (!(options.weights[i] > 0) || !std::isfinite(options.weights[i]))
      throw Error(fmt::format("the weight of grasp {} is {}; expected a positive number",
                              in_quotes(system.model().grasps[i].name), options.weights[i]));
}

/// X for a y, refined so that the equations of motion hold to rounding.
VectorXd forces_at(const SharingProblem& p, const VectorXd& y) {
  VectorXd X = p.X0 + p.N * y;
  return X + least_norm(p.A, p.load - p.A * X);
}

/// Where the forces of a contact begin: moments stand before them.
int first_force(const GraspContact& contact) { return contact.first + contact.size - 3; }

SharedContact read_contact(const SharingProblem& p, const Grasp& grasp, const GraspContact& contact,
                           const VectorXd& X) {
  const Statics& s = p.statics;
  const auto value = [&](int k) { return p.unit * s.unit_c[k] * X[k]; };
  SharedContact out{.name = contact.name};
  for (int k = contact.first; k < contact.first + contact.size; ++k) {
    out.forces.push_back(value(k));
    double& size = k < first_force(contact) ? out.moment : out.force;
    size = std::hypot(size, value(k));
  }
  out.margin = std::numeric_limits<double>::infinity();
  if (contact.normal < 0) return out;
  out.normal = value(contact.normal);
  out.tangential = std::hypot(value(contact.normal - 2), value(contact.normal - 1));
  if (contact.twist >= 0) out.twist = value(contact.twist);
  out.margin = contact_margin(
      grasp, {.normal = out.normal, .tangential = out.tangential, .moment = out.twist});
  return out;
}

void fill(const System& system, const SharingProblem& p, const VectorXd& y, LoadSharing& out) {
  const VectorXd X = forces_at(p, y);
  out.residual = (p.A * X - p.load).norm();
  const Statics& s = p.statics;
  for (std::size_t i = 0; i < s.contacts.size(); ++i)
    out.contacts.push_back(read_contact(p, system.model().grasps[i], s.contacts[i], X));
  const std::vector<std::string> names = system.effort_names();
  const Index first = X.size() - s.T.cols();
  for (Index i = 0; i < s.T.cols(); ++i)
    out.motors.push_back(
        {names[at(s.motors[at(i)])], p.unit * s.unit_t[i] * X[first + i], p.limits[i]});
  const VectorXd seen = (p.least.F * y + p.least.g).head(p.rule_rows);
  out.cost = seen.squaredNorm() * std::pow(p.unit / (p.rule_in_newtons ? s.length : 1), 2);
}

std::string blame_contact(const GraspContact& contact, const SharedContact& carried) {
  if (!(carried.normal > 0))
    return fmt::format("contact {} would have to pull with {:.3g} N", in_quotes(contact.name),
                       -carried.normal);
  if (carried.twist != 0 && contact.torsion &&
      std::abs(carried.twist) > *contact.torsion * carried.normal)
    return fmt::format("contact {} would need a torsion of {:.3g} m (it has {:g})",
                       in_quotes(contact.name), std::abs(carried.twist) / carried.normal,
                       *contact.torsion);
  return fmt::format("contact {} would need a friction of {:.3g} (it has {:g})",
                     in_quotes(contact.name), carried.tangential / carried.normal,
                     *contact.friction);
}

/// The contact or motor that has to give nothing by the i-th of those equations.
std::string name_of_idle(const System& system, const SharingProblem& p, Index i) {
  const Statics& s = p.statics;
  const Index entry = p.idle[at(i)], motor = entry - s.C.cols() - s.E.cols();
  if (motor >= 0) return system.effort_names()[at(s.motors[at(motor)])];
  for (const GraspContact& contact : s.contacts)
    if (entry < contact.first + contact.size) return contact.name;
  return {};
}

/// Nothing meets all conditions: which ones stand in the way at the forces that come nearest.
void explain(const System& system, const SharingProblem& p, const SharingOptions& options,
             LoadSharing& out) {
  const Nearest nearest = find_nearest(p);
  if (nearest.depth > -1e-9)
    throw Error(
        "the load can be shared only just, at the edge of the cones and limits, and the "
        "solver found no answer there; change the load or the friction a little",
        Error::Kind::failed_computation);
  fill(system, p, nearest.y, out);
  out.shortage = -nearest.depth * p.unit / p.statics.length;
  std::vector<std::string> blames;
  for (std::size_t i = 0; i < p.bounds.size(); ++i) {
    if (nearest.weight[i] < 0.01) continue;
    const Bound& bound = p.bounds[i];
    std::string name, blame;
    if (bound.contact >= 0) {
      const GraspContact& contact = p.statics.contacts[at(bound.contact)];
      name = contact.name, blame = blame_contact(contact, out.contacts[at(bound.contact)]);
    } else {
      const SharedEffort& motor = out.motors[at(bound.motor)];
      name = motor.name;
      blame = fmt::format("motor {} would need {:.4g} (its limit is {:g})", in_quotes(name),
                          std::abs(motor.effort), motor.limit);
    }
    if (std::find(out.blocking.begin(), out.blocking.end(), name) != out.blocking.end()) continue;
    out.blocking.push_back(name);
    blames.push_back(blame);
  }
  out.reason = fmt::format(
      "the load cannot be shared within the friction cones and effort limits: "
      "at best {}{}",
      fmt::join(blames, ", "),
      options.reserve > 0 ? fmt::format(", {:g} of the friction kept back", options.reserve)
                          : std::string{});
}

/// Whether no contact, closure and motor balances the load.
bool is_missed(const SharingProblem& p) {
  return p.missed.size() > 0 && p.missed.cwiseAbs().maxCoeff() > 1e-9;
}

/// What contacts, closures and motors have to do together.
VectorXd load_at(ClosedWorkspace& work, const State& state, const VectorXd& a,
                 ExternalForces forces) {
  VectorXd load(a.size());
  compute_inverse_dynamics(work.tree(), state, a, forces, load);
  closure::subtract_closing_forces(work, state, a, load);
  return load;
}

}  // namespace

LoadSharing share_load(ClosedWorkspace& work, const State& state, const SharingOptions& options,
                       ExternalForces forces) {
  const System& system = work.system();
  door::check_state(system, state);
  check(system, options);
  VectorXd a = follow(work, state, options);
  SharingProblem p = make_problem(work, state.q, options, load_at(work, state, a, forces));
  if (is_missed(p) && let_move(work, state.q, p.statics, load_at(work, state, a, forces), a))
    p = make_problem(work, state.q, options, load_at(work, state, a, forces));
  LoadSharing out;
  Index worst = 0;
  if (is_missed(p)) {
    p.missed.cwiseAbs().maxCoeff(&worst);
    const bool joint = worst < system.nv();
    const std::string what =
        joint ? system.velocity_names()[at(worst)] : name_of_idle(system, p, worst - system.nv());
    out.blocking = {what};
    out.shortage = p.missed.norm() * p.unit / p.statics.length;
    out.reason = fmt::format(
        "no contact and no motor balances the load on {}: {:.4g} of it is left there",
        in_quotes(what),
        joint ? std::abs(p.missed[worst]) * p.unit / p.statics.freedom[worst] : out.shortage);
    fill(system, p, VectorXd::Zero(p.N.cols()), out);
    return out;
  }
  if (p.N.cols() == 0) {  // there is one answer
    const bool inside =
        std::all_of(p.least.conditions.begin(), p.least.conditions.end(),
                    [](const ConeCondition& c) { return depth(c, VectorXd(0)) >= -1e-9; });
    if (inside) {
      out.feasible = true;
      fill(system, p, VectorXd(0), out);
      return out;
    }
    explain(system, p, options, out);
    return out;
  }
  const ConeLeastSquaresSolution best = solve_by_rule(p);
  if (best.outcome != ConeSolution::Outcome::solved) {
    explain(system, p, options, out);
    return out;
  }
  out.feasible = true, out.optimality = best.optimality, out.approximate = best.rough;
  fill(system, p, best.y, out);
  return out;
}

}  // namespace linkwright::manipulator
