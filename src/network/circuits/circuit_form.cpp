/// A circuit for solvers of differential-algebraic equations.
///
/// Given    E, A, B, B₁ of the descriptor form, or Z, U, U₁, A, B of the reduced one
/// Computes as written: E ż − A z − B w − B₁ ẇ, where the row of a port p of users' own says through = f(across)
///          reduced: ṡ − A s − B w, and through − f(across) of Z s + U w + U₁ ẇ, the unknown of each such port in w
/// Cost     O(n²), n variables; one call of every function of users' own

#include <algorithm>

#include "linkwright/network/descriptor.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {

CircuitForm::CircuitForm(const Circuit& circuit)
    : circuit_(&circuit), as_written_(circuit.descriptor().state_variables.has_value()) {
  const CircuitDescriptor& d = circuit.descriptor();
  const auto variables = static_cast<Eigen::Index>(d.variables.size());
  if (as_written_) {
    const std::vector<int>& states = *d.state_variables;
    for (Eigen::Index i = 0; i < variables; ++i) {
      if (std::find(states.begin(), states.end(), static_cast<int>(i)) != states.end()) continue;
      algebraic_variables_.push_back(i);
      algebraic_.push_back(d.variables[at(i)]);
    }
  } else {
    for (const int row : d.own_variables) algebraic_.push_back(d.variables[at(row)]);
  }
  z_ = z_rates_ = Eigen::VectorXd::Zero(variables);
  w_ = w_rates_ = Eigen::VectorXd::Zero(circuit.U().cols());
  across_ = through_ = Eigen::VectorXd::Zero(circuit.own_count());
  own_rates_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(circuit.states().size()) -
                                     circuit.linear_states());
}

CircuitForm::CircuitForm(const CircuitForm& other) = default;
CircuitForm::~CircuitForm() = default;

void CircuitForm::compute_start(CircuitWorkspace& work, double t, const ConstVectorRef& given,
                                const ConstVectorRef& sources, const ConstVectorRef& source_rates,
                                const ConstVectorRef& states, VectorRef algebraic,
                                VectorRef state_rates) {
  circuit_->compute(work, t, given, sources, source_rates, states);
  state_rates = work.rates;
  if (as_written_)
    for (std::size_t i = 0; i < algebraic_variables_.size(); ++i)
      algebraic[static_cast<Eigen::Index>(i)] = work.z[algebraic_variables_[i]];
  else
    algebraic = work.w.tail(circuit_->own_count());
}

/// z of all variables.
void CircuitForm::place(const ConstVectorRef& states, const ConstVectorRef& algebraic) {
  if (as_written_) {
    const std::vector<int>& variables = *circuit_->descriptor().state_variables;
    for (std::size_t i = 0; i < variables.size(); ++i)
      z_[variables[i]] = states[static_cast<Eigen::Index>(i)];
    for (std::size_t i = 0; i < algebraic_variables_.size(); ++i)
      z_[algebraic_variables_[i]] = algebraic[static_cast<Eigen::Index>(i)];
  } else {
    w_.tail(circuit_->own_count()) = algebraic;
    z_.noalias() = circuit_->Z() * states.head(circuit_->linear_states());
    z_.noalias() += circuit_->U() * w_;
    z_.noalias() += circuit_->U1() * w_rates_;
  }
}

void CircuitForm::compute_residual(CircuitWorkspace& work, double t, const ConstVectorRef& given,
                                   const ConstVectorRef& sources,
                                   const ConstVectorRef& source_rates, const ConstVectorRef& states,
                                   const ConstVectorRef& state_rates,
                                   const ConstVectorRef& algebraic, VectorRef residual) {
  const CircuitDescriptor& d = circuit_->descriptor();
  const Eigen::Index ports = circuit_->port_count(), count = circuit_->source_count(),
                     linear = circuit_->linear_states();
  w_.head(ports) = given;
  w_.segment(ports, count) = sources;
  w_rates_.segment(ports, count) = source_rates;
  place(states, algebraic);
  if (as_written_) {
    z_rates_.setZero();
    for (std::size_t i = 0; i < d.state_variables->size(); ++i)
      z_rates_[(*d.state_variables)[i]] = state_rates[static_cast<Eigen::Index>(i)];
    auto rows = residual.head(z_.size());
    rows.noalias() = d.E * z_rates_;
    rows.noalias() -= d.A * z_;
    rows.noalias() -= d.B * w_;
    rows.noalias() -= d.B1 * w_rates_;
  } else {
    auto rows = residual.head(linear);
    rows = state_rates.head(linear);
    rows.noalias() -= circuit_->A() * states.head(linear);
    rows.noalias() -= circuit_->B() * w_;
  }
  if (circuit_->own_count() > 0) compute_own(work, t, states, state_rates, residual);
}

void CircuitForm::compute_own(CircuitWorkspace& work, double t, const ConstVectorRef& states,
                              const ConstVectorRef& state_rates, VectorRef residual) {
  const CircuitDescriptor& d = circuit_->descriptor();
  const Eigen::Index linear = circuit_->linear_states();
  for (std::size_t i = 0; i < d.own_edges.size(); ++i)
    across_[static_cast<Eigen::Index>(i)] = z_[d.own_edges[i]];
  circuit_->compute_own(work, t, across_, states, through_, own_rates_);
  const Eigen::Index edges = static_cast<Eigen::Index>(circuit_->network().edges().size());
  for (std::size_t i = 0; i < d.own_edges.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    residual[as_written_ ? d.own_rows[i] : linear + k] = z_[edges + d.own_edges[i]] - through_[k];
  }
  residual.tail(own_rates_.size()) = state_rates.tail(own_rates_.size()) - own_rates_;
}

void CircuitForm::read_answers(VectorRef answers) const {
  const Eigen::Index edges = static_cast<Eigen::Index>(circuit_->network().edges().size());
  for (Eigen::Index i = 0; i < circuit_->port_count(); ++i) {
    const CircuitPort& port = circuit_->ports()[at(i)];
    answers[i] = z_[port.given == Driver::across ? edges + port.edge : port.edge];
  }
}

}  // namespace linkwright::network
