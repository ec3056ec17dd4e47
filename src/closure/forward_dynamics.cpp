#include "closure/forward_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "closure/closing_efforts.hpp"
#include "closure/closure_kernels.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright {

namespace closure {
const ClosureKernels& closure_kernels() { return LINKWRIGHT_CHOOSE_TABLE(closure_kernels); }
}  // namespace closure

namespace {

using closure::DenseLoops;

/// Poses and velocities where closures have their frames. Where something acts on a closing joint they come from
/// the sweeps that the other ways use: dry friction asks for the sign of a rate, which at rest is rounding.
void place_loops(ClosedWorkspace& work, const State& state) {
  const System& system = work.system();
  auto& s = work.tree().scratch();
  const bool acts = std::any_of(system.closures().begin(), system.closures().end(),
                                [](const ClosurePlace& c) { return c.acts; });
  if (!acts)
    return closure::closure_kernels().place_loops(system.tree(), s, work.loops(), state.v.data());
  kernels().poses(system.tree(), s);
  kernels().velocities(system.tree(), s, state.v.data());
}

/// The filter's own sweep carries the closures' forces along.
void by_recursion(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                  VectorRef a) {
  const System& system = work.system();
  auto& s = work.tree().scratch();
  const closure::ClosureKernels& sweeps = closure::closure_kernels();
  closure::LoopScratch& loops = work.loops();
  // On legs alone nothing but motors acts at the closing joints.
  if (loops.stand != nullptr) closure::find_efforts(work, state, tau);
  if (loops.stand == nullptr || loops.pushed ||
      !sweeps.close_stand(system.tree(), s, loops, state.v.data())) {
    place_loops(work, state);
    if (loops.stand == nullptr) closure::find_efforts(work, state, tau);
    sweeps.close(system.tree(), s, system.closures(), loops);
  }
  kernels().forward_dynamics_smoother(system.tree(), s, a.data());
  DenseLoops& d = work.dense();
  const int dropped = work.loops().never_counting + work.loops().dropped;
  d.report = {ClosedMethod::recursion, work.rows() - dropped, dropped, 0};
  d.has_lambda = false;
}

/// tau + joint_forces + Σ Jᵀ f − bias, in d.bias.
void compute_right_side(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                        ExternalForces forces) {
  DenseLoops& d = work.dense();
  d.make_room();
  d.particular.setZero();
  compute_inverse_dynamics(work.tree(), state, d.particular, forces, d.effort);
  d.bias = tau.head(work.system().nv()) - d.effort;
  closure::add_closing_forces(work, state, tau, d.bias);
}

/// λ from what the accelerations leave: Jᵀ λ = M a − right side.
void find_lambda(DenseLoops& d, const ConstVectorRef& a) {
  d.particular.noalias() = d.M.lazyProduct(a);
  d.particular -= d.bias;
  closure::solve_forces(d, d.particular, d.lambda);
  d.has_lambda = true;
}

/// Names the freedoms that take part in a motion along which Nᵀ M N vanishes.
[[noreturn]] void throw_without_mass(const System& system, const DenseLoops& d) {
  const auto N = d.N.leftCols(d.mobility);
  const Eigen::MatrixXd reduced = N.transpose() * d.M * N;
  const Eigen::VectorXd weightless =
      N * Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(reduced).eigenvectors().col(0);
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < weightless.size(); ++i)
    if (std::abs(weightless[i]) > 1e-6 * weightless.cwiseAbs().maxCoeff())
      names.push_back(system.velocity_names()[static_cast<std::size_t>(i)]);
  throw Error(
      fmt::format("forward dynamics has no answer: {} can move, and no mass at all moves with {}. "
                  "Give the links that take part mass or rotor inertia, or fix {}",
                  list_in_quotes(names), names.size() > 1 ? "them" : "it",
                  names.size() > 1 ? "one of them" : "it"),
      Error::Kind::failed_computation);
}

/// a = N y + a_p: a_p the shortest acceleration that obeys the closures, y from Nᵀ M N.
void by_independent(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                    ExternalForces forces, VectorRef a) {
  DenseLoops& d = work.dense();
  compute_right_side(work, state, tau, forces);
  closure::compute_whole_mass_matrix(work, state.q, d.M);
  compute_closure_bias(work, state, d.lambda);
  closure::compute_row_space(work, state.q);
  d.lambda = -d.lambda;
  closure::solve_rows(d, d.lambda, a);
  const auto N = d.N.leftCols(d.mobility);
  auto MN = d.MN.leftCols(d.mobility);
  const double rounding =
      8 * std::numeric_limits<double>::epsilon() * static_cast<double>(d.mobility);
  auto reduced = d.reduced.topLeftCorner(d.mobility, d.mobility);
  auto y = d.coefficients.head(d.mobility);
  MN = d.M.lazyProduct(N);
  reduced = N.transpose().lazyProduct(MN);
  d.particular = d.bias - d.M.lazyProduct(a);
  y = N.transpose().lazyProduct(d.particular);
  const Eigen::VectorXd whole = reduced.diagonal();
  Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(reduced);
  // What elimination leaves of an entry may be its rounding alone.
  if (cholesky.info() != Eigen::Success ||
      (reduced.diagonal().array().square() <= rounding * whole.array()).any())
    throw_without_mass(work.system(), d);
  cholesky.solveInPlace(y);
  a += N.lazyProduct(y);
  d.report = {ClosedMethod::independent, d.space.rank(), work.rows() - d.space.rank(), 0};
  d.rows = d.J.lazyProduct(a) - d.lambda;
  d.report.violation = d.rows.size() == 0 ? 0 : d.rows.cwiseAbs().maxCoeff();
  find_lambda(d, a);
}

/// [M Jᵀ; J 0] [a; −λ] = [right side; −J̇ v], scaled, with as many combinations of the rows as count. What they count is
/// decided where it is for all ways.
void by_dense(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
              ExternalForces forces, VectorRef a) {
  DenseLoops& d = work.dense();
  compute_right_side(work, state, tau, forces);
  closure::compute_whole_mass_matrix(work, state.q, d.M);
  compute_closure_bias(work, state, d.lambda);
  closure::compute_row_space(work, state.q);
  const Eigen::Index n = work.system().nv(), r = d.space.rank();
  Eigen::MatrixXd counting(work.rows(), r);
  d.space.row_basis(counting);
  const double heaviest = (d.column_scale.array().square() * d.M.diagonal().array()).maxCoeff();
  const double unit = std::sqrt(heaviest > 0 ? heaviest : 1);
  const Eigen::VectorXd scale = d.column_scale / unit;
  const Eigen::MatrixXd to_rows = unit * (d.row_scale.asDiagonal() * counting);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + r, n + r);
  K.topLeftCorner(n, n) = scale.asDiagonal() * d.M * scale.asDiagonal();
  K.bottomLeftCorner(r, n) = to_rows.transpose() * d.J * scale.asDiagonal();
  K.topRightCorner(n, r) = K.bottomLeftCorner(r, n).transpose();
  Eigen::VectorXd right(n + r);
  right << scale.cwiseProduct(d.bias), -to_rows.transpose() * d.lambda;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(1e-12);
  solver.compute(K);
  Eigen::VectorXd x = solver.solve(right);
  const Eigen::VectorXd left = right - K * x;
  x += solver.solve(left);
  a = scale.cwiseProduct(x.head(n));
  d.rows = d.J * a + d.lambda;
  d.report = {ClosedMethod::dense, static_cast<int>(r), static_cast<int>(work.rows() - r),
              work.rows() == 0 ? 0 : d.rows.cwiseAbs().maxCoeff()};
  d.lambda = -to_rows * x.tail(r);
  d.has_lambda = true;
}

/// Whether dropped rows demand more than rounding, seen against all rows.
bool is_contradicted(const closure::LoopScratch& loops) {
  if (loops.dropped == 0) return false;
  double most = 0;
  for (const closure::Rows& row : loops.right)
    for (int i = 0; i < closure::effort_lane; ++i) most = std::max(most, std::abs(row.x[i]));
  return loops.conflict > 1e-7 * most;
}

void by_method(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
               ExternalForces forces, VectorRef a, ClosedMethod method) {
  const System& system = work.system();
  if (method == ClosedMethod::dense) return by_dense(work, state, tau, forces, a);
  if (method == ClosedMethod::independent) return by_independent(work, state, tau, forces, a);
  auto& s = work.tree().scratch();
  const AppliedForces applied{system, forces};
  // A closed system may do without inertia that its open tree would need.
  const bool resisted =
      kernels().forward_dynamics_filter(system.tree(), s, state.q.data(), state.v.data(),
                                        tau.data(), work.tree().spare().data(), to_loads(applied));
  check_springs(system, s);
  if (!resisted && method == ClosedMethod::automatic && !system.closures().empty())
    return by_independent(work, state, tau, forces, a);
  if (!resisted) door::check_articulated(system, s);
  by_recursion(work, state, tau, a);
  if (method == ClosedMethod::automatic && is_contradicted(work.loops()))
    by_independent(work, state, tau, forces, a);
}

}  // namespace

void compute_forward_dynamics(ClosedWorkspace& work, const State& state, const ConstVectorRef& tau,
                              ExternalForces forces, VectorRef a, ClosedMethod method) {
  const System& system = work.system();
  door::check_state(system, state);
  closure::check_efforts(system, tau);
  door::check_output(a.size(), system.nv(), "a");
  check_forces(system, forces);
  closure::compute_accelerations(work, state, tau, forces, a, method);
}

void closure::compute_accelerations(ClosedWorkspace& work, const State& state,
                                    const ConstVectorRef& tau, ExternalForces forces, VectorRef a,
                                    ClosedMethod method) {
  by_method(work, state, tau, forces, a, method);
  if (work.dense().has_lambda) closure::add_rotor_forces(work, state, a);
  work.dense().q = state.q;
  work.dense().placements = work.tree().scratch().stamp.placements();
}

ClosedReport closed_report(const ClosedWorkspace& work) { return work.dense().report; }

}  // namespace linkwright
