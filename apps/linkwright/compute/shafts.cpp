#include "compute/shafts.hpp"

#include <algorithm>
#include <array>

#include "shell/model/forces_included.hpp"

namespace linkwright::app {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool uses_shaft(const Quantity& quantity, const System& system, const std::string& name) {
  constexpr std::array<std::string_view, 4> always{"energy", "forward-dynamics", "closure-forces",
                                                   "joint-forces"};
  if (!name.ends_with(":angle") && !name.ends_with(":speed")) return false;
  if (is_one_of(quantity.name, always)) return true;
  if (quantity.name == "reactions") return !system.closures().empty();
  if (quantity.name != "voltages" || !name.ends_with(":angle")) return false;
  // The twist of a gear without damping follows from the motion.
  for (const Actuator& actuator : system.model().actuators)
    if (name == "motor:" + actuator.name + ":angle")
      return actuator.elastic && actuator.elastic->damping > 0;
  return false;
}

void note_shafts(const Quantity& quantity, const Model& model) {
  constexpr std::array<std::string_view, 3> of_joints{"mass-matrix", "mass-matrix-inverse",
                                                      "derivatives"};
  if (quantity.name == "inverse-dynamics")
    note_elastic_gears(model, "the effort at a joint is what the gear passes on to it");
  else if (is_one_of(quantity.name, of_joints))
    note_elastic_gears(model, "this is the joints' side alone (`linearize` has both)");
}

Shafts::Shafts(ClosedWorkspace& work, const Input& in)
    : drives_(work.system(), std::vector<std::string>{}),
      angles_(Eigen::VectorXd::Zero(drives_.count())),
      speeds_(angles_),
      x_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(drives_.extra_states().size()))),
      u_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(drives_.inputs().size()))) {
  if (x_.size() == 0) return;
  drives_.compute_shafts(work, in.state, angles_, speeds_);
  drives_.compute_start(angles_, speeds_, x_);
  for (std::size_t i = 0; i < drives_.extra_states().size(); ++i)
    if (const auto told = in.motors.find(drives_.extra_states()[i].name); told != in.motors.end())
      x_[static_cast<Eigen::Index>(i)] = told->second;
}

void Shafts::add_efforts(Eigen::VectorXd& tau) const {
  drives_.compute_efforts(angles_, speeds_, x_, u_, tau);
}

double Shafts::kinetic() const {
  double sum = 0;
  for (const actuation::Drive& d : drives_.list())
    if (d.is_elastic) sum += 0.5 * d.motor.rotor_inertia * x_[d.speed] * x_[d.speed];
  return sum;
}

double Shafts::potential() const {
  double sum = 0;
  for (const actuation::Drive& d : drives_.list()) {
    if (!d.is_elastic) continue;
    const double twist = x_[d.angle] - angles_[&d - drives_.list().data()];
    sum += 0.5 * d.spring.stiffness * twist * twist;
  }
  return sum;
}

void Shafts::compute_accelerations(Eigen::Ref<Eigen::VectorXd> out) const {
  Eigen::VectorXd rates(x_.size());
  drives_.compute_rates(angles_, speeds_, x_, u_, rates);
  Eigen::Index at = 0;
  for (const actuation::Drive& d : drives_.list())
    if (d.is_elastic) out[at++] = rates[d.speed];
}

}  // namespace linkwright::app
