#pragma once
/// The chain rule to third order.

#include "linkwright/coordinates/influence.hpp"

namespace linkwright::coordinates {

/// What [D^u_qqq] has besides [G^u_φ] • [D^φ_qqq]: with g, h of φ by q and G, H, D of u by φ, at (a, b, c)
///   Σ D(j, k, l) g_ja g_kb g_lc + Σ H(j, k) (h_j,ac g_kb + g_ja h_k,bc + h_j,ab g_kc).
/// O(planes · n⁴).
Array4 chain_terms(const Influence& u_by_phi, const ConstMatrixRef& g, const Array& h);

}  // namespace linkwright::coordinates
