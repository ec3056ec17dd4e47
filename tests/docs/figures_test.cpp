// The figures in docs/figures are those that the library draws today.
#include "docs/figures.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

TEST(figures, operator_sparsity_is_what_the_library_draws) {
  const std::string root = LINKWRIGHT_SOURCE_DIR;
  std::ostringstream committed;
  committed
      << std::ifstream(root + "/docs/figures/operator_sparsity.svg", std::ios::binary).rdbuf();
  EXPECT_TRUE(committed.str() == docs::operator_sparsity(root))
      << "docs/figures/operator_sparsity.svg is out of date: run `make figures`";
}

/// All numbers of a drawing, in order, and the text between them.
std::pair<std::vector<double>, std::string> numbers_of(const std::string& drawing) {
  std::pair<std::vector<double>, std::string> out;
  for (const char* c = drawing.c_str(); *c != 0;) {
    char* end = nullptr;
    const double number = std::strtod(c, &end);
    const bool begins = (*c >= '0' && *c <= '9') || *c == '-';
    if (begins && end != c)
      out.first.push_back(number), c = end;
    else
      out.second += *c++;
  }
  return out;
}

/// Rounding differs between processors; a tenth of a pixel cannot be seen.
void expect_same_drawing(const std::string& drawing, const std::string& name) {
  const std::string file = "docs/figures/" + name;
  std::ostringstream committed;
  committed
      << std::ifstream(std::string(LINKWRIGHT_SOURCE_DIR) + "/" + file, std::ios::binary).rdbuf();
  const auto [drawn, drawn_text] = numbers_of(drawing);
  const auto [kept, kept_text] = numbers_of(committed.str());
  const std::string renew = file + " is out of date: run `make figures`";
  ASSERT_TRUE(kept_text == drawn_text && kept.size() == drawn.size()) << renew;
  for (std::size_t i = 0; i < kept.size(); ++i) ASSERT_NEAR(kept[i], drawn[i], 0.11) << renew;
}

TEST(figures, eigenvalue_locus_is_what_the_library_draws) {
  expect_same_drawing(docs::eigenvalue_locus(LINKWRIGHT_SOURCE_DIR), "eigenvalue_locus.svg");
}

TEST(figures, flexible_beam_is_what_the_library_draws) {
  expect_same_drawing(docs::flexible_beam(), "flexible_beam.svg");
}

TEST(figures, shared_load_is_what_the_library_draws) {
  expect_same_drawing(docs::shared_load(LINKWRIGHT_SOURCE_DIR), "shared_load.svg");
}

TEST(figures, system_graphs_are_what_the_library_draws) {
  expect_same_drawing(docs::graph_stewart(LINKWRIGHT_SOURCE_DIR), "graph_stewart.svg");
  expect_same_drawing(docs::graph_motors(LINKWRIGHT_SOURCE_DIR), "graph_motors.svg");
}

TEST(figures, bode_plot_is_what_the_library_draws) {
  expect_same_drawing(docs::elbow_bode(LINKWRIGHT_SOURCE_DIR), "elbow_bode.svg");
}

}  // namespace
