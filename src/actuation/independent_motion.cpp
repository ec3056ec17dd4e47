// Motions of closed mechanisms in independent coordinates: their derivatives, and what motors are to them.
#include "actuation/effort_series.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/actuation/voltages.hpp"
#include "linkwright/closure/independent.hpp"
#include "spatial/index.hpp"

namespace linkwright::actuation {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void complete_rates(ClosedWorkspace& work, const State& state, std::span<const int> entries,
                    MatrixRef rates) {
  const System& system = work.system();
  const Index nv = system.nv(), freedoms = static_cast<Index>(entries.size());
  door::check_state(system, state);
  door::check_output(rates.rows(), nv, "rates (rows)");
  if (work.rows() == 0 || rates.cols() == 0) return;
  VectorXd v = state.v, jerk = VectorXd::Zero(nv);
  if (rates.cols() > 1) jerk = rates.col(1);
  compute_dependent_motion(work, state.q, entries, v, rates.col(0), jerk);
  if (rates.cols() == 1) return;
  rates.col(1) = jerk;
  if (rates.cols() == 2) return;
  MatrixXd G(nv, freedoms);
  VectorXd g(nv), own(freedoms), any(nv), opens(work.rows());
  compute_coordinate_map(work, state, entries, G, g);
  EffortSeries efforts(system);
  const SeriesVector none(at(work.rows())), idle(system.closing_names().size());
  SeriesVector rest(at(system.nv()));
  for (int k = 2; k < rates.cols() && k < series_orders; ++k) {
    for (Index i = 0; i < freedoms; ++i) own[i] = rates(entries[at(static_cast<int>(i))], k);
    rates.col(k) = G * own;
    // What the closures still open by, taken back by joints other than the independent ones.
    efforts.place(work, state, rates.leftCols(k + 1));
    efforts.compute_rest(none, idle, rest);
    for (Index i = 0; i < opens.size(); ++i)
      opens[i] = -efforts.closure_accelerations[at(static_cast<int>(i))].derivative(k);
    closure::solve_rows(work.dense(), opens, any);
    for (Index i = 0; i < freedoms; ++i) own[i] = any[entries[at(static_cast<int>(i))]];
    rates.col(k) += any - G * own;
  }
}

void complete_jerk(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                   std::span<const int> entries, VectorRef jerk) {
  door::check_output(jerk.size(), work.system().nv(), "jerk");
  if (work.rows() == 0) return;
  VectorXd v = state.v, all = a;
  compute_dependent_motion(work, state.q, entries, v, all, jerk);
}

void compute_actuation_map(ClosedWorkspace& work, const Drives& drives, const State& state,
                           std::span<const int> entries, MatrixRef map) {
  const auto freedoms = static_cast<Index>(entries.size());
  const int nv = work.system().nv();
  door::check_output(map, freedoms, drives.count(), "map");
  MatrixXd S(drives.count(), nv), G(nv, freedoms);
  VectorXd g(nv);
  drives.compute_shaft_map(work, state.q, S);
  compute_coordinate_map(work, state, entries, G, g);
  map = (S * G).transpose();
}

}  // namespace linkwright::actuation
