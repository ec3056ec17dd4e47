#include "linkwright/manipulator/grasp_impedance.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/rank/dense_loops.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/sweeps/derivatives/forces.hpp"
#include "linkwright/model/names.hpp"
#include "manipulator/grasp/grasp_room.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One number per entry of v: those given, or zeros.
VectorXd per_entry(const System& system, const std::vector<double>& given, const char* what) {
  if (given.empty()) return VectorXd::Zero(system.nv());
  if (static_cast<int>(given.size()) != system.nv())
    throw Error(fmt::format("{} {} for {} entries of v; expected one each, or none", given.size(),
                            what, system.nv()));
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!(given[i] >= 0) || !std::isfinite(given[i]))
      throw Error(fmt::format("the {} of {} is {}; expected a number that is not negative", what,
                              in_quotes(system.velocity_names()[i]), given[i]));
  return Eigen::Map<const VectorXd>(given.data(), system.nv());
}

/// The servos', and what the model has on the joints of the tree: −∂/∂q and −∂/∂v of its efforts.
void find_joints(const System& system, const ServoGains& gains, const ConstVectorRef& q,
                 MatrixXd& stiffness, MatrixXd& damping) {
  stiffness = per_entry(system, gains.stiffness, "stiffness").asDiagonal();
  damping = per_entry(system, gains.damping, "damping").asDiagonal();
  sweeps::add_joint_force_derivatives<double>(system.tree(), q.data(),
                                              {stiffness.data(), stiffness.rows()},
                                              {damping.data(), damping.rows()});
}

/// Springs and damping of joints that close loops, whose rates are L v: + Lᵀ diag(k) L.
void add_closing_joints(ClosedWorkspace& work, const ConstVectorRef& q, MatrixXd& stiffness,
                        MatrixXd& damping) {
  const System& system = work.system();
  const auto count = static_cast<Index>(system.closing_names().size());
  if (count == 0) return;
  MatrixXd L(count, system.nv());
  compute_closing_jacobian(work, q, L);
  for (const ClosurePlace& place : system.closures())
    for (int i = 0; place.acts && i < place.freedoms; ++i) {
      const VectorXd rate = L.row(place.closing + i);
      stiffness += place.freedom[i].stiffness * (rate * rate.transpose());
      damping += place.freedom[i].damping * (rate * rate.transpose());
    }
}

/// The energy yᵀ A y of all motions, least for each motion of the object: S⁺ᵀ (A − A Z (ZᵀAZ)⁺ ZᵀA) S⁺.
struct AtObject {
  MatrixXd N;     // v = N y
  MatrixXd plus;  // S⁺: of least size
  MatrixXd Z;     // S Z = 0

  [[nodiscard]] MatrixXd operator()(const MatrixXd& full) const {
    MatrixXd A = N.transpose() * full * N;
    if (Z.cols() > 0) {
      const MatrixXd AZ = A * Z, inner = Z.transpose() * AZ, right = AZ.transpose();
      const MatrixXd carried = inner.completeOrthogonalDecomposition().solve(right);
      A -= AZ * carried;
    }
    const MatrixXd at_object = plus.transpose() * A * plus;
    return 0.5 * (at_object + at_object.transpose());
  }
};

/// Lengths are measured by the mechanism's.
std::string describe_twist(const VectorXd& x) {
  std::vector<std::string> parts;
  const char* names[6] = {"turning about x", "turning about y", "turning about z",
                          "moving along x",  "moving along y",  "moving along z"};
  for (Index i = 0; i < 6; ++i)
    if (std::abs(x[i]) > 1e-6) parts.push_back(fmt::format("{:.3g} {}", x[i], names[i]));
  for (Index i = 0; i < 6 && parts.size() == 1; ++i)
    if (x[i] != 0) return names[i];
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

ObjectImpedance compute_object_impedance(ClosedWorkspace& work, const ConstVectorRef& q,
                                         const std::string& object, const ServoGains& gains) {
  const System& system = work.system();
  static_cast<void>(compute_grasp_map(work, q, object));  // refuses what is no object
  closure::DenseLoops& d = work.dense();
  const FrameId frame = system.frame(object);
  MatrixXd J(6, system.nv()), M(system.nv(), system.nv());
  closure::compute_whole_mass_matrix(work, q, M);
  closure::compute_row_space(work, q);
  const MatrixXd N = d.N.leftCols(d.mobility);
  compute_jacobian(work.tree(), q, frame, Axes::own, J);
  // Lengths measured by the mechanism's, so that rank and pseudo-inverse do not depend on units.
  VectorXd scale = VectorXd::Ones(6);
  scale.tail(3).setConstant(1 / d.length);
  const MatrixXd free_J = scale.asDiagonal() * J * d.column_scale.asDiagonal();
  const MatrixXd S = scale.asDiagonal() * J * N;
  ObjectImpedance felt;
  AtObject at_object{N, MatrixXd::Zero(N.cols(), 6), MatrixXd::Identity(N.cols(), N.cols())};
  MatrixXd fixed = MatrixXd::Identity(6, 6);
  if (N.cols() > 0) {
    // What is left of the object's motion under the closures counts against what it was without them:
    // where they leave nothing, S is rounding.
    const Eigen::JacobiSVD<MatrixXd> svd(S, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const VectorXd& values = svd.singularValues();
    const double least = closure::rank_threshold * std::max(free_J.norm(), 1e-300);
    const Index rank = (values.array() > least).count();
    fixed = echelon(svd.matrixU().rightCols(6 - rank));
    at_object.Z = svd.matrixV().rightCols(N.cols() - rank);
    at_object.plus = svd.matrixV().leftCols(rank) * values.head(rank).cwiseInverse().asDiagonal() *
                     svd.matrixU().leftCols(rank).transpose();
  }
  felt.rank = 6 - static_cast<int>(fixed.cols());
  const auto in_axes = [&](const MatrixXd& full) {
    return Matrix(scale.asDiagonal() * at_object(full) * scale.asDiagonal());
  };
  felt.inertia = in_axes(M);
  MatrixXd stiffness, damping;
  find_joints(system, gains, q, stiffness, damping);
  add_closing_joints(work, q, stiffness, damping);
  felt.damping = in_axes(damping);
  felt.stiffness = in_axes(stiffness);
  for (Index i = 0; i < fixed.cols(); ++i) felt.immovable.push_back(describe_twist(fixed.col(i)));
  return felt;
}

}  // namespace linkwright::manipulator
