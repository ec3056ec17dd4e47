#include "linkwright/closure/batch.hpp"

#include <algorithm>

#include "batch/arrays.hpp"
#include "batch/thread_team.hpp"
#include "closure/batch/closed_kernels.hpp"
#include "dynamics/door.hpp"
#include "dynamics/instruction_set.hpp"

namespace linkwright {

namespace closure {

ClosedBatchScratch::ClosedBatchScratch(const BatchPlan& plan)
    : sweep(plan.system.tree()), one_q(static_cast<std::size_t>(plan.system.nq())) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const System& system = plan.system;
  const int columns = std::max(system.effort_count(), 3);
  tile = tile_groups(system.nq() + system.nv() + 2 * columns);
  q.resize(size(tile * system.nq())), v.resize(size(tile * system.nv()));
  x.resize(size(tile * columns)), y.resize(size(tile * columns));
  force.resize(size(6 * plan.longest_path));
  u.resize(size(plan.u_size)), weighted.resize(size(plan.u_size));
  omega.resize(size(plan.omega_size));
  inverse_pivot.resize(size(plan.lambda_size));
  lambda.resize(size(std::max(plan.lambda_size, system.nv())));
  j.resize(size(plan.inverse.j_size));
  A.resize(size(plan.inverse.elimination.places));
  unknown.resize(size(plan.inverse.elimination.size));
  for (const Leg<double>& leg : plan.on.legs) leg_rows.emplace_back(leg.rows, leg.freedoms);
}

namespace {
const ClosedBatchKernels& closed_batch_kernels() { return LINKWRIGHT_CHOOSE_TABLE(closed_batch); }
}  // namespace

}  // namespace closure

using closure::BatchPlan, closure::ClosedBatchScratch, closure::ClosedJob, closure::States;

struct ClosedBatch::Engine {
  Engine(const System& system, const ConstVectorRef& reference, const ClosedBatchOptions& options)
      : work(system), plan(work, reference, options.motors), team(options.threads) {
    for (int i = 0; i < options.threads; ++i)
      scratch.push_back(std::make_unique<ClosedBatchScratch>(plan));
  }

  ClosedWorkspace work;  // the plan reads its paths and blocks
  BatchPlan plan;
  ThreadTeam team;
  std::vector<std::unique_ptr<ClosedBatchScratch>> scratch;  // one per thread
  BatchLoads<double> loads;
  std::vector<int> bad;
  // The call under way.
  ClosedJob job;
  closure::ClosedKernel kernel = nullptr;

  static void run_member(void* self, int member) {
    Engine& engine = *static_cast<Engine*>(self);
    const MemberRows rows =
        rows_of_member(engine.job.count, States::size, member, engine.team.size());
    engine.kernel(engine.plan, *engine.scratch[static_cast<std::size_t>(member)], engine.job,
                  rows.first, rows.last);
  }

  BatchReport run(closure::ClosedKernel what) {
    kernel = what;
    job.loads = &loads;
    make_room_for_bad(scratch, job.count, bad);
    if (job.count > 0) team.run(run_member, this);
    collect_bad(scratch, bad);
    return {bad};
  }

  /// Whether the motors of closing joints have columns too.
  template <class Matrix>
  void check_effort_columns(const Matrix& tau, Eigen::Index states) const {
    const System& system = plan.system;
    const bool all = tau.cols() == system.effort_count();
    check_rows(tau, states, all ? system.effort_count() : system.nv(), "tau");
  }
};

ClosedBatch::ClosedBatch(const System& system, const ConstVectorRef& reference,
                         const ClosedBatchOptions& options) {
  check_threads(options.threads);
  engine_ = std::make_unique<Engine>(system, reference, options);
  const std::string& refusal = engine_->plan.inverse.refusal;
  if (!options.motors.empty() && !refusal.empty()) throw Error(refusal);
}
ClosedBatch::~ClosedBatch() = default;
const System& ClosedBatch::system() const { return engine_->plan.system; }
int ClosedBatch::threads() const { return engine_->team.size(); }
int ClosedBatch::rank() const { return engine_->plan.rank; }
int ClosedBatch::mobility() const { return engine_->plan.mobility; }

BatchReport ClosedBatch::compute_forward_dynamics(const In& q, const In& v, const In& tau,
                                                  const BatchForces& forces, Out a) {
  const int nq = system().nq(), nv = system().nv();
  check_rows(q, q.rows(), nq, "q");
  check_rows(v, q.rows(), nv, "v");
  engine_->check_effort_columns(tau, q.rows());
  check_passive(system(), tau);
  check_rows(a, q.rows(), nv, "a");
  take_forces(system(), forces, q.rows(), engine_->loads);
  engine_->job = {{.count = static_cast<int>(q.rows()),
                   .q = input<double>(q),
                   .v = input<double>(v),
                   .x = input<double>(tau),
                   .out = output<double>(a)},
                  static_cast<int>(tau.cols()),
                  nv};
  return engine_->run(closure::closed_batch_kernels().forward_dynamics);
}

BatchReport ClosedBatch::compute_inverse_dynamics(const In& q, const In& v, const In& a,
                                                  const BatchForces& forces, Out tau) {
  const int nq = system().nq(), nv = system().nv();
  const closure::InversePlan& inverse = engine_->plan.inverse;
  if (!inverse.refusal.empty()) throw Error(inverse.refusal);
  check_rows(q, q.rows(), nq, "q");
  check_rows(v, q.rows(), nv, "v");
  check_rows(a, q.rows(), nv, "a");
  if (!inverse.joint_motors.empty())
    check_rows(tau, q.rows(), system().effort_count(), "tau");
  else
    engine_->check_effort_columns(tau, q.rows());
  take_forces(system(), forces, q.rows(), engine_->loads);
  engine_->job = {{.count = static_cast<int>(q.rows()),
                   .q = input<double>(q),
                   .v = input<double>(v),
                   .x = input<double>(a),
                   .out = output<double>(tau)},
                  nv,
                  static_cast<int>(tau.cols())};
  return engine_->run(closure::closed_batch_kernels().inverse_dynamics);
}

BatchReport ClosedBatch::compute_residual(const In& q, const In& v, Out residual) {
  check_rows(q, q.rows(), system().nq(), "q");
  check_rows(v, q.rows(), system().nv(), "v");
  check_rows(residual, q.rows(), 3, "residual");
  engine_->loads.clear();
  engine_->job = {{.count = static_cast<int>(q.rows()),
                   .q = input<double>(q),
                   .v = input<double>(v),
                   .out = output<double>(residual)},
                  0,
                  3};
  return engine_->run(closure::closed_batch_kernels().residual);
}

}  // namespace linkwright
