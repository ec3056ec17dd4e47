#include "verify/closed_formulations.hpp"

#include <algorithm>
#include <memory>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/coordinates/mechanism.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/network/dynamics.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::verify {
namespace {

using Eigen::VectorXd;
using operators::Algorithm;
using operators::Operators;

/// One of the three ways of closure/dynamics.hpp.
template <ClosedMethod method>
Formulation by_closures(const System& system) {
  const auto work = std::make_shared<ClosedWorkspace>(system);
  constexpr const char* names[]{"automatic", "recursion", "independent", "dense"};
  return {.name = names[static_cast<int>(method)],
          .solve = [work](const ForwardDynamicsProblem& x, Accelerations& out) {
            out.joints.resize(work->system().nv());
            compute_forward_dynamics(*work, x.state, x.tau, x.forces(), out.joints, method);
          }};
}

double condition_of(const Eigen::MatrixXd& inertia) {
  if (inertia.size() == 0) return 1;
  const VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(inertia).eigenvalues();
  return values.maxCoeff() / std::max(values.minCoeff(), 1e-300);
}

/// Freeman's double transfer, in the coordinates that the closures leave best conditioned.
Formulation by_transfer(const System& system) {
  const auto work = std::make_shared<ClosedWorkspace>(system);
  return {.name = "transfer", .solve = [work](const ForwardDynamicsProblem& x, Accelerations& out) {
            const System& own = work->system();
            const Independent chosen = choose_independent(*work, x.state.q);
            out.joints.setZero(own.nv());
            if (chosen.entries.empty()) return;  // nothing moves
            std::vector<std::string> names;
            for (const int i : chosen.entries)
              names.push_back(own.velocity_names()[static_cast<std::size_t>(i)]);
            const coordinates::Mechanism mechanism = coordinates::compute_double_transfer(
                *work, x.state, x.forces(), coordinates::joint_influence(own, names));
            coordinates::compute_forward_dynamics(mechanism, x.state, x.tau, out.joints);
            const double size = 1 + mechanism.joints.G.view().norm();
            out.magnification =
                mechanism.condition * size * size * condition_of(mechanism.model.inertia.view());
          }};
}

/// FD1 … FD4 in operators whose nodes are the loops, in coordinates that fit the state.
template <Algorithm algorithm>
Formulation by_aggregates(const System& system) {
  const auto at = std::make_shared<Operators>(system);
  return {.name = operators::name(algorithm),
          .solve = [at](const ForwardDynamicsProblem& x, Accelerations& out) {
            at->choose_independent(x.state.q);
            out.joints = forward_dynamics(algorithm, *at, x.state, x.tau, x.forces()).a;
            out.magnification = 1 / (at->conditioning() * at->conditioning());
          }};
}

/// The system graph: loops by their fundamental circuits.
Formulation by_network(const System& system) {
  const auto work = std::make_shared<network::NetworkWorkspace>(system);
  return {.name = "network", .solve = [work](const ForwardDynamicsProblem& x, Accelerations& out) {
            out.joints.resize(x.tau.size());
            compute_forward_dynamics(*work, x.state, x.tau, x.forces(), out.joints);
          }};
}

/// Why a formulation does not fit the system; empty: it does.
using Refusal = std::string (*)(const System& system);

/// The recursion starts from the open tree, whose joints must all feel some inertia.
std::string refusal_of_recursion(const System& system) {
  Workspace tree(system, Closures::leave_out);
  State state(system);
  compute_random(system, 1, state.q);
  VectorXd a(system.nv());
  try {
    compute_forward_dynamics(tree, state, VectorXd::Zero(system.nv()), {}, a);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::failed_computation) throw;
    return std::string("recursion: left out, since it begins with the open tree (") + error.what() +
           ")";
  }
  return {};
}
/// An orthogonal decomposition of M and J in one takes minutes per state where that has thousands of rows.
std::string refusal_of_dense(const System& system) {
  constexpr int most = 1000;
  const int size = system.nv() + ClosedWorkspace(system).rows();
  if (size <= most) return {};
  return "dense: left out for size; M and the closures' rows make " + std::to_string(size) +
         " equations, at most " + std::to_string(most) + " are taken";
}
/// The rows of a cluster are decomposed as one matrix.
std::string refusal_of_aggregates(const System& system) {
  constexpr int most = 1000;
  int largest = 0;
  const Operators operators(system);  // a loop over a member does not keep what it is a member of
  for (const auto& loop : operators.data().aggregates) largest = std::max(largest, loop.rows());
  if (largest <= most) return {};
  return "FD1 to FD4: left out for size; " + std::to_string(largest) +
         " freedoms belong to loops that hang together, at most " + std::to_string(most) +
         " are taken";
}
/// All rows are decomposed as one matrix.
std::string refusal_of_network(const System& system) {
  constexpr int most = 1000;
  const int rows = ClosedWorkspace(system).rows();
  if (rows <= most) return {};
  return "network: left out for size; its loops make " + std::to_string(rows) + " rows, at most " +
         std::to_string(most) + " are taken";
}
/// [P*] has nv³ numbers.
std::string refusal_of_transfer(const System& system) {
  constexpr int most = 60;
  if (system.nv() <= most) return {};
  return "transfer: left out for size; its arrays hold nv³ numbers, at most nv = " +
         std::to_string(most) + " is taken";
}
std::string none(const System&) { return {}; }

struct ClosedMaker {
  Formulation (*make)(const System& system);
  Refusal refusal = none;
};
constexpr ClosedMaker closed_makers[]{
    {by_closures<ClosedMethod::recursion>, refusal_of_recursion},
    {by_closures<ClosedMethod::independent>},
    {by_closures<ClosedMethod::dense>, refusal_of_dense},
    {by_transfer, refusal_of_transfer},
    {by_aggregates<Algorithm::FD1>, refusal_of_aggregates},
    {by_aggregates<Algorithm::FD2>, refusal_of_aggregates},
    {by_aggregates<Algorithm::FD3>, refusal_of_aggregates},
    {by_aggregates<Algorithm::FD4>, refusal_of_aggregates},
    {by_network, refusal_of_network},
};

/// Closed as far as doubles let it: gaps that a looser tolerance leaves would set redundant rows, and with
/// them the formulations, apart.
bool close(ClosedWorkspace& work, int restarts, VectorXd& q, Assembly& result) {
  result = assemble(work, {.restarts = restarts}, q);
  if (!result.assembled) return false;
  assemble(work, {.tolerance = 0, .restarts = 0}, q);
  return true;
}

}  // namespace

void add_closed_formulations(const System& system, std::vector<Formulation>& all) {
  for (const ClosedMaker& maker : closed_makers)
    if (maker.refusal(system).empty()) all.push_back(maker.make(system));
}

void add_closed_left_out(const System& system, std::vector<std::string>& reasons) {
  for (const ClosedMaker& maker : closed_makers) {
    std::string reason = maker.refusal(system);
    // One reason for all that share it.
    if (!reason.empty() && (reasons.empty() || reasons.back() != reason))
      reasons.push_back(std::move(reason));
  }
}

ForwardDynamicsProblem make_closed_problem(ClosedWorkspace& work, FrameId tip, int seed,
                                           int number) {
  const System& system = work.system();
  ForwardDynamicsProblem problem = make_random_problem(system, tip, seed, number);
  VectorXd& q = problem.state.q;
  const VectorXd start = initial_state(system).q;
  VectorXd way(system.nv());
  compute_difference(system, start, q, way);
  Assembly result;
  for (const double share : {1.0, 0.5, 0.25, 0.1, 0.03, 0.0}) {
    compute_integral(system, start, way, share, q);
    if (close(work, share == 0 ? AssemblyOptions{}.restarts : 0, q, result)) {
      project_velocity(work, q, {}, problem.state.v);
      return problem;
    }
  }
  throw Error(
      "no state to compare at: " + describe(system, result.worst) +
          ", from the start of the model and from all that was drawn; `linkwright assemble` "
          "tells more",
      Error::Kind::failed_computation);
}

}  // namespace linkwright::verify
