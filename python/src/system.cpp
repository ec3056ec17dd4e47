#include "system.hpp"

#include "batches.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "verbs.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

Force to_force(const double* f) { return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}}; }

/// Calls take(frame, axes, label, wrench) for an ExternalForce object.
template <class Take>
void take_object(const System& system, nb::handle given, const Take& take) {
  if (!nb::hasattr(given, "frame") || !nb::hasattr(given, "wrench"))
    throw Error(
        "forces: " + nb::cast<std::string>(nb::repr(given)) +
        " is no ExternalForce; expected {frame name: [mx, my, mz, fx, fy, fz]} in the frame's own "
        "axes, or linkwright.ExternalForce objects");
  const nb::object frame = given.attr("frame"), axes = given.attr("axes"),
                   wrench = given.attr("wrench");
  const std::string name = to_text(frame, "frame of a force");
  take(system.frame(name), to_axes(to_text(axes, "axes of a force")),
       "forces, of frame " + in_quotes(name), wrench);
}
/// And for every force of what a caller gave.
template <class Take>
void each_force(const System& system, nb::handle given, const Take& take) {
  if (given.is_none()) return;
  if (nb::isinstance<nb::dict>(given)) {
    for (const auto& [key, value] : nb::borrow<nb::dict>(given)) {
      const std::string name = to_text(key, "frame of a force");
      take(system.frame(name), Axes::own, "forces, of frame " + in_quotes(name), value);
    }
  } else if (!nb::hasattr(given, "wrench") && nb::isinstance<nb::sequence>(given) &&
             !nb::isinstance<nb::str>(given)) {
    for (const nb::handle one : given) take_object(system, one, take);
  } else {
    take_object(system, given, take);
  }
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
  each_force(system, given,
             [&](FrameId frame, Axes axes, const std::string& label, nb::handle wrench) {
               const Input numbers({wrench}, label.c_str(), 6, Input::Many::refused);
               forces.push_back({frame, to_force(numbers.state(0)), axes});
             });
  return forces;
}

ForcesOnStates::ForcesOnStates(const System& system, const Forces& given) {
  each_force(
      system, given.given, [&](FrameId frame, Axes axes, std::string label, nb::handle wrench) {
        const Input& numbers = own_.emplace_back(frame, axes, std::move(label), wrench).wrench;
        if (numbers.is_many()) return;
        alike_.push_back({frame, to_force(numbers.state(0)), axes});
        own_.pop_back();
      });
}

std::vector<const Input*> ForcesOnStates::beside(std::initializer_list<const Input*> others) const {
  std::vector<const Input*> all(others);
  for (const Own& force : own_) all.push_back(&force.wrench);
  return all;
}

ExternalForces ForcesOnStates::on_state(Eigen::Index s, std::vector<ExternalForce>& room) const {
  if (own_.empty()) return alike_;
  room = alike_;
  for (const Own& force : own_)
    room.push_back({force.frame, to_force(force.wrench.state(s)), force.axes});
  return room;
}

BatchForces ForcesOnStates::on_all(Eigen::Index states) {
  listed_.clear();
  for (Own& force : own_)
    listed_.push_back({force.frame, force.wrench.columns(states), force.axes});
  return {alike_, listed_};
}

void rethrow_for_state(const Error& error, Index state) {
  throw Error("state " + std::to_string(state) + ": " + error.what(), error.kind());
}

}  // namespace linkwright::python
