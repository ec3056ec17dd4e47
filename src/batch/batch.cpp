#include "linkwright/batch/batch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "batch/arrays.hpp"
#include "batch/batch_kernels.hpp"
#include "batch/convert_tree.hpp"
#include "batch/members.hpp"
#include "batch/thread_team.hpp"
#include "dynamics/door.hpp"
#include "dynamics/instruction_set.hpp"

namespace linkwright {

template <>
const BatchKernels<double>& batch_kernels() {
  return LINKWRIGHT_CHOOSE_TABLE(batch_double);
}
template <>
const BatchKernels<float>& batch_kernels() {
  return LINKWRIGHT_CHOOSE_TABLE(batch_float);
}

namespace {
/// As many as the second cache holds with ease, at most sixteen: each of the user's columns then
/// takes a thousand bytes in a row.
int mass_tile_groups(std::size_t entries) {
  constexpr std::size_t cache = std::size_t{512} * 1024, most = 16;
  return static_cast<int>(std::clamp(cache / (64 * (entries + 1)), std::size_t{1}, most));
}
}  // namespace

template <class B>
MassLayout mass_layout(const Tree<B>& tree) {
  const auto nv = static_cast<std::size_t>(tree.nv);
  MassLayout layout;
  std::vector<bool> zero(nv * nv, true);
  for (int k = tree.count() - 1; k >= 1; --k) {
    const Node<B>& n = tree.nodes[static_cast<std::size_t>(k)];
    for (int i = 0; i < n.d; ++i)
      for (int c = n.freedom + i; c < n.end; ++c) {
        const int row = tree.velocity_of[static_cast<std::size_t>(c)], column = n.v + i;
        layout.entries.push_back({row, column});
        zero[static_cast<std::size_t>(row + column * tree.nv)] = false;
        zero[static_cast<std::size_t>(column + row * tree.nv)] = false;
      }
  }
  for (std::size_t i = 0; i < zero.size(); ++i)
    if (zero[i]) layout.zeros.push_back(static_cast<int>(i));
  return layout;
}

template <class B>
BatchScratch<B>::BatchScratch(const Tree<B>& tree)
    : sweep(tree),
      tile(tile_groups(tree.nq + 3 * tree.nv)),
      v(static_cast<std::size_t>(tile * tree.nv)),
      x(v.size()),
      y(v.size()),
      results(static_cast<std::size_t>(std::max(6 * tree.nv, 12))),
      layout(mass_layout(tree)),
      mass_tile(mass_tile_groups(layout.entries.size())),
      mass(layout.entries.size() * static_cast<std::size_t>(mass_tile)),
      zeros(static_cast<std::size_t>(mass_tile), P(B(0))) {
  q.resize(static_cast<std::size_t>(std::max(tile, mass_tile) * tree.nq));
}

template <class B>
struct BasicBatch<B>::Engine {
  Engine(const System& s, int threads)
      : system(s), tree(TreeConverter<B>::tree(s.tree())), team(threads) {
    for (int i = 0; i < threads; ++i) scratch.push_back(std::make_unique<BatchScratch<B>>(tree));
  }

  const System& system;
  Tree<B> tree;
  ThreadTeam team;
  std::vector<std::unique_ptr<BatchScratch<B>>> scratch;  // one per thread
  BatchLoads<B> loads;
  std::vector<int> bad;
  // The call under way.
  BatchJob<B> job;
  BatchKernel<B> kernel = nullptr;

  static void run_member(void* self, int member) {
    Engine& engine = *static_cast<Engine*>(self);
    const MemberRows rows =
        rows_of_member(engine.job.count, BatchPack<B>::size, member, engine.team.size());
    BatchScratch<B>& own = *engine.scratch[static_cast<std::size_t>(member)];
    engine.kernel(engine.tree, own, engine.job, rows.first, rows.last);
  }

  BatchReport run(BatchKernel<B> what) {
    kernel = what;
    job.loads = &loads;
    make_room_for_bad(scratch, job.count, bad);
    if (job.count > 0) team.run(run_member, this);
    collect_bad(scratch, bad);
    return {bad};
  }
};

template <class B>
BasicBatch<B>::BasicBatch(const System& system, BatchOptions options) {
  check_threads(options.threads);
  require_open(
      system, options.closures,
      "ClosedBatch (closure/batch.hpp) takes many states of such a system. BatchOptions with "
      ".closures = Closures::leave_out");
  engine_ = std::make_unique<Engine>(system, options.threads);
}
template <class B>
BasicBatch<B>::~BasicBatch() = default;
template <class B>
const System& BasicBatch<B>::system() const {
  return engine_->system;
}
template <class B>
int BasicBatch<B>::threads() const {
  return engine_->team.size();
}

template <class B>
BatchReport BasicBatch<B>::compute_inverse_dynamics(const In& q, const In& v, const In& a,
                                                    const Forces& forces, Out tau) {
  const int nq = system().nq(), nv = system().nv();
  check_rows(q, q.rows(), nq, "q");
  check_rows(v, q.rows(), nv, "v");
  check_rows(a, q.rows(), nv, "a");
  check_rows(tau, q.rows(), nv, "tau");
  take_forces(system(), forces, q.rows(), engine_->loads);
  engine_->job = {.count = static_cast<int>(q.rows()),
                  .q = input<B>(q),
                  .v = input<B>(v),
                  .x = input<B>(a),
                  .out = output<B>(tau)};
  return engine_->run(batch_kernels<B>().inverse_dynamics);
}

template <class B>
BatchReport BasicBatch<B>::compute_forward_dynamics(const In& q, const In& v, const In& tau,
                                                    const Forces& forces, Out a) {
  const int nq = system().nq(), nv = system().nv();
  check_rows(q, q.rows(), nq, "q");
  check_rows(v, q.rows(), nv, "v");
  check_rows(tau, q.rows(), nv, "tau");
  check_passive(system(), tau);
  check_rows(a, q.rows(), nv, "a");
  take_forces(system(), forces, q.rows(), engine_->loads);
  engine_->job = {.count = static_cast<int>(q.rows()),
                  .q = input<B>(q),
                  .v = input<B>(v),
                  .x = input<B>(tau),
                  .out = output<B>(a)};
  return engine_->run(batch_kernels<B>().forward_dynamics);
}

template <class B>
BatchReport BasicBatch<B>::compute_mass_matrix(const In& q, Out mass_matrix) {
  const int nv = system().nv();
  check_rows(q, q.rows(), system().nq(), "q");
  check_rows(mass_matrix, q.rows(), nv * nv, "mass_matrix");
  engine_->job = {
      .count = static_cast<int>(q.rows()), .q = input<B>(q), .out = output<B>(mass_matrix)};
  return engine_->run(batch_kernels<B>().mass_matrix);
}

template <class B>
BatchReport BasicBatch<B>::compute_forward_kinematics(const In& q, FrameId frame, Out pose) {
  check_rows(q, q.rows(), system().nq(), "q");
  door::check_frame(system(), frame);
  check_rows(pose, q.rows(), 12, "pose");
  const FramePlace& place = system().frame(frame);
  engine_->job = {.count = static_cast<int>(q.rows()),
                  .q = input<B>(q),
                  .out = output<B>(pose),
                  .node = place.node,
                  .frame = {TreeConverter<B>::matrix(place.pose.rotation),
                            TreeConverter<B>::vector(place.pose.translation)}};
  return engine_->run(batch_kernels<B>().forward_kinematics);
}

template <class B>
BatchReport BasicBatch<B>::compute_jacobian(const In& q, FrameId frame, Axes axes, Out jacobian) {
  check_rows(q, q.rows(), system().nq(), "q");
  door::check_frame(system(), frame);
  check_rows(jacobian, q.rows(), 6 * system().nv(), "jacobian");
  const FramePlace& place = system().frame(frame);
  engine_->job = {.count = static_cast<int>(q.rows()),
                  .q = input<B>(q),
                  .out = output<B>(jacobian),
                  .node = place.node,
                  .frame = {TreeConverter<B>::matrix(place.pose.rotation),
                            TreeConverter<B>::vector(place.pose.translation)},
                  .axes = axes};
  return engine_->run(batch_kernels<B>().jacobian);
}

template <class B>
BatchReport BasicBatch<B>::compute_rollout(Out q, Out v, const In& tau, const Forces& forces,
                                           double dt, int steps) {
  const int nq = system().nq(), nv = system().nv();
  check_rows(q, q.rows(), nq, "q");
  check_rows(v, q.rows(), nv, "v");
  check_rows(tau, q.rows(), nv, "tau");
  check_passive(system(), tau);
  if (!std::isfinite(dt)) throw Error(fmt::format("dt is {}; expected a finite number", dt));
  if (steps < 0) throw Error(fmt::format("{} steps; expected 0 or more", steps));
  take_forces(system(), forces, q.rows(), engine_->loads);
  engine_->job = {.count = static_cast<int>(q.rows()),
                  .x = input<B>(tau),
                  .out = output<B>(q),
                  .out_v = output<B>(v),
                  .dt = static_cast<B>(dt),
                  .steps = steps};
  return engine_->run(batch_kernels<B>().rollout);
}

template class BasicBatch<double>;
template class BasicBatch<float>;

}  // namespace linkwright
