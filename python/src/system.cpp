#include "system.hpp"

#include "batches.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "verbs.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

Force to_force(const Input& numbers) {
  const double* const f = numbers.state(0);
  return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

ExternalForce to_external_force(const System& system, nb::handle given) {
  if (!nb::hasattr(given, "frame") || !nb::hasattr(given, "wrench"))
    throw Error(
        "forces: " + nb::cast<std::string>(nb::repr(given)) +
        " is no ExternalForce; expected {frame name: [mx, my, mz, fx, fy, fz]} in the frame's own "
        "axes, or linkwright.ExternalForce objects");
  const nb::object frame = given.attr("frame"), axes = given.attr("axes");
  const std::string name = to_text(frame, "frame of a force");
  const nb::object wrench = given.attr("wrench");
  const std::string label = "forces, of frame " + in_quotes(name);
  return {system.frame(name), to_force(Input({wrench}, label.c_str(), 6, Input::Many::refused)),
          to_axes(to_text(axes, "axes of a force"))};
}

}  // namespace

PySystem::PySystem(Model model, bool cut_open, double closure_tolerance)
    : model_(std::move(model)),
      system_(std::make_shared<const System>(compile(network::reflect_inertias(model_)))),
      cut_open_(cut_open),
      closure_tolerance_(closure_tolerance),
      batches_(std::make_unique<Batches>()) {
  if (!(closure_tolerance > 0))
    throw Error("closure_tolerance: expected metres above 0 (1e-8, or inf); got " +
                std::to_string(closure_tolerance));
}
PySystem::~PySystem() = default;

std::vector<ExternalForce> Forces::on(const System& system) const {
  std::vector<ExternalForce> forces;
  if (given.is_none()) return forces;
  if (nb::isinstance<nb::dict>(given)) {
    for (const auto& [key, value] : nb::borrow<nb::dict>(given)) {
      const std::string name = to_text(key, "frame of a force");
      const std::string label = "forces, of frame " + in_quotes(name);
      const Input numbers({value}, label.c_str(), 6, Input::Many::refused);
      forces.push_back({system.frame(name), to_force(numbers)});
    }
  } else if (nb::hasattr(given, "wrench")) {
    forces.push_back(to_external_force(system, given));
  } else if (nb::isinstance<nb::sequence>(given) && !nb::isinstance<nb::str>(given)) {
    for (const nb::handle one : given) forces.push_back(to_external_force(system, one));
  } else {
    forces.push_back(to_external_force(system, given));  // throws
  }
  return forces;
}

void rethrow_for_state(const Error& error, Index state) {
  throw Error("state " + std::to_string(state) + ": " + error.what(), error.kind());
}

}  // namespace linkwright::python
