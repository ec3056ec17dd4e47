#include "linkwright/verify/runs.hpp"

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

/// Size of all forces whose balance the accelerations are: efforts, and what the joints carry.
double size_of_forces(Workspace& work, const Sample& x, const VectorXd& a) {
  const System& system = work.system();
  VectorXd rest(system.nv()), own(system.nv());
  compute_inverse_dynamics(work, x.state, VectorXd::Zero(system.nv()), x.forces(), rest);
  compute_joint_forces(work, x.state, own);
  std::vector<Force> reactions(system.joints().size());
  compute_reactions(work, x.state, a, x.forces(), reactions);
  double sum = x.tau.stableNorm() + rest.stableNorm() + own.stableNorm();
  for (const Force& f : reactions) sum += to_eigen(f).stableNorm();
  return sum;
}

/// Allows `unit` times `scale`, in terms of `size`; where that is zero, of `scale`.
Limit limit(double unit, double size, double scale) {
  return size > 0 ? Limit{size, unit * (scale / size)} : Limit{scale, unit};
}
bool is_finite(const Limit& limit) {
  return std::isfinite(limit.size) && std::isfinite(limit.bound);
}

[[noreturn]] void throw_out_of_range(const std::string& name, int number, const char* what) {
  throw Error(fmt::format("{} at state {}: {} is not finite; the model's numbers are too large, or "
                          "too different in size",
                          name, number, what),
              Error::Kind::failed_computation);
}

/// How a formulation is timed: over the first `states` samples, `repeats` times.
struct Pass {
  int states = 1, repeats = 1;
};

double seconds_for(const Formulation& formulation, const std::vector<Sample>& samples, Pass pass) {
  Accelerations out;
  const auto start = steady_clock::now();
  for (int i = 0; i < pass.repeats; ++i)
    for (int state = 0; state < pass.states; ++state)
      formulation.solve(samples[static_cast<std::size_t>(state)], out);
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

/// As many states and repeats as make a pass long enough for the clock and not too long.
Pass choose_pass(const Formulation& formulation, const std::vector<Sample>& samples) {
  const double once = std::max(seconds_for(formulation, samples, {}), 1e-9);
  const auto within = [](double most, double x) {
    return static_cast<int>(std::clamp(x, 1.0, most));
  };
  const int states = within(static_cast<double>(samples.size()), longest_pass / once);
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

VerifyRuns::VerifyRuns(const System& system, FrameId tip, VerifySize size,
                       std::vector<Formulation> formulations)
    : system_(system),
      tip_(tip),
      size_(size),
      work_(system, size.closures),
      operators_(system, size.closures),
      formulations_(std::move(formulations)) {}

NamedResult VerifyRuns::solve(const Formulation& formulation, const Sample& sample, int number) {
  Accelerations found;
  try {
    formulation.solve(sample, found);
  } catch (const Error& error) {
    throw Error(fmt::format("{} at state {}: {}", formulation.name, number, error.what()),
                error.kind());
  }
  if (!found.joints.allFinite()) throw_out_of_range(formulation.name, number, "the acceleration");
  if (found.tip.size() == 0) {
    compute_forward_kinematics(work_, sample.state, found.joints);
    found.tip = to_eigen(frame_acceleration(work_, tip_, Axes::own));
  }
  return {formulation.name, std::move(found.joints), std::move(found.tip)};
}

/// An error δf of the forces, ε of their size, becomes M⁻¹ δf, at most κ(M) ε size / ‖M‖; solving
/// adds κ(M) ε ‖a‖. The tip moves with the joints through J.
Yardstick VerifyRuns::yardstick(const Sample& sample, const NamedResult& trunk, int number) {
  MatrixXd J(6, system_.nv());
  compute_jacobian(work_, sample.state.q, tip_, Axes::own, J);
  const auto drift =
      to_eigen(compute_jacobian_rate_times_velocity(work_, sample.state, tip_, Axes::own));
  const Spectrum spread = estimate_spectrum(operators_, sample.state.q);
  const double unit = 2 * spread.condition() * epsilon;
  const double size = trunk.acceleration.stableNorm(), tip = trunk.tip.stableNorm();
  const double joints = size + size_of_forces(work_, sample, trunk.acceleration) / spread.most;
  const Yardstick found{limit(unit, size, joints),
                        limit(unit, tip,
                              J.stableNorm() * joints + tip + drift.stableNorm() +
                                  to_eigen(system_.model().gravity).stableNorm())};
  if (!is_finite(found.acceleration) || !is_finite(found.tip))
    throw_out_of_range(trunk.name, number, "the size of the forces or their effect");
  return found;
}

void VerifyRuns::compare_all() {
  for (int number = 1; number <= size_.states; ++number) {
    const Sample sample = make_sample(system_, tip_, size_.seed, number);
    std::vector<NamedResult> results;
    for (const Formulation& formulation : formulations_)
      results.push_back(solve(formulation, sample, number));
    compare(number, results, yardstick(sample, results.front(), number), comparison_);
  }
}

void VerifyRuns::measure() {
  std::vector<Sample> samples;
  for (int number = 1; number <= std::min(size_.states, timed_states); ++number)
    samples.push_back(make_sample(system_, tip_, size_.seed, number));
  std::vector<Pass> passes;
  for (const Formulation& formulation : formulations_)
    passes.push_back(choose_pass(formulation, samples));
  // In turns, so that a disturbance of the machine meets all of them.
  std::vector<std::vector<double>> series(formulations_.size());
  const auto end = steady_clock::now() + std::chrono::duration<double>(seconds_to_time);
  for (int round = 0; round == 0 || (round < most_rounds && steady_clock::now() < end); ++round)
    for (std::size_t i = 0; i < formulations_.size(); ++i)
      series[i].push_back(1e9 * seconds_for(formulations_[i], samples, passes[i]) /
                          (passes[i].repeats * passes[i].states));
  ns_.clear();
  for (std::vector<double>& values : series) ns_.push_back(median(values));
}

}  // namespace linkwright::verify
