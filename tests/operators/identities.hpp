#pragma once
/// Equations between expressions over random trees: both sides as matrices, and both by their sweeps.
///
///     expect_same(c, Phi, phi * S);                            // (a.6)
///     expect_swept(c, transpose(B));                           // one side only: its sweeps
///
/// The sweeps of an expression are compiled for every joint type, which takes its time: one file of
/// tests for each part of the paper.

#include <gtest/gtest.h>

#include "linkwright/operators/dense.hpp"
#include "operators/case.hpp"

namespace linkwright::testing {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct NamedCase : Case {
  std::string name;

  NamedCase(std::string of, const Model& model, unsigned seed)
      : Case(model, seed), name(std::move(of)) {
    at.set_tips(std::vector<std::string>{"tip", "body1"});
  }
};

/// The matrix of an expression, column by column through its sweeps.
template <class X>
MatrixXd swept(X expression, Operators& at) {
  MatrixXd out(at.size(X::range), at.size(X::domain));
  for (Eigen::Index c = 0; c < out.cols(); ++c)
    out.col(c) = apply(expression, at, VectorXd::Unit(out.cols(), c));
  return out;
}
inline void expect_near(const NamedCase& c, const MatrixXd& a, const MatrixXd& b,
                        const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << c.name << ": " << what;
  ASSERT_EQ(a.cols(), b.cols()) << c.name << ": " << what;
  EXPECT_LE((a - b).norm(), c.bound * (1 + a.norm())) << c.name << ": " << what;
}
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

/// The paper's own arms: from 3 links to 7 in a row, each on a joint that turns or slides.
inline constexpr unsigned first_chain = 24, chain_count = 5;
inline Model chain(int links, RandomModel& random) {
  Model model;
  model.gravity = random.vector(10);
  for (int k = 0; k < links; ++k) {
    const std::string name = "body" + std::to_string(k);
    const JointType type = random.integer(0, 2) == 0 ? JointType::prismatic : JointType::revolute;
    model.bodies.push_back(random.body(name));
    model.joints.push_back(random.joint("joint" + std::to_string(k), type,
                                        k == 0 ? "world" : "body" + std::to_string(k - 1), name));
  }
  model.frames.push_back({"tip", model.bodies.back().name, random.pose(0.4), {}});
  return model;
}

/// Serial and branched, fixed, free and planar bases, every joint type; the last are chains.
class Identities : public ::testing::TestWithParam<unsigned> {
 protected:
  static Model tree(unsigned seed) {
    RandomModel random(seed);
    if (seed >= first_chain) return chain(3 + static_cast<int>(seed - first_chain), random);
    const std::vector<JointType> simple{JointType::revolute, JointType::prismatic};
    const std::vector<JointType> types = seed % 3 == 0 ? simple : all_joint_types();
    return random.tree(2 + static_cast<int>(seed % 5), static_cast<Base>(seed / 3 % 3), types);
  }
  /// Without rotors, which the paper does not have.
  static NamedCase make(unsigned seed) {
    Model model = tree(seed);
    for (Joint& joint : model.joints) joint.rotor_inertia.clear();
    return {"seed " + std::to_string(seed), model, seed};
  }
};
inline auto all_trees() { return ::testing::Range(0U, first_chain + chain_count); }

}  // namespace linkwright::testing
