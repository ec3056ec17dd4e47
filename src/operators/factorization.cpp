#include "linkwright/operators/factorization.hpp"

#include <cmath>
#include <numbers>

#include "dynamics/door.hpp"

namespace linkwright::operators {
namespace {

/// D^½ w of all joints: L Δ^½ w of those in an aggregate.
void apply_joint_roots(const OperatorData<double>& data, const double* w, double* x) {
  for (std::size_t k = 1; k < data.tree->nodes.size(); ++k) {
    if (data.aggregate_of[k] >= 0) continue;
    const Node<double>& n = data.tree->nodes[k];
    const int at = data.first_joint[k];
    data.s.at_gain(n, k, [&](const auto& gain) { gain.apply_root_of_D(w + at, x + at, n.d); });
  }
  for (const Aggregate<double>& loop : data.aggregates)
    for (std::size_t i = 0; i < loop.joint.size(); ++i) {
      double sum = std::sqrt(loop.pivot[i]) * w[loop.joint[i]];
      for (std::size_t j = 0; j < i; ++j)
        sum += loop.L[i * loop.joint.size() + j] * (std::sqrt(loop.pivot[j]) * w[loop.joint[j]]);
      x[loop.joint[i]] = sum;
    }
}

/// Box and Muller's pairs: std::normal_distribution differs from library to library.
void draw_normal(std::mt19937_64& random, VectorRef w) {
  constexpr double unit = 0x1p-53;
  for (Eigen::Index i = 0; i < w.size(); i += 2) {
    const double in_0_to_1 = static_cast<double>((random() >> 11U) + 1) * unit;  // never 0
    const double turn = static_cast<double>(random() >> 11U) * unit;
    const double radius = std::sqrt(-2 * std::log(in_0_to_1));
    w[i] = radius * std::cos(2 * std::numbers::pi * turn);
    if (i + 1 < w.size()) w[i + 1] = radius * std::sin(2 * std::numbers::pi * turn);
  }
}

/// S w, for sizes that have been checked. w may be out. D^−½ is D⁻¹ D^½, which is C⁻ᵀ.
void write_root(Operators& at, Covariance covariance, const double* w, double* out) {
  Evaluation<double>& e = at.evaluation();
  const std::size_t before = e.in_use;
  double* room = e.take(e.size(Space::joint_effort));
  apply_joint_roots(at.data(), w, room);
  const Stacked<Space::joint_effort, double> x{room};
  if (covariance == Covariance::mass)
    evaluate(e, (I + H * Phi * L) * x, out);
  else
    evaluate(e, transpose(I - H * Psi * L) * inverse(D) * x, out);
  e.in_use = before;
}

}  // namespace

void compute_solve(Operators& at, const ConstVectorRef& x, VectorRef out) {
  check_updated(at);
  check_joint_vector(at, x, "x");
  door::check_output(out.size(), at.size(Space::joint_rate), "out");
  apply_compiled(InverseMassOperator{}, at, x.data(), out.data());
}

double compute_log_determinant(const Operators& at) {
  check_updated(at);
  const OperatorData<double>& data = at.data();
  double sum = 0;
  for (std::size_t k = 1; k < data.tree->nodes.size(); ++k) {
    if (data.aggregate_of[k] >= 0) continue;
    const Node<double>& n = data.tree->nodes[k];
    sum += data.s.at_gain(n, k, [&](const auto& gain) { return gain.log_determinant(n.d); });
  }
  for (const Aggregate<double>& loop : data.aggregates)
    for (const double pivot : loop.pivot) sum += std::log(pivot);
  return sum;
}

void apply_root(Operators& at, Covariance covariance, const ConstVectorRef& w, VectorRef out) {
  check_updated(at);
  check_joint_vector(at, w, "w");
  door::check_output(out.size(), at.size(Space::joint_rate), "out");
  write_root(at, covariance, w.data(), out.data());
}

void compute_sample(Operators& at, Covariance covariance, std::mt19937_64& random, VectorRef out) {
  check_updated(at);
  door::check_output(out.size(), at.size(Space::joint_rate), "out");
  draw_normal(random, out);
  write_root(at, covariance, out.data(), out.data());
}

}  // namespace linkwright::operators
