#include "linear/signals.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "linear/names.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

[[noreturn]] void refuse(const char* what, const std::string& name, const char* known) {
  throw Error(fmt::format("there is no {} {}; known are {}", what, in_quotes(name), known));
}
[[noreturn]] void refuse_fixed(const char* what, const JointPlace& joint) {
  throw Error(fmt::format("{} of joint {}: it is fixed; expected one that moves", what,
                          in_quotes(joint.name)));
}
constexpr const char* known_inputs =
    "tau, tau:JOINT, force:FRAME, force:FRAME:nx|ny|nz|fx|fy|fz and those of motors: "
    "voltage:MOTOR, torque:MOTOR";
constexpr const char* known_outputs =
    "q, v and a of joints (q, q:JOINT), frame:NAME, velocity:NAME, acceleration:NAME, "
    "closure:NAME and their parts (frame:tip:x), and states of motors";

class InputBuilder {
 public:
  InputBuilder(const System& system, const FullModel& full,
               const std::vector<std::string>& motor_inputs)
      : system_(system), full_(full), motors_(motor_inputs), efforts_(system.effort_names()) {}

  void add(const std::string& request) {
    if (const auto entries = find_entries("tau", efforts_, request)) {
      add_efforts(request, *entries);
    } else if (const auto parts = find_components(system_, force_at_frame, request)) {
      const MatrixXd G = full_.frame({parts->front().index}).G;
      for (const Component& one : *parts) {
        VectorXd tau = VectorXd::Zero(system_.effort_count());
        tau.head(system_.nv()) = G.row(one.number).transpose();
        push(name_of(system_, force_at_frame, one), tau, -1);
      }
    } else {
      const auto found = std::find(motors_.begin(), motors_.end(), request);
      if (found == motors_.end()) {
        const std::string hint = did_you_mean(request, motors_);
        refuse("input", request + hint, known_inputs);
      }
      push(request, VectorXd::Zero(system_.effort_count()),
           static_cast<int>(found - motors_.begin()));
    }
  }

  [[nodiscard]] Inputs take() const {
    Inputs out{
        names_, MatrixXd(system_.effort_count(), static_cast<Index>(names_.size())),
        MatrixXd::Zero(static_cast<Index>(motors_.size()), static_cast<Index>(names_.size()))};
    for (std::size_t i = 0; i < names_.size(); ++i) {
      out.tau.col(static_cast<Index>(i)) = columns_[i];
      if (motor_[i] >= 0) out.motors(motor_[i], static_cast<Index>(i)) = 1;
    }
    return out;
  }

 private:
  void add_efforts(const std::string& request, const std::vector<int>& entries) {
    const bool all = request == "tau";
    if (entries.empty() && !all) refuse_fixed("input", system_.joint(request.substr(4)));
    for (const int i : entries) {
      if (is_passive(system_, i)) {
        if (all) continue;
        throw Error(
            fmt::format("input {}: the joint is passive, no motor can push it. Take it out of "
                        "`passive`, or use "
                        "a force at a frame (force:FRAME:fx)",
                        in_quotes(request)));
      }
      push("tau:" + efforts_[at(i)], VectorXd::Unit(system_.effort_count(), i), -1);
    }
  }
  void push(const std::string& name, const VectorXd& column, int motor) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      throw Error(fmt::format("input {} is named twice; keep one", in_quotes(name)));
    names_.push_back(name), columns_.push_back(column), motor_.push_back(motor);
  }

  const System& system_;
  const FullModel& full_;
  const std::vector<std::string>& motors_;
  std::vector<std::string> efforts_, names_;
  std::vector<VectorXd> columns_;
  std::vector<int> motor_;
};

/// One output by all that moves.
struct OutputRow {
  std::string name;
  VectorXd q, v, a, f, z;
};

class OutputBuilder {
 public:
  OutputBuilder(const System& system, const FullModel& full,
                const std::vector<std::string>& motor_states)
      : system_(system), full_(full), motors_(motor_states) {}

  void add(const std::string& request) {
    if (add_joints(request) || add_frames(request) || add_motors(request)) return;
    const auto parts = find_components(system_, force_in_closure, request);
    if (!parts) refuse("output", request, known_outputs);
    for (const Component& one : *parts) {
      OutputRow row = blank(name_of(system_, force_in_closure, one));
      row.f[6 * one.index + one.number] = 1;
      rows_.push_back(row);
    }
  }

  [[nodiscard]] Outputs take() const {
    const Index count = static_cast<Index>(rows_.size()), n = system_.nv();
    Outputs out{{},
                MatrixXd(count, n),
                MatrixXd(count, n),
                MatrixXd(count, n),
                MatrixXd(count, full_.f_q.rows()),
                MatrixXd(count, full_.z_z.rows())};
    for (Index i = 0; i < count; ++i) {
      const OutputRow& row = rows_[at(i)];
      out.names.push_back(row.name);
      out.q.row(i) = row.q, out.v.row(i) = row.v, out.a.row(i) = row.a;
      out.f.row(i) = row.f, out.z.row(i) = row.z;
    }
    return out;
  }

 private:
  [[nodiscard]] OutputRow blank(const std::string& name) const {
    const Index n = system_.nv();
    return {name,
            VectorXd::Zero(n),
            VectorXd::Zero(n),
            VectorXd::Zero(n),
            VectorXd::Zero(full_.f_q.rows()),
            VectorXd::Zero(full_.z_z.rows())};
  }

  bool add_joints(const std::string& request) {
    for (const char* letter : {"q", "v", "a"}) {
      const auto entries = find_entries(letter, system_.velocity_names(), request);
      if (!entries) continue;
      for (const int i : *entries) {
        OutputRow row = blank(fmt::format("{}:{}", letter, system_.velocity_names()[at(i)]));
        (*letter == 'q' ? row.q : *letter == 'v' ? row.v : row.a)[i] = 1;
        rows_.push_back(row);
      }
      const bool all = request == letter;
      if (!all && entries->empty() && !add_closing(letter, request))
        refuse_fixed("output", system_.joint(request.substr(2)));
      return true;
    }
    return false;
  }
  bool add_closing(const char* letter, const std::string& request) {
    const auto entries = find_entries(letter, system_.closing_names(), request);
    if (!entries || *letter == 'a') return false;
    for (const int i : *entries) {
      OutputRow row = blank(fmt::format("{}:{}", letter, system_.closing_names()[at(i)]));
      if (*letter == 'q') row.q = full_.L.row(i);
      if (*letter == 'v') row.v = full_.L.row(i), row.q = full_.L_q.row(i);
      rows_.push_back(row);
    }
    return !entries->empty();
  }
  bool add_frames(const std::string& request) {
    for (const Components* of :
         {&displacement_of_frame, &velocity_of_frame, &acceleration_of_frame}) {
      const auto parts = find_components(system_, *of, request);
      if (!parts) continue;
      const FrameRows rows = full_.frame({parts->front().index});
      for (const Component& one : *parts) {
        OutputRow row = blank(name_of(system_, *of, one));
        const int k = of->row[one.number];
        if (of == &displacement_of_frame) row.q = rows.G.row(k);
        if (of == &velocity_of_frame) row.q = rows.y_q.row(k), row.v = rows.G.row(k);
        if (of == &acceleration_of_frame)
          row.q = rows.yy_q.row(k), row.v = rows.yy_v.row(k), row.a = rows.G.row(k);
        rows_.push_back(row);
      }
      return true;
    }
    return false;
  }
  bool add_motors(const std::string& request) {
    bool any = false;
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      if (motors_[i] != request && !motors_[i].starts_with(request + ":")) continue;
      OutputRow row = blank(motors_[i]);
      row.z[static_cast<Index>(i)] = 1;
      rows_.push_back(row);
      any = true;
    }
    return any;
  }

  const System& system_;
  const FullModel& full_;
  const std::vector<std::string>& motors_;
  std::vector<OutputRow> rows_;
};

}  // namespace

Inputs find_inputs(const System& system, const FullModel& full,
                   const std::vector<std::string>& requests,
                   const std::vector<std::string>& motor_inputs) {
  InputBuilder builder(system, full, motor_inputs);
  for (const std::string& request : requests) builder.add(request);
  return builder.take();
}

Outputs find_outputs(const System& system, const FullModel& full,
                     const std::vector<std::string>& requests,
                     const std::vector<std::string>& motor_states) {
  OutputBuilder builder(system, full, motor_states);
  for (const std::string& request : requests) builder.add(request);
  return builder.take();
}

}  // namespace linkwright::linear
