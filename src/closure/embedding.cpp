// Loops as aggregates of the operators: G = dv/dv_i of every cluster on its own, so that it costs what the
// clusters cost, and rank by the one rule of the room.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/rank/clusters.hpp"
#include "closure/rank/dense_loops.hpp"
#include "closure/rank/pivot.hpp"
#include "closure/rows.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/operators/aggregates.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using operators::Aggregate;

/// One cluster, with room for its rows.
class LoopMap {
 public:
  LoopMap(const ClosedWorkspace& work, Cluster cluster, std::vector<int>& column_of);

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] const std::vector<int>& freedoms() const { return freedoms_; }
  /// Of the rows at the position that the workspace has placed.
  void find_motions(const ClosedWorkspace& work, Columns columns);
  /// All motions that the cluster can make, orthonormal in scaled rates; after find_motions.
  [[nodiscard]] auto motions() { return N_.leftCols(mobility()); }
  [[nodiscard]] int mobility() const { return static_cast<int>(N_.rows()) - space_.rank(); }

  /// After find_motions: G and R, and returns how well the independents are conditioned; 0: they do not
  /// determine the others. Changes motions().
  double find_G(Aggregate<double>& a, Columns columns);
  /// After find_G: g and efforts from J̇ v of all rows, L̇ v and efforts of all closing freedoms.
  void find_bias(Aggregate<double>& a, Columns columns, const VectorXd& row_bias,
                 const VectorXd& closing_bias, const std::vector<double>& closing_effort);

 private:
  void find_R(Aggregate<double>& a);

  Cluster cluster_;
  std::vector<int> freedoms_;
  std::vector<int> rows_, closing_;  // among those of all closures
  VectorXd row_scale_, column_scale_, rotor_, closing_rotor_;
  bool has_rotors_ = false;
  MatrixXd J_, A_, N_, L_, LG_;
  Orthogonal space_{0, 0};
  VectorXd right_, g_, push_;
};

LoopMap::LoopMap(const ClosedWorkspace& work, Cluster cluster, std::vector<int>& column_of)
    : cluster_(std::move(cluster)) {
  const System& system = work.system();
  const DenseLoops& d = work.dense();
  for (const int k : cluster_.nodes) {
    const Node<double>& n = system.tree().nodes[at(k)];
    for (int i = 0; i < n.d; ++i) {
      column_of[at(n.v + i)] = static_cast<int>(freedoms_.size());
      freedoms_.push_back(n.v + i);
    }
  }
  std::vector<double> closing_rotor;
  for (const int i : cluster_.closures) {
    const ClosurePlace& c = system.closures()[at(i)];
    for (int row = 0; row < c.rows; ++row) rows_.push_back(c.row + row);
    for (int freedom = 0; freedom < c.freedoms; ++freedom) {
      closing_.push_back(c.closing + freedom);
      closing_rotor.push_back(c.freedom[freedom].rotor);
    }
  }
  const auto n = static_cast<Index>(freedoms_.size()), m = static_cast<Index>(rows_.size()),
             closing = static_cast<Index>(closing_.size());
  column_scale_.resize(n), rotor_.resize(n), row_scale_.resize(m);
  for (Index i = 0; i < n; ++i) {
    column_scale_[i] = d.column_scale[freedoms_[at(i)]];
    rotor_[i] = system.rotor_inertia()[at(freedoms_[at(i)])];
  }
  for (Index i = 0; i < m; ++i) row_scale_[i] = d.row_scale[rows_[at(i)]];
  closing_rotor_ = Eigen::Map<const VectorXd>(closing_rotor.data(), closing);
  has_rotors_ = (rotor_.array() != 0).any() || (closing_rotor_.array() != 0).any();
  J_.resize(m, n), A_.resize(n, m), N_.resize(n, n), L_.resize(closing, n), LG_.resize(closing, n);
  space_ = Orthogonal(static_cast<int>(n), static_cast<int>(m));
  right_.resize(m), g_.resize(n), push_.resize(closing);
}

void LoopMap::find_motions(const ClosedWorkspace& work, Columns columns) {
  J_.setZero(), L_.setZero();
  int row = 0, closing = 0;
  for (const int i : cluster_.closures) {
    const ClosurePlace& c = work.system().closures()[at(i)];
    write_closure_rows(work, c, columns, J_, row);
    write_closing_rows(work, c, columns, L_, closing);
    row += c.rows, closing += c.freedoms;
  }
  for (Index i = 0; i < J_.rows(); ++i)
    A_.col(i) = row_scale_[i] * J_.row(i).transpose().cwiseProduct(column_scale_);
  space_.compute(A_, rank_threshold);
  space_.null_basis(motions());
}

double LoopMap::find_G(Aggregate<double>& a, Columns columns) {
  const Index r = mobility();
  if (r != a.independents()) return 0;
  // Columns are combined until each moves one independent alone, by 1 in scaled rates.
  for (Index i = 0; i < r; ++i) {
    const Index row = columns[a.independent[at(i)]];
    Index best = i;
    for (Index j = i + 1; j < r; ++j)
      if (std::abs(N_(row, j)) > std::abs(N_(row, best))) best = j;
    const double pivot = N_(row, best);
    if (pivot == 0) return 0;
    if (best != i) N_.col(i).swap(N_.col(best));
    N_.col(i) /= pivot;
    for (Index j = 0; j < r; ++j) {
      const double share = N_(row, j);
      if (j != i) N_.col(j) -= share * N_.col(i);
    }
  }
  // The motions were orthonormal: their norm now is one over the smallest singular value that the
  // independents' rows had, or at most √r of it.
  const double conditioning = r == 0 ? 1 : 1 / motions().norm();
  Eigen::Map<MatrixXd> G(a.G.data(), a.rows(), r);
  for (Index j = 0; j < r; ++j)
    G.col(j) = N_.col(j).cwiseProduct(column_scale_) / column_scale_[columns[a.independent[at(j)]]];
  find_R(a);
  return conditioning;
}

void LoopMap::find_R(Aggregate<double>& a) {
  if (!has_rotors_) return;
  const Index r = a.independents();
  const Eigen::Map<const MatrixXd> G(a.G.data(), a.rows(), r);
  auto LG = LG_.leftCols(r);
  LG = L_.lazyProduct(G);
  for (Index i = 0; i < r; ++i)
    for (Index j = 0; j <= i; ++j) {
      const double sum = G.col(i).cwiseProduct(rotor_).dot(G.col(j)) +
                         LG.col(i).cwiseProduct(closing_rotor_).dot(LG.col(j));
      a.R[at(i * r + j)] = a.R[at(j * r + i)] = sum;
    }
}

void LoopMap::find_bias(Aggregate<double>& a, Columns columns, const VectorXd& row_bias,
                        const VectorXd& closing_bias, const std::vector<double>& closing_effort) {
  const Index r = a.independents();
  const Eigen::Map<const MatrixXd> G(a.G.data(), a.rows(), r);
  Eigen::Map<VectorXd> g(a.g.data(), a.rows()), effort(a.effort.data(), r);
  for (Index i = 0; i < right_.size(); ++i) right_[i] = -row_scale_[i] * row_bias[rows_[at(i)]];
  space_.solve_rows(right_, g_);
  g_.array() *= column_scale_.array();
  g = g_;
  for (Index j = 0; j < r; ++j) g -= g_[columns[a.independent[at(j)]]] * G.col(j);
  // Efforts on closing joints, less what their rotors and those of the joints take for g.
  push_ = L_.lazyProduct(g);
  for (Index i = 0; i < push_.size(); ++i)
    push_[i] = closing_effort[at(closing_[at(i)])] -
               closing_rotor_[i] * (push_[i] + closing_bias[closing_[at(i)]]);
  g_ = L_.transpose().lazyProduct(push_);
  g_ -= rotor_.cwiseProduct(g);
  effort = G.transpose().lazyProduct(g_);
}

class ClosureEmbedding final : public operators::Embedding {
 public:
  explicit ClosureEmbedding(const System& system);

  Workspace& tree() override { return work_.tree(); }
  [[nodiscard]] std::vector<Aggregate<double>> aggregates() const override;
  std::vector<int> choose(const ConstVectorRef& q) override;
  std::vector<int> require(const ConstVectorRef& q, const std::vector<std::string>& names) override;
  double place(const ConstVectorRef& q, std::span<Aggregate<double>> aggregates) override;
  double place(const State& state, const ConstVectorRef& tau,
               std::span<Aggregate<double>> aggregates) override;

 private:
  [[nodiscard]] Columns columns() const { return {column_of_.data()}; }
  double find_maps(std::span<Aggregate<double>> aggregates);
  [[noreturn]] void refuse(const LoopMap& loop, const Aggregate<double>& a) const;

  ClosedWorkspace work_;
  std::vector<int> column_of_;  // [nv]: in the cluster of the joint
  std::vector<LoopMap> loops_;
  VectorXd row_bias_, closing_bias_;
};

ClosureEmbedding::ClosureEmbedding(const System& system)
    : work_(system),
      column_of_(at(system.nv()), -1),
      row_bias_(work_.rows()),
      closing_bias_(static_cast<Index>(system.closing_names().size())) {
  for (Cluster& cluster : find_clusters(system))
    loops_.emplace_back(work_, std::move(cluster), column_of_);
}

std::vector<Aggregate<double>> ClosureEmbedding::aggregates() const {
  const Tree<double>& tree = work_.system().tree();
  std::vector<NodeKind> kinds(tree.nodes.size());
  for (const Run& run : tree.runs)
    for (int k = run.first; k <= run.last; ++k) kinds[at(k)] = run.kind;
  std::vector<Aggregate<double>> all;
  for (const LoopMap& loop : loops_) {
    const std::vector<int>& nodes = loop.cluster().nodes;
    Aggregate<double> a;
    a.nodes = nodes, a.freedoms = loop.freedoms(), a.parent = loop.cluster().parent;
    for (const int k : nodes) {
      const Node<double>& n = tree.nodes[at(k)];
      const auto up = std::lower_bound(nodes.begin(), nodes.end(), n.parent);
      a.inside.push_back(n.parent == a.parent ? -1 : static_cast<int>(up - nodes.begin()));
      a.kinds.push_back(kinds[at(k)]);
      a.row.push_back(a.row.empty() ? 0 : a.row.back() + tree.nodes[at(nodes[a.row.size() - 1])].d);
    }
    all.push_back(std::move(a));
  }
  return all;
}

std::vector<int> ClosureEmbedding::choose(const ConstVectorRef& q) {
  const System& system = work_.system();
  if (!system.model().coordinates.empty()) return require(q, system.model().coordinates);
  place_columns(work_, q);
  std::vector<int> entries;
  for (int i = 0; i < system.nv(); ++i)
    if (column_of_[at(i)] < 0) entries.push_back(i);
  for (LoopMap& loop : loops_) {
    loop.find_motions(work_, columns());
    const std::vector<int> own = pivot(system, loop.freedoms(), loop.motions());
    entries.insert(entries.end(), own.begin(), own.end());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<int> ClosureEmbedding::require(const ConstVectorRef& q,
                                           const std::vector<std::string>& names) {
  return require_independent(work_, q, names).entries;
}

void ClosureEmbedding::refuse(const LoopMap& loop, const Aggregate<double>& a) const {
  const System& system = work_.system();
  std::string closures, joints;
  for (const int i : loop.cluster().closures)
    closures += (closures.empty() ? "" : ", ") + in_quotes(system.closures()[at(i)].name);
  for (const int i : a.independent)
    joints += (joints.empty() ? "" : ", ") + in_quotes(system.velocity_names()[at(i)]);
  throw Error(
      fmt::format(
          "the operators do not exist: at this position {} leave {} freedom{}, and the "
          "independent joints ({}) do not tell them apart. A singular position has no "
          "operators with these joints; elsewhere Operators::choose_independent takes others",
          closures, loop.mobility(), loop.mobility() == 1 ? "" : "s",
          joints.empty() ? "none" : joints),
      Error::Kind::failed_computation);
}

double ClosureEmbedding::find_maps(std::span<Aggregate<double>> aggregates) {
  double worst = 1;
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    loops_[i].find_motions(work_, columns());
    const double conditioning = loops_[i].find_G(aggregates[i], columns());
    if (!(conditioning > rank_threshold)) refuse(loops_[i], aggregates[i]);
    worst = std::min(worst, conditioning);
  }
  return worst;
}

double ClosureEmbedding::place(const ConstVectorRef& q, std::span<Aggregate<double>> aggregates) {
  place_columns(work_, q);
  return find_maps(aggregates);
}

double ClosureEmbedding::place(const State& state, const ConstVectorRef& tau,
                               std::span<Aggregate<double>> aggregates) {
  const System& system = work_.system();
  check_efforts(system, tau);
  compute_closing_bias(work_, state, closing_bias_);
  compute_closure_bias(work_, state, row_bias_);
  find_efforts(work_, state, tau);
  kernels().motion_columns(system.tree(), work_.tree().scratch());
  const double worst = find_maps(aggregates);
  for (std::size_t i = 0; i < loops_.size(); ++i)
    loops_[i].find_bias(aggregates[i], columns(), row_bias_, closing_bias_, work_.loops().effort);
  return worst;
}

}  // namespace
}  // namespace linkwright::closure

namespace linkwright::operators {

std::unique_ptr<Embedding> embed_closures(const System& system) {
  return std::make_unique<closure::ClosureEmbedding>(system);
}

}  // namespace linkwright::operators
