#include "linkwright/simulate/wrapping_equations.hpp"

#include "linkwright/simulate/callbacks.hpp"

namespace linkwright {

WrappingEquations::WrappingEquations(std::unique_ptr<Equations> inside)
    : inside_(std::move(inside)) {
  if (!inside_) throw Error("there are no equations to wrap");
}

WrappingEquations::~WrappingEquations() = default;

std::vector<Event> WrappingEquations::events() { return inside_->events(); }

bool WrappingEquations::set_inner_memory(const std::vector<double>& memory, std::size_t own) {
  if (memory.size() < own) return false;
  const auto inner = static_cast<std::ptrdiff_t>(memory.size() - own);
  return inside_->set_memory({memory.begin(), memory.begin() + inner});
}

}  // namespace linkwright
