#pragma once
/// The libraries that take part, each behind the plain interface of peers/peer.h.

#include <memory>
#include <string>
#include <vector>

#include "peers/peer.h"

namespace bench {

/// A peer loaded from a shared object; it stays loaded until the program ends.
struct Contestant {
  std::string label;
  const Peer* peer;
  bool is_baseline;  // a build of Pinocchio: the fastest of them is P
};

/// Loads what is in `folder`; says which peers are missing.
std::vector<Contestant> load_contestants(const std::string& folder);

/// One contestant's instance of one model.
class Entry {
 public:
  /// Empty when the library cannot represent the model; `why` then says why.
  static std::unique_ptr<Entry> make(const Contestant& who, const std::vector<PeerBody>& bodies,
                                     std::string& why);
  ~Entry() { who_.peer->destroy(self_); }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  [[nodiscard]] const Contestant& who() const { return who_; }
  [[nodiscard]] const char* why_not(int quantity) const {
    return who_.peer->why_not(self_, quantity);
  }
  void set_states(int count, const double* q, const double* v, const double* a, const double* tau) {
    who_.peer->set_states(self_, count, q, v, a, tau);
  }
  void run(int quantity) { who_.peer->run(self_, quantity); }
  void result(int quantity, int state, double* out) {
    who_.peer->result(self_, quantity, state, out);
  }

 private:
  Entry(const Contestant& who, void* self) : who_(who), self_(self) {}
  const Contestant& who_;
  void* self_;
};

}  // namespace bench
