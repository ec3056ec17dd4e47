// A four-bar stood on its head: linearised there, regulated by gains that put both of its poles at -w, and let go beside it.
//
//   example_linearize_and_regulate [ROOT]      ROOT: the repository, default the current folder
#include <cmath>
#include <iostream>
#include <linkwright/linkwright.hpp>

int main(int argc, char** argv) {
  using namespace linkwright;
  const std::string root = argc > 1 ? argv[1] : ".";
  const System system = compile(read_model(root + "/models/four_bar.yaml"));
  const int crank = system.joint("crank_pivot").q;
  ClosedWorkspace work(system);

  linear::OperatingPoint up(system);
  up.state.q[crank] = 1.5;
  if (!assemble(work, {.hold = {"crank_pivot"}}, up.state.q).assembled) return 1;
  if (!find_equilibrium(work, up).found) return 1;
  const linear::LinearModel model = linearize(work, up, {.inputs = {"tau:crank_pivot"}});
  std::cout << "unstable_before " << analyse(model).unstable.size() << '\n';

  // x = (angle, speed): A = [0 1; a b], B = [0; m].
  constexpr double w = 12;
  const double a = model.A.view()(1, 0), b = model.A.view()(1, 1), m = model.B.view()(1, 0);
  const double stiffness = (w * w + a) / m, damping = (2 * w + b) / m;

  State start(system);
  start.q = up.state.q;
  start.q[crank] += 0.05;
  if (!assemble(work, {.hold = {"crank_pivot"}}, start.q).assembled) return 1;
  const auto distance_after = [&](double seconds, bool regulated) {
    Simulation simulation(system, start, {.step = 1e-3});
    if (regulated)
      simulation.add_controller(
          {.name = "regulator",
           .compute = [&](const State& now, const Reference&, Eigen::VectorXd& tau) {
             tau[crank] = -stiffness * (now.q[crank] - up.state.q[crank]) - damping * now.v[crank];
           }});
    simulation.advance_to(seconds);
    return std::abs(simulation.state().q[crank] - up.state.q[crank]);
  };
  std::cout << "start_error " << std::abs(start.q[crank] - up.state.q[crank]) << "\nend_error "
            << distance_after(2, true) << "\ndistance_when_let_go " << distance_after(0.6, false)
            << '\n';
}
