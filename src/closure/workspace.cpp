#include "linkwright/closure/workspace.hpp"

#include "closure/rank/dense_loops.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"

namespace linkwright {

ClosedWorkspace::ClosedWorkspace(const System& system)
    : tree_(system, Closures::leave_out),
      loops_(std::make_unique<closure::LoopScratch>(system)),
      dense_(std::make_unique<closure::DenseLoops>(system)) {
  for (const ClosurePlace& place : system.closures()) rows_ += place.rows;
}
ClosedWorkspace::~ClosedWorkspace() = default;
ClosedWorkspace::ClosedWorkspace(ClosedWorkspace&&) noexcept = default;
ClosedWorkspace& ClosedWorkspace::operator=(ClosedWorkspace&&) noexcept = default;

std::span<double> ClosedWorkspace::closing_efforts() { return loops_->added; }

}  // namespace linkwright
