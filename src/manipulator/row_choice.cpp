#include "manipulator/row_choice.hpp"

#include <fmt/format.h>

#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/error.hpp"
#include "manipulator/cholesky.hpp"

namespace linkwright::manipulator {

using Eigen::Index;

RowChoice::RowChoice(const Eigen::VectorXd& row_scale, const Eigen::VectorXd& column_scale)
    : row_scale_(row_scale),
      column_scale_(column_scale),
      part_(row_scale.size()),
      effort_(column_scale.size()),
      A_(column_scale.size(), row_scale.size()),
      L_(row_scale.size(), row_scale.size()),
      space_(static_cast<int>(column_scale.size()), static_cast<int>(row_scale.size())) {}

void RowChoice::factorize(const Eigen::MatrixXd& K, const Eigen::MatrixXd& Omega) {
  for (Index i = 0; i < K.rows(); ++i)
    A_.col(i) = row_scale_[i] * K.row(i).transpose().cwiseProduct(column_scale_);
  space_.compute(A_, closure::rank_threshold);
  for (int j = 0; j < rank(); ++j)
    for (int i = 0; i < rank(); ++i) L_(i, j) = Omega(space_.column(i), space_.column(j));
  if (!factorize_in_place(L_.topLeftCorner(rank(), rank()), hardly_any_pivot))
    throw Error(
        fmt::format("the contact forces cannot be found: {} rows of the grasps depend on the "
                    "others but for rounding, at a position that is nearly singular",
                    K.rows() - rank()),
        Error::Kind::failed_computation);
}

void RowChoice::solve(Eigen::VectorXd& r) {
  for (int k = 0; k < rank(); ++k) part_[k] = r[space_.column(k)];
  solve_in_place(L_.topLeftCorner(rank(), rank()), part_.head(rank()));
  r.setZero();
  for (int k = 0; k < rank(); ++k) r[space_.column(k)] = part_[k];
}

void RowChoice::shorten(const Eigen::MatrixXd& K, Eigen::VectorXd& lambda) {
  effort_ = K.transpose().lazyProduct(lambda);
  effort_.array() *= column_scale_.array();
  space_.solve_columns(effort_, lambda);
  lambda.array() *= row_scale_.array();
}

}  // namespace linkwright::manipulator
