#include "bench/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/error.hpp"

namespace linkwright::app {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int single_states = 64;      // walked through by the single-state functions
constexpr int distinct_states = 1024;  // a larger batch repeats them; no sweep branches on values
constexpr int largest_group = 16;      // floats side by side
constexpr double largest_result = 256.0 * 1024 * 1024;

double columns(Timed quantity, double nv) {
  switch (quantity) {
    case Timed::mass_matrix:
      return nv * nv;
    case Timed::forward_kinematics:
      return 12;
    case Timed::jacobian:
      return 6 * nv;
    default:
      return nv;
  }
}

/// States per call: fewer than asked for where their results would fill the memory.
int batch_of(Timed quantity, int nv, int states) {
  const double room = largest_result / 8 / columns(quantity, nv);
  if (states <= room) return states;
  const int groups = static_cast<int>(room / largest_group);
  return std::min(states, std::max(groups, 1) * largest_group);
}

double largest_result_entries(int nv, int states) {
  double most = 0;
  for (const Timed quantity : all_timed)
    most =
        std::max(most, static_cast<double>(batch_of(quantity, nv, states)) * columns(quantity, nv));
  return most;
}

FrameId last_moving_frame(const System& system) {
  int last = 0;
  for (int i = 0; i < static_cast<int>(system.frames().size()); ++i)
    if (system.frame(FrameId{i}).node != 0) last = i;
  return {last};
}

/// A state and the accelerations or efforts that go with it.
struct TimedState {
  State state;
  VectorXd x;
};

std::vector<TimedState> make_samples(const System& system, int count) {
  std::mt19937 random(1);
  // Not uniform_real_distribution: its numbers differ from one standard library to the next.
  const auto number = [&random] { return static_cast<double>(random()) / 2147483648.0 - 1; };
  std::vector<TimedState> samples;
  for (int s = 0; s < count; ++s) {
    TimedState sample{State(system), VectorXd(system.nv())};
    compute_random(system, static_cast<std::uint64_t>(s + 1), sample.state.q);
    for (int i = 0; i < system.nv(); ++i) {
      sample.state.v[i] = number();
      sample.x[i] = number();
    }
    for (const int i : system.passive_freedoms()) sample.x[i] = 0;
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// One state at a time, by the functions a user would call.
class SingleSide {
 public:
  SingleSide(const System& system, FrameId frame, Closures closures)
      : work_(system, closures),
        frame_(frame),
        vector_(system.nv()),
        square_(system.nv(), system.nv()),
        jacobian_(6, system.nv()) {}

  void compute(Timed quantity, const TimedState& sample) {
    const auto& [state, x] = sample;
    switch (quantity) {
      case Timed::inverse_dynamics:
        return compute_inverse_dynamics(work_, state, x, {}, vector_);
      case Timed::forward_dynamics:
        return compute_forward_dynamics(work_, state, x, {}, vector_);
      case Timed::mass_matrix:
        return compute_mass_matrix(work_, state.q, square_);
      case Timed::forward_kinematics:
        compute_forward_kinematics(work_, state, x);
        pose_ = frame_pose(work_, frame_);
        return;
      case Timed::jacobian:
        return compute_jacobian(work_, state.q, frame_, Axes::own, jacobian_);
    }
  }

  /// The last result as a batch would write it into one row.
  [[nodiscard]] VectorXd row(Timed quantity) const {
    if (quantity == Timed::mass_matrix) return square_.reshaped();
    if (quantity == Timed::jacobian) return jacobian_.reshaped();
    if (quantity != Timed::forward_kinematics) return vector_;
    const Vector3& p = pose_.translation;
    const auto& R = pose_.rotation;
    return VectorXd{{p.x, p.y, p.z, R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz}};
  }
  [[nodiscard]] const MatrixXd& mass_matrix(const TimedState& sample) {
    compute(Timed::mass_matrix, sample);
    return square_;
  }

 private:
  Workspace work_;
  FrameId frame_;
  VectorXd vector_;
  MatrixXd square_, jacobian_;
  Pose pose_;
};

/// All states at once, in one scalar, for each number of threads.
template <class B>
class BatchSide {
 public:
  using Matrix = typename BasicBatch<B>::Matrix;

  BatchSide(const System& system, FrameId frame, const std::vector<TimedState>& samples,
            BenchSize size)
      : frame_(frame),
        q_(size.states, system.nq()),
        v_(size.states, system.nv()),
        x_(size.states, system.nv()),
        out_(static_cast<std::size_t>(largest_result_entries(system.nv(), size.states))) {
    for (int s = 0; s < size.states; ++s) {
      const TimedState& sample = samples[static_cast<std::size_t>(s) % samples.size()];
      q_.row(s) = sample.state.q.template cast<B>();
      v_.row(s) = sample.state.v.template cast<B>();
      x_.row(s) = sample.x.template cast<B>();
    }
    one_ = std::make_unique<BasicBatch<B>>(system,
                                           BatchOptions{.threads = 1, .closures = size.closures});
    if (size.threads > 1)
      many_ = std::make_unique<BasicBatch<B>>(
          system, BatchOptions{.threads = size.threads, .closures = size.closures});
  }

  BatchReport compute(Timed quantity, int threads) {
    BasicBatch<B>& batch = threads == 1 ? *one_ : *many_;
    Eigen::Map<Matrix> out = rows(quantity);
    const auto q = q_.topRows(out.rows()), v = v_.topRows(out.rows()), x = x_.topRows(out.rows());
    switch (quantity) {
      case Timed::inverse_dynamics:
        return batch.compute_inverse_dynamics(q, v, x, {}, out);
      case Timed::forward_dynamics:
        return batch.compute_forward_dynamics(q, v, x, {}, out);
      case Timed::mass_matrix:
        return batch.compute_mass_matrix(q, out);
      case Timed::forward_kinematics:
        return batch.compute_forward_kinematics(q, frame_, out);
      case Timed::jacobian:
        return batch.compute_jacobian(q, frame_, Axes::own, out);
    }
    return {};
  }

  /// The results; all quantities share the memory.
  Eigen::Map<Matrix> rows(Timed quantity) {
    const int nv = static_cast<int>(v_.cols());
    return {out_.data(), batch_of(quantity, nv, static_cast<int>(q_.rows())),
            static_cast<Eigen::Index>(columns(quantity, nv))};
  }

 private:
  FrameId frame_;
  Matrix q_, v_, x_;
  std::vector<B> out_;
  std::unique_ptr<BasicBatch<B>> one_, many_;
};

double ratio(double part, double whole) { return part == 0 ? 0 : part / whole; }

/// Relative; in units of force where that is what the quantity is about, since accelerations carry
/// the condition number of the mass matrix.
double difference(Timed quantity, const VectorXd& got, const VectorXd& expected,
                  const MatrixXd& mass_matrix, const VectorXd& x) {
  const VectorXd apart = got - expected;
  const double inertia = mass_matrix.stableNorm();
  if (quantity == Timed::inverse_dynamics)
    return ratio(apart.stableNorm(), expected.stableNorm() + inertia * x.stableNorm());
  if (quantity == Timed::forward_dynamics)
    return ratio((mass_matrix * apart).stableNorm(),
                 x.stableNorm() + inertia * expected.stableNorm());
  return ratio(apart.stableNorm(), expected.stableNorm());
}

double seconds_for(const Run& run, int repeats) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) run.pass();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// How often to repeat a run so that one look at the clock before and after does not matter.
struct Series {
  Run* run;
  int repeats;
  std::vector<double> ns{};
};

}  // namespace

std::string_view name(Timed quantity) {
  constexpr std::array<std::string_view, all_timed.size()> names{
      "inverse-dynamics", "forward-dynamics", "mass-matrix", "forward-kinematics", "jacobian"};
  return names[static_cast<std::size_t>(quantity)];
}

double memory_needed(const System& system, BenchSize size) {
  const double nq = system.nq(), nv = system.nv(), bytes_of_both = 8 + 4;
  const double inputs = size.states * (nq + 2 * nv);
  const double scratch = (size.threads > 1 ? 1 + size.threads : 1) * nv * nv * largest_group;
  return bytes_of_both * (inputs + largest_result_entries(system.nv(), size.states) + scratch);
}

struct BenchRuns::Workload {
  Workload(const System& s, BenchSize size)
      : system(s),
        frame(last_moving_frame(s)),
        samples(make_samples(s, std::clamp(size.states, single_states, distinct_states))),
        single(s, frame, size.closures),
        doubles(s, frame, samples, size),
        floats(s, frame, samples, size) {}

  const System& system;
  FrameId frame;
  std::vector<TimedState> samples;
  SingleSide single;
  BatchSide<double> doubles;
  BatchSide<float> floats;

  /// Why the state in this row of the batch has no answer; empty: it has one.
  std::string trouble(Timed quantity, int row) {
    try {
      single.compute(quantity, samples[static_cast<std::size_t>(row) % samples.size()]);
    } catch (const Error& error) {
      return error.what();
    }
    if (single.row(quantity).allFinite()) return {};
    return "the result is not finite; the model's numbers are too large";
  }

  template <class B>
  BatchSide<B>& side() {
    if constexpr (std::is_same_v<B, double>)
      return doubles;
    else
      return floats;
  }
};

BenchRuns::BenchRuns(const System& system, BenchSize size)
    : work_(std::make_unique<Workload>(system, size)) {
  Workload* const work = work_.get();
  std::vector<int> thread_counts{1};
  if (size.threads > 1) thread_counts.push_back(size.threads);
  for (const Timed quantity : all_timed) {
    runs_.push_back(
        {.quantity = quantity, .single = true, .states = single_states, .pass = [work, quantity] {
           for (int s = 0; s < single_states; ++s)
             work->single.compute(quantity, work->samples[static_cast<std::size_t>(s)]);
         }});
    const int batch = batch_of(quantity, system.nv(), size.states);
    for (const int threads : thread_counts) {
      Run run{.quantity = quantity, .threads = threads, .batch = batch, .states = batch};
      run.pass = [work, quantity, threads] { work->doubles.compute(quantity, threads); };
      runs_.push_back(run);
      run.scalar = "float";
      run.pass = [work, quantity, threads] { work->floats.compute(quantity, threads); };
      runs_.push_back(std::move(run));
    }
  }
}

BenchRuns::~BenchRuns() = default;

const std::string& BenchRuns::frame() const { return work_->system.frame(work_->frame).name; }

void BenchRuns::fail(Timed quantity, std::string_view scalar, const std::string& why) {
  for (Run& run : runs_)
    if (run.quantity == quantity && run.scalar == scalar) run.failure = why;
}

bool BenchRuns::failed(Timed quantity, std::string_view scalar) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    return run.quantity == quantity && run.scalar == scalar && !run.failure.empty();
  });
}

/// An Error of one state is one of all: without an answer there is nothing to time.
void BenchRuns::check_single(Timed quantity) {
  std::string why;
  for (int s = 0; s < single_states && why.empty(); ++s) why = work_->trouble(quantity, s);
  if (why.empty()) return;
  fail(quantity, "double", why);
  fail(quantity, "float", why);
}

template <class B>
void BenchRuns::check_batch(Timed quantity, std::string_view scalar, double& worst) {
  if (failed(quantity, scalar)) return;
  const BatchReport report = work_->side<B>().compute(quantity, 1);
  const auto rows = work_->side<B>().rows(quantity);
  if (!report.bad_states.empty()) {
    const std::string why = work_->trouble(quantity, report.bad_states.front());
    return fail(quantity, scalar,
                fmt::format("in {}, {} of {} states have none{}", scalar, report.bad_states.size(),
                            rows.rows(), why.empty() ? "" : ": " + why));
  }
  double here = 0;
  const int count = std::min(static_cast<int>(rows.rows()), single_states);
  for (int s = 0; s < count; ++s) {
    const TimedState& sample = work_->samples[static_cast<std::size_t>(s)];
    const MatrixXd& mass_matrix = work_->single.mass_matrix(sample);
    work_->single.compute(quantity, sample);
    const double apart = difference(quantity, rows.row(s).transpose().template cast<double>(),
                                    work_->single.row(quantity), mass_matrix, sample.x);
    if (!(apart <= here)) here = apart;
  }
  if (!(here <= worst)) worst = here;
  if (std::is_same_v<B, double> && !(here <= tolerance))
    fail(quantity, scalar,
         fmt::format("batch and single state differ by {:.1e} relative; expected at most {:.0e}",
                     here, tolerance));
}

void BenchRuns::check() {
  for (const Timed quantity : all_timed) {
    check_single(quantity);
    check_batch<double>(quantity, "double", worst_double_);
    check_batch<float>(quantity, "float", worst_float_);
  }
}

void measure_runs(std::vector<Run>& runs, double seconds) {
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() + std::chrono::duration<double>(seconds);
  std::vector<Series> all;
  for (Run& run : runs)
    if (run.failure.empty()) all.push_back({&run, 1});
  // Fifteen rounds, each look at the clock some hundred times shorter than what it measures.
  const double slice = std::clamp(seconds / (15 * static_cast<double>(all.size() + 1)), 2e-5, 1e-3);
  for (Series& series : all) {
    series.run->pass();
    const double once = std::max(seconds_for(*series.run, 1), 1e-9);
    series.repeats = std::max(1, static_cast<int>(slice / once));
  }
  for (bool first = true; first || steady_clock::now() < end; first = false)
    for (Series& series : all) {
      if (!first && steady_clock::now() >= end) break;
      const double taken = seconds_for(*series.run, series.repeats);
      series.ns.push_back(1e9 * taken / series.repeats / series.run->states);
    }
  for (Series& series : all) series.run->ns = median(series.ns);
}

}  // namespace linkwright::app
