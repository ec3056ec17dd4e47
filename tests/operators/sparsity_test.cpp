// Pictures of operators: what is drawn is what is there.
#include "linkwright/operators/sparsity.hpp"

#include <gtest/gtest.h>

#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::MatrixXd;

/// How often a part occurs in a text.
int count_of(std::string_view text, std::string_view part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}
int start_of(const std::vector<int>& sizes, std::size_t i) {
  int start = 0;
  for (std::size_t j = 0; j < i; ++j) start += sizes[j];
  return start;
}

/// Every block that is not zero is drawn once under its place, with as many strokes as it has
/// entries; no other block is.
void expect_drawn_as_it_is(const SparsityPanel& panel, const MatrixXd& matrix) {
  const std::string svg = draw_sparsity({&panel, 1});
  const double zero = 1e-12 * matrix.cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < panel.rows.size(); ++i)
    for (std::size_t j = 0; j < panel.columns.size(); ++j) {
      const MatrixXd block = matrix.block(start_of(panel.rows, i), start_of(panel.columns, j),
                                          panel.rows[i], panel.columns[j]);
      const auto entries = (block.array().abs() > zero).count();
      const bool identity = block.rows() == block.cols() && block.isIdentity(1e-12);
      const std::string place =
          "data-block=\"" + std::to_string(i) + " " + std::to_string(j) + "\"";
      const std::string what = panel.title + ", " + place;
      ASSERT_EQ(count_of(svg, place), entries == 0 ? 0 : 1) << what;
      if (entries == 0) continue;
      const auto at = svg.find(place);
      const std::string drawn = svg.substr(at, svg.find("</g>", at) - at);
      EXPECT_EQ(count_of(drawn, "M"), entries) << what;
      EXPECT_EQ(contains(svg.substr(svg.rfind('<', at), at - svg.rfind('<', at)), "identity"),
                identity)
          << what;
    }
}

TEST(sparsity, every_nonzero_block_is_drawn_and_no_other) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    RandomModel random(seed);
    const System system = compile(random.tree(7, static_cast<Base>(seed % 3), all_joint_types()));
    Operators at(system);
    at.update(random.state(system).q);
    const std::vector<std::string> tips{"tip"};
    at.set_tips(tips);
    const auto check = [&](auto expression) {
      expect_drawn_as_it_is(sparsity_panel(expression, at), dense(expression, at));
    };
    check(phi);
    check(psi);
    check(S);
    check(H);
    check(D);
    check(transpose(B) * transpose(phi) * transpose(H));
    check(I + H * Phi * L);
  }
}

TEST(sparsity, blocks_of_every_space_fill_its_vectors) {
  RandomModel random(5);
  const System system = compile(random.tree(9, Base::free, all_joint_types()));
  Operators at(system);
  const std::vector<std::string> tips{"tip", "body1"};
  at.set_tips(tips);
  for (const Space s :
       {Space::joint_effort, Space::joint_rate, Space::link_force, Space::link_motion,
        Space::inboard_force, Space::tip_motion, Space::base_force}) {
    const std::vector<int> sizes = block_sizes(at, s);
    EXPECT_EQ(start_of(sizes, sizes.size()), at.size(s)) << name(s);
  }
}

TEST(sparsity, an_entry_is_told_from_rounding_noise) {
  MatrixXd matrix(2, 2);
  matrix << 1, 1e-17, 5, 1e-3;
  const SparsityPanel panel = sparsity_panel("A", matrix, {1, 1}, {1, 1});
  EXPECT_EQ(block_at(panel, 0, 0), Block::identity);
  EXPECT_EQ(block_at(panel, 0, 1), Block::zero);
  EXPECT_EQ(block_at(panel, 1, 0), Block::other);
  EXPECT_EQ(block_at(panel, 1, 1), Block::other);
  matrix << 0, 1, 1, 0;
  EXPECT_EQ(block_at(sparsity_panel("swap", matrix, {2}, {2}), 0, 0), Block::other);
}

TEST(sparsity, titles_and_names_are_escaped) {
  SparsityPanel panel = sparsity_panel("a < b & \"c\" > d", MatrixXd::Identity(2, 2), {2}, {2});
  panel.row_names = {"<link>"};
  const std::string svg = draw_sparsity({&panel, 1});
  EXPECT_TRUE(contains(svg, ">a &lt; b &amp; &quot;c&quot; &gt; d</text>")) << svg;
  EXPECT_TRUE(contains(svg, ">&lt;link&gt;</text>")) << svg;
  EXPECT_FALSE(contains(svg, "<link>")) << svg;
}

TEST(sparsity, panels_stay_within_the_width_and_apart) {
  std::vector<SparsityPanel> panels(5,
                                    sparsity_panel("I", MatrixXd::Identity(4, 4), {2, 2}, {2, 2}));
  const std::string svg = draw_sparsity(panels, 400);
  EXPECT_TRUE(contains(svg, "width=\"540\""))
      << "the legend needs this much: " << svg.substr(0, 200);
  EXPECT_EQ(count_of(svg, ">I</text>"), 5);
  // Two of 160 pixels beside each other, three lines of them.
  EXPECT_EQ(count_of(svg, "<text x=\"16.00\" y=\"31.00\" font-size=\"13\">I"), 1);
  EXPECT_EQ(count_of(svg, "<text x=\"202.00\" y=\"31.00\" font-size=\"13\">I"), 1);
  EXPECT_EQ(count_of(svg, "<text x=\"16.00\""), 3);
}

TEST(sparsity, blocks_that_do_not_fit_are_named) {
  const SparsityPanel wrong = sparsity_panel("φ of the arm", MatrixXd::Zero(6, 6), {6, 6}, {6});
  EXPECT_TRUE(contains(error_of([&] {
                         (void)draw_sparsity({&wrong, 1});
                       }),
                       "panel 'φ of the arm' has 36 entries; its blocks are for 12 rows and 6"));
  SparsityPanel unnamed = sparsity_panel("D", MatrixXd::Zero(2, 2), {1, 1}, {1, 1});
  unnamed.row_names = {"elbow"};
  EXPECT_TRUE(contains(error_of([&] {
                         (void)draw_sparsity({&unnamed, 1});
                       }),
                       "panel 'D' has 1 names for 2 rows of blocks"));
}

}  // namespace
}  // namespace linkwright::testing
