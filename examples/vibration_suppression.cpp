// An arm at the end of a long boom stills the boom: its accelerations a_a push the passive freedoms by -M_pa a_a, and
// a_a = g M_pa^T v_p takes the power g |M_pa^T v_p|^2 out of them, whatever the shape of the vibration.
//
//   example_vibration_suppression [ROOT]
#include <Eigen/Dense>
#include <iostream>
#include <linkwright/linkwright.hpp>

namespace {

/// Where springs and gravity balance and motors hold the arm.
linkwright::State at_rest(const linkwright::System& system) {
  linkwright::ClosedWorkspace work(system);
  linkwright::linear::OperatingPoint point(system);
  find_equilibrium(work, point, {.find = linkwright::linear::EquilibriumOptions::Find::efforts});
  return point.state;
}

/// How far the tip of the boom still swings after `time` seconds, from a blow at the start.
double swing_after(const linkwright::System& system, double time, double gain) {
  const int nv = system.nv(), na = 3,
            np = nv - na;  // the arm's joints come first, elastic ones after them
  const linkwright::State rest = at_rest(system);
  linkwright::State start = rest;
  for (const linkwright::JointPlace& joint : system.joints())
    if (joint.name.starts_with("boom:bend")) start.v[joint.v] = 0.45;
  linkwright::Simulation simulation(system, start, {.step = 2e-4});
  linkwright::Workspace work(system);
  Eigen::MatrixXd M(nv, nv);
  Eigen::VectorXd a(nv), lacking(nv);
  simulation.add_controller({.name = "vibration suppression",
                             .period = 1e-3,
                             .compute = [&](const linkwright::State& now,
                                            const linkwright::Reference&, Eigen::VectorXd& tau) {
                               compute_mass_matrix(work, now.q, M);
                               a.setZero();
                               a.head(na) = gain * M.topRightCorner(na, np) * now.v.tail(np) -
                                            4 * (now.q - rest.q).head(na) - 4 * now.v.head(na);
                               // Passive freedoms take the acceleration that needs no effort there.
                               compute_inverse_dynamics(work, now, a, {}, lacking);
                               a.tail(np) =
                                   -M.bottomRightCorner(np, np).llt().solve(lacking.tail(np));
                               tau.head(na) =
                                   lacking.head(na) + M.topRightCorner(na, np) * a.tail(np);
                             }});
  const linkwright::FrameId tip = system.frame("tip");
  const auto height = [&](const linkwright::State& now) {
    compute_forward_kinematics(work, now, Eigen::VectorXd::Zero(nv));
    return frame_pose(work, tip).translation.z;
  };
  const double still = height(rest);
  double swing = 0;
  for (double t = time - 1; t < time; t += 0.01) {  // over the last second
    simulation.advance_to(t);
    swing = std::max(swing, std::abs(height(simulation.state()) - still));
  }
  return swing;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string root = argc > 1 ? argv[1] : ".";
  const linkwright::System system =
      compile(linkwright::read_model(root + "/models/arm_on_beam.yaml"));
  std::cout << "swing_after_1_second " << swing_after(system, 1, 0) << "\nswing_after_4_seconds "
            << swing_after(system, 4, 0) << "\nswing_after_4_seconds_suppressed "
            << swing_after(system, 4, 16) << '\n';
}
