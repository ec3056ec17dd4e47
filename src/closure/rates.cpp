// The rows of closures while the mechanism moves: J̇ and L̇, and what third-order kinematics needs of J.
// Rows over joint rates (gears) are constant; they have no frames, so nothing is on their loop.
#include "closure/rows.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/loop_path.hpp"
#include "linkwright/closure/row_rates.hpp"
#include "linkwright/dynamics/sweeps/path_motion.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::LoopFreedom, closure::LoopPath, closure::Meeting, closure::Row;

/// Of the rows that `row_of` gives, along v; after place_columns.
template <class RowOf>
void write_rates(const ClosedWorkspace& work, const ClosurePlace& c, const ConstVectorRef& v,
                 const RowOf& row_of, int count, int first, MatrixRef out) {
  const ScratchD& s = work.tree().scratch();
  const Pose tip = s.pose[at(c.node_b)] * c.at_b;
  const LoopPath<double> path =
      closure::loop_path(work.system().tree(), s, c.node_a, c.node_b, tip);
  Meeting<double> m;
  m.X = closure::relative_pose(c, s.pose[at(c.node_a)], s.pose[at(c.node_b)]);
  for (const LoopFreedom<double>& j : path) m.V += j.side * v[j.v] * j.twist;
  Row<double> rows[6];
  for (int i = 0; i < count; ++i) rows[i] = row_of(c, m, i);
  for (const LoopFreedom<double>& j : path) {
    Motion carrying{};
    for (const LoopFreedom<double>& k : path)
      if (const int e = carries(k, j); e != 0) carrying += e * v[k.v] * k.twist;
    const Motion rate = bracket(carrying, j.twist);
    for (int i = 0; i < count; ++i)
      out(first + i, j.v) = j.side * (dot(rows[i].rate, j.twist) + dot(rows[i].W, rate));
  }
}

/// Of b relative to a, in b's axes: the numbers, their rate, and its rate.
struct RelativeMotion {
  Pose X;
  Motion V, rate, second;
};

RelativeMotion relative_motion(const System& system, const ClosurePlace& c,
                               const sweeps::JointNumbers<double>& at) {
  const TreeD& tree = system.tree();
  const int common = closure::common_node(tree, c.node_a, c.node_b);
  const auto a = sweeps::path_motion(tree, c.node_a, common, c.at_a, at);
  const auto b = sweeps::path_motion(tree, c.node_b, common, c.at_b, at);
  RelativeMotion m;
  m.X = inverse(a.X) * b.X;
  // What a does, carried over to b: d/dt Ad⁻¹ y = Ad⁻¹ ẏ − [V, Ad⁻¹ y].
  const Motion w = to_child(m.X, a.V), w1 = to_child(m.X, a.rate), w2 = to_child(m.X, a.second);
  m.V = b.V - w;
  const Motion w_rate = w1 - bracket(m.V, w);
  m.rate = b.rate - w_rate;
  m.second = b.second - w2 + bracket(m.V, w1) + bracket(m.rate, w) + bracket(m.V, w_rate);
  return m;
}

}  // namespace

void compute_closure_jacobian_rate(ClosedWorkspace& work, const State& state, MatrixRef rate) {
  const System& system = work.system();
  door::check_velocity_like(system, state.v, "state.v");
  door::check_output(rate, work.rows(), system.nv(), "rate");
  closure::place_columns(work, state.q);
  rate.setZero();
  for (const ClosurePlace& c : system.closures())
    write_rates(work, c, state.v, closure::row_of<double>, c.rows, c.row, rate);
}

void compute_closing_jacobian_rate(ClosedWorkspace& work, const State& state, MatrixRef rate) {
  const System& system = work.system();
  door::check_velocity_like(system, state.v, "state.v");
  door::check_output(rate, static_cast<Eigen::Index>(system.closing_names().size()), system.nv(),
                     "rate");
  closure::place_columns(work, state.q);
  rate.setZero();
  for (const ClosurePlace& c : system.closures())
    write_rates(work, c, state.v, closure::closing_row<double>, c.freedoms, c.closing, rate);
}

void compute_closure_jerk_bias(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                               VectorRef bias) {
  const System& system = work.system();
  door::check_state(system, state);
  door::check_velocity_like(system, a, "a");
  door::check_output(bias.size(), work.rows(), "bias");
  const sweeps::JointNumbers<double> at{state.q.data(), state.v.data(), a.data(),
                                        work.tree().scratch().zero.data()};
  bias.setZero();
  for (const ClosurePlace& c : system.closures()) {
    const RelativeMotion m = relative_motion(system, c, at);
    for (int i = 0; i < c.rows; ++i) {
      const auto row =
          closure::row_rates(closure::row_of<closure::Dual>, c, m.X, m.V, m.V, m.rate, i);
      bias[c.row + i] = dot(row.second, m.V) + 2 * dot(row.first, m.rate) + dot(row.W, m.second);
    }
  }
}

}  // namespace linkwright
