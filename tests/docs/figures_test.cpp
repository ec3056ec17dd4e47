// The figures in docs/figures are those that the library draws today.
#include "docs/figures.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

TEST(figures, operator_sparsity_is_what_the_library_draws) {
  const std::string root = LINKWRIGHT_SOURCE_DIR;
  std::ostringstream committed;
  committed
      << std::ifstream(root + "/docs/figures/operator_sparsity.svg", std::ios::binary).rdbuf();
  EXPECT_TRUE(committed.str() == docs::operator_sparsity(root))
      << "docs/figures/operator_sparsity.svg is out of date: run `make figures`";
}

}  // namespace
