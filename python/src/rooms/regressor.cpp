// Efforts as a linear function of what bodies and joints are made of; and which of it motions tell.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "bounded.hpp"
#include "coordinates.hpp"
#include "linkwright/coordinates/base_parameters.hpp"
#include "linkwright/model/names.hpp"
#include "parameters.hpp"
#include "words.hpp"

namespace linkwright::python {
std::vector<coordinates::JointParameter> to_joint_parameters(
    const std::vector<std::string>& names) {
  using coordinates::JointParameter;
  std::vector<JointParameter> out;
  for (const std::string& name : names) {
    if (name == "rotor")
      out.push_back(JointParameter::rotor_inertia);
    else if (name == "damping")
      out.push_back(JointParameter::damping);
    else if (name == "friction")
      out.push_back(JointParameter::friction);
    else
      throw Error("joints: expected 'rotor', 'damping' or 'friction'; got " + in_quotes(name));
  }
  return out;
}

namespace {

using namespace nb::literals;
using coordinates::BaseParameters;
using coordinates::Regressor;

/// A regressor and what it speaks of.
struct PyRegressor {
  PyRegressor(PySystem& of, const Names& joints)
      : system(of), regressor(of.system(), to_joint_parameters(joints)) {}
  PySystem& system;  // kept alive by nanobind
  Regressor regressor;
};

/// Y with the rest as its last column, for one state or many; of a closed system in chosen coordinates.
Array compute(PyRegressor& self, Numbers given_q, Numbers given_v, Numbers given_a,
              const Coordinates& coordinates, Count threads) {
  PySystem& system = self.system;
  const Index nq = system.system().nq(), nv = system.system().nv();
  const Input q(given_q, "q", nq), v(given_v, "v", nv), a(given_a, "a", nv);
  const Chosen chosen = coordinates.resolve(system, q);
  if (system.is_closed() && chosen.is_full)
    throw Error("regressor of a closed system: give coordinates, 'independent' or names");
  const Index rows = chosen.size(), size = self.regressor.size();
  return for_each_state(
      system, {&q, &v, &a}, {rows, size + 1}, threads, [&](Work& work, Index s, double* out) {
        Matrix Y(out, rows, size);
        Vector rest(out + rows * size, rows);
        place(work.state, q, v, s);
        if (chosen.is_full)
          return self.regressor.compute(work.tree(), work.state, a.vector(s), Y, rest);
        check_closed(system, work);
        self.regressor.compute(work.closed(), work.state, a.vector(s), chosen.entries, Y, rest);
      });
}

BaseParameters base_parameters(PyRegressor& self, Numbers q, Seed seed) {
  PySystem& system = self.system;
  if (!q.is_none()) (void)vector_from(q, "q", system.system().nq());
  if (!system.is_closed()) {
    const auto work = system.work();
    return coordinates::find_base_parameters(self.regressor, work->tree(), seed);
  }
  if (q.is_none()) throw Error("q: of a closed system, give a position that closes its loops");
  const auto work = work_at(system, q, {nb::none()});
  return coordinates::find_base_parameters(self.regressor, work->closed(), work->state.q, seed);
}

void bind_base_parameters(nb::module_& module) {
  nb::class_<BaseParameters>(module, "BaseParameters",
                             "The parameters that the efforts of a motion can tell, and no others.")
      .def_ro("names", &BaseParameters::names, "The sums in words.")
      .def_ro("columns", &BaseParameters::columns, "Columns of the regressor that stand for them.")
      .def_prop_ro(
          "combination", [](const BaseParameters& b) { return copy_of(b.combination); },
          "(size, all): base = combination @ regressor.values.")
      .def_ro("unseen", &BaseParameters::unseen, "Parameters that no motion shows.")
      .def_ro("smallest_kept", &BaseParameters::smallest_kept)
      .def_ro("largest_dropped", &BaseParameters::largest_dropped,
              "How clearly the others were told apart from those that count.")
      .def("__len__", &BaseParameters::size)
      .def("__repr__", [](const BaseParameters& b) {
        return std::to_string(b.size()) + " base parameters: " + listed(b.names);
      });
}

}  // namespace

void bind_regressor(nb::module_& module) {
  bind_base_parameters(module);
  nb::class_<PyRegressor>(
      module, "Regressor",
      "tau = Y(q, v, a) values + rest: efforts by masses, first and second moments.")
      .def(nb::init<PySystem&, const Names&>(), "system"_a, "joints"_a = Names{},
           nb::keep_alive<1, 2>(), "joints: 'rotor', 'damping', 'friction' count as unknown too.")
      .def_prop_ro("names", [](const PyRegressor& r) { return r.regressor.names(); })
      .def_prop_ro(
          "values",
          [](const PyRegressor& r) { return copy_of(Eigen::VectorXd(r.regressor.values())); },
          "Those of the model.")
      .def("__len__", [](const PyRegressor& r) { return r.regressor.size(); })
      .def("_compute", &compute, "q"_a.none(), "v"_a.none(), "a"_a.none(), "coordinates"_a.none(),
           "threads"_a)
      .def("base_parameters", &base_parameters, "q"_a = nb::none(), nb::kw_only(), "seed"_a = 1,
           "From random motions; of a closed system from a position q on.");
}

}  // namespace linkwright::python
