// Two arms carry a box between them: the box follows its own law of motion, and the force with which the hands squeeze
// it is held at a set value, also where the arms are heavier than their controller believes.
//
//   example_cooperative_object
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <iostream>
#include <linkwright/linkwright.hpp>

namespace {

using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
constexpr double w = 5, squeeze = 30, g = 9.81, box_mass = 3, box_inertia = 0.06;

// A vertical plane: angle about y, then x and z. Arms of three joints, hands that look into the box along their z.
const char* const text = R"(linkwright: 1
bodies:
  - &upper {name: left1, mass: 2, com: [0, 0, 0.25], inertia: [0.04, 0.04, 0.004, 0, 0, 0]}
  - &lower {name: left2, mass: 1.5, com: [0, 0, 0.2], inertia: [0.02, 0.02, 0.002, 0, 0, 0]}
  - &hand {name: left3, mass: 0.5, com: [0, 0, 0.05], inertia: [1.0e-3, 1.0e-3, 5.0e-4, 0, 0, 0]}
  - {<<: *upper, name: right1}
  - {<<: *lower, name: right2}
  - {<<: *hand, name: right3}
joints:
  - {name: left_a, type: revolute, parent: world, child: left1, axis: [0, 1, 0], pose: {xyz: [-0.6, 0, 0]}}
  - {name: left_b, type: revolute, parent: left1, child: left2, axis: [0, 1, 0], pose: {xyz: [0, 0, 0.5]}}
  - {name: left_c, type: revolute, parent: left2, child: left3, axis: [0, 1, 0], pose: {xyz: [0, 0, 0.4]}}
  - {name: right_a, type: revolute, parent: world, child: right1, axis: [0, 1, 0], pose: {xyz: [0.6, 0, 0]}}
  - {name: right_b, type: revolute, parent: right1, child: right2, axis: [0, 1, 0], pose: {xyz: [0, 0, 0.5]}}
  - {name: right_c, type: revolute, parent: right2, child: right3, axis: [0, 1, 0], pose: {xyz: [0, 0, 0.4]}}
objects: [{name: box, mass: 3, inertia: [0.06, 0.06, 0.06, 0, 0, 0], pose: {xyz: [0, 0, 0.45]}}]
frames:
  - {name: left_hand, body: left3, pose: {xyz: [0, 0, 0.1]}}
  - {name: right_hand, body: right3, pose: {xyz: [0, 0, 0.1]}}
grasps:
  - {name: left_grip, arm: left_hand, object: box, at: {xyz: [-0.2, 0, 0], rpy: [0, 1.5707963267948966, 0]}}
  - {name: right_grip, arm: right_hand, object: box, at: {xyz: [0.2, 0, 0], rpy: [0, -1.5707963267948966, 0]}}
state: {q: {left_a: -0.2, left_b: 1.3, left_c: 0.5, right_a: 0.2, right_b: -1.3, right_c: -0.5}}
)";

linkwright::System two_arms(double more_in_the_left_hand) {
  linkwright::Model model = linkwright::parse_system_file(text, "two_arms.yaml");
  model.bodies[2].mass += more_in_the_left_hand;
  return compile(model);
}

/// Of the box, in the plane.
struct Planar {
  Vector3d place, rate;
};
Planar box_of(linkwright::Workspace& tree, const linkwright::State& now) {
  const linkwright::System& system = tree.system();
  compute_forward_kinematics(tree, now, VectorXd::Zero(system.nv()));
  const linkwright::Pose pose = frame_pose(tree, system.frame("box"));
  const linkwright::Motion V = frame_velocity(tree, system.frame("box"), linkwright::Axes::world);
  return {{std::atan2(pose.rotation.xz, pose.rotation.zz), pose.translation.x, pose.translation.z},
          {V.angular.y, V.linear.x, V.linear.z}};
}

/// What the arms must do for this acceleration of the box and this squeeze.
class ObjectControl {
 public:
  explicit ObjectControl(const linkwright::System& believed)
      : tree_(believed, linkwright::Closures::leave_out), J_(6, believed.nv()) {}

  void compute(const linkwright::State& now, const Planar& box, const Vector3d& A, double force,
               VectorXd& tau) {
    const linkwright::System& system = tree_.system();
    const double c = std::cos(box.place[0]), s = std::sin(box.place[0]), turn = box.rate[0];
    VectorXd a = VectorXd::Zero(system.nv()), bias(system.nv());
    Eigen::Matrix<double, 3, 6> W;  // forces of the hands on the box, at its middle
    std::array<Eigen::Matrix3d, 2> J;
    for (int i = 0; i < 2; ++i) {
      const linkwright::FrameId hand = system.frame(i == 0 ? "left_hand" : "right_hand");
      const double at = i == 0 ? -0.2 : 0.2, rx = at * c, rz = -at * s;
      W.middleCols<3>(3 * i) << 1, rz, -rx, 0, 1, 0, 0, 0, 1;
      compute_jacobian(tree_, now.q, hand, linkwright::Axes::world, J_);
      for (int row = 0; row < 3; ++row) J[i].row(row) = J_.row(2 * row + 1).segment<3>(3 * i);
      const auto drift =
          compute_jacobian_rate_times_velocity(tree_, now, hand, linkwright::Axes::world);
      const Vector3d hand_acceleration =
          W.middleCols<3>(3 * i).transpose() * A - turn * turn * Vector3d(0, rx, rz);
      a.segment<3>(3 * i) =
          J[i].inverse() *
          (hand_acceleration - Vector3d(drift.angular.y, drift.linear.x, drift.linear.z));
    }
    const Vector3d wrench(box_inertia * A[0], box_mass * A[1], box_mass * (A[2] + g));
    Eigen::Matrix<double, 6, 1> f =
        W.completeOrthogonalDecomposition().solve(wrench);  // shared alike
    f += force * (Eigen::Matrix<double, 6, 1>() << 0, c, -s, 0, -c, s).finished();
    compute_inverse_dynamics(tree_, now, a, {}, bias);
    for (int i = 0; i < 2; ++i)
      tau.segment<3>(3 * i) = bias.segment<3>(3 * i) + J[i].transpose() * f.segment<3>(3 * i);
  }

 private:
  linkwright::Workspace tree_;
  MatrixXd J_;
};

/// Half of what the two hands press against each other; a sensor would tell it.
double measured_squeeze(linkwright::ClosedWorkspace& work, const linkwright::State& now,
                        const VectorXd& tau) {
  VectorXd a(work.system().nv());
  std::vector<linkwright::Force> forces(work.system().closures().size());
  compute_forward_dynamics(work, now, tau, {}, a);
  closure_forces(work, forces);
  return 0.5 * (forces[0].force.z + forces[1].force.z);
}

struct Outcome {
  double from_the_law = 0, squeeze = 0;
};
Outcome carry(double unknown_mass, double integral_gain) {
  const linkwright::System plant = two_arms(unknown_mass), believed = two_arms(0);
  linkwright::ClosedWorkspace sensor(plant);
  linkwright::State start = initial_state(plant);
  if (!assemble(sensor, {.hold = {"box"}}, start.q).assembled)
    throw linkwright::Error("the arms cannot reach the box");
  linkwright::Workspace tree(believed, linkwright::Closures::leave_out);
  const Planar first = box_of(tree, start);
  const Vector3d goal = first.place + Vector3d(0.25, 0.06, 0.08);
  ObjectControl control(believed);
  linkwright::Simulation simulation(plant, start, {});
  VectorXd last = VectorXd::Zero(plant.effort_count());
  double more = 0;
  simulation.add_controller(
      {.name = "object and squeeze",
       .period = integral_gain > 0 ? 1e-3 : 0,
       .compute = [&](const linkwright::State& now, const linkwright::Reference&, VectorXd& tau) {
         if (integral_gain > 0 && now.t > 0)
           more += 1e-3 * integral_gain * (squeeze - measured_squeeze(sensor, now, last));
         const Planar box = box_of(tree, now);
         control.compute(now, box, w * w * (goal - box.place) - 2 * w * box.rate, squeeze + more,
                         tau);
         last = tau;
       }});
  Outcome outcome;
  const Vector3d e0 = goal - first.place;
  for (int k = 1; k <= 8; ++k) {
    const double t = 0.25 * k;
    simulation.advance_to(t);
    const Vector3d error = goal - box_of(tree, simulation.state()).place;
    outcome.from_the_law =
        std::max(outcome.from_the_law, (error - e0 * (1 + w * t) * std::exp(-w * t)).norm());
  }
  outcome.squeeze = measured_squeeze(sensor, simulation.state(), last);
  return outcome;
}

}  // namespace

int main() {
  const Outcome exact = carry(0, 0), heavier = carry(0.8, 0), regulated = carry(0.8, 20);
  std::cout << "farthest_from_the_law " << exact.from_the_law << "\nset " << squeeze << "\nsqueeze "
            << exact.squeeze << "\nsqueeze_of_heavier_arms " << heavier.squeeze
            << "\nsqueeze_of_heavier_arms_regulated " << regulated.squeeze << '\n';
}
