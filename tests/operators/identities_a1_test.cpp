// Appendix A.1: the letters and what they are made of.
#include "operators/identities.hpp"

namespace linkwright::testing {
namespace {

class IdentitiesA1 : public Identities {};

TEST_P(IdentitiesA1, A1) {
  NamedCase c = make(GetParam());
  expect_same(c, Phi, phi * S);                                       // (a.6)
  expect_same(c, Psi, psi * S);                                       // (a.7), (5.3)
  expect_same(c, Psi * Delta_psi, psi_tilde);                         // (a.8)
  expect_same(c, Phi * Delta_phi, phi_tilde);                         // (a.9)
  expect_same(c, inverse(psi) * psi, Identity<Space::link_force>{});  // (a.10)
  expect_same(c, inverse(phi) * phi, Identity<Space::link_force>{});  // (a.11)
  expect_same(c, L, Delta_phi * G);                                   // (a.12)
  expect_same(c, phi_tilde * G, Phi * L);                             // (a.13)
  expect_same(c, psi_tilde, psi - I);                                 // (5.11)
  expect_same(c, phi_tilde, phi - I);                                 // (a.3)
  expect_same(c, Delta_psi, Delta_phi * (I - G * H));                 // (4.7)
  expect_same(c, D, H * P * transpose(H) + R);                        // (a.1)
  expect_same(c, G, P * transpose(H) * inverse(D));                   // (a.2)
}

INSTANTIATE_TEST_SUITE_P(Trees, IdentitiesA1, all_systems());

}  // namespace
}  // namespace linkwright::testing
