// Appendices A.5 to A.7: M between φ and ψ.
#include "operators/identities.hpp"

namespace linkwright::testing {
namespace {

class IdentitiesA5ToA7 : public Identities {};

TEST_P(IdentitiesA5ToA7, A5_to_A7) {
  NamedCase c = make(GetParam());
  // r(p) = Σ ψ(p, c) r(c) φᵀ(p, c) + M(p): P obeys it, so that (a.45) is (a.46).
  expect_same(c, P, M + S * Delta_psi * P * transpose(Delta_phi) * transpose(S));  // (a.44)
  expect_same(c, psi * M * transpose(phi),
              P + psi_tilde * P + P * transpose(phi_tilde));  // (a.45), (a.46)
  expect_same(c, psi * M * transpose(psi), P + psi_tilde * P + P * transpose(psi_tilde));  // (a.47)
  expect_same(c, phi * M * transpose(phi),                                                 // (a.48)
              P + phi_tilde * P + P * transpose(phi_tilde) +
                  phi_tilde * P * transpose(H) * inverse(D) * H * P * transpose(phi_tilde));
  expect_same(c, P,
              M + S * Delta_phi * (I - G * H) * P * transpose(Delta_phi) * transpose(S));  // (a.49)
  expect_same(c,                                                                           // (a.51)
              transpose(I - H * Psi * L) * inverse(D) * H * (P + P * transpose(phi_tilde)),
              transpose(L) * transpose(Psi) * transpose(I - G * H) + transpose(G));
  expect_same(c, transpose(I - H * Psi * L) * inverse(D) * H * psi * M * transpose(phi),  // (a.50)
              transpose(I - H * Psi * L) * inverse(D) * H * psi_tilde * P +
                  transpose(L) * transpose(Psi) * transpose(I - G * H) + transpose(G));
}

INSTANTIATE_TEST_SUITE_P(Trees, IdentitiesA5ToA7, all_systems());

}  // namespace
}  // namespace linkwright::testing
