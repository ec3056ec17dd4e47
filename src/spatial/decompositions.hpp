#pragma once
/// Eigen's decompositions of dense matrices, compiled once (decompositions.cpp) instead of in every file
/// that uses one: nothing else takes the compiler as long. Hand them plain matrices and vectors; each kind
/// of expression would be compiled again where it stands.

#include <Eigen/Dense>
// NOLINTBEGIN(bugprone-macro-parentheses): a keyword takes none
#define LINKWRIGHT_DECOMPOSITIONS(KEYWORD)                                                        \
  KEYWORD template class JacobiSVD<MatrixXd>;                                                     \
  KEYWORD template class BDCSVD<MatrixXd>;                                                        \
  KEYWORD template class ColPivHouseholderQR<MatrixXd>;                                           \
  KEYWORD template class HouseholderQR<MatrixXd>;                                                 \
  KEYWORD template class CompleteOrthogonalDecomposition<MatrixXd>;                               \
  KEYWORD template class FullPivLU<MatrixXd>;                                                     \
  KEYWORD template class PartialPivLU<MatrixXd>;                                                  \
  KEYWORD template class LLT<MatrixXd>;                                                           \
  KEYWORD template class LDLT<MatrixXd>;                                                          \
  KEYWORD template class SelfAdjointEigenSolver<MatrixXd>;                                        \
  KEYWORD template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);             \
  KEYWORD template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);           \
  KEYWORD template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(   \
      const EigenBase<MatrixXd>&, int);                                                           \
  KEYWORD template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&)    \
      const;                                                                                      \
  KEYWORD template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&)    \
      const;                                                                                      \
  KEYWORD template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&,   \
                                                                               VectorXd&) const;  \
  KEYWORD template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const MatrixXd&,   \
                                                                               MatrixXd&) const;  \
  KEYWORD template void JacobiSVD<MatrixXd>::Base::_solve_impl(const VectorXd&, VectorXd&) const; \
  KEYWORD template void JacobiSVD<MatrixXd>::Base::_solve_impl(const MatrixXd&, MatrixXd&) const; \
  KEYWORD template void PartialPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;    \
  KEYWORD template void PartialPivLU<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
// NOLINTEND(bugprone-macro-parentheses)
namespace Eigen {
LINKWRIGHT_DECOMPOSITIONS(extern)
}  // namespace Eigen
