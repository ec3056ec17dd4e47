// First derivatives of closed dynamics against dual numbers that run through the sweeps and the closures' rows.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "closure/aggregates.hpp"
#include "derivatives/by_duals.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using spatial::Dual;

/// What closures demand and push at accelerations that are held, and how both change along a direction.
struct ClosureTerms {
  VectorXd demand, demand_rate;  // J v̇ + J̇ v
  VectorXd push, push_rate;      // Jᵀ λ + Lᵀ (efforts − rotor · …), in the joints
};

class ClosuresByDuals {
 public:
  ClosuresByDuals(const System& system, const State& state, const VectorXd& a, const VectorXd& tau)
      : system_(system), state_(state), a_(a), tau_(tau), s_(system.tree()) {}

  ClosureTerms along(const VectorXd& turn, const VectorXd& push, const VectorXd& lambda) {
    const Tree<double>& tree = system_.tree();
    const std::vector<Dual> q = dual_position(system_, state_.q, turn), v = dual(state_.v, push),
                            a = dual(a_, VectorXd::Zero(a_.size()));
    sweeps::place_joints(tree, s_, q.data());
    sweeps::poses<sweeps::Origin::world>(tree, s_);
    sweeps::velocities(tree, s_, v.data());
    sweeps::accelerations(tree, s_, v.data(), a.data());
    sweeps::motion_columns(tree, s_);
    const Index n = system_.nv(), m = lambda.size();
    ClosureTerms out{VectorXd::Zero(m), VectorXd::Zero(m), VectorXd::Zero(n), VectorXd::Zero(n)};
    for (const ClosurePlace& c : system_.closures()) {
      if (c.kind == PairKind::gear)
        add_gear(c, lambda, out);
      else
        add_pair(c, lambda, out);
    }
    return out;
  }

 private:
  void add_gear(const ClosurePlace& c, const VectorXd& lambda, ClosureTerms& out) const {
    for (const TreeTerm& term : c.terms) {
      out.demand[c.row] += term.ratio * a_[term.v];
      out.push[term.v] += term.ratio * lambda[c.row];
    }
  }
  void add_pair(const ClosurePlace& c, const VectorXd& lambda, ClosureTerms& out) {
    const auto ia = static_cast<std::size_t>(c.node_a), ib = static_cast<std::size_t>(c.node_b);
    closure::Meeting<Dual> m = closure::meet(c, s_.pose[ia], s_.pose[ib], s_.V[ia], s_.V[ib]);
    m.bias += to_child(c.at_b, s_.alpha[ib]) - to_child(m.X, to_child(c.at_a, s_.alpha[ia]));
    spatial::Force<Dual> F{};
    for (int i = 0; i < c.rows; ++i) {
      const auto row = closure::row_of(c, m, i);
      const Dual demand = row_bias(row, m);
      out.demand[c.row + i] = demand.x, out.demand_rate[c.row + i] = demand.d;
      F += Dual(lambda[c.row + i]) * row.W;
    }
    for (int i = 0; i < c.freedoms; ++i) {
      const auto row = closure::closing_row(c, m, i);
      const ClosingFreedom& f = c.freedom[i];
      const Dual rate = dot(row.W, m.V);
      Dual effort = Dual(f.load) - f.damping * rate - f.rotor * row_bias(row, m) -
                    dry_friction(rate, f.friction_forward, f.friction_backward);
      for (std::size_t k = 0; k < system_.closing_motors().size(); ++k)
        if (system_.closures()[static_cast<std::size_t>(system_.closing_motors()[k].closure)]
                    .name == c.name &&
            system_.closing_motors()[k].freedom == i)
          effort += Dual(tau_[system_.nv() + static_cast<Index>(k)]);
      F += effort * row.W;
    }
    const auto tip = s_.pose[ib] * c.at_b;
    add_path(c.node_b, 1, tip, F, out);
    add_path(c.node_a, -1, tip, F, out);
  }
  void add_path(int node, double sign, const spatial::Pose<Dual>& tip,
                const spatial::Force<Dual>& F, ClosureTerms& out) const {
    for (int k = node; k != 0; k = system_.tree().nodes[static_cast<std::size_t>(k)].parent) {
      const Node<double>& n = system_.tree().nodes[static_cast<std::size_t>(k)];
      for (int i = 0; i < n.d; ++i) {
        const Dual work = Dual(sign) * dot(F, to_child(tip, s_.column(n.freedom + i)));
        out.push[n.v + i] += work.x, out.push_rate[n.v + i] += work.d;
      }
    }
  }

  const System& system_;
  const State& state_;
  const VectorXd &a_, &tau_;
  Scratch<Dual> s_;
};

/// The largest relative error of v̇ along all independent directions.
double error_against_duals(const System& system, ClosedWorkspace& work, const State& state,
                           const VectorXd& tau) {
  const int n = system.nv(), m = work.rows();
  const VectorXd zero = VectorXd::Zero(n);
  VectorXd a(n), id(n);
  compute_forward_dynamics(work, state, tau, {}, a);
  MatrixXd M(n, n), J(m, n), a_q(n, n), a_v(n, n), a_tau(n, system.effort_count());
  compute_mass_matrix(work, state.q, M);
  compute_closure_jacobian(work, state.q, J);
  compute_inverse_dynamics(work.tree(), state, a, {}, id);
  ClosuresByDuals closures(system, state, a, tau);
  const VectorXd rest = id - tau.head(n) - closures.along(zero, zero, VectorXd::Zero(m)).push;
  VectorXd lambda(m);  // there may be none: a free joint between two links
  if (m > 0) lambda = MatrixXd(J.transpose()).completeOrthogonalDecomposition().solve(rest);
  const ClosureTerms here = closures.along(zero, zero, lambda);
  EXPECT_LT(here.demand.norm(), 1e-8 * (1 + a.norm()));
  EXPECT_LT((id - tau.head(n) - here.push).norm(), 1e-7 * (1 + id.norm()));
  const Derivatives tree = inverse_by_duals(system, state, a, {});
  compute_forward_dynamics_derivatives(work, state, tau, {}, a_q, a_v, a_tau);
  const Independent chosen = choose_independent(work, state.q);
  const std::vector<int> positions = position_coordinates(work, state.q, chosen.entries);
  MatrixXd T(2 * n, static_cast<Index>(positions.size() + chosen.entries.size()));
  compute_tangent(work, state, positions, chosen.entries, T);
  MatrixXd K = MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = M, K.bottomLeftCorner(m, n) = J, K.topRightCorner(n, m) = -J.transpose();
  const auto solver = K.completeOrthogonalDecomposition();
  double worst = 0;
  for (Index k = 0; k < T.cols(); ++k) {
    const VectorXd dq = T.col(k).head(n), dv = T.col(k).tail(n);
    const ClosureTerms change = closures.along(dq, dv, lambda);
    VectorXd right(n + m);
    right << change.push_rate - tree.by_q * dq - tree.by_v * dv, -change.demand_rate;
    VectorXd x = solver.solve(right);
    x += solver.solve(right - K * x);
    const VectorXd told = a_q * dq + a_v * dv;
    worst = std::max(worst, (told - x.head(n)).norm() / (1 + x.head(n).norm()));
  }
  return worst;
}

class ByDuals : public ::testing::TestWithParam<const char*> {};
TEST_P(ByDuals, a_bundled_mechanism) {
  const Model model = read_model(std::string(LINKWRIGHT_SOURCE_DIR "/models/") + GetParam());
  const System system = compile(model);
  ClosedWorkspace work(system);
  State state = initial_state(system);
  assemble(work, {.hold = model.initial.hold, .limits = AssemblyOptions::Limits::ignore}, state.q);
  RandomModel random(11);
  state.v = random.numbers(system.nv());
  project_velocity(work, state.q, {}, state.v);
  VectorXd tau = random.numbers(system.effort_count());
  for (const int passive : system.passive_freedoms()) tau[passive] = 0;
  const double error = error_against_duals(system, work, state, tau);
  RecordProperty("error", std::to_string(error));
  EXPECT_LT(error, 1e-11) << GetParam();
}
INSTANTIATE_TEST_SUITE_P(every, ByDuals,
                         ::testing::Values("ankle.yaml", "bricard.yaml", "delta.yaml",
                                           "five_bar.yaml", "four_bar.yaml", "gripper.yaml",
                                           "planar_platform.yaml", "slider_crank.yaml",
                                           "spatial_slider_crank.yaml", "stewart.yaml",
                                           "walking_machine.yaml"));

/// Every kind of closure with dampers, rotors, friction and motors at its freedoms; springs, whose places are
/// not written for dual numbers, are left to the differences.
TEST(DerivativesByDuals, random_mechanisms) {
  int seen = 0;
  double worst = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ClosedMechanism made = mechanism_of(seed);
    std::erase_if(made.model.joint_springs,
                  [](const JointSpring& s) { return s.joint.starts_with("loop"); });
    const System system = compile(made.model);
    ClosedWorkspace work(system);
    State state(system);
    RandomModel random(seed);
    state.q = made.q, state.v = random.numbers(system.nv());
    project_velocity(work, state.q, {}, state.v);
    VectorXd tau = random.numbers(system.effort_count());
    for (const int passive : system.passive_freedoms()) tau[passive] = 0;
    const double condition = condition_of_closed(work, state.q);
    if (condition > 1e6) continue;
    ++seen;
    const double error = error_against_duals(system, work, state, tau);
    worst = std::max(worst, error / (1 + 1e-4 * condition));
    EXPECT_LT(error, 1e-11 + 64 * epsilon * condition) << condition;
  }
  EXPECT_GT(seen, 35);
  std::printf("  %d mechanisms, largest relative error %.2g\n", seen, worst);
}

}  // namespace
}  // namespace linkwright::testing
