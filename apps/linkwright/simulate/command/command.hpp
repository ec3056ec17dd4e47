#pragma once
/// Who commands a run: inputs from a file, and a motion with what makes the joints follow it.

#include <memory>
#include <optional>

#include "linkwright/simulate/motions.hpp"
#include "shell/json.hpp"
#include "shell/state/start.hpp"
#include "simulate/command/arguments.hpp"
#include "simulate/command/watch.hpp"
#include "simulate/summary.hpp"

namespace linkwright::app {

/// When a run begins and ends.
struct RunSpan {
  double from = 0, to = 0;
};

class Command {
 public:
  /// Reads the files and checks them against the run; motors whose voltages they give are driven by
  /// them. The System must outlive it.
  Command(const CommandArguments& arguments, const System& system, SimulationOptions& options,
          const RunSpan& span);

  /// A state to start from is where the reference begins, as far as it says, and the rest is
  /// assembled; nothing where there is no reference.
  [[nodiscard]] std::optional<State> start_of_reference(State others);
  /// Where the motion begins: sets gains and moves, and checks closures and limits. `q` is the start of
  /// the whole run, `now` where it goes on.
  void begin(const Eigen::VectorXd& q, const State& now, LimitAction limits);
  [[nodiscard]] const Eigen::VectorXd& start() const { return start_; }
  /// Whether a column of --input gives that input.
  [[nodiscard]] bool has_column(std::string_view input) const;
  /// Writes the inputs that the columns of --input give at a time.
  void write_inputs(double t, Eigen::VectorXd& input) const;
  /// What commands the run up to a time, part by part.
  [[nodiscard]] std::vector<PartDigest> digests(double until) const;

  [[nodiscard]] std::unique_ptr<Equations> equations(const SimulationOptions& options) const;
  /// Adds controllers, reference and loads.
  void equip(Simulation& simulation) const;

  /// Looks how far the state at the end of a step is from the motion.
  void look(const State& state) const {
    if (motion_) watch_->look(*motion_, state);
  }
  /// Warns of efforts beyond limits, once the run is over.
  void report() const;
  [[nodiscard]] SummaryLines lines() const;
  /// Null where nothing commands the run.
  [[nodiscard]] Json to_json() const;

 private:
  void read_input(const Equations& names, TimeTable table);
  void read_reference(const Equations& names);
  void make_moves(LimitAction limits);
  void check_motion(const State& now);
  void choose_gains();
  void note_undriven() const;
  void note_loose_poses() const;
  [[nodiscard]] Controller make_controller() const;
  [[nodiscard]] std::string describe_gains() const;

  CommandArguments arguments_;
  const System* system_;
  RunSpan span_;
  double period_ = 0;
  Eigen::VectorXd start_;
  std::shared_ptr<const InputTable> input_;
  std::shared_ptr<const ReferenceTable> table_;
  std::shared_ptr<const PointToPoint> moves_;
  std::shared_ptr<const CommandedMotion> motion_;  // the one of the two that there is
  std::vector<double> kp_, kd_;
  std::shared_ptr<CommandWatch> watch_;
  bool fits_closures_ = false;  // that was looked at already
  bool foretold_ = false;       // efforts were judged before the run
};

}  // namespace linkwright::app
