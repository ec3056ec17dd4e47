#include "linkwright/coordinates/base_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <fmt/format.h>

#include "closure/rank/size.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/independent.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A column that others explain to this part of its size says nothing new.
constexpr double dependent = 1e-8;

/// Splits the columns of W, in their order, into those that say something new and sums of these.
class Selection {
 public:
  /// Columns of at most `nothing` are rounding.
  Selection(const MatrixXd& W, const VectorXd& nothing)
      : W_(W), nothing_(nothing), Q_(W.rows(), 0), share_(at(W.cols()), 0.0) {
    for (Index c = 0; c < W.cols(); ++c) judge(c);
  }

  /// The sums: kept × all.
  [[nodiscard]] MatrixXd combination() const {
    const Index rank = static_cast<Index>(kept_.size());
    MatrixXd R = MatrixXd::Zero(rank, rank), out = MatrixXd::Zero(rank, W_.cols());
    for (Index k = 0; k < rank; ++k)
      R.col(k).head(k + 1) = Q_.leftCols(k + 1).transpose() * W_.col(kept_[at(k)]);
    for (Index c = 0; c < W_.cols(); ++c) {
      if (share_[at(c)] == 0) continue;
      const VectorXd inside = Q_.transpose() * W_.col(c);
      const VectorXd x = R.triangularView<Eigen::Upper>().solve(inside);
      for (Index k = 0; k < rank; ++k)  // what is rounding only is no part of the sum
        if (std::abs(x[k]) * W_.col(kept_[at(k)]).norm() > dependent * W_.col(c).norm())
          out(k, c) = x[k];
    }
    for (Index k = 0; k < rank; ++k) out.col(kept_[at(k)]) = VectorXd::Unit(rank, k);
    return out;
  }
  [[nodiscard]] const std::vector<int>& kept() const { return kept_; }
  /// What a column's predecessors leave of it.
  [[nodiscard]] double share(Index column) const { return share_[at(column)]; }

 private:
  void judge(Index c) {
    VectorXd rest = W_.col(c);
    const double size = rest.norm();
    if (size <= nothing_[c]) return;
    for (int pass = 0; pass < 2; ++pass) rest -= Q_ * (Q_.transpose() * rest);
    share_[at(c)] = rest.norm() / size;
    if (share_[at(c)] <= dependent) return;
    kept_.push_back(static_cast<int>(c));
    Q_.conservativeResize(Eigen::NoChange, Q_.cols() + 1);
    Q_.rightCols(1) = rest.normalized();
  }

  const MatrixXd& W_;
  const VectorXd& nothing_;
  MatrixXd Q_;
  std::vector<int> kept_;
  std::vector<double> share_;
};

/// "mx:arm + 0.4 m:hand − 2 mz:hand"
std::string describe_sum(const Eigen::VectorXd& factors, int first,
                         const std::vector<std::string>& names) {
  std::string text = names[at(first)];
  for (Index c = 0; c < factors.size(); ++c) {
    if (factors[c] == 0 || c == first) continue;
    const double size = std::abs(factors[c]);
    text += factors[c] < 0 ? " - " : " + ";
    if (std::abs(size - 1) > dependent) text += fmt::format("{:.6g} ", size);
    text += names[at(c)];
  }
  return text;
}

/// Below this, a column is rounding: measured by the largest of all, mass and first moments brought to
/// moments of inertia by the mechanism's size.
VectorXd rounding_of(const Regressor& regressor, const MatrixXd& W) {
  const double length = closure::size_of(regressor.system());
  VectorXd unit = VectorXd::Ones(W.cols());
  for (Index c = 0; c < 10 * static_cast<Index>(regressor.system().model().bodies.size()); ++c)
    unit[c] = c % 10 == 0 ? length * length : c % 10 <= 3 ? length : 1;
  const VectorXd sizes = W.colwise().norm().transpose();
  const double largest = W.size() == 0 ? 0 : sizes.cwiseQuotient(unit).maxCoeff();
  return 1e-12 * largest * unit;
}

BaseParameters to_base(const Regressor& regressor, const MatrixXd& W) {
  const VectorXd nothing = rounding_of(regressor, W);
  const Selection selection(W, nothing);
  BaseParameters base;
  base.columns = selection.kept();
  const MatrixXd combination = selection.combination();
  base.combination = Matrix(combination);
  for (std::size_t k = 0; k < base.columns.size(); ++k)
    base.names.push_back(describe_sum(combination.row(static_cast<Index>(k)).transpose(),
                                      base.columns[k], regressor.names()));
  for (Index c = 0; c < W.cols(); ++c) {
    const bool kept = std::binary_search(base.columns.begin(), base.columns.end(), c);
    double& margin = kept ? base.smallest_kept : base.largest_dropped;
    margin = kept ? std::min(margin, selection.share(c)) : std::max(margin, selection.share(c));
    if (combination.col(c).isZero(0)) base.unseen.push_back(regressor.names()[at(c)]);
  }
  return base;
}

/// Enough motions that their rows are more than the parameters.
int motions_for(const Regressor& regressor, int rows_of_one) {
  return 10 + 2 * regressor.size() / std::max(rows_of_one, 1);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  /// −1 … 1, from the generator's own bits: the same on every machine.
  VectorXd numbers(Index n) {
    VectorXd out(n);
    for (double& x : out) x = std::ldexp(static_cast<double>(bits_() >> 11), -52) - 1;
    return out;
  }
  std::uint64_t seed() { return bits_(); }

 private:
  std::mt19937_64 bits_;
};

/// A closed position near q, or none.
bool find_closed(ClosedWorkspace& work, const ConstVectorRef& q, Random& random, VectorXd& out) {
  const System& system = work.system();
  compute_integral(system, q, random.numbers(system.nv()), 1, out);
  return assemble(work, {.limits = AssemblyOptions::Limits::ignore, .restarts = 0}, out).assembled;
}

}  // namespace

BaseParameters find_base_parameters(const Regressor& regressor, Workspace& work,
                                    std::uint64_t seed) {
  const System& system = regressor.system();
  const Index nv = system.nv();
  Random random(seed);
  const int count = motions_for(regressor, system.nv());
  MatrixXd W(count * nv, regressor.size()), Y(nv, regressor.size());
  State state(system);
  for (int i = 0; i < count; ++i) {
    compute_random(system, random.seed(), state.q);
    state.v = random.numbers(nv);
    regressor.compute(work, state, random.numbers(nv), Y);
    W.middleRows(i * nv, nv) = Y;
  }
  return to_base(regressor, W);
}

BaseParameters find_base_parameters(const Regressor& regressor, ClosedWorkspace& work,
                                    const ConstVectorRef& q, std::uint64_t seed) {
  const System& system = regressor.system();
  Random random(seed);
  State state(system);
  MatrixXd W(0, regressor.size());
  constexpr int tries = 20;
  for (int i = 0; i < tries * motions_for(regressor, 1); ++i) {
    if (!find_closed(work, q, random, state.q)) continue;
    const std::vector<int> entries = choose_independent(work, state.q).entries;
    const Index n = static_cast<Index>(entries.size());
    if (n == 0) break;
    MatrixXd G(system.nv(), n), Y(n, regressor.size());
    VectorXd g(system.nv()), rest(n);
    compute_coordinate_map(work, state, entries, G, g);
    state.v = G * random.numbers(n);
    compute_coordinate_map(work, state, entries, G, g);
    regressor.compute(work, state, G * random.numbers(n) + g, entries, Y, rest);
    W.conservativeResize(W.rows() + n, Eigen::NoChange);
    W.bottomRows(n) = Y;
    if (W.rows() >= n * motions_for(regressor, static_cast<int>(n))) return to_base(regressor, W);
  }
  throw Error(
      "base parameters: too few positions were found that close the loops; start from "
      "another one, or mend the closures",
      Error::Kind::failed_computation);
}

}  // namespace linkwright::coordinates
