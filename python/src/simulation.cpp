#include "simulation.hpp"

#include <chrono>
#include <cmath>

#include "linkwright/simulate/closed_equations.hpp"

namespace linkwright::python {
namespace {

std::unique_ptr<Equations> to_equations(const System& system, const SimulationOptions& options,
                                        const PyMotion* exact) {
  if (exact == nullptr) return make_equations(system, options);
  return add_motors(std::make_unique<ClosedEquations>(
                        system, ClosedOptions{.baumgarte_rate = options.baumgarte_rate,
                                              .motions = to_given_motions(exact->motion)}),
                    options);
}

Simulation to_simulation(const System& system, const SimulationOptions& options, const State& start,
                         const std::vector<std::pair<std::string, double>>& extra,
                         const PyMotion* exact) {
  std::unique_ptr<Equations> equations = to_equations(system, options, exact);
  FullState full{start, {}};
  equations->compute_start(full);
  for (const auto& [name, value] : extra) full.extra[extra_index(*equations, name)] = value;
  return {std::move(equations), full, options};
}

/// Lets Python answer signals, now and then.
class Signals {
 public:
  void look() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

}  // namespace

PySimulation::PySimulation(const PySystem& system, const SimulationOptions& options,
                           const State& start,
                           const std::vector<std::pair<std::string, double>>& extra,
                           const PyMotion* exact)
    : system_(system.shared()),
      simulation_(to_simulation(*system_, options, start, extra, exact)) {}

PySimulation::Use::Use(PySimulation& owner) : owner_(&owner) {
  if (owner.busy_.exchange(true))
    throw Error(
        "this simulation is running: its functions, and other threads, cannot move it meanwhile");
}

void PySimulation::run(PyRecording* recording, double until, double every) {
  const Use simulation(*this);
  const nb::gil_scoped_release without_lock;
  Signals signals;
  simulation->run(
      until, every,
      [&](const Snapshot& at) {
        if (recording != nullptr) recording->take(at);
        return true;
      },
      [&](double) {
        signals.look();
        return true;
      });
}

PyRecording::PyRecording(const PySimulation& simulation, const std::vector<std::string>& requests,
                         std::vector<UserChannel> own)
    : system_(simulation.system()),
      work_(*system_, Closures::leave_out),  // places what the simulation computed
      channels_(simulation.look().equations(), requests, std::move(own)),
      table_(channels_.columns()),
      row_(channels_.size()),
      largest_(Eigen::VectorXd::Zero(system_->nv())),
      largest_at_(largest_) {}

void PyRecording::take(const Snapshot& at) {
  channels_.compute(work_, at, row_);
  table_.row(row_);
  for (Eigen::Index i = 0; i < largest_.size(); ++i)
    if (std::abs(at.tau[i]) > std::abs(largest_[i]))
      largest_[i] = at.tau[i], largest_at_[i] = at.now.state.t;
}

}  // namespace linkwright::python
