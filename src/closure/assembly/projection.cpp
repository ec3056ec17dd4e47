#include "linkwright/closure/projection.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "closure/assembly/near_residual.hpp"
#include "closure/assembly/regular_inverse.hpp"
#include "closure/closure_kernels.hpp"
#include "closure/rank/dense_loops.hpp"
#include "closure/rank/size.hpp"
#include "closure/rows.hpp"
#include "dynamics/kernels.hpp"
#include "dynamics/positions/group_step.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Errors below this (metres, radians; of velocities seen against the fastest joint) need no look at
/// what a correction left of them.
constexpr double fine = 1e-12;
/// Errors that stay above this are not kept; near singular positions velocities are known to less.
constexpr double loose = 1e-10, loose_velocity_if_delicate = 1e-7;
/// So little is rounding, and correcting it would only stir it. Near singular positions errors are
/// brought down to that: divided by the singular value they are errors of the position, divided by its
/// square of the velocity.
constexpr double nothing = 1e-15, delicate = 0.05;
/// B serves while no joint of a loop has moved by more than this, in radians or parts of the mechanism's
/// size, times `conditioning` (singular positions come near as it falls), and while a correction leaves no
/// more than this of the errors.
constexpr double reach = 0.3, slowest = 0.25;
/// A correction by a fresh B that leaves more than this is the last. Where two closed positions meet, Newton's method no more
/// than quarters the gaps.
constexpr double hardly = 0.7;
constexpr int most_corrections = 20;
/// A correction by more (radians, or parts of the mechanism's size) is no longer a small one.
constexpr double longest = 0.3;

/// These couple freedoms of different branches.
bool has_closing_rotors(const System& system) {
  for (const ClosurePlace& c : system.closures())
    for (int i = 0; i < c.freedoms; ++i)
      if (c.freedom[i].rotor != 0) return true;
  return false;
}

/// What is left of the errors in one pass, velocities seen against the fastest joint.
struct Lasting {
  double position = 0, velocity = 0;
  [[nodiscard]] double most() const { return std::max(position, velocity); }
  /// Whether more than this part is left of what there was before. A velocity is corrected for good only once the
  /// position is: its rows turn with it.
  [[nodiscard]] bool shrinks_slowly(const Lasting& before, double goal, double part) const {
    if (position > goal) return !(position <= part * before.position);
    return before.position <= goal && velocity > goal && !(velocity <= part * before.velocity);
  }
};

/// Whether rows that did not count have come apart by more than rounding: it is to be decided again whether they do.
bool opens_elsewhere(const ClosureErrors& all, const Lasting& counting, double speed) {
  return all.position > counting.position + fine ||
         all.velocity / (1 + speed) > counting.velocity + fine;
}

}  // namespace

/// All rows: those of the closures, of the given coordinates, of what may be held. Rows that hold nothing
/// are zero.
struct ClosureProjection::Rows {
  Rows(const System& system, std::vector<GivenCoordinate> given_coordinates, int most_held)
      : work(system),
        given(std::move(given_coordinates)),
        closed(work.rows()),
        first_held(closed + static_cast<Index>(given.size())),
        m(first_held + most_held),
        n(system.nv()),
        space(static_cast<int>(n), static_cast<int>(m)),
        regular(system, m, has_closing_rotors(system)) {
    J = MatrixXd::Zero(m, n);
    closed_J = MatrixXd::Zero(closed, n);
    A = X = B = NB = MatrixXd::Zero(n, m);
    N = M = MN = reduced = MatrixXd::Zero(n, n);
    gap = rate = unit = VectorXd::Zero(m);
    step = faster = VectorXd::Zero(n);
    const auto closing = static_cast<Index>(system.closing_names().size());
    L = MatrixXd::Zero(closing, n);
    rotor = VectorXd::Zero(closing);
    for (const ClosurePlace& c : system.closures())
      for (int i = 0; i < c.freedoms; ++i) rotor[c.closing + i] = c.freedom[i].rotor;
    const closure::DenseLoops& d = work.dense();
    column_scale = d.column_scale;
    row_scale = VectorXd::Ones(m);
    row_scale.head(closed) = d.row_scale;
    for (std::size_t i = 0; i < given.size(); ++i)
      row_scale[closed + static_cast<Index>(i)] = 1 / column_scale[given[i].v];
    find_position_scale();
    reference = VectorXd::Zero(system.nq());
    held.reserve(static_cast<std::size_t>(most_held));
    closing_rate = closing_place = VectorXd::Zero(closing);
  }

  void hold(std::span<const HeldFreedom> freedoms) {
    held.assign(freedoms.begin(), freedoms.end());
    const System& system = work.system();
    gap.tail(m - first_held).setZero(), rate.tail(m - first_held).setZero();
    for (std::size_t i = 0; i < held.size(); ++i) {
      double& scale = row_scale[first_held + static_cast<Index>(i)];
      scale = held[i].closing < 0 ? 1 / column_scale[held[i].v] : 1;
      for (const ClosurePlace& c : system.closures())
        for (int k = 0; k < c.freedoms; ++k)
          if (c.closing + k == held[i].closing && c.kind != PairKind::shaft &&
              norm(c.mode[k].angular) == 0)
            scale = 1 / work.dense().length;
    }
    holds_closing =
        std::any_of(held.begin(), held.end(), [](const HeldFreedom& h) { return h.closing >= 0; });
    places_closing = std::any_of(held.begin(), held.end(),
                                 [](const HeldFreedom& h) { return h.closing >= 0 && h.placed; });
    // Other rows have other singular positions.
    known = false;
    most_rank = 0, best = 0;
  }

  /// Held freedoms, those of closing joints at the poses and velocities that the tree holds.
  void measure_held(const State& state) {
    if (holds_closing) {
      const ScratchD& s = work.tree().scratch();
      for (const ClosurePlace& c : work.system().closures()) {
        if (c.freedoms == 0) continue;
        if (c.kind == PairKind::shaft) {
          closing_rate[c.closing] = closure::rate_of_terms(c, state.v.data());
          continue;
        }
        const auto a = at(c.node_a), b = at(c.node_b);
        const closure::Meeting<double> meeting =
            closure::meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
        for (int i = 0; i < c.freedoms; ++i)
          closing_rate[c.closing + i] = dot(closure::closing_row(c, meeting, i).W, meeting.V);
      }
    }
    if (places_closing) compute_closing_coordinates(work, state.q, closing_place);
    for (std::size_t i = 0; i < held.size(); ++i) {
      const Index row = first_held + static_cast<Index>(i);
      const HeldFreedom& h = held[i];
      gap[row] = 0;
      if (h.placed)
        gap[row] = (h.closing < 0 ? state.q[h.q] : closing_place[h.closing]) - h.position;
      rate[row] = h.closing < 0 ? state.v[h.v] : closing_rate[h.closing];
    }
  }

  /// How much each entry of q says of the rows: nothing unless its joint is part of a loop. Lengths are
  /// measured by the mechanism's size, as those in v are.
  void find_position_scale() {
    const System& system = work.system();
    position_scale = VectorXd::Zero(system.nq());
    for (const JointPlace& joint : system.joints()) {
      if (!moves_rows(joint)) continue;
      for (int i = 0; i < joint.nq; ++i) {
        const bool place = joint.quaternion >= 0 && joint.q + i >= joint.quaternion + 4;
        const bool slides = joint.quaternion < 0 && column_scale[joint.v + i] != 1;
        position_scale[joint.q + i] = place || slides ? 1 / work.dense().length : 1;
      }
    }
  }

  /// Whether a joint lies between the two frames of some closure.
  [[nodiscard]] bool moves_rows(const JointPlace& joint) const {
    const System& system = work.system();
    const auto& nodes = system.tree().nodes;
    return std::any_of(system.closures().begin(), system.closures().end(),
                       [&](const ClosurePlace& c) {
                         if (is_among_joints(c.kind)) return false;  // its row is constant
                         for (int a = c.node_a, b = c.node_b; a != b;) {
                           int& outer = a > b ? a : b;  // parents have lower numbers
                           const int v = nodes[at(outer)].v;
                           if (v >= joint.v && v < joint.v + joint.nv) return true;
                           outer = nodes[at(outer)].parent;
                         }
                         return false;
                       });
  }

  /// Gaps and rates of all rows.
  void measure(const State& state) {
    const System& system = work.system();
    BundledScratch& s = work.tree().scratch();
    kernels().place(system.tree(), s, state.q.data());
    closure::closure_kernels().place_loops(system.tree(), s, work.loops(), state.v.data());
    for (const ClosurePlace& c : system.closures()) {
      if (c.kind == PairKind::gear) {
        gap[c.row] = closure::sum_of_terms(c, state.q.data()) - c.offset;
        rate[c.row] = closure::rate_of_terms(c, state.v.data());
        continue;
      }
      if (c.rows == 0) continue;
      const auto a = at(c.node_a), b = at(c.node_b);
      const closure::Meeting<double> meeting =
          closure::meet(c, s.pose[a], s.pose[b], s.V[a], s.V[b]);
      closure::near_residual(c, meeting.X, gap.data() + c.row);
      for (int i = c.position_rows; i < c.rows; ++i) gap[c.row + i] = 0;
      for (int i = 0; i < c.rows; ++i)
        rate[c.row + i] = dot(closure::row_of(c, meeting, i).W, meeting.V);
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Index row = closed + static_cast<Index>(i);
      gap[row] = state.q[given[i].q] - given[i].position;
      rate[row] = state.v[given[i].v] - given[i].velocity;
    }
    measure_held(state);
  }

  /// How many rows there are without those that hold nothing.
  [[nodiscard]] Index used() const { return first_held + static_cast<Index>(held.size()); }

  /// Whether the rows leave no motion at all.
  [[nodiscard]] bool is_locked() const { return rank == n && given.empty(); }

  [[nodiscard]] ClosureErrors errors() const {
    if (m == 0) return {};
    return {gap.cwiseAbs().maxCoeff(), rate.cwiseAbs().maxCoeff(), true};
  }

  /// Of the gaps and rates what a correction by B would take away, J B of them: rows that do not count say nothing of
  /// the state. As long as B is not known, or where all rows count, all of them; otherwise the corrections are found, too.
  [[nodiscard]] Lasting lasting(double speed) {
    const ClosureErrors all = errors();
    if (!known || is_regular) return {all.position, all.velocity / (1 + speed)};
    find_corrections();
    if (m == 0) return {};
    unit.noalias() = J.lazyProduct(step);
    const double position = unit.cwiseAbs().maxCoeff();
    unit.noalias() = J.lazyProduct(faster);
    return {position, unit.cwiseAbs().maxCoeff() / (1 + speed)};
  }

  /// step = B gap, faster = B rate, in one go over B.
  void find_corrections() {
    if (is_regular) return regular.apply(gap, rate, step, faster);
    step.noalias() = B.leftCols(used()).lazyProduct(gap.head(used()));
    faster.noalias() = B.leftCols(used()).lazyProduct(rate.head(used()));
  }

  /// Of a velocity, in radians or parts of the mechanism's size.
  [[nodiscard]] double largest(const VectorXd& v) const {
    double most = 0;
    for (Index i = 0; i < n; ++i) most = std::max(most, std::abs(v[i] / column_scale[i]));
    return most;
  }

  [[nodiscard]] bool has_gone_far(const VectorXd& q) const {
    double most = 0;
    for (Index i = 0; i < q.size(); ++i)
      most = std::max(most, std::abs(q[i] - reference[i]) * position_scale[i]);
    return !(most * best <= reach * smallest);
  }

  void compute_mass_matrix_with_rotors(const VectorXd& q) {
    const bool turns = rotor.size() > 0 && rotor.any();
    if (turns) compute_closing_jacobian(work, q, L);
    compute_mass_matrix(work.tree(), q, M);
    for (Index i = 0; turns && i < rotor.size(); ++i)
      for (Index k = 0; k < n; ++k) M.col(k) += (rotor[i] * L(i, k)) * L.row(i).transpose();
  }

  /// B, and how far the next singular position is.
  void factorise(const VectorXd& q) {
    reference = q;
    fill_rows(q);
    is_regular = invert_regular();
    if (!is_regular) invert_any();
  }

  void fill_rows(const VectorXd& q) {
    compute_closure_jacobian(work, q, closed_J);
    J.topRows(closed) = closed_J;
    for (std::size_t i = 0; i < given.size(); ++i)
      J(closed + static_cast<Index>(i), given[i].v) = 1;
    J.bottomRows(m - first_held).setZero();
    if (holds_closing) compute_closing_jacobian(work, q, L);
    for (std::size_t i = 0; i < held.size(); ++i) {
      auto row = J.row(first_held + static_cast<Index>(i));
      if (held[i].closing < 0)
        row[held[i].v] = 1;
      else
        row = L.row(held[i].closing);
    }
  }

  /// False where rows are dependent or nearly so, or some motion moves hardly any mass.
  bool invert_regular() {
    if (!regular.judge(J, row_scale, column_scale, used())) return false;
    compute_mass_matrix_with_rotors(reference);
    if (!regular.factorise(M)) return false;
    rank = most_rank = static_cast<int>(used());
    smallest = regular.smallest(), weakest = regular.weakest();
    best = std::max(best, smallest);
    return true;
  }

  /// B = (1 − N (Nᵀ M N)⁻¹ Nᵀ M) J⁺, N all motions that the rows allow: M need resist these alone.
  void invert_any() {
    for (Index i = 0; i < m; ++i)
      A.col(i) = row_scale[i] * J.row(i).transpose().cwiseProduct(column_scale);
    space.compute(A, closure::rank_threshold);
    judge_rank();
    for (Index i = 0; i < used(); ++i) {
      unit.setZero();
      unit[i] = row_scale[i];
      space.solve_rows(unit, X.col(i));
      X.col(i).array() *= column_scale.array();
    }
    B = X;
    const Index d = n - space.rank();
    if (d > 0) take_out_motions(d);
  }

  void take_out_motions(Index d) {
    auto motions = N.leftCols(d);
    space.null_basis(motions);
    for (Index i = 0; i < n; ++i) motions.row(i) *= column_scale[i];
    compute_mass_matrix_with_rotors(reference);
    auto weighted = MN.leftCols(d);
    weighted = M.lazyProduct(motions);
    auto small = reduced.topLeftCorner(d, d);
    small = motions.transpose().lazyProduct(weighted);
    Eigen::LLT<Eigen::Ref<MatrixXd>> cholesky(small);
    // Where some motion moves no mass there is no nearest: then the shortest correction will do.
    if (cholesky.info() != Eigen::Success) return;
    auto along = NB.topRows(d);
    along = weighted.transpose().lazyProduct(X);
    if (along.size() == 0) return;
    cholesky.solveInPlace(along);
    B -= motions.lazyProduct(along);
  }

  void judge_rank() {
    rank = space.rank();
    most_rank = std::max(most_rank, rank);
    smallest = rank < most_rank ? 0 : space.smallest_kept();
    best = std::max(best, smallest);
    // Where the rank has fallen, the distance to the position is unknown: B is trusted nearby only.
    if (rank < most_rank) smallest = closure::rank_threshold;
    weakest = rank < most_rank ? space.column(rank) : rank > 0 ? space.column(rank - 1) : -1;
  }

  ClosedWorkspace work;
  std::vector<GivenCoordinate> given;
  std::vector<HeldFreedom> held;
  bool holds_closing = false, places_closing = false;
  Index closed, first_held, m, n;
  closure::Orthogonal space;
  closure::RegularInverse regular;
  MatrixXd closed_J, J, A, X, B, NB, N, M, MN, reduced, L;
  VectorXd closing_rate, closing_place, gap, rate, unit, step, faster, rotor, row_scale,
      column_scale, position_scale;
  // Where B was computed, and what was found there.
  VectorXd reference;
  bool known = false, is_regular = false;  // whether `regular` stands for B
  int rank = 0, most_rank = 0, weakest = -1;
  double smallest = 0, best = 0;
};

ClosureProjection::ClosureProjection(const System& system, std::vector<GivenCoordinate> given,
                                     int most_held)
    : rows_(std::make_unique<Rows>(system, std::move(given), most_held)) {}
ClosureProjection::~ClosureProjection() = default;

void ClosureProjection::hold(std::span<const HeldFreedom> freedoms) { rows_->hold(freedoms); }

std::span<GivenCoordinate> ClosureProjection::given() { return rows_->given; }

ClosureErrors ClosureProjection::measure(const State& state) {
  rows_->measure(state);
  return rows_->errors();
}

ClosureErrors ClosureProjection::project(State& state) {
  Rows& r = *rows_;
  Lasting before, now;
  bool fresh = false;
  ClosureErrors errors;
  for (int pass = 0; pass < most_corrections; ++pass) {
    r.measure(state);
    errors = r.errors();
    const double speed = r.n == 0 ? 0 : state.v.cwiseAbs().maxCoeff();
    now = r.lasting(speed);
    errors.kept = false;
    if (!std::isfinite(now.most())) return errors;
    const double goal = conditioning() < delicate ? nothing : fine;
    const bool slow = pass > 0 && now.shrinks_slowly(before, goal, slowest);
    const bool stuck = slow && fresh && now.shrinks_slowly(before, goal, hardly);
    fresh =
        !stuck && (!r.known || slow ||
                   (pass == 0 && (r.has_gone_far(state.q) || opens_elsewhere(errors, now, speed))));
    if (fresh) r.factorise(state.q), r.known = true, now = r.lasting(speed);
    const bool near_singular = conditioning() < delicate;
    errors.kept = now.position <= loose &&
                  now.velocity <= (near_singular ? loose_velocity_if_delicate : loose);
    // What cannot move at all stands exactly, so that a mechanism at rest stays the same to the last bit.
    const bool locked = r.is_locked() && !near_singular;
    if (now.most() <= (locked ? fine : nothing)) {
      if (locked) state.v.setZero();
      return errors;
    }
    if (r.is_regular) r.find_corrections();
    if (now.most() > fine && r.largest(r.step) > longest) return errors;
    if (stuck) return errors;
    group::displace(r.work.system(), state.q.data(), r.step.data(), -1, state.q.data());
    state.v -= r.faster;
    if (now.most() <= (near_singular ? nothing : fine)) {
      if (locked) state.v.setZero();
      return errors;
    }
    before = now;
  }
  return errors;
}

ClosureErrors ClosureProjection::add_stabilisation(const State& state, double rate, VectorRef out) {
  Rows& r = *rows_;
  r.measure(state);
  if (!r.known || r.has_gone_far(state.q)) r.factorise(state.q), r.known = true;
  r.unit = (2 * rate) * r.rate + (rate * rate) * r.gap;
  if (r.is_regular)
    r.regular.apply(r.unit, r.unit, r.step, r.faster), out -= r.step;
  else
    out.noalias() -= r.B * r.unit;
  return r.errors();
}

double ClosureProjection::conditioning() const {
  if (rows_->rank < rows_->most_rank) return 0;
  return rows_->best > 0 ? rows_->smallest / rows_->best : 1;
}

int ClosureProjection::weakest_closure() const {
  const auto& closures = rows_->work.system().closures();
  for (std::size_t i = 0; i < closures.size(); ++i)
    if (rows_->weakest >= closures[i].row && rows_->weakest < closures[i].row + closures[i].rows)
      return static_cast<int>(i);
  return -1;
}

std::vector<double> ClosureProjection::memory() const {
  std::vector<double> all{rows_->known ? 1.0 : 0.0, static_cast<double>(rows_->most_rank),
                          rows_->best};
  all.insert(all.end(), rows_->reference.begin(), rows_->reference.end());
  return all;
}

bool ClosureProjection::set_memory(std::span<const double> memory) {
  Rows& r = *rows_;
  if (memory.size() != 3 + static_cast<std::size_t>(r.reference.size())) return false;
  r.known = memory[0] != 0;
  r.most_rank = static_cast<int>(memory[1]);
  r.best = memory[2];
  if (!r.known) return true;
  const VectorXd q = Eigen::Map<const VectorXd>(memory.data() + 3, r.reference.size());
  r.factorise(q);
  return true;
}

}  // namespace linkwright
