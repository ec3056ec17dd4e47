#include "linkwright/closure/closing_joints.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/rank/dense_loops.hpp"
#include "closure/rows.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/residual.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace closure {
namespace {

/// The whole turn that brings an angle nearest to what the tree's coordinates say.
double lifted(const ClosurePlace& c, const double* q, double angle) {
  if (c.turned_by.empty()) return angle;
  double told = c.turned_from;
  for (const TurnedBy& by : c.turned_by) told += by.sign * q[by.q];
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::nearbyint((told - angle) / turn);
}

/// Where a closing joint stands.
struct Standing {
  double q[6]{};
  double pose[7]{};  // [w x y z, px py pz] of a joint that carries a pose
};

Standing standing(const ClosurePlace& c, const Pose& X, const double* q) {
  Standing out;
  if (c.kind == PairKind::shaft) {
    out.q[0] = sum_of_terms(c, q);
    return out;
  }
  const Opening open = opening(c, X);
  std::copy(std::begin(open.q), std::end(open.q), std::begin(out.q));
  if (c.carries_pose()) {
    const Quaternion r = spatial::to_quaternion(open.joint.rotation);
    const Vector3 turn = spatial::log_rotation(r);
    const Vector3& p = open.joint.translation;
    const double pose[7]{r.w, r.x, r.y, r.z, p.x, p.y, p.z};
    const double numbers[6]{turn.x, turn.y, turn.z, p.x, p.y, p.z};
    std::copy(std::begin(pose), std::end(pose), std::begin(out.pose));
    std::copy(std::begin(numbers), std::end(numbers), std::begin(out.q));
  } else if (c.joint == JointType::planar && c.kind == PairKind::lower_pair) {
    const Vector3 turn = spatial::log_rotation(spatial::to_quaternion(open.joint.rotation));
    out.q[0] = dot(c.mode[0].linear, open.joint.translation);
    out.q[1] = dot(c.mode[1].linear, open.joint.translation);
    out.q[2] = lifted(c, q, dot(turn, c.axis));
  } else {
    out.q[0] = lifted(c, q, out.q[0]);
  }
  return out;
}

/// Efforts of what the model attaches to the joint, at rates L v.
void model_efforts(const ClosurePlace& c, const Pose& X, const double* q, const double* rates,
                   double* out) {
  for (int i = 0; i < c.freedoms; ++i) {
    const ClosingFreedom& f = c.freedom[i];
    out[i] += f.load - f.damping * rates[i] -
              spatial::dry_friction(rates[i], f.friction_forward, f.friction_backward);
  }
  if (c.has_springs) add_spring_efforts(c, X, q, out);
}

/// ½ φᵀ K φ + ½ pᵀ K p, or of plain coordinates with their rests.
double spring_energy(const ClosurePlace& c, const Pose& X, const double* q) {
  if (!c.has_springs) return 0;
  const Standing now = standing(c, X, q);
  double sum = 0;
  for (int i = 0; i < c.freedoms; ++i) {
    const ClosingFreedom& f = c.freedom[i];
    sum += (0.5 * f.stiffness * now.q[i] - f.pull) * now.q[i] + f.stored;
  }
  return sum;
}

Meeting<double> meeting_of(const ScratchD& s, const ClosurePlace& c) {
  const auto a = at(c.node_a), b = at(c.node_b);
  return meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
}

void rates_of(const ClosurePlace& c, const Meeting<double>& m, const double* v, double* rates) {
  if (c.kind == PairKind::shaft) return void(rates[0] = rate_of_terms(c, v));
  for (int i = 0; i < c.freedoms; ++i) rates[i] = dot(closing_row(c, m, i).W, m.V);
}

}  // namespace

void add_spring_efforts(const ClosurePlace& c, const Pose& X, const double* q, double* out) {
  const Standing now = standing(c, X, q);
  if (!c.carries_pose()) {
    for (int i = 0; i < c.freedoms; ++i)
      out[i] += c.freedom[i].pull - c.freedom[i].stiffness * now.q[i];
    return;
  }
  JointForces<double>::PoseSpring spring{0, 0, {}, c.joint == JointType::free};
  for (int i = 0; i < c.freedoms; ++i) spring.stiffness[i] = c.freedom[i].stiffness;
  sweeps::add_pose_spring(spring, nullptr, now.pose, out);
}

bool has_rotors(const System& system) {
  return std::any_of(system.closures().begin(), system.closures().end(),
                     [](const ClosurePlace& c) { return c.rotors > 0; });
}

void check_efforts(const System& system, const ConstVectorRef& tau) {
  if (tau.size() != system.nv() && tau.size() != system.effort_count())
    throw Error(fmt::format("tau has {} entries; expected {}, one per entry of v{}", tau.size(),
                            system.nv(),
                            system.closing_motors().empty()
                                ? std::string()
                                : fmt::format(", or {} with those of the closing joints' motors",
                                              system.effort_count())));
  door::check_efforts(system, tau.head(system.nv()));
  for (Eigen::Index i = system.nv(); i < tau.size(); ++i)
    if (!std::isfinite(tau[i]))
      throw Error(fmt::format("tau[{}] is {}; expected a finite number", i, tau[i]));
}

void find_efforts(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau) {
  const System& system = work.system();
  LoopScratch& loops = work.loops();
  loops.pushed = false;
  for (std::size_t i = 0; i < loops.added.size(); ++i) {
    loops.effort[i] = loops.added[i];
    loops.pushed = loops.pushed || loops.added[i] != 0;
  }
  for (Eigen::Index i = system.nv(); i < tau.size(); ++i) {
    const ClosingMotor& motor = system.closing_motors()[static_cast<std::size_t>(i - system.nv())];
    loops.effort[at(system.closures()[at(motor.closure)].closing + motor.freedom)] += tau[i];
    loops.pushed = loops.pushed || tau[i] != 0;
  }
  const ScratchD& s = work.tree().scratch();
  for (const ClosurePlace& c : system.closures()) {
    if (!c.acts) continue;
    const Meeting<double> m = meeting_of(s, c);
    double rates[6];
    rates_of(c, m, state.v.data(), rates);
    model_efforts(c, m.X, state.q.data(), rates, loops.effort.data() + c.closing);
    loops.pushed = true;
  }
}

namespace {

/// R of every closing freedom.
Eigen::VectorXd rotors_of(const System& system) {
  Eigen::VectorXd R(static_cast<Eigen::Index>(system.closing_names().size()));
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.freedoms; ++i) R[c.closing + i] = c.freedom[i].rotor;
  return R;
}

Eigen::MatrixXd closing_jacobian(ClosedWorkspace& work, const ConstVectorRef& q) {
  Eigen::MatrixXd L(static_cast<Eigen::Index>(work.system().closing_names().size()),
                    work.system().nv());
  compute_closing_jacobian(work, q, L);
  return L;
}

}  // namespace

void compute_whole_mass_matrix(ClosedWorkspace& work, const ConstVectorRef& q, MatrixRef M) {
  if (!has_rotors(work.system())) return compute_mass_matrix(work.tree(), q, M);
  const Eigen::MatrixXd L = closing_jacobian(work, q);
  compute_mass_matrix(work.tree(), q, M);
  M.noalias() += L.transpose() * rotors_of(work.system()).asDiagonal() * L;
}

void add_rotor_bias(ClosedWorkspace& work, const State& state, VectorRef bias) {
  if (!has_rotors(work.system())) return;
  Eigen::VectorXd drift(static_cast<Eigen::Index>(work.system().closing_names().size()));
  compute_closing_bias(work, state, drift);
  bias +=
      closing_jacobian(work, state.q).transpose() * rotors_of(work.system()).cwiseProduct(drift);
}

void add_rotor_forces(ClosedWorkspace& work, const State& state, const ConstVectorRef& a) {
  if (!has_rotors(work.system())) return;
  Eigen::VectorXd force(static_cast<Eigen::Index>(work.system().closing_names().size()));
  compute_closing_bias(work, state, force);
  force += closing_jacobian(work, state.q) * a;
  force.array() *= -rotors_of(work.system()).array();
  for (Eigen::Index i = 0; i < force.size(); ++i)
    work.loops().effort[static_cast<std::size_t>(i)] += force[i];
}

void add_closing_forces(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                        VectorRef right) {
  const System& system = work.system();
  if (system.closing_names().empty()) return;
  compute_forward_kinematics(work.tree(), state, Eigen::VectorXd::Zero(system.nv()));
  find_efforts(work, state, tau);
  if (work.loops().pushed)
    right += closing_jacobian(work, state.q).transpose() *
             Eigen::Map<const Eigen::VectorXd>(
                 work.loops().effort.data(), static_cast<Eigen::Index>(work.loops().effort.size()));
  Eigen::VectorXd bias = Eigen::VectorXd::Zero(system.nv());
  add_rotor_bias(work, state, bias);
  right -= bias;
}

void subtract_closing_forces(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                             VectorRef needed) {
  const System& system = work.system();
  if (system.closing_names().empty()) return;
  Eigen::VectorXd given = Eigen::VectorXd::Zero(system.nv());
  add_closing_forces(work, state, Eigen::VectorXd::Zero(system.nv()), given);
  if (has_rotors(system)) {
    const Eigen::MatrixXd L = closing_jacobian(work, state.q);
    given -= L.transpose() * rotors_of(system).cwiseProduct(L * a);
  }
  needed -= given;
}

}  // namespace closure

namespace {

void check_size(const System& system, const VectorRef& out, const char* name) {
  door::check_output(out.size(), static_cast<Eigen::Index>(system.closing_names().size()), name);
}

void place_all(ClosedWorkspace& work, const State& state) {
  door::check_state(work.system(), state);
  ScratchD& s = work.tree().scratch();
  kernels().place(work.system().tree(), s, state.q.data());
  kernels().poses(work.system().tree(), s);
  kernels().velocities(work.system().tree(), s, state.v.data());
}

}  // namespace

void compute_closing_coordinates(ClosedWorkspace& work, const ConstVectorRef& q,
                                 VectorRef coordinates) {
  const System& system = work.system();
  check_size(system, coordinates, "coordinates");
  compute_worst_closure(work, q);  // places all bodies
  const ScratchD& s = work.tree().scratch();
  for (const ClosurePlace& c : system.closures()) {
    if (c.freedoms == 0) continue;
    const Pose X = closure::relative_pose(c, s.pose[static_cast<std::size_t>(c.node_a)],
                                          s.pose[static_cast<std::size_t>(c.node_b)]);
    const closure::Standing now = closure::standing(c, X, q.data());
    for (int i = 0; i < c.freedoms; ++i) coordinates[c.closing + i] = now.q[i];
  }
}

void compute_closing_rates(ClosedWorkspace& work, const State& state, VectorRef rates) {
  const System& system = work.system();
  check_size(system, rates, "rates");
  place_all(work, state);
  for (const ClosurePlace& c : system.closures())
    if (c.freedoms > 0)
      closure::rates_of(c, closure::meeting_of(work.tree().scratch(), c), state.v.data(),
                        rates.data() + c.closing);
}

void compute_closing_forces(ClosedWorkspace& work, const State& state, VectorRef efforts) {
  check_size(work.system(), efforts, "efforts");
  place_all(work, state);
  closure::find_efforts(work, state, Eigen::VectorXd::Zero(work.system().nv()));
  std::copy(work.loops().effort.begin(), work.loops().effort.end(), efforts.data());
}

Energy compute_energy(ClosedWorkspace& work, const State& state) {
  Energy energy = compute_energy(work.tree(), state);
  const ScratchD& s = work.tree().scratch();
  for (const ClosurePlace& c : work.system().closures()) {
    if (c.freedoms == 0 || (c.rotors == 0 && !c.has_springs)) continue;
    const closure::Meeting<double> m = closure::meeting_of(s, c);
    double rates[6];
    closure::rates_of(c, m, state.v.data(), rates);
    for (int i = 0; i < c.freedoms; ++i)
      energy.kinetic += 0.5 * c.freedom[i].rotor * rates[i] * rates[i];
    energy.potential += closure::spring_energy(c, m.X, state.q.data());
  }
  return energy;
}

}  // namespace linkwright
