#pragma once
/// The descriptor forms of the library's own equations.

#include "linkwright/simulate/descriptor_form.hpp"

namespace linkwright {

/// E = 1: rates of the equations.
std::unique_ptr<DescriptorForm> make_explicit_form(Equations& equations);
/// M, and of loops that are kept λ and μ; without extra states. Efforts are the first inputs.
std::unique_ptr<DescriptorForm> make_mechanism_form(const System& system, Closures closures);

/// A form around another one: extra states behind those inside, and algebraic variables at the end.
///     x = inside's states, own extra states, inside's algebraic variables, own ones
class WrappingForm : public DescriptorForm {
 protected:
  WrappingForm(const System& system, const std::vector<Quantity>& inner_extras,
               std::unique_ptr<DescriptorForm> inside, const std::vector<Quantity>& extras,
               const std::vector<Quantity>& algebraic, int index);

  /// Under all inputs of the inside.
  void start_inside(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                    VectorRef x, VectorRef rate);
  /// Its rows: the first size() ones of the inside.
  void compute_inside(const FullState& now, const ConstVectorRef& x, const ConstVectorRef& rate,
                      const Eigen::VectorXd& input, ExternalForces forces, VectorRef residual);
  [[nodiscard]] bool projects() const override { return inside_->projects(); }
  [[nodiscard]] Eigen::Index multiplier_count() const override {
    return inside_->multiplier_count();
  }
  /// Where the own extra states and the own algebraic variables begin.
  [[nodiscard]] Eigen::Index first_extra() const { return inside_->state_count(); }
  [[nodiscard]] Eigen::Index extra_count() const { return state_count() - first_extra(); }
  [[nodiscard]] Eigen::Index first_algebraic() const { return inside_->size() + extra_count(); }
  [[nodiscard]] Eigen::Index inside_size() const { return inside_->size(); }

 private:
  void take(const ConstVectorRef& whole, Eigen::VectorXd& part) const;

  std::unique_ptr<DescriptorForm> inside_;
  Eigen::VectorXd x_, rate_, start_, start_rate_;
};

}  // namespace linkwright
