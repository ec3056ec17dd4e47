#include "linkwright/linear/linear_model.hpp"

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "linear/reduction.hpp"
#include "linear/signals.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void check_point(const System& system, const OperatingPoint& point) {
  if (point.tau.size() != at(system.effort_count()))
    throw Error(
        fmt::format("tau of the operating point has {} entries; expected {}, one per effort",
                    point.tau.size(), system.effort_count()));
}

/// Where a mechanism branches its rows say less than nearby, and no linear model is that of all its ways.
void require_regular(ClosedWorkspace& work, const State& state) {
  if (work.rows() == 0) return;
  closure::compute_row_space(work, state.q);
  if (work.dense().space.rank() == work.rows()) return;
  const Mobility found = compute_mobility(work, state.q);
  if (!found.singular) return;
  throw Error(fmt::format("the position is singular: the closures bind {} freedoms here and {} "
                          "nearby, and there is no linear model ({} can move here and cannot "
                          "nearby). Leave the position",
                          found.rank, found.nearby_rank,
                          found.gained.empty() ? "joints" : list_in_quotes(found.gained)),
              Error::Kind::failed_computation);
}

std::vector<std::string> names_of(const std::vector<Quantity>& quantities) {
  std::vector<std::string> out;
  for (const Quantity& quantity : quantities) out.push_back(quantity.name);
  return out;
}

/// δv̇ and the closures' δf by the model's states and inputs.
struct Response {
  MatrixXd a_x, a_u, f_x, f_u;
};
Response respond(const FullModel& full, const Reduction& to, const Inputs& inputs) {
  const Index x = to.T_q.cols(), z = full.z_z.rows(), u = inputs.tau.cols();
  Response out{MatrixXd(full.a.size(), x + z), MatrixXd(full.a.size(), u),
               MatrixXd(full.f_q.rows(), x + z), MatrixXd(full.f_q.rows(), u)};
  out.a_x << full.a_q * to.T_q + full.a_v * to.T_v, full.a_z;
  out.a_u = full.a_tau * inputs.tau + full.a_u * inputs.motors;
  if (full.f_q.rows() == 0) return out;
  out.f_x << full.f_q * to.T_q + full.f_v * to.T_v, full.f_z;
  out.f_u = full.f_tau * inputs.tau + full.f_u * inputs.motors;
  return out;
}

void write_dynamics(const FullModel& full, const Reduction& to, const Inputs& inputs,
                    const Response& response, LinearModel& model) {
  const Index x = to.T_q.cols(), z = full.z_z.rows(), u = inputs.tau.cols();
  MatrixXd A = MatrixXd::Zero(x + z, x + z), B(x + z, u), drift(x + z, 1);
  A.topRows(x) = to.R_a * response.a_x;
  A.topLeftCorner(x, x) += to.R_q * to.T_q + to.R_v * to.T_v;
  B.topRows(x) = to.R_a * response.a_u;
  drift.topRows(x) = to.drift;
  if (z > 0) {
    A.bottomLeftCorner(z, x) = full.z_q * to.T_q + full.z_v * to.T_v;
    A.bottomRightCorner(z, z) = full.z_z;
    B.bottomRows(z) = full.z_u * inputs.motors;
    drift.bottomRows(z) = full.z_rate;
  }
  model.A = A, model.B = B, model.drift = drift;
}

void write_outputs(const Reduction& to, const Outputs& outputs, const Response& response,
                   LinearModel& model) {
  const Index x = to.T_q.cols(), z = outputs.z.cols();
  MatrixXd C = outputs.a * response.a_x, D = outputs.a * response.a_u;
  C.leftCols(x) += outputs.q * to.T_q + outputs.v * to.T_v;
  C.rightCols(z) += outputs.z;
  if (outputs.f.cols() > 0) C += outputs.f * response.f_x, D += outputs.f * response.f_u;
  model.C = C, model.D = D, model.outputs = outputs.names;
}

}  // namespace

LinearModel linearize(ClosedWorkspace& work, const OperatingPoint& point,
                      const LinearOptions& options) {
  const System& system = work.system();
  check_point(system, point);
  require_regular(work, point.state);
  const std::vector<std::string> none;
  const actuation::Drives* drives = options.drives;
  const std::vector<std::string> motor_states = drives ? names_of(drives->extra_states()) : none,
                                 motor_inputs = drives ? names_of(drives->inputs()) : none;
  const FullModel full(work, point, drives);
  const std::vector<std::string> efforts{"tau"};
  const Inputs inputs = find_inputs(system, full,
                                    !options.inputs.empty() ? options.inputs
                                    : motor_inputs.empty()  ? efforts
                                                            : motor_inputs,
                                    motor_inputs);
  // Requests are read while the workspace holds the kinematics, which the choice of coordinates ends.
  const Outputs outputs = find_outputs(system, full, options.outputs, motor_states);
  const Reduction to = reduce(work, full, point.state, options.coordinates);
  LinearModel model;
  for (const auto* names : {&to.positions, &to.velocities, &motor_states})
    model.states.insert(model.states.end(), names->begin(), names->end());
  model.inputs = inputs.names;
  const Response response = respond(full, to, inputs);
  write_dynamics(full, to, inputs, response, model);
  if (options.outputs.empty()) {
    model.C = MatrixXd::Identity(static_cast<Index>(to.positions.size()), model.A.rows());
    model.D = MatrixXd::Zero(model.C.rows(), model.B.cols());
    model.outputs = to.positions;
  } else {
    write_outputs(to, outputs, response, model);
  }
  return model;
}

}  // namespace linkwright::linear
