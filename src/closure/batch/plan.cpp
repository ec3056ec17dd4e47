#include "closure/batch/plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "closure/omega/stand.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Metres or radians that a reference may be off its closures.
constexpr double most_gap = 1e-6;

void check_reference(ClosedWorkspace& work, const ConstVectorRef& q) {
  const System& system = work.system();
  door::check_position(system, q, "reference");
  const WorstClosure worst = compute_worst_closure(work, q);
  if (!(worst.gap() <= most_gap))
    throw Error(fmt::format(
        "the reference position of the batch is not closed: {}; expected at most {:.0e}. "
        "assemble (closure/assembly.hpp) closes it",
        describe(system, worst), most_gap));
  // Names the joint where the open tree has no inertia of its own.
  State rest(system);
  rest.q = q;
  VectorXd a(system.nv());
  compute_forward_dynamics(work, rest, VectorXd::Zero(system.nv()), {}, a, ClosedMethod::recursion);
  if (compute_mobility(work, q).singular)
    throw Error(
        "the reference position of the batch is singular: closed positions nearby have more "
        "independent rows, and the rank that is decided here would not hold there. Give a "
        "reference "
        "away from it");
}

}  // namespace

BatchPlan::BatchPlan(ClosedWorkspace& work, const ConstVectorRef& reference,
                     std::vector<int> motors)
    : system(work.system()), loops(work.loops()), pattern(system.tree(), loops, {}) {
  check_reference(work, reference);
  keep_rows(work, reference);
  lay_out();
  find_legs_kept();
  for (const ClosurePlace& c : system.closures()) {
    acts = acts || c.acts;
    rotates = rotates || c.rotors > 0;
    has_shafts = has_shafts || c.kind == PairKind::shaft;
  }
  inverse = plan_inverse(work, *this, reference, std::move(motors));
}

void BatchPlan::keep_rows(ClosedWorkspace& work, const ConstVectorRef& reference) {
  const DenseLoops& d = work.dense();
  compute_row_space(work, reference);
  rank = d.space.rank(), mobility = d.mobility;
  std::vector<int> place(at(work.rows()), -1);  // in the order of the pivots
  for (int k = 0; k < rank; ++k) place[at(d.space.column(k))] = k;
  MatrixXd J = d.J;
  MatrixXd M(system.nv(), system.nv()),
      L(static_cast<Index>(system.closing_names().size()), system.nv());
  compute_closing_jacobian(work, reference, L);
  compute_mass_matrix(work.tree(), reference, M);
  const Eigen::LLT<MatrixXd> mass(M);
  const auto give = [&](const Eigen::RowVectorXd& row) {
    return row.dot(mass.solve(row.transpose()));
  };
  for (const ClosurePlace& c : system.closures()) {
    std::vector<int> rows;
    for (int i = 0; i < c.rows; ++i)
      if (place[at(c.row + i)] >= 0) rows.push_back(i);
    std::sort(rows.begin(), rows.end(),
              [&](int i, int j) { return place[at(c.row + i)] < place[at(c.row + j)]; });
    for (int r = 0; r < c.rotors; ++r) rows.push_back(c.rows + r);
    KeptRows own;
    for (const int i : rows) {
      const int freedom = i < c.rows ? -1 : c.rotor_freedom[i - c.rows];
      own.row[own.count] = i;
      own.constant[own.count] = to_parent(c.at_b, freedom < 0 ? c.W[i] : c.dual[freedom]);
      own.compliance[own.count] = freedom < 0 ? 0 : 1 / c.freedom[freedom].rotor;
      own.diagonal[own.count] = give(freedom < 0 ? J.row(c.row + i) : L.row(c.closing + freedom)) +
                                own.compliance[own.count];
      ++own.count;
    }
    closures.push_back(own);
  }
}

void BatchPlan::lay_out() {
  u_at.resize(loops.u.size());
  for (std::size_t c = 0; c < closures.size(); ++c) {
    const Path& path = loops.paths[c];
    longest_path = std::max(longest_path, path.end - path.begin);
    for (int node = path.begin; node < path.end; ++node) {
      const PathNode& here = loops.path[at(node)];
      for (int i = 0; i < system.tree().nodes[at(here.node)].d; ++i, u_size += closures[c].count)
        u_at[at(here.first + i)] = u_size;
    }
  }
  block_at.resize(pattern.blocks.size());
  for (int p = 0; p < static_cast<int>(pattern.order.size()); ++p) {
    int columns = 0;
    for (int b = pattern.block_begin[at(p)]; b < pattern.block_begin[at(p) + 1]; ++b) {
      block_at[at(b)] = columns;
      columns += at_position(pattern.blocks[at(b)].column).count;
    }
    omega_at.push_back(omega_size);
    width.push_back(columns);
    omega_size += columns * at_position(p).count;
    lambda_at.push_back(lambda_size);
    lambda_size += at_position(p).count;
  }
}

void BatchPlan::find_legs_kept() {
  const LegsOfHub found = find_legs(system, loops);
  on.plan = found.plan;
  for (const LegChain& chain : found.chains) {
    const KeptRows& own = closures[chain.closure];
    // What the others make redundant at the reference would be missed by the leg.
    if (own.count != loops.carried[chain.closure].count) {
      on.legs.clear();
      return;
    }
    auto& leg = on.legs.emplace_back(to_leg<double>(
        system, chain, std::vector<int>(own.row, own.row + own.count), loops.length2));
    std::copy(own.constant, own.constant + own.count, leg.W_b);
  }
}

}  // namespace linkwright::closure
