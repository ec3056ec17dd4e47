#pragma once
/// A Simulation as Python holds it, with what it needs to stay alive, and the rows of a run.
///
///     PySimulation simulation(arm, options, start, nullptr);
///     PyRecording rows(simulation, {"energy"}, {});
///     simulation.run(rows, 2.0, 0.01);

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "callbacks.hpp"
#include "linkwright/simulate/following.hpp"
#include "linkwright/simulate/recording.hpp"
#include "system.hpp"

namespace linkwright::python {

using SharedSystem = std::shared_ptr<const System>;

/// A motion from point to point or from a table.
struct PyMotion {
  SharedSystem system;
  std::shared_ptr<const CommandedMotion> motion;
  /// Positions that the table tells and nobody follows (ReferenceTable::told); the table, or nothing.
  const ReferenceTable* table = nullptr;
};

class PyRecording;

class PySimulation {
 public:
  /// `exact`: a motion that is made whatever force it takes; null for none.
  PySimulation(const PySystem& system, const SimulationOptions& options, const State& start,
               const std::vector<std::pair<std::string, double>>& extra, const PyMotion* exact);

  /// The simulation, while nobody else uses it. Throws Error where it is running already.
  class Use {
   public:
    explicit Use(PySimulation& owner);
    ~Use() { owner_->busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    Simulation* operator->() const { return &owner_->simulation_; }
    Simulation& operator*() const { return owner_->simulation_; }

   private:
    PySimulation* owner_;
  };
  [[nodiscard]] Use use() { return Use(*this); }
  /// To look at, between steps.
  [[nodiscard]] const Simulation& look() const { return simulation_; }
  [[nodiscard]] const SharedSystem& system() const { return system_; }

  /// Functions that it calls, for Python's collector: one of them may lead back to this simulation.
  void keep(const HeldFunction& function) { functions_.push_back(function); }
  [[nodiscard]] const std::vector<HeldFunction>& functions() const { return functions_; }

  /// Goes on to a time, without the lock. Rows go to `recording`, if there is one: now, every so many seconds (0: after
  /// every step) and at the end. A signal that Python answers by raising ends it after the step.
  void run(PyRecording* recording, double until, double every);

 private:
  SharedSystem system_;
  Simulation simulation_;
  std::vector<HeldFunction> functions_;
  std::atomic<bool> busy_ = false;
};

class PyRecording {
 public:
  PyRecording(const PySimulation& simulation, const std::vector<std::string>& requests,
              std::vector<UserChannel> own);

  void take(const Snapshot& at);
  [[nodiscard]] const Table& table() const { return table_; }
  /// The largest effort at any row, per entry of v, with its sign, and when it was.
  [[nodiscard]] const Eigen::VectorXd& largest_efforts() const { return largest_; }
  [[nodiscard]] const Eigen::VectorXd& largest_at() const { return largest_at_; }

 private:
  SharedSystem system_;
  Workspace work_;
  Channels channels_;
  Table table_;
  std::vector<double> row_;
  Eigen::VectorXd largest_, largest_at_;
};

}  // namespace linkwright::python
