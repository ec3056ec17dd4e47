/// What a flexible base may be held by: symmetric matrices without negative eigenvalues.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linkwright/model/validation.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::contains;
using testing::error_of;

Model on_base(const PoseMatrix& stiffness, const PoseMatrix& damping = {}) {
  Model model;
  model.bodies = {{.name = "slab", .mass = 2, .inertia = {1, 1, 1, 0, 0, 0}}};
  model.joints = {{.name = "base", .type = JointType::free, .parent = "world", .child = "slab"}};
  model.flexible_bases = {{.joint = "base", .stiffness = stiffness, .damping = damping}};
  return model;
}

PoseMatrix with_pair(PoseMatrix K, std::size_t i, std::size_t j, double above, double below) {
  K.rows[i][j] = above, K.rows[j][i] = below;
  return K;
}

const PoseMatrix diagonal{1, 2, 3, 400, 500, 600};

TEST(FlexibleBase, takes_symmetric_matrices_without_negative_eigenvalues) {
  EXPECT_NO_THROW(validate(on_base(diagonal)));
  EXPECT_NO_THROW(validate(on_base({})));
  EXPECT_NO_THROW(validate(on_base(with_pair(diagonal, 0, 4, 20, 20))));
  // As computed from R K Rᵀ, one rounding apart; and on the edge, where an eigenvalue is 0.
  EXPECT_NO_THROW(validate(on_base(with_pair(diagonal, 0, 4, 20, 20 * (1 + 1e-15)))));
  EXPECT_NO_THROW(validate(on_base(with_pair(diagonal, 1, 3, std::sqrt(800), std::sqrt(800)))));
  // Rounding where the exact entry is 0.
  EXPECT_NO_THROW(validate(on_base(with_pair(diagonal, 3, 4, 1e-14, -1e-14))));
}

TEST(FlexibleBase, is_refused_by_the_entry_that_is_wrong) {
  struct Mistake {
    const char* what;
    PoseMatrix K;
    std::vector<std::string> words;
  };
  const double nan = std::nan("");
  const std::vector<Mistake> mistakes{
      {"negative diagonal", {1, 2, 3, -4, 5, 6}, {"is -4", "zero or more"}},
      {"nan", with_pair(diagonal, 0, 1, nan, 0), {"row 1, column 2", "nan"}},
      {"infinite", {1, 2, std::numeric_limits<double>::infinity(), 4, 5, 6}, {"inf", "finite"}},
      {"not symmetric",
       with_pair(diagonal, 0, 4, 20, 21),
       {"20 in row 1, column 5", "21 in row 5, column 1", "symmetric"}},
      {"half of it", with_pair(diagonal, 2, 5, 7, 0), {"7 in row 3, column 6", "symmetric"}},
      {"too large", with_pair(diagonal, 1, 3, 29, 29), {"29 in row 2, column 4", "28.2843"}},
      {"beside a zero",
       with_pair({0, 1, 1, 1, 1, 1}, 0, 1, 1e-6, 1e-6),
       {"1e-06 in row 1, column 2", "at most 0"}},
  };
  for (const Mistake& mistake : mistakes)
    for (const bool of_damping : {false, true}) {
      const Model model = of_damping ? on_base(diagonal, mistake.K) : on_base(mistake.K);
      const std::string message = error_of([&] { validate(model); });
      EXPECT_TRUE(contains(message, "flexible base on joint 'base'")) << mistake.what << message;
      EXPECT_TRUE(contains(message, of_damping ? "its damping" : "its stiffness")) << mistake.what;
      for (const std::string& word : mistake.words)
        EXPECT_TRUE(contains(message, word)) << mistake.what << ": " << word << " in " << message;
    }
}

/// Every pair alone would do, all of them together would not: [1 c c; c 1 c; c c 1] has 1 + 2c.
TEST(FlexibleBase, is_refused_by_its_negative_eigenvalue) {
  const auto three = [](double c) {
    PoseMatrix K(4, 4, 4, 1e6, 1e6, 1e6);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        if (i != j) K.rows[i][j] = 4 * c;
    return K;
  };
  EXPECT_NO_THROW(validate(on_base(three(-0.5))));
  const std::string message = error_of([&] { validate(on_base(three(-0.75))); });
  EXPECT_TRUE(contains(message, "its stiffness has the eigenvalue -2;")) << message;
  // Small beside the others, whose unit is another: it counts all the same.
  EXPECT_NE(error_of([&] { validate(on_base(three(-0.5 - 1e-9))); }), "");
}

}  // namespace
}  // namespace linkwright
