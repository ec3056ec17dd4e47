#include "manipulator/reduction.hpp"

#include <algorithm>
#include <numeric>

#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/error.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Reduction::Reduction(int nv, std::vector<int> rows, std::vector<std::vector<int>> groups)
    : nv_(nv), rows_(std::move(rows)), groups_(std::move(groups)) {
  if (binds()) return;
  chosen_ = true;
  independent_.resize(at(nv));
  std::iota(independent_.begin(), independent_.end(), 0);
  G_ = MatrixXd::Identity(nv, nv);
  gamma_ = VectorXd::Zero(nv);
}

void Reduction::choose(const MatrixXd& K) {
  MatrixXd rest = K(rows_, Eigen::all);
  const double largest = rest.colwise().norm().maxCoeff();
  for (const std::vector<int>& group : groups_)
    for (;;) {
      int best = -1;
      for (const int v : group)
        if (best < 0 || rest.col(v).norm() > rest.col(best).norm() * (1 + 1e-9)) best = v;
      if (best < 0 || !(rest.col(best).norm() > closure::rank_threshold * largest)) break;
      const VectorXd direction = rest.col(best).normalized();
      rest -= (direction * (direction.transpose() * rest)).eval();
      dependent_.push_back(best);
    }
  std::ranges::sort(dependent_);
  for (int v = 0; v < nv_; ++v)
    if (!std::ranges::binary_search(dependent_, v)) independent_.push_back(v);
  const auto rank = static_cast<int>(dependent_.size()), rows = static_cast<int>(rows_.size());
  G_.setZero(nv_, static_cast<Index>(independent_.size()));
  for (std::size_t j = 0; j < independent_.size(); ++j)
    G_(independent_[j], static_cast<Index>(j)) = 1;
  A_.setZero(rank, rows), gamma_.setZero(nv_), demand_.setZero(rows), answer_.setZero(rank);
  space_ = closure::Orthogonal(rank, rows);
  chosen_ = true;
}

void Reduction::compute(const MatrixXd& K, const VectorXd& beta) {
  if (!binds()) return;
  if (!chosen_) choose(K);
  for (std::size_t i = 0; i < dependent_.size(); ++i)
    for (std::size_t k = 0; k < rows_.size(); ++k)
      A_(static_cast<Index>(i), static_cast<Index>(k)) = K(rows_[k], dependent_[i]);
  space_.compute(A_, closure::rank_threshold);
  if (space_.rank() < static_cast<int>(dependent_.size()))
    throw Error(
        "the freedoms that were independent at the first position do not determine the others "
        "here: "
        "make a new model at this position",
        Error::Kind::failed_computation);
  const auto solve = [&](auto demand, auto put) {
    for (std::size_t k = 0; k < rows_.size(); ++k)
      demand_[static_cast<Index>(k)] = demand(rows_[k]);
    space_.solve_rows(demand_, answer_);
    for (std::size_t i = 0; i < dependent_.size(); ++i)
      put(dependent_[i], answer_[static_cast<Index>(i)]);
  };
  for (std::size_t j = 0; j < independent_.size(); ++j)
    solve([&](int row) { return -K(row, independent_[j]); },
          [&](int v, double x) { G_(v, static_cast<Index>(j)) = x; });
  solve([&](int row) { return -beta[row]; }, [&](int v, double x) { gamma_[v] = x; });
}

}  // namespace linkwright::manipulator
