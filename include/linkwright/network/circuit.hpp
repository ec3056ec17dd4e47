#pragma once
/// The state equations of a network, reduced to as many states as it has.
///
///     const linkwright::network::Circuit circuit(network);
///     std::cout << circuit.index() << '\n';                  // how often it had to be differentiated
///     linkwright::network::CircuitWorkspace work(circuit);
///     circuit.compute_start(work, speeds, sources, states);
///     circuit.compute(work, 0, speeds, sources, rates_of_sources, states);
///     work.rates, work.answers;                              // of the states; torques at the joints
///
/// With the fundamental circuits and cut sets of the normal tree every network is a descriptor system
/// E ż = A z + B w + B₁ ẇ. z are all across and through variables, w what is given from outside: speeds of joints
/// (g), sources (u), and one variable of each port of the users' own components. Luenberger's shuffle reduces it:
/// rows are eliminated until E is in row echelon form, the rows that are left without E are algebraic and solved
/// for as many variables, and so on until E is regular. What remains are
///     ṡ = A s + B w,    z = Z s + U w + U₁ ẇ
/// where s are voltages of capacitors, speeds of inertias, currents of inductors and torques of springs that are
/// independent; from those that a source or a joint moves at once its part is taken off, so that no derivative of a
/// source appears in ṡ.
/// Answers at joints (torques) are −J ẋ besides: inertias that joints turn rigidly. J belongs into the
/// mechanism's mass matrix (network/mechanism_network.hpp).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/network/network.hpp"

namespace linkwright::network {

/// A place where the outside gives one variable and the network answers with the other.
struct CircuitPort {
  std::string name{};  ///< "joint:elbow", or that of an OutsidePort
  Domain domain = Domain::shaft;
  Driver given = Driver::across;
  bool is_joint = false;
  int edge = 0;  ///< of the network
};

/// A store whose content others determine: it adds no state.
struct DependentStore {
  std::string component{};
  std::string reason{};  ///< "follows joint:elbow and 'supply'"
};

/// E ż = A z + B w + B₁ ẇ as a network is written: circuits and cut sets of its normal tree and one law per component
/// (network/descriptor.hpp).
struct CircuitDescriptor {
  std::vector<Quantity> variables{};  ///< z: across, then through of all edges; states of parts
  std::vector<std::string> given{};   ///< w: ports, sources, own ports
  Eigen::MatrixXd E, A, B, B1;
  int index = 0;
  /// Where the index is 1 at most and no source moves a state at once: which of z are Circuit::states.
  std::optional<std::vector<int>> state_variables{};
  /// Of ports of users' own components: their edge, the row that gives their variable in w, and that variable of z.
  std::vector<int> own_edges{}, own_rows{}, own_variables{};
};

class Circuit;

/// Scratch and results of one evaluation.
class CircuitWorkspace {
 public:
  explicit CircuitWorkspace(const Circuit& circuit);
  ~CircuitWorkspace();
  CircuitWorkspace(CircuitWorkspace&&) noexcept;
  CircuitWorkspace& operator=(CircuitWorkspace&&) = delete;

  Eigen::VectorXd rates;  ///< of the states
  Eigen::VectorXd
      answers;  ///< at the ports: through where across is given, and the other way; without −J ẋ
  /// Across, then through of all edges, then states of parts; without what rates at the ports do to them.
  Eigen::VectorXd z;
  Eigen::VectorXd w, w_rates;  ///< ports, sources, own ports

 private:
  friend class Circuit;
  struct Newton;
  std::unique_ptr<Newton> newton_;
  Eigen::VectorXd states_;  // the linear ones, as last computed with
  std::vector<CircuitWorkspace> parts_;
};

class Circuit {
 public:
  /// Throws Error for what Network::make_tree refuses, for gears that contradict each other, and for a
  /// network whose equations need derivatives of its sources of higher order.
  explicit Circuit(Network network);
  ~Circuit();
  Circuit(const Circuit&) = delete;
  Circuit& operator=(const Circuit&) = delete;

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const FormulationTree& tree() const { return tree_; }
  /// Differentiation index of the descriptor form in the tree's variables: 0 where every component stores, 1 with
  /// dissipators and transformers, 2 where stores depend on each other, on sources or on joints.
  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] const std::vector<DependentStore>& dependent() const { return dependent_; }
  /// The equations as they stand before they are reduced.
  [[nodiscard]] const CircuitDescriptor& descriptor() const { return descriptor_; }

  /// "network:NAME:current", …; then those of users' own components.
  [[nodiscard]] const std::vector<Quantity>& states() const { return states_; }
  /// Sources: "voltage:NAME", "current:NAME", "speed:NAME", "torque:NAME".
  [[nodiscard]] const std::vector<Quantity>& sources() const { return sources_; }
  /// Joints first, then outside ports.
  [[nodiscard]] const std::vector<CircuitPort>& ports() const { return ports_; }
  /// Across and through variable of every edge: "network:NAME:voltage", "network:NAME:current", …, of
  /// components with several ports "network:NAME:PORT:speed".
  [[nodiscard]] const std::vector<Quantity>& outputs() const { return outputs_; }

  /// Values that the sources were added with.
  void compute_usual_sources(VectorRef sources) const;
  /// What functions of time add to the sources, and the rates of that; both are overwritten.
  void compute_functions(double t, VectorRef values, VectorRef rates) const;

  /// States where a run begins: those that the components were given, the others with least energy. Throws Error
  /// where the given ones contradict each other, the sources or the joints, with the nearest that do not.
  void compute_start(CircuitWorkspace& work, const ConstVectorRef& given,
                     const ConstVectorRef& sources, VectorRef states) const;
  /// Fills `work` at a moment. `sources`: all that they give, functions of time included. Throws Error naming
  /// the component where Newton's method does not converge.
  void compute(CircuitWorkspace& work, double t, const ConstVectorRef& given,
               const ConstVectorRef& sources, const ConstVectorRef& source_rates,
               const ConstVectorRef& states) const;
  /// What users' own components take at these across variables, one per port, and the rates of their states, which
  /// stand behind the linear ones in `states`.
  void compute_own(CircuitWorkspace& work, double t, const ConstVectorRef& across,
                   const ConstVectorRef& states, VectorRef through, VectorRef rates) const;
  /// After `compute`, with the rates of what is given at the ports (accelerations).
  void compute_outputs(CircuitWorkspace& work, const ConstVectorRef& given_rates,
                       VectorRef outputs) const;

  /// After `compute`.
  struct Power {
    double stored = 0;  ///< joules, those of J included
    double fed = 0;     ///< watts, every source counted as given
    /// Whether no component loses anything at this moment. Components of users' own may lose what they take.
    bool is_lossless = true;
  };
  [[nodiscard]] Power power(CircuitWorkspace& work, const ConstVectorRef& states) const;

  /// J, ports × ports; symmetric and not negative.
  [[nodiscard]] const Eigen::MatrixXd& inertia() const { return inertia_; }
  /// Whether the answers at joints depend on rates of sources.
  [[nodiscard]] bool feels_source_rates() const { return feels_source_rates_; }
  /// Whether anything in the network depends on how fast a source changes.
  [[nodiscard]] bool feels_rate(Eigen::Index source) const {
    return !U1_.col(port_count() + source).isZero(0);
  }
  // The reduced equations; columns of w: ports, sources, own ports.
  [[nodiscard]] const Eigen::MatrixXd& A() const { return A_; }
  [[nodiscard]] const Eigen::MatrixXd& B() const { return B_; }
  [[nodiscard]] const Eigen::MatrixXd& Z() const { return Z_; }
  [[nodiscard]] const Eigen::MatrixXd& U() const { return U_; }
  [[nodiscard]] const Eigen::MatrixXd& U1() const { return U1_; }
  [[nodiscard]] Eigen::Index port_count() const { return static_cast<Eigen::Index>(ports_.size()); }
  [[nodiscard]] Eigen::Index source_count() const {
    return static_cast<Eigen::Index>(sources_.size());
  }
  /// States without those of users' own components.
  [[nodiscard]] Eigen::Index linear_states() const { return A_.rows(); }
  /// Unknowns of Newton's method, from which it goes on: what must be kept to go on with the same bits.
  static void set_guess(CircuitWorkspace& work, const ConstVectorRef& guess);
  [[nodiscard]] Eigen::Index own_count() const {
    return static_cast<Eigen::Index>(own_edges_.size());
  }

 private:
  struct Builder;
  struct OwnSolver;
  friend class CircuitWorkspace;

  /// A capacitor, inductor, inertia or spring, those of parts included: ½ weight · d² joules, d = store_Z_ s +
  /// store_U_ w.
  struct Store {
    std::string name{};
    Eigen::Index variable = 0;  // of z; −1: inside a part
    double weight = 0;
    std::optional<double> initial{};  // of d
  };
  struct SourceEntry {
    double usual = 0;
    std::function<SourceValue(double t)> function{};
  };
  /// A component of a user's own: its first edge among own edges, its states.
  struct Own {
    Eigen::Index first = 0, ports = 0, state = 0, states = 0;
  };
  /// A part, and where its numbers stand.
  struct PlacedPart {
    Eigen::Index first_edge = 0, state = 0, source = 0, output = 0;
  };

  void solve_own(CircuitWorkspace& work, double t, const ConstVectorRef& states) const;
  void evaluate_own(CircuitWorkspace& work, double t, const ConstVectorRef& states) const;
  /// Given, sources and variables inside a part.
  void place_part(CircuitWorkspace& work, std::size_t part) const;
  void compute_outputs(CircuitWorkspace& work, Eigen::Index first, VectorRef outputs) const;

  Network network_;
  FormulationTree tree_;
  CircuitDescriptor descriptor_;
  int index_ = 0;
  std::vector<DependentStore> dependent_;
  std::vector<Quantity> states_, sources_, outputs_;
  std::vector<CircuitPort> ports_;
  std::vector<Store> stores_;
  std::vector<SourceEntry> source_entries_;
  std::vector<int> source_edges_, dissipators_, own_edges_;
  std::vector<Own> own_;
  std::vector<PlacedPart> parts_;
  Eigen::MatrixXd A_, B_, Z_, U_, U1_, inertia_, store_Z_, store_U_;
  bool feels_source_rates_ = false;
};

}  // namespace linkwright::network
