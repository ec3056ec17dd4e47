#pragma once
/// Equations in descriptor form, E(x) ẋ = f(t, x, u), as the method `ida` integrates them.
///
///     const auto equations = linkwright::make_equations(system, {});
///     const auto form = equations->make_descriptor_form();
///     Eigen::VectorXd x(form->size()), rate(form->size()), input = …;
///     linkwright::FullState now{start, {}};
///     equations->compute_start(now);
///     form->compute_start(now, input, {}, x, rate);            // consistent: E ẋ − f = 0 there
///     Eigen::MatrixXd E(form->size(), form->size());
///     form->compute_E(now, x, input, {}, E);
///     std::cout << form->index() << '\n' << E << '\n';
///
/// x are q, v and the extra states of a FullState, then what has no rate:
///
/// | mechanism | M v̇ = f, and q̇ = N(q) v; M in E, no forward dynamics |
/// | loops | λ, `closure:NAME:k`, and μ, `closure:NAME:k:shift`: M v̇ = f + Jᵀ λ, q̇ = N (v + Jᵀ μ), 0 = J v, 0 = gaps: the |
/// | | index 2 form of Gear, Gupta and Leimkuhler, J from the circuits of the graph; μ is zero on the motion |
/// | networks | all across and through variables, E ż = A z + B w, or where their index exceeds 1 the states of the |
/// | | shuffle (network/descriptor.hpp) |
///
/// What decides between several motions has E = 1 and rates as f: dry friction and stops that hold, grasps, given
/// motions, Baumgarte's method, and equations of users' own.

#include <memory>
#include <vector>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/simulate/equations.hpp"

namespace linkwright {

class DescriptorForm {
 public:
  virtual ~DescriptorForm() = default;
  DescriptorForm(const DescriptorForm&) = delete;
  DescriptorForm& operator=(const DescriptorForm&) = delete;

  [[nodiscard]] const std::vector<Quantity>& variables() const { return variables_; }
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(variables_.size()); }
  /// How many of them are those of a FullState.
  [[nodiscard]] Eigen::Index state_count() const { return state_count_; }
  /// How many of those right behind them are forces and shifts of loops (λ, μ).
  [[nodiscard]] virtual Eigen::Index multiplier_count() const { return 0; }
  /// Differentiation index: 0 where E is regular, 1 where 0 = f determines what has no rate, 2 with loops.
  [[nodiscard]] int index() const { return index_; }

  /// q, v and extra states of x, with quaternions of unit norm.
  void read(double t, const ConstVectorRef& x, FullState& now) const;
  /// Consistent values at a state on its constraints: whatever has no rate, and all rates. May allocate.
  virtual void compute_start(const FullState& now, const Eigen::VectorXd& input,
                             ExternalForces forces, VectorRef x, VectorRef rate) = 0;
  /// E ẋ − f. `now` is what read() makes of x, and where `projects` its projection. Must not allocate.
  virtual void compute_residual(const FullState& now, const ConstVectorRef& x,
                                const ConstVectorRef& rate, const Eigen::VectorXd& input,
                                ExternalForces forces, VectorRef residual) = 0;
  /// Whether f is that of the projection of x onto its constraints (Equations::project).
  [[nodiscard]] virtual bool projects() const { return false; }

  /// E, size × size, column by column from the residual; f.
  void compute_E(const FullState& now, const ConstVectorRef& x, const Eigen::VectorXd& input,
                 ExternalForces forces, MatrixRef E);
  void compute_f(const FullState& now, const ConstVectorRef& x, const Eigen::VectorXd& input,
                 ExternalForces forces, VectorRef f);

 protected:
  /// `extras` and `algebraic` stand behind q and v.
  DescriptorForm(const System& system, const std::vector<Quantity>& extras,
                 const std::vector<Quantity>& algebraic, int index);
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  std::vector<Quantity> variables_;
  Eigen::Index state_count_;
  int index_;
};

}  // namespace linkwright
