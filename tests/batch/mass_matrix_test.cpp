// Mass matrices of many states: small batches, and those that are written past the caches.
#include <gtest/gtest.h>

#include "linkwright/batch/batch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;

MatrixXd random_positions(const System& system, RandomModel& random, int count) {
  MatrixXd q(count, system.nq());
  for (int s = 0; s < count; ++s) q.row(s) = random.state(system).q;
  return q;
}

double relative(const Eigen::VectorXd& got, const Eigen::VectorXd& expected) {
  return (got - expected).norm() / (1 + expected.norm());
}

/// Branches in an order of joints that is not that of the tree, so that every kind of entry occurs.
System branching(unsigned seed) {
  RandomModel random(seed);
  Model model = random.tree(18, Base::free, all_joint_types());
  std::reverse(model.joints.begin() + 4, model.joints.end());
  for (Joint& joint : model.joints) joint.rotor_inertia = {0.1};
  return compile(model);
}

/// One row short of a cache line, and a block of a larger matrix: columns that start anywhere.
TEST(BatchMassMatrix, is_that_of_each_state_wherever_the_columns_start) {
  const System system = branching(3);
  RandomModel random(1);
  const int nv = system.nv(), rows = 1024;
  ASSERT_GT(std::size_t{8} * rows * static_cast<std::size_t>(nv * nv), std::size_t{4} << 20);
  const MatrixXd q = random_positions(system, random, rows);
  MatrixXd expected(rows, nv * nv), one(nv, nv);
  Workspace work(system);
  for (int s = 0; s < rows; ++s) {
    compute_mass_matrix(work, q.row(s).transpose(), one);
    expected.row(s) = one.reshaped();
  }
  for (const int threads : {1, 3})
    for (const auto& [first, count] : {std::pair{0, rows}, {0, 5}, {3, rows - 3}, {1, 130}}) {
      SCOPED_TRACE(std::to_string(count) + " from " + std::to_string(first));
      MatrixXd M = MatrixXd::Constant(rows, nv * nv, 42);
      Batch batch(system, {.threads = threads});
      EXPECT_TRUE(batch.compute_mass_matrix(q.middleRows(first, count), M.middleRows(first, count))
                      .bad_states.empty());
      for (int s = 0; s < rows; ++s) {
        const bool asked = s >= first && s < first + count;
        if (asked)
          EXPECT_LE(relative(M.row(s), expected.row(s)), 1e-13) << s;
        else
          EXPECT_TRUE((M.row(s).array() == 42).all()) << s;
      }
    }
}

TEST(BatchMassMatrix, of_a_bad_state_is_nan_and_its_neighbours_are_untouched) {
  const System system = branching(4);
  RandomModel random(2);
  for (const int rows : {40, 1024}) {
    MatrixXd q = random_positions(system, random, rows);
    const int nv = system.nv();
    MatrixXd clean(rows, nv * nv), M(rows, nv * nv);
    Batch batch(system, {.threads = 2});
    batch.compute_mass_matrix(q, clean);
    q(17, 2) = std::numeric_limits<double>::quiet_NaN();
    q.row(rows - 1).head(4) *= 1.5;
    const BatchReport report = batch.compute_mass_matrix(q, M);
    EXPECT_EQ(std::vector<int>(report.bad_states.begin(), report.bad_states.end()),
              (std::vector<int>{17, rows - 1}));
    for (int s = 0; s < rows; ++s) {
      if (s == 17 || s == rows - 1)
        EXPECT_TRUE(M.row(s).array().isNaN().all()) << s;
      else
        EXPECT_TRUE(M.row(s) == clean.row(s)) << s;
    }
  }
}

TEST(BatchMassMatrix, floats_agree_to_single_precision) {
  const System system = branching(5);
  RandomModel random(3);
  const int rows = 2048, nv = system.nv();
  const MatrixXd q = random_positions(system, random, rows);
  const Eigen::MatrixXf q_float = q.cast<float>();
  MatrixXd M(rows, nv * nv);
  Eigen::MatrixXf M_float(rows, nv * nv);
  Batch(system).compute_mass_matrix(q, M);
  EXPECT_TRUE(BatchFloat(system).compute_mass_matrix(q_float, M_float).bad_states.empty());
  EXPECT_LE((M_float.cast<double>() - M).norm(), 1e-5 * M.norm());
}

}  // namespace
}  // namespace linkwright::testing
