#pragma once
/// Networks of circuits and shafts: components wired between named nodes, beside a mechanism whose joints are
/// shafts. Circuit (network/circuit.hpp) makes state equations of them.
///
///     using namespace linkwright::network;
///     Network network;
///     network.add(voltage_source("battery", 12, "plus"));            // network/components.hpp
///     network.add(resistor("lamp", 6, "plus", "coil"));
///     network.add(inductor("choke", 0.1, "coil"));
///     OwnComponent diode{.name = "diode", .ports = {{"anode", Domain::electrical}}};
///     diode.compute = [](const OwnMoment& at, std::span<double> through, std::span<double>) {
///       through[0] = 1e-12 * std::expm1(at.across[0] / 0.026);
///     };
///     network.add(diode, {{"anode", "coil"}});
///     const Circuit circuit(network);
///
/// Nodes are made where they are named; "ground" and "housing" are the references of circuits and shafts, and an
/// end that is left out is wired there. A node "joint:NAME" ("joint:NAME:K") is that joint's shaft.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/model/model.hpp"
#include "linkwright/network/formulation_tree.hpp"
#include "linkwright/system/quantity.hpp"

namespace linkwright::network {

class Circuit;

/// A port by its name, and the nodes it is wired to; an empty end is the reference.
struct PortWire {
  std::string port{};
  std::string from{}, to{};
};

/// What a component of a user's own sees at a moment.
struct OwnMoment {
  double t = 0;
  std::span<const double> across{};  ///< one per port: volts, or radians per second
  std::span<const double> states{};
};
/// A component of a user's own: through = f(t, across, states), and the rates of its states. It need not be
/// linear; what its through variables do to its across variables is solved by Newton's method.
struct OwnComponent {
  struct Port {
    std::string name{};
    Domain domain = Domain::electrical;
  };
  std::string name{};
  std::vector<Port> ports{};
  std::vector<Quantity> states{};  ///< called network:NAME:STATE
  std::vector<double> start{};     ///< their values where a run begins; none: zero
  /// Must not allocate where it is called per step, and must answer for every finite input.
  std::function<void(const OwnMoment& at, std::span<double> through, std::span<double> rates)>
      compute{};
  /// Joules that the states store; none: the component stores nothing.
  std::function<double(std::span<const double> states)> stored{};
};

/// What a source gives at a time, and how fast that changes.
struct SourceValue {
  double value = 0, rate = 0;
};

/// A reduced network as a component of another one.
struct Part {
  std::string name{};
  std::shared_ptr<const Circuit> circuit{};
};
/// Where what is outside is wired to: a terminal pair of a network that is to be a component elsewhere.
struct OutsidePort {
  std::string name{};
  Domain domain = Domain::electrical;
  NetworkWire wire{};
  /// Which of its variables the outside gives; the network answers with the other.
  Driver given = Driver::across;
};

/// One edge of a network's graph: a port of a component, a joint's shaft, or an outside port.
struct NetworkEdge {
  enum class Kind { component, own, part, joint, outside };
  Kind kind = Kind::component;
  int index = 0;  ///< into components(), own_components(), parts(), joints() or outside_ports()
  int port = 0;   ///< of the component
  std::string name{};  ///< "coil", "motor:shaft", "joint:elbow"
  Domain domain = Domain::electrical;
};

class Network {
 public:
  Network() = default;
  /// The components of a model, wired to its joints; throws Error with file and line.
  explicit Network(const Model& model);

  /// Throw Error for a name that is taken, a value without meaning, a node of another domain, a port that is
  /// unknown, is wired twice or is left out.
  void add(NetworkComponent component);
  void add(OwnComponent component, const std::vector<PortWire>& wires);
  void add(std::string name, std::shared_ptr<const Circuit> part,
           const std::vector<PortWire>& wires);
  void add_port(OutsidePort port);

  /// A source gives what a function of time says, on top of the value it was added with and of what drives it
  /// as an input. Throws Error for a name that is no source.
  void drive(std::string_view source, std::function<SourceValue(double t)> function);

  [[nodiscard]] const std::vector<NetworkComponent>& components() const { return components_; }
  [[nodiscard]] const std::vector<OwnComponent>& own_components() const { return own_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  /// Nodes "joint:…", in order of their appearance.
  [[nodiscard]] const std::vector<std::string>& joints() const { return joints_; }
  [[nodiscard]] const std::vector<OutsidePort>& outside_ports() const { return outside_; }
  /// The function that drives components()[i]; empty: none.
  [[nodiscard]] const std::function<SourceValue(double t)>& function(std::size_t i) const {
    return functions_[i];
  }

  /// One edge per port. Joints' shafts and sources are drivers; two-ports are groups.
  [[nodiscard]] const std::vector<NetworkEdge>& edges() const { return edges_; }
  [[nodiscard]] const LinearGraph& graph() const { return graph_; }
  /// The normal tree: across storage before dissipators before through storage. Throws Error for a loop of
  /// across sources, a cut set of through sources and a part that floats, with their names.
  [[nodiscard]] FormulationTree make_tree() const;

 private:
  void take_name(const std::string& name);
  [[nodiscard]] Source source_of(const TreeConflict& conflict) const;
  int end(const std::string& name, Domain domain, const std::string& thing);
  int add_edge(NetworkEdge edge, const NetworkWire& wire, const std::string& thing,
               Driver driver = Driver::none);
  /// Wires by port, in the order of `ports`.
  static std::vector<NetworkWire> sort_wires(const std::string& thing,
                                             const std::vector<std::string>& ports,
                                             const std::vector<PortWire>& wires);

  std::vector<NetworkComponent> components_;
  std::vector<std::function<SourceValue(double t)>> functions_;
  std::vector<OwnComponent> own_;
  std::vector<Part> parts_;
  std::vector<std::string> joints_;
  std::vector<OutsidePort> outside_;
  std::vector<NetworkEdge> edges_;
  std::vector<std::string> names_;
  LinearGraph graph_;
};

}  // namespace linkwright::network
