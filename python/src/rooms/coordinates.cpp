// Models in any coordinates: Freeman's arrays, transfer, closed mechanisms, shares of load, redundancy.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/coordinates/load_distribution.hpp"
#include "linkwright/coordinates/mechanism.hpp"
#include "linkwright/coordinates/redundancy.hpp"
#include "parameters.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using coordinates::Constrained;
using coordinates::DynamicModel;
using coordinates::Influence;
using coordinates::Mechanism;
using coordinates::RedundantTransfer;
using coordinates::Transfer;
using coordinates::Weight;

// --- models -------------------------------------------------------------------------------------

DynamicModel joint_model(PySystem& self, Numbers q, Numbers v, const Forces& forces) {
  const auto work = self.work();
  place(self, work->state, q, v);
  const std::vector<ExternalForce> pushes = forces.on(self.system());
  if (self.is_closed())
    return coordinates::compute_joint_model(work->closed(), work->state, pushes);
  return coordinates::compute_joint_model(work->tree(), work->state, pushes);
}

Array loads(const DynamicModel& m, Numbers rates, Numbers accelerations) {
  const Index n = m.inertia.cols();
  return copy_of(coordinates::loads(m, vector_from(rates, "rates", n),
                                    vector_from(accelerations, "accelerations", n)));
}

Array accelerations(const DynamicModel& m, Numbers rates, Numbers given) {
  return copy_of(coordinates::accelerations(m, vector_from(rates, "rates", m.inertia.cols()),
                                            vector_from(given, "loads", m.inertia.rows())));
}

Array coriolis_matrix(const DynamicModel& m, Numbers rates) {
  const Array out = Array::matrix(m.inertia.rows(), m.inertia.cols());
  coordinates::compute_coriolis_matrix(m, vector_from(rates, "rates", m.inertia.cols()),
                                       Matrix(out.data(), m.inertia.rows(), m.inertia.cols()));
  return out;
}

DynamicModel map_loads(const DynamicModel& m, Numbers A, const Names& names) {
  const Input rows(A, "A", m.inertia.rows());
  if (rows.rows() != static_cast<Index>(names.size()))
    throw Error("names: expected " + std::to_string(rows.rows()) + ", one per row of A; got " +
                std::to_string(names.size()));
  coordinates::Parameters of;
  for (const std::string& name : names) of.push_back({.name = name});
  return coordinates::map_loads(matrix_from(A, "A", rows.rows(), m.inertia.rows()), of, m);
}

void bind_model_class(nb::module_& module) {
  nb::class_<DynamicModel>(
      module, "DynamicModel",
      "loads = inertia x'' + x'ᵀ power x' − load, in one set of coordinates, at a position.")
      .def_prop_ro(
          "of", [](const DynamicModel& m) { return names_of(m.of); }, "What the loads belong to.")
      .def_prop_ro(
          "by", [](const DynamicModel& m) { return names_of(m.by); }, "The coordinates.")
      .def_prop_ro(
          "inertia", [](const DynamicModel& m) { return copy_of(m.inertia); }, "[I*], (of, by).")
      .def_prop_ro(
          "power", [](const DynamicModel& m) { return copy_of(m.power); },
          "[P*], (of, by, by): what rate j makes at load i while coordinate k moves at unit rate.")
      .def_prop_ro(
          "load", [](const DynamicModel& m) { return column_of(m.load); },
          "Gravity and whatever else acts, at the state that it was made for.")
      .def("loads", &loads, "rates"_a.none(), "accelerations"_a.none(),
           "The loads that the motion needs.")
      .def("accelerations", &accelerations, "rates"_a.none(), "loads"_a.none(),
           "The motion that the loads make.")
      .def("coriolis_matrix", &coriolis_matrix, "rates"_a.none(),
           "C, the choice for which d[I*]/dt − 2 C is skew-symmetric.")
      .def("refer_to", &coordinates::refer_to, "by"_a,
           "The same loads by other coordinates, given these by those.")
      .def("map_loads", &map_loads, "A"_a.none(), "names"_a,
           "Other loads, A times these, by the same coordinates.")
      .def("transfer", &coordinates::transfer, "by"_a,
           "Both: loads of virtual work at the other coordinates.")
      .def("__add__", &coordinates::sum, "other"_a, nb::is_operator(),
           "Two parts of one mechanism, by the same coordinates.")
      .def("__repr__", [](const DynamicModel& m) {
        return "DynamicModel: loads of " + listed(names_of(m.of)) + " by " + listed(names_of(m.by));
      });
  module.def("joint_model", &joint_model, "system"_a, "q"_a.none(), "v"_a = nb::none(),
             "forces"_a = nb::none(),
             "The model in the entries of v; of a closed system that of its cut tree.\n\n"
             ">>> tau = joint_model(arm, q, v).loads(v, a)");
}

// --- transfer -----------------------------------------------------------------------------------

void bind_transfer(nb::module_& module) {
  nb::class_<Transfer>(
      module, "Transfer",
      "From coordinates in which a model is easily written to those in which it is wanted.")
      .def(nb::init<const Influence&>(), "influence"_a)
      .def_prop_ro("condition", &Transfer::condition, "1 at best; refused beyond 1e6.")
      .def_prop_ro(
          "initial", [](const Transfer& t) { return t.initial(); },
          "The first coordinates by the new ones.")
      .def(
          "apply", [](const Transfer& t, const Influence& u) { return t.apply(u); }, "u"_a,
          "Parameters by the new coordinates.")
      .def(
          "apply", [](const Transfer& t, const DynamicModel& m) { return t.apply(m); }, "model"_a,
          "The model in the new coordinates.");
}

Array mechanism_accelerations(const Mechanism& m, PySystem& self, Numbers q, Numbers v,
                              Numbers tau) {
  State state(self.system());
  place(self, state, q, v);
  const Array a = Array::vector(self.system().nv());
  coordinates::compute_forward_dynamics(m, state, vector_from(tau, "tau", self.system().nv()),
                                        Vector(a.data(), self.system().nv()));
  return a;
}

Array constraint_forces(const Mechanism& m, PySystem& self, Numbers q, Numbers v, Numbers tau,
                        Numbers a) {
  const Index nv = self.system().nv(), rows = m.carried.rows();
  State state(self.system());
  place(self, state, q, v);
  const Array lambda = Array::vector(rows);
  coordinates::compute_constraint_forces(m, state, vector_from(tau, "tau", nv),
                                         vector_from(a, "a", nv), Vector(lambda.data(), rows));
  return lambda;
}

Mechanism double_transfer(PySystem& self, Numbers q, Numbers v, const Influence& coordinates_by_v,
                          const Forces& forces) {
  const auto work = closed_work_at(self, "double_transfer", q, v);
  return coordinates::compute_double_transfer(work->closed(), work->state, forces.on(self.system()),
                                              coordinates_by_v);
}

Mechanism leg_by_leg(PySystem& self, Numbers q, Numbers v, const std::string& platform,
                     const Influence& coordinates_by_v, const Forces& forces) {
  const auto work = closed_work_at(self, "leg_by_leg", q, v);
  return coordinates::compute_leg_by_leg(work->closed(), work->state, forces.on(self.system()),
                                         platform, coordinates_by_v);
}

void bind_mechanism(nb::module_& module) {
  nb::class_<Mechanism>(module, "Mechanism", "A closed mechanism in chosen coordinates.")
      .def_ro("model", &Mechanism::model, "In these coordinates.")
      .def_ro("inputs", &Mechanism::inputs, "The coordinates by the entries of v, as given.")
      .def_ro("joints", &Mechanism::joints, "All entries of v by the coordinates.")
      .def_ro("constraint", &Mechanism::constraint, "The forces in the rows of the closures.")
      .def_prop_ro("carried", [](const Mechanism& m) { return copy_of(m.carried); })
      .def_ro("condition", &Mechanism::condition, "Of all transfers on the way, multiplied.")
      .def("forward_dynamics", &mechanism_accelerations, "system"_a, "q"_a.none(), "v"_a.none(),
           "tau"_a.none(), "All accelerations, at the state that it was written for.")
      .def("constraint_forces", &constraint_forces, "system"_a, "q"_a.none(), "v"_a.none(),
           "tau"_a.none(), "a"_a.none(), "What the rows of the closures carry meanwhile.");
  module
      .def("double_transfer", &double_transfer, "system"_a, "q"_a.none(), "v"_a.none(),
           "coordinates"_a, "forces"_a = nb::none(),
           "A closed mechanism in coordinates, given by the entries of v: all loops at once.\n\n"
           ">>> double_transfer(five_bar, q, v, joint_influence(five_bar, motors)).model.inertia")
      .def(
          "leg_by_leg", &leg_by_leg, "system"_a, "q"_a.none(), "v"_a.none(), "platform"_a,
          "coordinates"_a, "forces"_a = nb::none(),
          "The same of a platform on legs, each written as if the others were not there.\n\n"
          ">>> leg_by_leg(stewart, q, v, \"plate\", frame_influence(stewart, q, \"plate\")).model");
  nb::class_<Constrained>(module, "Constrained", "A model while some parameters rest.")
      .def_ro("model", &Constrained::model)
      .def_ro("initial", &Constrained::initial, "All coordinates by those that are kept.")
      .def_ro("constraint", &Constrained::constraint, "The forces that hold what rests.")
      .def_prop_ro("carried", [](const Constrained& c) { return copy_of(c.carried); })
      .def_ro("condition", &Constrained::condition);
  module.def(
      "constrain", &coordinates::constrain, "model"_a, "resting"_a, "keep"_a = Names{},
      "The model by fewer coordinates, so that the parameters `resting` do.\n\n"
      ">>> constrain(joint_model(five_bar, q), closure_influence(five_bar, q)).model.inertia");
}

// --- more motors than freedoms, more joints than the task ---------------------------------------

Array distribution(const Influence& motors, Numbers given, Numbers weights, Numbers limits,
                   Numbers preferred) {
  const Index n = motors.G.rows();
  const coordinates::Distribution how{numbers_from(weights, "weights", n),
                                      numbers_from(limits, "limits", n),
                                      numbers_from(preferred, "preferred", n)};
  const Array out = Array::vector(n);
  coordinates::compute_distribution(motors, vector_from(given, "loads", motors.G.cols()), how,
                                    Vector(out.data(), n));
  return out;
}

DynamicModel distribute(const DynamicModel& model, const Influence& motors, Numbers weights) {
  return coordinates::distribute(model, motors, numbers_from(weights, "weights", motors.G.rows()));
}

Weight constant_weight(Numbers W) {
  if (!nb::hasattr(W.given, "__len__")) throw Error("W: expected a square matrix");
  const auto size = static_cast<Index>(nb::len(W.given));
  return coordinates::constant_weight(matrix_from(W, "W", size, size));
}

Weight kinetic_energy_weight(PySystem& self, Numbers q) {
  if (self.is_closed())
    throw Error(
        "kinetic_energy_weight: this system has loops; of cut_open() it is that of its tree");
  const auto work = work_at(self, q, {nb::none()});
  return coordinates::compute_kinetic_energy_weight(work->tree(), work->state.q);
}

Array redundant_rates(const RedundantTransfer& t, Numbers u_rate, Numbers xi) {
  const Index n = t.initial().G.rows();
  const Array out = Array::vector(n);
  t.compute_rates(vector_from(u_rate, "u_rate", t.initial().G.cols()), vector_or_zeros(xi, "xi", n),
                  Vector(out.data(), n));
  return out;
}

Array redundant_accelerations(const RedundantTransfer& t, Numbers u_rate, Numbers u_acceleration,
                              Numbers xi, Numbers xi_rate) {
  const Index n = t.initial().G.rows(), m = t.initial().G.cols();
  const Array out = Array::vector(n);
  t.compute_accelerations(
      vector_from(u_rate, "u_rate", m), vector_from(u_acceleration, "u_acceleration", m),
      vector_or_zeros(xi, "xi", n), vector_or_zeros(xi_rate, "xi_rate", n), Vector(out.data(), n));
  return out;
}

void bind_redundancy(nb::module_& module) {
  nb::class_<Weight>(module, "Weight",
                     "What makes joint rates dear, and how it changes with the joints.")
      .def_prop_ro("W", [](const Weight& w) { return copy_of(w.W); })
      .def_prop_ro(
          "rate", [](const Weight& w) { return copy_of(w.rate); },
          "(n, n, n): rate[k] while coordinate k alone moves at unit rate.");
  nb::class_<RedundantTransfer>(module, "RedundantTransfer",
                                "More joints than the task asks for: the rates of least weight.")
      .def(nb::init<const Influence&, Weight>(), "task"_a, "weight"_a)
      .def_prop_ro("condition", &RedundantTransfer::condition)
      .def_prop_ro(
          "initial", [](const RedundantTransfer& t) { return t.initial(); },
          "Joints by the task: least weight at velocity level, and the rate of that.")
      .def_prop_ro(
          "least_acceleration", [](const RedundantTransfer& t) { return t.least_acceleration(); },
          "The same G; H is the answer whose acceleration is least.")
      .def_prop_ro(
          "null_space", [](const RedundantTransfer& t) { return copy_of(t.null_space()); },
          "N: rates N xi move the task not at all.")
      .def("rates", &redundant_rates, "u_rate"_a.none(), "xi"_a = nb::none(),
           "Joint rates for a rate of the task, and N xi besides.")
      .def("accelerations", &redundant_accelerations, "u_rate"_a.none(), "u_acceleration"_a.none(),
           "xi"_a = nb::none(), "xi_rate"_a = nb::none(), "The rate of that.");
  module
      .def("constant_weight", &constant_weight, "W"_a.none(),
           "The same weight at every position.\n\n>>> constant_weight(np.eye(7))")
      .def("kinetic_energy_weight", &kinetic_energy_weight, "system"_a, "q"_a.none(),
           "The mass matrix: least kinetic energy.\n\n"
           ">>> RedundantTransfer(tool, kinetic_energy_weight(arm, q)).rates(twist)")
      .def("distribution", &distribution, "motors"_a, "loads"_a.none(), nb::kw_only(),
           "weights"_a = nb::none(), "limits"_a = nb::none(), "preferred"_a = nb::none(),
           "Efforts of motors (an Influence by what is driven) that do the work of these loads: "
           "least weighted "
           "squares, within limits.\n\n>>> distribution(motors, loads, limits=[5, 5, 5])")
      .def("distribute", &distribute, "model"_a, "motors"_a, "weights"_a = nb::none(),
           "The model with its loads at the motors: the linear share.\n\n"
           ">>> distribute(machine.model, motors).loads(rates, accelerations)");
}

}  // namespace

void bind_coordinates(nb::module_& module) {
  bind_model_class(module);
  bind_transfer(module);
  bind_mechanism(module);
  bind_redundancy(module);
}

}  // namespace linkwright::python
