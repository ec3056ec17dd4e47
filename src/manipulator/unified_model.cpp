#include "linkwright/manipulator/unified_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "closure/closing_efforts.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "manipulator/cholesky.hpp"
#include "manipulator/unified_room.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double closed_to = 1e-8;

void put(const Motion& m, VectorRef out) {
  out << m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z;
}
std::vector<int> all_but(int count, std::initializer_list<const std::vector<int>*> lists) {
  std::vector<bool> taken(at(count), false);
  for (const std::vector<int>* list : lists)
    for (const int i : *list) taken[at(i)] = true;
  std::vector<int> rest;
  for (int i = 0; i < count; ++i)
    if (!taken[at(i)]) rest.push_back(i);
  return rest;
}

}  // namespace

UnifiedModel::Room::Room(const Manipulator& of)
    : robot(of), work(of.system()), state(of.system()), moving(of.system()), reaction(0, 0) {
  const System& system = of.system();
  const Index n = system.nv(), r = work.rows(), t = 6 * static_cast<Index>(of.arms().size());
  const auto a = static_cast<Index>(of.active().size()),
             p = static_cast<Index>(of.passive().size());
  others = all_but(system.nv(), {&of.active(), &of.passive()});
  links = all_but(system.nv(), {&others, &of.base().freedoms});
  const auto o = static_cast<Index>(others.size());
  mass_matrix.resize(n, n), K.resize(r, n), tips.resize(t, n);
  for (VectorXd* x : {&bias, &applied, &pushed, &zero}) x->setZero(n);
  beta.resize(r), tip_bias.resize(t), accelerations.resize(n);
  for (MatrixXd* x : {&M_a, &M, &L}) x->resize(a, a);
  for (MatrixXd* x : {&M_p, &L_p}) x->resize(p, p);
  M_ap.resize(p, a), J_D.resize(p, a), coupling.resize(a, p);
  J_a.resize(t, a), J_p.resize(t, p), J.resize(t, a);
  J_b.resize(t, static_cast<Index>(of.base().freedoms.size()));
  J_q.resize(t, static_cast<Index>(links.size()));
  for (VectorXd* x : {&C_a, &T_a, &tau_a, &C, &T_hat, &open_a, &room_a}) x->setZero(a);
  for (VectorXd* x : {&C_p, &T_p, &open_p, &room_p, &scale_p}) x->setZero(p);
  for (VectorXd* x : {&e, &f, &He, &chosen}) x->setZero(r);
  for (VectorXd* x : {&b_o, &a_o, &right_o}) x->setZero(o);
  room_t.resize(t);
  K_a.resize(r, a), K_p.resize(r, p), K_J.resize(r, a), X.resize(a, r), Z.resize(p, r);
  for (MatrixXd* x : {&H, &Omega}) x->resize(r, r);
  W.resize(r, o), HW.resize(r, o), M_o.resize(o, o), S.resize(o, o), MW.resize(o, r);
  A.resize(a, p), N.resize(a, a), Y.resize(a, t), omega_tips.resize(t, t);
  reaction = closure::Orthogonal(static_cast<int>(a), static_cast<int>(p));
}

UnifiedModel::UnifiedModel(const Manipulator& of) : room_(std::make_unique<Room>(of)) {}
UnifiedModel::~UnifiedModel() = default;

void UnifiedModel::Room::check_closed(const State& now) {
  if (work.rows() == 0) return;
  pushed.setZero();
  He.noalias() = K.lazyProduct(now.v);
  const double fastest = std::max(1.0, now.v.size() > 0 ? now.v.cwiseAbs().maxCoeff() : 0);
  if (compute_worst_closure(work, now.q).gap() <= closed_to &&
      He.cwiseAbs().maxCoeff() <= closed_to * fastest)
    return;
  require_closed(work, now, closed_to);
}

/// What the trunk knows of the whole system.
void UnifiedModel::Room::compute_system(const State& now, const ConstVectorRef& tau,
                                        ExternalForces forces) {
  compute_mass_matrix(work, now.q, mass_matrix);
  compute_bias(work, now, bias);
  linkwright::compute_inverse_dynamics(work.tree(), now, zero, forces, pushed);
  applied = tau.head(zero.size()) - pushed;
  closure::add_closing_forces(work, now, tau, applied);
  applied += bias;
  compute_closure_jacobian(work, now.q, K);
  if (work.rows() > 0) compute_closure_bias(work, now, beta);
  for (std::size_t i = 0; i < robot.arms().size(); ++i) {
    const FrameId frame = robot.arms()[i].frame;
    const auto row = 6 * static_cast<Index>(i);
    compute_jacobian(work.tree(), now.q, frame, Axes::own, tips.middleRows<6>(row));
    put(compute_jacobian_rate_times_velocity(work.tree(), now, frame, Axes::own),
        tip_bias.segment<6>(row));
  }
}

/// (A1)–(A4), (14): rows and columns of the active and of the passive freedoms.
void UnifiedModel::Room::partition(const ConstVectorRef& tau) {
  const std::vector<int>&a = robot.active(), &p = robot.passive();
  take(mass_matrix, a, a, M_a), take(mass_matrix, p, a, M_ap), take(mass_matrix, p, p, M_p);
  take(bias, a, C_a), take(bias, p, C_p);
  take(applied, a, T_a), take(applied, p, T_p), take(tau, a, tau_a);
  take_columns(tips, a, J_a), take_columns(tips, p, J_p);
  take_columns(tips, robot.base().freedoms, J_b), take_columns(tips, links, J_q);
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
  if (!factorize_in_place(L_p, 1e-14)) refuse("M_p", robot.passive());
  J_D = M_ap;
  solve_in_place(L_p, J_D);
  coupling = J_D.transpose();
  M = M_a - M_ap.transpose().lazyProduct(J_D);
  C = C_a - J_D.transpose().lazyProduct(C_p);
  T_hat = T_a - J_D.transpose().lazyProduct(T_p);
  J = J_a - J_p.lazyProduct(J_D);
  L = M;
  if (!factorize_in_place(L, 1e-14)) refuse("M", robot.active());
}

void UnifiedModel::update(const State& state, const ConstVectorRef& tau, ExternalForces forces) {
  Room& r = *room_;
  r.updated = r.solved = r.reaction_known = false;
  door::check_state(r.robot.system(), state);
  closure::check_efforts(r.robot.system(), tau);
  r.compute_system(state, tau, forces);
  r.check_closed(state);
  r.state = state;
  r.partition(tau);
  r.unify();
  r.updated = true;
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
