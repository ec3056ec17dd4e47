#pragma once
/// Equations between expressions over random trees: both sides as matrices, and both by their sweeps.
///
///     expect_same(c, Phi, phi * S);                            // (a.6)
///     expect_swept(c, transpose(B));                           // one side only: its sweeps
///
/// The sweeps of an expression are compiled for every joint type, which takes its time: one file of
/// tests for each part of the paper.

#include <gtest/gtest.h>

#include <functional>

#include "linkwright/operators/dense.hpp"
#include "operators/case.hpp"

namespace linkwright::testing {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct NamedCase : Case {
  std::string name;

  NamedCase(std::string of, const Model& model, unsigned seed);
  NamedCase(std::string of, const ClosedMechanism& made);
};

/// The matrix of a linear function, column by column: y = compute(x).
MatrixXd by_columns(Eigen::Index rows, Eigen::Index columns,
                    const std::function<void(const VectorXd& x, VectorXd& y)>& compute);
/// The matrix of an expression, column by column through its sweeps.
template <class X>
MatrixXd swept(X expression, Operators& at) {
  return by_columns(at.size(X::range), at.size(X::domain),
                    [&](const VectorXd& x, VectorXd& y) { apply(expression, at, x, y); });
}
void expect_near(const NamedCase& c, const MatrixXd& a, const MatrixXd& b, const std::string& what);
/// An expression by its sweeps is its matrix, which is returned.
template <class X>
MatrixXd expect_swept(NamedCase& c, X expression) {
  const MatrixXd matrix = dense(expression, c.at);
  expect_near(c, matrix, swept(expression, c.at), describe(expression) + ", by sweeps");
  return matrix;
}
template <class X, class Y>
void expect_same(NamedCase& c, X left, Y right) {
  expect_near(c, expect_swept(c, left), expect_swept(c, right),
              describe(left) + " = " + describe(right) + ", as matrices");
}

/// The seeds of the paper's own arms: from 3 links to 7 in a row, each on a joint that turns or slides.
inline constexpr unsigned first_chain = 24, chain_count = 5;
/// Those of mechanisms with closures of every kind.
inline constexpr unsigned first_closed = first_chain + chain_count, closed_count = 24;

/// Serial and branched, fixed, free and planar bases, every joint type; then chains, then closed ones.
class Identities : public ::testing::TestWithParam<unsigned> {
 protected:
  static Model tree(unsigned seed);
  /// Without rotors, which the paper does not have.
  static NamedCase make(unsigned seed);
  /// On every joint that moves, and on those that close loops.
  static NamedCase make_with_rotors(unsigned seed);
};
inline auto all_trees() { return ::testing::Range(0U, first_closed); }
inline auto all_closed() { return ::testing::Range(first_closed, first_closed + closed_count); }
inline auto all_systems() { return ::testing::Range(0U, first_closed + closed_count); }

}  // namespace linkwright::testing
