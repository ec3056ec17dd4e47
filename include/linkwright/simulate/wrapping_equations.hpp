#pragma once
/// Equations around others: motors or a network around a mechanism. What a class does not change is answered by
/// the equations inside.
///
///     class Heated final : public linkwright::WrappingEquations {       // a user's own
///      public:
///       explicit Heated(std::unique_ptr<linkwright::Equations> inside)
///           : WrappingEquations(std::move(inside)) {}
///       std::vector<linkwright::Quantity> extra_states() const override { return {{"heat", "J"}}; }
///       void compute_rates(…) override;                                 // inside().compute_rates and its own
///     };

#include <memory>

#include "linkwright/simulate/equations.hpp"

namespace linkwright {

class WrappingEquations : public Equations {
 public:
  /// What must not be null.
  explicit WrappingEquations(std::unique_ptr<Equations> inside);
  ~WrappingEquations() override;

  [[nodiscard]] Equations& inside() { return *inside_; }
  [[nodiscard]] const Equations& inside() const { return *inside_; }

  [[nodiscard]] const System& system() const override { return inside_->system(); }
  [[nodiscard]] std::vector<Quantity> inputs() const override { return inside_->inputs(); }
  void compute_usual_input(VectorRef input) const override { inside_->compute_usual_input(input); }
  [[nodiscard]] bool follows_tree() const override { return inside_->follows_tree(); }
  [[nodiscard]] bool obeys_closures() const override { return inside_->obeys_closures(); }
  [[nodiscard]] std::vector<double> break_times() const override { return inside_->break_times(); }
  [[nodiscard]] FastState fastest() const override { return inside_->fastest(); }
  [[nodiscard]] std::vector<Event> events() override;
  void begin(FullState& now) override { inside_->begin(now); }
  [[nodiscard]] ConstraintErrors constraint_errors(const FullState& now) override {
    return inside_->constraint_errors(now);
  }
  [[nodiscard]] bool projects() const override { return inside_->projects(); }
  ConstraintErrors project(FullState& now) override { return inside_->project(now); }
  [[nodiscard]] bool is_delicate() const override { return inside_->is_delicate(); }
  [[nodiscard]] std::string describe_errors(const FullState& now) override {
    return inside_->describe_errors(now);
  }
  [[nodiscard]] Contacts* contacts() override { return inside_->contacts(); }
  [[nodiscard]] std::span<const char> released() const override { return inside_->released(); }
  void release(const FullState& now, int grasp) override { inside_->release(now, grasp); }
  void look_back() override { inside_->look_back(); }
  std::string take_notice() override { return inside_->take_notice(); }

 protected:
  /// For memory() and set_memory() of classes with `own` numbers behind those of the equations inside: hands
  /// on what is in front and answers whether it fits.
  bool set_inner_memory(const std::vector<double>& memory, std::size_t own);

 private:
  std::unique_ptr<Equations> inside_;
};

}  // namespace linkwright
