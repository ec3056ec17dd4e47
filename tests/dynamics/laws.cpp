#include "dynamics/laws.hpp"

#include <algorithm>

#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/sweeps/kinematics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"
#include "support/dual_position.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using spatial::Dual;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double ceiling = 1e-6;  // of relative bounds

/// Everything a law needs at one random state.
struct Case {
  const System& system;
  Workspace work;
  State state;
  VectorXd a, tau;
  MatrixXd M;
  // Laws that end in a residual (efforts, energies, momenta) hold to `rounding`, whatever κ(M) is: ε for each
  // of the 6 N numbers of a stacked spatial vector, a few times over. Where M⁻¹ is applied on the way to what
  // is compared, κ(M) belongs to the bound; `amplified` has it, with a ceiling above which nothing is compared.
  double rounding, amplified;
  double load;  // size of the forces that cancel in the joints before an effort is left over

  Case(const System& s, RandomModel& random)
      : system(s),
        work(s),
        state(random.state(s)),
        a(random.numbers(s.nv())),
        tau(random.numbers(s.nv(), 5)),
        M(s.nv(), s.nv()) {
    compute_mass_matrix(work, state.q, M);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(M);
    const double condition = eigen.eigenvalues().maxCoeff() / eigen.eigenvalues().minCoeff();
    EXPECT_GT(eigen.eigenvalues().minCoeff(), 0);
    rounding = 16 * epsilon * 6 * s.node_count();
    amplified = 2 * condition * epsilon * 6 * s.node_count();
    EXPECT_LT(amplified, ceiling) << "κ(M) = " << condition << ": this case would show nothing";
    std::vector<Force> reactions(s.joints().size());
    compute_reactions(work, state, a, {}, reactions);
    load = 0;
    for (const Force& f : reactions) load += norm(f.moment) + norm(f.force);
  }
  VectorXd inverse_dynamics(const VectorXd& acceleration, ExternalForces forces = {}) {
    VectorXd out(system.nv());
    compute_inverse_dynamics(work, state, acceleration, forces, out);
    return out;
  }
  VectorXd forward_dynamics(ExternalForces forces = {}) {
    VectorXd out(system.nv());
    compute_forward_dynamics(work, state, tau, forces, out);
    return out;
  }
};

void expect_inverse_of_each_other(Case& c) {
  const VectorXd a = c.forward_dynamics();
  const VectorXd back = c.inverse_dynamics(a);
  const double scale = c.M.norm() * a.norm() + c.tau.norm() + c.load;
  EXPECT_LE((back - c.tau).norm(), c.rounding * scale) << "ID(FD(tau)) = tau";
}

void expect_mass_matrix_from_unit_accelerations(Case& c) {
  const VectorXd bias = c.inverse_dynamics(VectorXd::Zero(c.system.nv()));
  for (int i = 0; i < c.system.nv(); ++i) {
    const VectorXd column = c.inverse_dynamics(VectorXd::Unit(c.system.nv(), i)) - bias;
    EXPECT_LE((column - c.M.col(i)).norm(), c.rounding * (c.M.norm() + c.load)) << "column " << i;
  }
  EXPECT_EQ(c.M, c.M.transpose()) << "the two triangles are written together";
}

void expect_inverse_mass_matrix(Case& c) {
  const int n = c.system.nv();
  MatrixXd inverse(n, n);
  compute_mass_matrix_inverse(c.work, c.state.q, inverse);
  EXPECT_LE((c.M * inverse - MatrixXd::Identity(n, n)).norm(),
            c.rounding * c.M.norm() * inverse.norm())
      << "M M⁻¹ = I";
  VectorXd x(n);
  compute_mass_matrix_solve(c.work, c.state.q, c.tau, x);
  EXPECT_LE((c.M * x - c.tau).norm(), c.rounding * (c.M.norm() * x.norm() + c.tau.norm()))
      << "M (M⁻¹ tau) = tau";
  EXPECT_LE((x - inverse * c.tau).norm(), c.amplified * inverse.norm() * c.tau.norm());
}

void expect_skew(Case& c) {
  const int n = c.system.nv();
  MatrixXd C(n, n);
  compute_coriolis_matrix(c.work, c.state, C);
  Scratch<Dual> dual(c.system.tree());
  const std::vector<Dual> q = dual_position(c.system, c.state.q, c.state.v);
  std::vector<Dual> M(static_cast<std::size_t>(n * n));
  sweeps::place_joints(c.system.tree(), dual, q.data());
  sweeps::mass_matrix(c.system.tree(), dual, M.data(), n);
  MatrixXd rate(n, n);
  for (int i = 0; i < n * n; ++i) rate(i % n, i / n) = M[static_cast<std::size_t>(i)].d;
  const MatrixXd skew = rate - 2 * C;
  EXPECT_LE((skew + skew.transpose()).norm(), c.rounding * (rate.norm() + C.norm() + c.M.norm()))
      << "Ṁ − 2C";
  VectorXd coriolis(n), bias(n), gravity(n);
  compute_coriolis(c.work, c.state, coriolis);
  compute_bias(c.work, c.state, bias);
  compute_gravity(c.work, c.state.q, gravity);
  EXPECT_LE((C * c.state.v - coriolis).norm(), c.rounding * (C.norm() + c.load)) << "C v";
  EXPECT_LE((coriolis + gravity - bias).norm(), c.rounding * c.load) << "bias";
}

void expect_energy(Case& c) {
  const Energy energy = compute_energy(c.work, c.state);
  const double kinetic = 0.5 * c.state.v.dot(c.M * c.state.v);
  EXPECT_NEAR(energy.kinetic, kinetic, c.rounding * (energy.kinetic + c.M.norm()));
}

/// Total linear and angular momentum about the world's origin as dual numbers along (q̇, v̇).
std::pair<spatial::Force<Dual>, double> momentum_rate(Case& c, const VectorXd& a) {
  const auto& tree = c.system.tree();
  Scratch<Dual> s(tree);
  const std::vector<Dual> q = dual_position(c.system, c.state.q, c.state.v);
  std::vector<Dual> v;
  for (int i = 0; i < c.system.nv(); ++i) v.emplace_back(c.state.v[i], a[i]);
  sweeps::place_joints(tree, s, q.data());
  sweeps::poses<sweeps::Origin::world>(tree, s);
  sweeps::velocities(tree, s, v.data());
  spatial::Force<Dual> total{};
  double size = 0;
  for (std::size_t k = 1; k < tree.nodes.size(); ++k) {
    const auto h = to_parent(s.pose[k], tree.nodes[k].M * s.V[k]);
    total += h;
    size += std::abs(h.moment.x.d) + std::abs(h.moment.y.d) + std::abs(h.moment.z.d) +
            std::abs(h.force.x.d) + std::abs(h.force.y.d) + std::abs(h.force.z.d);
  }
  return {total, size};
}

/// Whether a joint connects what moves with what does not.
bool is_at_world(const System& system, const JointPlace& joint) {
  return joint.nv > 0 && (joint.parent < 0 || system.frame(FrameId{joint.parent + 1}).node == 0);
}

/// Whether it then passes nothing on as long as nobody pushes: a rotor would stand on the world.
bool floats(const System& system, const JointPlace& joint) {
  const double* rotor = system.rotor_inertia().data() + joint.v;
  return joint.type == JointType::free &&
         std::none_of(rotor, rotor + joint.nv, [](double x) { return x != 0; });
}

/// What acts from outside, about the world's origin: gravity, and what the joints at the world pass
/// on. All other forces are internal. Where the base floats and has no effort the law holds without
/// the reactions' help.
Force outside_forces(Case& c, const VectorXd& a) {
  std::vector<Force> reactions(c.system.joints().size());
  compute_reactions(c.work, c.state, a, {}, reactions);
  compute_forward_kinematics(c.work, c.state, a);
  const CentreOfMass centre = system_centre_of_mass(c.work);
  const Vector3 weight = centre.mass * c.system.model().gravity;
  Force total{cross(centre.position, weight), weight};
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    const JointPlace& joint = c.system.joints()[j];
    if (!is_at_world(c.system, joint) || floats(c.system, joint)) continue;
    total += to_parent(frame_pose(c.work, FrameId{joint.frame}), reactions[j]);
  }
  return total;
}

void expect_momentum_follows_outside_forces(Case& c) {
  for (const JointPlace& joint : c.system.joints())
    if (is_at_world(c.system, joint) && floats(c.system, joint))
      c.tau.segment(joint.v, joint.nv).setZero();
  const VectorXd a = c.forward_dynamics();
  const auto [rate, size] = momentum_rate(c, a);
  const Force outside = outside_forces(c, a);
  const double bound =
      c.rounding * (size + c.tau.norm() + c.load + norm(outside.moment) + norm(outside.force));
  EXPECT_NEAR(rate.moment.x.d, outside.moment.x, bound) << "momentum follows outside forces";
  EXPECT_NEAR(rate.moment.y.d, outside.moment.y, bound);
  EXPECT_NEAR(rate.moment.z.d, outside.moment.z, bound);
  EXPECT_NEAR(rate.force.x.d, outside.force.x, bound);
  EXPECT_NEAR(rate.force.y.d, outside.force.y, bound);
  EXPECT_NEAR(rate.force.z.d, outside.force.z, bound);
}

Motion pose_difference(const Pose& from, const Pose& to) {
  const Pose step = inverse(from) * to;
  const Vector3 r = spatial::log_rotation(spatial::to_quaternion(step.rotation));
  return {r, spatial::solve_exp_coupling(r, step.translation)};
}

Pose tip_after(Case& c, const VectorXd& v, double dt, FrameId tip) {
  State moved = c.state;
  compute_integral(c.system, c.state.q, v, dt, moved.q);
  compute_forward_kinematics(c.work, moved, VectorXd::Zero(c.system.nv()));
  return frame_pose(c.work, tip);
}

void expect_jacobian(Case& c) {
  const int n = c.system.nv();
  const FrameId tip = c.system.frame("tip");
  MatrixXd J(6, n), world(6, n);
  compute_jacobian(c.work, c.state.q, tip, Axes::own, J);
  // Fourth-order differences on the group: error h⁴ and ε/h, both near 1e-12 at h = 1e-3.
  const double h = 1e-3;
  for (int i = 0; i < n; ++i) {
    const VectorXd e = VectorXd::Unit(n, i);
    const auto diff = [&](double step) {
      return to_eigen(pose_difference(tip_after(c, e, -step, tip), tip_after(c, e, step, tip)));
    };
    const Eigen::Matrix<double, 6, 1> slope = (8 * diff(h) - diff(2 * h)) / (12 * h);
    EXPECT_LE((slope - J.col(i)).norm(), 1e-10 * (1 + J.norm())) << "column " << i;
  }
  compute_forward_kinematics(c.work, c.state, c.a);
  const double scale = 1 + J.norm();
  EXPECT_LE((to_eigen(frame_velocity(c.work, tip, Axes::own)) - J * c.state.v).norm(),
            c.rounding * scale * (1 + c.state.v.norm()));
  compute_jacobian(c.work, c.state.q, tip, Axes::world, world);
  compute_forward_kinematics(c.work, c.state, c.a);
  const auto acceleration = to_eigen(frame_acceleration(c.work, tip, Axes::world));
  EXPECT_LE((to_eigen(frame_velocity(c.work, tip, Axes::world)) - world * c.state.v).norm(),
            c.rounding * scale * (1 + c.state.v.norm()));
  const auto bias =
      to_eigen(compute_jacobian_rate_times_velocity(c.work, c.state, tip, Axes::world));
  EXPECT_LE((acceleration - world * c.a - bias).norm(),
            c.rounding * scale * (acceleration.norm() + bias.norm() + c.a.norm()));
}

/// J̇ v against a derivative: the world-axes velocity of the tip along q̇, with v held.
void expect_acceleration_is_derivative_of_velocity(Case& c) {
  const auto& tree = c.system.tree();
  Scratch<Dual> s(tree);
  const std::vector<Dual> q = dual_position(c.system, c.state.q, c.state.v);
  std::vector<Dual> v;
  for (int i = 0; i < c.system.nv(); ++i) v.emplace_back(c.state.v[i], c.a[i]);
  sweeps::place_joints(tree, s, q.data());
  sweeps::poses<sweeps::Origin::world>(tree, s);
  sweeps::velocities(tree, s, v.data());
  const FrameId tip = c.system.frame("tip");
  const FramePlace& place = c.system.frame(tip);
  const auto k = static_cast<std::size_t>(place.node);
  const auto V = spatial::shift(place.pose.translation, s.V[k]);
  const auto angular = s.pose[k].rotation * V.angular, linear = s.pose[k].rotation * V.linear;
  compute_forward_kinematics(c.work, c.state, c.a);
  const Motion alpha = frame_acceleration(c.work, tip, Axes::world);
  const double bound =
      c.rounding * (1 + norm(alpha.linear) + norm(alpha.angular)) * (1 + c.state.v.squaredNorm());
  EXPECT_NEAR(angular.x.d, alpha.angular.x, bound);
  EXPECT_NEAR(angular.y.d, alpha.angular.y, bound);
  EXPECT_NEAR(angular.z.d, alpha.angular.z, bound);
  EXPECT_NEAR(linear.x.d, alpha.linear.x, bound);
  EXPECT_NEAR(linear.y.d, alpha.linear.y, bound);
  EXPECT_NEAR(linear.z.d, alpha.linear.z, bound);
}

void expect_external_forces_act_through_the_jacobian(Case& c, RandomModel& random) {
  const FrameId tip = c.system.frame("tip");
  for (const Axes axes : {Axes::own, Axes::world}) {
    const ExternalForce push{tip, {random.vector(3), random.vector(3)}, axes};
    MatrixXd J(6, c.system.nv());
    compute_jacobian(c.work, c.state.q, tip, axes, J);
    const VectorXd free = c.inverse_dynamics(c.a);
    const VectorXd pushed = c.inverse_dynamics(c.a, {&push, 1});
    const VectorXd expected = J.transpose() * to_eigen(push.force);
    EXPECT_LE((free - pushed - expected).norm(),
              c.rounding * (c.load + expected.norm() + J.norm()));
    const VectorXd a = c.forward_dynamics({&push, 1});
    const double scale = c.M.norm() * a.norm() + c.tau.norm() + c.load + pushed.norm();
    EXPECT_LE((c.inverse_dynamics(a, {&push, 1}) - c.tau).norm(), c.rounding * scale);
  }
}

/// The public sums against the sweeps: momentum about the world's origin, moved to the centre of mass.
void expect_momentum_and_centre_of_mass(Case& c) {
  const auto [total, size] = momentum_rate(c, c.a);
  const Momentum momentum = compute_momentum(c.work, c.state);
  const CentreOfMass centre = compute_centre_of_mass(c.work, c.state);
  const Vector3 linear{total.force.x.x, total.force.y.x, total.force.z.x};
  const Vector3 about_origin{total.moment.x.x, total.moment.y.x, total.moment.z.x};
  const double bound = c.rounding * (1 + norm(linear) + norm(about_origin) + c.M.norm());
  EXPECT_LE(norm(momentum.linear - linear), bound);
  EXPECT_LE(norm(momentum.linear - centre.mass * centre.velocity), bound);
  EXPECT_LE(norm(momentum.angular - (about_origin - cross(centre.position, linear))), bound);
  EXPECT_NEAR(centre.mass, c.system.moving_mass(), c.rounding * centre.mass);
  // The centre of mass moves with its velocity.
  const auto position_after = [&](double dt) {
    State moved = c.state;
    compute_integral(c.system, c.state.q, c.state.v, dt, moved.q);
    return compute_centre_of_mass(c.work, moved).position;
  };
  const double h = 1e-3;
  const Vector3 slope = (1 / (12 * h)) * (8.0 * (position_after(h) - position_after(-h)) -
                                          (position_after(2 * h) - position_after(-2 * h)));
  EXPECT_LE(norm(slope - centre.velocity), 1e-9 * (1 + norm(centre.velocity)));
}

void expect_group(Case& c) {
  VectorXd q(c.system.nq()), back(c.system.nv());
  const VectorXd step = 0.3 * c.state.v;
  compute_integral(c.system, c.state.q, step, 1, q);
  compute_difference(c.system, c.state.q, q, back);
  EXPECT_LE((back - step).norm(), 64 * epsilon * (1 + step.norm()) * c.system.node_count())
      << "q ⊖ (q ⊕ v) = v";
  for (const int j : c.system.quaternion_joints())
    EXPECT_NEAR(q.segment<4>(c.system.joints()[static_cast<std::size_t>(j)].quaternion).norm(), 1,
                4 * epsilon);
}

/// Where nothing moves the laws have no numbers; the functions still answer.
void expect_nothing_to_compute(const System& system, unsigned seed) {
  Workspace work(system);
  const State state(system);
  VectorXd none(0);
  EXPECT_NO_THROW(compute_forward_dynamics(work, state, none, {}, none)) << "seed " << seed;
  EXPECT_NO_THROW(compute_inverse_dynamics(work, state, none, {}, none)) << "seed " << seed;
  EXPECT_EQ(compute_energy(work, state).kinetic, 0);
}

}  // namespace

void expect_laws(const System& system, unsigned seed) {
  if (system.nv() == 0) return expect_nothing_to_compute(system, seed);
  RandomModel random(seed);
  Case c(system, random);
  expect_inverse_of_each_other(c);
  expect_mass_matrix_from_unit_accelerations(c);
  expect_inverse_mass_matrix(c);
  expect_skew(c);
  expect_energy(c);
  expect_jacobian(c);
  expect_acceleration_is_derivative_of_velocity(c);
  expect_external_forces_act_through_the_jacobian(c, random);
  expect_momentum_and_centre_of_mass(c);
  expect_group(c);
  expect_momentum_follows_outside_forces(c);
}

}  // namespace linkwright::testing
