// A five-bar: two motors on the ground move one point over the plane, through a closed loop. What the motors give is what the
// energy gains, since nothing in the loop rubs.
//
//   example_five_bar [ROOT]      ROOT: the repository, default the current folder
#include <cmath>
#include <iostream>
#include <linkwright/linkwright.hpp>

int main(int argc, char** argv) {
  using namespace linkwright;
  const std::string root = argc > 1 ? argv[1] : ".";
  const System system = compile(read_model(root + "/models/five_bar.yaml"));
  ClosedWorkspace work(system);
  State start = initial_state(system);
  if (!assemble(work, {.hold = {"left_motor", "right_motor"}}, start.q).assembled) return 1;
  std::cout << "mobility " << compute_mobility(work, start.q).mobility << '\n';

  // One motor after the other; the other joints follow through the loop.
  const std::vector<Move> moves{{{{"left_motor", 0.3}}, 0.5}, {{{"right_motor", -0.2}}, 0.5}};
  const auto motion = std::make_shared<PointToPoint>(system, start.q, 0, moves);
  Simulation simulation(system, start, {.step = 5e-4});
  simulation.set_reference(to_source(motion));
  simulation.add_controller(
      computed_torque(system, {.joints = motion->names(), .kp = {400}, .kd = {40}}));

  const auto energy = [&work](const State& state) {
    const Energy of = compute_energy(work, state);
    return of.kinetic + of.potential;
  };
  double given = 0, before = 0, time = 0;
  simulation.run(1, 1e-3, [&](const Snapshot& at) {
    const double power = at.tau.dot(at.now.state.v);
    given += 0.5 * (before + power) * (at.now.state.t - time);
    before = power, time = at.now.state.t;
    return true;
  });
  const State& end = simulation.state();
  std::cout << "left_error " << std::abs(end.q[system.joint("left_motor").q] - 0.3)
            << "\nright_error " << std::abs(end.q[system.joint("right_motor").q] + 0.2)
            << "\nclosure_error " << simulation.statistics().closure_error << "\nwork " << given
            << "\nwork_error " << std::abs(given - (energy(end) - energy(start))) << '\n';
}
