#include "linkwright/closure/mobility.hpp"

#include <algorithm>
#include <random>

#include "closure/rank/clusters.hpp"
#include "closure/rank/dense_loops.hpp"
#include "closure/rank/idle.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using closure::DenseLoops;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows that a closure could lose without any motion becoming possible: as many as internal forces
/// pass through it independently of each other.
std::vector<Mobility::Redundant> find_redundant(const System& system, const MatrixXd& internal) {
  std::vector<Mobility::Redundant> found;
  for (const ClosurePlace& c : system.closures()) {
    if (internal.cols() == 0 || c.rows == 0) continue;
    Eigen::ColPivHouseholderQR<MatrixXd> qr(internal.middleRows(c.row, c.rows));
    qr.setThreshold(1e-9);
    if (qr.maxPivot() > 1e-9 && qr.rank() > 0)
      found.push_back({c.name, static_cast<int>(qr.rank())});
  }
  return found;
}

/// How much each freedom takes part in all motions that are possible, 0 … 1.
VectorXd participation(const DenseLoops& d) {
  const MatrixXd N = d.column_scale.cwiseInverse().asDiagonal() * d.N.leftCols(d.mobility);
  return N.rowwise().norm();
}

std::vector<std::string> joints_where(const System& system, const VectorXd& less,
                                      const VectorXd& more) {
  std::vector<std::string> names;
  for (const JointPlace& joint : system.joints()) {
    if (joint.nv == 0) continue;
    if (less.segment(joint.v, joint.nv).maxCoeff() < 1e-7 &&
        more.segment(joint.v, joint.nv).maxCoeff() > 1e-4)
      names.push_back(joint.name);
  }
  return names;
}

/// Names of what takes part by more than a tenth of what takes part most.
template <class Places, class Part>
std::vector<std::string> taking_part(const Places& places, Part part) {
  double most = 0;
  for (const auto& place : places) most = std::max(most, part(place));
  std::vector<std::string> names;
  for (const auto& place : places)
    if (part(place) > 0.1 * most) names.push_back(place.name);
  return names;
}

/// What the rows of singular value i say: which closures, of the motion of which joints.
Mobility::Narrow narrow_at(const System& system, const Eigen::BDCSVD<MatrixXd>& svd, Index i) {
  const auto motion = svd.matrixU().col(i), rows = svd.matrixV().col(i);
  return {svd.singularValues()[i] / svd.singularValues()[0],
          taking_part(system.closures(),
                      [&](const ClosurePlace& c) { return rows.segment(c.row, c.rows).norm(); }),
          taking_part(system.joints(), [&](const JointPlace& joint) {
            return motion.segment(joint.v, joint.nv).norm();
          })};
}

/// Singular values that count, but little, and such that do not, but are more than rounding.
void find_narrow(const System& system, const Eigen::BDCSVD<MatrixXd>& svd, Mobility& found) {
  // Of positions that are closed to 1e-12 rows that repeat each other do so to little more.
  constexpr double rounding = 1e-10;
  const VectorXd& values = svd.singularValues();
  for (Index i = found.rank - 1; i >= 0 && values[i] < Mobility::narrow * values[0]; --i)
    found.narrowly_forbidden.push_back(narrow_at(system, svd, i));
  for (Index i = found.rank; i < values.size() && values[i] > rounding * values[0]; ++i)
    found.narrowly_allowed.push_back(narrow_at(system, svd, i));
}

/// What is not narrow where DenseLoops holds the rows of, or counts there.
void compare_narrow(const DenseLoops& d, Mobility& found) {
  const VectorXd values = Eigen::BDCSVD<MatrixXd>(d.A).singularValues();
  for (std::size_t i = 0; i < found.narrowly_forbidden.size(); ++i)
    if (values[found.rank - 1 - static_cast<Index>(i)] >= Mobility::narrow * values[0])
      found.narrowly_forbidden[i].nearby_too = false;
  for (std::size_t i = 0; i < found.narrowly_allowed.size(); ++i)
    if (values[found.rank + static_cast<Index>(i)] > closure::rank_threshold * values[0])
      found.narrowly_allowed[i].nearby_too = false;
}

/// Small moves along what is possible, closed again; the most rows that are independent there decide.
void look_nearby(ClosedWorkspace& work, const ConstVectorRef& q, Mobility& found) {
  const System& system = work.system();
  DenseLoops& d = work.dense();
  const MatrixXd N = d.N.leftCols(d.mobility);
  const VectorXd here = participation(d);
  found.nearby_rank = found.rank;
  std::mt19937 random(1);
  AssemblyOptions options{.limits = AssemblyOptions::Limits::ignore};
  options.restarts = 0;
  for (int sample = 0; sample < 4 && N.cols() > 0; ++sample) {
    VectorXd y(N.cols());
    for (Index i = 0; i < y.size(); ++i) y[i] = static_cast<double>(random()) / 4294967295.0 - 0.5;
    VectorXd near(system.nq());
    compute_integral(system, q, N * (0.1 / y.norm() * y), 1, near);
    if (!assemble(work, options, near).assembled) continue;
    closure::compute_row_space(work, near);
    if (!found.narrowly_forbidden.empty() || !found.narrowly_allowed.empty())
      compare_narrow(d, found);
    if (d.space.rank() <= found.nearby_rank) continue;
    found.nearby_rank = d.space.rank();
    const VectorXd there = participation(d);
    found.locked = joints_where(system, here, there);
    found.gained = joints_where(system, there, here);
  }
  found.singular = found.nearby_rank > found.rank;
}

/// The joints of every cluster, then its closures.
std::vector<std::vector<std::string>> name_clusters(const System& system) {
  std::vector<std::vector<std::string>> names;
  for (const closure::Cluster& cluster : closure::find_clusters(system)) {
    names.emplace_back();
    for (const JointPlace& joint : system.joints()) {
      const auto belongs = [&](int k) {
        const int v = system.tree().nodes[at(k)].v;
        return joint.nv > 0 && v >= joint.v && v < joint.v + joint.nv;
      };
      if (std::any_of(cluster.nodes.begin(), cluster.nodes.end(), belongs))
        names.back().push_back(joint.name);
    }
    for (const int c : cluster.closures) names.back().push_back(system.closures()[at(c)].name);
  }
  return names;
}

}  // namespace

Mobility compute_mobility(ClosedWorkspace& work, const ConstVectorRef& q) {
  const System& system = work.system();
  door::check_position(system, q);
  DenseLoops& d = work.dense();
  closure::compute_row_space(work, q);
  Mobility found;
  found.rows = work.rows();
  found.rank = d.space.rank(), found.mobility = d.mobility;
  found.grubler = system.nv() - found.rows;
  if (found.rows > 0 && system.nv() > 0) {
    const Eigen::BDCSVD<MatrixXd> svd(d.A, Eigen::ComputeThinU | Eigen::ComputeFullV);
    const VectorXd& values = svd.singularValues();
    const double largest = values[0] > 0 ? values[0] : 1;
    found.smallest_kept = found.rank > 0 ? values[found.rank - 1] / largest : 0;
    found.largest_dropped = found.rank < values.size() ? values[found.rank] / largest : 0;
    find_narrow(system, svd, found);
    const MatrixXd balanced = svd.matrixV().rightCols(found.rows - found.rank);
    found.redundant = find_redundant(system, balanced);
    const MatrixXd internal = d.row_scale.asDiagonal() * balanced;
    found.internal_forces.assign(internal.data(), internal.data() + internal.size());
  }
  found.idle = closure::find_idle(work);
  found.clusters = name_clusters(system);
  found.independent = choose_independent(work, q);
  closure::compute_row_space(work, q);
  look_nearby(work, q, found);
  return found;
}

}  // namespace linkwright
