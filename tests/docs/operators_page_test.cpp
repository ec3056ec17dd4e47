// What docs/operators.md shows as printed is what the library prints.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/forward_dynamics.hpp"

namespace {

using namespace linkwright::operators;
using linkwright::Base;
using linkwright::compile;
using linkwright::read_model;
using linkwright::System;

const std::string root = LINKWRIGHT_SOURCE_DIR;

void expect_on_page(const std::string& text) {
  std::ostringstream page;
  page << std::ifstream(root + "/docs/operators.md", std::ios::binary).rdbuf();
  EXPECT_NE(page.str().find("```text\n" + text + "```\n"), std::string::npos)
      << "docs/operators.md does not have this block:\n"
      << text;
}

TEST(operators_page, shows_the_sweeps_of_the_mass_matrix) {
  const System system = compile(read_model(root + "/models/arm7.urdf"));
  const Operators at(system);
  const auto mass = H * phi * M * transpose(phi) * transpose(H);
  expect_on_page(explain(mass, at) + explain(inverse(mass), at));
}

TEST(operators_page, shows_the_sweeps_of_a_foot) {
  const System system = compile(read_model(root + "/models/quadruped.urdf", {.base = Base::free}));
  Operators at(system);
  at.set_tips(std::vector<std::string>{"front_left_foot"});
  const auto J = transpose(B) * transpose(phi) * transpose(H);
  const auto minv = transpose(I - H * Psi * L) * inverse(D) * (I - H * Psi * L);
  const auto shorter = transpose(B) * transpose(psi) * transpose(H) * inverse(D) * H * psi * B;
  expect_on_page(explain(J * minv * transpose(J), at) + explain(shorter, at));
}

TEST(operators_page, shows_the_sweeps_of_the_four_algorithms) {
  const System system = compile(read_model(root + "/models/arm7.urdf"));
  Operators at(system);
  at.set_tips(std::vector<std::string>{"tool"});
  std::string text;
  for (const Algorithm algorithm : all_algorithms) text += explain(algorithm, at);
  expect_on_page(text);
}

}  // namespace
