#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include <cmath>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

/// How far entry (i, j) may be off, as a part of √(K_ii K_jj), to count as rounded: a matrix turned by
/// R K Rᵀ is off by some dozens of roundings, 1e-14, and one printed with 13 digits by ten times that.
constexpr double matrix_rounding = 1e-12;

std::string row_and_column(int i, int j) { return fmt::format("row {}, column {}", i + 1, j + 1); }

/// An entry that a positive semidefinite matrix with these diagonals cannot have.
void check_entry(const Source& where, const std::string& thing, const std::string& what,
                 const PoseMatrix& K, int i, int j) {
  require_finite(where, thing, fmt::format("{} in {}", what, row_and_column(i, j)), K(i, j));
  const double most = std::sqrt(K(i, i)) * std::sqrt(K(j, j));
  if (std::abs(K(i, j) - K(j, i)) > matrix_rounding * std::max(most, std::abs(K(i, j))))
    throw Error(where,
                fmt::format("{}: {} is {} in {} and {} in {}; expected a symmetric matrix", thing,
                            what, K(i, j), row_and_column(i, j), K(j, i), row_and_column(j, i)));
  if (std::abs(K(i, j)) > most * (1 + matrix_rounding))
    throw Error(where,
                fmt::format("{}: {} is {} in {}; expected at most {:.6g} beside {} and {} on the "
                            "diagonal, the root of their product, or it has a negative eigenvalue",
                            thing, what, K(i, j), row_and_column(i, j), most, K(i, i), K(j, j)));
}

/// Judged where all diagonal entries are one, so that radians and metres count alike, and told as given.
void check_eigenvalues(const Source& where, const std::string& thing, const std::string& what,
                       const PoseMatrix& K) {
  using Matrix = Eigen::Matrix<double, 6, 6>;
  Matrix given, scaled;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const double size = std::sqrt(K(i, i)) * std::sqrt(K(j, j));
      given(i, j) = K(i, j);
      scaled(i, j) = size > 0 ? K(i, j) / size : 0;
    }
  const auto least = [](const Matrix& matrix) {
    return Eigen::SelfAdjointEigenSolver<Matrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues()[0];
  };
  if (least(scaled) < -6 * matrix_rounding)
    throw Error(where, fmt::format("{}: {} has the eigenvalue {:.6g}; expected none below zero",
                                   thing, what, least(given)));
}

void check_matrix(const Source& where, const std::string& thing, const std::string& what,
                  const PoseMatrix& K) {
  for (int i = 0; i < 6; ++i) require_not_negative(where, thing, what, K(i, i));
  if (K.is_diagonal()) return;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      if (i != j) check_entry(where, thing, what, K, i, j);
  check_eigenvalues(where, thing, what, K);
}

}  // namespace

void check_flexible_base(const FlexibleBase& base, const Model& model, const Names& names) {
  const std::string thing = "flexible base on joint " + in_quotes(base.joint);
  const Joint& joint = require_joint(base.source, thing, base.joint, model, names);
  if (joint.type != JointType::free)
    throw Error(base.source, fmt::format("{}: the joint is {}; expected a free joint", thing,
                                         to_string(joint.type)));
  check_matrix(base.source, thing, "its stiffness", base.stiffness);
  check_matrix(base.source, thing, "its damping", base.damping);
}

}  // namespace linkwright::checks
