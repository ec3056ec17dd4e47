// Mechanisms as networks: system graphs and their trees, terminal equations, multi-ports, dynamics by the graph.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/network/drawing.hpp"
#include "linkwright/network/dynamics.hpp"
#include "linkwright/network/multi_port.hpp"
#include "linkwright/network/terminal_equations.hpp"
#include "results.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using network::FormulationTree;
using network::MultiPort;
using network::SystemGraph;
using network::TerminalEquations;

// --- system graphs ------------------------------------------------------------------------------

/// A graph, its tree where there is one, and what conflicts otherwise.
struct PyGraph {
  PyGraph(const PySystem& of, const network::SystemGraphOptions& options)
      : owner(of.shared()), graph(network::make_system_graph(*owner, options)) {
    tree = network::find_formulation_tree(graph.graph, conflicts, graph.preferred);
  }
  const FormulationTree& require_tree() const {
    if (tree) return *tree;
    std::vector<Mistake> mistakes;
    for (const network::TreeConflict& conflict : conflicts)
      mistakes.emplace_back().message = conflict.text;
    throw Error(std::move(mistakes), "");
  }
  std::shared_ptr<const System> owner;
  SystemGraph graph;
  std::vector<network::TreeConflict> conflicts;
  std::optional<FormulationTree> tree;
};

std::optional<network::ActivePort> to_case(const std::optional<std::string>& drivers) {
  using network::ActivePort;
  if (!drivers) return std::nullopt;
  return choose<ActivePort>("drivers", *drivers,
                            {{"centre", ActivePort::centre},
                             {"inboard", ActivePort::inboard},
                             {"outboard", ActivePort::outboard}});
}

void make_graph(PyGraph* self, const PySystem& system, const std::optional<std::string>& drivers,
                const Names& across, const Names& through) {
  network::SystemGraphOptions options;
  options.drivers = to_case(drivers);
  options.across = across, options.through = through;
  new (self) PyGraph(system, options);
}

/// name, from, to, component, driver, whether it is in the tree.
using Edge = std::tuple<std::string, std::string, std::string, std::string, std::string, bool>;
std::vector<Edge> edges(const PyGraph& self) {
  constexpr const char* drivers[] = {"none", "across", "through"};
  std::vector<Edge> out;
  const auto& graph = self.graph.graph;
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const network::GraphEdge& edge = graph.edges()[e];
    out.emplace_back(edge.name, graph.nodes()[static_cast<std::size_t>(edge.from)].name,
                     graph.nodes()[static_cast<std::size_t>(edge.to)].name,
                     to_string(self.graph.components[e]), drivers[static_cast<int>(edge.driver)],
                     self.tree && self.tree->is_branch[e] != 0);
  }
  return out;
}

Names terminals(const PyGraph& self) {
  Names out;
  for (const network::GraphNode& node : self.graph.graph.nodes()) out.push_back(node.name);
  return out;
}

void require_compatible(const PyGraph& self, PySystem& system, Numbers q, const Names& across) {
  const auto work = closed_work_at(system, "require_compatible", q, {nb::none()});
  network::require_compatible_drivers(*self.owner, work->state, across);
}

void bind_system_graph(nb::module_& module) {
  nb::class_<PyGraph>(module, "SystemGraph", "The compiled part of linkwright.network.SystemGraph.")
      .def("__init__", &make_graph, "system"_a, "drivers"_a.none(), "across"_a, "through"_a)
      .def_prop_ro("terminals", &terminals, "Names of the nodes.")
      .def_prop_ro("_edges", &edges)
      .def_prop_ro(
          "conflicts",
          [](const PyGraph& self) {
            Names texts;
            for (const auto& conflict : self.conflicts) texts.push_back(conflict.text);
            return texts;
          },
          "Why there is no formulation tree; empty where there is one.")
      .def(
          "circuits",
          [](const PyGraph& self) {
            const auto& tree = self.require_tree();
            return copy_of(Eigen::MatrixXd(fundamental_circuits(self.graph.graph, tree)));
          },
          "Fundamental circuits, (chords, edges): circuits @ across variables = 0.")
      .def(
          "cut_sets",
          [](const PyGraph& self) {
            const auto& tree = self.require_tree();
            return copy_of(Eigen::MatrixXd(fundamental_cut_sets(self.graph.graph, tree)));
          },
          "Fundamental cut sets, (branches, edges): cut_sets @ through variables = 0.")
      .def(
          "draw",
          [](const PyGraph& self) {
            return draw_system_graph(*self.owner, self.graph, self.require_tree());
          },
          "The text of an SVG file.")
      .def("require_compatible", &require_compatible, "system"_a, "q"_a.none(), "across"_a,
           "Refuses, by name, drivers whose motions the mechanism cannot have together at q.");
}

// --- terminal equations -------------------------------------------------------------------------

/// The body of a graph that carries a frame, and where the frame is.
network::LoadPort load_port(Work& work, const SystemGraph& graph,
                            const network::Placement& placement, const std::string& frame) {
  const System& system = work.tree().system();
  const FrameId id = system.frame(frame);
  for (std::size_t i = 0; i < graph.bodies.size(); ++i)
    if (graph.bodies[i].node == system.frame(id).node) {
      compute_forward_kinematics(work.tree(), work.state, work.state.v);
      const Vector3 root = placement.bodies[i].root;
      const Vector3 at = frame_pose(work.tree(), id).translation;
      return {static_cast<int>(i), {at.x - root.x, at.y - root.y, at.z - root.z}};
    }
  throw Error("loads: '" + frame + "' is on no moving body");
}

std::unique_ptr<TerminalEquations> terminal_equations(PySystem& self, Numbers q, Numbers v,
                                                      const Names& loads) {
  if (self.is_closed())
    throw Error(
        "terminal_equations: this system has loops; of cut_open() they are those of its tree");
  const auto work = work_at(self, q, v);
  const SystemGraph graph = network::make_system_graph(self.system());
  network::Placement placement = network::make_placement(self.system(), graph);
  network::place(work->tree(), work->state, {}, placement);
  std::vector<network::LoadPort> ports;
  for (const std::string& load : loads) ports.push_back(load_port(*work, graph, placement, load));
  return std::make_unique<TerminalEquations>(placement, std::span<const network::LoadPort>(ports));
}

template <class Class, auto member>
Array part(const Class& self) {
  return copy_of((self.*member)());
}

Array reduced_efforts(const network::ReducedEquations& self, Numbers v, Numbers a, Numbers load) {
  const Index n = self.P().rows();
  const Array out = Array::vector(n);
  self.compute_efforts(vector_from(v, "v", n), vector_from(a, "a", n),
                       vector_or_zeros(load, "load", self.loads().rows()), Vector(out.data(), n));
  return out;
}

Array reduced_accelerations(const network::ReducedEquations& self, Numbers v, Numbers tau,
                            Numbers load) {
  const Index n = self.P().rows();
  const Array out = Array::vector(n);
  self.compute_accelerations(vector_from(v, "v", n), vector_from(tau, "tau", n),
                             vector_or_zeros(load, "load", self.loads().rows()),
                             Vector(out.data(), n));
  return out;
}

void bind_terminal_equations(nb::module_& module) {
  using E = TerminalEquations;
  using R = network::ReducedEquations;
  nb::class_<E>(module, "TerminalEquations",
                "A tree as one component: P x' + Q x + u − (loads)ᵀ y = joints' wrenches.")
      .def_prop_ro("K", &part<E, &E::K>)
      .def_prop_ro("K_prime", &part<E, &E::K_prime>)
      .def_prop_ro("S", &part<E, &E::S>)
      .def_prop_ro("S_rate", &part<E, &E::S_rate>)
      .def_prop_ro("P_G", &part<E, &E::P_G>)
      .def_prop_ro("Q_G", &part<E, &E::Q_G>)
      .def_prop_ro("u_G", &part<E, &E::u_G>)
      .def_prop_ro("P", &part<E, &E::P>)
      .def_prop_ro("Q", &part<E, &E::Q>)
      .def_prop_ro("u", &part<E, &E::u>)
      .def_prop_ro("load_map", &part<E, &E::load_map>)
      .def("reduce", &E::reduce, "In the freedoms of the joints.");
  nb::class_<R>(module, "ReducedEquations",
                "P v' + Q v + u − loadsᵀ y = tau, in the freedoms of the joints.")
      .def_prop_ro("P", &part<R, &R::P>, "The mass matrix.")
      .def_prop_ro("Q", &part<R, &R::Q>)
      .def_prop_ro("u", &part<R, &R::u>)
      .def_prop_ro("loads", &part<R, &R::loads>, "Six rows per load: how its frame moves.")
      .def("efforts", &reduced_efforts, "v"_a.none(), "a"_a.none(), "load"_a = nb::none())
      .def("accelerations", &reduced_accelerations, "v"_a.none(), "tau"_a.none(),
           "load"_a = nb::none());
  module.def(
      "terminal_equations", &terminal_equations, "system"_a, "q"_a.none(), "v"_a = nb::none(),
      "loads"_a = Names{},
      "Tokad's closed form of a tree at a state; loads: frames where wrenches [N; F] act, "
      "world axes.\n\n>>> terminal_equations(arm, q, v).reduce().P             # the mass matrix");
}

// --- multi-ports --------------------------------------------------------------------------------

std::unique_ptr<MultiPort> multi_port(PySystem& self, Numbers q, Numbers v, Numbers tau,
                                      const Names& shafts, const Names& frames,
                                      const Forces& forces) {
  const auto work = work_at(self, q, v);
  const System& system = self.system();
  network::NetworkWorkspace room(
      system, self.is_cut_open() ? network::Loops::leave_out : network::Loops::keep);
  const Eigen::VectorXd efforts =
      tau.is_none()
          ? Eigen::VectorXd::Zero(system.nv())
          : Eigen::VectorXd(
                Input(tau, "tau", system.nv(), Input::Many::refused, self.effort_count()).vector());
  std::vector<network::MechanismPort> ports;
  for (const std::string& shaft : shafts) ports.push_back(network::shaft_port(system, shaft));
  for (const std::string& frame : frames) ports.push_back(network::frame_port(system, frame));
  return std::make_unique<MultiPort>(
      network::compute_multi_port(room, work->state, efforts, forces.on(system), ports));
}

Array port_accelerations(const MultiPort& self, Numbers y) {
  const Array out = Array::vector(self.size());
  self.compute_accelerations(vector_from(y, "y", self.size()), Vector(out.data(), self.size()));
  return out;
}

std::pair<Array, Array> norton(const MultiPort& self) {
  const Index n = self.size();
  const Array P = Array::matrix(n, n), u = Array::vector(n);
  self.compute_norton(Matrix(P.data(), n, n), Vector(u.data(), n));
  return {P, u};
}

void bind_multi_port(nb::module_& module) {
  nb::class_<MultiPort>(module, "MultiPort",
                        "A mechanism by what it does at its ports: x' = Lambda y + beta.")
      .def_prop_ro(
          "ports",
          [](const MultiPort& self) {
            nb::typed<nb::dict, std::string, nb::slice> out;
            for (const auto& port : self.ports())
              out[port.name.c_str()] =
                  nb::slice(nb::int_(port.first), nb::int_(port.first + port.size), nb::none());
            return out;
          },
          "Names, and where their numbers stand.")
      .def_prop_ro("Lambda", &part<MultiPort, &MultiPort::Lambda>)
      .def_prop_ro("beta", &part<MultiPort, &MultiPort::beta>)
      .def("accelerations", &port_accelerations, "y"_a.none(), "x' for what acts at the ports.")
      .def("norton", &norton, "P and u of y = P x' + u.")
      .def(
          "join",
          [](const MultiPort& self, const MultiPort& other,
             const std::vector<std::pair<std::string, std::string>>& pairs) {
            return std::make_unique<MultiPort>(
                network::join(self, other, network::PortPairs(pairs)));
          },
          "other"_a, "pairs"_a,
          "Both as one, joined at these pairs of ports: they accelerate alike.");
  module.def("multi_port", &multi_port, "system"_a, "q"_a.none(), "v"_a = nb::none(),
             "tau"_a = nb::none(), nb::kw_only(), "shafts"_a = Names{}, "frames"_a = Names{},
             "forces"_a = nb::none(),
             "A mechanism at an instant, seen from shafts (joints) and frames ([N; F] and [ω'; "
             "v'], world axes).\n\n>>> multi_port(arm, q, v, frames=[\"tool\"]).accelerations(y)");
}

Array forward_dynamics(PySystem& self, Numbers q, Numbers v, Numbers tau, const Forces& forces) {
  const auto work = work_at(self, q, v);
  const System& system = self.system();
  network::NetworkWorkspace room(
      system, self.is_cut_open() ? network::Loops::leave_out : network::Loops::keep);
  const Input efforts(tau, "tau", system.nv(), Input::Many::refused, self.effort_count());
  const Array a = Array::vector(system.nv());
  network::compute_forward_dynamics(room, work->state, efforts.vector(), forces.on(system),
                                    Vector(a.data(), system.nv()));
  return a;
}

}  // namespace

void bind_graph(nb::module_& module) {
  bind_system_graph(module);
  bind_terminal_equations(module);
  bind_multi_port(module);
  module.def("_network_forward_dynamics", &forward_dynamics, "system"_a, "q"_a.none(), "v"_a.none(),
             "tau"_a.none(), "forces"_a.none());
}

}  // namespace linkwright::python
