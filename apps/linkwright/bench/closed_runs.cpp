#include "bench/closed_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/closure/batch.hpp"
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

}  // namespace

/// A state that is closed, the motors' efforts there, and the accelerations that they cause.
struct ClosedRuns::Sample {
  State state;
  VectorXd tau, a;
  std::vector<int> independent;
};

struct ClosedRuns::Workload {
  explicit Workload(const System& s)
      : system(s),
        work(s),
        motors(all_motors(s)),
        vector(s.nv()),
        efforts(s.effort_count()),
        square(s.nv(), s.nv()) {
    const FrameId tip = verify::deepest_frame(s);
    for (int number = 1; number <= sample_count; ++number) {
      verify::ForwardDynamicsProblem problem = verify::make_closed_problem(work, tip, 1, number);
      VectorXd tau = VectorXd::Zero(s.nv());
      for (const int entry : motors.entries)
        if (entry < s.nv()) tau[entry] = problem.tau[entry];
      samples.push_back({std::move(problem.state), std::move(tau), VectorXd::Zero(s.nv()), {}});
    }
  }

  void compute(Timed quantity, const Sample& sample) {
    const auto count = static_cast<Eigen::Index>(sample.independent.size());
    if (quantity == Timed::inverse_dynamics)
      compute_inverse_dynamics(work, sample.state, sample.a, {}, motors, efforts);
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
  VectorXd vector, efforts;
  MatrixXd square;
  std::vector<Sample> samples;
  ClosedReport report;
  std::vector<std::unique_ptr<ClosedBatch>> batches;  // on one thread, and on those asked for
  /// Row s is that of sample s % sample_count.
  struct Arrays {
    MatrixXd q, v, tau, a, result, efforts;
  } many;
};

ClosedRuns::ClosedRuns(const System& system, BenchSize size)
    : work_(std::make_unique<Workload>(system)) {
  Workload* const work = work_.get();
  for (const Timed quantity : closed_quantities)
    runs_.push_back(
        {.quantity = quantity, .single = true, .states = sample_count, .pass = [work, quantity] {
           for (const Sample& sample : work->samples) work->compute(quantity, sample);
         }});
  add_batches(size);
}
ClosedRuns::~ClosedRuns() = default;

int ClosedRuns::mobility() const { return work_->system.nv() - work_->report.rank; }
int ClosedRuns::rows() const { return work_->work.rows(); }
int ClosedRuns::rank() const { return work_->report.rank; }
int ClosedRuns::states() const { return sample_count; }

void ClosedRuns::add_batches(BenchSize size) {
  Workload& w = *work_;
  Workload::Arrays& many = w.many;
  for (MatrixXd* m : {&many.v, &many.tau, &many.a, &many.result})
    m->setZero(size.states, w.system.nv());
  many.efforts.setZero(size.states, w.system.effort_count());
  many.q.resize(size.states, w.system.nq());
  for (Eigen::Index s = 0; s < many.q.rows(); ++s) {
    const Sample& sample = w.samples[static_cast<std::size_t>(s % sample_count)];
    many.q.row(s) = sample.state.q.transpose(), many.v.row(s) = sample.state.v.transpose();
    many.tau.row(s) = sample.tau.transpose();
  }
  std::vector<int> threads{1};
  if (size.threads > 1) threads.push_back(size.threads);
  try {
    for (const int count : threads) add_batch(count, size.states);
  } catch (const Error& error) {
    note_ = fmt::format("no batches: {}", error.what());
  }
}

void ClosedRuns::add_batch(int threads, int states) {
  Workload& w = *work_;
  w.batches.push_back(std::make_unique<ClosedBatch>(w.system, w.samples.front().state.q,
                                                    ClosedBatchOptions{.threads = threads}));
  ClosedBatch* const batch = w.batches.back().get();
  Workload::Arrays* const many = &w.many;
  const auto motors = static_cast<int>(w.motors.entries.size());
  const auto add = [&](Timed quantity, std::function<void()> pass) {
    runs_.push_back({.quantity = quantity,
                     .threads = threads,
                     .batch = states,
                     .states = states,
                     .pass = std::move(pass)});
  };
  if (motors == batch->mobility())
    add(Timed::inverse_dynamics, [many, batch] {
      batch->compute_inverse_dynamics(many->q, many->v, many->a, {}, many->efforts);
    });
  else
    note_ = fmt::format("inverse-dynamics: a batch takes as many motors as freedoms: {} for {}",
                        motors, batch->mobility());
  add(Timed::forward_dynamics, [many, batch] {
    batch->compute_forward_dynamics(many->q, many->v, many->tau, {}, many->result);
  });
}

void ClosedRuns::fail(Timed quantity, Call call, const std::string& why) {
  for (Run& run : runs_)
    if (run.quantity == quantity && run.single == (call == Call::single) && run.failure.empty())
      run.failure = why;
}

void ClosedRuns::judge(Timed quantity, Call call, const Sample& sample, const VectorXd& a,
                       const char* what) {
  const double apart = work_->difference(sample, a);
  double& worst = worst_[call == Call::single ? 0 : 1];
  if (!(apart <= worst)) worst = apart;
  if (apart <= BenchRuns::tolerance) return;
  const double bound =
      std::max(BenchRuns::tolerance, verify::rounding_bound(work_->work, sample.state.q));
  if (!(apart <= bound))
    fail(quantity, call,
         fmt::format("{} differ by {:.1e} relative; expected at most {:.1e}", what, apart, bound));
}

void ClosedRuns::check() {
  check_singles();
  check_batches();
}

void ClosedRuns::check_singles() {
  Workload& w = *work_;
  for (Sample& sample : w.samples) {
    const auto judge_sample = [&](Timed quantity, const char* what) {
      judge(quantity, Call::single, sample, w.vector, what);
    };
    const auto attempt = [&](Timed quantity, const auto& check) {
      try {
        check();
        return true;
      } catch (const Error& error) {
        fail(quantity, Call::single, error.what());
        return false;
      }
    };
    attempt(Timed::mass_matrix, [&] {
      sample.independent = choose_independent(w.work, sample.state.q).entries;
      w.compute(Timed::mass_matrix, sample);
    });
    const bool moves = attempt(Timed::forward_dynamics, [&] {
      compute_forward_dynamics(w.work, sample.state, sample.tau, {}, sample.a);
      compute_forward_dynamics(w.work, sample.state, sample.tau, {}, w.vector,
                               ClosedMethod::independent);
      if (&sample == &w.samples.front()) w.report = closed_report(w.work);
      judge_sample(Timed::forward_dynamics, "recursion and independent coordinates");
    });
    attempt(Timed::inverse_dynamics, [&] {
      if (!moves) throw Error("forward dynamics has no answer");
      w.compute(Timed::inverse_dynamics, sample);
      compute_forward_dynamics(w.work, sample.state, w.efforts, {}, w.vector);
      judge_sample(Timed::inverse_dynamics, "accelerations before and after inverse dynamics");
    });
  }
}

void ClosedRuns::check_batches() {
  Workload& w = *work_;
  Workload::Arrays& many = w.many;
  for (Eigen::Index s = 0; s < many.a.rows(); ++s)
    many.a.row(s) = w.samples[static_cast<std::size_t>(s % sample_count)].a.transpose();
  for (const Run& run : runs_) {
    if (run.single) continue;
    try {
      check_batch(run);
    } catch (const Error& error) {
      fail(run.quantity, Call::batch, error.what());
    }
  }
}

void ClosedRuns::check_batch(const Run& run) {
  Workload& w = *work_;
  run.pass();
  const Eigen::Index seen = std::min<Eigen::Index>(sample_count, w.many.q.rows());
  for (Eigen::Index s = 0; s < seen; ++s) {
    const Sample& sample = w.samples[static_cast<std::size_t>(s)];
    const bool inverse = run.quantity == Timed::inverse_dynamics;
    VectorXd a = (inverse ? w.many.efforts : w.many.result).row(s).transpose();
    if (!a.allFinite())
      throw Error(
          "a batch has none where rows that are independent at its first state depend on each "
          "other");
    if (inverse) {
      compute_forward_dynamics(w.work, sample.state, a, {}, w.vector);
      a = w.vector;
    }
    judge(run.quantity, Call::batch, sample, a, "a batch and one state");
  }
}

}  // namespace linkwright::app
