#include "linkwright/network/dynamics.hpp"

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "network/mechanics/room.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace mechanics {

ClosedRoom::ClosedRoom(const System& system, const Placement& placement)
    : work(system),
      equations(system, placement),
      solver(equations, work.dense().row_scale, work.dense().column_scale),
      closing_effort(Eigen::VectorXd::Zero(equations.L.rows())) {}

Room::Room(const System& system_, Loops loops)
    : system(system_),
      graph(make_system_graph(system)),
      placement(make_placement(system, graph)),
      recursion(placement),
      body_of_node(bodies_of_nodes(system, placement)),
      efforts(system.nv()) {
  if (loops == Loops::keep && !system.closures().empty())
    closed = std::make_unique<ClosedRoom>(system, placement);
  else
    open = std::make_unique<Workspace>(system, Closures::leave_out);
}

void find_joint_efforts(Room& room, const State& state, const ConstVectorRef& tau) {
  room.efforts = tau.head(room.system.nv());
  kernels().joint_forces(room.system.tree(), state.q.data(), state.v.data(), room.efforts.data());
}

void find_closing_efforts(Room& room, const State& state, const ConstVectorRef& tau) {
  ClosedRoom& closed = *room.closed;
  if (closed.closing_effort.size() == 0) return;
  closure::find_efforts(closed.work, state, tau);
  closed.closing_effort = Eigen::Map<const Eigen::VectorXd>(closed.work.loops().effort.data(),
                                                            closed.closing_effort.size());
  room.efforts.noalias() += closed.equations.L.transpose() * closed.closing_effort;
}

namespace {

[[noreturn]] void throw_not_resisted(const Room& room, int body) {
  throw Error(
      fmt::format("forward dynamics has no answer: nothing with inertia resists {}. Give the link "
                  "mass and inertia, add rotor inertia, or fix the joint",
                  room.system.describe_node(room.placement.origins[at(body)].node)),
      Error::Kind::failed_computation);
}

/// P of all joints, column by column through (40) and (41), rotors of closing joints included; and what is left
/// of the efforts at v̇ = 0.
void find_full(Room& room, const State& state) {
  ClosedRoom& c = *room.closed;
  const Eigen::Index nv = room.system.nv();
  c.P.resize(nv, nv), c.rest.resize(nv), c.column.resize(nv);
  c.unit.setZero(nv);
  room.recursion.compute_efforts(room.placement, state.v, c.unit, c.rest);
  for (Eigen::Index i = 0; i < nv; ++i) {
    c.unit[i] = 1;
    room.recursion.compute_efforts(room.placement, state.v, c.unit, c.column);
    c.P.col(i) = c.column - c.rest;
    c.unit[i] = 0;
  }
  c.right = room.efforts - c.rest;
  for (std::size_t r = 0; r < c.equations.rotors.size(); ++r) {
    const int freedom = c.equations.rotors[r];
    const double inertia = c.equations.rotor[r];
    for (Eigen::Index i = 0; i < nv; ++i)
      c.P.col(i) += inertia * c.equations.L(freedom, i) * c.equations.L.row(freedom).transpose();
    c.right -= inertia * c.equations.closing_bias[freedom] * c.equations.L.row(freedom).transpose();
  }
}

/// All that stands before the accelerations: placement, efforts, loops, equivalents. False where the open tree has no
/// answer and the closed one must be solved in full; throws Error where there is no closed one.
bool prepare(Room& room, const State& state, const ConstVectorRef& tau, ExternalForces forces) {
  room.has_wrenches = room.has_rates = false;
  place(room.tree(), state, forces, room.placement);
  find_joint_efforts(room, state, tau);
  if (room.closed) {
    ClosedRoom& closed = *room.closed;
    closed.equations.update(closed.work.tree(), room.placement, state, room.recursion);
    find_closing_efforts(room, state, tau);
    closed.solver.find_rank(closed.equations);
    closed.report.rank = closed.solver.rank();
    closed.report.dropped = static_cast<int>(closed.equations.J.rows()) - closed.report.rank;
  }
  const int loose = room.recursion.factorize(room.placement);
  if (loose >= 0) {
    if (!room.closed) throw_not_resisted(room, loose);
    return false;
  }
  if (room.closed)
    room.closed->solver.find_columns(room.closed->equations, room.placement, room.recursion);
  return true;
}

/// Accelerations after prepare.
void accelerate(Room& room, const State& state, bool by_ports, VectorRef a) {
  if (by_ports) room.recursion.compute_accelerations(room.placement, state.v, room.efforts, a);
  room.has_rates = true;
  if (!room.closed) return;
  ClosedRoom& closed = *room.closed;
  closed.report.way = by_ports ? LoopReport::Way::ports : LoopReport::Way::full;
  if (by_ports) {
    closed.solver.close(closed.equations, room.placement, room.recursion, a);
  } else {
    find_full(room, state);
    closed.solver.close_in_full(closed.equations, closed.P, closed.right, a);
    room.recursion.compute_efforts(room.placement, state.v, a, closed.rest);  // for the rates at a
  }
  closed.report.violation = closed.solver.violation(closed.equations);
  for (std::size_t r = 0; r < closed.equations.rotors.size(); ++r) {
    const int freedom = closed.equations.rotors[r];
    closed.closing_effort[freedom] -=
        closed.equations.rotor[r] *
        (closed.equations.L.row(freedom).dot(a) + closed.equations.closing_bias[freedom]);
  }
  closed.has_forces = true;
}

}  // namespace
}  // namespace mechanics

NetworkWorkspace::NetworkWorkspace(const System& system, Loops loops)
    : room_(std::make_unique<mechanics::Room>(system, loops)) {}
NetworkWorkspace::~NetworkWorkspace() = default;
NetworkWorkspace::NetworkWorkspace(NetworkWorkspace&&) noexcept = default;
NetworkWorkspace& NetworkWorkspace::operator=(NetworkWorkspace&&) noexcept = default;

const System& NetworkWorkspace::system() const { return room_->system; }
const SystemGraph& NetworkWorkspace::graph() const { return room_->graph; }
const Placement& NetworkWorkspace::placement() const { return room_->placement; }
int NetworkWorkspace::rows() const {
  return room_->closed ? static_cast<int>(room_->closed->equations.J.rows()) : 0;
}

void compute_forward_dynamics(NetworkWorkspace& work, const State& state, const ConstVectorRef& tau,
                              ExternalForces forces, VectorRef a) {
  const System& system = work.system();
  if (work.room().closed)
    closure::check_efforts(system, tau);
  else
    door::check_efforts(system, tau);
  door::check_output(a.size(), system.nv(), "a");
  const bool by_ports = mechanics::prepare(work.room(), state, tau, forces);
  mechanics::accelerate(work.room(), state, by_ports, a);
}

double magnification(NetworkWorkspace& work) { return work.room().recursion.magnification(); }

LoopReport loop_report(NetworkWorkspace& work) {
  return work.room().closed ? work.room().closed->report : LoopReport{};
}

void compute_inverse_dynamics(NetworkWorkspace& work, const State& state, const ConstVectorRef& a,
                              ExternalForces forces, VectorRef tau) {
  mechanics::Room& room = work.room();
  const System& system = room.system;
  if (room.closed)
    throw Error(
        "inverse dynamics of a network with loops: how its motors share the work is not told by "
        "the "
        "motion. Use compute_inverse_dynamics of closure/dynamics.hpp with an Actuation, or leave "
        "the loops out with Loops::leave_out");
  door::check_velocity_like(system, a, "a");
  door::check_output(tau.size(), system.nv(), "tau");
  place(room.tree(), state, forces, room.placement);
  room.has_rates = false;
  room.efforts.setZero();
  kernels().joint_forces(system.tree(), state.q.data(), state.v.data(), room.efforts.data());
  room.recursion.compute_efforts(room.placement, state.v, a, tau);
  tau -= room.efforts;
  room.has_wrenches = room.has_rates = true;
}

Motion frame_acceleration(NetworkWorkspace& work, FrameId frame, Axes axes) {
  mechanics::Room& room = work.room();
  door::check_frame(room.system, frame);
  if (!room.has_rates)
    throw Error(
        "frame_acceleration reads what forward or inverse dynamics found, and nothing is there: "
        "call one of them on this workspace first, and nothing else in between");
  const FramePlace& place = room.system.frame(frame);
  const mechanics::Terminal terminal = mechanics::make_terminal(
      room.tree(), room.placement, room.body_of_node, place.node, place.pose.translation);
  const Vector3 v = mechanics::twist_at(room.placement, terminal).linear;
  const Motion rate = mechanics::twist_rate_at(room.placement, room.recursion, terminal, v);
  if (axes == Axes::world) return rate;
  const Matrix3 R = (room.tree().scratch().pose[at(place.node)] * place.pose).rotation;
  return {transpose_times(R, rate.angular), transpose_times(R, rate.linear)};
}

void joint_wrenches(NetworkWorkspace& work, std::span<Force> wrenches) {
  mechanics::Room& room = work.room();
  door::check_output(static_cast<Eigen::Index>(wrenches.size()),
                     static_cast<Eigen::Index>(room.placement.bodies.size()), "wrenches");
  if (!room.has_wrenches)
    throw Error(
        "joint_wrenches reads what compute_inverse_dynamics found, and nothing is there: call it "
        "on "
        "this workspace first, and nothing else in between");
  for (std::size_t j = 0; j < wrenches.size(); ++j)
    wrenches[j] = room.recursion.wrench(static_cast<int>(j));
}

void compute_loop_rows(NetworkWorkspace& work, const State& state, MatrixRef J, VectorRef bias) {
  mechanics::Room& room = work.room();
  door::check_output(J, work.rows(), room.system.nv(), "J");
  door::check_output(bias.size(), work.rows(), "bias");
  if (!room.closed) return;
  room.has_wrenches = room.has_rates = room.closed->has_forces = false;
  place(room.tree(), state, {}, room.placement);
  room.closed->equations.update(room.tree(), room.placement, state, room.recursion);
  J = room.closed->equations.J;
  bias = room.closed->equations.bias;
}

void closure_forces(NetworkWorkspace& work, std::span<Force> forces) {
  mechanics::Room& room = work.room();
  door::check_output(static_cast<Eigen::Index>(forces.size()),
                     static_cast<Eigen::Index>(room.system.closures().size()), "forces");
  if (!room.closed || !room.closed->has_forces)
    throw Error(
        "closure_forces reads what compute_forward_dynamics found with the loops kept, and nothing "
        "is there: call it on this workspace first, and nothing else in between");
  const mechanics::ClosedRoom& closed = *room.closed;
  const Eigen::VectorXd &lambda = closed.solver.lambda(), &effort = closed.closing_effort;
  const ScratchD& s = room.tree().scratch();
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const ClosurePlace& c = room.system.closures()[k];
    forces[k] = {};
    if (is_among_joints(c.kind)) {
      forces[k].moment.z = c.kind == PairKind::gear ? lambda[c.row] : effort[c.closing];
      continue;
    }
    closure::Meeting<double> m;
    m.X = closure::relative_pose(c, s.pose[at(c.node_a)], s.pose[at(c.node_b)]);
    for (int i = 0; i < c.rows; ++i) forces[k] += lambda[c.row + i] * closure::row_of(c, m, i).W;
    for (int i = 0; i < c.freedoms; ++i)
      forces[k] += effort[c.closing + i] * closure::closing_row(c, m, i).W;
  }
}

}  // namespace linkwright::network
