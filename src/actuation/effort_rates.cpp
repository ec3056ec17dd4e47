#include "actuation/effort_rates.hpp"

#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/dual_position.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"
#include "spatial/index.hpp"

namespace linkwright::actuation {
namespace {

using spatial::Dual;

std::vector<Dual> to_dual(const ConstVectorRef& x, const ConstVectorRef& rate) {
  std::vector<Dual> all(static_cast<std::size_t>(x.size()));
  for (Eigen::Index i = 0; i < x.size(); ++i) all[static_cast<std::size_t>(i)] = {x[i], rate[i]};
  return all;
}

int row_count(const System& system) {
  return system.closures().empty() ? 0
                                   : system.closures().back().row + system.closures().back().rows;
}

/// Load, damping, friction and a plain spring of a closing freedom whose coordinate and rate are known.
Dual model_effort(const ClosingFreedom& f, Dual position, Dual rate) {
  return Dual(f.load) - f.damping * rate -
         dry_friction(rate, f.friction_forward, f.friction_backward) + f.pull -
         f.stiffness * position;
}

}  // namespace

EffortRates::EffortRates(const System& system)
    : value(Eigen::VectorXd::Zero(system.nv())),
      rate(value),
      closure_jerk(Eigen::VectorXd::Zero(row_count(system))),
      system_(&system),
      s_(system.tree()),
      needed_(at(system.nv())),
      given_(at(system.nv())),
      positions_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system.closing_names().size()))) {
  for (const ClosurePlace& c : system.closures())
    if (c.has_springs && c.carries_pose())
      throw Error(c.source, "closing joint '" + c.name +
                                "' carries a pose and springs: their rate along a motion is not "
                                "known. Write the springs between bodies");
}

void EffortRates::place(const Motion& motion) {
  const Tree<double>& tree = system_->tree();
  q_ = dual_position(*system_, motion.state.q, motion.state.v);
  v_ = to_dual(motion.state.v, motion.a);
  a_ = to_dual(motion.a, motion.jerk);
  sweeps::place_joints(tree, s_, q_.data());
  sweeps::poses<sweeps::Origin::world>(tree, s_);
  sweeps::velocities(tree, s_, v_.data());
  sweeps::accelerations(tree, s_, v_.data(), a_.data());
  for (auto& force : s_.f_ext) force = {};
  sweeps::body_forces(tree, s_);
  std::fill(given_.begin(), given_.end(), Dual(0));
  sweeps::joint_forces(tree, q_.data(), v_.data(), given_.data());
}

/// A closure between two frames pushes on their bodies.
void EffortRates::push_pair(const ClosurePlace& c, const Eigen::VectorXd& lambda,
                            const Eigen::VectorXd& closing) {
  const auto a = at(c.node_a), b = at(c.node_b);
  closure::Meeting<Dual> m = closure::meet(c, s_.pose[a], s_.pose[b], s_.V[a], s_.V[b]);
  m.bias += to_child(c.at_b, s_.alpha[b]) - to_child(m.X, to_child(c.at_a, s_.alpha[a]));
  spatial::Force<Dual> on_b{};
  for (int i = 0; i < c.rows; ++i) {
    const closure::Row<Dual> row = closure::row_of(c, m, i);
    closure_jerk[c.row + i] = closure::row_bias(row, m).d;
    on_b += Dual(lambda[c.row + i]) * row.W;
  }
  for (int i = 0; i < c.freedoms; ++i) {
    const ClosingFreedom& f = c.freedom[i];
    const closure::Row<Dual> row = closure::closing_row(c, m, i);
    const Dual turning = dot(row.W, m.V);
    Dual effort = Dual(closing[c.closing + i]) - f.rotor * closure::row_bias(row, m);
    if (c.acts) effort += model_effort(f, {positions_[c.closing + i], turning.x}, turning);
    on_b += effort * row.W;
  }
  if (c.node_b != 0) s_.f_ext[b] += to_parent(c.at_b, on_b);
  if (c.node_a != 0) s_.f_ext[a] -= to_parent(c.at_a, to_parent(m.X, on_b));
}

/// A gear or a shaft pushes on joints.
void EffortRates::push_joints(const ClosurePlace& c, const Eigen::VectorXd& lambda,
                              const Eigen::VectorXd& closing) {
  Dual turning(0), faster(0), effort(0);
  for (const TreeTerm& term : c.terms) {
    turning += term.ratio * v_[at(term.v)];
    faster += term.ratio * a_[at(term.v)];
  }
  if (c.kind == PairKind::gear) {
    effort = lambda[c.row];
    closure_jerk[c.row] = faster.d;
  }
  if (c.kind == PairKind::shaft)
    effort = Dual(closing[c.closing]) - c.freedom[0].rotor * faster +
             model_effort(c.freedom[0], Dual(0), turning);
  for (const TreeTerm& term : c.terms) given_[at(term.v)] += term.ratio * effort;
}

void EffortRates::compute(ClosedWorkspace& work, const Motion& motion,
                          const Eigen::VectorXd& lambda, const Eigen::VectorXd& closing) {
  place(motion);
  if (positions_.size() > 0) compute_closing_coordinates(work, motion.state.q, positions_);
  for (const ClosurePlace& c : system_->closures())
    if (is_among_joints(c.kind))
      push_joints(c, lambda, closing);
    else
      push_pair(c, lambda, closing);
  sweeps::inverse_dynamics(system_->tree(), s_, v_.data(), a_.data(), s_.f_ext.data(),
                           needed_.data());
  for (int i = 0; i < system_->nv(); ++i) {
    const Dual rest = needed_[at(i)] - given_[at(i)];
    value[i] = rest.x, rate[i] = rest.d;
  }
}

}  // namespace linkwright::actuation
