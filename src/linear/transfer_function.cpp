#include "linkwright/linear/transfer_function.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "linear/staircase.hpp"
#include "linkwright/linear/analysis.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::linear {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

/// ẋ = A x + b u, y = c x + d u
struct Single {
  MatrixXd A;
  VectorXd b;
  RowVectorXd c;
  double d = 0;
};

Index place_of(const std::vector<std::string>& names, std::string_view name,
               std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    const std::string near = did_you_mean(name, names);
    throw Error(fmt::format("{} is no {} of the linear model{}", in_quotes(name), what,
                            near.empty() ? "; expected one of " + list_in_quotes(names) : near));
  }
  return found - names.begin();
}

Single pick(const LinearModel& model, std::string_view input, std::string_view output) {
  const Index j = place_of(model.inputs, input, "input"),
              i = place_of(model.outputs, output, "output");
  const VectorXd unit = balance(model.A.view());
  return {scaled(model.A.view(), unit), unit.cwiseInverse().asDiagonal() * model.B.view().col(j),
          model.C.view().row(i) * unit.asDiagonal(), model.D(i, j)};
}

/// The part that b moves.
Single moved(const Single& whole) {
  const Staircase stairs = take_stairs(whole.A, whole.b);
  const Index r = stairs.rank;
  return {stairs.A.topLeftCorner(r, r), stairs.Q.leftCols(r).transpose() * whole.b,
          whole.c * stairs.Q.leftCols(r), whole.d};
}
Single transposed(const Single& s) {
  return {s.A.transpose(), s.c.transpose(), s.b.transpose(), s.d};
}

std::vector<Complex> eigenvalues_of(const MatrixXd& A) {
  std::vector<Complex> out;
  if (A.rows() == 0) return out;
  const Eigen::EigenSolver<MatrixXd> solver(A, false);
  if (solver.info() != Eigen::Success)
    throw Error("poles or zeros of the linear model were not found: its numbers are too far apart",
                Error::Kind::failed_computation);
  out.assign(solver.eigenvalues().begin(), solver.eigenvalues().end());
  std::stable_sort(out.begin(), out.end(), [](Complex a, Complex b) {
    const double fa = std::abs(a), fb = std::abs(b);
    if (std::abs(fa - fb) > 1e-12 * (fa + fb)) return fa < fb;
    return a.imag() > b.imag();
  });
  return out;
}

/// Given a system with c ≠ 0 and d = 0, one without the state x along c: where y = γ x stays zero so does
/// ẋ, which is the output of what is left (Emami-Naeini and van Dooren 1982, one input, one output). Answers γ.
double take_off_output(Single& s) {
  const Index n = s.A.rows() - 1;
  MatrixXd V(n + 1, n + 1);
  const Eigen::HouseholderQR<MatrixXd> qr(s.c.transpose());
  V = qr.householderQ();
  V.col(0).swap(V.col(n));
  const double gamma = s.c.dot(V.col(n).transpose());
  const MatrixXd A = V.transpose() * s.A * V;
  const VectorXd b = V.transpose() * s.b;
  s = {A.topLeftCorner(n, n), b.head(n), A.row(n).head(n), b[n]};
  return gamma;
}

/// Whether u acts on y at once, beside what it does through the states.
bool acts_at_once(const Single& s, double size) {
  const double through = size > 0 ? s.c.norm() * s.b.norm() / size : 0;
  return std::abs(s.d) > rank_tolerance * through && s.d != 0;
}

}  // namespace

TransferFunction make_transfer_function(const LinearModel& model, std::string_view input,
                                        std::string_view output) {
  const Single whole = pick(model, input, output);
  Single s = transposed(moved(transposed(moved(whole))));
  TransferFunction g{std::string(input), std::string(output)};
  g.step = model.step;
  g.left_out = static_cast<int>(whole.A.rows() - s.A.rows());
  g.poles = eigenvalues_of(s.A);
  const double size = size_of(s.A);
  g.gain = 1;
  while (!acts_at_once(s, size) && s.A.rows() > 0 && s.c.norm() > 0) g.gain *= take_off_output(s);
  g.gain *= s.d;
  if (g.gain == 0) return {g.input, g.output, 0, {}, {}, static_cast<int>(whole.A.rows()), g.step};
  g.zeros = eigenvalues_of(s.A - s.b * s.c / s.d);
  return g;
}

std::complex<double> respond(const TransferFunction& g, double frequency) {
  const Complex s = g.step > 0 ? std::polar(1.0, frequency * g.step) : Complex(0, frequency);
  Complex value = g.gain;
  // Zeros and poles in turn, so that their product stays within the numbers.
  for (std::size_t i = 0; i < std::max(g.zeros.size(), g.poles.size()); ++i) {
    if (i < g.zeros.size()) value *= s - g.zeros[i];
    if (i < g.poles.size()) value /= s - g.poles[i];
  }
  return value;
}

namespace {

std::vector<double> usual_frequencies(const LinearModel& model) {
  double low = 1, high = 1;
  bool first = true;
  for (const Mode& mode : analyse(model).modes)
    if (mode.frequency > mode.uncertainty && mode.frequency > 0) {
      low = first ? mode.frequency : std::min(low, mode.frequency);
      high = first ? mode.frequency : std::max(high, mode.frequency);
      first = false;
    }
  low /= 10, high *= 10;
  if (model.step > 0) high = std::min(high, std::numbers::pi / model.step);
  constexpr int count = 400;
  std::vector<double> out(count);
  for (int i = 0; i < count; ++i) out[at(i)] = low * std::pow(high / low, i / (count - 1.0));
  return out;
}

}  // namespace

FrequencyResponse compute_frequency_response(const LinearModel& model, std::string_view input,
                                             std::string_view output,
                                             std::span<const double> frequencies) {
  const Single s = pick(model, input, output);
  FrequencyResponse out{std::string(input), std::string(output)};
  out.frequencies.assign(frequencies.begin(), frequencies.end());
  if (frequencies.empty()) out.frequencies = usual_frequencies(model);
  const VectorXcd b = s.b.cast<Complex>();
  for (const double frequency : out.frequencies) {
    const Complex z =
        model.step > 0 ? std::polar(1.0, frequency * model.step) : Complex(0, frequency);
    MatrixXcd shifted = -s.A.cast<Complex>();
    shifted.diagonal().array() += z;
    Complex value = s.d;
    if (s.A.rows() > 0)
      value += (s.c.cast<Complex>() * Eigen::PartialPivLU<MatrixXcd>(shifted).solve(b)).value();
    out.values.push_back(value);
  }
  return out;
}

}  // namespace linkwright::linear
