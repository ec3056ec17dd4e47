#include "linkwright/verify/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "closure/rank/dense_loops.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "spatial/decompositions.hpp"
#include "verify/closed_formulations.hpp"

namespace linkwright::verify {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::chrono::steady_clock;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int timed_states = 64;
constexpr double seconds_to_time = 0.3, shortest_pass = 1e-4, longest_pass = 0.05;
constexpr int most_rounds = 101;

int depth(const System& system, int node) {
  int joints = 0;
  for (; node != 0; node = system.tree().nodes[static_cast<std::size_t>(node)].parent) ++joints;
  return joints;
}

/// Per freedom, the size of all that balances there: the effort, what it is without acceleration, what the
/// model declares, M a term by term, the reaction that the joint passes on, and M v² of its own. The last two
/// hold what cancels inside the bodies, for joints that pass something on and for those that do not.
VectorXd size_of_efforts(Workspace& work, const ForwardDynamicsProblem& x, const VectorXd& a,
                         const MatrixXd& M) {
  const System& system = work.system();
  VectorXd rest(system.nv()), own(system.nv());
  compute_inverse_dynamics(work, x.state, VectorXd::Zero(system.nv()), x.forces(), rest);
  compute_joint_forces(work, x.state, own);
  std::vector<Force> reactions(system.joints().size());
  compute_reactions(work, x.state, a, x.forces(), reactions);
  VectorXd size = x.tau.cwiseAbs() + rest.cwiseAbs() + own.cwiseAbs() + M.cwiseAbs() * a.cwiseAbs();
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    const JointPlace& joint = system.joints()[j];
    auto own_size = size.segment(joint.v, joint.nv);
    own_size.array() += to_eigen(reactions[j]).stableNorm();
    own_size += x.state.v.segment(joint.v, joint.nv).squaredNorm() *
                M.diagonal().segment(joint.v, joint.nv);
  }
  return size;
}

/// Motions that rows of closures allow, v = G v_independent, and which entries of v are independent.
struct AllowedMotions {
  MatrixXd G;
  std::vector<Eigen::Index> entries;
};
AllowedMotions allowed_motions(const MatrixXd& J) {
  constexpr double redundant = 1e-6;  // where rows that repeat others end, as everywhere
  const Eigen::Index n = J.cols();
  if (J.rows() == 0) return {MatrixXd::Identity(n, n), {}};
  Eigen::ColPivHouseholderQR<MatrixXd> qr(J);
  qr.setThreshold(redundant);
  const Eigen::Index rank = qr.rank(), left = n - rank;
  MatrixXd ordered(n, left);
  ordered.topRows(rank) = -qr.matrixR().topRightCorner(rank, left);
  if (left > 0)  // Eigen looks at the first column unasked
    qr.matrixR()
        .topLeftCorner(rank, rank)
        .triangularView<Eigen::Upper>()
        .solveInPlace(ordered.topRows(rank));
  ordered.bottomRows(left).setIdentity();
  AllowedMotions found{qr.colsPermutation() * ordered, {}};
  for (Eigen::Index i = rank; i < n; ++i)
    found.entries.push_back(qr.colsPermutation().indices()[i]);
  return found;
}

/// The largest of all, in every entry's own unit. Loops tie all forces together, and matrices that hold them
/// all round by the largest.
void share_largest(VectorXd& sizes, const VectorXd& to_common_unit) {
  if (sizes.size() == 0) return;
  const double largest = sizes.cwiseProduct(to_common_unit).maxCoeff();
  sizes = largest * to_common_unit.cwiseInverse();
}

[[noreturn]] void throw_out_of_range(const std::string& name, int number, const char* what) {
  throw Error(fmt::format("{} at state {}: {} is not finite; the model's numbers are too large, or "
                          "too different in size",
                          name, number, what),
              Error::Kind::failed_computation);
}

/// How a formulation is timed: over the first `states` problems, `repeats` times.
struct Pass {
  int states = 1, repeats = 1;
};

double seconds_for(const Formulation& formulation,
                   const std::vector<ForwardDynamicsProblem>& problems, Pass pass) {
  Accelerations out;
  const auto start = steady_clock::now();
  for (int i = 0; i < pass.repeats; ++i)
    for (int state = 0; state < pass.states; ++state)
      formulation.solve(problems[static_cast<std::size_t>(state)], out);
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

/// As many states and repeats as make a pass long enough for the clock and not too long.
Pass choose_pass(const Formulation& formulation,
                 const std::vector<ForwardDynamicsProblem>& problems) {
  const double once = std::max(seconds_for(formulation, problems, {}), 1e-9);
  const auto within = [](double most, double x) {
    return static_cast<int>(std::clamp(x, 1.0, most));
  };
  const int states = within(static_cast<double>(problems.size()), longest_pass / once);
  return {states, within(1e6, shortest_pass / once / states)};
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

FrameId deepest_frame(const System& system) {
  FrameId deepest{0};
  int most = 0;
  const int bodies = static_cast<int>(system.model().bodies.size());
  for (int i = 1; i <= bodies; ++i) {
    const int here = depth(system, system.frame(FrameId{i}).node);
    if (here < most) continue;
    most = here;
    deepest = {i};
  }
  return deepest;
}

Verification::Verification(const System& system, FrameId tip, RandomStates states,
                           std::vector<Formulation> formulations)
    : system_(system),
      tip_(tip),
      states_(states),
      work_(system, Closures::leave_out),
      operators_(system, Closures::leave_out),
      closed_(verify::is_closed(system, states.loops) ? std::make_unique<ClosedWorkspace>(system)
                                                      : nullptr),
      formulations_(std::move(formulations)) {}

ForwardDynamicsProblem Verification::problem(int number) {
  return closed_ ? make_closed_problem(*closed_, tip_, states_.seed, number)
                 : make_random_problem(system_, tip_, states_.seed, number);
}

NamedResult Verification::solve(const Formulation& formulation,
                                const ForwardDynamicsProblem& problem, int number) {
  Accelerations found;
  try {
    formulation.solve(problem, found);
  } catch (const Error& error) {
    throw Error(fmt::format("{} at state {}: {}", formulation.name, number, error.what()),
                error.kind());
  }
  if (!found.joints.allFinite()) throw_out_of_range(formulation.name, number, "the acceleration");
  if (found.tip.size() == 0) {
    compute_forward_kinematics(work_, problem.state, found.joints);
    found.tip = to_eigen(frame_acceleration(work_, tip_, Axes::own));
  }
  NamedResult result{
      formulation.name, std::move(found.joints), std::move(found.tip), {}, found.magnification};
  for (const ClosureGap& gap : found.gaps)
    result.gaps.emplace_back(gap.closure, std::max(gap.distance, gap.angle));
  return result;
}

/// The tip's acceleration is J a + J̇ v; angular and linear parts have sizes of their own.
ComparisonScale Verification::scale(const ForwardDynamicsProblem& problem, const NamedResult& first,
                                    int number) {
  const int n = system_.nv();
  ComparisonScale found;
  found.mass_matrix.resize(n, n);
  found.jacobian.resize(6, n);
  compute_mass_matrix(work_, problem.state.q, found.mass_matrix);
  compute_jacobian(work_, problem.state.q, tip_, Axes::own, found.jacobian);
  const VectorXd drift =
      to_eigen(compute_jacobian_rate_times_velocity(work_, problem.state, tip_, Axes::own));
  found.efforts = size_of_efforts(work_, problem, first.acceleration, found.mass_matrix);
  const VectorXd parts = found.jacobian.cwiseAbs() * first.acceleration.cwiseAbs() +
                         drift.cwiseAbs() + first.tip.cwiseAbs();
  found.tip.resize(6);
  found.tip.head<3>().setConstant(parts.head<3>().stableNorm());
  found.tip.tail<3>().setConstant(parts.tail<3>().stableNorm() + norm(system_.model().gravity));
  found.freedoms = system_.velocity_names();
  found.bound = allowance * system_.node_count() * epsilon;
  if (closed_) close(found, problem, first.acceleration);
  if (!found.efforts.allFinite() || !found.tip.allFinite())
    throw_out_of_range(first.name, number, "the size of the forces or their effect");
  return found;
}

/// Sizes of what makes up the accelerations: what the open tree would do, and what the force of each row
/// alone changes of that. The result itself where the open tree has no inertia of its own.
VectorXd Verification::parts_of_acceleration(const ForwardDynamicsProblem& problem,
                                             const MatrixXd& J, const VectorXd& forces,
                                             const VectorXd& a) {
  VectorXd sum(a.size()), column(a.size());
  try {
    compute_forward_dynamics(work_, problem.state, problem.tau, problem.forces(), sum);
    sum = sum.cwiseAbs();
    for (Eigen::Index i = 0; i < J.rows(); ++i) {
      compute_mass_matrix_solve(work_, problem.state.q, J.row(i).transpose(), column);
      sum += std::abs(forces[i]) * column.cwiseAbs();
    }
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::failed_computation) throw;
    return a.cwiseAbs();
  }
  return sum;
}

/// Restricts the efforts to the motions that the closures allow, where the closures' forces balance too, and
/// adds the closures' rows.
void Verification::close(ComparisonScale& found, const ForwardDynamicsProblem& problem,
                         const VectorXd& a) {
  const int n = system_.nv(), rows = closed_->rows();
  if (rows == 0) return;  // a free joint closes nothing
  const closure::DenseLoops& loops = closed_->dense();
  found.left_open = compute_worst_closure(*closed_, problem.state.q).gap();
  found.gap = std::max(1.0, loops.length * system_.node_count());
  MatrixXd& J = found.closures;
  J.resize(rows, n);
  VectorXd bias(rows), needed(n);
  compute_closure_jacobian(*closed_, problem.state.q, J);
  compute_closure_bias(*closed_, problem.state, bias);
  compute_inverse_dynamics(work_, problem.state, a, problem.forces(), needed);
  const MatrixXd columns = J.transpose();
  const VectorXd left = needed - problem.tau;
  const VectorXd forces = columns.completeOrthogonalDecomposition().solve(left);
  const VectorXd parts = parts_of_acceleration(problem, J, forces, a);
  // A loop of bodies that are carried along has small rows and large accelerations that cancel there.
  const double carried =
      parts.cwiseQuotient(loops.column_scale).maxCoeff() *
      (loops.row_scale.asDiagonal() * J * loops.column_scale.asDiagonal()).cwiseAbs().maxCoeff();
  found.closure_sizes =
      J.cwiseAbs() * parts + bias.cwiseAbs() + carried * loops.row_scale.cwiseInverse();
  share_largest(found.closure_sizes, loops.row_scale);
  for (const ClosurePlace& closure : system_.closures())
    for (int i = 0; i < closure.rows; ++i) found.closure_names.push_back(closure.name);

  const AllowedMotions allowed = allowed_motions(J);
  found.efforts += J.transpose().cwiseAbs() * forces.cwiseAbs();
  // A matrix of all motions mixes the fastest joint into the heaviest.
  const VectorXd& unit = loops.column_scale;
  const double heaviest = (unit.cwiseAbs2().cwiseProduct(found.mass_matrix.diagonal())).maxCoeff(),
               fastest = a.cwiseQuotient(unit).cwiseAbs().maxCoeff();
  found.efforts += heaviest * fastest * unit.cwiseInverse();
  share_largest(found.efforts, unit);
  found.efforts = allowed.G.transpose().cwiseAbs() * found.efforts;
  found.mass_matrix = allowed.G.transpose() * found.mass_matrix;
  found.freedoms.clear();
  for (const Eigen::Index entry : allowed.entries)
    found.freedoms.push_back(system_.velocity_names()[static_cast<std::size_t>(entry)]);
  found.tip += found.jacobian.cwiseAbs() * parts;
  share_largest(found.tip,
                VectorXd{{1, 1, 1, 1 / loops.length, 1 / loops.length, 1 / loops.length}});
  found.bound = rounding_bound(*closed_, problem.state.q);
  found.kept = loops.space.smallest_kept();
}

double rounding_bound(ClosedWorkspace& work, const ConstVectorRef& q) {
  closure::compute_row_space(work, q);
  const double magnified = std::max(1.0, Mobility::narrow / work.dense().space.smallest_kept());
  return Verification::allowance * (work.system().nv() + work.rows()) * epsilon * magnified *
         magnified;
}

double Verification::condition_at(const ForwardDynamicsProblem& problem) {
  if (!closed_) return estimate_spectrum(operators_, problem.state.q).condition();
  const int n = system_.nv();
  MatrixXd J(closed_->rows(), n), M(n, n);
  compute_closure_jacobian(*closed_, problem.state.q, J);
  compute_mass_matrix(work_, problem.state.q, M);
  const MatrixXd G = allowed_motions(J).G;
  if (G.cols() == 0) return 1;
  const MatrixXd N =
      Eigen::HouseholderQR<MatrixXd>(G).householderQ() * MatrixXd::Identity(n, G.cols());
  const MatrixXd reduced = N.transpose() * M * N;
  const VectorXd values =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(reduced, Eigen::EigenvaluesOnly).eigenvalues();
  return Spectrum{values[0], values[values.size() - 1]}.condition();
}

void Verification::compare_all() {
  for (int number = 1; number <= states_.count; ++number) {
    const ForwardDynamicsProblem here = problem(number);
    std::vector<NamedResult> results;
    for (const Formulation& formulation : formulations_)
      results.push_back(solve(formulation, here, number));
    compare(number, results, scale(here, results.front(), number), comparison_);
    condition_ = std::max(condition_, condition_at(here));
  }
}

void Verification::measure() {
  std::vector<ForwardDynamicsProblem> problems;
  for (int number = 1; number <= std::min(states_.count, timed_states); ++number)
    problems.push_back(problem(number));
  std::vector<Pass> passes;
  for (const Formulation& formulation : formulations_)
    passes.push_back(choose_pass(formulation, problems));
  // In turns, so that a disturbance of the machine meets all of them.
  std::vector<std::vector<double>> series(formulations_.size());
  const auto end = steady_clock::now() + std::chrono::duration<double>(seconds_to_time);
  for (int round = 0; round == 0 || (round < most_rounds && steady_clock::now() < end); ++round)
    for (std::size_t i = 0; i < formulations_.size(); ++i)
      series[i].push_back(1e9 * seconds_for(formulations_[i], problems, passes[i]) /
                          (passes[i].repeats * passes[i].states));
  ns_.clear();
  for (std::vector<double>& values : series) ns_.push_back(median(values));
}

}  // namespace linkwright::verify
