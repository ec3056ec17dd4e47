/// A network around a mechanism in descriptor form: its own rows as network/descriptor.hpp has them, its torques go
/// inside.

#include "linkwright/network/descriptor.hpp"
#include "linkwright/simulate/network_equations.hpp"
#include "simulate/equations/descriptor_forms.hpp"

namespace linkwright {

class NetworkEquations::Form final : public WrappingForm {
 public:
  Form(NetworkEquations& owner, std::unique_ptr<DescriptorForm> inside,
       const network::CircuitForm& circuit)
      : WrappingForm(owner.system(), owner.inside().extra_states(), std::move(inside),
                     owner.circuit_.states(), circuit.algebraic(), circuit.index()),
        owner_(&owner),
        circuit_(circuit),
        count_(extra_count() + static_cast<Eigen::Index>(circuit.algebraic().size())),
        torques_(Eigen::VectorXd::Zero(owner.circuit_.port_count())) {}

  void compute_start(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef x, VectorRef rate) override {
    place(now, input);
    rate.setZero();
    x.segment(first_extra(), extra_count()) = now.extra.tail(extra_count());
    circuit_.compute_start(owner_->work_, now.state.t, owner_->speeds_, owner_->sources_,
                           owner_->source_rates_, now.extra.tail(extra_count()),
                           x.tail(count_ - extra_count()),
                           rate.segment(first_extra(), extra_count()));
    torques_ = owner_->work_.answers;
    push(input);
    start_inside(now, owner_->all_, forces, x, rate);
  }

  void compute_residual(const FullState& now, const ConstVectorRef& x, const ConstVectorRef& rate,
                        const Eigen::VectorXd& input, ExternalForces forces,
                        VectorRef residual) override {
    place(now, input);
    circuit_.compute_residual(owner_->work_, now.state.t, owner_->speeds_, owner_->sources_,
                              owner_->source_rates_, x.segment(first_extra(), extra_count()),
                              rate.segment(first_extra(), extra_count()),
                              x.tail(count_ - extra_count()), residual.tail(count_));
    circuit_.read_answers(torques_);
    push(input);
    compute_inside(now, x, rate, owner_->all_, forces, residual);
  }

 private:
  void place(const FullState& now, const Eigen::VectorXd& input) {
    owner_->place_speeds(now.state);
    owner_->place_sources(now.state.t, input);
  }
  /// The inputs of the mechanism with the network's torques.
  void push(const Eigen::VectorXd& input) {
    owner_->all_ = input.head(owner_->mechanism_inputs_);
    for (std::size_t i = 0; i < owner_->shafts_.size(); ++i)
      owner_->all_[owner_->shafts_[i].effort] += torques_[static_cast<Eigen::Index>(i)];
  }

  NetworkEquations* owner_;
  network::CircuitForm circuit_;
  Eigen::Index count_;  // of the circuit's rows
  Eigen::VectorXd torques_;
};

std::unique_ptr<DescriptorForm> NetworkEquations::make_descriptor_form() {
  return std::make_unique<Form>(*this, inside().make_descriptor_form(),
                                network::CircuitForm(circuit_));
}

}  // namespace linkwright
