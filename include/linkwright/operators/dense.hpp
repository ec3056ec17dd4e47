#pragma once
/// Expressions as matrices, for small systems and for tests: each letter is built block by block
/// from its definition, products and sums are those of matrices. No sweep takes part, so that a
/// sweep can be checked against it.
///
///     Eigen::MatrixXd m = dense(H * phi * M * transpose(phi) * transpose(H), at);

#include "linkwright/operators/operators.hpp"

namespace linkwright::operators {

/// The matrix of one letter into `out`; throws Error unless that has its size. Link and inboard
/// vectors are stacked by node, joint vectors as v.
void write_dense(Letter letter, const Operators& at, MatrixRef out);

/// out = aᵀ, a b and a + b, compiled once for all expressions.
void write_transpose(const ConstMatrixRef& a, MatrixRef out);
void write_product(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out);
void write_sum(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out);

template <Letter l, Space to, Space from, Kind k>
Eigen::MatrixXd dense(Leaf<l, to, from, k>, const Operators& at) {
  Eigen::MatrixXd out(at.size(to), at.size(from));
  write_dense(l, at, out);
  return out;
}
template <class X>
Eigen::MatrixXd dense(Transposed<X>, const Operators& at) {
  Eigen::MatrixXd out(at.size(Transposed<X>::range), at.size(Transposed<X>::domain));
  write_transpose(dense(X{}, at), out);
  return out;
}
template <Space s>
Eigen::MatrixXd dense(Identity<s>, const Operators& at) {
  return Eigen::MatrixXd::Identity(at.size(s), at.size(s));
}
template <class X>
Eigen::MatrixXd dense(Negative<X>, const Operators& at);
template <class X, class Y>
Eigen::MatrixXd dense(Product<X, Y>, const Operators& at);
template <class X, class Y>
Eigen::MatrixXd dense(Sum<X, Y>, const Operators& at) {
  Eigen::MatrixXd out(at.size(Sum<X, Y>::range), at.size(Sum<X, Y>::domain));
  write_sum(dense(X{}, at), dense(Y{}, at), out);
  return out;
}
template <class X>
Eigen::MatrixXd dense(Negative<X>, const Operators& at) {
  return -dense(X{}, at);
}
template <class X, class Y>
Eigen::MatrixXd dense(Product<X, Y>, const Operators& at) {
  Eigen::MatrixXd out(at.size(Product<X, Y>::range), at.size(Product<X, Y>::domain));
  write_product(dense(X{}, at), dense(Y{}, at), out);
  return out;
}

}  // namespace linkwright::operators
