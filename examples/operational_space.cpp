// Operational space control: the tool of an arm of seven joints goes where it is told, as a unit mass on a spring, while the
// joints come as near to where they were as the tool allows, without its noticing.
//
//   example_operational_space [ROOT]
#include <Eigen/Dense>
#include <cmath>
#include <iostream>
#include <linkwright/linkwright.hpp>

int main(int argc, char** argv) {
  const std::string root = argc > 1 ? argv[1] : ".";
  const linkwright::System system =
      linkwright::compile(linkwright::read_model(root + "/models/arm7.urdf"));
  const int nv = system.nv();
  const linkwright::FrameId tool = system.frame("tool");
  constexpr double w = 4;  // 1/s, critically damped

  linkwright::State start(system);
  start.q << 0.3, 0.5, -0.2, 1.1, 0.4, 0.6, 0.1;
  start.v[2] = 0.8, start.v[4] = -1;  // the arm is in motion
  linkwright::Workspace work(system);
  const auto place = [&](const linkwright::State& now) -> Eigen::Vector3d {
    compute_forward_kinematics(work, now, Eigen::VectorXd::Zero(nv));
    return linkwright::to_eigen(frame_pose(work, tool).translation);
  };
  const auto speed = [&]() -> Eigen::Vector3d {
    return linkwright::to_eigen(frame_velocity(work, tool, linkwright::Axes::world).linear);
  };
  const Eigen::Vector3d goal = place(start) + Eigen::Vector3d(-0.05, 0.08, 0.06);

  linkwright::Simulation simulation(system, start, {.step = 5e-4});
  Eigen::MatrixXd J(6, nv), M(nv, nv);
  Eigen::VectorXd bias(nv);
  simulation.add_controller(
      {.name = "operational space",
       .compute = [&](const linkwright::State& now, const linkwright::Reference&,
                      Eigen::VectorXd& tau) {
         const Eigen::Vector3d x = place(now), dx = speed();
         compute_jacobian(work, now.q, tool, linkwright::Axes::world, J);
         compute_mass_matrix(work, now.q, M);
         const auto Jdot_v =
             compute_jacobian_rate_times_velocity(work, now, tool, linkwright::Axes::world);
         compute_inverse_dynamics(work, now, Eigen::VectorXd::Zero(nv), {}, bias);
         const Eigen::MatrixXd Jx = J.bottomRows<3>(), M_inv_Jt = M.llt().solve(Jx.transpose());
         const Eigen::Matrix3d inertia = (Jx * M_inv_Jt).inverse();  // felt at the tool
         const Eigen::Vector3d wanted =
             w * w * (goal - x) - 2 * w * dx - linkwright::to_eigen(Jdot_v.linear);
         const Eigen::VectorXd rest =
             M * (9 * (start.q - now.q) - 6 * now.v);  // draws every joint back ...
         tau = Jx.transpose() * (inertia * wanted) + bias + rest -
               Jx.transpose() * (inertia * (M_inv_Jt.transpose() *
                                            rest));  // ... as far as the tool does not feel it
       }});

  const Eigen::Vector3d e0 = goal - place(start), de0 = -speed();
  double worst = 0;
  for (int k = 1; k <= 10; ++k) {
    const double t = 0.3 * k;
    simulation.advance_to(t);
    const Eigen::Vector3d law = (e0 + (de0 + w * e0) * t) * std::exp(-w * t);
    worst = std::max(worst, (goal - place(simulation.state()) - law).norm() / e0.norm());
  }
  std::cout << "start_error " << e0.norm() << "\nend_error "
            << (goal - place(simulation.state())).norm() << "\nfarthest_from_the_law " << worst
            << "\njoint_speed_at_start " << start.v.norm() << "\njoint_speed_at_end "
            << simulation.state().v.norm() << '\n';
}
