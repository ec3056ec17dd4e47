#pragma once
/// What `bench` runs for a system whose loops are closed: the functions of closure/dynamics.hpp for one
/// state and those of closure/batch.hpp for many, on assembled random states, first checked against each
/// other and then timed.
///
///     ClosedRuns bench(system, {.states = 4096, .threads = 2});
///     bench.check();
///     bench.measure(3);      // seconds
///     for (const Run& run : bench.runs()) …

#include "bench/runs.hpp"

namespace linkwright::app {

class ClosedRuns {
 public:
  /// The System must outlive it, and something in it must move. Throws Error (failed_computation) where it
  /// cannot be assembled.
  ClosedRuns(const System& system, BenchSize size);
  ~ClosedRuns();
  ClosedRuns(const ClosedRuns&) = delete;
  ClosedRuns& operator=(const ClosedRuns&) = delete;

  /// Runs everything once and marks the runs that have no answer, or whose answers contradict each other.
  void check();
  void measure(double seconds) { measure_runs(runs_, seconds); }

  /// Inverse dynamics, forward dynamics, mass matrix; of one state, and the first two in batches on one
  /// thread and on those asked for. What batches cannot do here is missing, and note() says why.
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  /// Of forward dynamics between the recursion and independent coordinates, and after inverse dynamics;
  /// relative, as forces.
  [[nodiscard]] double worst_difference() const { return worst_[0]; }
  /// Of batches from one state: more where the rows that are kept at the first state serve others less well.
  [[nodiscard]] double worst_batch_difference() const { return worst_[1]; }
  /// Freedoms, rows and independent rows of the closures at the first state.
  [[nodiscard]] int mobility() const;
  [[nodiscard]] int rows() const;
  [[nodiscard]] int rank() const;
  [[nodiscard]] int states() const;
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  struct Workload;
  struct Sample;
  enum class Call { single, batch };
  void fail(Timed quantity, Call call, const std::string& why);
  void add_batches(BenchSize size);
  void add_batch(int threads, int states);
  void check_singles();
  void check_batches();
  void check_batch(const Run& run);
  void judge(Timed quantity, Call call, const Sample& sample, const Eigen::VectorXd& a,
             const char* what);

  std::unique_ptr<Workload> work_;
  std::vector<Run> runs_;
  double worst_[2]{};  // per Call
  std::string note_;
};

}  // namespace linkwright::app
