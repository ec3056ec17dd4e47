#include "linkwright/verify/formulations.hpp"

#include <cmath>
#include <memory>
#include <random>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"
#include "linkwright/network/dynamics.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "linkwright/verify/absolute_coordinates.hpp"
#include "spatial/decompositions.hpp"
#include "verify/closed_formulations.hpp"

namespace linkwright::verify {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using operators::Algorithm;
using operators::Operators;
using spatial::Counting;
using spatial::Operations;

std::vector<Counting> counting_numbers(int n) {
  return std::vector<Counting>(static_cast<std::size_t>(n), Counting::number());
}

Operations& operator+=(Operations& sum, const Operations& more) {
  sum.additions += more.additions;
  sum.multiplications += more.multiplications;
  sum.divisions += more.divisions;
  sum.sines += more.sines;
  return sum;
}

OperationsOfCall cost_of_trunk(const System& system) {
  const auto& tree = system.tree();
  Scratch<Counting> s(tree);
  const auto q = counting_numbers(tree.nq), v = counting_numbers(tree.nv);
  auto a = v;
  spatial::counted() = {};
  sweeps::place_joints(tree, s, q.data());
  sweeps::bias_sweep<Counting>(tree, tree.runs, s, v.data(), nullptr);
  sweeps::filter_sweep<Counting>(tree, tree.runs, s, v.data());
  sweeps::forward_dynamics_smoother<Counting>(tree, s, a.data());
  return {4, spatial::counted()};
}

/// L D Lᵀ = M row by row, and the three solves with it.
Operations count_cholesky(long n) {
  Operations sum;
  for (long j = 0; j < n; ++j) {
    const long below = n - j - 1;
    sum.multiplications += 2 * j + below * j;  // D Lᵀ of the row, the pivot, the column below it
    sum.additions += j + below * j;
    sum.divisions += below + 1;  // by the pivot: the column, and the right-hand side
  }
  sum.multiplications += n * (n - 1);
  sum.additions += n * (n - 1);
  return sum;
}

/// compute_mass_matrix and compute_inverse_dynamics, each of which places the joints.
OperationsOfCall cost_of_dense(const System& system) {
  const auto& tree = system.tree();
  Scratch<Counting> s(tree);
  const auto q = counting_numbers(tree.nq), v = counting_numbers(tree.nv);
  const std::vector<Counting> zero(v.size());
  auto tau = v;
  std::vector<Counting> M(v.size() * v.size());
  spatial::counted() = {};
  sweeps::place_joints(tree, s, q.data());
  sweeps::mass_matrix(tree, s, M.data(), tree.nv);
  sweeps::place_joints(tree, s, q.data());
  sweeps::inverse_dynamics<Counting>(tree, s, v.data(), zero.data(), nullptr, tau.data());  // two
  Operations sum = spatial::counted();
  sum += count_cholesky(tree.nv);
  sum.additions += tree.nv;  // τ − τ₀
  return {5, sum};
}

/// The sweeps of an algorithm and those that it is given: placement, P, D, G, the biases unless they
/// are its own first sweep, and for FD2, which also tells the tip's acceleration, poses and velocities.
OperationsOfCall cost_of_operators(Algorithm algorithm, const Operators& at) {
  const auto v = counting_numbers(at.system().nv());
  const bool given_biases = algorithm != Algorithm::FD4;
  const bool given_tip_biases = algorithm == Algorithm::FD2;
  spatial::counted() = {};
  const auto copy = operators::counting_copy(at);  // places the joints and computes P, D, G
  const auto& tree = at.system().tree();
  if (given_biases) sweeps::bias_sweep<Counting>(tree, tree.runs, copy->scratch, v.data(), nullptr);
  if (given_tip_biases) {
    sweeps::poses<sweeps::Origin::world>(tree, copy->scratch);
    sweeps::velocities(tree, copy->scratch, v.data());
  }
  OperationsOfCall cost{2 + (given_biases ? 1 : 0) + (given_tip_biases ? 2 : 0),
                        spatial::counted()};
  for (const operators::SweepNote& note : sweeps_of(algorithm, at)) {
    ++cost.sweeps;
    cost.operations += note.operations;
  }
  return cost;
}

/// The library's own forward dynamics.
Formulation trunk(const System& system, FrameId) {
  const auto work = std::make_shared<Workspace>(system, Closures::leave_out);
  return {.name = "trunk",
          .solve =
              [work](const ForwardDynamicsProblem& x, Accelerations& out) {
                out.joints.resize(x.tau.size());
                compute_forward_dynamics(*work, x.state, x.tau, x.forces(), out.joints);
              },
          .count = cost_of_trunk(system)};
}

/// M as a matrix and what acts without acceleration, solved by Cholesky.
struct DenseLagrangian {
  explicit DenseLagrangian(const System& system)
      : work(system, Closures::leave_out),
        M(system.nv(), system.nv()),
        rest(system.nv()),
        zero(VectorXd::Zero(system.nv())),
        factors(system.nv()) {}

  void solve(const ForwardDynamicsProblem& x, Accelerations& out) {
    compute_mass_matrix(work, x.state.q, M);
    compute_inverse_dynamics(work, x.state, zero, x.forces(), rest);
    factors.compute(M);
    out.joints = factors.solve(x.tau - rest);
  }

  Workspace work;
  MatrixXd M;
  VectorXd rest, zero;
  Eigen::LDLT<MatrixXd> factors;
};
Formulation dense_lagrangian(const System& system, FrameId) {
  const auto dense = std::make_shared<DenseLagrangian>(system);
  return {.name = "dense Lagrangian",
          .solve = [dense](const ForwardDynamicsProblem& x,
                           Accelerations& out) { dense->solve(x, out); },
          .count = cost_of_dense(system)};
}

/// FD1 … FD4 in operators.
template <Algorithm algorithm>
Formulation by_operators(const System& system, FrameId tip) {
  const auto at = std::make_shared<Operators>(system, Closures::leave_out);
  at->set_tips(std::vector{tip});
  return {.name = operators::name(algorithm),
          .solve =
              [at](const ForwardDynamicsProblem& x, Accelerations& out) {
                auto found = forward_dynamics(algorithm, *at, x.state, x.tau, x.forces());
                out.joints.swap(found.a);
                out.tip.swap(found.tip);
              },
          .count = cost_of_operators(algorithm, *at)};
}

/// The system graph: equivalents at ports. In world axes a joint's D is a sum of numbers up to `magnification` times as
/// large, which round as those of so many bodies more.
Formulation by_network(const System& system, FrameId) {
  const auto work = std::make_shared<network::NetworkWorkspace>(system, network::Loops::leave_out);
  return {.name = "network",
          .solve = [work, nodes = system.node_count()](const ForwardDynamicsProblem& x,
                                                       Accelerations& out) {
            out.joints.resize(x.tau.size());
            compute_forward_dynamics(*work, x.state, x.tau, x.forces(), out.joints);
            out.magnification = 1 + magnification(*work) / nodes;
          }};
}

using Maker = Formulation (*)(const System& system, FrameId tip);
constexpr Maker makers[]{
    trunk,
    dense_lagrangian,
    by_operators<Algorithm::FD1>,
    by_operators<Algorithm::FD2>,
    by_operators<Algorithm::FD3>,
    by_operators<Algorithm::FD4>,
    by_network,
};

bool fits_absolute_coordinates(const System& system) {
  return system.model().bodies.size() <= AbsoluteCoordinates::most_bodies;
}

}  // namespace

ForwardDynamicsProblem make_random_problem(const System& system, FrameId tip, int seed,
                                           int number) {
  std::seed_seq both{seed, number};
  std::mt19937_64 random(both);
  // Not uniform_real_distribution: its numbers differ from one standard library to the next.
  const auto within = [&random](double size) {
    return size * (std::ldexp(static_cast<double>(random() >> 11U), -52) - 1);
  };
  ForwardDynamicsProblem problem{State(system), VectorXd(system.nv()), {tip, {}, Axes::own}};
  compute_random(system, random(), problem.state.q);
  for (int i = 0; i < system.nv(); ++i) {
    problem.state.v[i] = within(2);
    problem.tau[i] = within(5);
  }
  for (const int i : system.passive_freedoms()) problem.tau[i] = 0;
  Force& f = problem.push.force;
  for (double* x : {&f.moment.x, &f.moment.y, &f.moment.z, &f.force.x, &f.force.y, &f.force.z})
    *x = within(5);
  return problem;
}

Formulation make_absolute_coordinates(const Model& model, const std::string& tip, Loops loops) {
  const auto mechanism = std::make_shared<AbsoluteCoordinates>(model, loops);
  return {.name = "absolute coordinates",
          .solve = [mechanism, tip](const ForwardDynamicsProblem& x, Accelerations& out) {
            out.joints.resize(x.tau.size());
            mechanism->compute_forward_dynamics(x.state.q, x.state.v, x.tau,
                                                {{tip, x.push.force, x.push.axes == Axes::world}},
                                                out.joints);
            out.tip = to_eigen(mechanism->frame_acceleration(tip));
            out.gaps = mechanism->closure_gaps();
          }};
}

std::vector<Formulation> make_formulations(const System& system, FrameId tip, Loops loops) {
  std::vector<Formulation> all;
  if (is_closed(system, loops))
    add_closed_formulations(system, all);
  else
    for (const Maker make : makers) all.push_back(make(system, tip));
  if (fits_absolute_coordinates(system))
    all.push_back(make_absolute_coordinates(system.model(), system.frame(tip).name, loops));
  return all;
}

std::vector<std::string> formulations_left_out(const System& system, Loops loops) {
  std::vector<std::string> reasons;
  if (is_closed(system, loops)) add_closed_left_out(system, reasons);
  if (!fits_absolute_coordinates(system))
    reasons.push_back(
        "absolute coordinates: left out for size, since their matrix is dense; the model has " +
        std::to_string(system.model().bodies.size()) + " bodies, at most " +
        std::to_string(AbsoluteCoordinates::most_bodies) + " are taken");
  return reasons;
}

}  // namespace linkwright::verify
