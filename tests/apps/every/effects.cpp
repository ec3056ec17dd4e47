#include "apps/every/effects.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "linkwright/actuation/drives.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/network/circuit.hpp"
#include "linkwright/network/mechanism_network.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "linkwright/viewer/page.hpp"

namespace apps {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using namespace linkwright;

/// All numbers of a computation, or why there are none.
template <class Compute>
void write(std::string& text, std::string_view name, Compute compute) {
  text += fmt::format("{}:", name);
  try {
    const MatrixXd numbers = compute();
    for (const double x : numbers.reshaped()) text += fmt::format(" {}", x);
  } catch (const Error& error) {
    text += error.what();
  }
  text += '\n';
}

VectorXd six(const Vector3& a, const Vector3& b) {
  VectorXd x(6);
  x << to_eigen(a), to_eigen(b);
  return x;
}

void write_kinematics(std::string& text, Workspace& work, const State& state, const VectorXd& a) {
  const System& system = work.system();
  compute_forward_kinematics(work, state, a);
  for (std::size_t i = 0; i < system.frames().size(); ++i) {
    const FrameId frame{static_cast<int>(i)};
    const Pose pose = frame_pose(work, frame);
    write(text, system.frames()[i].name, [&] {
      return six(pose.translation, pose.rotation.column_x() + 2.0 * pose.rotation.column_y());
    });
    const Motion velocity = frame_velocity(work, frame, Axes::world);
    write(text, "velocity", [&] { return six(velocity.angular, velocity.linear); });
  }
}

/// Which freedoms take an effort, and what it does.
void write_efforts(std::string& text, Workspace& work, const State& state) {
  const int nv = work.system().nv();
  for (int i = 0; i < nv; ++i)
    write(text, "effort", [&] {
      VectorXd a(nv);
      compute_forward_dynamics(work, state, VectorXd::Unit(nv, i), {}, a);
      return a;
    });
}

void write_dynamics(std::string& text, Workspace& work, const State& state) {
  const int nv = work.system().nv();
  const VectorXd zero = VectorXd::Zero(nv);
  VectorXd x(nv);
  MatrixXd M(nv, nv);
  write(text, "q", [&] { return state.q; });
  write(text, "v", [&] { return state.v; });
  write(text, "M", [&] { return compute_mass_matrix(work, state.q, M), M; });
  write(text, "bias", [&] { return compute_bias(work, state, x), x; });
  write(text, "joint forces", [&] { return compute_joint_forces(work, state, x), x; });
  write(text, "tau", [&] { return compute_inverse_dynamics(work, state, zero, {}, x), x; });
  write(text, "a", [&] { return compute_forward_dynamics(work, state, zero, {}, x), x; });
  write(text, "energy", [&] {
    const Energy e = compute_energy(work, state);
    return Eigen::Vector2d(e.kinetic, e.potential);
  });
  write(text, "centre of mass", [&] {
    const CentreOfMass c = compute_centre_of_mass(work, state);
    return six(c.position, c.velocity);
  });
  write_kinematics(text, work, state, zero);
}

/// What friction at rest and stops make of a moment's motion: from rest, and against each upper limit.
void write_contacts(std::string& text, const System& system) {
  State rest = initial_state(system);
  rest.v.setZero();
  const auto freedoms = contact_freedoms(system, Closures::leave_out);
  for (const ContactFreedom& f : freedoms)
    if (f.plain) rest.q[f.q] = std::clamp(rest.q[f.q], f.limits.lower, f.limits.upper);
  const auto run = [&](const State& from) {
    Simulation simulation(system, from, {.closures = Closures::leave_out});
    simulation.advance_to(3e-3);
    return VectorXd(simulation.state().v);
  };
  write(text, "from rest", [&] { return run(rest); });
  for (const ContactFreedom& f : freedoms) {
    if (!f.plain || !std::isfinite(f.limits.upper)) continue;
    State state = rest;
    state.q[f.q] = f.limits.upper, state.v[f.v] = 1;
    write(text, "against " + f.name, [&] { return run(state); });
  }
}

/// What motors do under voltages beyond their limits and within, from their start.
void write_drives(std::string& text, const System& system, const State& state) {
  const actuation::Drives drives(system);
  VectorXd angles(drives.count()), speeds(drives.count()),
      x(static_cast<Eigen::Index>(drives.extra_states().size())), rates(x.size()),
      tau = VectorXd::Zero(system.effort_count());
  drives.compute_shafts(state.q, state.v, angles, speeds);
  drives.compute_start(angles, speeds, x);
  write(text, "motors", [&] { return x; });
  write(text, "shafts", [&] { return angles; });
  for (const auto& [volts, amperes] : {std::pair{3.0, 0.5}, {1000.0, 0.5}, {1000.0, 5.5}}) {
    const VectorXd u = VectorXd::Constant(static_cast<Eigen::Index>(drives.inputs().size()), volts);
    for (const actuation::Drive& d : drives.list())
      if (d.current >= 0 && std::isfinite(d.motor.current_limit)) x[d.current] = amperes;
    write(text, "motor efforts",
          [&] { return drives.compute_efforts(angles, speeds, x, u, tau), tau; });
    write(text, "motor rates",
          [&] { return drives.compute_rates(angles, speeds, x, u, rates), rates; });
  }
}

/// The network where a run begins, all joints turning.
void write_network(std::string& text, const System& system) {
  if (system.model().network.components.empty()) return;
  const network::Circuit circuit{network::Network(system.model())};
  network::CircuitWorkspace work(circuit);
  const VectorXd given = VectorXd::LinSpaced(circuit.port_count(), 0.3, 0.4);
  VectorXd sources(circuit.source_count()),
      outputs(static_cast<Eigen::Index>(circuit.outputs().size())),
      states(static_cast<Eigen::Index>(circuit.states().size()));
  for (const linkwright::Quantity& output : circuit.outputs()) text += output.name + ' ';
  circuit.compute_usual_sources(sources);
  circuit.compute_start(work, given, sources, states);
  circuit.compute(work, 0, given, sources, VectorXd::Zero(sources.size()), states);
  write(text, "network", [&] { return work.answers; });
  write(text, "network rates", [&] { return work.rates; });
  circuit.compute_outputs(work, VectorXd::Zero(given.size()), outputs);
  write(text, "network variables", [&] { return outputs; });
}

std::string numbers_of(const System& system) {
  std::string text;
  for (const auto& names : {system.position_names(), system.velocity_names()})
    for (const std::string& name : names) text += name + ' ';
  for (const FramePlace& frame : system.frames()) text += frame.name + ' ';
  text += '\n';
  Workspace work(system, Closures::leave_out);
  State state = initial_state(system);
  write_dynamics(text, work, state);
  write_efforts(text, work, state);
  write_drives(text, system, state);
  write_network(text, system);
  for (const double sign : {1.0, -1.0}) {  // friction depends on the direction
    compute_random(system, 3, state.q);    // within the limits
    for (int i = 0; i < system.nv(); ++i) state.v[i] = sign * (0.3 + 0.01 * i);
    write_dynamics(text, work, state);
  }
  write_contacts(text, system);
  return text;
}

std::string replaced(const std::string& text, const Change& change) {
  const std::size_t at = text.find(change.from);
  EXPECT_NE(at, std::string::npos) << change.section << ": " << change.from;
  EXPECT_EQ(text.find(change.from, at + 1), std::string::npos) << change.from << " stands twice";
  const auto holds = [&change](std::string_view side) {
    return side.find(change.word) != std::string_view::npos;
  };
  EXPECT_TRUE(holds(change.from) || holds(change.to)) << change.from << " is not " << change.word;
  if (at == std::string::npos) return text;
  std::string changed = text;
  return changed.replace(at, change.from.size(), change.to);
}

}  // namespace

Observer::Observer(const std::map<std::string, std::string, std::less<>>& documents)
    : documents_(documents) {
  for (const auto& [name, text] : documents) (void)folder_.file(name, text);
}

Observed Observer::observe(const std::string& document, const std::string& text,
                           const Fault& fault) const {
  // Under one name, so that messages and titles do not differ by it.
  const std::string file = folder_.file("observed_" + document, text);
  Observed seen;
  try {
    Model model = read_model(file);
    if (fault) fault(model);
    const System system = compile(network::reflect_inertias(model));
    for (const Warning& warning : system.warnings()) seen.warnings += warning.message + '\n';
    seen.numbers = numbers_of(system);
    const Page page = to_page_data(system, initial_state(system).q);
    seen.drawing = page.text;
    for (const Warning& warning : page.warnings) seen.warnings += warning.message + '\n';
  } catch (const Error& error) {
    seen.error = error.what();
    return seen;
  }
  if (!fault) seen.info = run({"info", file, "--json"}).out;
  return seen;
}

bool Observer::has_effect(const Change& change, const Observed& before, const Fault& fault) const {
  const std::string document(change.document);
  const Observed after =
      observe(document, replaced(documents_.find(change.document)->second, change), fault);
  if (after.error != before.error || after.warnings != before.warnings) return true;
  if (change.shows == Shows::numbers) return after.numbers != before.numbers;
  return change.shows == Shows::drawing ? after.drawing != before.drawing
                                        : after.info != before.info;
}

std::vector<std::string> Observer::find_dropped(const std::vector<Change>& changes,
                                                const Fault& fault) const {
  std::map<std::string_view, Observed> before;
  std::vector<std::string> dropped;
  for (const Change& change : changes) {
    if (fault && change.shows != Shows::numbers) continue;
    if (!before.contains(change.document)) {
      before[change.document] =
          observe(std::string(change.document), documents_.find(change.document)->second, fault);
      EXPECT_EQ(before[change.document].error, "") << change.document;
    }
    if (!has_effect(change, before[change.document], fault))
      dropped.push_back(fmt::format("{}.{}", change.section, change.word));
  }
  return dropped;
}

}  // namespace apps
