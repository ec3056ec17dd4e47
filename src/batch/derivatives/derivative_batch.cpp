#include "batch/derivatives/derivative_batch.hpp"

#include "batch/arrays.hpp"
#include "batch/members.hpp"
#include "batch/thread_team.hpp"
#include "dynamics/instruction_set.hpp"
#include "linkwright/batch/derivatives.hpp"

namespace linkwright {

struct DerivativeBatch::Engine {
  Engine(const System& s, int threads) : system(s), team(threads) {
    for (int i = 0; i < threads; ++i)
      scratch.push_back(std::make_unique<DerivativeBatchScratch>(s.tree()));
  }

  const System& system;
  ThreadTeam team;
  std::vector<std::unique_ptr<DerivativeBatchScratch>> scratch;  // one per thread
  BatchLoads<double> loads;
  std::vector<int> bad;
  // The call under way.
  DerivativeJob job;
  DerivativeBatchKernel kernel = nullptr;

  static const DerivativeBatchKernels& kernels() {
    return LINKWRIGHT_CHOOSE_TABLE(derivative_batch);
  }
  static void run_member(void* self, int member) {
    Engine& engine = *static_cast<Engine*>(self);
    const MemberRows rows =
        rows_of_member(engine.job.count, BatchPack<double>::size, member, engine.team.size());
    engine.kernel(engine.system.tree(), *engine.scratch[static_cast<std::size_t>(member)],
                  engine.job, rows.first, rows.last);
  }

  /// Everything but the squares.
  void begin(const In& q, const In& v, const In& x, const char* x_name, const BatchForces& forces) {
    check_rows(q, q.rows(), system.nq(), "q");
    check_rows(v, q.rows(), system.nv(), "v");
    check_rows(x, q.rows(), system.nv(), x_name);
    take_forces(system, forces, q.rows(), loads);
    job = {};
    job.count = static_cast<int>(q.rows());
    job.q = input<double>(q), job.v = input<double>(v), job.x = input<double>(x);
  }
  Rows<double> square(Out& m, const char* name) const {
    const Eigen::Index size = Eigen::Index{system.nv()} * system.nv();
    if (m.rows() != size || m.cols() != job.count)
      throw Error(
          fmt::format("{} is {}x{}; expected {}x{}: one column per state (q has one row for each), "
                      "one row per entry of its {}x{} matrix",
                      name, m.rows(), m.cols(), size, job.count, system.nv(), system.nv()));
    return output<double>(m);
  }
  BatchReport run(DerivativeBatchKernel what) {
    kernel = what;
    job.loads = &loads;
    make_room_for_bad(scratch, job.count, bad);
    if (job.count > 0) team.run(run_member, this);
    collect_bad(scratch, bad);
    return {bad};
  }
};

DerivativeBatch::DerivativeBatch(const System& system, BatchOptions options) {
  check_threads(options.threads);
  require_open(system, options.closures, "BatchOptions with .closures = Closures::leave_out");
  engine_ = std::make_unique<Engine>(system, options.threads);
}
DerivativeBatch::~DerivativeBatch() = default;
const System& DerivativeBatch::system() const { return engine_->system; }
int DerivativeBatch::threads() const { return engine_->team.size(); }

BatchReport DerivativeBatch::compute_inverse_dynamics_derivatives(const In& q, const In& v,
                                                                  const In& a,
                                                                  const BatchForces& forces,
                                                                  Out dtau_dq, Out dtau_dv) {
  engine_->begin(q, v, a, "a", forces);
  engine_->job.out = engine_->square(dtau_dq, "dtau_dq");
  engine_->job.out_v = engine_->square(dtau_dv, "dtau_dv");
  return engine_->run(Engine::kernels().inverse_dynamics);
}

BatchReport DerivativeBatch::compute_forward_dynamics_derivatives(const In& q, const In& v,
                                                                  const In& tau,
                                                                  const BatchForces& forces,
                                                                  Out da_dq, Out da_dv,
                                                                  Out da_dtau) {
  engine_->begin(q, v, tau, "tau", forces);
  check_passive(engine_->system, tau);
  engine_->job.out = engine_->square(da_dq, "da_dq");
  engine_->job.out_v = engine_->square(da_dv, "da_dv");
  engine_->job.out_x = engine_->square(da_dtau, "da_dtau");
  return engine_->run(Engine::kernels().forward_dynamics);
}

}  // namespace linkwright
