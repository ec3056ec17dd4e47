#include "simulate/recording.hpp"

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "shell/arguments.hpp"

namespace linkwright::app {
namespace {

std::string base_name(Base base) {
  if (base == Base::fixed) return "fixed";
  return base == Base::free ? "free" : "planar";
}

/// All that is needed to ask for the same run again, besides the model and the first row.
std::vector<Fact> facts_of_run(const SimulateArguments& arguments, const SimulationOptions& options,
                               const Eigen::VectorXd& tau) {
  std::vector<Fact> facts{{"file", arguments.model.file},
                          {"base", base_name(arguments.model.base)},
                          {"rigid", std::string(arguments.rigid ? "yes" : "no")},
                          {"method", std::string(to_string(options.method))},
                          {"time", parse_real("--time", arguments.time)},
                          {"limits", arguments.limits},
                          {"tau", std::vector<double>(tau.begin(), tau.end())}};
  if (has_fixed_step(options.method)) {
    facts.push_back({"step", options.step});
  } else {
    facts.push_back({"rtol", options.relative_tolerance});
    facts.push_back({"atol", options.absolute_tolerance});
  }
  if (options.baumgarte_rate > 0) facts.push_back({"baumgarte", options.baumgarte_rate});
  if (arguments.cut_open) facts.push_back({"cut_open", "closures and grasps are left out"});
  for (Fact& fact : facts_of(arguments.command)) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace

RunRecording::RunRecording(const Simulation& simulation, const SimulateArguments& arguments)
    : system_(&simulation.system()),
      work_(*system_, Closures::leave_out),  // places what the simulation computed
      channels_(simulation.equations(), arguments.records),
      row_(channels_.size()) {
  const System& system = *system_;
  if (!arguments.out.empty()) {
    RecordingHeader header = describe_run(system, channels_);
    header.describe = arguments.describe;
    for (Fact& fact : facts_of_run(arguments, simulation.options(), simulation.input()))
      header.facts.push_back(std::move(fact));
    file_ = open_recorder(arguments.out, header);
  }
  if (arguments.html.empty()) return;
  table_ = std::make_unique<Table>(channels_.columns());
  for (std::size_t j = 0; j < system.joints().size(); ++j)
    for (const std::string& request : arguments.records)
      if (request == "force:" + system.joints()[j].name)
        forces_.push_back({static_cast<int>(j), {}});
}

void RunRecording::take(const Snapshot& at) {
  channels_.compute(work_, at, row_);
  if (file_) file_->row(row_);
  if (table_) table_->row(row_);
  if (!forces_.empty()) keep_forces();
  ++rows_;
}

/// The row before has left the kinematics of this moment in the workspace.
void RunRecording::keep_forces() {
  for (DrawnForce& drawn : forces_) {
    const JointPlace& joint = system_->joints()[static_cast<std::size_t>(drawn.joint)];
    const Pose pose = frame_pose(work_, FrameId{joint.frame});
    drawn.values.push_back(pose.rotation *
                           channels_.reactions()[static_cast<std::size_t>(drawn.joint)].force);
  }
}

void RunRecording::finish(const std::vector<Fact>& outcome) {
  if (file_) file_->finish(outcome);
}

}  // namespace linkwright::app
