#include "network/circuits/reduction.hpp"

#include <algorithm>
#include <numeric>

namespace linkwright::network {
namespace {

Eigen::MatrixXd beside(std::initializer_list<const Eigen::MatrixXd*> parts) {
  Eigen::Index columns = 0;
  for (const Eigen::MatrixXd* part : parts) columns += part->cols();
  Eigen::MatrixXd all((*parts.begin())->rows(), columns);
  Eigen::Index at = 0;
  for (const Eigen::MatrixXd* part : parts) {
    all.middleCols(at, part->cols()) = *part;
    at += part->cols();
  }
  return all;
}

std::vector<int> all_columns(Eigen::Index count) {
  std::vector<int> columns(static_cast<std::size_t>(count));
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

/// Variables in terms of those that remain: z = Z s + U w + U₁ ẇ.
struct Solved {
  std::vector<int> free;  // which of z are s
  Eigen::MatrixXd Z, U, U1;
  bool dependent = false;
};

/// Solves A z + B w + B₁ ẇ = 0 for as many variables as there are rows.
Solved solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& B1,
             const std::vector<int>& rank_of_variable) {
  const Eigen::Index n = A.cols(), m = B.cols();
  Elimination rows(beside({&A, &B, &B1}));
  for (const int rank : {0, 1, 2}) {
    std::vector<int> columns;
    for (int j = 0; j < n; ++j)
      if (rank_of_variable[static_cast<std::size_t>(j)] == rank) columns.push_back(j);
    rows.pivot(columns, n);
  }
  Solved solved;
  solved.dependent = rows.rank() < A.rows();
  std::vector<int> pivot_row(static_cast<std::size_t>(n), -1);
  for (std::size_t i = 0; i < rows.pivots().size(); ++i)
    pivot_row[static_cast<std::size_t>(rows.pivots()[i])] = static_cast<int>(i);
  for (int j = 0; j < n; ++j)
    if (pivot_row[static_cast<std::size_t>(j)] < 0) solved.free.push_back(j);
  const auto k = static_cast<Eigen::Index>(solved.free.size());
  solved.Z = Eigen::MatrixXd::Zero(n, k);
  solved.U = solved.U1 = Eigen::MatrixXd::Zero(n, m);
  for (int j = 0; j < n; ++j) {
    const int row = pivot_row[static_cast<std::size_t>(j)];
    if (row < 0) continue;
    for (Eigen::Index f = 0; f < k; ++f)
      solved.Z(j, f) = -rows.rows()(row, solved.free[static_cast<std::size_t>(f)]);
    solved.U.row(j) = -rows.rows().row(row).segment(n, m);
    solved.U1.row(j) = -rows.rows().row(row).segment(n + m, m);
  }
  for (Eigen::Index f = 0; f < k; ++f) solved.Z(solved.free[static_cast<std::size_t>(f)], f) = 1;
  return solved;
}

/// Rows of a descriptor system, those with derivatives first and in echelon form.
struct Rows {
  Eigen::Index rank = 0;
  std::vector<int> pivots;
  Eigen::MatrixXd E, A, B, B1;
};

Rows compress(const Eigen::MatrixXd& E, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
              const Eigen::MatrixXd& B1) {
  Elimination rows(beside({&E, &A, &B, &B1}));
  rows.pivot(all_columns(E.cols()), E.cols());
  const Eigen::MatrixXd& all = rows.rows();
  return {rows.rank(),
          rows.pivots(),
          all.leftCols(E.cols()),
          all.middleCols(E.cols(), A.cols()),
          all.middleCols(E.cols() + A.cols(), B.cols()),
          all.rightCols(B1.cols())};
}

/// ṡ, once E is regular.
void take_rates(const Rows& rows, Reduced& result) {
  const Eigen::Index k = rows.rank;
  result.A.resize(k, k);
  result.B.resize(k, rows.B.cols()), result.B1.resize(k, rows.B1.cols());
  for (Eigen::Index i = 0; i < k; ++i) {
    const int s = rows.pivots[static_cast<std::size_t>(i)];
    result.A.row(s) = rows.A.row(i);
    result.B.row(s) = rows.B.row(i), result.B1.row(s) = rows.B1.row(i);
  }
}

}  // namespace

Reduced reduce(const Descriptor& system) {
  const Eigen::Index n = system.A.cols(), m = system.B.cols();
  Reduced result;
  result.Z = Eigen::MatrixXd::Identity(n, n);
  result.U = result.U1 = Eigen::MatrixXd::Zero(n, m);
  result.states = all_columns(n);
  Rows rows = compress(system.E, system.A, system.B, system.B1);
  for (;; ++result.differentiations) {
    const Eigen::Index algebraic = rows.A.rows() - rows.rank;
    if (algebraic > 0) {
      std::vector<int> ranks;
      for (const int variable : result.states)
        ranks.push_back(system.rank_of_variable[static_cast<std::size_t>(variable)]);
      const Solved solved = solve(rows.A.bottomRows(algebraic), rows.B.bottomRows(algebraic),
                                  rows.B1.bottomRows(algebraic), ranks);
      if (solved.dependent) {
        result.outcome = Reduced::Outcome::dependent_rows;
        return result;
      }
      result.U = clean_sum(result.U, clean_product(result.Z, solved.U));
      result.U1 = clean_sum(result.U1, clean_product(result.Z, solved.U1));
      result.Z = clean_product(result.Z, solved.Z);
      std::vector<int> states;
      for (const int f : solved.free) states.push_back(result.states[static_cast<std::size_t>(f)]);
      result.states = std::move(states);
      const Eigen::MatrixXd E = rows.E.topRows(rows.rank), A = rows.A.topRows(rows.rank);
      if (!clean_product(E, solved.U1).isZero(0)) {
        result.outcome = Reduced::Outcome::higher_derivatives;
        return result;
      }
      rows = compress(clean_product(E, solved.Z), clean_product(A, solved.Z),
                      clean_sum(clean_product(A, solved.U), rows.B.topRows(rows.rank)),
                      clean_sum(clean_sum(clean_product(A, solved.U1), rows.B1.topRows(rows.rank)),
                                -clean_product(E, solved.U)));
    }
    if (rows.rank == rows.A.rows()) break;
  }
  take_rates(rows, result);
  return result;
}

void shift_states(Reduced& system) {
  system.B = clean_sum(system.B, clean_product(system.A, system.B1));
  system.U = clean_sum(system.U, clean_product(system.Z, system.B1));
}

}  // namespace linkwright::network
