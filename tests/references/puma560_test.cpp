// PUMA 560 with the consensus parameters of Corke and Armstrong-Hélouvry: every printed digit.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/csv.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

struct Puma {
  System system;
  Workspace work;
  State state;
  explicit Puma(const std::string& file, const Vector3& gravity = {0, 0, -9.81})
      : system(build(file, gravity)), work(system), state(system) {
    constexpr double pi = std::numbers::pi;
    state.q << 0, pi / 4, pi, 0, pi / 4, 0;
  }
  static System build(const std::string& file, const Vector3& gravity) {
    Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/" + file);
    model.gravity = gravity;
    return compile(model);
  }
  VectorXd inverse_dynamics(double v, double a, ExternalForces forces = {}) {
    state.v.setConstant(v);
    VectorXd tau(6);
    compute_inverse_dynamics(work, state, VectorXd::Constant(6, a), forces, tau);
    return tau;
  }
};

/// Half a unit in the last printed digit.
double half_last_digit(const std::string& text) {
  const std::size_t exponent_at = text.find('e');
  const std::string mantissa = text.substr(0, exponent_at);
  const double scale =
      exponent_at == std::string::npos ? 0 : std::stod(text.substr(exponent_at + 1));
  const std::size_t point = mantissa.find('.');
  const double digits =
      point == std::string::npos ? 0 : static_cast<double>(mantissa.size() - point - 1);
  return 0.5 * std::pow(10, scale - digits);
}

/// All printed digits of one row of the table; a bare 0 stands for an exact zero.
void expect_row(const VectorXd& got, const std::string& name, const std::string& source) {
  const std::string file = LINKWRIGHT_SOURCE_DIR "/tests/data/puma560_figures.csv";
  int found = 0;
  for (const auto& row : read_csv(file)) {
    if (row[0] != name || row[1] != source) continue;
    ++found;
    for (int i = 0; i < 6; ++i) {
      const std::string& text = row.at(static_cast<std::size_t>(i + 2));
      const double expected = std::stod(text);
      const double bound = text == "0" ? 1e-12 : half_last_digit(text) * 1.000001;
      EXPECT_NEAR(got[i], expected, bound) << name << " (" << source << "), entry " << i + 1;
    }
  }
  EXPECT_EQ(found, 1) << "row " << name << " (" << source << ")";
}

/// Rotors, damping and friction at the joints of a DH table, and at motors behind gears.
class PumaTable : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(models, PumaTable,
                         ::testing::Values("puma560.yaml", "puma560_motors.yaml"),
                         [](const auto& file) {
                           return file.param.substr(0, file.param.find('.'));
                         });

TEST_P(PumaTable, inverse_dynamics) {
  Puma puma(GetParam());
  for (const char* source : {"printed", "recomputed"}) {
    VectorXd gravity(6);
    compute_gravity(puma.work, puma.state.q, gravity);
    expect_row(gravity, "gravity", source);
    expect_row(puma.inverse_dynamics(0, 1), "efforts v=0 a=1", source);
    expect_row(puma.inverse_dynamics(1, 1), "efforts v=1 a=1", source);
    expect_row(puma.inverse_dynamics(1, 0), "efforts v=1 a=0", source);
    // The table's force is what the arm exerts on its surroundings, in the last link's frame.
    const ExternalForce reaction{
        puma.system.frame("link6"), {{-1, -2, -3}, {-1, -2, -3}}, Axes::own};
    expect_row(puma.inverse_dynamics(0, 0, {&reaction, 1}),
               "efforts at rest pushing with 1 2 3 1 2 3", source);
    Puma floating(GetParam(), {0, 0, 0});
    expect_row(floating.inverse_dynamics(1, 1), "efforts v=1 a=1 without gravity", source);
  }
}

TEST_P(PumaTable, mass_matrix_and_forward_dynamics) {
  Puma puma(GetParam());
  Eigen::MatrixXd M(6, 6);
  compute_mass_matrix(puma.work, puma.state.q, M);
  expect_row(M.row(0).transpose(), "mass matrix row 1", "printed");
  for (int i = 0; i < 6; ++i)
    expect_row(M.row(i).transpose(), "mass matrix row " + std::to_string(i + 1), "recomputed");
  expect_row(M * (VectorXd(6) << 1, 2, 3, 1, 2, 3).finished(), "M times 1 2 3 1 2 3", "printed");
  puma.state.v << .1, .2, .8, .2, .5, 1;
  VectorXd tau(6), a(6);
  tau << 1, 3.2, 1.8, .1, .7, 4.6;
  compute_forward_dynamics(puma.work, puma.state, tau, {}, a);
  expect_row(a, "accelerations", "printed");
}

}  // namespace
}  // namespace linkwright::testing
