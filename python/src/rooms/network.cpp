// Circuits and shafts: networks of components, their state equations, and what they do between two of their places.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"
#include "linkwright/network/circuit.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "results.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using network::Circuit;
using network::CircuitWorkspace;
using network::Network;
using Wires = std::vector<std::pair<std::string, std::string>>;
using PortWires = std::vector<std::tuple<std::string, std::string, std::string>>;

// --- building -----------------------------------------------------------------------------------

NetworkComponent::Kind to_kind(std::string_view name) {
  Names known;
  for (const NetworkWords& words : network_vocabulary()) {
    if (words.name == name) return words.kind;
    known.emplace_back(words.name);
  }
  throw Error("there is no component " + in_quotes(name) + did_you_mean(name, known));
}

network::Domain to_domain(std::string_view name) {
  return choose<network::Domain>(
      "domain", name,
      {{"electrical", network::Domain::electrical}, {"shaft", network::Domain::shaft}});
}

void add(Network& self, std::string_view kind, const std::string& name, double value,
         const std::vector<double>& ratios, bool electrical, std::optional<double> initial,
         const Wires& wires) {
  NetworkComponent component{.name = name,
                             .kind = to_kind(kind),
                             .value = value,
                             .ratios = ratios,
                             .electrical = electrical,
                             .initial = initial};
  for (const auto& [from, to] : wires) component.wires.push_back({from, to});
  self.add(std::move(component));
}

std::vector<network::PortWire> to_port_wires(const PortWires& wires) {
  std::vector<network::PortWire> out;
  for (const auto& [port, from, to] : wires) out.push_back({port, from, to});
  return out;
}

Array copy_of_span(std::span<const double> numbers) {
  return copy_of(std::vector<double>(numbers.begin(), numbers.end()));
}

/// What a function of the user's returns, into where it belongs.
void put(nb::handle given, const std::string& label, std::span<double> out) {
  const Input numbers({given}, label.c_str(), static_cast<Index>(out.size()), Input::Many::refused);
  std::copy_n(numbers.state(0), out.size(), out.data());
}

// Functions and parts are borrowed: linkwright.network keeps them, where the garbage collector sees the cycles that
// they are often part of.
void require_callable(const std::string& name, nb::handle function) {
  if (PyCallable_Check(function.ptr()) == 0)
    throw Error(in_quotes(name) + ": expected a function; got " +
                nb::cast<std::string>(nb::repr(function)));
}

void add_own(Network& self, const std::string& name,
             const std::vector<std::pair<std::string, std::string>>& ports,
             const std::vector<std::pair<std::string, std::string>>& states,
             const std::vector<double>& start, nb::handle compute, nb::handle stored,
             const PortWires& wires) {
  require_callable(name, compute);
  network::OwnComponent own{.name = name, .start = start};
  for (const auto& [port, domain] : ports) own.ports.push_back({port, to_domain(domain)});
  for (const auto& [state, unit] : states) own.states.push_back({state, unit});
  const bool has_states = !states.empty();
  own.compute = [compute, name, has_states](const network::OwnMoment& at, std::span<double> through,
                                            std::span<double> rates) {
    const nb::gil_scoped_acquire lock;
    const nb::object told = compute(at.t, copy_of_span(at.across), copy_of_span(at.states));
    if (!has_states) return put(told, name + ": what its function returns", through);
    if (!nb::isinstance<nb::tuple>(told) || nb::len(told) != 2)
      throw Error(name + ": its function must return (through, rates of its states)");
    put(told[0], name + ": through, which its function returns", through);
    put(told[1], name + ": rates, which its function returns", rates);
  };
  if (!stored.is_none())
    own.stored = [stored, name](std::span<const double> now) {
      const nb::gil_scoped_acquire lock;
      const nb::object told = stored(copy_of_span(now));
      double joules = 0;
      if (nb::try_cast(told, joules)) return joules;
      throw Error(name + ": what `stored` returns: expected a number; got " +
                  nb::cast<std::string>(nb::repr(told)));
    };
  self.add(std::move(own), to_port_wires(wires));
}

void add_port(Network& self, const std::string& name, std::string_view domain,
              const std::pair<std::string, std::string>& wire, std::string_view given) {
  using network::Driver;
  self.add_port({.name = name,
                 .domain = to_domain(domain),
                 .wire = {wire.first, wire.second},
                 .given = choose<Driver>(
                     "given", given, {{"across", Driver::across}, {"through", Driver::through}})});
}

void drive(Network& self, std::string_view source, nb::handle function) {
  require_callable(std::string(source), function);
  self.drive(source, [function, name = std::string(source)](double t) {
    const nb::gil_scoped_acquire lock;
    const nb::object told = function(t);
    double value = 0;
    if (nb::try_cast(told, value)) return network::SourceValue{value, 0};
    std::pair<double, double> both;
    if (nb::try_cast(told, both)) return network::SourceValue{both.first, both.second};
    throw Error("source " + in_quotes(name) +
                ": its function must return a number, or (value, rate)");
  });
}

/// Names of branches and chords.
std::pair<Names, Names> tree_of(const Network& self) {
  const network::FormulationTree tree = self.make_tree();
  std::pair<Names, Names> out;
  for (const int edge : tree.branches)
    out.first.push_back(self.edges()[static_cast<std::size_t>(edge)].name);
  for (const int edge : tree.chords)
    out.second.push_back(self.edges()[static_cast<std::size_t>(edge)].name);
  return out;
}

void bind_building(nb::module_& module) {
  nb::class_<Network>(module, "Network", "The compiled part of linkwright.network.Network.")
      .def(nb::init<>())
      .def("_read",
           [](Network& self, const PySystem& system) { self = Network(system.system().model()); })
      .def("_read_motors",
           [](Network& self, const PySystem& system) {
             self = network::make_network(system.system());
           })
      .def("_add", &add, "kind"_a, "name"_a, "value"_a, "ratios"_a, "electrical"_a,
           "initial"_a.none(), "wires"_a)
      .def("_add_own", &add_own, "name"_a, "ports"_a, "states"_a, "start"_a, "compute"_a,
           "stored"_a.none(), "wires"_a)
      .def("_add_part",
           [](Network& self, const std::string& name, const Circuit& circuit,
              const PortWires& wires) {
             const std::shared_ptr<const Circuit> borrowed(&circuit, [](const Circuit*) {});
             self.add(name, borrowed, to_port_wires(wires));
           })
      .def("_add_port", &add_port)
      .def("_drive", &drive)
      .def_prop_ro(
          "components",
          [](const Network& self) {
            std::vector<std::pair<std::string, std::string>> out;
            for (const NetworkComponent& component : self.components())
              out.emplace_back(component.name, words_of(component.kind).name);
            return out;
          },
          "Names and kinds.")
      .def_prop_ro(
          "joints", [](const Network& self) { return self.joints(); },
          "The shafts of joints that it is wired to.")
      .def("tree", &tree_of,
           "Components whose across variables the equations are written in, and the others.");
}

// --- equations ----------------------------------------------------------------------------------

std::vector<std::pair<std::string, std::string>> named(const std::vector<Quantity>& quantities) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Quantity& quantity : quantities) out.emplace_back(quantity.name, quantity.unit);
  return out;
}

Eigen::VectorXd usual_sources(const Circuit& self, Numbers given) {
  Eigen::VectorXd sources(self.source_count());
  self.compute_usual_sources(sources);
  return given.is_none() ? sources : vector_from(given, "sources", self.source_count());
}

Array start(const Circuit& self, Numbers given, Numbers sources) {
  CircuitWorkspace work(self);
  const auto size = static_cast<Index>(self.states().size());
  const Array out = Array::vector(size);
  self.compute_start(work, vector_or_zeros(given, "given", self.port_count()),
                     usual_sources(self, sources), Vector(out.data(), size));
  return out;
}

/// Rates of the states, answers at the ports, outputs; joules stored, watts fed.
std::tuple<Array, Array, Array, double, double> evaluate(const Circuit& self, double t,
                                                         Numbers states, Numbers given,
                                                         Numbers sources, Numbers source_rates,
                                                         Numbers given_rates) {
  CircuitWorkspace work(self);
  const Eigen::VectorXd at =
      vector_from(states, "states", static_cast<Index>(self.states().size()));
  const Eigen::VectorXd rates = vector_or_zeros(given_rates, "given_rates", self.port_count());
  Eigen::VectorXd values(self.source_count()), value_rates(self.source_count());
  self.compute_functions(t, values, value_rates);
  values += usual_sources(self, sources);
  value_rates += vector_or_zeros(source_rates, "source_rates", self.source_count());
  self.compute(work, t, vector_or_zeros(given, "given", self.port_count()), values, value_rates,
               at);
  Eigen::VectorXd outputs(static_cast<Index>(self.outputs().size()));
  self.compute_outputs(work, rates, outputs);
  const Eigen::VectorXd answers = work.answers - self.inertia() * rates;
  const Circuit::Power power = self.power(work, at);
  return {copy_of(work.rates), copy_of(answers), copy_of(outputs), power.stored, power.fed};
}

void bind_equations(nb::module_& module) {
  nb::class_<Circuit>(module, "Circuit", "The compiled part of linkwright.network.Circuit.")
      .def(nb::init<Network>(), "network"_a)
      .def_prop_ro("index", &Circuit::index, "How often the equations had to be differentiated.")
      .def_prop_ro(
          "dependent",
          [](const Circuit& self) {
            std::vector<std::pair<std::string, std::string>> out;
            for (const auto& store : self.dependent())
              out.emplace_back(store.component, store.reason);
            return out;
          },
          "Stores that add no state, and what determines them.")
      .def_prop_ro("_states", [](const Circuit& self) { return named(self.states()); })
      .def_prop_ro("_sources", [](const Circuit& self) { return named(self.sources()); })
      .def_prop_ro("_outputs", [](const Circuit& self) { return named(self.outputs()); })
      .def_prop_ro(
          "ports",
          [](const Circuit& self) {
            Names names;
            for (const auto& port : self.ports()) names.push_back(port.name);
            return names;
          },
          "Where the outside gives one variable: joints first, then outside ports.")
      .def_prop_ro("is_linear", [](const Circuit& self) { return self.own_count() == 0; })
      .def_prop_ro(
          "A", [](const Circuit& self) { return copy_of(self.A()); },
          "Rates of the states by the states,")
      .def_prop_ro(
          "B", [](const Circuit& self) { return copy_of(self.B()); },
          "by ports, sources and own components.")
      .def_prop_ro(
          "inertia", [](const Circuit& self) { return copy_of(self.inertia()); },
          "What ports feel of inertias that they turn rigidly.")
      .def("_start", &start, "given"_a = nb::none(), "sources"_a = nb::none())
      .def("_evaluate", &evaluate, "t"_a, "states"_a.none(), "given"_a = nb::none(),
           "sources"_a = nb::none(), "source_rates"_a = nb::none(), "given_rates"_a = nb::none());
}

}  // namespace

void bind_network(nb::module_& module) {
  bind_building(module);
  bind_equations(module);
  module.def("_reflect_inertias", &network::reflect_inertias, "model"_a)
      .def("_to_network", &network::to_network, "model"_a);
}

}  // namespace linkwright::python
