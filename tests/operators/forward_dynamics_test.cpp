// FD1 to FD4 against the trunk: four roads, one answer.
#include <filesystem>

#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "support/csv.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Compares at `count` random states, with a push on the last frame. Accelerations carry κ(M), so they
/// are compared as the forces that cause them, relative to the sizes that cancel in them.
void expect_one_answer(const System& system, int count, unsigned seed) {
  RandomModel random(seed);
  Operators at(system, Closures::leave_out);
  Workspace work(system);
  const FrameId tip{static_cast<int>(system.frames().size()) - 1};
  at.set_tips(std::vector<FrameId>{tip});
  VectorXd trunk(system.nv());
  MatrixXd mass(system.nv(), system.nv());
  for (int i = 0; i < count; ++i) {
    const State state = random.state(system);
    const VectorXd tau = random.numbers(system.nv());
    const ExternalForce pushes[] = {{tip, {{0.1, 0.2, 0.3}, {1, 2, 3}}, Axes::own}};
    compute_forward_dynamics(work, state, tau, pushes, trunk);
    compute_mass_matrix(work, state.q, mass);
    const double scale = mass.norm() * trunk.norm() + tau.norm() + 1;
    compute_forward_kinematics(work, state, trunk);
    const Eigen::Matrix<double, 6, 1> expected = to_eigen(frame_acceleration(work, tip, Axes::own));
    for (const Algorithm algorithm : all_algorithms) {
      const OperatorDynamics found = forward_dynamics(algorithm, at, state, tau, pushes);
      ASSERT_LE((mass * (found.a - trunk)).norm(), 1e-12 * scale)
          << name(algorithm) << " state " << i;
      if (algorithm == Algorithm::FD2) {
        ASSERT_LE((found.tip - expected).norm(), 1e-9 * (1 + expected.norm())) << "state " << i;
      }
    }
  }
}

TEST(ForwardDynamics, four_algorithms_agree_with_the_trunk_on_random_trees) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    expect_one_answer(compile(random.tree(1 + static_cast<int>(seed % 12),
                                          static_cast<Base>(seed % 3), all_joint_types())),
                      10, seed + 1);
  }
}

TEST(ForwardDynamics, four_algorithms_agree_with_the_trunk_on_the_bundled_models) {
  const std::filesystem::path folder = std::string(LINKWRIGHT_SOURCE_DIR) + "/models";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const auto kind = file.path().extension();
    if (kind != ".urdf" && kind != ".yaml") continue;
    SCOPED_TRACE(file.path().string());
    expect_one_answer(compile(read_model(file.path().string())), 1000, 7);
  }
}

TEST(ForwardDynamics, four_algorithms_agree_with_the_trunk_on_the_shared_models) {
  SKIP_WITHOUT_SHARED(LINKWRIGHT_SHARED_DIR "/models/drake_kuka_iiwa_robot.urdf");
  int models = 0, on_free_base = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(LINKWRIGHT_SHARED_DIR) + "/models")) {
    if (file.path().extension() != ".urdf") continue;
    SCOPED_TRACE(file.path().string());
    expect_one_answer(compile(read_model(file.path().string())), 1000, 8);
    ++models;
    try {
      const System floating = compile(read_model(file.path().string(), Base::free));
      // A base without mass has no answer, whoever is asked.
      Operators(floating, Closures::leave_out).update(RandomModel(1).state(floating).q);
      ++on_free_base;
    } catch (const Error& error) {
      std::cout << "not on a free base: " << error.what() << "\n";
      continue;
    }
    expect_one_answer(compile(read_model(file.path().string(), Base::free)), 1000, 9);
  }
  EXPECT_GE(models, 10);
  EXPECT_GE(on_free_base, 5);
}

TEST(ForwardDynamics, sweeps_are_those_of_the_paper) {
  const System system = compile(RandomModel(1).tree(7, Base::fixed, {JointType::revolute}));
  Operators at(system);
  using enum Direction;
  const auto directions = [&](Algorithm algorithm) {
    std::vector<Direction> out;
    for (const SweepNote& note : sweeps_of(algorithm, at)) out.push_back(note.direction);
    return out;
  };
  const std::vector<Direction> four{outward, inward, inward, outward},
      three{outward, inward, outward};
  EXPECT_EQ(directions(Algorithm::FD1), four);
  EXPECT_EQ(directions(Algorithm::FD2), four);
  EXPECT_EQ(directions(Algorithm::FD3), three);
  EXPECT_EQ(directions(Algorithm::FD4), three);
  for (const Algorithm algorithm : all_algorithms)
    for (const SweepNote& note : sweeps_of(algorithm, at))
      EXPECT_GT(note.operations.multiplications, 0) << name(algorithm) << ": " << note.what;
}

TEST(ForwardDynamics, explain_counts_what_grows_with_n) {
  const auto multiplications = [](int bodies) {
    RandomModel random(2);
    Model model = random.tree(bodies, Base::fixed, {JointType::revolute});
    const System system = compile(model);
    long sum = 0;
    for (const SweepNote& note : sweeps_of(Algorithm::FD3, Operators(system)))
      sum += note.operations.multiplications;
    return sum;
  };
  const double ratio =
      static_cast<double>(multiplications(80)) / static_cast<double>(multiplications(40));
  EXPECT_NEAR(ratio, 2, 0.2);
}

}  // namespace
}  // namespace linkwright::testing
