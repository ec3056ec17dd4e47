#include "linkwright/actuation/voltages.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "actuation/effort_rates.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::actuation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
/// Singular values below this part of the largest are rounding.
constexpr double rank_threshold = 1e-10;
/// What the motors may miss of what a motion needs, as part of it.
constexpr double miss = 1e-9;
/// What a jerk may miss the closures by, as part of it: the digits of a file.
constexpr double jerk_miss = 1e-6;

}  // namespace

/// The equations that one state and its motion give.
struct NominalVoltages::Sweep {
  explicit Sweep(const System& system, Index motors)
      : efforts(system),
        lambda(VectorXd::Zero(efforts.closure_jerk.size())),
        closing(VectorXd::Zero(static_cast<Index>(system.closing_names().size()))),
        S(motors, system.nv()),
        J(lambda.size(), system.nv()) {}

  /// Motions that the closures allow.
  void find_motions() {
    if (J.rows() == 0) {
      N = MatrixXd::Identity(S.cols(), S.cols());
      return;
    }
    const Eigen::JacobiSVD<MatrixXd> svd(J, Eigen::ComputeFullV);
    const VectorXd& values = svd.singularValues();
    const Index rank = (values.array() > rank_threshold * std::max(values[0], 1e-300)).count();
    N = svd.matrixV().rightCols(J.cols() - rank);
  }

  EffortRates efforts;
  VectorXd lambda, closing;
  MatrixXd S, J, N;
  VectorXd torque, torque_rate;
};

NominalVoltages::NominalVoltages(const System& system) : drives_(system), work_(system) {
  if (drives_.list().empty())
    throw Error(
        "this model has no motors to find voltages for; give it `actuators` with a `motor`");
  bool electrical = false;
  for (const Drive& d : drives_.list()) {
    if (d.is_elastic)
      throw Error(system.model().actuators[d.actuator].source,
                  fmt::format("motor {} sits behind an elastic gear: its voltage along a motion "
                              "depends on a fourth derivative, which is not asked for. Take the "
                              "gear as rigid (remove `elastic`)",
                              in_quotes(d.name)));
    electrical = electrical || d.k != 0;
    needs_jerk_ = needs_jerk_ || (d.k != 0 && d.motor.La > 0);
  }
  if (!electrical) throw Error("no motor of this model has an electrical side; give one Ra and k");
  sweep_ = std::make_unique<Sweep>(system, drives_.count());
}

NominalVoltages::~NominalVoltages() = default;

void NominalVoltages::solve_torques(const State& state, MotorDemand& out) {
  const System& system = work_.system();
  Sweep& s = *sweep_;
  const MatrixXd B = s.N.transpose() * s.S.transpose();
  const VectorXd needed = s.N.transpose() * s.efforts.value;
  const Eigen::JacobiSVD<MatrixXd> svd(B, Eigen::ComputeFullU | Eigen::ComputeThinV);
  const VectorXd& values = svd.singularValues();
  const double least = rank_threshold * (values.size() > 0 ? values[0] : 0);
  const Index rank = (values.array() > least).count();
  for (Index i = rank; i < B.rows(); ++i) {
    const VectorXd motion = s.N * svd.matrixU().col(i);
    const double missing = svd.matrixU().col(i).dot(needed);
    if (std::abs(missing) <= miss * std::max(1.0, needed.norm())) continue;
    Index most = 0;
    motion.cwiseAbs().maxCoeff(&most);
    throw Error(
        fmt::format("the motors cannot give this motion at t = {:g} s: nothing drives the "
                    "freedom in which joint {} moves most, and it would need {:.3g} there",
                    state.t, in_quotes(system.velocity_names()[static_cast<std::size_t>(most)]),
                    missing),
        Error::Kind::failed_computation);
  }
  const bool shared = rank < B.cols();
  if (shared && needs_jerk_ && (s.J.rows() > 0 || drives_.follows_closing_joints()))
    throw Error(fmt::format(
        "{} motors share {} freedoms of a closed mechanism: the rates of their torques are not "
        "determined by the motion, and motors with an inductance need them. Leave motors out, or "
        "their La",
        B.cols(), rank));
  const auto solve = [&](const VectorXd& right) -> VectorXd {
    const VectorXd seen = svd.matrixU().leftCols(rank).transpose() * right;
    return svd.matrixV().leftCols(rank) * seen.cwiseQuotient(values.head(rank));
  };
  out.torque = solve(needed);
  if (!needs_jerk_) return;
  // What the closures carry beside the motors, and the same once more with it.
  const VectorXd rest = s.efforts.value - s.S.transpose() * out.torque;
  if (s.J.rows() > 0) s.lambda = s.J.transpose().completeOrthogonalDecomposition().solve(rest);
  for (const Drive& d : drives_.list()) {
    const double torque = out.torque[&d - drives_.list().data()];
    if (d.closing >= 0) s.closing[d.closing] += d.gear * torque;
  }
}

void NominalVoltages::compute(const State& state, const ConstVectorRef& a,
                              const ConstVectorRef& jerk, MotorDemand& out) {
  const System& system = work_.system();
  door::check_state(system, state);
  door::check_output(a.size(), system.nv(), "a");
  door::check_output(jerk.size(), system.nv(), "jerk");
  Sweep& s = *sweep_;
  const EffortRates::Motion motion{state, a, jerk};
  s.lambda.setZero(), s.closing.setZero();
  s.efforts.compute(work_, motion, s.lambda, s.closing);
  drives_.compute_shaft_map(work_, state.q, s.S);
  if (s.J.rows() > 0) compute_closure_jacobian(work_, state.q, s.J);
  s.find_motions();
  solve_torques(state, out);
  out.speed = s.S * state.v;
  if (needs_jerk_) {
    require_closed_jerk(system, state, jerk);
    const bool moves_rows = s.J.rows() > 0 || drives_.follows_closing_joints();
    if (moves_rows) s.efforts.compute(work_, motion, s.lambda, s.closing);
    const MatrixXd B = s.N.transpose() * s.S.transpose();
    out.torque_rate = B.completeOrthogonalDecomposition().solve(s.N.transpose() * s.efforts.rate);
  }
  write_electrical(out);
}

void NominalVoltages::require_closed_jerk(const System& system, const State& state,
                                          const ConstVectorRef& jerk) const {
  const VectorXd& opens = sweep_->efforts.closure_jerk;
  if (opens.size() == 0) return;
  Index row = 0;
  const double worst = opens.cwiseAbs().maxCoeff(&row);
  if (worst <= jerk_miss * (1 + jerk.norm() + state.v.squaredNorm())) return;
  for (const ClosurePlace& c : system.closures())
    if (row >= c.row && row < c.row + c.rows)
      throw Error(
          fmt::format("the jerk at t = {:g} s does not keep closure {}: it would open it by "
                      "{:.3g} m/s³ or rad/s³. complete_jerk finds that of the other joints "
                      "from independent ones",
                      state.t, in_quotes(c.name), worst));
}

void NominalVoltages::compute(const State& state, const ConstVectorRef& a, MotorDemand& out) {
  for (const Drive& d : drives_.list())
    if (d.k != 0 && d.motor.La > 0)
      throw Error(
          fmt::format("motor {} has an inductance of {:g} H: its voltage depends on the rate "
                      "of its torque, and so on the jerk, which is not given",
                      in_quotes(d.name), d.motor.La));
  compute(state, a, VectorXd::Zero(a.size()), out);
}

void NominalVoltages::write_electrical(MotorDemand& out) const {
  for (Index i = 0; i < drives_.count(); ++i) {
    const Drive& d = drives_.list()[static_cast<std::size_t>(i)];
    if (d.k == 0) {
      out.current[i] = out.voltage[i] = nothing;
      continue;
    }
    out.current[i] = out.torque[i] / d.k;
    out.voltage[i] = d.motor.Ra * out.current[i] + d.k * out.speed[i];
    if (d.motor.La > 0) out.voltage[i] += d.motor.La * out.torque_rate[i] / d.k;
  }
}

void complete_jerk(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
                   std::span<const int> entries, VectorRef jerk) {
  const System& system = work.system();
  const Index nv = system.nv(), freedoms = static_cast<Index>(entries.size());
  door::check_output(jerk.size(), nv, "jerk");
  if (work.rows() == 0) return;
  MatrixXd G(nv, freedoms), J(work.rows(), nv);
  VectorXd g(nv), own(freedoms), start(freedoms);
  compute_coordinate_map(work, state, entries, G, g);
  EffortRates efforts(system);
  const VectorXd none = VectorXd::Zero(nv);
  efforts.compute(work, {state, a, none}, VectorXd::Zero(work.rows()),
                  VectorXd::Zero(static_cast<Index>(system.closing_names().size())));
  compute_closure_jacobian(work, state.q, J);
  const VectorXd any = J.completeOrthogonalDecomposition().solve(-efforts.closure_jerk);
  for (Index i = 0; i < freedoms; ++i) {
    own[i] = jerk[entries[static_cast<std::size_t>(i)]];
    start[i] = any[entries[static_cast<std::size_t>(i)]];
  }
  jerk = any + G * (own - start);
}

void compute_actuation_map(ClosedWorkspace& work, const Drives& drives, const State& state,
                           std::span<const int> entries, MatrixRef map) {
  const auto freedoms = static_cast<Index>(entries.size());
  const int nv = work.system().nv();
  door::check_output(map, freedoms, drives.count(), "map");
  MatrixXd S(drives.count(), nv), G(nv, freedoms);
  VectorXd g(nv);
  drives.compute_shaft_map(work, state.q, S);
  compute_coordinate_map(work, state, entries, G, g);
  map = (S * G).transpose();
}

}  // namespace linkwright::actuation
