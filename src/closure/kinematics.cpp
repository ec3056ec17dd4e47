#include "linkwright/closure/kinematics.hpp"

#include <cmath>

#include <fmt/format.h>

#include "closure/rows.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/closure/loop_path.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/residual.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::Meeting, closure::Opening;

/// Joints placed and poses of all nodes in the world.
void place(ClosedWorkspace& work, const ConstVectorRef& q) {
  door::check_position(work.system(), q);
  ScratchD& s = work.tree().scratch();
  kernels().place(work.system().tree(), s, q.data());
  kernels().poses(work.system().tree(), s);
}

Pose closed_pose(const ScratchD& s, const ClosurePlace& c) {
  return closure::relative_pose(c, s.pose[at(c.node_a)], s.pose[at(c.node_b)]);
}

/// Rows of one closure over the freedoms between its node and the world, with the sign given. What a
/// joint inboard of both frames does moves both alike and cancels: it is left out.
void add_columns(const System& system, const ScratchD& s, int from, int until, const Pose& tip,
                 const Force* rows, int count, double sign, closure::Columns columns, MatrixRef out,
                 int row) {
  for (int k = from; k != until; k = system.tree().nodes[at(k)].parent) {
    const Node<double>& n = system.tree().nodes[at(k)];
    for (int i = 0; i < n.d; ++i) {
      const Motion seen = spatial::shift(tip.translation, s.column(n.freedom + i));
      const Motion own{transpose_times(tip.rotation, seen.angular),
                       transpose_times(tip.rotation, seen.linear)};
      for (int j = 0; j < count; ++j) out(row + j, columns[n.v + i]) = sign * dot(rows[j], own);
    }
  }
}

/// The rows that `row_of` gives, from `first` on.
template <class RowOf>
void fill_rows(const ClosedWorkspace& work, const ClosurePlace& c, const RowOf& row_of, int count,
               closure::Columns columns, MatrixRef out, int first) {
  const ScratchD& s = work.tree().scratch();
  const System& system = work.system();
  Meeting<double> m;
  m.X = closed_pose(s, c);
  Force rows[6];
  for (int i = 0; i < count; ++i) rows[i] = row_of(c, m, i).W;
  const Pose tip = s.pose[at(c.node_b)] * c.at_b;
  const int common = closure::common_node(system.tree(), c.node_a, c.node_b);
  add_columns(system, s, c.node_b, common, tip, rows, count, 1, columns, out, first);
  add_columns(system, s, c.node_a, common, tip, rows, count, -1, columns, out, first);
}

/// Poses, velocities, and accelerations while all v̇ are zero.
void place_and_drift(ClosedWorkspace& work, const State& state) {
  ScratchD& s = work.tree().scratch();
  place(work, state.q);
  kernels().velocities(work.system().tree(), s, state.v.data());
  kernels().accelerations(work.system().tree(), s, state.v.data(), s.zero.data());
}

/// Where a closure's frames meet, its bias that of v̇ = 0.
Meeting<double> drifting(const ScratchD& s, const ClosurePlace& c) {
  const auto a = at(c.node_a), b = at(c.node_b);
  Meeting<double> m = closure::meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
  m.bias += to_child(c.at_b, s.alpha[b]) - to_child(m.X, to_child(c.at_a, s.alpha[a]));
  return m;
}

Opening open_at(const ClosedWorkspace& work, const ClosurePlace& c) {
  return closure::opening(c, closed_pose(work.tree().scratch(), c));
}

}  // namespace

namespace closure {

void place_columns(ClosedWorkspace& work, const ConstVectorRef& q) {
  place(work, q);
  kernels().motion_columns(work.system().tree(), work.tree().scratch());
}

namespace {

void write_terms(const ClosurePlace& c, Columns columns, MatrixRef out, int row) {
  for (const TreeTerm& term : c.terms) out(row, columns[term.v]) += term.ratio;
}

}  // namespace

double sum_of_terms(const ClosurePlace& c, const double* q) {
  double sum = 0;
  for (const TreeTerm& term : c.terms) sum += term.ratio * q[term.q];
  return sum;
}
double rate_of_terms(const ClosurePlace& c, const double* v) {
  double sum = 0;
  for (const TreeTerm& term : c.terms) sum += term.ratio * v[term.v];
  return sum;
}

void write_closure_rows(const ClosedWorkspace& work, const ClosurePlace& c, Columns columns,
                        MatrixRef out, int first) {
  if (c.rows == 0) return;
  if (c.kind == PairKind::gear) return write_terms(c, columns, out, first);
  fill_rows(work, c, row_of<double>, c.rows, columns, out, first);
}
void write_closing_rows(const ClosedWorkspace& work, const ClosurePlace& c, Columns columns,
                        MatrixRef out, int first) {
  if (c.freedoms == 0) return;
  if (c.kind == PairKind::shaft) return write_terms(c, columns, out, first);
  fill_rows(work, c, closing_row<double>, c.freedoms, columns, out, first);
}

}  // namespace closure

void compute_closure_jacobian(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef jacobian) {
  const System& system = work.system();
  door::check_output(jacobian, work.rows(), system.nv(), "jacobian");
  closure::place_columns(work, q);
  jacobian.setZero();
  for (const ClosurePlace& c : system.closures())
    closure::write_closure_rows(work, c, {}, jacobian, c.row);
}

void compute_closing_jacobian(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef jacobian) {
  const System& system = work.system();
  door::check_output(jacobian, static_cast<Eigen::Index>(system.closing_names().size()),
                     system.nv(), "jacobian");
  closure::place_columns(work, q);
  jacobian.setZero();
  for (const ClosurePlace& c : system.closures())
    closure::write_closing_rows(work, c, {}, jacobian, c.closing);
}

void compute_closure_bias(ClosedWorkspace& work, const State& state, VectorRef bias) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_output(bias.size(), work.rows(), "bias");
  place_and_drift(work, state);
  for (const ClosurePlace& c : system.closures()) {
    if (is_among_joints(c.kind)) {  // its row is constant
      bias.segment(c.row, c.rows).setZero();
      continue;
    }
    const Meeting<double> m = drifting(work.tree().scratch(), c);
    for (int i = 0; i < c.rows; ++i) bias[c.row + i] = row_bias(closure::row_of(c, m, i), m);
  }
}

void compute_closing_bias(ClosedWorkspace& work, const State& state, VectorRef bias) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_output(bias.size(), static_cast<Eigen::Index>(system.closing_names().size()), "bias");
  place_and_drift(work, state);
  for (const ClosurePlace& c : system.closures()) {
    if (c.freedoms == 0) continue;
    if (c.kind == PairKind::shaft) {
      bias[c.closing] = 0;
      continue;
    }
    const Meeting<double> m = drifting(work.tree().scratch(), c);
    for (int i = 0; i < c.freedoms; ++i)
      bias[c.closing + i] = row_bias(closure::closing_row(c, m, i), m);
  }
}

void compute_closure_residual(ClosedWorkspace& work, const ConstVectorRef& q, VectorRef residual) {
  const System& system = work.system();
  door::check_output(residual.size(), work.rows(), "residual");
  place(work, q);
  residual.setZero();
  for (const ClosurePlace& c : system.closures()) {
    if (c.kind == PairKind::gear) {
      residual[c.row] = closure::sum_of_terms(c, q.data()) - c.offset;
      continue;
    }
    if (c.rows == 0) continue;
    const Opening open = open_at(work, c);
    for (int i = 0; i < c.position_rows; ++i) residual[c.row + i] = open.residual[i];
  }
}

WorstClosure compute_worst_closure(ClosedWorkspace& work, const ConstVectorRef& q) {
  const System& system = work.system();
  place(work, q);
  WorstClosure worst;
  for (std::size_t i = 0; i < system.closures().size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    WorstClosure here{static_cast<int>(i), 0, 0};
    if (c.kind == PairKind::gear) {
      here.angle = std::abs(closure::sum_of_terms(c, q.data()) - c.offset);
    } else if (c.kind != PairKind::shaft) {
      const Opening open = open_at(work, c);
      here.distance = open.distance, here.angle = open.angle;
    }
    if (worst.closure < 0 || !(here.gap() <= worst.gap())) worst = here;
  }
  return worst;
}

std::string describe(const System& system, const WorstClosure& worst) {
  if (worst.closure < 0) return "there are no closures";
  const ClosurePlace& c = system.closures()[at(worst.closure)];
  if (c.kind == PairKind::gear)
    return fmt::format("gear {} is off by {:.3g}", in_quotes(c.name), worst.angle);
  const auto& grasps = system.model().grasps;
  const int grasp = worst.closure - grasp_closure(system, 0);
  if (grasp >= 0)
    return fmt::format(
        "grasp {} is open by {:.3g} m and {:.3g} rad: arm {} does not reach object {}",
        in_quotes(c.name), worst.distance, worst.angle, in_quotes(grasps[at(grasp)].arm),
        in_quotes(grasps[at(grasp)].object));
  return fmt::format("closure {} is open by {:.3g} m and {:.3g} rad", in_quotes(c.name),
                     worst.distance, worst.angle);
}

}  // namespace linkwright
