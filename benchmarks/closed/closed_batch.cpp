#include "closed/closed_batch.hpp"

namespace bench {

ClosedLoad::ClosedLoad(const linkwright::System& system, const std::vector<ClosedState>& states)
    : batch_(system, states.front().state.q),
      q_(count, system.nq()),
      v_(count, system.nv()),
      tau_(count, system.nv()),
      a_(count, system.nv()) {
  for (int i = 0; i < count; ++i) {
    const ClosedState& s = states[static_cast<std::size_t>(i) % states.size()];
    q_.row(i) = s.state.q, v_.row(i) = s.state.v, tau_.row(i) = s.tau;
  }
}

void ClosedLoad::run() { batch_.compute_forward_dynamics(q_, v_, tau_, {}, a_); }

}  // namespace bench
