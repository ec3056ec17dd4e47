#include "linkwright/dynamics/workspace.hpp"

#include "dynamics/coriolis_scratch.hpp"
#include "linkwright/dynamics/sweeps/derivatives/scratch.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright {

Workspace::Workspace(const System& system, Closures closures)
    : system_(&system),
      scratch_(std::make_unique<BundledScratch>(system.tree())),
      coriolis_(std::make_unique<CoriolisScratch>(system.tree().nodes.size(),
                                                  static_cast<std::size_t>(system.nv()))),
      derivatives_(std::make_unique<DerivativeScratch<double>>(system.tree())),
      spare_(std::make_unique<double[]>(static_cast<std::size_t>(system.nv()))),
      placed_(std::make_unique<double[]>(static_cast<std::size_t>(system.nq() + system.nv()))),
      body_forces_(std::make_unique<Force[]>(system.model().bodies.size())) {
  require_open(system, closures, "Workspace(system, Closures::leave_out)");
}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

std::span<Force> Workspace::body_forces() {
  return {body_forces_.get(), system_->model().bodies.size()};
}

std::span<double> Workspace::spare() {
  return {spare_.get(), static_cast<std::size_t>(system_->nv())};
}

std::span<double> Workspace::placed() {
  return {placed_.get(), static_cast<std::size_t>(system_->nq() + system_->nv())};
}
std::span<const double> Workspace::placed() const {
  return {placed_.get(), static_cast<std::size_t>(system_->nq() + system_->nv())};
}

}  // namespace linkwright
