#pragma once
/// The spatial operators of a system at one configuration, and what can be done with expressions.
///
///     using namespace linkwright::operators;
///     Operators at(system);
///     at.update(q);                                        // O(N): P, D, G of this configuration
///     auto mass = H * phi * M * transpose(phi) * transpose(H);
///     Eigen::VectorXd tau = apply(mass, at, a);            // two sweeps, no matrix
///     Eigen::VectorXd back = apply(inverse(mass), at, tau);   // on a system with rotors: mass + R
///     std::cout << explain(inverse(mass), at);
///
/// With a state in place of q the paper's stacked vectors are there too, and its lines can be typed:
///
///     at.update(state, tau);                               // also a, b and T of this state
///     Eigen::VectorXd T_free = evaluate(at, at.T() - H * phi * (M * (transpose(phi) *
///                                               (at.a() + E * at.g())) + at.b()));      // (4.17)
///
/// Closed loops are nodes with several bodies (aggregates.hpp): every expression reads the same, joint
/// vectors hold one number per independent joint, and mass + R is Gᵀ M G.
///
/// Link vectors are stacked by node, base → tip, six numbers each, [angular; linear] at the node's
/// canonical origin and in its axes (System::frame tells where a body's own frame sits on it).

#include <cstdint>
#include <memory>
#include <span>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/workspace.hpp"
#include "linkwright/operators/sweeps/evaluate.hpp"
#include "linkwright/system/closures.hpp"

namespace linkwright::operators {

class Operators {
 public:
  /// The System must outlive this. Its closures and grasps are obeyed.
  explicit Operators(const System& system);
  /// Of the spanning tree alone: throws Error for a system with closures or grasps unless they are to be
  /// left out.
  Operators(const System& system, Closures closures);
  explicit Operators(System&&) = delete;
  Operators(System&&, Closures) = delete;
  /// The same on the factorisation of a workspace that the caller also computes with, and that must
  /// outlive this. Any compute_* that places its joints takes the configuration away from here:
  /// what is applied afterwards throws Error until update() is called again.
  explicit Operators(Workspace& work);
  ~Operators();
  Operators(const Operators&) = delete;
  Operators& operator=(const Operators&) = delete;

  [[nodiscard]] const System& system() const { return work_->system(); }
  /// Whether loops are obeyed.
  [[nodiscard]] bool is_closed() const { return embedding_ != nullptr; }
  /// The entries of v that joint vectors hold, ascending; of an open system all. Those of a closed one are
  /// chosen at its first update, as closure/independent.hpp does, and stay until the next choice.
  [[nodiscard]] std::span<const int> independent() const;
  /// Chooses them anew at a position that closes every loop: the best conditioned ones, or those of these
  /// joints (closure/independent.hpp; throws Error as require_independent there). Vectors taken before
  /// are refused from then on; update() must follow.
  void choose_independent(const ConstVectorRef& q);
  void require_independent(const ConstVectorRef& q, const std::vector<std::string>& names);
  /// How well they determine the other rates, 1 at best (Independent::conditioning, or a little less).
  [[nodiscard]] double conditioning() const;
  /// The frames that B and Bᵀ speak for, in this order. Throws Error for a name that does not exist.
  void set_tips(std::span<const FrameId> frames);
  void set_tips(std::span<const std::string> names);
  /// Whether a joint has a rotor inertia.
  [[nodiscard]] bool has_rotors() const { return has_rotors_; }
  /// The frames given to set_tips, in their order.
  [[nodiscard]] std::span<const FrameId> tips() const { return tips_; }

  /// Moves to the configuration q, which closes every loop. Throws Error (failed_computation) naming the
  /// joint where D has no inverse, and the closures where the independent joints do not determine the
  /// others: at a singular position, or far from where they were chosen.
  void update(const ConstVectorRef& q);
  /// The same, and the vectors below: those of the state under the efforts tau, the external forces
  /// and what the model itself declares (springs, damping, friction, loads). tau has nv numbers; of a
  /// closed system also System::effort_count, with those of the closing joints' motors.
  void update(const State& state, const ConstVectorRef& tau, ExternalForces forces = {});

  /// The paper's given quantities after update(state, tau). They stay in place as long as this lives,
  /// and change with the next update; throw Error where the last update was given no state.
  [[nodiscard]] Stacked<Space::link_motion, double> a() const;  ///< bias accelerations (2.19)
  [[nodiscard]] Stacked<Space::link_force, double> b() const;  ///< bias less external forces (2.23)
  /// tau and the forces at joints; of a closed system Gᵀ of them
  [[nodiscard]] Stacked<Space::joint_effort, double> T() const;
  [[nodiscard]] Stacked<Space::base_motion, double> g() const;  ///< −gravity (3.21)
  [[nodiscard]] Stacked<Space::tip_motion, double> a_0()
      const;  ///< of the frames, plus gravity (2.27)

  /// Whether update() has been called and did not throw, and nothing else has used its workspace for
  /// another configuration since.
  [[nodiscard]] bool updated() const;
  /// Tells one update() from the next: what was computed at another number is out of date.
  [[nodiscard]] std::uint64_t configuration() const { return configuration_; }
  /// Tells one choice of independent joints from the next.
  [[nodiscard]] std::uint64_t choice() const { return choice_; }
  /// Tells these operators, with their choice of independent joints, from all others of the program: a
  /// vector of others' is no vector of theirs.
  [[nodiscard]] std::uint64_t id() const { return id_; }
  /// Length of a stacked vector.
  [[nodiscard]] int size(Space s) const {
    if (is_joint(s)) check_chosen();
    return static_cast<int>(evaluation_->size(s));
  }
  /// v = G x, and v̇ = G x + g of the last update(state, tau): all nv rates or accelerations from those of
  /// the independent joints, v for itself of an open system.
  void compute_rates(const ConstVectorRef& x, VectorRef v) const;
  void compute_accelerations(const ConstVectorRef& x, VectorRef a) const;
  /// Gᵀ tau, of nv efforts.
  void compute_efforts(const ConstVectorRef& tau, VectorRef reduced) const;

  /// For the library's own sweeps.
  [[nodiscard]] Evaluation<double>& evaluation() { return *evaluation_; }
  [[nodiscard]] OperatorData<double>& data() { return *data_; }
  [[nodiscard]] const OperatorData<double>& data() const { return *data_; }

 private:
  void prepare();
  void factorize();
  void write_tip_biases();
  void embed_state_vectors();
  void take_independent(std::vector<int> entries);
  void check_chosen() const;
  void check_state_vectors(const char* name) const;

  std::uint64_t id_;
  std::unique_ptr<Workspace> own_;
  std::unique_ptr<Embedding> embedding_;  // none: an open system, or its loops are left out
  Workspace* work_ = nullptr;
  bool updated_ = false, has_rotors_ = false, chosen_ = true;
  std::uint64_t choice_ = 0;
  std::vector<int> independent_;
  std::vector<double> reduced_;  // T of a closed system, per independent joint
  double conditioning_ = 1;
  std::uint64_t configuration_ = 0, of_state_ = 0;
  std::vector<FrameId> tips_;
  std::vector<double> a_, b_, T_, g_, a_0_;  // stacked, at the configuration of_state_
  std::unique_ptr<OperatorData<double>> data_;
  std::unique_ptr<Evaluation<double>> evaluation_;
};

/// Throws Error unless `at` has a configuration.
void check_updated(const Operators& at);
/// Throws Error unless a vector for `s` has `got` entries.
void check_size(const Operators& at, Space s, Eigen::Index got, const char* which);
/// The same, and that all of them are finite.
void check_input(const Operators& at, Space s, const ConstVectorRef& x, const char* which);
/// Throws Error, naming a joint, unless x has one finite number per independent joint.
void check_joint_vector(const Operators& at, const ConstVectorRef& x, const char* name);
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

/// H φ M φᵀ Hᵀ and (H φ M φᵀ Hᵀ + R)⁻¹, which the library has compiled for every instruction set. The
/// inverse is the sweep of compute_mass_matrix_solve.
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

/// Throws Error where an expression holds a vector of other operators than `at`, or of `at` that
/// belongs to another update().
void check_owner(const Operators& at, std::uint64_t owner, std::uint64_t configuration);
template <Space s>
void check_vectors(const Operators& at, const Stacked<s, double>& x) {
  if (x.owner != 0) check_owner(at, x.owner, x.configuration);
}
template <class X, class V>
void check_vectors(const Operators& at, const Applied<X, V>& x) {
  check_meaning(X{}, at);
  check_vectors(at, x.v);
}
template <class V>
void check_vectors(const Operators& at, const Negated<V>& x) {
  check_vectors(at, x.v);
}
template <class V, class W>
void check_vectors(const Operators& at, const Added<V, W>& x) {
  check_vectors(at, x.v);
  check_vectors(at, x.w);
}

/// A vector of the caller's in an expression: x must outlive the expression. Throws Error unless it
/// has the length of its space and finite entries.
///
///     Eigen::VectorXd zeta = evaluate(at, transpose(phi) * (at.a() + E * at.g()));       // (5.8)
///     M * vector<Space::link_motion>(at, zeta) + at.b()
template <Space s>
Stacked<s, double> vector(const Operators& at, const Eigen::VectorXd& x) {
  check_input(at, s, x, "the vector of an expression");
  return {x.data(), at.id()};
}
template <Space s>
Stacked<s, double> vector(const Operators& at, Eigen::VectorXd&& x) = delete;

/// out = the value of a vector expression, as the paper writes it. Throws Error where a vector in it
/// was taken from other operators, where `at` has moved since one of its own was taken, and for a
/// result of another length.
template <VectorExpression V>
void evaluate(Operators& at, const V& expression, VectorRef out) {
  check_updated(at);
  check_vectors(at, expression);
  check_size(at, V::space, out.size(), "the result");
  evaluate(at.evaluation(), expression, out.data());
}
template <VectorExpression V>
Eigen::VectorXd evaluate(Operators& at, const V& expression) {
  Eigen::VectorXd out(at.size(V::space));
  evaluate(at, expression, out);
  return out;
}

/// The sweeps that applying an expression runs, in order, one line each: direction, expression and
/// number of operations. inverse(mass + R) on its own runs the same two, a little shorter: there the
/// trunk's kernel knows which components of G are 1.
std::string explain_notes(std::span<const SweepNote> notes);
/// A copy of the operators on numbers that only count.
struct CountingOperators {
  explicit CountingOperators(const Tree<double>& tree) : scratch(tree), data(tree, scratch) {}
  Scratch<spatial::Counting> scratch;
  OperatorData<spatial::Counting> data;
};
std::unique_ptr<CountingOperators> counting_copy(const Operators& at);

template <Operator X>
std::vector<SweepNote> sweeps_of(X expression, const Operators& at) {
  using spatial::Counting;
  check_meaning(expression, at);
  const auto counting = counting_copy(at);
  Evaluation<Counting> evaluation(counting->data);
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
