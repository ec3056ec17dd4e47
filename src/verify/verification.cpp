#include "linkwright/verify/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"

namespace linkwright::verify {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::chrono::steady_clock;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int timed_states = 64;
constexpr double seconds_to_time = 0.3, shortest_pass = 1e-4, longest_pass = 0.05;
constexpr int most_rounds = 101;

int depth(const System& system, int node) {
  int joints = 0;
  for (; node != 0; node = system.tree().nodes[static_cast<std::size_t>(node)].parent) ++joints;
  return joints;
}

/// Per freedom, the size of all that balances there: the effort, what it is without acceleration, what the
/// model declares, M a term by term, the reaction that the joint passes on, and M v² of its own. The last two
/// hold what cancels inside the bodies, for joints that pass something on and for those that do not.
VectorXd size_of_efforts(Workspace& work, const ForwardDynamicsProblem& x, const VectorXd& a,
                         const MatrixXd& M) {
  const System& system = work.system();
  VectorXd rest(system.nv()), own(system.nv());
  compute_inverse_dynamics(work, x.state, VectorXd::Zero(system.nv()), x.forces(), rest);
  compute_joint_forces(work, x.state, own);
  std::vector<Force> reactions(system.joints().size());
  compute_reactions(work, x.state, a, x.forces(), reactions);
  VectorXd size = x.tau.cwiseAbs() + rest.cwiseAbs() + own.cwiseAbs() + M.cwiseAbs() * a.cwiseAbs();
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    const JointPlace& joint = system.joints()[j];
    auto own_size = size.segment(joint.v, joint.nv);
    own_size.array() += to_eigen(reactions[j]).stableNorm();
    own_size += x.state.v.segment(joint.v, joint.nv).squaredNorm() *
                M.diagonal().segment(joint.v, joint.nv);
  }
  return size;
}

[[noreturn]] void throw_out_of_range(const std::string& name, int number, const char* what) {
  throw Error(fmt::format("{} at state {}: {} is not finite; the model's numbers are too large, or "
                          "too different in size",
                          name, number, what),
              Error::Kind::failed_computation);
}

/// How a formulation is timed: over the first `states` problems, `repeats` times.
struct Pass {
  int states = 1, repeats = 1;
};

double seconds_for(const Formulation& formulation,
                   const std::vector<ForwardDynamicsProblem>& problems, Pass pass) {
  Accelerations out;
  const auto start = steady_clock::now();
  for (int i = 0; i < pass.repeats; ++i)
    for (int state = 0; state < pass.states; ++state)
      formulation.solve(problems[static_cast<std::size_t>(state)], out);
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

/// As many states and repeats as make a pass long enough for the clock and not too long.
Pass choose_pass(const Formulation& formulation,
                 const std::vector<ForwardDynamicsProblem>& problems) {
  const double once = std::max(seconds_for(formulation, problems, {}), 1e-9);
  const auto within = [](double most, double x) {
    return static_cast<int>(std::clamp(x, 1.0, most));
  };
  const int states = within(static_cast<double>(problems.size()), longest_pass / once);
  return {states, within(1e6, shortest_pass / once / states)};
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

FrameId deepest_frame(const System& system) {
  FrameId deepest{0};
  int most = 0;
  const int bodies = static_cast<int>(system.model().bodies.size());
  for (int i = 1; i <= bodies; ++i) {
    const int here = depth(system, system.frame(FrameId{i}).node);
    if (here < most) continue;
    most = here;
    deepest = {i};
  }
  return deepest;
}

Verification::Verification(const System& system, FrameId tip, RandomStates states,
                           std::vector<Formulation> formulations)
    : system_(system),
      tip_(tip),
      states_(states),
      work_(system, states.closures),
      operators_(system, states.closures),
      formulations_(std::move(formulations)) {}

NamedResult Verification::solve(const Formulation& formulation,
                                const ForwardDynamicsProblem& problem, int number) {
  Accelerations found;
  try {
    formulation.solve(problem, found);
  } catch (const Error& error) {
    throw Error(fmt::format("{} at state {}: {}", formulation.name, number, error.what()),
                error.kind());
  }
  if (!found.joints.allFinite()) throw_out_of_range(formulation.name, number, "the acceleration");
  if (found.tip.size() == 0) {
    compute_forward_kinematics(work_, problem.state, found.joints);
    found.tip = to_eigen(frame_acceleration(work_, tip_, Axes::own));
  }
  return {formulation.name, std::move(found.joints), std::move(found.tip)};
}

/// The tip's acceleration is J a + J̇ v; angular and linear parts have sizes of their own.
ComparisonScale Verification::scale(const ForwardDynamicsProblem& problem, const NamedResult& first,
                                    int number) {
  const int n = system_.nv();
  ComparisonScale found;
  found.mass_matrix.resize(n, n);
  found.jacobian.resize(6, n);
  compute_mass_matrix(work_, problem.state.q, found.mass_matrix);
  compute_jacobian(work_, problem.state.q, tip_, Axes::own, found.jacobian);
  const VectorXd drift =
      to_eigen(compute_jacobian_rate_times_velocity(work_, problem.state, tip_, Axes::own));
  found.efforts = size_of_efforts(work_, problem, first.acceleration, found.mass_matrix);
  const VectorXd parts = found.jacobian.cwiseAbs() * first.acceleration.cwiseAbs() +
                         drift.cwiseAbs() + first.tip.cwiseAbs();
  found.tip.resize(6);
  found.tip.head<3>().setConstant(parts.head<3>().stableNorm());
  found.tip.tail<3>().setConstant(parts.tail<3>().stableNorm() + norm(system_.model().gravity));
  found.freedoms = system_.velocity_names();
  found.bound = allowance * system_.node_count() * epsilon;
  if (!found.efforts.allFinite() || !found.tip.allFinite())
    throw_out_of_range(first.name, number, "the size of the forces or their effect");
  return found;
}

void Verification::compare_all() {
  for (int number = 1; number <= states_.count; ++number) {
    const ForwardDynamicsProblem problem = make_random_problem(system_, tip_, states_.seed, number);
    std::vector<NamedResult> results;
    for (const Formulation& formulation : formulations_)
      results.push_back(solve(formulation, problem, number));
    compare(number, results, scale(problem, results.front(), number), comparison_);
    condition_ = std::max(condition_, estimate_spectrum(operators_, problem.state.q).condition());
  }
}

void Verification::measure() {
  std::vector<ForwardDynamicsProblem> problems;
  for (int number = 1; number <= std::min(states_.count, timed_states); ++number)
    problems.push_back(make_random_problem(system_, tip_, states_.seed, number));
  std::vector<Pass> passes;
  for (const Formulation& formulation : formulations_)
    passes.push_back(choose_pass(formulation, problems));
  // In turns, so that a disturbance of the machine meets all of them.
  std::vector<std::vector<double>> series(formulations_.size());
  const auto end = steady_clock::now() + std::chrono::duration<double>(seconds_to_time);
  for (int round = 0; round == 0 || (round < most_rounds && steady_clock::now() < end); ++round)
    for (std::size_t i = 0; i < formulations_.size(); ++i)
      series[i].push_back(1e9 * seconds_for(formulations_[i], problems, passes[i]) /
                          (passes[i].repeats * passes[i].states));
  ns_.clear();
  for (std::vector<double>& values : series) ns_.push_back(median(values));
}

}  // namespace linkwright::verify
