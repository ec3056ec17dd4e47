#pragma once
/// Products of dense matrices of some ten rows: elsewhere the library is compiled for the baseline, and for matrices as
/// small as these Eigen's products pack more than they multiply.

#include "linkwright/dynamics/state.hpp"

namespace linkwright::closure {

/// out = A B; `out` is none of them.
void multiply(MatrixRef out, const ConstMatrixRef& A, const ConstMatrixRef& B);
/// The same, quicker where much of B is zero: rows that six columns side by side have in common cost little.
void multiply_sparse(MatrixRef out, const ConstMatrixRef& A, const ConstMatrixRef& B);

}  // namespace linkwright::closure
