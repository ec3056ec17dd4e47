#include "closure/forces.hpp"

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::DenseLoops, closure::LoopScratch;

/// λ of the recursion. Where rows were dropped, the shortest that does the same to the joints.
void gather_lambda(ClosedWorkspace& work) {
  DenseLoops& d = work.dense();
  LoopScratch& loops = work.loops();
  closure::read_lambda(work, d.lambda);
  for (std::size_t c = 0; c < work.system().closures().size(); ++c) {
    const ClosurePlace& place = work.system().closures()[c];
    for (int r = 0; r < place.rotors; ++r)
      loops.effort[at(place.closing + place.rotor_freedom[r])] +=
          loops.lambda[c].x[loops.carried[c].count + r];
  }
  if (d.report.dropped > 0) {
    closure::compute_row_space(work, d.q);
    d.particular.noalias() = d.J.transpose().lazyProduct(d.lambda);
    closure::solve_forces(d, d.particular, d.lambda);
    d.placements = work.tree().scratch().stamp.placements();
  }
  d.has_lambda = true;
}

}  // namespace

void closure::read_lambda(const ClosedWorkspace& work, VectorRef lambda) {
  if (work.dense().has_lambda) {
    lambda = work.dense().lambda;
    return;
  }
  const LoopScratch& loops = work.loops();
  lambda.setZero();
  for (std::size_t c = 0; c < work.system().closures().size(); ++c)
    for (int i = 0; i < loops.carried[c].count; ++i)
      lambda[work.system().closures()[c].row + loops.carried[c].row[i]] = loops.lambda[c].x[i];
}

void closure::find_forces(ClosedWorkspace& work, std::string_view reader) {
  const DenseLoops& d = work.dense();
  if (d.placements == 0 || d.placements != work.tree().scratch().stamp.placements())
    throw Error(
        fmt::format("{} reads what compute_forward_dynamics found, and nothing is there: call "
                    "compute_forward_dynamics on this workspace first, and nothing else in between",
                    reader));
  if (!d.has_lambda) gather_lambda(work);
}

Force closure::force_of(const ClosedWorkspace& work, const ClosurePlace& place) {
  const DenseLoops& d = work.dense();
  const auto& s = work.tree().scratch();
  Force sum{};
  if (place.kind == PairKind::gear) {
    sum.moment.z = d.lambda[place.row];
  } else if (place.kind == PairKind::shaft) {
    sum.moment.z = work.loops().effort[at(place.closing)];
  } else {
    Meeting<double> m;
    m.X = relative_pose(place, s.pose[at(place.node_a)], s.pose[at(place.node_b)]);
    for (int i = 0; i < place.rows; ++i) sum += d.lambda[place.row + i] * row_of(place, m, i).W;
    for (int i = 0; i < place.freedoms; ++i)
      sum += work.loops().effort[at(place.closing + i)] * closing_row(place, m, i).W;
  }
  return sum;
}

void closure_forces(ClosedWorkspace& work, std::span<Force> forces) {
  const System& system = work.system();
  if (forces.size() != system.closures().size())
    throw Error(fmt::format("closure_forces has room for {} forces; expected {}, one per closure",
                            forces.size(), system.closures().size()));
  closure::find_forces(work, "closure_forces");
  for (std::size_t c = 0; c < forces.size(); ++c)
    forces[c] = closure::force_of(work, system.closures()[c]);
}

}  // namespace linkwright
