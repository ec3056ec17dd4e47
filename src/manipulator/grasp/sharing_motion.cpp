#include "manipulator/grasp/sharing_motion.hpp"

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/rank/dense_loops.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/model/names.hpp"
#include "manipulator/cones/least_norm.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd follow(ClosedWorkspace& work, const State& state, const SharingOptions& options) {
  const System& system = work.system();
  std::vector<int> own;
  if (!options.acceleration.empty()) own = compute_grasp_map(work, state.q, options.object).entries;
  if (options.acceleration.size() != own.size())
    throw Error(
        fmt::format("{} accelerations for object {}; expected {}, one per freedom of its own",
                    options.acceleration.size(), in_quotes(options.object), own.size()));
  const auto given = static_cast<Index>(own.size());
  MatrixXd J = MatrixXd::Zero(work.rows() + given, system.nv());
  VectorXd right(work.rows() + given), bias(work.rows());
  MatrixXd rows(work.rows(), system.nv());
  compute_closure_jacobian(work, state.q, rows);
  compute_closure_bias(work, state, bias);
  J.topRows(work.rows()) = rows, right.head(work.rows()) = -bias;
  for (Index i = 0; i < given; ++i) {
    J(work.rows() + i, own[at(i)]) = 1;
    right[work.rows() + i] = options.acceleration[at(i)];
  }
  const MatrixXd scaled = J * work.dense().column_scale.asDiagonal();
  VectorXd a = work.dense().column_scale.cwiseProduct(least_norm(scaled, right));
  if ((J * a - right).norm() > 1e-9 * (1 + right.norm()))
    throw Error(
        fmt::format("the hands cannot follow object {} with this acceleration: the closures "
                    "do not allow it",
                    in_quotes(options.object)),
        Error::Kind::failed_computation);
  return a;
}

bool let_move(ClosedWorkspace& work, const ConstVectorRef& q, const Statics& s,
              const VectorXd& load, VectorXd& a) {
  const System& system = work.system();
  MatrixXd held = MatrixXd::Zero(system.nv(), 0);
  for (const std::string& object : held_objects(system))
    for (const int entry : path_entries(system, system.frame(system.frame(object)).body))
      held = beside(held, MatrixXd::Identity(system.nv(), system.nv()).col(entry));
  const MatrixXd closed = beside(s.C, s.E);
  const MatrixXd U = null_basis(beside(closed, s.T).transpose());
  const MatrixXd Z = s.freedom.asDiagonal() * null_basis(beside(closed, held).transpose());
  if (U.cols() == 0 || Z.cols() == 0) return false;
  MatrixXd M(system.nv(), system.nv());
  closure::compute_whole_mass_matrix(work, q, M);
  const MatrixXd seen = U.transpose() * s.freedom.asDiagonal();
  const MatrixXd inertia = seen * M * Z;
  const VectorXd open = seen * load;
  const VectorXd w = least_norm(inertia, -open);
  if ((inertia * w + open).norm() > 1e-9 * open.norm()) return false;
  a += Z * w;
  return true;
}

}  // namespace linkwright::manipulator
