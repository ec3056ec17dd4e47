#include "actuation/effort_series.hpp"

#include "dynamics/positions/group_step.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"
#include "spatial/index.hpp"

namespace linkwright::actuation {
namespace {

using Eigen::Index;

std::size_t row_count(const System& system) {
  return system.closures().empty()
             ? 0
             : at(system.closures().back().row + system.closures().back().rows);
}

/// Load, damping, friction and a plain spring of a closing freedom whose coordinate and rate are known.
Series model_effort(const ClosingFreedom& f, const Series& position, const Series& rate) {
  return Series(f.load) - f.damping * rate -
         dry_friction(rate, f.friction_forward, f.friction_backward) + Series(f.pull) -
         f.stiffness * position;
}

/// x with ẋ = rate.
Series integral(double x, const Series& rate) {
  Series out(x);
  for (int k = 1; k < series_orders; ++k) out.c[k] = rate.c[k - 1] / k;
  return out;
}

/// Of a joint with a pose: r with ṙ = ½ r ω, p with ṗ = R v, order by order: order k of the right-hand sides
/// needs only what is known by then.
void integrate_pose(const JointPlace& joint, const Motion* rates, const Eigen::VectorXd& from,
                    Series* out) {
  for (int i = 0; i < joint.nq; ++i) out[i] = from[joint.q + i];
  for (int k = 0; k + 1 < series_orders; ++k) {
    spatial::Quaternion<Series> r{out[0], out[1], out[2], out[3]}, w{};
    spatial::Vector3<Series> v{};
    for (int i = 0; i <= k; ++i) {
      w.x.c[i] = 0.5 * rates[i].angular.x, w.y.c[i] = 0.5 * rates[i].angular.y;
      w.z.c[i] = 0.5 * rates[i].angular.z;
      v.x.c[i] = rates[i].linear.x, v.y.c[i] = rates[i].linear.y, v.z.c[i] = rates[i].linear.z;
    }
    const spatial::Quaternion<Series> turning = r * w;
    out[0].c[k + 1] = turning.w.c[k] / (k + 1), out[1].c[k + 1] = turning.x.c[k] / (k + 1);
    out[2].c[k + 1] = turning.y.c[k] / (k + 1), out[3].c[k + 1] = turning.z.c[k] / (k + 1);
    if (joint.nq != 7) continue;
    const spatial::Vector3<Series> moving = to_matrix(r) * v;
    out[4].c[k + 1] = moving.x.c[k] / (k + 1), out[5].c[k + 1] = moving.y.c[k] / (k + 1);
    out[6].c[k + 1] = moving.z.c[k] / (k + 1);
  }
}

}  // namespace

EffortSeries::EffortSeries(const System& system)
    : closure_accelerations(row_count(system)),
      closing_rates(system.closing_names().size()),
      system_(&system),
      s_(system.tree()),
      other_(system.tree()),
      q_(at(system.nq())),
      v_(at(system.nv())),
      a_(v_),
      needed_(v_),
      own_(v_),
      given_(v_),
      positions_(Eigen::VectorXd::Zero(static_cast<Index>(system.closing_names().size()))) {
  for (const ClosurePlace& c : system.closures())
    if (c.has_springs && c.carries_pose())
      throw Error(c.source, "closing joint '" + c.name +
                                "' carries a pose and springs: their rate along a motion is not "
                                "known. Write the springs between bodies");
}

void EffortSeries::place_positions(const State& state) {
  for (const JointPlace& joint : system_->joints()) {
    if (joint.quaternion < 0) {
      for (int i = 0; i < joint.nq; ++i)
        q_[at(joint.q + i)] = integral(state.q[joint.q + i], v_[at(joint.v + i)]);
      continue;
    }
    Motion rates[series_orders];
    double v[6];
    for (int k = 0; k < series_orders; ++k) {
      for (int i = 0; i < joint.nv; ++i) v[i] = v_[at(joint.v + i)].c[k];
      rates[k] = group::pose_rate(*system_, joint, v);
    }
    integrate_pose(joint, rates, state.q, q_.data() + joint.q);
  }
}

void EffortSeries::place(ClosedWorkspace& work, const State& state, const ConstMatrixRef& rates) {
  const Tree<double>& tree = system_->tree();
  for (int i = 0; i < system_->nv(); ++i) {
    Series &v = v_[at(i)], &a = a_[at(i)];
    v = state.v[i], a = 0;
    for (int k = 0; k < rates.cols() && k < series_orders; ++k) {
      a.set_derivative(k, rates(i, k));
      if (k + 1 < series_orders) v.set_derivative(k + 1, rates(i, k));
    }
  }
  place_positions(state);
  sweeps::place_joints(tree, s_, q_.data());
  sweeps::poses<sweeps::Origin::world>(tree, s_);
  sweeps::velocities(tree, s_, v_.data());
  sweeps::accelerations(tree, s_, v_.data(), a_.data());
  for (auto& force : s_.f_ext) force = {};
  sweeps::body_forces(tree, s_);
  own_forces_.assign(s_.f_ext.begin(), s_.f_ext.end());
  std::fill(own_.begin(), own_.end(), Series(0));
  sweeps::joint_forces(tree, q_.data(), v_.data(), own_.data());
  if (positions_.size() > 0) compute_closing_coordinates(work, state.q, positions_);
}

/// A closure between two frames pushes on their bodies.
void EffortSeries::push_pair(const ClosurePlace& c, const SeriesVector& lambda,
                             const SeriesVector& closing) {
  const auto a = at(c.node_a), b = at(c.node_b);
  closure::Meeting<Series> m = closure::meet(c, s_.pose[a], s_.pose[b], s_.V[a], s_.V[b]);
  m.bias += to_child(c.at_b, s_.alpha[b]) - to_child(m.X, to_child(c.at_a, s_.alpha[a]));
  spatial::Force<Series> on_b{};
  for (int i = 0; i < c.rows; ++i) {
    const closure::Row<Series> row = closure::row_of(c, m, i);
    closure_accelerations[at(c.row + i)] = closure::row_bias(row, m);
    on_b += lambda[at(c.row + i)] * row.W;
  }
  for (int i = 0; i < c.freedoms; ++i) {
    const auto place = at(c.closing + i);
    const ClosingFreedom& f = c.freedom[i];
    const closure::Row<Series> row = closure::closing_row(c, m, i);
    const Series turning = dot(row.W, m.V);
    closing_rates[place] = turning;
    Series effort = closing[place] - f.rotor * closure::row_bias(row, m);
    if (c.acts) effort += model_effort(f, integral(positions_[c.closing + i], turning), turning);
    on_b += effort * row.W;
  }
  if (c.node_b != 0) s_.f_ext[b] += to_parent(c.at_b, on_b);
  if (c.node_a != 0) s_.f_ext[a] -= to_parent(c.at_a, to_parent(m.X, on_b));
}

/// A gear or a shaft pushes on joints.
void EffortSeries::push_joints(const ClosurePlace& c, const SeriesVector& lambda,
                               const SeriesVector& closing) {
  Series turning(0), faster(0), effort(0);
  for (const TreeTerm& term : c.terms) {
    turning += term.ratio * v_[at(term.v)];
    faster += term.ratio * a_[at(term.v)];
  }
  if (c.kind == PairKind::gear) {
    effort = lambda[at(c.row)];
    closure_accelerations[at(c.row)] = faster;
  }
  if (c.kind == PairKind::shaft) {
    closing_rates[at(c.closing)] = turning;
    effort = closing[at(c.closing)] - c.freedom[0].rotor * faster +
             model_effort(c.freedom[0], Series(0), turning);
  }
  for (const TreeTerm& term : c.terms) given_[at(term.v)] += term.ratio * effort;
}

void EffortSeries::compute_rest(const SeriesVector& lambda, const SeriesVector& closing,
                                SeriesVector& rest) {
  std::copy(own_forces_.begin(), own_forces_.end(), s_.f_ext.begin());
  given_ = own_;
  for (const ClosurePlace& c : system_->closures())
    if (is_among_joints(c.kind))
      push_joints(c, lambda, closing);
    else
      push_pair(c, lambda, closing);
  sweeps::inverse_dynamics(system_->tree(), s_, v_.data(), a_.data(), s_.f_ext.data(),
                           needed_.data());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = needed_[i] - given_[i];
}

void EffortSeries::compute_rows(const SeriesVector& mu, SeriesVector& closure_rates,
                                SeriesVector& closing) {
  sweeps::place_joints(system_->tree(), other_, q_.data());
  sweeps::poses<sweeps::Origin::world>(system_->tree(), other_);
  sweeps::velocities(system_->tree(), other_, mu.data());
  for (const ClosurePlace& c : system_->closures()) {
    if (is_among_joints(c.kind)) {
      Series turning(0);
      for (const TreeTerm& term : c.terms) turning += term.ratio * mu[at(term.v)];
      (c.kind == PairKind::gear ? closure_rates[at(c.row)] : closing[at(c.closing)]) = turning;
      continue;
    }
    const auto a = at(c.node_a), b = at(c.node_b);
    const closure::Meeting<Series> m =
        closure::meet(c, other_.pose[a], other_.pose[b], other_.V[a], other_.V[b]);
    for (int i = 0; i < c.rows; ++i)
      closure_rates[at(c.row + i)] = dot(closure::row_of(c, m, i).W, m.V);
    for (int i = 0; i < c.freedoms; ++i)
      closing[at(c.closing + i)] = dot(closure::closing_row(c, m, i).W, m.V);
  }
}

}  // namespace linkwright::actuation
