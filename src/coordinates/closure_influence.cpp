// Influence coefficients of the rows of closures and of the joints that close loops.
#include "closure/rank/dense_loops.hpp"
#include "closure/rows.hpp"
#include "coordinates/elimination.hpp"
#include "coordinates/parameters.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/loop_path.hpp"
#include "linkwright/closure/row_rates.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

using closure::Dual;
using Eigen::Index;
using Freedom = closure::LoopFreedom<double>;

/// [H] and [D] of rows W · V of one closure over the freedoms of its loop, V_j = ± ξ_j:
///   ∂_k (W · V_j)     = ∂_k W · V_j + W · ∂_k V_j
///   ∂_l ∂_k (W · V_j) = ∂_l ∂_k W · V_j + ∂_k W · ∂_l V_j + ∂_l W · ∂_k V_j + W · ∂_l ∂_k V_j
/// Rows over joint rates (gears) are constant: they have no frames, and nothing is on their loop.
/// O(loop²), third order O(loop³).
template <class RowOf>
class LoopRows {
 public:
  LoopRows(const ClosedWorkspace& work, const ClosurePlace& c, const RowOf& row_of)
      : c_(&c), row_of_(&row_of) {
    const auto& s = work.tree().scratch();
    const Pose &a = s.pose[at(c.node_a)], &b = s.pose[at(c.node_b)];
    X_ = closure::relative_pose(c, a, b);
    path_ = closure::loop_path(work.system().tree(), s, c.node_a, c.node_b, b * c.at_b);
  }

  void write(int count, int first, Influence& out) const {
    for (int i = 0; i < count; ++i)
      for (const Freedom& k : path_) {
        const closure::RowRates along = rates(k, k, i);
        for (const Freedom& j : path_)
          out.H.plane(first + i)(j.v, k.v) =
              dot(along.first, motion(j)) + dot(along.W, motion_rate(j, k));
      }
    if (out.order() == Order::second) return;
    for (int i = 0; i < count; ++i)
      for (const Freedom& k : path_)
        for (const Freedom& l : path_) {
          const closure::RowRates along = rates(k, l, i);
          auto D = out.D.slice(first + i, l.v);
          for (const Freedom& j : path_)
            D(j.v, k.v) = dot(along.second, motion(j)) + dot(along.first, motion_rate(j, l)) +
                          dot(along.other, motion_rate(j, k)) +
                          j.side * dot(along.W, twist_second_rate(l, k, j));
        }
  }

 private:
  static Motion motion(const Freedom& j) { return j.side * j.twist; }
  static Motion motion_rate(const Freedom& j, const Freedom& k) {
    return j.side * twist_rate(k, j);
  }
  [[nodiscard]] closure::RowRates rates(const Freedom& k, const Freedom& l, int i) const {
    return closure::row_rates(*row_of_, *c_, X_, motion(l), motion(k), motion_rate(k, l), i);
  }

  const ClosurePlace* c_;
  const RowOf* row_of_;
  Pose X_;
  closure::LoopPath<double> path_;
};

Influence room_for(const System& system, Parameters of, Order order) {
  const auto rows = static_cast<Index>(of.size()), n = static_cast<Index>(system.nv());
  Influence out{std::move(of), joint_parameters(system), Matrix(rows, n), Array(rows, n), {}};
  if (order == Order::third) out.D = Array4(rows, n);
  return out;
}

}  // namespace

Influence compute_closure_influence(ClosedWorkspace& work, const ConstVectorRef& q, Order order) {
  const System& system = work.system();
  Parameters rows;
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.rows; ++i)
      rows.push_back({c.name + ":" + std::to_string(i), 1 / work.dense().row_scale[c.row + i]});
  Influence out = room_for(system, std::move(rows), order);
  closure::place_columns(work, q);
  auto G = out.G.view();
  const auto row_of = closure::row_of<Dual>;
  for (const ClosurePlace& c : system.closures()) {
    closure::write_closure_rows(work, c, {}, G, c.row);
    LoopRows(work, c, row_of).write(c.rows, c.row, out);
  }
  return out;
}

Influence compute_closing_influence(ClosedWorkspace& work, const ConstVectorRef& q, Order order) {
  const System& system = work.system();
  Parameters joints;
  for (const std::string& name : system.closing_names()) joints.push_back({name, 1});
  Influence out = room_for(system, std::move(joints), order);
  closure::place_columns(work, q);
  auto G = out.G.view();
  const auto row_of = closure::closing_row<Dual>;
  for (const ClosurePlace& c : system.closures()) {
    closure::write_closing_rows(work, c, {}, G, c.closing);
    LoopRows(work, c, row_of).write(c.freedoms, c.closing, out);
  }
  return out;
}

Influence compute_joint_influence(ClosedWorkspace& work, const ConstVectorRef& q,
                                  const std::vector<std::string>& independent, Order order) {
  const Independent chosen =
      independent.empty() ? choose_independent(work, q) : require_independent(work, q, independent);
  std::vector<Index> others;
  auto next = chosen.entries.begin();
  for (int i = 0; i < work.system().nv(); ++i) {
    if (next != chosen.entries.end() && *next == i)
      ++next;
    else
      others.push_back(i);
  }
  return eliminate(compute_closure_influence(work, q, order), others).initial;
}

}  // namespace linkwright::coordinates
