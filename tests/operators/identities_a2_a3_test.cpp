// Appendices A.2 and A.3: φ from ψ and ψ from φ.
#include "operators/identities.hpp"

namespace linkwright::testing {
namespace {

class IdentitiesA2A3 : public Identities {};

TEST_P(IdentitiesA2A3, A2) {
  NamedCase c = make(GetParam());
  expect_same(c, phi, psi * (I + S * L * H * phi));  // (a.14)
  expect_same(c, psi, (I - Psi * L * H) * phi);      // (a.15)
  expect_same(c, Phi, Psi * (I + L * H * Phi));      // (a.16)
  expect_same(c, Psi, (I - Psi * L * H) * Phi);      // (a.17)
  expect_same(c, phi - psi, Psi * L * H * phi);      // (a.18)
  expect_same(c, phi - psi, psi * S * L * H * phi);  // (a.18)
}
TEST_P(IdentitiesA2A3, A3) {
  NamedCase c = make(GetParam());
  expect_same(c, phi, (I + Phi * L * H) * psi);          // (a.22)
  expect_same(c, psi, phi * (I - S * L * H * psi));      // (a.23)
  expect_same(c, Phi, (I + Phi * L * H) * Psi);          // (a.24)
  expect_same(c, Psi, Phi * (I - L * H * Psi));          // (a.25)
  expect_same(c, Phi * L * H * psi, Psi * L * H * phi);  // (a.26)
  expect_same(c, Phi * L * H * Psi, Psi * L * H * Phi);  // (a.27)
  expect_same(c, phi - psi, Phi * L * H * psi);          // (a.28)
  expect_same(c, phi - psi, phi * S * L * H * psi);      // (a.28)
}

TEST_P(IdentitiesA2A3, give_inverses) {
  NamedCase c = make(GetParam());
  const auto expect_inverse = [&c](auto x) {
    expect_same(c, x * inverse(x), Identity<decltype(x)::range>{});
    static_assert(std::is_same_v<decltype(inverse(inverse(x))), decltype(x)>);
  };
  expect_inverse(I + Phi * L * H);
  expect_inverse(I + S * L * H * phi);
  expect_inverse(I + L * H * Phi);
}

INSTANTIATE_TEST_SUITE_P(Trees, IdentitiesA2A3, all_systems());

}  // namespace
}  // namespace linkwright::testing
