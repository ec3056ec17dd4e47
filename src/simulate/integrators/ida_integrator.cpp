/// BDF of variable step and order in descriptor form (SUNDIALS IDA).
/// Given    E(x) ẋ − f(t, x, u) as a residual, consistent values at the start
/// Computes x with local errors within the tolerances: of what has a rate. What has none (forces of loops, voltages and
///          currents between stores) follows from it at every step, and is not tested: in an index 2 form its errors
///          are those of the others over the step.
///          The Newton matrix ∂(E ẋ − f)/∂x + c E comes from differences by the root of the rounding.
/// Cost     a residual and a bit per iteration, as many residuals as unknowns per Newton matrix; dense

#include "simulate/integrators/ida_integrator.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

namespace linkwright {
namespace {

/// Its matrices are dense.
constexpr Eigen::Index most_unknowns = 1000;
/// Newton's method is judged by forces of loops not at all: they tremble by rounding over the step, and what they are
/// worth shows in velocities. By what else has no rate it is judged more loosely, since much of it is what is left of
/// sums that cancel; but left to itself its errors would grow from one extrapolation to the next.
constexpr double no_tolerance = 1e30, looser_algebraic = 1e3;
/// Of the largest position or speed: what rounding leaves in others that loops tie to it.
constexpr double least_of_loops = 1e-12;
const double slope_step = std::sqrt(std::numeric_limits<double>::epsilon());

std::unique_ptr<DescriptorForm> form_of(Rates& rates) {
  std::unique_ptr<DescriptorForm> form = rates.equations().make_descriptor_form();
  if (form->size() > most_unknowns)
    throw Error(
        fmt::format("the method 'ida' solves dense systems of up to {} unknowns, and this "
                    "one has {} (of which {} are states); take 'bdf' or 'adams'",
                    most_unknowns, form->size(), form->state_count()));
  return form;
}

N_Vector wrap(Eigen::VectorXd& x, SUNContext context) {
  return N_VMake_Serial(x.size(), x.data(), context);
}

}  // namespace

IdaIntegrator::IdaIntegrator(Rates& rates, const FullState& start, double relative, double absolute,
                             double longest_step)
    : rates_(&rates), form_(form_of(rates)), at_(start) {
  const Eigen::Index n = form_->size(), states = form_->state_count();
  x_ = rate_ = dense_ = at_x_ = at_rate_ = base_ = has_rate_ = Eigen::VectorXd::Zero(n);
  has_rate_.head(states).setOnes();
  // IDA's norms are means over all n.
  const double part = std::sqrt(static_cast<double>(states) / static_cast<double>(n));
  relative_ = part * relative, absolute_ = part * absolute;
  tolerance_ = Eigen::VectorXd::Constant(n, absolute_);
  begin(start);
  SUNContext_Create(nullptr, &context_);
  vector_ = wrap(x_, context_), rate_vector_ = wrap(rate_, context_);
  dense_vector_ = wrap(dense_, context_), tolerance_vector_ = wrap(tolerance_, context_);
  id_vector_ = wrap(has_rate_, context_);
  memory_ = IDACreate(context_);
  check(IDASetErrHandlerFn(memory_, keep_message, this));
  check(IDAInit(memory_, residual_of, t_, vector_, rate_vector_));
  check(IDASetUserData(memory_, this));
  set_tolerances();
  check(IDASetMaxNumSteps(memory_, most_steps_between));
  if (std::isfinite(longest_step)) check(IDASetMaxStep(memory_, longest_step));
  matrix_ = SUNDenseMatrix(n, n, context_);
  linear_ = SUNLinSol_Dense(vector_, matrix_, context_);
  check(IDASetLinearSolver(memory_, linear_, matrix_));
  check(IDASetJacFn(memory_, jacobian_of));
  // It would take parts of the corrections of what has no rate, which do not depend on the step's length.
  check(IDASetLinearSolutionScaling(memory_, SUNFALSE));
  if (states < n) {
    check(IDASetId(memory_, id_vector_));
    check(IDASetSuppressAlg(memory_, 1));
  }
}

IdaIntegrator::~IdaIntegrator() {
  IDAFree(&memory_);
  SUNLinSolFree(linear_);
  SUNMatDestroy(matrix_);
  for (N_Vector vector : {vector_, rate_vector_, dense_vector_, tolerance_vector_, id_vector_})
    N_VDestroy(vector);
  SUNContext_Free(&context_);
}

void IdaIntegrator::set_tolerances() {
  const auto largest = [](const auto& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; };
  tolerance_.setConstant(looser_algebraic * absolute_);
  tolerance_.head(form_->state_count()).setConstant(absolute_);
  tolerance_.segment(form_->state_count(), form_->multiplier_count()).setConstant(no_tolerance);
  if (form_->index() > 1) {
    const Eigen::Index nq = at_.state.q.size(), nv = at_.state.v.size();
    tolerance_.head(nq).setConstant(std::max(absolute_, least_of_loops * largest(at_.state.q)));
    tolerance_.segment(nq, nv).setConstant(
        std::max(absolute_, least_of_loops * largest(at_.state.v)));
  }
  check(IDASVtolerances(memory_, relative_, tolerance_vector_));
}

/// From a state on its constraints: the rest is consistent with it.
void IdaIntegrator::begin(const FullState& now) {
  t_ = now.state.t;
  at_ = now;
  rates_->compute_input(at_);
  form_->compute_start(at_, rates_->input(), rates_->forces(), x_, rate_);
}

/// 0 fine, positive: IDA may try a shorter step, negative: give up.
int IdaIntegrator::evaluate(double t, const double* x, const double* rate, double* residual) {
  const Eigen::Index n = form_->size();
  const Eigen::Map<const Eigen::VectorXd> at(x, n), moving(rate, n);
  Eigen::Map<Eigen::VectorXd> out(residual, n);
  if (!at.allFinite() || !moving.allFinite()) return 1;
  form_->read(t, at, at_);
  if (!at_.state.q.allFinite()) return 1;
  if (form_->projects() && !rates_->project(at_)) return 1;
  rates_->compute_residual(*form_, at_, at, moving, out);
  return out.allFinite() ? 0 : 1;
}

int IdaIntegrator::residual_of(realtype t, N_Vector x, N_Vector rate, N_Vector residual,
                               void* self) {
  auto* integrator = static_cast<IdaIntegrator*>(self);
  try {
    return integrator->evaluate(t, N_VGetArrayPointer(x), N_VGetArrayPointer(rate),
                                N_VGetArrayPointer(residual));
  } catch (...) {  // must not travel through C; `check` throws it again on the other side
    integrator->trouble_ = std::current_exception();
    return -1;
  }
}

/// Column by column: x and ẋ move together as they do in a step, ẋ by c times as much.
int IdaIntegrator::differentiate(double t, double c, const double* x, const double* rate,
                                 double** columns) {
  const Eigen::Index n = form_->size();
  at_x_ = Eigen::Map<const Eigen::VectorXd>(x, n);
  at_rate_ = Eigen::Map<const Eigen::VectorXd>(rate, n);
  if (const int failed = evaluate(t, at_x_.data(), at_rate_.data(), base_.data())) return failed;
  for (Eigen::Index j = 0; j < n; ++j) {
    const double was = at_x_[j], was_rate = at_rate_[j];
    at_x_[j] = was + slope_step * std::max(std::abs(was), 1.0);
    const double step = at_x_[j] - was;
    at_rate_[j] = was_rate + c * step;
    if (const int failed = evaluate(t, at_x_.data(), at_rate_.data(), columns[j])) return failed;
    Eigen::Map<Eigen::VectorXd> column(columns[j], n);
    column = (column - base_) / step;
    at_x_[j] = was, at_rate_[j] = was_rate;
  }
  return 0;
}

int IdaIntegrator::jacobian_of(realtype t, realtype c, N_Vector x, N_Vector rate,
                               N_Vector /*residual*/, SUNMatrix jacobian, void* self, N_Vector,
                               N_Vector, N_Vector) {
  auto* integrator = static_cast<IdaIntegrator*>(self);
  try {
    return integrator->differentiate(t, c, N_VGetArrayPointer(x), N_VGetArrayPointer(rate),
                                     SUNDenseMatrix_Cols(jacobian));
  } catch (...) {
    integrator->trouble_ = std::current_exception();
    return -1;
  }
}

void IdaIntegrator::keep_message(int code, const char* /*module*/, const char* /*function*/,
                                 char* message, void* self) {
  if (code < 0) static_cast<IdaIntegrator*>(self)->message_ = message;
}

void IdaIntegrator::check(int flag) const {
  if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
  if (flag >= 0) return;
  if (flag == IDA_TOO_MUCH_ACC)
    throw Error(fmt::format("at t = {} s the tolerances ask for more digits than a double has; ask "
                            "for a relative tolerance of 1e-12 or more",
                            t_),
                Error::Kind::failed_computation);
  throw Error(fmt::format("the integration in descriptor form stops at t = {} s: {} (loosen the "
                          "tolerances, or look for a force that jumps)",
                          t_, message_),
              Error::Kind::failed_computation);
}

void IdaIntegrator::step(double end) {
  if (is_at_end(t_, end)) {
    t_ = end;
    restart();
    return;
  }
  const bool bounded = std::isfinite(end);
  check(IDASetStopTime(memory_, bounded ? end : std::numeric_limits<double>::max()));
  // The end only tells IDA the direction and the scale of its first step.
  solve(bounded ? end : t_ + 1, IDA_ONE_STEP);
}

/// Of redundant closures the rows that were independent where it began may come to depend on each other, and speeds may
/// have grown: a new beginning sees to both.
void IdaIntegrator::solve(double goal, int task) {
  int flag = IDASolve(memory_, goal, &t_, vector_, rate_vector_, task);
  while (flag < 0 && !trouble_ && form_->index() > 1 && t_ > begun_again_at_) {
    begun_again_at_ = t_;
    restart();
    flag = IDASolve(memory_, goal, &t_, vector_, rate_vector_, task);
  }
  check(flag);
}

void IdaIntegrator::go_to(double t, double end) {
  if (t <= t_) return;
  if (is_at_end(t_, t)) {
    t_ = t;
    restart();
    return;
  }
  check(IDASetStopTime(memory_, std::isfinite(end) ? end : std::numeric_limits<double>::max()));
  solve(t, IDA_NORMAL);
}

void IdaIntegrator::interpolate(double t, FullState& out) {
  check(IDAGetDky(memory_, t, 0, dense_vector_));
  form_->read(t, dense_, out);
  rates_->project(out);
}

void IdaIntegrator::restart(const FullState& now) {
  begin(now);
  rejected_before_ = rejected();
  check(IDAReInit(memory_, t_, vector_, rate_vector_));
  set_tolerances();
}

/// From where it is.
void IdaIntegrator::restart() {
  read(at_);
  rates_->project(at_);
  const FullState now = at_;
  restart(now);
}

long IdaIntegrator::rejected() const {
  long tests = 0, convergence = 0;
  IDAGetNumErrTestFails(memory_, &tests);
  IDAGetNumNonlinSolvConvFails(memory_, &convergence);
  return rejected_before_ + tests + convergence;
}

}  // namespace linkwright
