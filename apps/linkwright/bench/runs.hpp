#pragma once
/// What `bench` runs: each quantity for one state and for a batch, in double and float, first
/// checked against each other and then timed.
///
///     BenchRuns bench(system, {.states = 4096, .threads = 2});
///     bench.check();
///     bench.measure(3);      // seconds
///     for (const Run& run : bench.runs()) …

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/system/closures.hpp"

namespace linkwright::app {

enum class Timed { inverse_dynamics, forward_dynamics, mass_matrix, forward_kinematics, jacobian };
inline constexpr std::array all_timed{Timed::inverse_dynamics, Timed::forward_dynamics,
                                      Timed::mass_matrix, Timed::forward_kinematics,
                                      Timed::jacobian};
/// "inverse-dynamics", as `compute` calls it.
std::string_view name(Timed quantity);

/// One number of the table.
struct Run {
  Timed quantity = Timed::inverse_dynamics;
  std::string_view scalar = "double";  ///< or "float"
  int threads = 1;
  int batch = 1;                 ///< states per call
  bool single = false;           ///< a function for one state, not a batch of one
  int states = 1;                ///< states per pass
  std::function<void()> pass{};  ///< long enough that its own call costs nothing
  double ns = 0;                 ///< per state: the median; set by measure()
  std::string failure{};         ///< why there is no answer; such a run is not timed
};

/// Times the runs that have an answer, in turns until `seconds` are over; one round at least.
void measure_runs(std::vector<Run>& runs, double seconds);

struct BenchSize {
  int states = 4096;
  int threads = 1;
  Closures closures = Closures::refuse;
};

/// Bytes that BenchRuns of this size would take.
double memory_needed(const System& system, BenchSize size);

class BenchRuns {
 public:
  /// The System must outlive it, and something in it must move.
  BenchRuns(const System& system, BenchSize size);
  ~BenchRuns();
  BenchRuns(const BenchRuns&) = delete;
  BenchRuns& operator=(const BenchRuns&) = delete;

  /// Runs everything once, compares, and marks the runs that have no answer.
  void check();
  /// Times what check() left.
  void measure(double seconds) { measure_runs(runs_, seconds); }

  /// Per quantity the single-state run, then batches by number of threads, double before float.
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  /// The frame of forward-kinematics and jacobian: the last one that moves.
  [[nodiscard]] const std::string& frame() const;
  /// Between a batch and one state at a time, relative; accelerations as the forces that cause
  /// them.
  [[nodiscard]] double worst_difference(std::string_view scalar) const {
    return scalar == "double" ? worst_double_ : worst_float_;
  }
  /// The most that a double batch may differ.
  static constexpr double tolerance = 1e-10;

 private:
  struct Workload;

  void check_single(Timed quantity);
  template <class B>
  void check_batch(Timed quantity, std::string_view scalar, double& worst);
  void fail(Timed quantity, std::string_view scalar, const std::string& why);
  [[nodiscard]] bool failed(Timed quantity, std::string_view scalar) const;

  std::unique_ptr<Workload> work_;
  std::vector<Run> runs_;
  double worst_double_ = 0, worst_float_ = 0;
};

}  // namespace linkwright::app
