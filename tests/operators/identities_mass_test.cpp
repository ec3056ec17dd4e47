// Facts 4.1 and 4.2, theorem 4.1: the mass matrix, its factors and its inverse.
#include "operators/identities.hpp"

namespace linkwright::testing {
namespace {

class Factors : public Identities {};

TEST_P(Factors, the_mass_matrix_and_its_inverse) {
  NamedCase c = make(GetParam());
  const auto mass = H * phi * M * transpose(phi) * transpose(H);
  const auto factor = I + H * Phi * L;
  expect_same(c, mass, factor * D * transpose(factor));                       // (4.11)
  expect_same(c, inverse(factor) * factor, Identity<Space::joint_effort>{});  // (4.14)
  expect_same(c, inverse(mass) * mass, Identity<Space::joint_rate>{});        // (4.16)
  expect_near(c, c.mass, dense(mass, c.at), "the trunk's mass matrix");
}
/// With rotor inertias, D = H P Hᵀ + R, the mass matrix has R on top of the links', and (a.47) a
/// term for what the rotors keep.
TEST_P(Factors, with_rotors) {
  NamedCase c = make_with_rotors(GetParam());
  const auto mass = H * phi * M * transpose(phi) * transpose(H) + R;
  const auto factor = I + H * Phi * L;
  expect_same(c, mass, factor * D * transpose(factor));
  expect_same(c, inverse(mass) * mass, Identity<Space::joint_rate>{});
  expect_same(c, psi * (M + S * L * R * transpose(L) * transpose(S)) * transpose(psi),
              P + psi_tilde * P + P * transpose(psi_tilde));
  expect_near(c, c.mass, dense(mass, c.at), "the trunk's mass matrix");
}

INSTANTIATE_TEST_SUITE_P(Trees, Factors, all_systems());

}  // namespace
}  // namespace linkwright::testing
