// Reaction-null-space motion: the arms of a free-floating satellite move such that its attitude does not feel it, without
// thrusters. The base accelerates by a_p = -M_p^-1 (M_pa a_a + C_p); of the accelerations that the arms would like, the part
// that turns the base is taken away.
//
//   example_reaction_null_space [ROOT]
#include <Eigen/Dense>
#include <cmath>
#include <iostream>
#include <linkwright/linkwright.hpp>

namespace {

struct Outcome {
  double turn = 0, momentum = 0, way_of_the_arms = 0;
};

Outcome move(const linkwright::System& system, bool in_the_null_space) {
  const int nv = system.nv(), na = nv - 6;
  const linkwright::State start = initial_state(system);
  linkwright::Simulation simulation(system, start, {.step = 2e-3});
  linkwright::Workspace work(system);
  Eigen::MatrixXd M(nv, nv);
  Eigen::VectorXd bias(nv), a(nv);
  simulation.add_controller(
      {.name = "reaction null space",
       .compute = [&](const linkwright::State& now, const linkwright::Reference&,
                      Eigen::VectorXd& tau) {
         compute_mass_matrix(work, now.q, M);
         compute_inverse_dynamics(work, now, Eigen::VectorXd::Zero(nv), {}, bias);
         Eigen::VectorXd wanted(na);  // steady swings, damped
         for (int i = 0; i < na; ++i) wanted[i] = 0.4 * std::cos((0.5 + 0.13 * i) * now.t);
         wanted -= 0.3 * now.v.tail(na);
         const auto M_p = M.topLeftCorner<6, 6>().llt();
         const Eigen::MatrixXd W = -M_p.solve(M.topRightCorner(6, na));  // base rates per arm rate
         const Eigen::VectorXd free = -M_p.solve(bias.head<6>());
         if (in_the_null_space) {
           const auto turning = W.topRows<3>().completeOrthogonalDecomposition();
           const Eigen::Vector3d turn =
               W.topRows<3>() * wanted + free.head<3>() + 5 * now.v.head<3>();
           wanted -= turning.solve(turn);
         }
         a << W * wanted + free, wanted;
         tau = M * a + bias;
         tau.head<6>().setZero();  // no thrusters: what is left there is rounding
       }});
  simulation.advance_to(8);
  const linkwright::State& now = simulation.state();
  compute_mass_matrix(work, now.q, M);
  return {2 * std::atan2(now.q.segment<3>(1).norm(), std::abs(now.q[0])),
          (M.topRows<6>() * now.v).norm(), (now.q.tail(na) - start.q.tail(na)).norm()};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string root = argc > 1 ? argv[1] : ".";
  linkwright::Model model = linkwright::read_model(root + "/models/space_robot.yaml");
  model.joint_springs.clear();
  for (linkwright::Joint& joint : model.joints) joint.limits.clear();
  const linkwright::System system = compile(model);
  const Outcome quiet = move(system, true), plain = move(system, false);
  std::cout << "turn_in_the_null_space " << quiet.turn << "\nway_in_the_null_space "
            << quiet.way_of_the_arms << "\nmomentum_in_the_null_space " << quiet.momentum
            << "\nturn_otherwise " << plain.turn << "\nway_otherwise " << plain.way_of_the_arms
            << "\nmomentum_otherwise " << plain.momentum << '\n';
}
