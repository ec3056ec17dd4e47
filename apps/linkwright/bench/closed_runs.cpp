#include "bench/closed_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/verify/verification.hpp"

namespace linkwright::app {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int sample_count = 64;
constexpr Timed closed_quantities[]{Timed::inverse_dynamics, Timed::forward_dynamics,
                                    Timed::mass_matrix};

/// A state that is closed, the motors' efforts there, and the accelerations that they cause.
struct Sample {
  State state;
  VectorXd tau, a;
  std::vector<int> independent;
};

}  // namespace

struct ClosedRuns::Workload {
  explicit Workload(const System& s)
      : system(s), work(s), motors(all_motors(s)), vector(s.nv()), square(s.nv(), s.nv()) {
    const FrameId tip = verify::deepest_frame(s);
    for (int number = 1; number <= sample_count; ++number) {
      verify::ForwardDynamicsProblem problem = verify::make_closed_problem(work, tip, 1, number);
      VectorXd tau = VectorXd::Zero(s.nv());
      for (const int entry : motors.entries) tau[entry] = problem.tau[entry];
      samples.push_back({std::move(problem.state), std::move(tau), VectorXd::Zero(s.nv()), {}});
    }
  }

  void compute(Timed quantity, const Sample& sample) {
    const auto count = static_cast<Eigen::Index>(sample.independent.size());
    if (quantity == Timed::inverse_dynamics)
      compute_inverse_dynamics(work, sample.state, sample.a, {}, motors, vector);
    else if (quantity == Timed::forward_dynamics)
      compute_forward_dynamics(work, sample.state, sample.tau, {}, vector);
    else
      compute_mass_matrix(work, sample.state, sample.independent,
                          square.topLeftCorner(count, count));
  }

  /// Of accelerations, as the forces that cause them.
  double difference(const Sample& sample, const VectorXd& a) {
    MatrixXd M(system.nv(), system.nv());
    compute_mass_matrix(work.tree(), sample.state.q, M);
    const VectorXd apart = M * (a - sample.a);
    const double whole = sample.tau.stableNorm() + M.stableNorm() * sample.a.stableNorm();
    return apart.isZero(0) ? 0 : apart.stableNorm() / whole;
  }

  const System& system;
  ClosedWorkspace work;
  Actuation motors;
  VectorXd vector;
  MatrixXd square;
  std::vector<Sample> samples;
  ClosedReport report;
};

ClosedRuns::ClosedRuns(const System& system) : work_(std::make_unique<Workload>(system)) {
  Workload* const work = work_.get();
  for (const Timed quantity : closed_quantities)
    runs_.push_back(
        {.quantity = quantity, .single = true, .states = sample_count, .pass = [work, quantity] {
           for (const Sample& sample : work->samples) work->compute(quantity, sample);
         }});
}
ClosedRuns::~ClosedRuns() = default;

int ClosedRuns::mobility() const { return work_->system.nv() - work_->report.rank; }
int ClosedRuns::rows() const { return work_->work.rows(); }
int ClosedRuns::rank() const { return work_->report.rank; }
int ClosedRuns::states() const { return sample_count; }

void ClosedRuns::fail(Timed quantity, const std::string& why) {
  for (Run& run : runs_)
    if (run.quantity == quantity && run.failure.empty()) run.failure = why;
}

void ClosedRuns::check() {
  Workload& w = *work_;
  const auto judge = [&](Timed quantity, const Sample& sample, const char* what) {
    const double apart = w.difference(sample, w.vector);
    if (!(apart <= worst_)) worst_ = apart;
    if (!(apart <= BenchRuns::tolerance))
      fail(quantity, fmt::format("{} differ by {:.1e} relative; expected at most {:.0e}", what,
                                 apart, BenchRuns::tolerance));
  };
  for (Sample& sample : w.samples) {
    Timed quantity = Timed::forward_dynamics;
    try {
      compute_forward_dynamics(w.work, sample.state, sample.tau, {}, sample.a);
      compute_forward_dynamics(w.work, sample.state, sample.tau, {}, w.vector,
                               ClosedMethod::independent);
      if (&sample == &w.samples.front()) w.report = closed_report(w.work);
      judge(quantity, sample, "recursion and independent coordinates");
      quantity = Timed::inverse_dynamics;
      w.compute(quantity, sample);
      const VectorXd tau = w.vector;
      compute_forward_dynamics(w.work, sample.state, tau, {}, w.vector);
      judge(quantity, sample, "accelerations before and after inverse dynamics");
      quantity = Timed::mass_matrix;
      sample.independent = choose_independent(w.work, sample.state.q).entries;
      w.compute(quantity, sample);
    } catch (const Error& error) {
      fail(quantity, error.what());
      if (quantity == Timed::forward_dynamics) fail(Timed::inverse_dynamics, error.what());
    }
  }
}

}  // namespace linkwright::app
