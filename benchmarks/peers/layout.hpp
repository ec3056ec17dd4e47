#pragma once
/// Where each body's numbers stand in the common order; shared by the shims and the driver.

#include <vector>

#include "peer.h"

namespace peers {

inline int freedoms_of(int joint) {
  switch (joint) {
    case PEER_FIXED:
      return 0;
    case PEER_FREE:
      return 6;
    case PEER_UNIVERSAL:
      return 2;
    default:
      return 1;
  }
}
inline int positions_of(int joint) { return joint == PEER_FREE ? 7 : freedoms_of(joint); }

struct Layout {
  int nq = 0, nv = 0;
  std::vector<int> q_at, v_at;  // per body

  Layout() = default;
  Layout(const PeerBody* bodies, int count) {
    for (int k = 0; k < count; ++k) {
      q_at.push_back(nq);
      v_at.push_back(nv);
      nq += positions_of(bodies[k].joint);
      nv += freedoms_of(bodies[k].joint);
    }
  }
};

inline bool has_joint(const PeerBody* bodies, int count, int joint) {
  for (int k = 0; k < count; ++k)
    if (bodies[k].joint == joint) return true;
  return false;
}

/// Every body directly followed by its whole subtree: the order some libraries demand.
inline std::vector<int> depth_first(const PeerBody* bodies, int count) {
  std::vector<std::vector<int>> children(static_cast<std::size_t>(count) + 1);
  for (int k = count - 1; k >= 0; --k) {
    children[static_cast<std::size_t>(bodies[k].parent + 1)].push_back(k);
  }
  std::vector<int> order, waiting = children[0];
  while (!waiting.empty()) {
    const int k = waiting.back();
    waiting.pop_back();
    order.push_back(k);
    const auto& next = children[static_cast<std::size_t>(k) + 1];
    waiting.insert(waiting.end(), next.begin(), next.end());
  }
  return order;
}

}  // namespace peers
