#include "linkwright/network/linear_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/network/shaft_place.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using linear::LinearModel;
using linear::LinearOptions;
using linear::OperatingPoint;

VectorXd to_vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size()));
}

/// Speeds of the shafts at a state.
VectorXd speeds_of(ClosedWorkspace& work, const std::vector<ShaftPlace>& places,
                   const State& state) {
  VectorXd closing(static_cast<Index>(work.system().closing_names().size()));
  if (has_closing_shaft(places)) compute_closing_rates(work, state, closing);
  VectorXd speeds(static_cast<Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    speeds[static_cast<Index>(i)] =
        places[i].v >= 0 ? state.v[places[i].v] : closing[places[i].closing];
  return speeds;
}

/// What a circuit does, as one function of states s, speeds g, sources u and accelerations ġ, one behind the
/// other, to rates of the states, answers at the ports and outputs, one behind the other.
class Response {
 public:
  Response(const Circuit& circuit, double t, VectorXd rates)
      : circuit_(circuit), work_(circuit), t_(t), rates_(std::move(rates)) {}

  [[nodiscard]] Index states() const { return static_cast<Index>(circuit_.states().size()); }
  [[nodiscard]] Index ports() const { return circuit_.port_count(); }
  [[nodiscard]] Index sources() const { return circuit_.source_count(); }
  [[nodiscard]] Index outputs() const { return static_cast<Index>(circuit_.outputs().size()); }
  [[nodiscard]] Index arguments() const { return states() + 2 * ports() + sources(); }
  [[nodiscard]] Index values() const { return states() + ports() + outputs(); }

  /// What a source's rate alone does to answers and outputs.
  [[nodiscard]] VectorXd by_rate(const VectorXd& x, Index source) {
    VectorXd still, changing;
    evaluate(x, still);
    rates_[source] += 1, evaluate(x, changing), rates_[source] -= 1;
    return changing - still;
  }

  void evaluate(const VectorXd& x, VectorXd& out) {
    out.resize(values());
    circuit_.compute(work_, t_, x.segment(states(), ports()),
                     x.segment(states() + ports(), sources()), rates_, x.head(states()));
    out.head(states()) = work_.rates;
    out.segment(states(), ports()) = work_.answers;
    circuit_.compute_outputs(work_, x.tail(ports()), out.tail(outputs()));
  }

  /// Without components of users' own everything is linear, and a step of any length gives the derivative.
  [[nodiscard]] MatrixXd derivative(const VectorXd& point) {
    const bool is_linear = circuit_.own_count() == 0;
    const VectorXd base = is_linear ? VectorXd::Zero(arguments()).eval() : point;
    const double part = std::cbrt(std::numeric_limits<double>::epsilon());
    MatrixXd out(values(), arguments());
    VectorXd x = base, above, below;
    for (Index j = 0; j < arguments(); ++j) {
      const double step = is_linear ? 1 : part * std::max(1.0, std::abs(base[j]));
      x[j] = base[j] + step, evaluate(x, above);
      x[j] = base[j] - step, evaluate(x, below);
      x[j] = base[j];
      out.col(j) = (above - below) / (2 * step);
    }
    return out;
  }

 private:
  const Circuit& circuit_;
  CircuitWorkspace work_;
  double t_;
  VectorXd rates_;  // of the sources
};

/// Names of inputs or outputs: those of the mechanism, and places of those of the network.
struct Names {
  std::vector<std::string> mechanism;
  std::vector<Index> network;
};

/// Names that only a network has are looked for there alone.
void require_mechanism_name(const std::string& name, const std::vector<Quantity>& known) {
  std::vector<std::string> names;
  for (const Quantity& quantity : known) names.push_back(quantity.name);
  for (const char* beginning : {"network:", "voltage:", "current:", "speed:", "torque:"})
    if (name.starts_with(beginning))
      throw Error(fmt::format("there is no {} in the network{}", in_quotes(name),
                              did_you_mean(name, names)));
}

Names sort_names(const std::vector<std::string>& given, const std::vector<Quantity>& known) {
  Names out;
  for (const std::string& name : given) {
    bool found = false;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i].name == name || known[i].name.starts_with(name + ":"))
        out.network.push_back(static_cast<Index>(i)), found = true;
    if (!found) out.mechanism.push_back(name);
    if (!found) require_mechanism_name(name, known);
  }
  return out;
}

/// The mechanism between lists of inputs and outputs, either of which may be empty.
class Mechanism {
 public:
  Mechanism(ClosedWorkspace& work, const OperatingPoint& point,
            const std::vector<std::string>& coordinates)
      : work_(work), point_(point), coordinates_(coordinates) {}

  [[nodiscard]] LinearModel between(const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs) const {
    LinearOptions options;
    options.coordinates = coordinates_;
    options.inputs = inputs, options.outputs = outputs;
    LinearModel model = linear::linearize(work_, point_, options);
    const auto n = static_cast<Index>(model.states.size());
    if (inputs.empty()) {  // the usual ones were taken
      model.inputs.clear();
      model.B = MatrixXd::Zero(n, 0), model.D = MatrixXd::Zero(model.D.rows(), 0);
    }
    return model;
  }

 private:
  ClosedWorkspace& work_;
  const OperatingPoint& point_;
  const std::vector<std::string>& coordinates_;
};

/// A linear model has no place for s · source.
void require_no_source_rates(const Circuit& circuit, Response& response, const VectorXd& x,
                             const Names& inputs, const Names& outputs) {
  for (const Index source : inputs.network) {
    if (!circuit.feels_rate(source)) continue;
    const VectorXd felt = response.by_rate(x, source);
    const auto refuse = [&](const std::string& what) {
      throw Error(fmt::format(
          "network: {} depends on how fast {} changes, which a linear model has no place for; put "
          "a resistor or a damper beside that source",
          what, in_quotes(circuit.sources()[at(source)].name)));
    };
    for (Index i = 0; i < response.ports(); ++i)
      if (felt[response.states() + i] != 0)
        refuse("the torque at " + in_quotes(circuit.ports()[at(i)].name));
    for (const Index i : outputs.network)
      if (felt[response.states() + response.ports() + i] != 0)
        refuse(in_quotes(circuit.outputs()[at(i)].name));
  }
}

/// Names "v:elbow" and so on of all shafts.
std::vector<std::string> shaft_names(const System& system, const std::vector<ShaftPlace>& places,
                                     const char* letter) {
  std::vector<std::string> names;
  for (const ShaftPlace& place : places)
    names.push_back(fmt::format("{}:{}", letter, shaft_name(system, place)));
  return names;
}

std::vector<std::string> pick(const std::vector<Quantity>& all, const std::vector<Index>& which) {
  std::vector<std::string> names;
  for (const Index i : which) names.push_back(all[at(i)].name);
  return names;
}

/// Columns of `m` that stand for the states, the speeds, some sources and the accelerations of a Response.
struct Columns {
  MatrixXd states, speeds, sources, accelerations;
  Columns(const MatrixXd& m, const Response& r, const std::vector<Index>& which)
      : states(m.leftCols(r.states())),
        speeds(m.middleCols(r.states(), r.ports())),
        sources(m.middleCols(r.states() + r.ports(), r.sources())(Eigen::all, which)),
        accelerations(m.rightCols(r.ports())) {}
};

/// Mechanism and network put together. With x of the mechanism, s of the network, u of the mechanism, w of the
/// sources:  torques τ = T_s s + T_g C_v x + T_w w at the shafts, whose speeds are C_v x, close the loop
///   ẋ = A x + B u + B_p τ,    ṡ = R_s s + R_g C_v x + R_w w
class Junction {
 public:
  Junction(Mechanism mechanism, Response& response, const VectorXd& point, Names inputs,
           Names outputs)
      : mechanism_(mechanism),
        response_(response),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        R_(response.derivative(point)),
        rates_(R_.topRows(response.states()), response, inputs_.network),
        torques_(R_.middleRows(response.states(), response.ports()), response, inputs_.network),
        told_(R_.bottomRows(response.outputs())(outputs_.network, Eigen::all), response,
              inputs_.network) {}

  /// With no outputs asked of the mechanism, the usual ones, or none at all.
  [[nodiscard]] LinearModel join(const System& system, const std::vector<ShaftPlace>& places,
                                 bool usual_outputs) {
    efforts_ = shaft_names(system, places, "tau");
    free_ = mechanism_.between(inputs_.mechanism, outputs_.mechanism);
    if (outputs_.mechanism.empty() && !usual_outputs) drop_outputs(free_);
    n_ = static_cast<Index>(free_.states.size()), u_ = free_.B.cols();
    Bp_ = MatrixXd::Zero(n_, 0), Dp_ = MatrixXd::Zero(free_.C.rows(), 0);
    Cv_ = MatrixXd::Zero(0, n_);
    if (!places.empty()) {
      const LinearModel driven = mechanism_.between(efforts_, outputs_.mechanism);
      Bp_ = driven.B.view(), Dp_ = driven.D.view().topRows(free_.C.rows());
      Cv_ = mechanism_.between(efforts_, shaft_names(system, places, "v")).C.view();
    }
    LinearModel whole = free_;
    make_rates(whole);
    make_outputs(system, places, whole);
    return whole;
  }

 private:
  static void drop_outputs(LinearModel& model) {
    model.outputs.clear();
    model.C = MatrixXd::Zero(0, model.C.cols()), model.D = MatrixXd::Zero(0, model.D.cols());
  }
  /// Of something that is `own` by x and `torque` by τ: by x and s, and by u (`direct`) and w.
  [[nodiscard]] MatrixXd by_states(const MatrixXd& own, const MatrixXd& torque) const {
    MatrixXd out(own.rows(), n_ + response_.states());
    out << own + torque * torques_.speeds * Cv_, torque * torques_.states;
    return out;
  }
  [[nodiscard]] MatrixXd by_inputs(const MatrixXd& direct, const MatrixXd& torque) const {
    MatrixXd out(direct.rows(), u_ + torques_.sources.cols());
    out << direct, torque * torques_.sources;
    return out;
  }

  void make_rates(LinearModel& whole) const {
    const Index s = response_.states(), w = torques_.sources.cols();
    MatrixXd A(n_ + s, n_ + s), B(n_ + s, u_ + w);
    A << by_states(free_.A.view(), Bp_), rates_.speeds * Cv_, rates_.states;
    B << by_inputs(free_.B.view(), Bp_), MatrixXd::Zero(s, u_), rates_.sources;
    whole.A = A, whole.B = B;
  }

  /// Accelerations of the shafts count where an output feels them.
  void make_outputs(const System& system, const std::vector<ShaftPlace>& places,
                    LinearModel& whole) const {
    const Index count = told_.states.rows(), p = response_.ports();
    MatrixXd told_x(count, n_ + response_.states()), told_u(count, u_ + torques_.sources.cols());
    told_x << told_.speeds * Cv_, told_.states;
    told_u << MatrixXd::Zero(count, u_), told_.sources;
    for (Index i = 0; i < p; ++i) {
      const VectorXd felt = told_.accelerations.col(i);
      if (felt.isZero(0)) continue;
      const std::vector<std::string> a = acceleration_name(system, places[at(i)]);
      const LinearModel by_torques = mechanism_.between(efforts_, a),
                        by_own = mechanism_.between(inputs_.mechanism, a);
      told_x += felt * by_states(by_torques.C.view(), by_torques.D.view());
      told_u += felt * by_inputs(by_own.D.view(), by_torques.D.view());
    }
    const Index kept = free_.C.rows();
    MatrixXd C(kept + count, told_x.cols()), D(kept + count, told_u.cols());
    C << by_states(free_.C.view(), Dp_), told_x;
    D << by_inputs(free_.D.view(), Dp_), told_u;
    whole.C = C, whole.D = D;
  }

  static std::vector<std::string> acceleration_name(const System& system, const ShaftPlace& place) {
    if (place.v >= 0) return {"a:" + shaft_name(system, place)};
    throw Error(fmt::format(
        "network: an output depends on the acceleration of {}, a joint that closes a loop; ask "
        "for the torque of another component",
        in_quotes(shaft_name(system, place))));
  }

  Mechanism mechanism_;
  Response& response_;
  Names inputs_, outputs_;
  MatrixXd R_;
  Columns rates_, torques_, told_;
  std::vector<std::string> efforts_;
  LinearModel free_;  // the mechanism by itself
  MatrixXd Bp_, Dp_, Cv_;
  Index n_ = 0, u_ = 0;
};

/// Given states, or those with which a run would begin.
VectorXd states_at(const Circuit& circuit, const NetworkPoint& point, const VectorXd& speeds) {
  if (!point.states.empty()) {
    if (point.states.size() != circuit.states().size())
      throw Error(
          fmt::format("network: {} states were given; expected {}, those of Circuit::states",
                      point.states.size(), circuit.states().size()));
    return to_vector(point.states);
  }
  VectorXd states(static_cast<Index>(circuit.states().size()));
  CircuitWorkspace start(circuit);
  circuit.compute_start(start, speeds, to_vector(point.sources), states);
  return states;
}

}  // namespace

NetworkPoint::NetworkPoint(const System& system, const Circuit& circuit)
    : mechanism(system), sources(circuit.sources().size()), source_rates(sources) {
  VectorXd usual(circuit.source_count()), values(usual), rates(usual);
  circuit.compute_usual_sources(usual);
  circuit.compute_functions(mechanism.state.t, values, rates);
  for (std::size_t i = 0; i < sources.size(); ++i)
    sources[i] = usual[static_cast<Index>(i)] + values[static_cast<Index>(i)];
  source_rates.assign(rates.begin(), rates.end());
}
NetworkPoint::~NetworkPoint() = default;

std::vector<double> start_states(ClosedWorkspace& work, const Circuit& circuit,
                                 const NetworkPoint& point) {
  NetworkPoint at = point;
  at.states.clear();
  const VectorXd speeds =
      speeds_of(work, place_shafts(work.system(), circuit), point.mechanism.state);
  const VectorXd states = states_at(circuit, at, speeds);
  return {states.begin(), states.end()};
}

linear::LinearModel linearize(ClosedWorkspace& work, const Circuit& circuit,
                              const NetworkPoint& point, const LinearOptions& options) {
  if (options.drives != nullptr)
    throw Error(
        "network: motors of `actuators` are no states of its linear model; write them as "
        "components (network::to_network)");
  require_reflected(work.system(), circuit);
  const std::vector<ShaftPlace> places = place_shafts(work.system(), circuit);
  const VectorXd speeds = speeds_of(work, places, point.mechanism.state);
  Response response(circuit, point.mechanism.state.t, to_vector(point.source_rates));
  VectorXd x(response.arguments()), now;
  x << states_at(circuit, point, speeds), speeds, to_vector(point.sources),
      VectorXd::Zero(response.ports());
  response.evaluate(x, now);
  OperatingPoint loaded = point.mechanism;  // the network's torques are efforts of the mechanism
  for (std::size_t i = 0; i < places.size(); ++i)
    loaded.tau[at(places[i].effort)] += now[response.states() + static_cast<Index>(i)];

  std::vector<std::string> asked = options.inputs;
  if (asked.empty())
    for (const Quantity& source : circuit.sources()) asked.push_back(source.name);
  if (asked.empty()) asked = {"tau"};
  const Names inputs = sort_names(asked, circuit.sources()),
              outputs = sort_names(options.outputs, circuit.outputs());
  require_no_source_rates(circuit, response, x, inputs, outputs);
  Junction junction({work, loaded, options.coordinates}, response, x, inputs, outputs);
  LinearModel whole = junction.join(work.system(), places, options.outputs.empty());
  const auto append = [](std::vector<std::string>& list, const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  for (const Quantity& state : circuit.states()) whole.states.push_back(state.name);
  append(whole.inputs, pick(circuit.sources(), inputs.network));
  append(whole.outputs, pick(circuit.outputs(), outputs.network));
  MatrixXd drift(whole.A.rows(), 1);
  drift << whole.drift.view(), now.head(response.states());
  whole.drift = drift;
  return whole;
}

}  // namespace linkwright::network
