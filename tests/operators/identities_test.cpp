// Every identity of the paper over random trees: as matrices, and as sweeps.
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/operators/dense.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The matrix of an expression, column by column through its sweeps.
template <class X>
MatrixXd swept(X expression, Operators& at) {
  MatrixXd out(at.size(X::range), at.size(X::domain));
  for (Eigen::Index c = 0; c < out.cols(); ++c)
    out.col(c) = apply(expression, at, VectorXd::Unit(out.cols(), c));
  return out;
}

struct Case {
  std::string name;
  System system;
  Operators at;
  double bound;

  Case(std::string of, const Model& model, unsigned seed)
      : name(std::move(of)), system(compile(model)), at(system) {
    RandomModel random(seed);
    at.update(random.state(system).q);
    const std::vector<std::string> tips{"tip", "body1"};
    at.set_tips(tips);
    // Products of a few matrices lose a few digits more than κ(M) accounts for.
    const MatrixXd mass = dense(H * phi * M * transpose(phi) * transpose(H) + R, at);
    const Eigen::JacobiSVD<MatrixXd> svd(mass);
    const double kappa =
        svd.singularValues()(0) / svd.singularValues()(svd.singularValues().size() - 1);
    bound = 2 * kappa * std::numeric_limits<double>::epsilon() * 6 *
            static_cast<double>(system.tree().nodes.size());
  }
};

template <class X, class Y>
void expect_same(Case& c, X left, Y right) {
  const MatrixXd a = dense(left, c.at), b = dense(right, c.at);
  const double scale = 1 + a.norm();
  const std::string what = c.name + ": " + describe(left) + " = " + describe(right);
  EXPECT_LE((a - b).norm(), c.bound * scale) << what << ", as matrices";
  EXPECT_LE((swept(left, c.at) - a).norm(), c.bound * scale) << what << ", left side by sweeps";
  EXPECT_LE((swept(right, c.at) - a).norm(), c.bound * scale) << what << ", right side by sweeps";
}

class Identities : public ::testing::TestWithParam<unsigned> {
 protected:
  /// Serial and branched, fixed, free and planar bases, every joint type; no rotors, which the
  /// paper does not have.
  static Case make(unsigned seed) {
    RandomModel random(seed);
    const std::vector<JointType> simple{JointType::revolute, JointType::prismatic};
    const std::vector<JointType> types = seed % 3 == 0 ? simple : all_joint_types();
    Model model = random.tree(2 + static_cast<int>(seed % 5), static_cast<Base>(seed % 3), types);
    for (Joint& joint : model.joints) joint.rotor_inertia.clear();
    return {"seed " + std::to_string(seed), model, seed};
  }
};

TEST_P(Identities, A1) {
  Case c = make(GetParam());
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
TEST_P(Identities, A2) {
  Case c = make(GetParam());
  expect_same(c, phi, psi * (I + S * L * H * phi));  // (a.14)
  expect_same(c, psi, (I - Psi * L * H) * phi);      // (a.15)
  expect_same(c, Phi, Psi * (I + L * H * Phi));      // (a.16)
  expect_same(c, Psi, (I - Psi * L * H) * Phi);      // (a.17)
}
TEST_P(Identities, A3) {
  Case c = make(GetParam());
  expect_same(c, phi, (I + Phi * L * H) * psi);          // (a.22)
  expect_same(c, psi, phi * (I - S * L * H * psi));      // (a.23)
  expect_same(c, Phi, (I + Phi * L * H) * Psi);          // (a.24)
  expect_same(c, Psi, Phi * (I - L * H * Psi));          // (a.25)
  expect_same(c, Phi * L * H * psi, Psi * L * H * phi);  // (a.26)
  expect_same(c, Phi * L * H * Psi, Psi * L * H * Phi);  // (a.27)
}
TEST_P(Identities, A4_and_5_1) {
  Case c = make(GetParam());
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
TEST_P(Identities, A5_to_A7) {
  Case c = make(GetParam());
  expect_same(c, psi * M * transpose(phi), P + psi_tilde * P + P * transpose(phi_tilde));  // (a.46)
  expect_same(c, psi * M * transpose(psi), P + psi_tilde * P + P * transpose(psi_tilde));  // (a.47)
  expect_same(c, phi * M * transpose(phi),
              P + phi_tilde * P + P * transpose(phi_tilde) +
                  phi_tilde * P * transpose(H) * inverse(D) * H * P * transpose(phi_tilde));
  expect_same(c, transpose(I - H * Psi * L) * inverse(D) * H * psi * M * transpose(phi),  // (a.50)
              transpose(I - H * Psi * L) * inverse(D) * H * psi_tilde * P +
                  transpose(L) * transpose(Psi) * transpose(I - G * H) + transpose(G));
}
TEST_P(Identities, the_mass_matrix_and_its_inverse) {
  Case c = make(GetParam());
  const auto mass = H * phi * M * transpose(phi) * transpose(H);
  const auto factor = I + H * Phi * L;
  expect_same(c, mass, factor * D * transpose(factor));                       // (4.11)
  expect_same(c, inverse(factor) * factor, Identity<Space::joint_effort>{});  // (4.14)
  expect_same(c, inverse(mass) * mass, Identity<Space::joint_rate>{});        // (4.16)
  MatrixXd trunk(c.system.nv(), c.system.nv());
  Workspace work(c.system);
  compute_mass_matrix(work, RandomModel(GetParam()).state(c.system).q, trunk);
  EXPECT_LE((dense(mass, c.at) - trunk).norm(), c.bound * trunk.norm());
}
/// With rotor inertias, D = H P Hᵀ + R, the mass matrix has R on top of the links', and (a.47) a
/// term for what the rotors keep.
TEST_P(Identities, with_rotors) {
  RandomModel random(GetParam());
  Model model = random.tree(4, static_cast<Base>(GetParam() % 3), all_joint_types());
  for (Joint& joint : model.joints)
    if (velocity_count(joint) > 0) joint.rotor_inertia = {random.between(0.1, 1)};
  Case c("rotors, seed " + std::to_string(GetParam()), model, GetParam());
  const auto mass = H * phi * M * transpose(phi) * transpose(H) + R;
  const auto factor = I + H * Phi * L;
  expect_same(c, mass, factor * D * transpose(factor));
  expect_same(c, inverse(mass) * mass, Identity<Space::joint_rate>{});
  expect_same(c, psi * (M + S * L * R * transpose(L) * transpose(S)) * transpose(psi),
              P + psi_tilde * P + P * transpose(psi_tilde));
}
INSTANTIATE_TEST_SUITE_P(Trees, Identities, ::testing::Range(0U, 24U));

}  // namespace
}  // namespace linkwright::testing
