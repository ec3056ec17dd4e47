#include "linear/reduction.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "closure/rank/size.hpp"
#include "linear/names.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Entries of v as coordinates.
struct Entries {
  std::vector<int> positions, velocities;
};

Entries choose_entries(ClosedWorkspace& work, const State& state,
                       const std::vector<std::string>& joints) {
  Entries out;
  if (work.rows() == 0) {
    out.velocities.resize(at(work.system().nv()));
    std::iota(out.velocities.begin(), out.velocities.end(), 0);
    out.positions = out.velocities;
    return out;
  }
  out.velocities = joints.empty() ? choose_independent(work, state.q).entries
                                  : require_independent(work, state.q, joints).entries;
  out.positions = position_coordinates(work, state.q, out.velocities);
  return out;
}

MatrixXd rows_of(const MatrixXd& A, const std::vector<int>& rows) {
  MatrixXd out(static_cast<Index>(rows.size()), A.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) out.row(static_cast<Index>(i)) = A.row(rows[i]);
  return out;
}

/// [δq; δv] of all joints by those of the entries.
MatrixXd tangent(ClosedWorkspace& work, const State& state, const Entries& entries) {
  const Index n = work.system().nv();
  if (work.rows() == 0) return MatrixXd::Identity(2 * n, 2 * n);
  MatrixXd T(2 * n, static_cast<Index>(entries.positions.size() + entries.velocities.size()));
  compute_tangent(work, state, entries.positions, entries.velocities, T);
  return T;
}

Reduction by_entries(const System& system, const FullModel& full, const State& state,
                     const Entries& entries, const MatrixXd& T) {
  const Index n = system.nv(), p = static_cast<Index>(entries.positions.size()),
              m = static_cast<Index>(entries.velocities.size());
  const MatrixXd one = MatrixXd::Identity(n, n);
  Reduction out;
  for (const int i : entries.positions)
    out.positions.push_back("q:" + system.velocity_names()[at(i)]);
  for (const int i : entries.velocities)
    out.velocities.push_back("v:" + system.velocity_names()[at(i)]);
  out.T_q = T.topRows(n), out.T_v = T.bottomRows(n);
  out.R_q = out.R_v = out.R_a = MatrixXd::Zero(p + m, n);
  out.R_q.topRows(p) = rows_of(full.E, entries.positions);
  out.R_v.topRows(p) = rows_of(one, entries.positions);
  out.R_a.bottomRows(m) = rows_of(one, entries.velocities);
  out.drift = out.R_v * state.v + out.R_a * full.a;
  return out;
}

/// Rows of parameters w: ẇ = g v, and how it and ẅ change.
struct Parameters {
  std::vector<std::string> positions, velocities;
  VectorXd unit;  // what counts as one
  MatrixXd g, g_rate, w_q, ww_q, ww_v;
};

/// Joints that a coordinate without a colon-separated kind names.
std::vector<int> entries_of(const System& system, const std::string& name) {
  if (const auto entries = find_entries("q", system.velocity_names(), "q:" + name);
      entries && !entries->empty())
    return *entries;
  const JointPlace& joint = system.joint(name);
  throw Error(fmt::format("coordinate {}: the joint is fixed; expected one that moves",
                          in_quotes(joint.name)));
}

void add_row(Parameters& out, const System& system, const Components& of, const Component& one,
             const FrameRows& rows, double size) {
  const int row = of.row[one.number];
  out.positions.push_back(name_of(system, of, one));
  const Component same{one.index, row};
  out.velocities.push_back(name_of(system, velocity_of_frame, same));
  const Index k = static_cast<Index>(out.positions.size()) - 1;
  const Index n = system.nv();
  for (auto* matrix : {&out.g, &out.g_rate, &out.w_q, &out.ww_q, &out.ww_v})
    matrix->conservativeResize(k + 1, n);
  out.unit.conservativeResize(k + 1);
  out.unit[k] = row < 3 ? 1 : size;
  out.g.row(k) = rows.G.row(row), out.g_rate.row(k) = rows.G_rate.row(row);
  out.w_q.row(k) = rows.y_q.row(row);
  out.ww_q.row(k) = rows.yy_q.row(row), out.ww_v.row(k) = rows.yy_v.row(row);
}

void add_joint(Parameters& out, const System& system, int entry, double unit) {
  out.positions.push_back("q:" + system.velocity_names()[at(entry)]);
  out.velocities.push_back("v:" + system.velocity_names()[at(entry)]);
  const Index k = static_cast<Index>(out.positions.size()) - 1;
  const Index n = system.nv();
  for (auto* matrix : {&out.g, &out.g_rate, &out.w_q, &out.ww_q, &out.ww_v}) {
    matrix->conservativeResize(k + 1, n);
    matrix->row(k).setZero();
  }
  out.unit.conservativeResize(k + 1);
  out.unit[k] = unit;
  out.g(k, entry) = 1;
}

Parameters find_parameters(ClosedWorkspace& work, const FullModel& full,
                           const std::vector<std::string>& names) {
  const System& system = work.system();
  Parameters out;
  for (const std::string& name : names) {
    const auto parts = find_components(system, displacement_of_frame, name);
    if (!parts) {
      for (const int entry : entries_of(system, name))
        add_joint(out, system, entry, work.dense().column_scale[entry]);
      continue;
    }
    const FrameRows rows = full.frame({parts->front().index});
    for (const Component& one : *parts)
      add_row(out, system, displacement_of_frame, one, rows, work.dense().length);
  }
  return out;
}

std::string some_of(const std::vector<std::string>& names, const VectorXd& share) {
  std::vector<std::string> out;
  for (Index i = 0; i < share.size(); ++i)
    if (std::abs(share[i]) > 0.1 * share.cwiseAbs().maxCoeff()) out.push_back(names[at(i)]);
  return list_in_quotes(out);
}

/// Refuses parameters that do not tell the motions apart, and says which and which motion.
void require_complete(const ClosedWorkspace& work, const Parameters& w, const MatrixXd& G,
                      const std::vector<std::string>& by) {
  const Index freedoms = G.cols(), count = w.g.rows();
  if (count != freedoms)
    throw Error(fmt::format(
        "{} coordinate{} ({}) for a mechanism with {} freedom{}; expected as many as it has "
        "freedoms. {}",
        count, count == 1 ? "" : "s", list_in_quotes(w.positions), freedoms,
        freedoms == 1 ? "" : "s",
        count < freedoms ? "Add joints or parts of frames' motions" : "Leave some out"));
  VectorXd units(G.cols());
  for (Index i = 0; i < G.cols(); ++i)
    units[i] = (work.dense().column_scale.cwiseInverse().asDiagonal() * G.col(i)).norm();
  const MatrixXd scaled =
      w.unit.cwiseInverse().asDiagonal() * (w.g * G) * units.cwiseInverse().asDiagonal();
  if (scaled.size() == 0) return;
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const VectorXd& values = svd.singularValues();
  const double least = values[values.size() - 1], most = std::max(values[0], 1.0);
  if (least > closure::rank_threshold * most) return;
  // Every combination of coordinates that stays at rest tells who takes part.
  Index kept = 0;
  while (kept < values.size() && values[kept] > closure::rank_threshold * most) ++kept;
  const VectorXd share = svd.matrixU().rightCols(values.size() - kept).rowwise().norm();
  const std::string resting = some_of(w.positions, share);
  const std::string said = resting.find(',') == std::string::npos
                               ? " " + resting + " cannot move here"
                               : "s " + resting + " depend on each other here";
  throw Error(
      fmt::format("the coordinate{} (smallest singular value {:.2g} of largest {:.2g}; at least "
                  "{:.0e} of it is needed): a motion in which {} moves most leaves all of them at "
                  "rest. Choose others, or leave the singular position",
                  said, least, most, closure::rank_threshold,
                  some_of(by, svd.matrixV().col(values.size() - 1))),
      Error::Kind::failed_computation);
}

Reduction by_parameters(ClosedWorkspace& work, const FullModel& full, const State& state,
                        const Parameters& w, const Reduction& base) {
  const Index n = work.system().nv(), m = w.g.rows();
  const Index p = static_cast<Index>(base.positions.size());
  if (base.positions.size() != base.velocities.size())
    throw Error(
        "closures that bind velocities alone (rolling) leave positions more freedoms than "
        "velocities; coordinates of frames do not describe both. Use joints");
  require_complete(work, w, base.T_q.leftCols(p), base.positions);
  MatrixXd P(2 * m, 2 * m);
  P << w.g * base.T_q, w.w_q * base.T_q + w.g * base.T_v;
  const MatrixXd inverse = P.partialPivLu().inverse();
  Reduction out;
  out.positions = w.positions, out.velocities = w.velocities;
  out.T_q = base.T_q * inverse, out.T_v = base.T_v * inverse;
  out.R_q.resize(2 * m, n), out.R_v.resize(2 * m, n);
  out.R_a = MatrixXd::Zero(2 * m, n);
  out.R_q << w.g_rate + w.g * full.E, w.ww_q;
  out.R_v << w.g, w.ww_v;
  out.R_a.bottomRows(m) = w.g;
  out.drift.resize(2 * m);
  out.drift << w.g * state.v, w.g * full.a + w.g_rate * state.v;
  return out;
}

}  // namespace

Reduction reduce(ClosedWorkspace& work, const FullModel& full, const State& state,
                 const std::vector<std::string>& coordinates) {
  const System& system = work.system();
  const bool joints_alone =
      std::none_of(coordinates.begin(), coordinates.end(), [&](const std::string& name) {
        return name.starts_with(std::string(displacement_of_frame.kind) + ":");
      });
  const bool transfers = !coordinates.empty() && (!joints_alone || work.rows() == 0);
  Parameters w;
  if (transfers) w = find_parameters(work, full, coordinates);
  const Entries entries =
      choose_entries(work, state, transfers ? std::vector<std::string>{} : coordinates);
  const Reduction base = by_entries(system, full, state, entries, tangent(work, state, entries));
  return transfers ? by_parameters(work, full, state, w, base) : base;
}

}  // namespace linkwright::linear
