// A free-flying satellite holds its attitude by thrusters while its two arms swing. Without thrusters it turns with them.
//
//   example_free_flyer_attitude [ROOT]
#include <cmath>
#include <iostream>
#include <linkwright/linkwright.hpp>

namespace {

struct Outcome {
  double farthest_turn = 0, end_turn = 0, arm_error = 0;
};

/// The first six entries of v are the satellite's: efforts there are moments and forces of the thrusters, in its own axes.
Outcome swing(const linkwright::System& system, bool thrusters) {
  const linkwright::State start = initial_state(system);
  const auto motion = std::make_shared<linkwright::PointToPoint>(
      system, start.q, 0,
      std::vector<linkwright::Move>{
          {{{"left_yaw", 1.2}, {"right_pitch", 0.6}, {"left_elbow", -0.5}}, 5}},
      std::vector<std::string>{"left_pitch", "right_yaw", "right_elbow"});
  linkwright::Simulation simulation(system, start, {.step = 2e-3});
  simulation.set_reference(to_source(motion));
  simulation.add_controller(
      computed_torque(system, {.joints = motion->names(), .kp = {36}, .kd = {12}}));
  if (thrusters)
    simulation.add_controller({.name = "attitude hold",
                               .compute = [](const linkwright::State& now,
                                             const linkwright::Reference&, Eigen::VectorXd& input) {
                                 // Small turns: the vector part of the quaternion is half the angle about each axis.
                                 const double sign = now.q[0] < 0 ? -1 : 1;
                                 input.head<3>() = -2500 * 2 * sign * now.q.segment<3>(1) -
                                                   2000 * now.v.head<3>();
                                 input.segment<3>(3) = -800 * now.v.segment<3>(3);
                               }});
  Outcome outcome;
  for (int k = 1; k <= 100; ++k) {
    simulation.advance_to(0.1 * k);
    const auto q = simulation.state().q.head<4>();
    outcome.end_turn = 2 * std::atan2(q.tail<3>().norm(), std::abs(q[0]));
    outcome.farthest_turn = std::max(outcome.farthest_turn, outcome.end_turn);
  }
  for (std::size_t i = 0; i < motion->coordinates().size(); ++i) {
    const double error =
        motion->value(i, 10).position - simulation.state().q[motion->coordinates()[i].q];
    outcome.arm_error = std::max(outcome.arm_error, std::abs(error));
  }
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string root = argc > 1 ? argv[1] : ".";
  linkwright::Model model = linkwright::read_model(root + "/models/space_robot.yaml");
  model.joint_springs.clear();  // motors move the arms here
  const linkwright::System system = compile(model);
  const Outcome held = swing(system, true), loose = swing(system, false);
  std::cout << "farthest_turn_with_thrusters " << held.farthest_turn << "\nend_turn_with_thrusters "
            << held.end_turn << "\nfarthest_turn_without " << loose.farthest_turn
            << "\narm_error_with_thrusters " << held.arm_error << "\narm_error_without "
            << loose.arm_error << '\n';
}
