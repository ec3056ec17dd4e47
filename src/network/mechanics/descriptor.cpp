#include "linkwright/network/descriptor.hpp"

#include "closure/closing_efforts.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "network/mechanics/room.hpp"

namespace linkwright::network {

void compute_residual(NetworkWorkspace& work, const State& state, const ConstVectorRef& tau,
                      ExternalForces forces, const ConstVectorRef& a, const ConstVectorRef& lambda,
                      VectorRef residual) {
  mechanics::Room& room = work.room();
  if (room.closed)
    closure::check_efforts(room.system, tau);
  else
    door::check_efforts(room.system, tau);
  door::check_velocity_like(room.system, a, "a");
  door::check_output(lambda.size(), work.rows(), "lambda");
  door::check_output(residual.size(), room.system.nv(), "residual");
  room.has_wrenches = room.has_rates = false;
  place(room.tree(), state, forces, room.placement);
  mechanics::find_joint_efforts(room, state, tau);
  if (room.closed) {
    room.closed->has_forces = false;
    room.closed->equations.update(room.tree(), room.placement, state, room.recursion);
    mechanics::find_closing_efforts(room, state, tau);
  }
  room.recursion.compute_efforts(room.placement, state.v, a, residual);
  residual -= room.efforts;
  if (!room.closed) return;
  const mechanics::LoopEquations& loops = room.closed->equations;
  residual.noalias() -= loops.J.transpose() * lambda;
  for (std::size_t r = 0; r < loops.rotors.size(); ++r) {
    const auto L = loops.L.row(loops.rotors[r]);
    residual += loops.rotor[r] * (L.dot(a) + loops.closing_bias[loops.rotors[r]]) * L.transpose();
  }
}

const Eigen::MatrixXd& loop_rows(NetworkWorkspace& work) {
  if (!work.room().closed) throw Error("loop_rows: this network has no loops, or leaves them out");
  return work.room().closed->equations.J;
}

void compute_loop_gaps(NetworkWorkspace& work, const ConstVectorRef& q, VectorRef gaps) {
  door::check_output(gaps.size(), work.rows(), "gaps");
  if (work.room().closed) compute_closure_residual(work.room().closed->work, q, gaps);
}

void find_independent_rows(NetworkWorkspace& work, std::span<char> kept) {
  door::check_output(static_cast<Eigen::Index>(kept.size()), work.rows(), "kept");
  if (!work.room().closed) return;
  mechanics::LoopSolver& solver = work.room().closed->solver;
  solver.find_rank(work.room().closed->equations);
  std::copy(solver.kept().begin(), solver.kept().end(), kept.begin());
}

}  // namespace linkwright::network
