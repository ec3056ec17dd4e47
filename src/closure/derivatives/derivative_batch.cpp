#include "linkwright/closure/derivative_batch.hpp"

#include <limits>

#include "batch/arrays.hpp"
#include "batch/state_team.hpp"
#include "linkwright/closure/derivatives.hpp"

namespace linkwright {
namespace {

struct Own : BadStates {
  explicit Own(const System& system)
      : work(system), state(system), tau(Eigen::VectorXd::Zero(system.effort_count())) {}
  ClosedWorkspace work;
  State state;
  Eigen::VectorXd tau;
  std::vector<ExternalForce> forces;  // of the state under way
};

}  // namespace

struct ClosedDerivativeBatch::Engine {
  Engine(const System& of, int threads) : system(of), team(threads, of) {}
  const System& system;
  StateTeam<Own> team;
};

ClosedDerivativeBatch::ClosedDerivativeBatch(const System& system, BatchOptions options) {
  check_threads(options.threads);
  engine_ = std::make_unique<Engine>(system, options.threads);
}
ClosedDerivativeBatch::~ClosedDerivativeBatch() = default;
int ClosedDerivativeBatch::threads() const { return engine_->team.size(); }

BatchReport ClosedDerivativeBatch::compute_forward_dynamics_derivatives(const In& q, const In& v,
                                                                        const In& tau,
                                                                        const BatchForces& forces,
                                                                        Out da_dq, Out da_dv,
                                                                        Out da_dtau) {
  const System& system = engine_->system;
  const Eigen::Index nv = system.nv(), efforts = system.effort_count(), states = q.rows();
  check_rows(q, states, system.nq(), "q");
  check_rows(v, states, nv, "v");
  check_rows(tau, states, tau.cols() == nv ? nv : efforts, "tau");
  check_passive(system, tau);
  check_batch_forces(system, forces, states);
  door::check_output(da_dq, nv * nv, states, "da_dq");
  door::check_output(da_dv, nv * nv, states, "da_dv");
  door::check_output(da_dtau, nv * efforts, states, "da_dtau");
  const auto compute_state = [&](Own& own, int s) {
    own.state.q = q.row(s).transpose(), own.state.v = v.row(s).transpose();
    own.tau.setZero();
    own.tau.head(tau.cols()) = tau.row(s).transpose();
    Eigen::Map<Eigen::MatrixXd> by_q(da_dq.col(s).data(), nv, nv),
        by_v(da_dv.col(s).data(), nv, nv), by_tau(da_dtau.col(s).data(), nv, efforts);
    linkwright::compute_forward_dynamics_derivatives(
        own.work, own.state, own.tau, forces.on_state(s, own.forces), by_q, by_v, by_tau);
  };
  const auto refuse = [&](int s) {
    for (Out* out : {&da_dq, &da_dv, &da_dtau})
      out->col(s).setConstant(std::numeric_limits<double>::quiet_NaN());
  };
  return engine_->team.run(states, compute_state, refuse);
}

}  // namespace linkwright
