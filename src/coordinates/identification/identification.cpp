#include "linkwright/coordinates/identification.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Directions that the data see less than this, columns of one size, are open.
constexpr double unseen = 1e-10;
/// Weights settle in a few rounds.
constexpr int rounds = 10;

/// R of [W t] = Q R, row after row: all that least squares need.
class Triangle {
 public:
  explicit Triangle(Index columns) : rows_(MatrixXd::Zero(5 * columns, columns)) {}

  void add(const VectorXd& row) {
    if (filled_ == rows_.rows()) reduce();
    rows_.row(filled_++) = row.transpose();
    ++count_;
  }
  [[nodiscard]] long count() const { return count_; }
  [[nodiscard]] MatrixXd R() const {
    MatrixXd all = rows_.topRows(filled_);
    if (filled_ < rows_.cols()) return all;
    return Eigen::HouseholderQR<MatrixXd>(all)
        .matrixQR()
        .topRows(rows_.cols())
        .triangularView<Eigen::Upper>();
  }

 private:
  void reduce() {
    rows_.topRows(rows_.cols()) = R();
    filled_ = rows_.cols();
  }

  MatrixXd rows_;
  Index filled_ = 0;
  long count_ = 0;
};

MatrixXd stack(const std::vector<MatrixXd>& parts, const std::vector<double>& sizes) {
  Index rows = 0;
  for (const MatrixXd& part : parts) rows += part.rows();
  MatrixXd all(rows, parts.front().cols());
  rows = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    all.middleRows(rows, parts[i].rows()) = parts[i] / sizes[i];
    rows += parts[i].rows();
  }
  return all;
}

/// Least squares of the stacked rows [W t], columns of W brought to one size.
class Fit {
 public:
  explicit Fit(const MatrixXd& rows)
      : n_(rows.cols() - 1), sizes_(rows.leftCols(n_).colwise().norm()) {
    for (double& size : sizes_)
      if (size == 0) size = 1;
    svd_.compute(rows.leftCols(n_) * sizes_.cwiseInverse().asDiagonal(),
                 Eigen::ComputeThinU | Eigen::ComputeThinV);
    const VectorXd inside = svd_.matrixU().transpose() * rows.col(n_);
    values_ = sizes_.cwiseInverse().asDiagonal() *
              (svd_.matrixV() * inside.cwiseQuotient(svd_.singularValues()));
  }
  [[nodiscard]] double condition() const {
    return n_ == 0 ? 1 : svd_.singularValues()[0] / svd_.singularValues()[n_ - 1];
  }
  /// The parameter that changes most while the rows change least.
  [[nodiscard]] Index least_seen() const {
    Index worst = 0;
    svd_.matrixV().col(n_ - 1).cwiseAbs().maxCoeff(&worst);
    return worst;
  }
  [[nodiscard]] bool determined() const {
    return svd_.matrixU().rows() >= n_ &&
           (n_ == 0 || svd_.singularValues()[n_ - 1] > unseen * svd_.singularValues()[0]);
  }
  [[nodiscard]] const VectorXd& values() const { return values_; }
  /// Roots of the diagonal of (WᵀW)⁻¹.
  [[nodiscard]] VectorXd deviations() const {
    const MatrixXd root = svd_.matrixV() * svd_.singularValues().cwiseInverse().asDiagonal();
    return root.rowwise().norm().cwiseQuotient(sizes_);
  }

 private:
  Index n_;
  VectorXd sizes_;
  Eigen::BDCSVD<MatrixXd> svd_;
  VectorXd values_;
};

}  // namespace

struct Identification::Rows {
  const Regressor& regressor;
  BaseParameters base;
  std::vector<Triangle> efforts{};
  std::vector<std::string> names{};
  MatrixXd Y{};
  VectorXd rest{}, row{};
  std::vector<int> entries{};
  long samples = 0;

  void prepare(std::vector<int> of) {
    if (!efforts.empty()) {
      if (of != entries)
        throw Error(
            "identification: the independent coordinates changed between two rows; give the "
            "same for all");
      return;
    }
    entries = std::move(of);
    efforts.assign(entries.size(), Triangle(base.size() + 1));
    for (const int entry : entries) names.push_back(regressor.system().velocity_names()[at(entry)]);
    Y.resize(static_cast<Index>(entries.size()), regressor.size());
    rest.resize(Y.rows());
    row.resize(base.size() + 1);
  }
  long left_out = 0;

  /// Friction of a joint at rest is whatever holds it, and the push of a stop is in no effort.
  [[nodiscard]] bool misleads(const JointPlace& joint, int freedom, const State& state) const {
    const System& system = regressor.system();
    const JointForces<double>& forces = system.tree().joint_forces;
    const auto v = at(joint.v + freedom);
    const bool rubs = regressor.has_friction() || forces.friction_forward[v] != 0 ||
                      forces.friction_backward[v] != 0;
    if (rubs && state.v[joint.v + freedom] == 0) return true;
    if (joint.quaternion >= 0) return false;
    const Joint& described = system.model().joints[at(&joint - system.joints().data())];
    const Limits limits = per_freedom(described.limits, freedom, Limits{});
    // One beyond a rigid stop shows that the stop does not act.
    const double q = state.q[joint.q + freedom], near = 1e-9 * (1 + std::abs(q));
    const double beyond = std::max(limits.lower - q, q - limits.upper);
    return std::isinf(limits.stiffness) ? std::abs(beyond) <= near : beyond >= -near;
  }
  /// Which entries of v have such rows.
  [[nodiscard]] std::vector<bool> misleading(const State& state) const {
    std::vector<bool> out(at(regressor.system().nv()), false);
    for (const JointPlace& joint : regressor.system().joints())
      for (int i = 0; i < joint.nv; ++i) out[at(joint.v + i)] = misleads(joint, i, state);
    return out;
  }
  void take(const VectorXd& tau, const std::vector<bool>& leave_out) {
    for (Index i = 0; i < Y.rows(); ++i) {
      if (leave_out[at(entries[at(i)])]) {
        ++left_out;
        continue;
      }
      for (int c = 0; c < base.size(); ++c) row[c] = Y(i, base.columns[at(c)]);
      row[base.size()] = tau[i] - rest[i];
      efforts[at(i)].add(row);
    }
  }
};

Identification::Identification(const Regressor& regressor, BaseParameters base)
    : rows_(std::make_unique<Rows>(Rows{regressor, std::move(base)})) {}
Identification::~Identification() = default;
Identification::Identification(Identification&&) noexcept = default;
Identification& Identification::operator=(Identification&&) noexcept = default;

void Identification::add(Workspace& work, const State& state, const ConstVectorRef& a,
                         const ConstVectorRef& tau) {
  const System& system = rows_->regressor.system();
  door::check_velocity_like(system, tau, "tau");
  std::vector<int> all(at(system.nv()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  rows_->prepare(std::move(all));
  rows_->regressor.compute(work, state, a, rows_->Y, rows_->rest);
  ++rows_->samples;
  rows_->take(tau, rows_->misleading(state));
}

void Identification::add(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                         std::span<const int> entries, const ConstVectorRef& tau) {
  const System& system = rows_->regressor.system();
  closure::check_efforts(system, tau);
  rows_->prepare({entries.begin(), entries.end()});
  const Index n = rows_->Y.rows(), nv = system.nv();
  rows_->regressor.compute(work, state, a, entries, rows_->Y, rows_->rest);
  VectorXd of_tree = tau.head(nv);
  if (tau.size() > nv) {
    MatrixXd L(static_cast<Index>(system.closing_names().size()), nv);
    compute_closing_jacobian(work, state.q, L);
    for (Index i = nv; i < tau.size(); ++i) {
      const ClosingMotor& motor = system.closing_motors()[at(i - nv)];
      of_tree +=
          tau[i] * L.row(system.closures()[at(motor.closure)].closing + motor.freedom).transpose();
    }
  }
  MatrixXd G(nv, n);
  VectorXd g(nv);
  compute_coordinate_map(work, state, entries, G, g);
  ++rows_->samples;
  const std::vector<bool> some = rows_->misleading(state);
  const bool all = std::find(some.begin(), some.end(), true) != some.end();
  rows_->take(G.transpose() * of_tree, std::vector<bool>(some.size(), all));
}

Estimate Identification::solve() const {
  const Rows& rows = *rows_;
  const Index n = rows.base.size();
  if (rows.efforts.empty())
    throw Error("identification: there are no rows", Error::Kind::failed_computation);
  std::vector<MatrixXd> parts;
  for (const Triangle& effort : rows.efforts) parts.push_back(effort.R());
  std::vector<double> sizes(parts.size(), 1);
  Estimate out;
  out.samples = rows.samples;
  out.left_out = rows.left_out;
  // Of the rows of each effort, so many are spent on the parameters.
  const double spent = static_cast<double>(n) / static_cast<double>(parts.size());
  for (int round = 0; round < rounds; ++round) {
    const MatrixXd all = stack(parts, sizes);
    if (all.rows() < n)
      throw Error(fmt::format("identification: {} rows that count do not tell {} base parameters; "
                              "open are all. Give more rows of a motion",
                              all.rows(), n),
                  Error::Kind::failed_computation);
    const Fit fit(all);
    if (!fit.determined())
      throw Error(
          fmt::format("identification: the data do not tell all {} base parameters; open is, "
                      "first of all, {}. Give more rows, or a motion that excites it",
                      n, in_quotes(rows.base.names[at(fit.least_seen())])),
          Error::Kind::failed_computation);
    out.condition = fit.condition();
    out.values = Matrix(fit.values());
    out.deviations = Matrix(fit.deviations());
    VectorXd ends(n + 1);
    ends << fit.values(), -1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double least = 1e-15 * parts[i].col(n).norm();  // rounding: no row counts beyond this
      const double spare = std::max(static_cast<double>(rows.efforts[i].count()) - spent, 1.0);
      sizes[i] = std::max((parts[i] * ends).norm(), least) / std::sqrt(spare);
      if (sizes[i] == 0) sizes[i] = 1;
    }
  }
  out.effort_deviations = sizes;
  out.efforts = rows.names;
  out.names = rows.base.names;
  out.model_values = Matrix(rows.base.combination.view() * rows.regressor.values());
  return out;
}

}  // namespace linkwright::coordinates
