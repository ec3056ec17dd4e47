#include "network/mechanics/loop_equations.hpp"

namespace linkwright::network::mechanics {
namespace {

int rows_of(const System& system) {
  int rows = 0;
  for (const ClosurePlace& c : system.closures()) rows += c.rows;
  return rows;
}

Motion to_axes(const Matrix3& R, const Motion& m) {
  return {transpose_times(R, m.angular), transpose_times(R, m.linear)};
}

}  // namespace

LoopEquations::LoopEquations(const System& system, const Placement& placement)
    : body_of_node_(bodies_of_nodes(system, placement)) {
  const Eigen::Index nv = system.nv(), rows = rows_of(system),
                     closing = static_cast<Eigen::Index>(system.closing_names().size());
  J.setZero(rows, nv), L.setZero(closing, nv);
  bias.setZero(rows), closing_bias.setZero(closing);
  no_acceleration_.setZero(nv), efforts_.setZero(nv);
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.rotors; ++i) {
      rotors.push_back(c.closing + c.rotor_freedom[i]);
      rotor.push_back(c.freedom[c.rotor_freedom[i]].rotor);
    }
}

LoopEquations::Chord LoopEquations::chord(const Workspace& poses, const Placement& at,
                                          const ClosurePlace& c, const Recursion& recursion) const {
  const Pose &node_a = poses.scratch().pose[linkwright::at(c.node_a)],
             &node_b = poses.scratch().pose[linkwright::at(c.node_b)];
  Chord found;
  found.R = (node_b * c.at_b).rotation;
  found.meeting.X = closure::relative_pose(c, node_a, node_b);
  found.b = make_terminal(poses, at, body_of_node_, c.node_b, c.at_b.translation);
  // Where b's terminal is on a.
  found.a = make_terminal(poses, at, body_of_node_, c.node_a, c.at_a * found.meeting.X.translation);
  const Motion of_b = twist_at(at, found.b);
  const Motion x = of_b - twist_at(at, found.a);
  const Motion rate = twist_rate_at(at, recursion, found.b, of_b.linear) -
                      twist_rate_at(at, recursion, found.a, of_b.linear);
  const Vector3& omega = of_b.angular;
  found.meeting.V = to_axes(found.R, x);
  found.V_rate = to_axes(found.R, rate - Motion{cross(omega, x.angular), cross(omega, x.linear)});
  return found;
}

void LoopEquations::write_row(const Placement& at, const Chord& chord,
                              const closure::Row<double>& row, RowRef out, double& drift) {
  const Force wrench{chord.R * row.W.moment, chord.R * row.W.force};
  out.setZero();
  add_cut_set(at, chord.b, wrench, out);
  add_cut_set(at, chord.a, -wrench, out);
  drift = dot(row.W, chord.V_rate) + dot(row.rate, chord.meeting.V);
}

void LoopEquations::update(const Workspace& poses, const Placement& at, const State& state,
                           Recursion& recursion) {
  recursion.compute_efforts(at, state.v, no_acceleration_, efforts_);  // for the rates at v̇ = 0
  for (const ClosurePlace& c : poses.system().closures()) {
    if (is_among_joints(c.kind)) {
      auto row = c.kind == PairKind::gear ? J.row(c.row) : L.row(c.closing);
      row.setZero();
      for (const TreeTerm& term : c.terms) row[term.v] += term.ratio;
      continue;
    }
    const Chord now = chord(poses, at, c, recursion);
    for (int i = 0; i < c.rows; ++i)
      write_row(at, now, closure::row_of(c, now.meeting, i), J.row(c.row + i), bias[c.row + i]);
    for (int i = 0; i < c.freedoms; ++i)
      write_row(at, now, closure::closing_row(c, now.meeting, i), L.row(c.closing + i),
                closing_bias[c.closing + i]);
  }
}

}  // namespace linkwright::network::mechanics
