// Motors: what they are, and the voltages that a motion takes.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/actuation/voltages.hpp"
#include "linkwright/closure/independent.hpp"
#include "verbs.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using Eigen::MatrixXd;

/// name, effort it acts on, gear, k, Ra, La, elastic, voltage limit, current limit, derivatives needed
nb::list motors(const PySystem& self) {
  const System& system = self.system();
  const actuation::Drives drives(system);
  const std::vector<std::string> efforts = system.effort_names();
  nb::list out;
  for (const actuation::Drive& drive : drives.list())
    out.append(nb::make_tuple(drive.name, efforts[static_cast<std::size_t>(drive.effort)],
                              drive.gear, drive.k, drive.motor.Ra, drive.motor.La, drive.is_elastic,
                              drive.motor.voltage_limit, drive.motor.current_limit,
                              actuation::NominalVoltages::derivatives_needed(drive)));
  return out;
}

/// Per state and motor: torque, current, voltage, speed. Jerks and what follows of a closed system are taken in
/// independent coordinates.
Array voltages(PySystem& self, Numbers given_q, Numbers given_v,
               const std::vector<nb::object>& given_rates) {
  const System& system = self.system();
  const Index nv = system.nv();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", nv);
  constexpr const char* names[] = {"a", "jerk", "snap", "crackle"};
  std::vector<Input> rates;
  for (std::size_t i = 0; i < given_rates.size(); ++i)
    rates.emplace_back(Numbers{given_rates[i]}, names[i], nv);
  std::vector<const Input*> all{&q, &v};
  for (const Input& rate : rates) all.push_back(&rate);
  Index count = 0;
  for (const Input* one : all) count = std::max(count, common_rows({&q, one}));
  const Index states = std::max<Index>(count, 1);
  actuation::NominalVoltages nominal(system);
  const Index motors = nominal.drives().count();
  const Array out = count > 0 ? Array::create({count, 4, motors}) : Array::create({4, motors});
  actuation::MotorDemand demand(nominal.drives());
  State state(system);
  MatrixXd columns(nv, static_cast<Index>(rates.size()));
  const nb::gil_scoped_release without_lock;
  std::unique_ptr<ClosedWorkspace> work;
  if (self.is_closed()) work = std::make_unique<ClosedWorkspace>(system);
  for (Index s = 0; s < states; ++s) {
    place(state, q, v, s);
    for (std::size_t i = 0; i < rates.size(); ++i)
      columns.col(static_cast<Index>(i)) = rates[i].vector(s);
    try {
      if (work)
        actuation::complete_rates(*work, state, choose_independent(*work, state.q).entries,
                                  columns);
      nominal.compute_from(state, columns, demand);
    } catch (const Error& error) {
      if (count == 0) throw;
      rethrow_for_state(error, s);
    }
    const Eigen::VectorXd* const told[] = {&demand.torque, &demand.current, &demand.voltage,
                                           &demand.speed};
    for (Index i = 0; i < 4; ++i) Vector(out.data() + (4 * s + i) * motors, motors) = *told[i];
  }
  return out;
}

}  // namespace

void bind_motors(nb::module_& module) {
  module.def("motors", &motors, "system"_a);
  module.def("voltages", &voltages, "system"_a, "q"_a, "v"_a, "rates"_a);
}

}  // namespace linkwright::python
