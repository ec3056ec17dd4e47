#include "coordinates/compare.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"

namespace linkwright::testing {

double condition_of(const MatrixXd& A) {
  const VectorXd values = Eigen::JacobiSVD<MatrixXd>(A).singularValues();
  return values.size() == 0 ? 1 : values[0] / values[values.size() - 1];
}

std::vector<std::string> names_of(const System& system, const std::vector<int>& entries) {
  std::vector<std::string> out;
  for (const int i : entries) out.push_back(system.velocity_names()[static_cast<std::size_t>(i)]);
  return out;
}

VectorXd entries_of(const VectorXd& x, const std::vector<int>& entries) {
  VectorXd out(static_cast<Index>(entries.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = x[entries[static_cast<std::size_t>(i)]];
  return out;
}

std::vector<Force> wrenches(ClosedWorkspace& work, const State& state, const VectorXd& lambda) {
  compute_forward_kinematics(work.tree(), state, VectorXd::Zero(state.v.size()));
  const auto pose_of = [&](int node, const Pose& at) {
    for (std::size_t i = 0; i < work.system().frames().size(); ++i) {
      const FramePlace& frame = work.system().frames()[i];
      if (frame.node == node)
        return frame_pose(work.tree(), FrameId{static_cast<int>(i)}) * inverse(frame.pose) * at;
    }
    throw Error("no frame on the node");
  };
  std::vector<Force> out;
  for (const ClosurePlace& c : work.system().closures()) {
    Force sum{};
    if (c.kind == PairKind::gear) {
      sum.moment.z = lambda[c.row];
    } else {
      closure::Meeting<double> m;
      m.X = inverse(pose_of(c.node_a, c.at_a)) * pose_of(c.node_b, c.at_b);
      for (int i = 0; i < c.rows; ++i) sum += lambda[c.row + i] * closure::row_of(c, m, i).W;
    }
    out.push_back(sum);
  }
  return out;
}

std::vector<Force> closing_wrenches(ClosedWorkspace& work, const State& state, const VectorXd& a) {
  const System& system = work.system();
  const auto count = static_cast<Eigen::Index>(system.closing_names().size());
  VectorXd efforts(count), bias(count);
  MatrixXd L(count, system.nv());
  compute_closing_forces(work, state, efforts);
  compute_closing_bias(work, state, bias);
  compute_closing_jacobian(work, state.q, L);
  bias += L * a;
  std::vector<Force> out;
  for (const ClosurePlace& c : system.closures()) {
    closure::Meeting<double> m;
    const auto& pose = work.tree().scratch().pose;
    m.X = closure::relative_pose(c, pose[static_cast<std::size_t>(c.node_a)],
                                 pose[static_cast<std::size_t>(c.node_b)]);
    Force sum{};
    for (int i = 0; i < c.freedoms; ++i)
      sum += (efforts[c.closing + i] - c.freedom[i].rotor * bias[c.closing + i]) *
             closure::closing_row(c, m, i).W;
    out.push_back(sum);
  }
  return out;
}

double distance(const std::vector<Force>& a, const std::vector<Force>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (to_eigen(a[i] - b[i])).norm());
  return most;
}

double size_of(const std::vector<Force>& a) { return distance(a, std::vector<Force>(a.size())); }

void expect_same_motion(ClosedWorkspace& work, const State& state, const VectorXd& tau,
                        const Mechanism& found, const std::string& where, ExternalForces forces) {
  const System& system = work.system();
  VectorXd a(system.nv()), all(system.nv()), lambda(work.rows());
  compute_forward_dynamics(work, state, tau, forces, a, ClosedMethod::independent);
  std::vector<Force> held(system.closures().size());
  closure_forces(work, held);
  coordinates::compute_forward_dynamics(found, state, tau, all);
  compute_constraint_forces(found, state, tau, all, lambda);

  const std::vector<Force> besides = closing_wrenches(work, state, a);
  for (std::size_t i = 0; i < held.size(); ++i) held[i] -= besides[i];
  const DynamicModel open = compute_joint_model(work, state, forces);
  const double size_G = 1 + found.joints.G.view().norm();
  const double inertia = open.inertia.view().norm();
  const double bound = slack * found.condition * epsilon *
                       condition_of(found.model.inertia.view()) * size_G * size_G;
  const double motion = 1 + a.norm() + state.v.squaredNorm();
  EXPECT_LT((all - a).norm(), bound * motion) << where;
  EXPECT_LT(distance(wrenches(work, state, lambda), held),
            bound * (1 + tau.norm() + open.load.view().norm() + inertia * motion))
      << where;
}

void expect_same(ClosedWorkspace& work, const State& state, const VectorXd& tau,
                 const Mechanism& found, const std::vector<int>& entries, const std::string& where,
                 ExternalForces forces) {
  const System& system = work.system();
  const auto n = static_cast<Index>(entries.size());
  MatrixXd M(n, n), G(system.nv(), n);
  VectorXd bias(n), g(system.nv()), joint_forces(system.nv()), pushed(system.nv()),
      free(system.nv());
  compute_coordinate_map(work, state, entries, G, g);
  compute_mass_matrix(work, state, entries, M);
  compute_bias(work, state, entries, bias);
  compute_joint_forces(work.tree(), state, joint_forces);
  compute_inverse_dynamics(work.tree(), state, VectorXd::Zero(system.nv()), forces, pushed);
  compute_inverse_dynamics(work.tree(), state, VectorXd::Zero(system.nv()), {}, free);
  const VectorXd others = joint_forces + free - pushed;  // Σ Jᵀ f is the difference

  const VectorXd rates = entries_of(state.v, entries), still = VectorXd::Zero(n);
  const double bound = slack * found.condition * epsilon, size_G = 1 + G.norm();
  EXPECT_LT((found.joints.G.view() - G).norm(), bound * size_G) << where;
  // Of the form's terms, which may cancel, each is rounded.
  const double summed = found.joints.H.flat().norm() * rates.squaredNorm();
  EXPECT_LT((quadratic_form(found.joints.H, rates) - g).norm(),
            bound * (size_G * (1 + g.norm() + state.v.squaredNorm()) + summed))
      << where;
  const double size_M =
      size_G * size_G * compute_joint_model(work, state, {}).inertia.view().norm();
  EXPECT_LT((found.model.inertia.view() - M).norm(), bound * size_M) << where;
  EXPECT_LT((loads(found.model, rates, still) - bias + G.transpose() * others).norm(),
            bound * (size_M * (1 + state.v.squaredNorm() + g.norm()) +
                     size_G * (bias.norm() + others.norm())))
      << where;
  expect_same_motion(work, state, tau, found, where, forces);
}

}  // namespace linkwright::testing
