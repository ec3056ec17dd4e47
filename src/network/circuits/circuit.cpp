#include "linkwright/network/circuit.hpp"

#include <cmath>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "network/circuits/newton.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
CircuitWorkspace::CircuitWorkspace(const Circuit& circuit)
    : rates(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(circuit.states().size()))),
      answers(Eigen::VectorXd::Zero(circuit.port_count())),
      z(Eigen::VectorXd::Zero(circuit.Z().rows())),
      w(Eigen::VectorXd::Zero(circuit.U().cols())),
      w_rates(w),
      newton_(std::make_unique<Newton>(circuit)),
      states_(Eigen::VectorXd::Zero(circuit.linear_states())) {
  for (const Part& part : circuit.network().parts()) parts_.emplace_back(*part.circuit);
}

CircuitWorkspace::~CircuitWorkspace() = default;
CircuitWorkspace::CircuitWorkspace(CircuitWorkspace&&) noexcept = default;

void Circuit::compute_usual_sources(VectorRef sources) const {
  for (std::size_t i = 0; i < source_entries_.size(); ++i)
    sources[static_cast<Eigen::Index>(i)] = source_entries_[i].usual;
}

void Circuit::compute_functions(double t, VectorRef values, VectorRef rates) const {
  for (std::size_t i = 0; i < source_entries_.size(); ++i) {
    const auto& function = source_entries_[i].function;
    const SourceValue value = function ? function(t) : SourceValue{};
    if (!std::isfinite(value.value) || !std::isfinite(value.rate))
      throw Error(
          fmt::format("source {} gave {} with the rate {} at t = {} s; expected finite numbers",
                      in_quotes(sources_[i].name), value.value, value.rate, t));
    values[static_cast<Eigen::Index>(i)] = value.value;
    rates[static_cast<Eigen::Index>(i)] = value.rate;
  }
}

void Circuit::compute(CircuitWorkspace& work, double t, const ConstVectorRef& given,
                      const ConstVectorRef& sources, const ConstVectorRef& source_rates,
                      const ConstVectorRef& states) const {
  const Eigen::Index ports = port_count(), count = source_count(), linear = linear_states();
  work.states_ = states.head(linear);
  work.w.head(ports) = given;
  work.w.segment(ports, count) = sources;
  work.w_rates.setZero();
  work.w_rates.segment(ports, count) = source_rates;
  if (own_count() > 0) solve_own(work, t, states);
  work.rates.head(linear).noalias() = A_ * work.states_;
  work.rates.head(linear).noalias() += B_ * work.w;
  work.z.noalias() = Z_ * work.states_;
  work.z.noalias() += U_ * work.w;
  work.z.noalias() += U1_ * work.w_rates;
  const auto edges = static_cast<Eigen::Index>(network_.edges().size());
  for (Eigen::Index i = 0; i < ports; ++i) {
    const CircuitPort& port = ports_[at(i)];
    work.answers[i] = work.z[port.given == Driver::across ? edges + port.edge : port.edge];
  }
}

void Circuit::compute_outputs(CircuitWorkspace& work, const ConstVectorRef& given_rates,
                              VectorRef outputs) const {
  work.w_rates.head(port_count()) = given_rates;
  work.z.noalias() = Z_ * work.states_;
  work.z.noalias() += U_ * work.w;
  work.z.noalias() += U1_ * work.w_rates;
  compute_outputs(work, 0, outputs);
}

void Circuit::compute_outputs(CircuitWorkspace& work, Eigen::Index first, VectorRef outputs) const {
  const auto edges = static_cast<Eigen::Index>(network_.edges().size());
  for (Eigen::Index e = 0; e < edges; ++e) {
    outputs[first + 2 * e] = work.z[e];
    outputs[first + 2 * e + 1] = work.z[edges + e];
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    place_part(work, p);
    network_.parts()[p].circuit->compute_outputs(work.parts_[p], first + parts_[p].output, outputs);
  }
}

void Circuit::place_part(CircuitWorkspace& work, std::size_t p) const {
  const Circuit& part = *network_.parts()[p].circuit;
  CircuitWorkspace& inner = work.parts_[p];
  const PlacedPart& place = parts_[p];
  const auto edges = static_cast<Eigen::Index>(network_.edges().size());
  const Eigen::Index sources = part.source_count(), source = port_count() + place.source;
  inner.states_ = work.z.segment(place.state, part.linear_states());
  Eigen::Index edge = place.first_edge;
  for (Eigen::Index i = 0; i < part.port_count(); ++i, ++edge) {
    while (network_.edges()[at(edge)].kind != NetworkEdge::Kind::part) ++edge;
    const bool across = part.ports_[at(i)].given == Driver::across;
    const Eigen::Index row = across ? edge : edges + edge;
    const double sign = across ? 1 : -1;
    inner.w[i] = sign * work.z[row];
    inner.w_rates[i] =
        sign * (Z_.row(row).dot(work.rates.head(linear_states())) + U_.row(row).dot(work.w_rates));
  }
  inner.w.segment(part.port_count(), sources) = work.w.segment(source, sources);
  inner.w_rates.segment(part.port_count(), sources) = work.w_rates.segment(source, sources);
  inner.rates.noalias() = part.A_ * inner.states_;
  inner.rates.noalias() += part.B_ * inner.w;
  inner.z.noalias() = part.Z_ * inner.states_;
  inner.z.noalias() += part.U_ * inner.w;
  inner.z.noalias() += part.U1_ * inner.w_rates;
}

Circuit::Power Circuit::power(CircuitWorkspace& work, const ConstVectorRef& states) const {
  const auto edges = static_cast<Eigen::Index>(network_.edges().size());
  const auto taken = [&](int edge) { return work.z[edge] * work.z[edges + edge]; };
  Power power;
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double d = store_Z_.row(row).dot(work.states_) + store_U_.row(row).dot(work.w);
    power.stored += 0.5 * stores_[i].weight * d * d;
  }
  for (const int edge : source_edges_) power.fed += std::abs(taken(edge));
  for (const int edge : dissipators_) power.is_lossless = power.is_lossless && taken(edge) == 0;
  for (const int edge : own_edges_) power.is_lossless = power.is_lossless && taken(edge) == 0;
  for (std::size_t i = 0; i < own_.size(); ++i)
    if (const auto& stored = network_.own_components()[i].stored)
      power.stored += stored({states.data() + own_[i].state, at(own_[i].states)});
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    place_part(work, p);
    CircuitWorkspace& inner = work.parts_[p];
    const Power part = network_.parts()[p].circuit->power(inner, inner.states_);
    power.fed += part.fed;
    power.is_lossless = power.is_lossless && part.is_lossless;
  }
  return power;
}

}  // namespace linkwright::network
