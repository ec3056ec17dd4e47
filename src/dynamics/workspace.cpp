#include "linkwright/dynamics/workspace.hpp"

#include "dynamics/coriolis_scratch.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright {

Workspace::Workspace(const System& system)
    : system_(&system),
      scratch_(std::make_unique<Scratch<double>>(system.tree())),
      coriolis_(std::make_unique<CoriolisScratch>(system.tree().nodes.size(),
                                                  static_cast<std::size_t>(system.nv()))),
      spare_(std::make_unique<double[]>(static_cast<std::size_t>(system.nv()))) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

std::span<double> Workspace::spare() {
  return {spare_.get(), static_cast<std::size_t>(system_->nv())};
}

}  // namespace linkwright
