#include "linkwright/simulate/network_equations.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>

#include <fmt/format.h>

#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

Eigen::Index count_of(const std::vector<Quantity>& list) {
  return static_cast<Eigen::Index>(list.size());
}

void append(std::vector<Quantity>& list, const std::vector<Quantity>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

NetworkEquations::NetworkEquations(std::unique_ptr<Equations> mechanism, network::Network network)
    : WrappingEquations(std::move(mechanism)),
      circuit_(std::move(network)),
      work_(circuit_),
      mechanism_inputs_(count_of(inside().inputs())),
      mechanism_extras_(count_of(inside().extra_states())),
      mechanism_outputs_(count_of(inside().outputs())) {
  shafts_ = place_shafts(system(), circuit_, inside().obeys_closures());
  require_reflected(system(), circuit_);
  if (has_closing_shaft(shafts_)) closed_ = std::make_unique<ClosedWorkspace>(system());
  speeds_ = accelerations_ = Eigen::VectorXd::Zero(circuit_.port_count());
  sources_ = source_rates_ = Eigen::VectorXd::Zero(circuit_.source_count());
  closing_rates_ =
      Eigen::VectorXd::Zero(static_cast<Eigen::Index>(system().closing_names().size()));
  closing_jacobian_ = Eigen::MatrixXd::Zero(closing_rates_.size(), system().nv());
  all_ = own_ = Eigen::VectorXd::Zero(mechanism_inputs_);
  a_ = Eigen::VectorXd::Zero(system().nv());
  start_input_ = Eigen::VectorXd::Zero(mechanism_inputs_ + circuit_.source_count());
  NetworkEquations::compute_usual_input(start_input_);
}

NetworkEquations::~NetworkEquations() = default;

void NetworkEquations::set_start_input(const ConstVectorRef& input) {
  if (input.size() != start_input_.size())
    throw Error(fmt::format("a start is judged with {} inputs; {} were given", start_input_.size(),
                            input.size()));
  start_input_ = input;
}

std::vector<Quantity> NetworkEquations::inputs() const {
  std::vector<Quantity> all = inside().inputs();
  append(all, circuit_.sources());
  return all;
}

void NetworkEquations::compute_usual_input(VectorRef input) const {
  inside().compute_usual_input(input.head(mechanism_inputs_));
  circuit_.compute_usual_sources(input.tail(circuit_.source_count()));
}

std::vector<Quantity> NetworkEquations::extra_states() const {
  std::vector<Quantity> all = inside().extra_states();
  append(all, circuit_.states());
  return all;
}

std::vector<Quantity> NetworkEquations::outputs() const {
  std::vector<Quantity> all = inside().outputs();
  append(all, circuit_.outputs());
  return all;
}

void NetworkEquations::place_speeds(const State& state) {
  if (closed_) compute_closing_rates(*closed_, state, closing_rates_);
  for (std::size_t i = 0; i < shafts_.size(); ++i)
    speeds_[static_cast<Eigen::Index>(i)] =
        shafts_[i].v >= 0 ? state.v[shafts_[i].v] : closing_rates_[shafts_[i].closing];
}

void NetworkEquations::place_sources(double t, const Eigen::VectorXd& input) {
  circuit_.compute_functions(t, sources_, source_rates_);
  sources_ += input.tail(circuit_.source_count());
}

void NetworkEquations::place(const FullState& now, const Eigen::VectorXd& input) {
  place_speeds(now.state);
  place_sources(now.state.t, input);
  circuit_.compute(work_, now.state.t, speeds_, sources_, source_rates_,
                   now.extra.tail(count_of(circuit_.states())));
  all_ = input.head(mechanism_inputs_);
  for (std::size_t i = 0; i < shafts_.size(); ++i)
    all_[shafts_[i].effort] += work_.answers[static_cast<Eigen::Index>(i)];
}

void NetworkEquations::compute_rates(const FullState& now, const Eigen::VectorXd& input,
                                     ExternalForces forces, VectorRef a, VectorRef extra_rates) {
  place(now, input);
  extra_rates.tail(work_.rates.size()) = work_.rates;
  inside().compute_rates(now, all_, forces, a, extra_rates.head(mechanism_extras_));
  a_ = a;
}

void NetworkEquations::compute_efforts(const FullState& now, const Eigen::VectorXd& input,
                                       VectorRef tau) {
  place(now, input);
  inside().compute_efforts(now, all_, tau);
}

void NetworkEquations::compute_closing_efforts(const FullState& now, const Eigen::VectorXd& input,
                                               VectorRef efforts) {
  place(now, input);
  inside().compute_closing_efforts(now, all_, efforts);
}

void NetworkEquations::compute_contacts(const FullState& now, const Eigen::VectorXd& input,
                                        ExternalForces forces, std::span<ContactForce> out) {
  place(now, input);
  inside().compute_contacts(now, all_, forces, out);
}

void NetworkEquations::compute_outputs(const FullState& now, const Eigen::VectorXd& input,
                                       VectorRef outputs) {
  place(now, input);
  inside().compute_outputs(now, all_, outputs.head(mechanism_outputs_));
  if (closed_) {
    compute_closing_jacobian(*closed_, now.state.q, closing_jacobian_);
    compute_closing_bias(*closed_, now.state, closing_rates_);
    closing_rates_.noalias() += closing_jacobian_ * a_;
  }
  for (std::size_t i = 0; i < shafts_.size(); ++i)
    accelerations_[static_cast<Eigen::Index>(i)] =
        shafts_[i].v >= 0 ? a_[shafts_[i].v] : closing_rates_[shafts_[i].closing];
  circuit_.compute_outputs(work_, accelerations_, outputs.tail(count_of(circuit_.outputs())));
}

void NetworkEquations::compute_start(FullState& now) {
  inside().compute_start(now);
  const Eigen::VectorXd before = now.extra;
  now.extra = Eigen::VectorXd::Zero(mechanism_extras_ + count_of(circuit_.states()));
  now.extra.head(mechanism_extras_) = before.head(mechanism_extras_);
  place_speeds(now.state);
  place_sources(now.state.t, start_input_);
  circuit_.compute_start(work_, speeds_, sources_, now.extra.tail(count_of(circuit_.states())));
}

std::optional<ExtraEnergy> NetworkEquations::extra_energy(const FullState& now,
                                                          const Eigen::VectorXd& input) {
  place(now, input);
  const network::Circuit::Power power =
      circuit_.power(work_, now.extra.tail(count_of(circuit_.states())));
  own_ = input.head(mechanism_inputs_);
  ExtraEnergy energy;
  if (mechanism_extras_ > 0 || mechanism_outputs_ > 0) {
    const auto inner = inside().extra_energy(now, own_);
    if (!inner) return std::nullopt;
    energy = *inner;
  } else {
    energy.fed = std::abs(own_.head(system().nv()).dot(now.state.v));
    energy.is_kept = !own_.any();
  }
  // The mechanism counts inertias that its joints turn.
  double on_joints = 0;
  for (Eigen::Index i = 0; i < speeds_.size(); ++i)
    on_joints += 0.5 * speeds_[i] * circuit_.inertia().row(i).dot(speeds_);
  energy.stored += power.stored - on_joints;
  energy.fed += power.fed;
  energy.is_kept = energy.is_kept && power.fed == 0 && power.is_lossless;
  return energy;
}

FastState NetworkEquations::fastest() const {
  FastState fastest = inside().fastest();
  if (circuit_.linear_states() == 0) return fastest;
  const Eigen::EigenSolver<Eigen::MatrixXd> modes(circuit_.A());
  for (Eigen::Index i = 0; i < modes.eigenvalues().size(); ++i) {
    const double size = std::abs(modes.eigenvalues()[i]);
    if (!(size * fastest.time > 1)) continue;
    Eigen::Index state = 0;
    modes.eigenvectors().col(i).cwiseAbs().maxCoeff(&state);
    fastest = {circuit_.states()[at(state)].name, 1 / size,
               "without that component the network has no such fast state"};
  }
  return fastest;
}

std::vector<double> NetworkEquations::memory() const {
  std::vector<double> all = inside().memory();
  const auto guess = work_.w.tail(circuit_.own_count());
  all.insert(all.end(), guess.begin(), guess.end());
  return all;
}

bool NetworkEquations::set_memory(const std::vector<double>& memory) {
  const std::size_t own = at(circuit_.own_count());
  if (memory.size() < own) return false;
  const std::size_t first = memory.size() - own;
  const Eigen::Map<const Eigen::VectorXd> guess(memory.data() + first, circuit_.own_count());
  network::Circuit::set_guess(work_, guess);
  work_.w.tail(circuit_.own_count()) = guess;
  return set_inner_memory(memory, own);
}

}  // namespace linkwright
