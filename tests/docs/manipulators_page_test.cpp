// What docs/manipulators.md shows as printed is what its program prints.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "linkwright/dynamics/energy.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/manipulator/unified_model.hpp"

namespace {

using namespace linkwright;
using manipulator::Manipulator, manipulator::UnifiedModel;

template <class... Values>
std::string line(const char* format, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string before_the_catch(Model model) {
  model.grasps.clear();
  const System system = compile(model);
  const Manipulator robot(system, {.base = {}, .tips = {"left_grip", "right_grip"}});
  UnifiedModel unified(robot);
  State state = initial_state(system);
  state.v.setZero();
  unified.update(state, Eigen::VectorXd::Zero(system.nv()));
  std::string text =
      line("%s base, %zu active and %zu passive freedoms\n", to_string(robot.base().kind).data(),
           robot.active().size(), robot.passive().size());
  text += line("hand: %.4f m/s on a fixed base, %.4f m/s on this one\n",
               unified.J_q().col(2).segment<3>(3).norm(), unified.J().col(2).segment<3>(3).norm());
  text += line("base: %.4f rad/s\n", unified.J_D().col(2).head<3>().norm());
  Eigen::MatrixXd projector(12, 12);
  unified.compute_reaction_null_space(projector);
  const Eigen::VectorXd wave = projector * Eigen::VectorXd::Ones(12);
  return text +
         line(
             "in the reaction null space (%d of 12) the hand moves at %.2f m/s, without momentum\n",
             12 - unified.coupling_rank(), (unified.J() * wave).segment<3>(3).norm());
}

std::string after_the_catch(const Model& model) {
  const System system = compile(model);
  const Manipulator robot(system);
  UnifiedModel unified(robot);
  unified.update(initial_state(system), Eigen::VectorXd::Zero(system.nv()));
  Eigen::VectorXd a(system.nv());
  const auto report = unified.compute_forward_dynamics(a);
  return line("%d rows, rank %d; the hands pull with %.1f N and %.1f N\n", report.rows, report.rank,
              norm(unified.end_force(0).force), norm(unified.end_force(1).force));
}

TEST(manipulators_page, shows_what_its_program_prints) {
  const Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/space_robot_catch.yaml");
  const std::string text = before_the_catch(model) + after_the_catch(model);
  std::ostringstream page;
  page << std::ifstream(LINKWRIGHT_SOURCE_DIR "/docs/manipulators.md", std::ios::binary).rdbuf();
  EXPECT_NE(page.str().find("```text\n" + text + "```\n"), std::string::npos) << text;
}

}  // namespace
