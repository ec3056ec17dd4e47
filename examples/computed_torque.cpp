// Computed torque: an arm of seven joints is led into a motion that it does not start on, and its errors fade as those of
// a critically damped spring, e(t) = e(0) (1 + w t) exp(-w t), whatever the arm's inertia does meanwhile.
//
//   example_computed_torque [ROOT]      ROOT: the repository, default the current folder
#include <cmath>
#include <iostream>
#include <linkwright/linkwright.hpp>

int main(int argc, char** argv) {
  const std::string root = argc > 1 ? argv[1] : ".";
  const linkwright::System system =
      linkwright::compile(linkwright::read_model(root + "/models/arm7.urdf"));
  const int nv = system.nv();
  constexpr double w = 8;

  linkwright::State start(system);
  linkwright::Simulation simulation(system, start, {.step = 5e-4});
  // Where the arm is to be: slow swings about a bent position.
  const auto reference = [nv](double t, linkwright::Reference& to) {
    for (int i = 0; i < nv; ++i) {
      const double rate = 0.5 + 0.1 * i;
      to.q[i] = 0.2 + 0.3 * std::sin(rate * t);
      to.v[i] = 0.3 * rate * std::cos(rate * t);
      to.a[i] = -0.3 * rate * rate * std::sin(rate * t);
    }
  };
  simulation.set_reference({.compute = reference});
  linkwright::Workspace work(system);
  Eigen::VectorXd a(nv);
  simulation.add_controller({.name = "computed torque",
                             .compute = [&](const linkwright::State& now,
                                            const linkwright::Reference& to, Eigen::VectorXd& tau) {
                               a = to.a + 2 * w * (to.v - now.v) + w * w * (to.q - now.q);
                               compute_inverse_dynamics(work, now, a, {}, tau);
                             }});

  linkwright::Reference to{Eigen::VectorXd(nv), Eigen::VectorXd(nv), Eigen::VectorXd(nv)};
  reference(0, to);
  const Eigen::VectorXd e0 = to.q - start.q, de0 = to.v - start.v;
  double worst = 0;
  for (int k = 1; k <= 10; ++k) {
    const double t = 0.1 * k;
    simulation.advance_to(t);
    reference(t, to);
    const Eigen::VectorXd law = (e0 + (de0 + w * e0) * t) * std::exp(-w * t);
    worst = std::max(worst, (to.q - simulation.state().q - law).norm() / e0.norm());
  }
  std::cout << "start_error " << e0.norm() << "\nend_error " << (to.q - simulation.state().q).norm()
            << "\nfarthest_from_the_law " << worst << '\n';
}
