#include "linkwright/network/system_graph.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "network/graph_builder.hpp"
#include "network/shafts.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Component = SystemGraph::Component;

/// Bodies, joints and drivers of one system, in the order in which they are added.
class MechanismBuilder {
 public:
  MechanismBuilder(const System& system, const SystemGraphOptions& options)
      : system_(system),
        options_(options),
        add_(out_),
        O_(out_.graph.reference(Domain::mechanical)) {
    check_drivers();
    find_bodies();
    find_joints();
    for (SystemGraph::Joint& joint : out_.joints) add_terminals(joint);
    add_springs();
    close_bodies();
    shafts_ = options.drivers ? ShaftPorts{} : find_shafts(system);
    for (SystemGraph::Joint& joint : out_.joints) add_joint(joint);
    for (const Spring& spring : springs_)
      add_.edge(spring.name, spring.from, spring.to, Component::spring);
    if (!options.drivers) add_shafts(system, shafts_, add_);
    prefer();
  }

  SystemGraph take() { return std::move(out_); }

 private:
  /// Joints, then what a circuit's normal tree takes first: rotors are states, and resistors leave inductors out.
  void prefer() {
    for (const SystemGraph::Joint& joint : out_.joints)
      if (joint.kind == SystemGraph::Joint::Kind::joint &&
          out_.graph.edges()[at(joint.edge)].driver == Driver::none)
        out_.preferred.push_back(joint.edge);
    for (const Component component : {Component::rotor, Component::capacitor, Component::resistor})
      for (std::size_t e = 0; e < out_.components.size(); ++e)
        if (out_.components[e] == component) out_.preferred.push_back(static_cast<int>(e));
  }

  struct Spring {
    std::string name;
    int from, to;
  };

  /// Also joints that close loops, closures and grasps can be driven.
  void check_drivers() const {
    if (options_.across.empty() && options_.through.empty()) return;
    std::vector<std::string> known;
    for (const JointPlace& joint : system_.joints())
      if (joint.nv > 0) known.push_back(joint.name);
    for (const ClosurePlace& c : system_.closures())
      if (!is_among_joints(c.kind)) known.push_back(c.name);
    const std::set<std::string_view> moving(known.begin(), known.end());
    std::set<std::string_view> driven;
    for (const auto* names : {&options_.across, &options_.through})
      for (const std::string& name : *names) {
        if (options_.drivers)
          throw Error(
              fmt::format("joint {} cannot be driven by name in a graph with the drivers "
                          "of a case: these drive all joints",
                          in_quotes(name)));
        if (!moving.contains(name))
          throw Error(
              fmt::format("driver at {}: there is no joint or closure of this name that moves{}",
                          in_quotes(name), did_you_mean(name, known)));
        if (!driven.insert(name).second)
          throw Error(
              fmt::format("joint {} is driven twice; expected one across or one through driver",
                          in_quotes(name)));
      }
  }

  void find_bodies() {
    body_of_node_.assign(at(system_.tree().count()), -1);
    for (const int body : system_.body_order()) {
      const int carried_by = system_.joint_of_body(body);
      const JointPlace& joint = system_.joints()[at(carried_by)];
      if (joint.nv == 0) continue;  // welded to another
      SystemGraph::Body made;
      made.name = system_.model().bodies[at(body)].name;
      made.node = joint.node;
      made.parent = body_at(system_.frames()[at(joint.parent + 1)].node);
      made.joint = static_cast<int>(out_.joints.size());
      body_of_node_[at(joint.node)] = static_cast<int>(out_.bodies.size());
      SystemGraph::Joint place;
      place.name = joint.name, place.index = carried_by;
      place.from = static_cast<int>(out_.bodies.size()), place.to = made.parent;
      out_.bodies.push_back(std::move(made));
      out_.joints.push_back(std::move(place));
    }
  }
  [[nodiscard]] int body_at(int node) const { return node == 0 ? -1 : body_of_node_[at(node)]; }

  void find_joints() {
    const auto& closures = system_.closures();
    const std::size_t first_grasp = closures.size() - system_.model().grasps.size();
    for (std::size_t i = 0; i < closures.size(); ++i) {
      if (is_among_joints(closures[i].kind)) continue;  // gears and shafts: of the other domain
      SystemGraph::Joint place;
      place.name = closures[i].name, place.index = static_cast<int>(i);
      place.kind =
          i < first_grasp ? SystemGraph::Joint::Kind::closure : SystemGraph::Joint::Kind::grasp;
      place.from = body_at(closures[i].node_b), place.to = body_at(closures[i].node_a);
      out_.joints.push_back(std::move(place));
    }
  }

  /// An edge of a body from a new terminal to O; the terminal has the edge's name.
  int add_star_edge(int body, const std::string& terminal) {
    const std::string name = out_.bodies[at(body)].name + ":" + terminal;
    return add_.edge(name, add_.node(name, Domain::mechanical), O_, Component::body);
  }
  void add_terminals(SystemGraph::Joint& joint) {
    const bool of_tree = joint.kind == SystemGraph::Joint::Kind::joint;
    if (joint.from >= 0) {
      SystemGraph::Body& body = out_.bodies[at(joint.from)];
      joint.from_edge = add_star_edge(joint.from, of_tree ? "B" : "A:" + joint.name);
      if (of_tree)
        body.b = joint.from_edge;
      else
        body.a.push_back(joint.from_edge);
    }
    if (joint.to >= 0) {
      joint.to_edge = add_star_edge(joint.to, "A:" + joint.name);
      out_.bodies[at(joint.to)].a.push_back(joint.to_edge);
    }
  }
  void add_springs() {
    int count = 0;
    for (const LineSpring& spring : system_.model().line_springs) {
      ++count;
      const std::array<int, 2> ends{body_at(system_.frame(system_.frame(spring.body_a)).node),
                                    body_at(system_.frame(system_.frame(spring.body_b)).node)};
      if (ends[0] == ends[1]) continue;  // welded together: it joins nothing
      Spring made{spring.name.empty() ? fmt::format("spring {}", count) : spring.name, O_, O_};
      for (const int side : {0, 1}) {
        const int body = ends[at(side)];
        if (body < 0) continue;
        const int edge = add_star_edge(body, "A:" + made.name);
        out_.bodies[at(body)].springs.push_back(edge);
        (side == 0 ? made.from : made.to) = out_.graph.edges()[at(edge)].from;
      }
      springs_.push_back(std::move(made));
    }
  }
  void close_bodies() {
    std::vector<char> carries_joint(out_.bodies.size(), 0);
    for (const SystemGraph::Body& body : out_.bodies)
      if (body.parent >= 0) carries_joint[at(body.parent)] = 1;
    for (std::size_t i = 0; i < out_.bodies.size(); ++i) {
      SystemGraph::Body& body = out_.bodies[i];
      // In the order in which a tree takes them most often.
      std::vector<int> star = body.a;
      star.insert(star.end(), body.springs.begin(), body.springs.end());
      if (options_.drivers && carries_joint[i] == 0) {
        body.tip = add_star_edge(static_cast<int>(i), "A");
        star.push_back(body.tip);
      }
      body.g = add_star_edge(static_cast<int>(i), "G");
      star.push_back(body.g);
      star.push_back(body.b);
      const int branches = static_cast<int>(star.size()) - 1;
      body.group = out_.graph.add_group(body.name, std::move(star), branches);
      add_one_ports(body);
    }
  }
  void add_one_ports(SystemGraph::Body& body) {
    const int centre = out_.graph.edges()[at(body.g)].from;
    if (!options_.drivers) {
      body.inertia = add_.edge(body.name + ":inertia", centre, O_, Component::inertia);
      return;
    }
    const bool is_centre = *options_.drivers == ActivePort::centre;
    body.centre_driver = add_.edge(body.name + ":G*", centre, O_, Component::driver,
                                   is_centre ? Driver::across : Driver::through);
    if (body.tip >= 0)
      body.tip_driver =
          add_.edge(body.name + ":A*", out_.graph.edges()[at(body.tip)].from, O_, Component::driver,
                    *options_.drivers == ActivePort::outboard ? Driver::across : Driver::through);
  }

  [[nodiscard]] Driver driver_of(const SystemGraph::Joint& joint) const {
    if (options_.drivers) {
      const bool of_tree = joint.kind == SystemGraph::Joint::Kind::joint;
      const bool across = of_tree && (*options_.drivers == ActivePort::inboard ||
                                      (*options_.drivers == ActivePort::outboard && joint.to >= 0));
      return across ? Driver::across : Driver::through;
    }
    const auto names = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), joint.name) != list.end();
    };
    return names(options_.across)    ? Driver::across
           : names(options_.through) ? Driver::through
                                     : Driver::none;
  }
  [[nodiscard]] int terminal(int edge) const {
    return edge < 0 ? O_ : out_.graph.edges()[at(edge)].from;
  }
  void add_joint(SystemGraph::Joint& joint) {
    constexpr std::array kinds{Component::joint, Component::closure, Component::grasp};
    const int from = terminal(joint.from_edge), to = terminal(joint.to_edge);
    const Driver driver = driver_of(joint);
    const bool turns_shaft = shafts_.turns(joint.name);
    joint.edge = add_.edge(joint.name, from, to, kinds[at(static_cast<int>(joint.kind))],
                           turns_shaft ? Driver::none : driver);
    if (turns_shaft && driver != Driver::none)
      add_.edge(joint.name + "*", from, to, Component::driver, driver);
  }

  const System& system_;
  const SystemGraphOptions& options_;
  SystemGraph out_;
  GraphBuilder add_;
  int O_;
  std::vector<int> body_of_node_;
  std::vector<Spring> springs_;
  ShaftPorts shafts_;
};

}  // namespace

std::string_view to_string(SystemGraph::Component component) {
  switch (component) {
    case Component::body:
      return "body";
    case Component::inertia:
      return "inertia";
    case Component::joint:
      return "joint";
    case Component::closure:
      return "closure";
    case Component::grasp:
      return "grasp";
    case Component::spring:
      return "spring";
    case Component::driver:
      return "driver";
    case Component::joint_shaft:
      return "joint shaft";
    case Component::gear:
      return "gear";
    case Component::elastic_gear:
      return "elastic gear";
    case Component::rotor:
      return "rotor";
    case Component::bearing:
      return "bearing";
    case Component::torque_source:
      return "torque source";
    case Component::motor_shaft:
      return "motor shaft";
    case Component::motor_coil:
      return "motor coil";
    case Component::voltage_source:
      return "voltage source";
    case Component::resistor:
      return "resistor";
    case Component::inductor:
      return "inductor";
    case Component::capacitor:
      return "capacitor";
    case Component::current_source:
      return "current source";
    case Component::speed_source:
      return "speed source";
  }
  return "";
}

SystemGraph make_system_graph(const System& system, const SystemGraphOptions& options) {
  return MechanismBuilder(system, options).take();
}

}  // namespace linkwright::network
