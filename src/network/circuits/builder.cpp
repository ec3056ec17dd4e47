#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "linkwright/model/network_words.hpp"
#include "linkwright/network/circuit.hpp"
#include "network/circuits/reduction.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Kind = NetworkComponent::Kind;
using EdgeKind = NetworkEdge::Kind;

const char* across_word(Domain domain) {
  return domain == Domain::electrical ? "voltage" : "speed";
}
const char* through_word(Domain domain) {
  return domain == Domain::electrical ? "current" : "torque";
}
const char* across_unit(Domain domain) { return domain == Domain::electrical ? "V" : "rad/s"; }
const char* through_unit(Domain domain) { return domain == Domain::electrical ? "A" : "N*m"; }

constexpr std::string_view prefix = "network:";

/// "network:servo:coil:current" of "network:coil:current" inside the part "servo"; "voltage:servo:battery" of
/// "voltage:battery".
std::string inside(const std::string& part, const std::string& name) {
  const std::size_t colon = name.find(':') + 1;
  return name.substr(0, colon) + part + ":" + name.substr(colon);
}

/// r with Σ r · across = 0, of gears and motors too.
std::vector<double> ratios_of(const NetworkComponent& component) {
  return component.kind == Kind::transformer ? component.ratios
                                             : std::vector<double>{1, -component.value};
}

}  // namespace

/// Writes the descriptor form of a network and takes the reduced one over.
struct Circuit::Builder {
  explicit Builder(Circuit& circuit) : c(circuit), network(circuit.network_) {}

  void run() {
    c.tree_ = network.make_tree();
    number_variables();
    system.E = system.A = Eigen::MatrixXd::Zero(nz, nz);
    system.B = system.B1 = Eigen::MatrixXd::Zero(nz, nw);
    write_topology();
    edge_of_row.assign(at(nz), -1);
    for (Eigen::Index e = 0; e < ne; ++e) {
      const Eigen::Index first = row;
      write_edge(e);
      std::fill(edge_of_row.begin() + first, edge_of_row.begin() + row, e);
    }
    for (std::size_t p = 0; p < c.parts_.size(); ++p) write_part(p);
    Reduced reduced = reduce(system);
    judge(reduced);
    name_states(reduced);
    c.index_ = reduced.differentiations > 0 ? 1 + reduced.differentiations : has_algebraic ? 1 : 0;
    take_descriptor(reduced);
    find_dependent(reduced);
    shift_states(reduced);
    c.A_ = reduced.A, c.B_ = reduced.B;
    c.Z_ = reduced.Z, c.U_ = reduced.U, c.U1_ = reduced.U1;
    take_inertia();
    place_stores();
    place_own_states();
    name_outputs();
  }

  Eigen::Index x(Eigen::Index edge) const { return edge; }
  Eigen::Index y(Eigen::Index edge) const { return ne + edge; }
  [[nodiscard]] bool is_branch(Eigen::Index edge) const { return c.tree_.is_branch[at(edge)] != 0; }

  /// z: across and through of all edges, states of parts. w: ports, sources, own ports.
  void number_variables() {
    ne = static_cast<Eigen::Index>(network.edges().size());
    nz = 2 * ne;
    own_column.assign(at(ne), -1), port_column.assign(at(ne), -1), source_column.assign(at(ne), -1);
    c.parts_.resize(network.parts().size());
    for (const EdgeKind kind : {EdgeKind::joint, EdgeKind::outside})
      for (Eigen::Index e = 0; e < ne; ++e)
        if (network.edges()[at(e)].kind == kind) number_port(e);
    for (Eigen::Index e = 0; e < ne; ++e) {
      const NetworkEdge& edge = network.edges()[at(e)];
      if (edge.kind == EdgeKind::component) number_source(e);
      if (edge.kind == EdgeKind::part && edge.port == 0) number_part(e);
      if (edge.kind == EdgeKind::own) {
        own_column[at(e)] = static_cast<Eigen::Index>(c.own_edges_.size());
        c.own_edges_.push_back(static_cast<int>(e));
      }
    }
    nw = c.port_count() + c.source_count() + c.own_count();
    for (Eigen::Index& column : source_column) column += c.port_count();
    for (Eigen::Index& column : own_column) column += c.port_count() + c.source_count();
    system.rank_of_variable.assign(at(nz), 0);
  }

  void number_port(Eigen::Index e) {
    const NetworkEdge& edge = network.edges()[at(e)];
    port_column[at(e)] = c.port_count();
    if (edge.kind == EdgeKind::joint) {
      c.ports_.push_back({edge.name, edge.domain, Driver::across, true, static_cast<int>(e)});
      return;
    }
    const OutsidePort& port = network.outside_ports()[at(edge.index)];
    c.ports_.push_back({port.name, port.domain, port.given, false, static_cast<int>(e)});
  }

  void number_source(Eigen::Index e) {
    const auto index = at(network.edges()[at(e)].index);
    const NetworkComponent& component = network.components()[index];
    if (!is_source(component.kind)) return;
    const NetworkWords& words = words_of(component.kind);
    source_column[at(e)] = c.source_count();
    c.sources_.push_back(
        {fmt::format("{}:{}", words.value_key, component.name), std::string(words.unit)});
    c.source_entries_.push_back({component.value, network.function(index)});
    c.source_edges_.push_back(static_cast<int>(e));
  }

  void number_part(Eigen::Index e) {
    const auto index = at(network.edges()[at(e)].index);
    const Part& part = network.parts()[index];
    c.parts_[index] = {e, nz, c.source_count(), 0};
    nz += part.circuit->linear_states();
    for (std::size_t i = 0; i < part.circuit->sources_.size(); ++i) {
      const Quantity& source = part.circuit->sources_[i];
      c.sources_.push_back({inside(part.name, source.name), source.unit});
      c.source_entries_.push_back(part.circuit->source_entries_[i]);
    }
  }

  /// Fundamental circuits and cut sets: B x = 0 and Q y = 0.
  void write_topology() {
    const LinearGraph& graph = network.graph();
    const Eigen::SparseMatrix<double> circuits = fundamental_circuits(graph, c.tree_),
                                      cut_sets = fundamental_cut_sets(graph, c.tree_);
    system.A.block(0, 0, circuits.rows(), ne) = Eigen::MatrixXd(circuits);
    system.A.block(circuits.rows(), ne, cut_sets.rows(), ne) = Eigen::MatrixXd(cut_sets);
    row = circuits.rows() + cut_sets.rows();
  }

  /// 0 = z(variable) − w(column).
  void write_given(Eigen::Index variable, Eigen::Index column, double sign = 1) {
    system.A(row, variable) = 1;
    system.B(row++, column) = -sign;
  }

  void write_edge(Eigen::Index e) {
    const NetworkEdge& edge = network.edges()[at(e)];
    switch (edge.kind) {
      case EdgeKind::joint:
        return write_given(x(e), port_column[at(e)]);
      case EdgeKind::outside: {
        const Driver given = network.outside_ports()[at(edge.index)].given;
        return write_given(given == Driver::across ? x(e) : y(e), port_column[at(e)]);
      }
      case EdgeKind::own:
        has_algebraic = true;
        c.descriptor_.own_edges.push_back(static_cast<int>(e));
        c.descriptor_.own_rows.push_back(static_cast<int>(row));
        c.descriptor_.own_variables.push_back(static_cast<int>(is_branch(e) ? x(e) : y(e)));
        return write_given(is_branch(e) ? x(e) : y(e), own_column[at(e)]);
      case EdgeKind::component:
        return write_component(e, network.components()[at(edge.index)]);
      case EdgeKind::part:
        has_algebraic = true;
        return;
    }
  }

  /// weight · ż(variable) = z(rate).
  void write_store(const NetworkComponent& component, Eigen::Index variable, Eigen::Index rate,
                   double weight, bool stays) {
    system.E(row, variable) = weight;
    system.A(row++, rate) = 1;
    system.rank_of_variable[at(variable)] = stays ? 2 : 1;
    std::optional<double> initial = component.initial;
    if (initial && component.kind == Kind::spring) *initial *= component.value;  // twist to torque
    c.stores_.push_back({component.name, variable, weight, initial});
  }

  void write_component(Eigen::Index e, const NetworkComponent& component) {
    switch (component.kind) {
      case Kind::resistor:
        system.A(row, x(e)) = 1, system.A(row++, y(e)) = -component.value;
        break;
      case Kind::damper:
        system.A(row, y(e)) = 1, system.A(row++, x(e)) = -component.value;
        break;
      case Kind::capacitor:
      case Kind::inertia:
        return write_store(component, x(e), y(e), component.value, is_branch(e));
      case Kind::inductor:
        return write_store(component, y(e), x(e), component.value, !is_branch(e));
      case Kind::spring:
        return write_store(component, y(e), x(e), 1 / component.value, !is_branch(e));
      case Kind::voltage_source:
      case Kind::speed_source:
        return write_given(x(e), source_column[at(e)]);
      case Kind::current_source:
      case Kind::torque_source:
        return write_given(y(e), source_column[at(e)], -1);
      case Kind::motor:
      case Kind::gear:
      case Kind::transformer:
        has_algebraic = true;
        return write_transformer(e, ratios_of(component));
    }
    has_algebraic = true;
    c.dissipators_.push_back(static_cast<int>(e));
  }

  /// Its edges stand one behind the other, but for joints' shafts between them, which come when first named.
  void write_transformer(Eigen::Index e, const std::vector<double>& r) {
    const NetworkEdge& edge = network.edges()[at(e)];
    if (edge.port > 0) return;
    std::vector<Eigen::Index> edges;
    for (Eigen::Index other = e; other < ne && edges.size() < r.size(); ++other)
      if (network.edges()[at(other)].kind == EdgeKind::component &&
          network.edges()[at(other)].index == edge.index)
        edges.push_back(other);
    for (std::size_t i = 0; i < r.size(); ++i) system.A(row, x(edges[i])) = r[i];
    ++row;
    for (std::size_t i = 1; i < r.size(); ++i) {
      system.A(row, y(edges[i])) = r[0];
      system.A(row++, y(edges[0])) = -r[i];
    }
  }

  /// Edges of a part's ports.
  [[nodiscard]] std::vector<Eigen::Index> edges_of(std::size_t p) const {
    std::vector<Eigen::Index> edges;
    for (Eigen::Index e = c.parts_[p].first_edge; e < ne; ++e)
      if (network.edges()[at(e)].kind == EdgeKind::part &&
          network.edges()[at(e)].index == static_cast<int>(p))
        edges.push_back(e);
    return edges;
  }

  /// With what is given at its ports, g = x or −y, and its sources u:
  ///     ṡ = A s + B [g; u],   −y or x = h = Z s + U [g; u] + U₁ [ġ; u̇].
  void write_part(std::size_t p) {
    const Circuit& part = *network.parts()[p].circuit;
    const std::vector<Eigen::Index> edges = edges_of(p);
    const Eigen::Index states = part.linear_states(), ports = part.port_count(),
                       first_source = c.port_count() + c.parts_[p].source;
    const auto given = [&](Eigen::Index i) {
      const bool across = part.ports_[at(i)].given == Driver::across;
      return std::pair<Eigen::Index, double>{across ? x(edges[at(i)]) : y(edges[at(i)]),
                                             across ? 1 : -1};
    };
    for (Eigen::Index i = 0; i < states; ++i, ++row) {
      system.E(row, c.parts_[p].state + i) = 1;
      system.rank_of_variable[at(c.parts_[p].state + i)] = 2;
      system.A.row(row).segment(c.parts_[p].state, states) = part.A_.row(i);
      for (Eigen::Index j = 0; j < ports; ++j)
        system.A(row, given(j).first) += given(j).second * part.B_(i, j);
      system.B.row(row).segment(first_source, part.source_count()) =
          part.B_.row(i).segment(ports, part.source_count());
    }
    for (Eigen::Index i = 0; i < ports; ++i, ++row) {
      const Eigen::Index edge = part.ports_[at(i)].edge,
                         inner = static_cast<Eigen::Index>(part.network_.edges().size());
      const bool across = part.ports_[at(i)].given == Driver::across;
      const Eigen::Index answer = across ? inner + edge : edge;
      const double sign = across ? 1 : -1;
      system.A(row, across ? y(edges[at(i)]) : x(edges[at(i)])) += 1;
      system.A.row(row).segment(c.parts_[p].state, states) = sign * part.Z_.row(answer);
      for (Eigen::Index j = 0; j < ports; ++j) {
        const auto [variable, g] = given(j);
        system.A(row, variable) += sign * g * part.U_(answer, j);
        system.E(row, variable) -= sign * g * part.U1_(answer, j);
        int& rank = system.rank_of_variable[at(variable)];
        if (part.U1_(answer, j) != 0) rank = std::max(rank, 1);
      }
      system.B.row(row).segment(first_source, part.source_count()) =
          sign * part.U_.row(answer).segment(ports, part.source_count());
      system.B1.row(row).segment(first_source, part.source_count()) =
          sign * part.U1_.row(answer).segment(ports, part.source_count());
    }
  }

  /// Of the equations without rates those that a sum with factors makes zero: the fewest of them, so that none of the
  /// components named is innocent. Nothing where rates are needed to see it.
  [[nodiscard]] std::pair<std::vector<std::string>, Source> find_contradiction() const {
    std::vector<int> rows;
    for (Eigen::Index i = 0; i < nz; ++i)
      if (system.E.row(i).isZero(0)) rows.push_back(static_cast<int>(i));
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(system.A(rows, Eigen::all).transpose());
    if (lu.dimensionOfKernel() == 0) return {};
    Elimination sums(lu.kernel().transpose());
    std::vector<int> all(rows.size());
    std::iota(all.begin(), all.end(), 0);
    sums.pivot(all, static_cast<Eigen::Index>(rows.size()));
    const auto terms = [&](Eigen::Index k) {
      return (sums.rows().row(k).cwiseAbs().array() > 1e-9).count();
    };
    Eigen::Index fewest = 0;
    for (Eigen::Index k = 1; k < sums.rank(); ++k)
      if (terms(k) < terms(fewest)) fewest = k;
    std::pair<std::vector<std::string>, Source> found;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (std::abs(sums.rows()(fewest, static_cast<Eigen::Index>(i))) <= 1e-9) continue;
      const Eigen::Index e = edge_of_row[at(rows[i])];
      if (e < 0) continue;
      const NetworkEdge& edge = network.edges()[at(e)];
      const bool written = edge.kind == EdgeKind::component;
      const std::string name = written ? network.components()[at(edge.index)].name : edge.name;
      if (std::find(found.first.begin(), found.first.end(), name) == found.first.end())
        found.first.push_back(name);
      if (written && found.second.file.empty())
        found.second = network.components()[at(edge.index)].source;
    }
    return found;
  }

  void judge(const Reduced& reduced) const {
    if (reduced.outcome == Reduced::Outcome::dependent_rows) {
      const auto [names, source] = find_contradiction();
      throw Error(
          source,
          fmt::format(
              "network: its equations contradict or repeat each other: those of {} do not fit "
              "together. Remove one, or put a resistor, damper or spring between them",
              names.empty() ? "its components" : list_in_quotes(names)));
    }
    const bool own_rates =
        c.own_count() > 0 &&
        (!reduced.U1.rightCols(c.own_count()).isZero(0) ||
         (reduced.B1.rows() > 0 && !reduced.B1.rightCols(c.own_count()).isZero(0)));
    if (reduced.outcome == Reduced::Outcome::higher_derivatives || own_rates)
      throw Error(fmt::format(
          "network: {} to be differentiated to find its states. Put a resistor or damper beside "
          "the stores that {}",
          own_rates ? "a component of a user's own would have"
                    : "its sources or joints would have twice",
          own_rates ? "it moves at once" : "they move at once"));
  }

  /// The variable behind a column of z, and its unit.
  [[nodiscard]] Quantity variable(Eigen::Index column) const {
    for (std::size_t p = 0; p < c.parts_.size(); ++p) {
      const Circuit& part = *network.parts()[p].circuit;
      const Eigen::Index i = column - c.parts_[p].state;
      if (i < 0 || i >= part.linear_states()) continue;
      return {inside(network.parts()[p].name, part.states_[at(i)].name), part.states_[at(i)].unit};
    }
    const bool across = column < ne;
    const NetworkEdge& edge = network.edges()[at(across ? column : column - ne)];
    return {fmt::format("{}{}:{}", prefix, edge.name,
                        across ? across_word(edge.domain) : through_word(edge.domain)),
            across ? across_unit(edge.domain) : through_unit(edge.domain)};
  }

  void name_states(const Reduced& reduced) {
    for (std::size_t i = 0; i < reduced.states.size(); ++i) {
      Quantity state = variable(reduced.states[i]);
      // What a source or joint gives it at once is not part of it.
      if (!reduced.B1.row(static_cast<Eigen::Index>(i)).isZero(0))
        state.name.insert(state.name.rfind(':') + 1, "free_");
      c.states_.push_back(std::move(state));
    }
  }

  void take_descriptor(const Reduced& reduced) {
    CircuitDescriptor& d = c.descriptor_;
    for (Eigen::Index i = 0; i < nz; ++i) d.variables.push_back(variable(i));
    for (const CircuitPort& port : c.ports_) d.given.push_back(port.name);
    for (const Quantity& source : c.sources_) d.given.push_back(source.name);
    for (const int e : c.own_edges_) d.given.push_back(network.edges()[at(e)].name);
    d.E = system.E, d.A = system.A, d.B = system.B, d.B1 = system.B1;
    d.index = c.index_;
    if (c.index_ <= 1 && reduced.B1.isZero(0)) d.state_variables = reduced.states;
  }

  void find_dependent(const Reduced& reduced) {
    for (const Store& store : c.stores_) {
      if (std::find(reduced.states.begin(), reduced.states.end(), store.variable) !=
          reduced.states.end())
        continue;
      std::vector<std::string> others;
      for (Eigen::Index j = 0; j < c.port_count(); ++j)
        if (reduced.U(store.variable, j) != 0) others.push_back(c.ports_[at(j)].name);
      for (Eigen::Index j = 0; j < c.source_count(); ++j)
        if (reduced.U(store.variable, c.port_count() + j) != 0)
          others.push_back(c.sources_[at(j)].name);
      for (std::size_t s = 0; s < reduced.states.size(); ++s)
        if (reduced.Z(store.variable, static_cast<Eigen::Index>(s)) != 0)
          others.push_back(variable(reduced.states[s]).name);
      c.dependent_.push_back(
          {store.name, others.empty() ? "nothing moves it" : "follows " + list_in_quotes(others)});
    }
  }

  void take_inertia() {
    const Eigen::Index ports = c.port_count();
    c.inertia_.resize(ports, ports);
    for (Eigen::Index i = 0; i < ports; ++i) {
      const CircuitPort& port = c.ports_[at(i)];
      const Eigen::Index answer = port.given == Driver::across ? y(port.edge) : x(port.edge);
      c.inertia_.row(i) = -c.U1_.row(answer).head(ports);
      if (!c.U1_.row(answer).segment(ports, c.source_count()).isZero(0))
        c.feels_source_rates_ = true;
    }
    const Eigen::MatrixXd transposed = c.inertia_.transpose();
    c.inertia_ = 0.5 * (c.inertia_ + transposed);
  }

  /// Stores of parts come behind those of the network itself.
  void place_stores() {
    const Eigen::Index own = static_cast<Eigen::Index>(c.stores_.size());
    for (std::size_t p = 0; p < c.parts_.size(); ++p)
      for (const Store& store : network.parts()[p].circuit->stores_)
        c.stores_.push_back(
            {network.parts()[p].name + ":" + store.name, -1, store.weight, store.initial});
    c.store_Z_ = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(c.stores_.size()), c.Z_.cols());
    c.store_U_ = Eigen::MatrixXd::Zero(c.store_Z_.rows(), nw);
    for (Eigen::Index i = 0; i < own; ++i) {
      c.store_Z_.row(i) = c.Z_.row(c.stores_[at(i)].variable);
      c.store_U_.row(i) = c.U_.row(c.stores_[at(i)].variable);
    }
    Eigen::Index next = own;
    for (std::size_t p = 0; p < c.parts_.size(); ++p) next = place_stores_of(p, next);
  }

  /// d = store_Z s + store_U [g; u] of the part, with its s and g as the network has them.
  Eigen::Index place_stores_of(std::size_t p, Eigen::Index next) {
    const Circuit& part = *network.parts()[p].circuit;
    const std::vector<Eigen::Index> edges = edges_of(p);
    for (Eigen::Index k = 0; k < part.store_Z_.rows(); ++k, ++next) {
      const auto add = [&](Eigen::Index variable, double factor) {
        c.store_Z_.row(next) += factor * c.Z_.row(variable);
        c.store_U_.row(next) += factor * c.U_.row(variable);
      };
      for (Eigen::Index i = 0; i < part.linear_states(); ++i)
        add(c.parts_[p].state + i, part.store_Z_(k, i));
      for (Eigen::Index j = 0; j < part.port_count(); ++j) {
        const bool across = part.ports_[at(j)].given == Driver::across;
        add(across ? x(edges[at(j)]) : y(edges[at(j)]), (across ? 1 : -1) * part.store_U_(k, j));
      }
      c.store_U_.row(next).segment(c.port_count() + c.parts_[p].source, part.source_count()) +=
          part.store_U_.row(k).segment(part.port_count(), part.source_count());
    }
    return next;
  }

  void place_own_states() {
    Eigen::Index first = 0;
    for (const OwnComponent& own : network.own_components()) {
      c.own_.push_back({first, static_cast<Eigen::Index>(own.ports.size()),
                        static_cast<Eigen::Index>(c.states_.size()),
                        static_cast<Eigen::Index>(own.states.size())});
      first += c.own_.back().ports;
      for (const Quantity& state : own.states)
        c.states_.push_back({fmt::format("{}{}:{}", prefix, own.name, state.name), state.unit});
    }
  }

  void name_outputs() {
    for (Eigen::Index e = 0; e < ne; ++e)
      for (const Eigen::Index column : {x(e), y(e)}) c.outputs_.push_back(variable(column));
    for (std::size_t p = 0; p < c.parts_.size(); ++p) {
      c.parts_[p].output = static_cast<Eigen::Index>(c.outputs_.size());
      for (const Quantity& output : network.parts()[p].circuit->outputs_)
        c.outputs_.push_back({inside(network.parts()[p].name, output.name), output.unit});
    }
  }

  Circuit& c;
  const Network& network;
  Descriptor system;
  Eigen::Index ne = 0, nz = 0, nw = 0, row = 0;
  std::vector<Eigen::Index> own_column, port_column, source_column;
  std::vector<Eigen::Index> edge_of_row;  // −1: circuits, cut sets, parts
  bool has_algebraic = false;
};

Circuit::Circuit(Network network) : network_(std::move(network)) { Builder(*this).run(); }

Circuit::~Circuit() = default;

}  // namespace linkwright::network
