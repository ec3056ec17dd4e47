#pragma once
/// The spatial operators of a tree at one configuration, and what can be done with expressions.
///
///     using namespace linkwright::operators;
///     Operators at(system);
///     at.update(q);                                        // O(N): P, D, G of this configuration
///     auto mass = H * phi * M * transpose(phi) * transpose(H);
///     Eigen::VectorXd tau = apply(mass, at, a);            // two sweeps, no matrix
///     Eigen::VectorXd back = apply(inverse(mass), at, tau);   // on a system with rotors: mass + R
///     std::cout << explain(inverse(mass), at);
///
/// Link vectors are stacked by node, base → tip, six numbers each, [angular; linear] at the node's
/// canonical origin and in its axes (System::frame tells where a body's own frame sits on it).

#include <cstdint>
#include <memory>
#include <span>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/operators/sweeps/evaluate.hpp"
#include "linkwright/system/closures.hpp"

namespace linkwright::operators {

class Operators {
 public:
  /// The System must outlive this. Throws Error for a system with closures or grasps unless told to
  /// leave them out.
  explicit Operators(const System& system, Closures closures = Closures::refuse);
  explicit Operators(System&&, Closures = Closures::refuse) = delete;
  ~Operators();
  Operators(const Operators&) = delete;
  Operators& operator=(const Operators&) = delete;

  [[nodiscard]] const System& system() const { return *system_; }
  /// The frames that B and Bᵀ speak for, in this order. Throws Error for a name that does not exist.
  void set_tips(std::span<const FrameId> frames);
  void set_tips(std::span<const std::string> names);
  /// Whether a joint has a rotor inertia.
  [[nodiscard]] bool has_rotors() const { return has_rotors_; }
  /// The frames given to set_tips, in their order.
  [[nodiscard]] std::span<const FrameId> tips() const { return tips_; }

  /// Moves to the configuration q. Throws Error (failed_computation) naming the joint where D has
  /// no inverse.
  void update(const ConstVectorRef& q);

  /// Whether update() has been called and did not throw.
  [[nodiscard]] bool updated() const { return updated_; }
  /// Counts the calls of update(): what was computed at another count is out of date.
  [[nodiscard]] std::uint64_t configuration() const { return configuration_; }
  /// Length of a stacked vector.
  [[nodiscard]] int size(Space s) const { return static_cast<int>(evaluation_->size(s)); }

  /// For the library's own sweeps.
  [[nodiscard]] Evaluation<double>& evaluation() { return *evaluation_; }
  [[nodiscard]] OperatorData<double>& data() { return *data_; }
  [[nodiscard]] const OperatorData<double>& data() const { return *data_; }

 private:
  const System* system_;
  bool updated_ = false, has_rotors_ = false;
  std::uint64_t configuration_ = 0;
  std::vector<FrameId> tips_;
  std::unique_ptr<OperatorData<double>> data_;
  std::unique_ptr<Evaluation<double>> evaluation_;
};

/// Throws Error unless `at` has a configuration.
void check_updated(const Operators& at);
/// Throws Error unless a vector for `s` has `got` entries.
void check_size(const Operators& at, Space s, Eigen::Index got, const char* which);
/// The same, and that all of them are finite.
void check_input(const Operators& at, Space s, const ConstVectorRef& x, const char* which);
/// Throws Error unless set_tips has named a frame: without any, B has no columns.
void check_tips(const Operators& at);
/// Throws Error if a joint has a rotor inertia: D contains it, so that inverse(mass) would not be
/// the inverse of mass.
void check_no_rotors(const Operators& at);
/// What an expression asks of the system.
template <Operator X>
void check_meaning(X, const Operators& at) {
  if constexpr (excludes_rotors<X>) check_no_rotors(at);
  if constexpr (uses_tips<X>) check_tips(at);
}

/// H φ M φᵀ Hᵀ and its inverse, which the library has compiled for every instruction set.
using InverseMassOperator = decltype(inverse(MassOperator{} + R));
void apply_compiled(MassOperator, Operators& at, const double* x, double* y);
void apply_compiled(InverseMassOperator, Operators& at, const double* x, double* y);

/// y = X x in O(N). y may be x, unless both belong to frames or to the base. Throws Error for sizes
/// that do not fit and for entries of x that are not finite.
template <Operator X>
void apply(X expression, Operators& at, const ConstVectorRef& x, VectorRef y) {
  check_meaning(expression, at);
  check_input(at, X::domain, x, "the vector that an expression is applied to");
  check_size(at, X::range, y.size(), "the result");
  check_updated(at);
  if constexpr (std::is_same_v<X, MassOperator> || std::is_same_v<X, InverseMassOperator>)
    apply_compiled(expression, at, x.data(), y.data());
  else if constexpr (std::is_same_v<X, decltype(inverse(MassOperator{}))>)
    apply_compiled(InverseMassOperator{}, at, x.data(), y.data());
  else
    evaluate(at.evaluation(), expression * Stacked<X::domain, double>{x.data()}, y.data());
}
template <Operator X>
Eigen::VectorXd apply(X expression, Operators& at, const ConstVectorRef& x) {
  Eigen::VectorXd y(at.size(X::range));
  apply(expression, at, x, y);
  return y;
}

/// The sweeps that applying an expression runs, in order, one line each: direction, expression and
/// number of operations.
std::string explain_notes(std::span<const SweepNote> notes);
/// A copy of the operators on numbers that only count.
std::unique_ptr<OperatorData<spatial::Counting>> counting_copy(const Operators& at);

template <Operator X>
std::vector<SweepNote> sweeps_of(X expression, const Operators& at) {
  using spatial::Counting;
  check_meaning(expression, at);
  const auto data = counting_copy(at);
  Evaluation<Counting> evaluation(*data);
  std::vector<SweepNote> notes;
  evaluation.notes = &notes;
  const std::vector<Counting> x(evaluation.size(X::domain), Counting::number());
  std::vector<Counting> y(evaluation.size(X::range));
  evaluate(evaluation, expression * Stacked<X::domain, Counting>{x.data()}, y.data());
  return notes;
}
template <Operator X>
std::string explain(X expression, const Operators& at) {
  return describe(expression) + "\n" + explain_notes(sweeps_of(expression, at));
}

}  // namespace linkwright::operators
