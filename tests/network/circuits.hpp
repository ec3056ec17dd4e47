#pragma once
/// Circuits in tests: a network at its moments, and its motion by small steps of Runge and Kutta.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "linkwright/network/circuit.hpp"
#include "linkwright/network/components.hpp"

namespace circuits {

using namespace linkwright;
using namespace linkwright::network;

/// A circuit without joints, under the usual values of its sources and its functions of time.
struct Running {
  explicit Running(Network network)
      : circuit(std::move(network)),
        work(circuit),
        given(Eigen::VectorXd::Zero(circuit.port_count())),
        sources(circuit.source_count()),
        usual(circuit.source_count()),
        rates(circuit.source_count()),
        states(static_cast<Eigen::Index>(circuit.states().size())),
        outputs(static_cast<Eigen::Index>(circuit.outputs().size())) {
    circuit.compute_usual_sources(usual);
    circuit.compute_functions(0, sources, rates);
    sources += usual;
    circuit.compute_start(work, given, sources, states);
  }

  const Eigen::VectorXd& rates_at(double t, const Eigen::VectorXd& s) {
    circuit.compute_functions(t, sources, rates);
    sources += usual;
    circuit.compute(work, t, given, sources, rates, s);
    return work.rates;
  }

  void run(double to, double step) {
    const int steps = static_cast<int>(std::lround(to / step));
    Eigen::VectorXd k1, k2, k3, k4;
    for (int i = 0; i < steps; ++i) {
      const double t = i * step;
      k1 = rates_at(t, states);
      k2 = rates_at(t + step / 2, states + step / 2 * k1);
      k3 = rates_at(t + step / 2, states + step / 2 * k2);
      k4 = rates_at(t + step, states + step * k3);
      states += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    rates_at(to, states);
  }

  /// A number that the circuit tells, at the moment computed last.
  double output(const std::string& name) {
    circuit.compute_outputs(work, Eigen::VectorXd::Zero(circuit.port_count()), outputs);
    for (std::size_t i = 0; i < circuit.outputs().size(); ++i)
      if (circuit.outputs()[i].name == name) return outputs[static_cast<Eigen::Index>(i)];
    ADD_FAILURE() << "there is no output " << name;
    return 0;
  }

  Circuit circuit;
  CircuitWorkspace work;
  Eigen::VectorXd given, sources, usual, rates, states, outputs;
};

inline std::vector<std::string> names_of(const std::vector<Quantity>& list) {
  std::vector<std::string> names;
  for (const Quantity& quantity : list) names.push_back(quantity.name);
  return names;
}

/// The text of the Error that `action` throws.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  ADD_FAILURE() << "no Error";
  return {};
}

inline void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "no '" << word << "' in: " << text;
}

}  // namespace circuits
