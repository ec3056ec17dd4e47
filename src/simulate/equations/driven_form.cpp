/// Motors around a mechanism in descriptor form: currents and shafts have E = 1, their torques go inside.

#include "linkwright/simulate/driven_equations.hpp"
#include "simulate/equations/descriptor_forms.hpp"

namespace linkwright {

class DrivenEquations::Form final : public WrappingForm {
 public:
  Form(DrivenEquations& owner, std::unique_ptr<DescriptorForm> inside)
      : WrappingForm(owner.system(), {}, std::move(inside), owner.extra_states(), {}, 0),
        owner_(&owner) {
    rates_ = Eigen::VectorXd::Zero(extra_count());
  }

  void compute_start(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef x, VectorRef rate) override {
    place(now, input);
    start_inside(now, owner_->all_, forces, x, rate);
    x.segment(first_extra(), extra_count()) = now.extra.head(extra_count());
    rate.segment(first_extra(), extra_count()) = rates_;
  }
  void compute_residual(const FullState& now, const ConstVectorRef& x, const ConstVectorRef& rate,
                        const Eigen::VectorXd& input, ExternalForces forces,
                        VectorRef residual) override {
    place(now, input);
    compute_inside(now, x, rate, owner_->all_, forces, residual);
    residual.segment(inside_size(), extra_count()) =
        rate.segment(first_extra(), extra_count()) - rates_;
  }

 private:
  void place(const FullState& now, const Eigen::VectorXd& input) {
    owner_->place_shafts(now, input);
    owner_->drives_.compute_rates(owner_->angles_, owner_->speeds_, now.extra, owner_->u_, rates_,
                                  owner_->held_);
    owner_->watch_voltages();
  }

  DrivenEquations* owner_;
  Eigen::VectorXd rates_;
};

std::unique_ptr<DescriptorForm> DrivenEquations::make_descriptor_form() {
  return std::make_unique<Form>(*this, inside().make_descriptor_form());
}

}  // namespace linkwright
