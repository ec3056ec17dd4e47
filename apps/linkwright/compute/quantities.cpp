#include "compute/quantities.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>

#include "compute/derivatives.hpp"
#include "compute/influence.hpp"
#include "compute/output/result_names.hpp"
#include "compute/shafts.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::app {
namespace {

void put(Eigen::VectorXd& out, Eigen::Index& at, const Vector3& v) {
  out.segment<3>(at) = to_eigen(v);
  at += 3;
}
void put(Eigen::VectorXd& out, Eigen::Index& at, const Motion& v) {
  put(out, at, v.angular);
  put(out, at, v.linear);
}

/// The entries asked for; all where none are.
void select(const Eigen::VectorXd& all, const QuantityOptions& ask, Eigen::VectorXd& out) {
  if (ask.coordinates.empty()) {
    out = all;
    return;
  }
  for (Eigen::Index i = 0; i < out.size(); ++i)
    out[i] = all[ask.coordinates[static_cast<std::size_t>(i)]];
}

void inverse_dynamics(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                      Eigen::VectorXd& out) {
  if (work.system().closures().empty()) {
    compute_inverse_dynamics(work.tree(), in.state, in.a, in.forces, out);
  } else if (ask.coordinates.empty()) {
    compute_inverse_dynamics(work, in.state, in.a, in.forces, all_motors(work.system()), out);
  } else {
    Eigen::VectorXd tau(work.system().nv());
    compute_inverse_dynamics(work, in.state, in.a, in.forces, {.entries = ask.coordinates}, tau);
    select(tau, ask, out);
  }
}
/// The efforts that are given, and what elastic gears pass on.
Eigen::VectorXd all_efforts(ClosedWorkspace& work, const Input& in) {
  Eigen::VectorXd tau = in.tau;
  Shafts(work, in).add_efforts(tau);
  return tau;
}
void forward_dynamics(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                      Eigen::VectorXd& out) {
  Eigen::VectorXd a(work.system().nv()), tau = in.tau;
  const Shafts shafts(work, in);
  shafts.add_efforts(tau);
  compute_forward_dynamics(work, in.state, tau, in.forces, a);
  const Eigen::Index joints =
      ask.coordinates.empty() ? a.size() : static_cast<Eigen::Index>(ask.coordinates.size());
  Eigen::VectorXd chosen(joints);
  select(a, ask, chosen);
  out.head(joints) = chosen;
  shafts.compute_accelerations(out.tail(out.size() - joints));
}
void bias(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
          Eigen::VectorXd& out) {
  if (ask.coordinates.empty())
    compute_bias(work, in.state, out);
  else
    compute_bias(work, in.state, ask.coordinates, out);
}
void gravity(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
             Eigen::VectorXd& out) {
  if (ask.coordinates.empty())
    compute_gravity(work.tree(), in.state.q, out);
  else
    compute_gravity(work, in.state, ask.coordinates, out);
}
void coriolis(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
              Eigen::VectorXd& out) {
  if (work.rows() == 0) return compute_coriolis(work.tree(), in.state, out);
  Eigen::VectorXd still(out.size());
  bias(work, in, ask, out);
  gravity(work, in, ask, still);
  out -= still;
}
void joint_forces(ClosedWorkspace& work, const Input& in, const QuantityOptions&,
                  Eigen::VectorXd& out) {
  const Eigen::Index nv = work.system().nv();
  compute_joint_forces(work.tree(), in.state, out.head(nv));
  compute_closing_forces(work, in.state, out.tail(out.size() - nv));
  Eigen::VectorXd gears = Eigen::VectorXd::Zero(in.tau.size());
  Shafts(work, in).add_efforts(gears);
  out.head(nv) += gears.head(nv);
  const std::vector<ClosingMotor>& motors = work.system().closing_motors();
  for (std::size_t i = 0; i < motors.size(); ++i) {
    const ClosurePlace& closure =
        work.system().closures()[static_cast<std::size_t>(motors[i].closure)];
    out[nv + closure.closing + motors[i].freedom] += gears[nv + static_cast<Eigen::Index>(i)];
  }
}
void closing_joints(ClosedWorkspace& work, const Input& in, const QuantityOptions&,
                    Eigen::VectorXd& out) {
  const Eigen::Index count = out.size() / 2;
  compute_closing_coordinates(work, in.state.q, out.head(count));
  compute_closing_rates(work, in.state, out.tail(count));
}

/// Calls `compute` for a matrix with so many columns and lays its rows end to end.
template <class Compute>
void flatten(Eigen::Index columns, Eigen::VectorXd& out, Compute compute) {
  if (columns == 0) return;
  Eigen::MatrixXd matrix(out.size() / columns, columns);
  compute(matrix);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    out.segment(i * columns, columns) = matrix.row(i).transpose();
}
/// M in all or in the chosen coordinates, changed by `change`.
template <class Change>
void mass_matrix_of(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                    Eigen::VectorXd& out, const Change& change) {
  const auto chosen = static_cast<Eigen::Index>(ask.coordinates.size());
  flatten(chosen == 0 ? work.system().nv() : chosen, out, [&](Eigen::MatrixXd& m) {
    if (chosen == 0)
      compute_mass_matrix(work, in.state.q, m);
    else
      compute_mass_matrix(work, in.state, ask.coordinates, m);
    change(m);
  });
}
void mass_matrix(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                 Eigen::VectorXd& out) {
  mass_matrix_of(work, in, ask, out, [](const Eigen::MatrixXd&) {});
}
void mass_matrix_inverse(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                         Eigen::VectorXd& out) {
  if (work.system().closures().empty())
    return flatten(work.system().nv(), out, [&](Eigen::MatrixXd& m) {
      compute_mass_matrix_inverse(work.tree(), in.state.q, m);
    });
  mass_matrix_of(work, in, ask, out, [](Eigen::MatrixXd& m) {
    m = m.llt().solve(Eigen::MatrixXd::Identity(m.rows(), m.cols())).eval();
  });
}
void coriolis_matrix(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                     Eigen::VectorXd& out) {
  const auto chosen = static_cast<Eigen::Index>(ask.coordinates.size());
  flatten(chosen == 0 ? work.system().nv() : chosen, out, [&](Eigen::MatrixXd& m) {
    if (chosen == 0)
      compute_coriolis_matrix(work, in.state, m);
    else
      compute_coriolis_matrix(work, in.state, ask.coordinates, m);
  });
}
void jacobian(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
              Eigen::VectorXd& out) {
  flatten(work.system().nv(), out, [&](Eigen::MatrixXd& m) {
    compute_jacobian(work.tree(), in.state.q, ask.frames.front(), ask.axes, m);
  });
}
void jacobian_rate(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                   Eigen::VectorXd& out) {
  Eigen::Index at = 0;
  put(out, at,
      compute_jacobian_rate_times_velocity(work.tree(), in.state, ask.frames.front(), ask.axes));
}

void forward_kinematics(ClosedWorkspace& work, const Input& in, const QuantityOptions& ask,
                        Eigen::VectorXd& out) {
  compute_forward_kinematics(work.tree(), in.state, in.a);
  Eigen::Index at = 0;
  for (const FrameId frame : ask.frames) {
    const Pose pose = frame_pose(work.tree(), frame);
    const Quaternion turn = spatial::to_quaternion(pose.rotation);
    const double sign = turn.w < 0 ? -1 : 1;  // of the two quaternions of a rotation, w ≥ 0
    put(out, at, pose.translation);
    out[at++] = sign * turn.w;
    put(out, at, Vector3{sign * turn.x, sign * turn.y, sign * turn.z});
    put(out, at, frame_velocity(work.tree(), frame, ask.axes));
    put(out, at, frame_acceleration(work.tree(), frame, ask.axes));
  }
}

void energy(ClosedWorkspace& work, const Input& in, const QuantityOptions&, Eigen::VectorXd& out) {
  const Energy e = compute_energy(work, in.state);
  const Shafts shafts(work, in);
  const double kinetic = e.kinetic + shafts.kinetic(), potential = e.potential + shafts.potential();
  out << kinetic, potential, kinetic + potential;
}
void momentum(ClosedWorkspace& work, const Input& in, const QuantityOptions&,
              Eigen::VectorXd& out) {
  const Momentum m = compute_momentum(work.tree(), in.state);
  Eigen::Index at = 0;
  put(out, at, m.angular);
  put(out, at, m.linear);
}
void centre_of_mass(ClosedWorkspace& work, const Input& in, const QuantityOptions&,
                    Eigen::VectorXd& out) {
  const CentreOfMass centre = compute_centre_of_mass(work.tree(), in.state);
  Eigen::Index at = 0;
  put(out, at, centre.position);
  put(out, at, centre.velocity);
  out[at] = centre.mass;
}
void put(Eigen::VectorXd& out, const std::vector<Force>& forces) {
  Eigen::Index at = 0;
  for (const Force& force : forces) {
    put(out, at, force.moment);
    put(out, at, force.force);
  }
}
void reactions(ClosedWorkspace& work, const Input& in, const QuantityOptions&,
               Eigen::VectorXd& out) {
  const System& system = work.system();
  std::vector<Force> forces(system.joints().size() + system.closures().size());
  if (!system.closures().empty())
    compute_reactions(work, in.state, all_efforts(work, in), in.forces, forces);
  else
    compute_reactions(work.tree(), in.state, in.a, in.forces, forces);
  put(out, forces);
}
void closure_force(ClosedWorkspace& work, const Input& in, const QuantityOptions&,
                   Eigen::VectorXd& out) {
  Eigen::VectorXd a(work.system().nv());
  compute_forward_dynamics(work, in.state, all_efforts(work, in), in.forces, a);
  std::vector<Force> forces(work.system().closures().size());
  closure_forces(work, forces);
  put(out, forces);
}
void contacts(ClosedWorkspace& work, const Input& in, const QuantityOptions&,
              Eigen::VectorXd& out) {
  const auto& grasps = work.system().model().grasps;
  std::vector<Quaternion> attitudes(grasps.size());
  compute_contact_attitudes(work, in.state.q, attitudes);
  Eigen::VectorXd a(work.system().nv());
  compute_forward_dynamics(work, in.state, in.tau, in.forces, a);
  std::vector<ContactForce> carried(grasps.size());
  contact_forces(work, carried);
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < grasps.size(); ++i) {
    const Quaternion& turn = attitudes[i];
    if (lets_turn(grasps[i])) {
      out[at++] = turn.w;
      put(out, at, Vector3{turn.x, turn.y, turn.z});
    }
    if (!is_one_sided(grasps[i])) continue;
    for (const double number :
         {carried[i].normal, carried[i].tangential, carried[i].moment, carried[i].margin})
      out[at++] = number;
  }
}
void closure(ClosedWorkspace& work, const Input& in, const QuantityOptions&, Eigen::VectorXd& out) {
  compute_closure_residual(work, in.state.q, out);
}

const std::vector<Quantity>& table() {
  using enum Variable;
  using enum Quantity::Frames;
  using enum Quantity::Coordinates;
  using namespace result_names;
  const std::vector<Variable> place{q}, state{q, v}, motion{q, v, a}, drive{q, v, tau},
      all{q, v, a, tau};
  const auto momenta =
      plain({"angular:x", "angular:y", "angular:z", "linear:x", "linear:y", "linear:z"});
  const auto centre = plain({"com:x", "com:y", "com:z", "com:vx", "com:vy", "com:vz", "mass"});
  const auto acceleration = plain({"alphax", "alphay", "alphaz", "ax", "ay", "az"});
  const auto energies = plain({"kinetic", "potential", "total"});
  static const std::vector<Quantity> entries{
      {"forward-kinematics", "pose, velocity and acceleration of frames", motion, false,
       all_unless_named, frames, forward_kinematics},
      {"inverse-dynamics", "the efforts that produce the accelerations a", motion, true, none,
       efforts, inverse_dynamics, selects},
      {"forward-dynamics", "the accelerations that the efforts tau produce, of elastic shafts too",
       drive, true, none, accelerations, forward_dynamics, selects},
      {"mass-matrix", "M(q)", place, false, none, square("M"), mass_matrix, reduces},
      {"mass-matrix-inverse", "the inverse of M(q)", place, false, none, square("Minv"),
       mass_matrix_inverse, reduces},
      {"bias", "C(q, v) v + g(q)", state, false, none, per_freedom("bias"), bias, reduces},
      {"gravity", "g(q): the efforts that hold it still", place, false, none,
       per_freedom("gravity"), gravity, reduces},
      {"coriolis", "C(q, v) v", state, false, none, per_freedom("coriolis"), coriolis, reduces},
      {"coriolis-matrix", "C(q, v)", state, false, none, square("C"), coriolis_matrix, reduces},
      {"coriolis-array", "[P*](q): C(q, v) is its product with v", place, false, none,
       result_names::coriolis_array, app::coriolis_array, reduces},
      {"influence", "coefficients of one --frame: G, H or D by --order 1, 2 or 3", place, false,
       one, result_names::influence, app::influence, reduces},
      {"derivatives", "of inverse and forward dynamics by q, v, a and tau, at --a or at --tau", all,
       true, none, squares({"dtau_dq", "dtau_dv", "dtau_da", "da_dq", "da_dv", "da_dtau"}),
       app::derivatives, reduces},
      {"jacobian", "velocity of one --frame per unit of v, [angular; linear]", place, false, one,
       result_names::jacobian, app::jacobian},
      {"jacobian-rate", "acceleration of one --frame while v is constant", state, false, one,
       acceleration, jacobian_rate},
      {"energy", "kinetic, potential and their sum", state, false, none, energies, energy},
      {"momentum", "about the centre of mass, in world axes", state, false, none, momenta,
       momentum},
      {"center-of-mass", "of all that moves: place, velocity, mass (or centre-of-mass)", state,
       false, none, centre, centre_of_mass},
      {"reactions", "what each joint passes on to its child, in the child's frame", motion, true,
       none, result_names::reactions, app::reactions, unused, drive},
      {"closure-forces", "what a applies to b through each closure, at b's closure frame", drive,
       true, none, result_names::closure_forces, closure_force},
      {"contacts", "attitude of hand and object at each grasp; with friction its force and margin",
       drive, true, none, result_names::contacts, app::contacts},
      {"closure", "how far each row of the closures is from closed, metres and radians", place,
       false, none, result_names::closure_rows, app::closure},
      {"joint-forces", "springs, damping, friction and loads at the joints, as efforts", state,
       false, none, result_names::joint_forces, app::joint_forces},
      {"voltages",
       "torque, current and voltage of every motor along a motion with j, s and c",
       {q, v, a, j, s, c},
       false,
       none,
       result_names::voltages,
       {}},  // VoltageRows: it remembers what limits rows exceed
      {"closing-joints", "coordinate and rate of every joint that closes a loop", state, false,
       none, result_names::closing_joints, app::closing_joints},
  };
  return entries;
}

}  // namespace

bool Quantity::uses(Variable variable) const {
  return std::find(depends_on.begin(), depends_on.end(), variable) != depends_on.end();
}

std::span<const Quantity> quantities() { return table(); }

const Quantity& find_quantity(std::string_view name) {
  if (name == "centre-of-mass") name = "center-of-mass";
  std::vector<std::string> known;
  for (const Quantity& quantity : table()) {
    if (quantity.name == name) return quantity;
    known.emplace_back(quantity.name);
  }
  throw Error(fmt::format("there is no quantity {}{}; known are {}", in_quotes(name),
                          did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace linkwright::app
