#include "linkwright/coordinates/load_distribution.hpp"

#include <cmath>

#include <fmt/format.h>

#include "closure/load_sharing.hpp"
#include "coordinates/parameters.hpp"
#include "coordinates/scaled.hpp"
#include "dynamics/door.hpp"
#include "linkwright/coordinates/transfer.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One number per motor, or the same for all where none is given.
VectorXd per_motor(const std::vector<double>& given, Index motors, double otherwise,
                   const char* what) {
  if (given.empty()) return VectorXd::Constant(motors, otherwise);
  if (static_cast<Index>(given.size()) != motors)
    throw Error(
        fmt::format("{} {} for {} motors; expected one per motor", given.size(), what, motors));
  return Eigen::Map<const VectorXd>(given.data(), motors);
}

VectorXd weights_of(const std::vector<double>& given, Index motors) {
  VectorXd weights = per_motor(given, motors, 1, "weights");
  for (Index i = 0; i < motors; ++i)
    if (!(weights[i] > 0) || !std::isfinite(weights[i]))
      throw Error(fmt::format("a motor's weight is {}; expected a positive number", weights[i]));
  return weights;
}

/// Every motion of u must be felt by a motor.
void require_driven(const Influence& q_by_u) {
  const Scaled scaled(q_by_u);
  const bool fewer = q_by_u.of.size() < q_by_u.by.size();
  if (!fewer && scaled.condition() <= Transfer::worst_condition) return;
  throw Error(
      fmt::format("the motors {} do not drive every freedom: nothing holds this motion: {}. Give a "
                  "motor to one of its joints",
                  names_of(q_by_u.of), scaled.unseen_motion()),
      Error::Kind::failed_computation);
}

}  // namespace

void compute_distribution(const Influence& q_by_u, const ConstVectorRef& T_u,
                          const Distribution& distribution, VectorRef T_q) {
  const Index motors = q_by_u.G.rows();
  door::check_output(T_u.size(), q_by_u.G.cols(), "T_u");
  door::check_output(T_q.size(), motors, "T_q");
  const closure::Sharing sharing{weights_of(distribution.weights, motors),
                                 per_motor(distribution.limits, motors, HUGE_VAL, "limits"),
                                 per_motor(distribution.preferred, motors, 0, "preferred loads")};
  require_driven(q_by_u);
  // In units, so that neither least squares nor the judgement depends on them.
  const VectorXd unit = units_of(q_by_u.by);
  const MatrixXd B = unit.asDiagonal() * q_by_u.G.view().transpose();
  const VectorXd f = unit.cwiseProduct(T_u);
  const VectorXd shared = closure::share_load(B, f, sharing);
  const double missed = (B * shared - f).norm();
  if (missed > 1e-9 * std::max(1.0, f.norm()))
    throw Error(
        fmt::format("the motors {} cannot give these loads within their limits: what they can "
                    "give misses them by {:.3g} of {:.3g}",
                    names_of(q_by_u.of), missed, f.norm()),
        Error::Kind::failed_computation);
  T_q = shared;
}

DynamicModel distribute(const DynamicModel& model, const Influence& q_by_u,
                        const std::vector<double>& weights) {
  require_same(q_by_u.by, model.of, "the influence of the motors");
  require_driven(q_by_u);
  // Least Σ w T² with [G]ᵀ T = T_u: with x = √w T the shortest x of ([G]ᵀ/√w) x = T_u.
  const VectorXd root = weights_of(weights, q_by_u.G.rows()).cwiseSqrt();
  const MatrixXd A = root.cwiseInverse().asDiagonal() * q_by_u.G.view();
  const MatrixXd plus = A.completeOrthogonalDecomposition().pseudoInverse();  // u × q
  return map_loads(root.cwiseInverse().asDiagonal() * plus.transpose(), q_by_u.of, model);
}

}  // namespace linkwright::coordinates
