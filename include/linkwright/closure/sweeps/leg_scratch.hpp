#pragma once
/// What closure/sweeps/legs.hpp reads and writes: a body on the world, the hub, and the legs that closures tie
/// it to the world by.

#include <array>
#include <vector>

#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::closure {

struct LegNode {
  int node;
  NodeKind kind;
  int first;  // its freedoms start here among those of the leg
};
/// One leg of many states, or equal legs side by side: W is their numbers' type.
template <class W>
struct Leg {
  std::vector<LegNode> nodes;  // tip first
  int freedoms = 0;            // of all of them
  int tip = 0;                 // the node with the closure's frame
  /// It hangs on the hub and its closure is with the world; else it stands on the world and its closure
  /// is with the hub.
  bool on_hub = false;
  bool tip_is_b = false;
  int rows = 0;
  spatial::Force<W> W_b[6]{};  // on node b
  double measure[6]{};         // what makes Ω's diagonal entries comparable
};
struct LegPlan {
  int hub = 0;
  NodeKind hub_kind = NodeKind::free;
  int freedoms = 0;  // of the hub
};

/// The rows of one leg on their way to the hub.
template <class T>
struct LegForces {
  spatial::Force<T> on_leg[6], on_other[6];
  T right[6];  // what J v̇ + J̇ v would be without λ, the hub's part aside
};
/// What stays with the leg for the way back.
template <class T>
struct LegRows {
  LegRows(int rows, int freedoms)
      : u(static_cast<std::size_t>(rows * freedoms)),
        weighted(static_cast<std::size_t>(rows * freedoms)) {}

  T counts = T(1.0);        // 0 in lanes without a leg
  std::vector<T> u;         // per freedom, all rows
  std::vector<T> weighted;  // D⁻¹ u
  T L[6][6], inverse[6];    // Ω′ = L Δ Lᵀ, 1/Δ
  T Y[6][6];                // L⁻¹ U
  T z[6];                   // L⁻¹ of the right-hand side, then λ
};
/// What all legs together do to the hub.
template <class T>
struct HubSum {
  HubSum() {
    for (int i = 0; i < 6; ++i) {
      t[i] = T(0.0);
      for (int j = 0; j <= i; ++j) S[i][j] = T(0.0);
    }
  }
  T S[6][6], t[6];
};

/// For a single state: the legs of one bundle.
struct BundledLegs {
  std::size_t bundle;
  Leg<Bundle::Number> leg;
  Bundle::Lanes closures;  // lanes without a leg repeat the last one
};
struct Stand {
  LegPlan plan;
  std::vector<BundledLegs> legs;
  std::vector<LegRows<Bundle::Number>> rows;  // of each
  LegForces<Bundle::Number> forces;           // of the one at hand
};

}  // namespace linkwright::closure
