/// A lower triangle whose zeros are written once is that of the matrix written whole.

#include "linkwright/dynamics/mass_matrix.hpp"

#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

TEST(MassMatrix, is_the_same_to_the_last_bit_at_every_position) {
  int zeros = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomModel random(seed);
    const Model model = seed % 3 == 0
                            ? random.star(4, Base::free, {JointType::revolute, JointType::revolute})
                            : random.tree(12, static_cast<Base>(seed % 2), all_joint_types());
    const System system = compile(model);
    Workspace work(system);
    MassMatrix again(system);
    Eigen::MatrixXd whole(system.nv(), system.nv());
    for (int i = 0; i < 3; ++i) {
      const State state = random.state(system);
      compute_mass_matrix(work, state.q, again);
      compute_mass_matrix(work, state.q, whole);
      EXPECT_EQ(Eigen::MatrixXd(again.view()), whole) << seed;
      EXPECT_EQ(again.lower(), Eigen::MatrixXd(whole.triangularView<Eigen::Lower>())) << seed;
      zeros += static_cast<int>((whole.array() == 0).count());
    }
  }
  EXPECT_GT(zeros, 1000) << "no tree had zeros by structure";
}

TEST(MassMatrix, of_another_system_is_refused) {
  RandomModel random(4);
  const System one = compile(random.tree(5, Base::fixed, {JointType::revolute})), other = one;
  Workspace work(one);
  MassMatrix M(other);
  EXPECT_THROW(compute_mass_matrix(work, Eigen::VectorXd::Zero(one.nq()), M), Error);
}

}  // namespace
}  // namespace linkwright::testing
