#include "linkwright/manipulator/unified_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "manipulator/cholesky.hpp"
#include "manipulator/six.hpp"
#include "manipulator/unified_room.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<int> all_but(int count, std::initializer_list<const std::vector<int>*> lists) {
  std::vector<bool> taken(at(count), false);
  for (const std::vector<int>* list : lists)
    for (const int i : *list) taken[at(i)] = true;
  std::vector<int> rest;
  for (int i = 0; i < count; ++i)
    if (!taken[at(i)]) rest.push_back(i);
  return rest;
}
/// Rows of the closures that bind the manipulator to itself or to the world.
std::vector<int> own_rows(const Manipulator& robot) {
  std::vector<int> rows;
  for (const int c : robot.own_closures()) {
    const ClosurePlace& place = robot.system().closures()[at(c)];
    for (int i = 0; i < place.rows; ++i) rows.push_back(place.row + i);
  }
  return rows;
}
std::vector<int> all_rows(const System& system) {
  const auto& closures = system.closures();
  return all_but(closures.empty() ? 0 : closures.back().row + closures.back().rows, {});
}

}  // namespace

UnifiedModel::Room::Room(const Manipulator& of)
    : robot(of),
      work(of.system()),
      state(of.system()),
      open(of, own_rows(of), {of.passive(), of.active()}),
      // Objects follow the hands, and the hands each other, before the base follows anything.
      closed(of, all_rows(of.system()),
             {all_but(of.system().nv(), {&of.active(), &of.passive()}), of.active(), of.passive()}),
      moving(of.system()),
      reaction(0, 0) {
  const System& system = of.system();
  const Index n = system.nv(), r = work.rows(), t = 6 * static_cast<Index>(of.arms().size());
  const std::vector<int> own = own_rows(of);
  kept = all_but(work.rows(), {&own});
  kept_index.assign(at(work.rows()), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) kept_index[at(kept[i])] = static_cast<int>(i);
  const std::vector<int> others = all_but(system.nv(), {&of.active(), &of.passive()});
  links = all_but(system.nv(), {&others, &of.base().freedoms});
  whole.mass_matrix.setZero(n, n), whole.K.setZero(r, n), whole.tips.setZero(t, n);
  for (VectorXd* x : {&whole.bias, &whole.applied, &pushed, &zero, &given, &accelerations})
    x->setZero(n);
  for (VectorXd* x : {&whole.beta, &rates}) x->setZero(r);
  for (VectorXd* x : {&whole.tip_bias, &tip_bias, &room_t}) x->setZero(t);
  J_b.setZero(t, static_cast<Index>(of.base().freedoms.size()));
  J_q.setZero(t, static_cast<Index>(links.size()));
}

/// Once the independent freedoms are known.
void UnifiedModel::Room::make_room() {
  const auto size = [](const std::vector<int>& list) { return static_cast<Index>(list.size()); };
  const Index a = size(open.a), p = size(open.p), o = size(open.o), r = size(kept),
              t = room_t.size(), n = open.mass.rows();
  for (MatrixXd* x : {&M_a, &M, &L}) x->setZero(a, a);
  for (MatrixXd* x : {&M_p, &L_p}) x->setZero(p, p);
  M_ap.setZero(p, a), J_D.setZero(p, a), coupling.setZero(a, p);
  J_a.setZero(t, a), J_p.setZero(t, p), J.setZero(t, a), tips.setZero(t, n);
  for (VectorXd* x : {&C_a, &T_a, &tau_a, &C, &T_hat, &open_a, &room_a}) x->setZero(a);
  for (VectorXd* x : {&C_p, &T_p, &open_p, &room_p}) x->setZero(p);
  for (VectorXd* x : {&beta, &e, &f, &He}) x->setZero(r);
  for (VectorXd* x : {&b_o, &a_o, &right_o}) x->setZero(o);
  nu.setZero(n);
  K.setZero(r, n), K_a.setZero(r, a), K_p.setZero(r, p), K_J.setZero(r, a);
  X.setZero(a, r), Z.setZero(p, r);
  for (MatrixXd* x : {&H, &Omega}) x->setZero(r, r);
  W.setZero(r, o), HW.setZero(r, o), M_o.setZero(o, o), S.setZero(o, o), MW.setZero(o, r);
  Y.setZero(a, t), omega_tips.setZero(t, t);
  VectorXd row_scale(r), column_scale(n);
  take(work.dense().row_scale, kept, row_scale);
  take(work.dense().column_scale, open.reduction.independent(), column_scale);
  rows.emplace(row_scale, column_scale);
}

UnifiedModel::UnifiedModel(const Manipulator& of) : room_(std::make_unique<Room>(of)) {}
UnifiedModel::~UnifiedModel() = default;

void UnifiedModel::Room::check_closed(const State& now) {
  if (work.rows() == 0) return;
  rates = whole.K.lazyProduct(now.v);
  const double fastest = std::max(1.0, now.v.cwiseAbs().maxCoeff());
  if (compute_worst_closure(work, now.q).gap() > closed_to ||
      !(rates.cwiseAbs().maxCoeff() <= closed_to * fastest))
    require_closed(work, now, closed_to);
}

void UnifiedModel::Room::compute_whole(const State& now, const ConstVectorRef& tau,
                                       ExternalForces forces) {
  compute_mass_matrix(work, now.q, whole.mass_matrix);
  compute_bias(work, now, whole.bias);
  linkwright::compute_inverse_dynamics(work.tree(), now, zero, forces, pushed);
  whole.applied = tau.head(zero.size()) - pushed;
  closure::add_closing_forces(work, now, tau, whole.applied);
  whole.applied += whole.bias;
  compute_closure_jacobian(work, now.q, whole.K);
  if (work.rows() > 0) compute_closure_bias(work, now, whole.beta);
  for (std::size_t i = 0; i < robot.arms().size(); ++i) {
    const FrameId frame = robot.arms()[i].frame;
    const auto row = 6 * static_cast<Index>(i);
    compute_jacobian(work.tree(), now.q, frame, Axes::own, whole.tips.middleRows<6>(row));
    put_six(compute_jacobian_rate_times_velocity(work.tree(), now, frame, Axes::own),
            whole.tip_bias.segment<6>(row));
  }
}

/// (A1)–(A4), (14): rows and columns of the active and of the passive freedoms.
void UnifiedModel::Room::partition(const ConstVectorRef& tau) {
  const MatrixXd& G = open.reduction.G();
  const VectorXd& gamma = open.reduction.gamma();
  take(open.mass, open.a, open.a, M_a), take(open.mass, open.p, open.a, M_ap);
  take(open.mass, open.p, open.p, M_p);
  take(open.bias, open.a, C_a), take(open.bias, open.p, C_p);
  take(open.applied, open.a, T_a), take(open.applied, open.p, T_p);
  take(tau, open.entries_a, tau_a);
  tips = whole.tips.lazyProduct(G);
  tip_bias = whole.tip_bias + whole.tips.lazyProduct(gamma);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto row = static_cast<Index>(i);
    K.row(row) = whole.K.row(kept[i]).lazyProduct(G);
    beta[row] = whole.beta[kept[i]] + whole.K.row(kept[i]).dot(gamma);
  }
  take_columns(tips, open.a, J_a), take_columns(tips, open.p, J_p);
  take_columns(whole.tips, robot.base().freedoms, J_b), take_columns(whole.tips, links, J_q);
}

/// (28), (B7)–(B10), (38), (41).
void UnifiedModel::Room::unify() {
  const auto refuse = [&](const char* what, const std::vector<int>& entries) {
    throw Error(fmt::format("{} has no inverse: nothing with inertia resists some motion of the "
                            "freedoms from '{}' to '{}'. Give their links mass and inertia",
                            what, robot.system().velocity_names()[at(entries.front())],
                            robot.system().velocity_names()[at(entries.back())]),
                Error::Kind::failed_computation);
  };
  L_p = M_p;
  if (!factorize_in_place(L_p, hardly_any_pivot)) refuse("M_p", open.entries_p);
  J_D = M_ap;
  solve_in_place(L_p, J_D);
  coupling = J_D.transpose();
  M = M_a - M_ap.transpose().lazyProduct(J_D);
  C = C_a - J_D.transpose().lazyProduct(C_p);
  T_hat = T_a - J_D.transpose().lazyProduct(T_p);
  J = J_a - J_p.lazyProduct(J_D);
  L = M;
  if (!factorize_in_place(L, hardly_any_pivot)) refuse("M", open.entries_a);
}

void UnifiedModel::update(const State& state, const ConstVectorRef& tau, ExternalForces forces) {
  Room& r = *room_;
  r.updated = r.solved = r.reaction_known = r.closed_known = false;
  door::check_state(r.robot.system(), state);
  closure::check_efforts(r.robot.system(), tau);
  r.compute_whole(state, tau, forces);
  r.check_closed(state);
  r.state = state;
  r.open.compute(r.whole);
  if (!r.rows) r.make_room();
  r.partition(tau);
  r.unify();
  r.updated = true;
}

std::span<const int> UnifiedModel::active() const {
  room_->check_updated();
  return room_->open.entries_a;
}
std::span<const int> UnifiedModel::passive() const {
  room_->check_updated();
  return room_->open.entries_p;
}

void UnifiedModel::Room::check_updated() const {
  if (!updated)
    throw Error("this unified model has no state: call UnifiedModel::update(state, tau) first");
}

namespace {
MatrixView view(const MatrixXd& x) { return {x.data(), x.rows(), x.cols()}; }
VectorView view(const VectorXd& x) { return {x.data(), x.size()}; }
}  // namespace

#define LINKWRIGHT_READER(View, name, member) \
  View UnifiedModel::name() const {           \
    room_->check_updated();                   \
    return view(room_->member);               \
  }
LINKWRIGHT_READER(MatrixView, M_a, M_a)
LINKWRIGHT_READER(MatrixView, M_ap, M_ap)
LINKWRIGHT_READER(MatrixView, M_p, M_p)
LINKWRIGHT_READER(VectorView, C_a, C_a)
LINKWRIGHT_READER(VectorView, C_p, C_p)
LINKWRIGHT_READER(VectorView, T_a, T_a)
LINKWRIGHT_READER(VectorView, T_p, T_p)
LINKWRIGHT_READER(MatrixView, J_a, J_a)
LINKWRIGHT_READER(MatrixView, J_p, J_p)
LINKWRIGHT_READER(MatrixView, J_b, J_b)
LINKWRIGHT_READER(MatrixView, J_q, J_q)
LINKWRIGHT_READER(VectorView, J_rate_v, tip_bias)
LINKWRIGHT_READER(MatrixView, M, M)
LINKWRIGHT_READER(VectorView, C, C)
LINKWRIGHT_READER(VectorView, T_hat, T_hat)
LINKWRIGHT_READER(MatrixView, J, J)
LINKWRIGHT_READER(MatrixView, J_D, J_D)
LINKWRIGHT_READER(MatrixView, coupling, coupling)
#undef LINKWRIGHT_READER

void UnifiedModel::compute_passive_acceleration(const ConstVectorRef& a_active,
                                                const ConstVectorRef& f_e,
                                                VectorRef a_passive) const {
  const Room& r = *room_;
  r.check_updated();
  door::check_output(a_active.size(), r.M.rows(), "a_active");
  door::check_output(f_e.size(), r.J.rows(), "f_e");
  door::check_output(a_passive.size(), r.M_p.rows(), "a_passive");
  a_passive = r.T_p - r.C_p - r.M_ap.lazyProduct(a_active) - r.J_p.transpose().lazyProduct(f_e);
  solve_in_place(r.L_p, a_passive);
}

void UnifiedModel::compute_tip_acceleration(const ConstVectorRef& a_active,
                                            const ConstVectorRef& f_e, VectorRef out) const {
  const Room& r = *room_;
  door::check_output(out.size(), r.J.rows(), "out");
  compute_passive_acceleration(a_active, f_e, r.room_p);
  out = r.tip_bias + r.J_a.lazyProduct(a_active) + r.J_p.lazyProduct(r.room_p);
}

void UnifiedModel::compute_inverse_dynamics(const ConstVectorRef& a_active,
                                            const ConstVectorRef& f_e, VectorRef tau_active) const {
  const Room& r = *room_;
  r.check_updated();
  door::check_output(a_active.size(), r.M.rows(), "a_active");
  door::check_output(f_e.size(), r.J.rows(), "f_e");
  door::check_output(tau_active.size(), r.M.rows(), "tau_active");
  // T̂ of (28), then T_a of (B10), then without what pushes besides the motors.
  tau_active = r.M.lazyProduct(a_active) + r.C + r.J.transpose().lazyProduct(f_e) +
               r.coupling.lazyProduct(r.T_p) - (r.T_a - r.tau_a);
}

void UnifiedModel::compute_weighted_inverse(MatrixRef out) const {
  const Room& r = *room_;
  r.check_updated();
  door::check_output(out, r.M.rows(), r.J.rows(), "weighted_inverse");
  r.Y = r.J.transpose();
  solve_lower(r.L, r.Y);
  r.omega_tips = r.Y.transpose().lazyProduct(r.Y);
  if (!factorize_in_place(r.omega_tips, least_pivot)) {
    closure::Orthogonal space(static_cast<int>(r.J.cols()), static_cast<int>(r.J.rows()));
    space.compute(r.J.transpose(), std::sqrt(least_pivot));
    throw Error(
        fmt::format("the generalized Jacobian of {} arms is {}x{} and has rank {}: there is no "
                    "weighted inverse, since the tips cannot be moved in all directions. Leave out "
                    "arms, or move away from the singular position",
                    r.robot.arms().size(), r.J.rows(), r.J.cols(), space.rank()),
        Error::Kind::failed_computation);
  }
  solve_upper(r.L, r.Y);  // M⁻¹ Jᵀ
  // (M⁻¹ Jᵀ) (Q Qᵀ)⁻¹, row by row from the right.
  for (Index i = 0; i < out.rows(); ++i) {
    r.room_t = r.Y.row(i).transpose();
    solve_in_place(r.omega_tips, r.room_t);
    out.row(i) = r.room_t.transpose();
  }
}

}  // namespace linkwright::manipulator
