#pragma once
/// Libraries that know closed chains, each with a mechanism and states of its own.

#include <string>
#include <vector>

#include "closed/closed_models.hpp"

namespace bench {

/// The builds that are in the folder; a line says which are not.
std::vector<const ClosedPeer*> load_closed_peers(const std::string& folder);

/// One library's instance of one mechanism.
class ClosedEntry {
 public:
  ClosedEntry(const ClosedPeer& peer, const NeutralClosed& neutral,
              const std::vector<ClosedState>& states)
      : peer_(peer),
        self_(peer.create(neutral.bodies.data(), static_cast<int>(neutral.bodies.size()),
                          neutral.closures.data(), static_cast<int>(neutral.closures.size()))) {
    std::vector<double> q, v, tau;
    for (const ClosedState& s : states) {
      neutral.append_position(s.state.q, q);
      neutral.append_freedoms(s.state.v, v), neutral.append_freedoms(s.tau, tau);
    }
    peer.set_states(self_, static_cast<int>(states.size()), q.data(), v.data(), tau.data());
  }
  ~ClosedEntry() { peer_.destroy(self_); }
  ClosedEntry(const ClosedEntry&) = delete;
  ClosedEntry& operator=(const ClosedEntry&) = delete;

  [[nodiscard]] const ClosedPeer& peer() const { return peer_; }
  [[nodiscard]] int settings() const { return peer_.setting_count(self_); }
  [[nodiscard]] std::string algorithm(int setting) const { return peer_.algorithm(self_, setting); }
  [[nodiscard]] std::string setting(int setting) const { return peer_.setting(self_, setting); }
  void run(int setting) { peer_.run(self_, setting); }
  void result(int setting, int state, double* a) { peer_.result(self_, setting, state, a); }
  [[nodiscard]] bool has_derivatives(int setting) const {
    return peer_.has_derivatives(self_, setting) != 0;
  }
  void run_derivatives(int setting) { peer_.run_derivatives(self_, setting); }
  void derivatives(int setting, int state, double* out) {
    peer_.derivatives(self_, setting, state, out);
  }

 private:
  const ClosedPeer& peer_;
  void* self_;
};

}  // namespace bench
