#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/batch/plan.hpp"
#include "closure/rank/dense_loops.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string names_of(const System& system, const std::vector<int>& motors) {
  const std::vector<std::string> names = system.effort_names();
  std::string text;
  for (const int i : motors) text += (text.empty() ? "" : ", ") + names[at(i)];
  return text.empty() ? "none" : text;
}

/// A place in A that structure does not keep zero, and where its number comes from.
struct Place {
  int equation, unknown, source;
};

/// Jᵀ of the unknown rows over the freedoms without a motor.
struct Equations {
  std::vector<int> freedom;  // entries of v
  std::vector<Place> places;
  MatrixXd scaled;  // at the reference
  MatrixXd plain;
};

/// Nodes that move one frame of a closure and not the other; of a gear or shaft those it couples.
void find_movers(const System& system, const LoopScratch& loops, std::vector<bool>& moves) {
  moves.assign(loops.path.size(), false);
  for (std::size_t c = 0; c < loops.paths.size(); ++c) {
    const Path& path = loops.paths[c];
    if (is_among_joints(system.closures()[c].kind)) {
      for (int i = path.terms; i < path.term_end; ++i) moves[at(loops.terms[at(i)].at)] = true;
      continue;
    }
    for (const int tip : {path.at_a, path.at_b})
      for (int node = tip; node >= 0; node = loops.path[at(node)].up)
        moves[at(node)] = !moves[at(node)];
  }
}

/// The unknowns of every closure, and where the rows over its freedoms stand in j.
void list_unknowns(const BatchPlan& plan, InversePlan& inverse) {
  const System& system = plan.system;
  int unknown = 0;
  for (std::size_t c = 0; c < plan.closures.size(); ++c) {
    const ClosurePlace& place = system.closures()[c];
    UnknownRows own;
    const auto add = [&](int row) {
      own.row[own.count] = row;
      own.unknown[own.count++] = unknown++;
    };
    for (int i = 0; i < plan.closures[c].count; ++i)
      if (plan.closures[c].row[i] < place.rows) add(plan.closures[c].row[i]);
    for (const int motor : inverse.motors) {
      if (motor < system.nv()) continue;
      const ClosingMotor& on = system.closing_motors()[at(motor - system.nv())];
      if (at(on.closure) != c) continue;
      inverse.joint_motors.push_back({motor, unknown});
      add(place.rows + on.freedom);
    }
    inverse.closures.push_back(own);
  }
  inverse.j_at.resize(plan.loops.u.size());
  for (std::size_t c = 0; c < plan.closures.size(); ++c)
    for (int node = plan.loops.paths[c].begin; node < plan.loops.paths[c].end; ++node) {
      const PathNode& here = plan.loops.path[at(node)];
      for (int i = 0; i < system.tree().nodes[at(here.node)].d; ++i) {
        inverse.j_at[at(here.first + i)] = inverse.j_size;
        inverse.j_size += inverse.closures[c].count;
      }
    }
}

/// Calls f(entry of v, unknown, source in j, row of J or, from J.rows() on, of L).
template <class F>
void each_source(const BatchPlan& plan, const InversePlan& inverse, int rows, F&& f) {
  for (std::size_t c = 0; c < plan.closures.size(); ++c) {
    const ClosurePlace& place = plan.system.closures()[c];
    const UnknownRows& own = inverse.closures[c];
    for (int node = plan.loops.paths[c].begin; node < plan.loops.paths[c].end; ++node) {
      if (!inverse.moves[at(node)]) continue;
      const PathNode& here = plan.loops.path[at(node)];
      const Node<double>& n = plan.system.tree().nodes[at(here.node)];
      for (int i = 0; i < n.d; ++i)
        for (int r = 0; r < own.count; ++r) {
          const int row = own.row[r] < place.rows ? place.row + own.row[r]
                                                  : rows + place.closing + own.row[r] - place.rows;
          f(n.v + i, own.unknown[r], inverse.j_at[at(here.first + i)] + r, row);
        }
    }
  }
}

Equations set_up(ClosedWorkspace& work, const BatchPlan& plan, const ConstVectorRef& q,
                 InversePlan& inverse) {
  const System& system = plan.system;
  const DenseLoops& d = work.dense();
  MatrixXd J(work.rows(), system.nv()),
      L(static_cast<Index>(system.closing_names().size()), system.nv());
  compute_closure_jacobian(work, q, J);
  compute_closing_jacobian(work, q, L);
  Equations out;
  std::vector<int> equation(at(system.nv()), -1);
  for (int v = 0; v < system.nv(); ++v)
    if (!std::binary_search(inverse.motors.begin(), inverse.motors.end(), v)) {
      equation[at(v)] = static_cast<int>(out.freedom.size());
      out.freedom.push_back(v);
    }
  const auto size = static_cast<Index>(out.freedom.size());
  out.plain = out.scaled = MatrixXd::Zero(size, size);
  std::vector<std::vector<MotorShare>> shares(at(system.nv()));
  each_source(plan, inverse, work.rows(), [&](int v, int unknown, int source, int row) {
    if (equation[at(v)] < 0) {
      shares[at(v)].push_back({source, unknown});
      return;
    }
    const int e = equation[at(v)];
    const bool own = row < work.rows();
    const double number = own ? J(row, v) : L(row - work.rows(), v);
    out.places.push_back({e, unknown, source});
    out.plain(e, unknown) = number;
    out.scaled(e, unknown) = number * d.column_scale[v] * (own ? d.row_scale[row] : 1);
  });
  for (const int motor : inverse.motors) {
    if (motor >= system.nv()) continue;
    const int first = static_cast<int>(inverse.shares.size());
    inverse.shares.insert(inverse.shares.end(), shares[at(motor)].begin(), shares[at(motor)].end());
    inverse.tree_motors.push_back({motor, first, static_cast<int>(inverse.shares.size())});
  }
  return out;
}

/// Which equation is solved for which unknown, in order: pivots at least a tenth of what their column has
/// left, and among these the one that makes least fill.
struct Order {
  std::vector<int> equation, unknown;
};

class OrderSearch {
 public:
  explicit OrderSearch(const Equations& from)
      : A_(from.scaled),
        used_(Eigen::ArrayXX<bool>::Constant(A_.rows(), A_.cols(), false)),
        rows_(at(static_cast<int>(A_.rows())), true),
        columns_(rows_) {
    for (const Place& p : from.places) used_(p.equation, p.unknown) = true;
  }

  Order find() {
    Order order;
    const double most = A_.size() == 0 ? 1 : A_.cwiseAbs().maxCoeff();
    for (Index step = 0; step < A_.rows(); ++step) {
      const auto [i, k] = best();
      if (i < 0 || !(std::abs(A_(i, k)) > rank_threshold * most)) return order;
      order.equation.push_back(static_cast<int>(i)), order.unknown.push_back(static_cast<int>(k));
      eliminate(i, k);
    }
    return order;
  }

 private:
  struct Choice {
    Index i, k;
  };
  [[nodiscard]] Choice best() const {
    const Index n = A_.rows();
    VectorXd most = VectorXd::Zero(n), in_row = VectorXd::Zero(n), in_column = VectorXd::Zero(n);
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < n; ++k) {
        if (!rows_[at(static_cast<int>(i))] || !columns_[at(static_cast<int>(k))] || !used_(i, k))
          continue;
        most[k] = std::max(most[k], std::abs(A_(i, k)));
        ++in_row[i], ++in_column[k];
      }
    Choice found{-1, -1};
    double least = HUGE_VAL;
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < n; ++k) {
        if (!rows_[at(static_cast<int>(i))] || !columns_[at(static_cast<int>(k))] || !used_(i, k))
          continue;
        const double size = std::abs(A_(i, k));
        if (size < 0.1 * most[k] || size == 0) continue;
        const double cost = (in_row[i] - 1) * (in_column[k] - 1);
        if (cost > least || (cost == least && size <= std::abs(A_(found.i, found.k)))) continue;
        least = cost, found = {i, k};
      }
    return found;
  }
  void eliminate(Index i, Index k) {
    rows_[at(static_cast<int>(i))] = columns_[at(static_cast<int>(k))] = false;
    for (Index r = 0; r < A_.rows(); ++r) {
      if (!rows_[at(static_cast<int>(r))] || !used_(r, k)) continue;
      const double l = A_(r, k) / A_(i, k);
      for (Index c = 0; c < A_.cols(); ++c)
        if (columns_[at(static_cast<int>(c))] && used_(i, c))
          A_(r, c) -= l * A_(i, c), used_(r, c) = true;
    }
  }

  MatrixXd A_;
  Eigen::ArrayXX<bool> used_;
  std::vector<bool> rows_, columns_;
};

/// Lists every operation of L U in that order.
void list_operations(const Equations& from, const Order& order, FixedElimination& out) {
  const int n = static_cast<int>(order.equation.size());
  out.size = n;
  std::vector<int> row(at(n));
  out.column.resize(at(n)), out.freedom.resize(at(n));
  for (int k = 0; k < n; ++k) {
    row[at(order.equation[at(k)])] = k, out.column[at(order.unknown[at(k)])] = k;
    out.freedom[at(k)] = from.freedom[at(order.equation[at(k)])];
  }
  Eigen::ArrayXXi place = Eigen::ArrayXXi::Constant(n, n, -1);
  MatrixXd A = MatrixXd::Zero(n, n);
  for (const Place& p : from.places) {
    const int i = row[at(p.equation)], k = out.column[at(p.unknown)];
    place(i, k) = out.places++;
    A(i, k) = from.plain(p.equation, p.unknown);
    out.entries.push_back({place(i, k), p.source});
  }
  for (int k = 0; k < n; ++k) {
    FixedElimination::Pivot pivot{
        place(k, k), rank_threshold * std::abs(A(k, k)),  static_cast<int>(out.lowers.size()),
        0,           static_cast<int>(out.uppers.size()), 0};
    for (int j = k + 1; j < n; ++j)
      if (place(k, j) >= 0) out.uppers.push_back({j, place(k, j)});
    pivot.upper_end = static_cast<int>(out.uppers.size());
    for (int i = k + 1; i < n; ++i) {
      if (place(i, k) < 0) continue;
      out.lowers.push_back({i, place(i, k), static_cast<int>(out.targets.size())});
      const double l = A(i, k) / A(k, k);
      for (int u = pivot.upper; u < pivot.upper_end; ++u) {
        const int j = out.uppers[at(u)].column;
        if (place(i, j) < 0) place(i, j) = out.places++;
        A(i, j) -= l * A(k, j);
        out.targets.push_back(place(i, j));
      }
    }
    pivot.end = static_cast<int>(out.lowers.size());
    out.pivots.push_back(pivot);
  }
}

void check_motors(const System& system, const std::vector<int>& motors) {
  for (std::size_t i = 0; i < motors.size(); ++i)
    if (motors[i] < 0 || motors[i] >= system.effort_count() ||
        (i > 0 && motors[i] <= motors[i - 1]))
      throw Error(fmt::format("motor entry {}: expected entries 0 … {}, ascending", motors[i],
                              system.effort_count() - 1));
}

}  // namespace

InversePlan plan_inverse(ClosedWorkspace& work, const BatchPlan& plan, const ConstVectorRef& q,
                         std::vector<int> motors) {
  const System& system = plan.system;
  InversePlan inverse;
  inverse.motors = motors.empty() ? all_motors(system).entries : std::move(motors);
  check_motors(system, inverse.motors);
  const int count = static_cast<int>(inverse.motors.size());
  if (count != plan.mobility) {
    inverse.refusal = fmt::format(
        "inverse dynamics of a batch takes exactly as many motors as the mechanism has freedoms at "
        "the reference: {} motor{} ({}) for {}. Name others in ClosedBatchOptions::motors; for one "
        "state at a time compute_inverse_dynamics (closure/dynamics.hpp) shares the load",
        count, count == 1 ? "" : "s", names_of(system, inverse.motors), plan.mobility);
    return inverse;
  }
  find_movers(system, plan.loops, inverse.moves);
  list_unknowns(plan, inverse);
  const Equations equations = set_up(work, plan, q, inverse);
  const Order order = OrderSearch(equations).find();
  if (order.equation.size() < equations.freedom.size()) {
    inverse.refusal = fmt::format(
        "the motors {} do not drive all {} freedoms that the mechanism has at the reference",
        names_of(system, inverse.motors), plan.mobility);
    return inverse;
  }
  list_operations(equations, order, inverse.elimination);
  return inverse;
}

}  // namespace linkwright::closure
