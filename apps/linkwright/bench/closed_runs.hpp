#pragma once
/// What `bench` runs for a system whose loops are closed: the functions of closure/dynamics.hpp for one
/// state, on assembled random states, first checked against each other and then timed.
///
///     ClosedRuns bench(system);
///     bench.check();
///     bench.measure(3);      // seconds
///     for (const Run& run : bench.runs()) …

#include "bench/runs.hpp"

namespace linkwright::app {

class ClosedRuns {
 public:
  /// The System must outlive it, and something in it must move. Throws Error (failed_computation) where it
  /// cannot be assembled.
  explicit ClosedRuns(const System& system);
  ~ClosedRuns();
  ClosedRuns(const ClosedRuns&) = delete;
  ClosedRuns& operator=(const ClosedRuns&) = delete;

  /// Runs everything once and marks the runs that have no answer, or whose answers contradict each other.
  void check();
  void measure(double seconds) { measure_runs(runs_, seconds); }

  /// Inverse dynamics, forward dynamics, mass matrix.
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  /// Of forward dynamics between the recursion and independent coordinates, and after inverse dynamics;
  /// relative, as forces.
  [[nodiscard]] double worst_difference() const { return worst_; }
  /// Freedoms, rows and independent rows of the closures at the first state.
  [[nodiscard]] int mobility() const;
  [[nodiscard]] int rows() const;
  [[nodiscard]] int rank() const;
  [[nodiscard]] int states() const;

 private:
  struct Workload;
  void fail(Timed quantity, const std::string& why);

  std::unique_ptr<Workload> work_;
  std::vector<Run> runs_;
  double worst_ = 0;
};

}  // namespace linkwright::app
