// Appendix A.4 and identity 5.1: φ and ψ between H and L.
#include "operators/identities.hpp"

namespace linkwright::testing {
namespace {

class IdentitiesA4 : public Identities {};

TEST_P(IdentitiesA4, A4_and_5_1) {
  NamedCase c = make(GetParam());
  expect_same(c, H * phi, (I + H * Phi * L) * H * psi);          // (a.32)
  expect_same(c, H * Phi, (I + H * Phi * L) * H * Psi);          // (a.33)
  expect_same(c, H * Psi, H * Phi * (I - L * H * Psi));          // (a.34)
  expect_same(c, H * psi, (I - H * Psi * L) * H * phi);          // (a.35), (5.4)
  expect_same(c, H * Psi, (I - H * Psi * L) * H * Phi);          // (a.36)
  expect_same(c, H * Phi, H * Psi * (I + L * H * Phi));          // (a.37)
  expect_same(c, H * Phi * L * H * Psi, H * Psi * L * H * Phi);  // (a.38)
  expect_same(c, Phi * L, Psi * L * (I + H * Phi * L));          // (a.39)
  expect_same(c, Psi * L, (I - Psi * L * H) * Phi * L);          // (a.40)
  expect_same(c, Psi * L, Phi * L * (I - H * Psi * L));          // (a.41)
  expect_same(c, Phi * L, (I + Phi * L * H) * Psi * L);          // (a.42)
  expect_same(c, Psi * L * H * Phi * L, Phi * L * H * Psi * L);  // (a.43)
}

INSTANTIATE_TEST_SUITE_P(Trees, IdentitiesA4, all_systems());

}  // namespace
}  // namespace linkwright::testing
