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

template <Letter l, Space to, Space from, Kind k>
Eigen::MatrixXd dense(Leaf<l, to, from, k>, const Operators& at) {
  Eigen::MatrixXd out(at.size(to), at.size(from));
  write_dense(l, at, out);
  return out;
}
template <class X>
Eigen::MatrixXd dense(Transposed<X>, const Operators& at) {
  return dense(X{}, at).transpose();
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
  return dense(X{}, at) + dense(Y{}, at);
}
template <class X>
Eigen::MatrixXd dense(Negative<X>, const Operators& at) {
  return -dense(X{}, at);
}
template <class X, class Y>
Eigen::MatrixXd dense(Product<X, Y>, const Operators& at) {
  return dense(X{}, at) * dense(Y{}, at);
}

}  // namespace linkwright::operators
