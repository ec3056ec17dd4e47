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
  RandomModel random(GetParam());
  Model model = random.tree(4, static_cast<Base>(GetParam() % 3), all_joint_types());
  for (Joint& joint : model.joints)
    if (velocity_count(joint) > 0) joint.rotor_inertia = {random.between(0.1, 1)};
  NamedCase c("rotors, seed " + std::to_string(GetParam()), model, GetParam());
  const auto mass = H * phi * M * transpose(phi) * transpose(H) + R;
  const auto factor = I + H * Phi * L;
  expect_same(c, mass, factor * D * transpose(factor));
  expect_same(c, inverse(mass) * mass, Identity<Space::joint_rate>{});
  expect_same(c, psi * (M + S * L * R * transpose(L) * transpose(S)) * transpose(psi),
              P + psi_tilde * P + P * transpose(psi_tilde));
}

INSTANTIATE_TEST_SUITE_P(Trees, Factors, all_trees());

}  // namespace
}  // namespace linkwright::testing
