// Purpose-made faults in what a formulation answers: each is seen, and named.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/verify/verification.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace verify;
using Eigen::VectorXd;

constexpr RandomStates states{.count = 3, .seed = 1};
/// How large a fault must be seen, relative to the vector it is in.
constexpr double fault = 1e-9;

class FormulationFaults : public ::testing::Test {
 protected:
  /// The verdict when formulation `which` spoils its result.
  template <class F>
  Comparison with(std::size_t which, F spoil) {
    std::vector<Formulation> all = make_formulations(arm, tip);
    const auto honest = all.at(which).solve;
    all[which].solve = [honest, spoil](const ForwardDynamicsProblem& x, Accelerations& out) {
      out.tip.resize(0);
      honest(x, out);
      spoil(out);
    };
    Verification verification(arm, tip, states, std::move(all));
    verification.compare_all();
    return verification.comparison();
  }
  void expect_named(const Comparison& comparison, const std::string& quantity, std::size_t which) {
    const std::string culprit = make_formulations(arm, tip).at(which).name;
    ASSERT_TRUE(comparison.disagreement) << quantity << " of " << culprit << " was let pass";
    const Disagreement& found = *comparison.disagreement;
    EXPECT_EQ(found.quantity, quantity);
    EXPECT_TRUE(found.first == culprit || found.second == culprit) << to_text(found);
    try {
      require_agreement(comparison);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      // The program turns this kind into exit code 1.
      EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
      EXPECT_TRUE(contains(error.what(), quantity + " at '")) << error.what();
      EXPECT_TRUE(contains(error.what(), culprit)) << error.what();
    }
  }

  System arm = compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm7.urdf"));
  FrameId tip = arm.frame("tool");
};

TEST_F(FormulationFaults, without_one_all_agree) {
  EXPECT_FALSE(with(0, [](Accelerations&) {}).disagreement);
}

TEST_F(FormulationFaults, in_any_joint_of_any_formulation_are_named) {
  for (std::size_t which = 0; which < make_formulations(arm, tip).size(); ++which)
    for (Eigen::Index i = 0; i < arm.nv(); ++i) {
      const auto spoil = [i](Accelerations& out) { out.joints[i] += fault * out.joints.norm(); };
      expect_named(with(which, spoil), "effort", which);
    }
}

TEST_F(FormulationFaults, in_any_component_of_the_tip_are_named) {
  for (const std::size_t which : {3U, 7U})  // FD2 and absolute coordinates yield it by themselves
    for (Eigen::Index i = 0; i < 6; ++i) {
      const auto spoil = [i](Accelerations& out) {
        ASSERT_EQ(out.tip.size(), 6);
        out.tip[i] += fault * out.tip.norm();
      };
      expect_named(with(which, spoil), "tip acceleration", which);
    }
}

/// The condition of M by power iteration lies below the eigenvalues', and not far.
TEST(Condition, is_close_to_that_of_the_eigenvalues) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomModel random(seed);
    const System system =
        compile(random.tree(2 + static_cast<int>(seed), static_cast<Base>(seed % 3),
                            {JointType::revolute, JointType::spherical, JointType::prismatic}));
    const VectorXd q = random.state(system).q;
    Workspace work(system);
    Eigen::MatrixXd M(system.nv(), system.nv());
    compute_mass_matrix(work, q, M);
    const VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues();
    operators::Operators at(system);
    const Spectrum found = estimate_spectrum(at, q);
    const double rounding = 1e-9;
    EXPECT_LE(found.most, values.maxCoeff() * (1 + rounding)) << seed;
    EXPECT_GE(found.least, values.minCoeff() * (1 - rounding)) << seed;
    EXPECT_GE(found.condition(), 0.6 * values.maxCoeff() / values.minCoeff()) << seed;
  }
}

}  // namespace
}  // namespace linkwright::testing
