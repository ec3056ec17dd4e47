#include "simulate/integrators/cvode_integrator.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "dynamics/positions/group_step.hpp"

namespace linkwright {
namespace {

/// Up to here a dense Newton matrix is cheaper than Krylov iterations.
constexpr Eigen::Index most_dense_unknowns = 300;

}  // namespace

bool is_at_end(double t, double end) {
  return std::isfinite(end) && end - t <= 4 * std::numeric_limits<double>::epsilon() *
                                              std::max(std::abs(t), std::abs(end));
}

CvodeIntegrator::CvodeIntegrator(Rates& rates, const FullState& start, Method method,
                                 double relative, double absolute, double longest_step)
    : rates_(&rates) {
  const System& system = rates.system();
  at_ = start;
  a_ = Eigen::VectorXd::Zero(system.nv());
  extra_rates_ = Eigen::VectorXd::Zero(start.extra.size());
  y_ = dense_ = Eigen::VectorXd::Zero(system.nq() + system.nv() + start.extra.size());
  begin(start);
  SUNContext_Create(nullptr, &context_);
  vector_ = N_VMake_Serial(y_.size(), y_.data(), context_);
  dense_vector_ = N_VMake_Serial(y_.size(), dense_.data(), context_);
  memory_ = CVodeCreate(method == Method::bdf ? CV_BDF : CV_ADAMS, context_);
  check(CVodeSetErrHandlerFn(memory_, keep_message, this));
  check(CVodeInit(memory_, rates_of, t_, vector_));
  check(CVodeSetUserData(memory_, this));
  check(CVodeSStolerances(memory_, relative, absolute));
  check(CVodeSetMaxNumSteps(memory_, most_steps_between));
  if (std::isfinite(longest_step)) check(CVodeSetMaxStep(memory_, longest_step));
  choose_solver(method);
}

CvodeIntegrator::~CvodeIntegrator() {
  CVodeFree(&memory_);
  if (nonlinear_ != nullptr) SUNNonlinSolFree(nonlinear_);
  if (linear_ != nullptr) SUNLinSolFree(linear_);
  if (matrix_ != nullptr) SUNMatDestroy(matrix_);
  N_VDestroy(dense_vector_);
  N_VDestroy(vector_);
  SUNContext_Free(&context_);
}

void CvodeIntegrator::choose_solver(Method method) {
  if (method != Method::bdf) {
    nonlinear_ = SUNNonlinSol_FixedPoint(vector_, 0, context_);
    check(CVodeSetNonlinearSolver(memory_, nonlinear_));
  } else if (y_.size() <= most_dense_unknowns) {
    matrix_ = SUNDenseMatrix(y_.size(), y_.size(), context_);
    linear_ = SUNLinSol_Dense(vector_, matrix_, context_);
    check(CVodeSetLinearSolver(memory_, linear_, matrix_));
  } else {
    linear_ = SUNLinSol_SPGMR(vector_, SUN_PREC_NONE, 0, context_);
    check(CVodeSetLinearSolver(memory_, linear_, nullptr));
  }
}

void CvodeIntegrator::begin(const FullState& now) {
  t_ = now.state.t;
  y_ << now.state.q, now.state.v, now.extra;
}

void CvodeIntegrator::unpack(const double* y, double t, FullState& out) const {
  const System& system = rates_->system();
  const Eigen::Index nq = system.nq(), nv = system.nv();
  out.state.t = t;
  out.state.q = Eigen::Map<const Eigen::VectorXd>(y, nq);
  out.state.v = Eigen::Map<const Eigen::VectorXd>(y + nq, nv);
  out.extra = Eigen::Map<const Eigen::VectorXd>(y + nq + nv, out.extra.size());
  group::normalize(system, out.state.q.data());
}

/// 0 fine, positive: CVODE may try a shorter step, negative: give up.
int CvodeIntegrator::evaluate(double t, const double* y, double* y_rate) {
  if (!Eigen::Map<const Eigen::VectorXd>(y, y_.size()).allFinite()) return 1;
  const System& system = rates_->system();
  unpack(y, t, at_);
  if (!at_.state.q.allFinite() || !rates_->project(at_)) return 1;
  rates_->evaluate(at_, a_, extra_rates_);
  const Eigen::Index nq = system.nq(), nv = system.nv();
  group::compute_position_rate(system, y, at_.state.v.data(), y_rate);
  Eigen::Map<Eigen::VectorXd>(y_rate + nq, nv) = a_;
  Eigen::Map<Eigen::VectorXd>(y_rate + nq + nv, extra_rates_.size()) = extra_rates_;
  return Eigen::Map<const Eigen::VectorXd>(y_rate, y_.size()).allFinite() ? 0 : 1;
}

int CvodeIntegrator::rates_of(realtype t, N_Vector y, N_Vector y_rate, void* self) {
  auto* integrator = static_cast<CvodeIntegrator*>(self);
  try {
    return integrator->evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_rate));
  } catch (...) {  // must not travel through C; `check` throws it again on the other side
    integrator->trouble_ = std::current_exception();
    return -1;
  }
}

void CvodeIntegrator::keep_message(int code, const char* /*module*/, const char* /*function*/,
                                   char* message, void* self) {
  if (code < 0) static_cast<CvodeIntegrator*>(self)->message_ = message;
}

void CvodeIntegrator::check(int flag) const {
  // CVODE may take a failed call for a reason to try a shorter step; a user's mistake is none.
  if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
  if (flag >= 0) return;
  if (flag == CV_TOO_MUCH_ACC)
    throw Error(fmt::format("at t = {} s the tolerances ask for more digits than a double has; ask "
                            "for a relative tolerance of 1e-12 or more",
                            t_),
                Error::Kind::failed_computation);
  std::string advice = "loosen the tolerances, or look for a force that jumps";
  if (nonlinear_ != nullptr) advice = "a stiff system needs --method bdf; otherwise " + advice;
  throw Error(fmt::format("the integration stops at t = {} s: {} ({})", t_, message_, advice),
              Error::Kind::failed_computation);
}

void CvodeIntegrator::step(double end) {
  if (is_at_end(t_, end)) {
    t_ = end;
    restart();
    return;
  }
  const bool bounded = std::isfinite(end);
  check(CVodeSetStopTime(memory_, bounded ? end : std::numeric_limits<double>::max()));
  // The end only tells CVODE the direction and the scale of its first step.
  check(CVode(memory_, bounded ? end : t_ + 1, vector_, &t_, CV_ONE_STEP));
}

void CvodeIntegrator::go_to(double t, double end) {
  if (t <= t_) return;
  if (is_at_end(t_, t)) {
    t_ = t;
    restart();
    return;
  }
  check(CVodeSetStopTime(memory_, std::isfinite(end) ? end : std::numeric_limits<double>::max()));
  check(CVode(memory_, t, vector_, &t_, CV_NORMAL));
}

void CvodeIntegrator::interpolate(double t, FullState& out) {
  check(CVodeGetDky(memory_, t, 0, dense_vector_));
  unpack(dense_.data(), t, out);
  rates_->project(out);
}

void CvodeIntegrator::restart(const FullState& now) {
  begin(now);
  restart();
}

void CvodeIntegrator::restart() {
  rejected_before_ = rejected();
  check(CVodeReInit(memory_, t_, vector_));
}

long CvodeIntegrator::rejected() const {
  long tests = 0, convergence = 0;
  CVodeGetNumErrTestFails(memory_, &tests);
  CVodeGetNumNonlinSolvConvFails(memory_, &convergence);
  return rejected_before_ + tests + convergence;
}

}  // namespace linkwright
