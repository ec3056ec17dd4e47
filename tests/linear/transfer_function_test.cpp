// Poles, zeros and frequency responses: textbook systems, and two ways that have to agree.
#include <Eigen/Dense>
#include <complex>

#include <gtest/gtest.h>

#include "linear/mechanisms.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/linear/transfer_function.hpp"

namespace linkwright::testing {
namespace {

using namespace linear;
using Complex = std::complex<double>;
using Eigen::MatrixXd;

LinearModel model_of(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C, const MatrixXd& D) {
  LinearModel model;
  for (Eigen::Index i = 0; i < A.rows(); ++i) model.states.push_back("x" + std::to_string(i));
  for (Eigen::Index i = 0; i < B.cols(); ++i) model.inputs.push_back("u" + std::to_string(i));
  for (Eigen::Index i = 0; i < C.rows(); ++i) model.outputs.push_back("y" + std::to_string(i));
  model.A = A, model.B = B, model.C = C, model.D = D;
  model.drift = MatrixXd::Zero(A.rows(), 1);
  return model;
}

/// Two masses, m₁ on a spring k₁ to the wall and a spring k₂ to m₂; a force on m₁.
LinearModel two_masses(double m1, double m2, double k1, double k2) {
  MatrixXd A = MatrixXd::Zero(4, 4), B = MatrixXd::Zero(4, 1), C = MatrixXd::Zero(2, 4);
  A(0, 2) = A(1, 3) = 1;
  A(2, 0) = -(k1 + k2) / m1, A(2, 1) = k2 / m1, A(3, 0) = k2 / m2, A(3, 1) = -k2 / m2;
  B(2, 0) = 1 / m1;
  C(0, 0) = C(1, 1) = 1;
  return model_of(A, B, C, MatrixXd::Zero(2, 1));
}

TEST(TransferFunction, of_two_masses_has_zeros_where_the_second_absorbs) {
  const double m1 = 2, m2 = 0.5, k1 = 300, k2 = 80;
  const LinearModel model = two_masses(m1, m2, k1, k2);
  const TransferFunction near = make_transfer_function(model, "u0", "y0");
  ASSERT_EQ(near.zeros.size(), 2U);
  EXPECT_EQ(near.poles.size(), 4U);
  EXPECT_NEAR(std::abs(near.zeros[0] - Complex(0, std::sqrt(k2 / m2))), 0, 1e-10);
  EXPECT_NEAR(near.gain, 1 / m1, 1e-12);
  // The far mass: k₂/(m₁ m₂) over the poles, no zeros.
  const TransferFunction far = make_transfer_function(model, "u0", "y1");
  EXPECT_TRUE(far.zeros.empty());
  EXPECT_NEAR(far.gain, k2 / (m1 * m2), 1e-10);
  EXPECT_EQ(far.left_out, 0);
}

TEST(TransferFunction, leaves_out_what_cannot_be_moved_or_seen) {
  MatrixXd A = MatrixXd::Zero(3, 3), B = MatrixXd::Zero(3, 1), C = MatrixXd::Zero(1, 3);
  A.diagonal() << -1, -2, -3;
  B << 1, 0, 1;
  C << 1, 1, 0;
  const TransferFunction g =
      make_transfer_function(model_of(A, B, C, MatrixXd::Zero(1, 1)), "u0", "y0");
  ASSERT_EQ(g.poles.size(), 1U);
  EXPECT_NEAR(g.poles[0].real(), -1, 1e-14);
  EXPECT_EQ(g.left_out, 2);
  C << 0, 1, 0;
  EXPECT_EQ(make_transfer_function(model_of(A, B, C, MatrixXd::Zero(1, 1)), "u0", "y0").gain, 0)
      << "the output does not feel the input";
}

TEST(TransferFunction, with_a_direct_way_has_as_many_zeros_as_poles) {
  MatrixXd A(1, 1), B(1, 1), C(1, 1), D(1, 1);
  A << -2, B << 1, C << 3, D << 0.5;  // 0.5 + 3/(s + 2) = 0.5 (s + 8)/(s + 2)
  const TransferFunction g = make_transfer_function(model_of(A, B, C, D), "u0", "y0");
  ASSERT_EQ(g.zeros.size(), 1U);
  EXPECT_NEAR(g.zeros[0].real(), -8, 1e-13);
  EXPECT_NEAR(g.gain, 0.5, 1e-15);
}

/// Two ways: poles and zeros, and the matrices themselves. Where two poles meet (a joint that nothing holds has two at
/// zero) rounding moves them apart by its root, 1e-8 of |A|; the frequencies begin at a tenth of the slowest mode, so
/// that a factor is known to 1e-7, and a product of a dozen of them to 1e-6.
void expect_product_equals_matrices(const LinearModel& model) {
  const FrequencyResponse by_matrices =
      compute_frequency_response(model, model.inputs[0], model.outputs[0]);
  const TransferFunction g = make_transfer_function(model, model.inputs[0], model.outputs[0]);
  ASSERT_NE(g.gain, 0);
  ASSERT_EQ(by_matrices.values.size(), 400U);
  for (std::size_t i = 0; i < by_matrices.values.size(); ++i) {
    const Complex one = by_matrices.values[i], other = respond(g, by_matrices.frequencies[i]);
    EXPECT_LT(std::abs(one - other), 1e-6 * std::abs(one))
        << by_matrices.frequencies[i] << " rad/s";
  }
}

TEST(FrequencyResponse, of_poles_and_zeros_is_that_of_the_matrices) {
  expect_product_equals_matrices(two_masses(2, 0.5, 300, 80));
  for (const char* file : {"five_bar.yaml", "arm6.urdf"}) {
    SCOPED_TRACE(file);
    const System system =
        compile(read_model(std::string(LINKWRIGHT_SOURCE_DIR) + "/models/" + file));
    ClosedWorkspace work(system);
    const LinearModel model = linearize(work, OperatingPoint(system));
    expect_product_equals_matrices(model);
    expect_product_equals_matrices(to_discrete(model, 1e-3));
  }
}

TEST(FrequencyResponse, of_a_pendulum_peaks_where_it_swings) {
  const double m = 1, l = 9.81 / 400, c = 1e-3 * m * l * l;  // 20 rad/s, hardly damped
  const System system = compile(pendulum(m, l, c));
  ClosedWorkspace work(system);
  const LinearModel model = linearize(work, OperatingPoint(system));
  const std::vector<double> at = {1e-4, 20, 2e4};
  const FrequencyResponse found = compute_frequency_response(model, "tau:pivot", "q:pivot", at);
  const double inertia = m * l * l;
  EXPECT_NEAR(std::abs(found.values[0]) * inertia * 400, 1, 1e-8) << "static: 1/(m g l)";
  EXPECT_NEAR(std::abs(found.values[1]) * c * 20, 1, 1e-8) << "at resonance: 1/(c ω)";
  EXPECT_NEAR(std::abs(found.values[2]) * inertia * 4e8, 1, 1e-5) << "far above: 1/(J ω²)";
  const std::string svg = draw_frequency_response(std::vector{found});
  EXPECT_NE(svg.find("from tau:pivot to q:pivot"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(FrequencyResponse, names_that_are_not_there_are_told_with_the_nearest) {
  const LinearModel model = two_masses(1, 1, 1, 1);
  const auto told = [&](const char* input, const char* output) -> std::string {
    try {
      make_transfer_function(model, input, output);
      return {};
    } catch (const Error& e) {
      return e.what();
    }
  };
  EXPECT_EQ(told("u1", "y0"), "'u1' is no input of the linear model; did you mean 'u0'?");
  EXPECT_EQ(told("u0", "speed"),
            "'speed' is no output of the linear model; expected one of 'y0', 'y1'");
}

}  // namespace
}  // namespace linkwright::testing
