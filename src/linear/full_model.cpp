#include "linear/full_model.hpp"

#include <optional>

#include <fmt/format.h>

#include "closure/derivatives/room.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/derivatives.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Map<const VectorXd> to_map(const std::vector<double>& x) {
  return {x.data(), static_cast<Index>(x.size())};
}

/// ξ̇ = δV − V × ξ for the displacement exp ξ of a pose that moves with V, both in the modes of the joint.
void write_carried(const System& system, const JointPlace& joint, const VectorXd& v, MatrixXd& E) {
  const int place = system.tree().nodes[at(joint.node)].modes;
  const Modes<double>& modes = system.tree().modes[at(place)];
  Motion V{};
  MatrixXd columns(6, modes.d), turned(6, modes.d);
  for (int i = 0; i < modes.d; ++i) V += v[joint.v + i] * modes.column[i];
  for (int i = 0; i < modes.d; ++i) {
    columns.col(i) = to_eigen(modes.column[i]);
    turned.col(i) = to_eigen(bracket(V, modes.column[i]));
  }
  const Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(columns);
  const MatrixXd numbers = solver.solve(turned);
  if ((columns * numbers - turned).norm() > 1e-9 * (turned.norm() + 1e-300))
    throw Error(fmt::format(
        "a linear model while joint {} moves does not exist: its modes lead to displacements that "
        "are none of theirs. Linearise at rest, or give the joint the modes that are missing",
        in_quotes(joint.name)));
  E.block(joint.v, joint.v, modes.d, modes.d) = -numbers;
}

}  // namespace

FullModel::FullModel(ClosedWorkspace& work, const OperatingPoint& point,
                     const actuation::Drives* drives)
    : work_(work) {
  const System& system = work.system();
  VectorXd tau = to_map(point.tau);
  std::optional<MotorPoint> motors;
  if (drives != nullptr) {
    motors.emplace(work, point, *drives);
    tau += motors->tau;
  }
  const Index n = system.nv();
  a.resize(n);
  for (auto* matrix : {&E, &a_q, &a_v}) matrix->setZero(n, n);
  a_tau.setZero(n, system.effort_count());
  if (system.closures().empty())
    find_open(point, tau);
  else
    find_closed(point, tau);
  const Index rows = f_q.rows();
  a_z.setZero(n, 0), a_u.setZero(n, 0), f_z.setZero(rows, 0), f_u.setZero(rows, 0);
  z_q.setZero(0, n), z_v.setZero(0, n), z_z.setZero(0, 0), z_u.setZero(0, 0), z_rate.setZero(0);
  if (motors) motors->add_to(*this);
  for (const int i : system.quaternion_joints())
    write_carried(system, system.joints()[at(i)], point.state.v, E);
}

void FullModel::find_open(const OperatingPoint& point, const VectorXd& tau) {
  Workspace& tree = work_.tree();
  compute_forward_dynamics(tree, point.state, tau, point.forces, a);
  compute_forward_dynamics_derivatives(tree, point.state, tau, point.forces, a_q, a_v, a_tau);
  compute_forward_kinematics(tree, point.state, a);
  kernels().motion_columns(work_.system().tree(), tree.scratch());
}

void FullModel::find_closed(const OperatingPoint& point, const VectorXd& tau) {
  const System& system = work_.system();
  compute_forward_dynamics_derivatives(work_, point.state, tau, point.forces, a_q, a_v, a_tau);
  const closure::DerivativeRoom& room = closure::derivative_room(work_);
  const Index rows = 6 * static_cast<Index>(system.closures().size());
  f_q.resize(rows, a_q.cols()), f_v.resize(rows, a_v.cols()), f_tau.resize(rows, a_tau.cols());
  closure_force_derivatives(work_, f_q, f_v, f_tau);
  a = room.a, L = room.L, L_q = room.L_q;
}

FrameRows FullModel::frame(FrameId id) const {
  const System& system = work_.system();
  const FramePlace& place = system.frame(id);
  closure::PairMotion pair;
  closure::compute_pair_motion(system, work_.tree().scratch(), 0, {}, place.node, place.pose, pair);
  const Matrix3& R = pair.X.rotation;
  // What an own number's change is in world axes, where the axes turn by w: R (δx + w × x).
  const auto turn = [&](const Motion& x) { return Motion{R * x.angular, R * x.linear}; };
  const auto by = [](const Vector3& w, const Motion& x) {
    return Motion{cross(w, x.angular), cross(w, x.linear)};
  };
  const Index n = system.nv();
  FrameRows out;
  for (auto* matrix : {&out.G, &out.G_rate, &out.y_q, &out.yy_q, &out.yy_v}) matrix->setZero(6, n);
  const Vector3& omega = pair.V.angular;
  const Motion rate = pair.A + by(omega, pair.V);
  using closure::PairMotion;
  for (int k = 0; k < pair.count(); ++k) {
    const Motion J = pair.column(PairMotion::displacement, k),
                 V_by_q = pair.column(PairMotion::velocity_by_q, k),
                 A_by_q = pair.column(PairMotion::acceleration_by_q, k),
                 A_by_v = pair.column(PairMotion::acceleration_by_v, k);
    const int column = pair.v[static_cast<std::size_t>(k)];
    const Vector3& w = J.angular;
    out.G.col(column) = to_eigen(turn(J));
    // The rate of J_k is ∂V̇/∂v_k − ∂V/∂q_k: derivatives by time and by v_k of the same V.
    out.G_rate.col(column) = to_eigen(turn(A_by_v - V_by_q + by(omega, J)));
    out.y_q.col(column) = to_eigen(turn(V_by_q + by(w, pair.V)));
    out.yy_q.col(column) =
        to_eigen(turn(by(w, rate) + A_by_q + by(V_by_q.angular, pair.V) + by(omega, V_by_q)));
    out.yy_v.col(column) = to_eigen(turn(A_by_v + by(w, pair.V) + by(omega, J)));
  }
  return out;
}

}  // namespace linkwright::linear
