#include "network/circuits/elimination.hpp"

namespace linkwright::network {
namespace {

constexpr double cancelled = 1e-11;

void clean(Eigen::MatrixXd& values, const Eigen::MatrixXd& sizes) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (std::abs(values.data()[i]) <= cancelled * sizes.data()[i]) values.data()[i] = 0;
}

}  // namespace

Eigen::MatrixXd clean_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd product = a * b;
  clean(product, a.cwiseAbs() * b.cwiseAbs());
  return product;
}

Eigen::MatrixXd clean_sum(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd sum = a + b;
  clean(sum, a.cwiseAbs() + b.cwiseAbs());
  return sum;
}

Elimination::Elimination(Eigen::MatrixXd rows) : rows_(std::move(rows)), sizes_(rows_.cwiseAbs()) {}

void Elimination::pivot(std::span<const int> columns, Eigen::Index unknowns) {
  while (unknowns > 0 && rank() < rows_.rows()) {
    double best = 0;
    Eigen::Index best_row = -1;
    int best_column = -1;
    for (Eigen::Index i = rank(); i < rows_.rows(); ++i) {
      const double largest = rows_.row(i).head(unknowns).cwiseAbs().maxCoeff();
      if (largest == 0) continue;
      for (const int j : columns) {
        const double share = std::abs(rows_(i, j)) / largest;
        if (share > best) best = share, best_row = i, best_column = j;
      }
    }
    if (best_row < 0) return;
    eliminate(best_row, best_column);
  }
}

void Elimination::eliminate(Eigen::Index row, int column) {
  const Eigen::Index to = rank();
  if (row != to) {
    rows_.row(row).swap(rows_.row(to));
    sizes_.row(row).swap(sizes_.row(to));
  }
  const double pivot = rows_(to, column);
  rows_.row(to) /= pivot;
  sizes_.row(to) /= std::abs(pivot);
  rows_(to, column) = 1;
  for (Eigen::Index i = 0; i < rows_.rows(); ++i) {
    const double factor = rows_(i, column);
    if (i == to || factor == 0) continue;
    for (Eigen::Index j = 0; j < rows_.cols(); ++j) {
      if (rows_(to, j) == 0) continue;
      sizes_(i, j) = std::max(sizes_(i, j), std::abs(factor) * sizes_(to, j));
      rows_(i, j) -= factor * rows_(to, j);
      if (std::abs(rows_(i, j)) <= cancelled * sizes_(i, j)) rows_(i, j) = 0;
    }
    rows_(i, column) = 0;
  }
  pivots_.push_back(column);
}

}  // namespace linkwright::network
