#include "linkwright/simulate/descriptor_form.hpp"

#include "dynamics/door.hpp"
#include "dynamics/positions/group_step.hpp"
#include "simulate/equations/descriptor_forms.hpp"
#include "simulate/equations/joint_units.hpp"

namespace linkwright {
namespace {

std::vector<Quantity> all_variables(const System& system, const std::vector<Quantity>& extras,
                                    const std::vector<Quantity>& algebraic) {
  const auto nq = static_cast<std::size_t>(system.nq()), nv = static_cast<std::size_t>(system.nv());
  std::vector<Quantity> all(nq + nv);
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    const Joint& joint = system.model().joints[j];
    for (int i = 0; i < place.nq; ++i) {
      const auto at = static_cast<std::size_t>(place.q + i);
      all[at] = {"q:" + system.position_names()[at], position_unit(joint, i)};
    }
    for (int i = 0; i < place.nv; ++i) {
      const auto at = static_cast<std::size_t>(place.v + i);
      all[nq + at] = {"v:" + system.velocity_names()[at], freedom_unit(joint, i) + "/s"};
    }
  }
  all.insert(all.end(), extras.begin(), extras.end());
  all.insert(all.end(), algebraic.begin(), algebraic.end());
  return all;
}

std::vector<Quantity> joined(std::vector<Quantity> first, const std::vector<Quantity>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class ExplicitForm final : public DescriptorForm {
 public:
  explicit ExplicitForm(Equations& equations)
      : DescriptorForm(equations.system(), equations.extra_states(), {}, 0),
        equations_(&equations) {
    rate_ = Eigen::VectorXd::Zero(size());
  }

  void compute_start(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef x, VectorRef rate) override {
    x << now.state.q, now.state.v, now.extra.head(size() - system().nq() - system().nv());
    compute_rates(now, x, input, forces);
    rate = rate_;
  }
  void compute_residual(const FullState& now, const ConstVectorRef& x, const ConstVectorRef& rate,
                        const Eigen::VectorXd& input, ExternalForces forces,
                        VectorRef residual) override {
    compute_rates(now, x, input, forces);
    residual = rate - rate_;
  }
  [[nodiscard]] bool projects() const override { return equations_->projects(); }

 private:
  void compute_rates(const FullState& now, const ConstVectorRef& x, const Eigen::VectorXd& input,
                     ExternalForces forces) {
    const Eigen::Index nq = system().nq(), nv = system().nv();
    equations_->compute_rates(now, input, forces, rate_.segment(nq, nv),
                              rate_.tail(size() - nq - nv));
    group::compute_position_rate(system(), x.data(), now.state.v.data(), rate_.data());
  }

  Equations* equations_;
  Eigen::VectorXd rate_;
};

}  // namespace

DescriptorForm::DescriptorForm(const System& system, const std::vector<Quantity>& extras,
                               const std::vector<Quantity>& algebraic, int index)
    : system_(&system),
      variables_(all_variables(system, extras, algebraic)),
      state_count_(system.nq() + system.nv() + static_cast<Eigen::Index>(extras.size())),
      index_(index) {}

void DescriptorForm::read(double t, const ConstVectorRef& x, FullState& now) const {
  const Eigen::Index nq = system_->nq(), nv = system_->nv();
  now.state.t = t;
  now.state.q = x.head(nq);
  now.state.v = x.segment(nq, nv);
  now.extra = x.segment(nq + nv, state_count_ - nq - nv);
  group::normalize(*system_, now.state.q.data());
}

void DescriptorForm::compute_f(const FullState& now, const ConstVectorRef& x,
                               const Eigen::VectorXd& input, ExternalForces forces, VectorRef f) {
  door::check_output(f.size(), size(), "f");
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(size());
  compute_residual(now, x, none, input, forces, f);
  f = -f;
}

void DescriptorForm::compute_E(const FullState& now, const ConstVectorRef& x,
                               const Eigen::VectorXd& input, ExternalForces forces, MatrixRef E) {
  door::check_output(E, size(), size(), "E");
  Eigen::VectorXd f(size()), unit = Eigen::VectorXd::Zero(size()), column(size());
  compute_f(now, x, input, forces, f);
  for (Eigen::Index i = 0; i < size(); ++i) {
    unit[i] = 1;
    compute_residual(now, x, unit, input, forces, column);
    E.col(i) = column + f;
    unit[i] = 0;
  }
}

std::unique_ptr<DescriptorForm> make_explicit_form(Equations& equations) {
  return std::make_unique<ExplicitForm>(equations);
}

std::unique_ptr<DescriptorForm> Equations::make_descriptor_form() {
  return make_explicit_form(*this);
}

WrappingForm::WrappingForm(const System& system, const std::vector<Quantity>& inner_extras,
                           std::unique_ptr<DescriptorForm> inside,
                           const std::vector<Quantity>& extras,
                           const std::vector<Quantity>& algebraic, int index)
    : DescriptorForm(
          system, joined(inner_extras, extras),
          joined({inside->variables().begin() + inside->state_count(), inside->variables().end()},
                 algebraic),
          std::max(index, inside->index())),
      inside_(std::move(inside)) {
  x_ = rate_ = start_ = start_rate_ = Eigen::VectorXd::Zero(inside_->size());
}

void WrappingForm::take(const ConstVectorRef& whole, Eigen::VectorXd& part) const {
  const Eigen::Index states = inside_->state_count(), rest = inside_->size() - states;
  part.head(states) = whole.head(states);
  part.tail(rest) = whole.segment(state_count(), rest);
}

void WrappingForm::start_inside(const FullState& now, const Eigen::VectorXd& input,
                                ExternalForces forces, VectorRef x, VectorRef rate) {
  inside_->compute_start(now, input, forces, start_, start_rate_);
  const Eigen::Index states = inside_->state_count(), rest = inside_->size() - states;
  x.head(states) = start_.head(states), rate.head(states) = start_rate_.head(states);
  x.segment(state_count(), rest) = start_.tail(rest);
  rate.segment(state_count(), rest) = start_rate_.tail(rest);
}

void WrappingForm::compute_inside(const FullState& now, const ConstVectorRef& x,
                                  const ConstVectorRef& rate, const Eigen::VectorXd& input,
                                  ExternalForces forces, VectorRef residual) {
  take(x, x_);
  take(rate, rate_);
  inside_->compute_residual(now, x_, rate_, input, forces, residual.head(inside_->size()));
}

}  // namespace linkwright
