#include "linkwright/manipulator/closed_chain.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/instruction_set.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/operators/operational_space.hpp"
#include "manipulator/arm_at.hpp"
#include "manipulator/chain_kernels.hpp"
#include "manipulator/cholesky.hpp"
#include "manipulator/contact_system.hpp"
#include "manipulator/six.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {

using namespace operators;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using linkwright::Force, linkwright::Motion, linkwright::Vector3;

const ChainKernels& chain_kernels() { return LINKWRIGHT_CHOOSE_TABLE(chains); }

const char* name(ClosedAlgorithm algorithm) {
  constexpr const char* names[] = {"RCCFD1", "RCCFD2", "RCCFD3", "non-rigid (b.9)"};
  return names[static_cast<int>(algorithm)];
}

namespace {

/// A body that hands hold: an object, or a piece of a flexible one.
struct Piece {
  FrameId frame;
  int object;
};
std::vector<Piece> held_pieces(const Manipulator& robot) {
  std::vector<Piece> pieces;
  for (const Arm& arm : robot.arms()) {
    const auto same = [&](const Piece& piece) { return piece.frame.index == arm.held.index; };
    if (arm.grasp >= 0 && std::ranges::none_of(pieces, same))
      pieces.push_back({arm.held, arm.object});
  }
  return pieces;
}

/// Hands in the order of the contacts, then what they hold.
std::vector<FrameId> tips_of(const Manipulator& robot, const std::vector<Piece>& pieces) {
  std::vector<FrameId> tips;
  for (const Arm& arm : robot.arms())
    if (arm.grasp >= 0) tips.push_back(arm.frame);
  for (const Piece& piece : pieces) tips.push_back(piece.frame);
  return tips;
}

std::vector<Contact> contacts_of(const Manipulator& robot, const std::vector<Piece>& pieces) {
  const System& system = robot.system();
  std::vector<Contact> contacts;
  for (std::size_t i = 0; i < robot.arms().size(); ++i) {
    const Arm& arm = robot.arms()[i];
    if (arm.grasp < 0) continue;
    Contact c;
    c.arm = static_cast<int>(i), c.hand = static_cast<int>(contacts.size());
    c.place = &system.closures()[at(arm.grasp)];
    while (pieces[at(c.core)].frame.index != arm.held.index) ++c.core;
    c.on_world = c.place->node_a == 0;
    c.at = inverse(system.frame(arm.held).pose) * c.place->at_b;
    contacts.push_back(c);
  }
  for (Contact& c : contacts) c.object = static_cast<int>(contacts.size()) + c.core;
  return contacts;
}

/// Where the ways of all hands inward meet; −1 where some meet before.
int meeting_node(const Manipulator& robot) {
  const auto& nodes = robot.system().tree().nodes;
  std::vector<int> ends;
  for (const Arm& arm : robot.arms())
    if (arm.grasp >= 0 && robot.system().frame(arm.frame).node != 0)
      ends.push_back(robot.system().frame(arm.frame).node);
  if (ends.size() < 2) return 0;
  std::vector<int> passed(nodes.size(), 0);
  for (int k : ends)
    for (; k != 0; k = nodes[at(k)].parent) ++passed[at(k)];
  int meeting = 0;
  for (int k = 1; k < static_cast<int>(nodes.size()); ++k)
    if (passed[at(k)] == static_cast<int>(ends.size())) meeting = k;
  for (int k = 1; k < static_cast<int>(nodes.size()); ++k)
    if (passed[at(k)] > 1 && passed[at(k)] < static_cast<int>(ends.size())) return -1;
  return meeting;
}

/// Six numbers per frame.
Motion motion_at(const VectorXd& x, int place) {
  const auto i = 6 * static_cast<Index>(place);
  return {{x[i], x[i + 1], x[i + 2]}, {x[i + 3], x[i + 4], x[i + 5]}};
}

}  // namespace

struct ClosedChain::Room {
  explicit Room(const Manipulator& of);

  const Manipulator& robot;
  Workspace work;
  Operators at_state;
  OperationalSpace mobility;  // Θ of hands and objects, for the dense way
  OperationalShares<double> shares;
  std::vector<Piece> pieces;
  ContactSystem contacts;
  int meeting;
  bool has_structure;
  std::vector<int> object_nodes, tip_of_place;
  Vector3 gravity;
  bool solved = false;
  bool has_rate = false;  // W_rate is that of (b.9f)

  MatrixXd Theta, Omega6, G, HG;
  VectorXd T_free, theta, eps, change;  // per freedom
  VectorXd alpha, bias, t;              // per tip
  VectorXd lambda, part, x6, W_rate;    // per row, six per contact, per rolling freedom

  void place_contacts(const State& state);
  void prepare(OmegaSolve solve, const State& state);
  /// Acceleration of object seen from hand at a contact, in its axes, for those of the tips' frames.
  [[nodiscard]] Motion opening(const Contact& c, const VectorXd& tips) const;
  void find_demand(const VectorXd& tips, VectorXd& rows) const;
  void spread(const VectorXd& rows);
  [[nodiscard]] Given<double> given() const {
    return {at_state.a(), at_state.b(), at_state.g(), {}, at_state.T()};
  }

  void rccfd1(VectorRef a);
  void rccfd2(VectorRef a);
  void rccfd3(VectorRef a);
  void non_rigid(VectorRef a);
  void project(VectorXd& demand);
};

ClosedChain::Room::Room(const Manipulator& of)
    : robot(of),
      work(of.system(), Closures::leave_out),
      at_state(work),
      mobility(at_state),
      pieces(held_pieces(of)),
      contacts(of.system(), contacts_of(of, pieces), static_cast<int>(pieces.size()),
               meeting_node(of) > 0),
      meeting(meeting_node(of)),
      gravity(of.system().tree().gravity) {
  const System& system = of.system();
  const std::vector<FrameId> tips = tips_of(of, pieces);
  at_state.set_tips(tips);
  tip_of_place.resize(tips.size());
  for (std::size_t i = 0; i < tips.size(); ++i)
    tip_of_place[at(at_state.data().tip_place[i])] = static_cast<int>(i);
  for (const Piece& piece : pieces) object_nodes.push_back(system.frame(piece.frame).node);
  // What hangs on one tree feels each other.
  has_structure = meeting >= 0;
  const auto freedoms = [&](std::size_t i) { return of.objects()[at(pieces[i].object)].freedoms; };
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) has_structure = has_structure && freedoms(i) != freedoms(j);
  shares.resize(system.tree().nodes.size(), tips.size());
  const auto n = static_cast<Index>(system.nv()), m = 6 * static_cast<Index>(tips.size()),
             six = 6 * static_cast<Index>(contacts.contacts.size());
  for (VectorXd* x : {&T_free, &theta, &eps, &change}) x->setZero(n);
  for (VectorXd* x : {&alpha, &bias, &t}) x->setZero(m);
  for (VectorXd* x : {&lambda, &part}) x->setZero(contacts.rows());
  Theta.setZero(m, m), Omega6.setZero(six, six), G.setZero(six, six - contacts.rows());
  HG.setZero(G.cols(), G.cols()), x6.setZero(six), W_rate.setZero(G.cols());
}

ClosedChain::ClosedChain(const Manipulator& of) {
  const System& system = of.system();
  if (of.objects().empty())
    throw Error("a closed chain needs a grasp, and no arm of this manipulator holds anything");
  if (system.closures().size() > system.model().grasps.size())
    throw Error(
        fmt::format("RCCFD1–3 know arms that hold objects, and closure '{}' is no grasp: use "
                    "compute_forward_dynamics of a ClosedWorkspace, or UnifiedModel",
                    system.closures().front().name));
  room_ = std::make_unique<Room>(of);
}
ClosedChain::~ClosedChain() = default;

void ClosedChain::Room::place_contacts(const State& state) {
  const auto& s = work.scratch();
  const double fastest = std::max(1.0, state.v.cwiseAbs().maxCoeff());
  bool closed = true;
  for (Contact& c : contacts.contacts) {
    const auto a = at(c.place->node_a), b = at(c.place->node_b);
    c.meeting = closure::meet(*c.place, s.pose[a], s.pose[b], s.V[a], s.V[b]);
    c.place_rows();
    closed = closed && norm(c.meeting.X.translation) <= closed_to;
    for (int i = 0; i < c.rows(); ++i)
      closed = closed && std::abs(dot(c.place->W[i], c.meeting.V)) <= closed_to * fastest;
    // Directions that no rotation of the contact moves.
    const Matrix3& R = c.meeting.X.rotation;
    if (c.place->joint == JointType::fixed)
      closed = closed && norm(Vector3{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy}) <= 2 * closed_to &&
               R.xx + R.yy + R.zz > 0;
    if (c.place->joint == JointType::revolute)
      closed = closed && norm(R * c.place->axis - c.place->axis) <= closed_to;
  }
  if (!closed) require_closed(contacts.closed(), state, closed_to);
}

void ClosedChain::Room::prepare(OmegaSolve solve, const State& state) {
  if (solve == OmegaSolve::structured && has_structure) {
    chain_kernels().shares(at_state.data(), shares, meeting, object_nodes);
    if (contacts.factorize_structured(shares, tip_of_place, meeting, object_nodes)) return;
  }
  mobility.update();
  mobility.compute_inverse_inertia(Theta);
  contacts.factorize_dense(Theta, state.q);
}

Motion ClosedChain::Room::opening(const Contact& c, const VectorXd& tips) const {
  Motion hand = motion_at(tips, c.hand);
  // The world carries the −g that all other accelerations carry.
  if (c.on_world) hand = {{}, transpose_times(c.place->at_a.rotation, -gravity)};
  return to_child(c.at, motion_at(tips, c.object)) - to_child(c.meeting.X, hand);
}

/// r = −W · V̇ of every row, V̇ the opening's rate under the tips' accelerations.
void ClosedChain::Room::find_demand(const VectorXd& tips, VectorXd& rows) const {
  for (const Contact& c : contacts.contacts) {
    const Motion rate = opening(c, tips);
    for (int i = 0; i < c.rows(); ++i) {
      const closure::Row<double> row = closure::row_of(*c.place, c.meeting, i);
      rows[c.row() + i] = -dot(row.W, rate) - closure::row_bias(row, c.meeting);
    }
  }
}

/// t = [−f(0); Aᵀ f(0)]: what the rows' forces do to hands and objects.
void ClosedChain::Room::spread(const VectorXd& rows) {
  t.setZero();
  for (const Contact& c : contacts.contacts) {
    const auto f = rows.segment(c.row(), c.rows());
    t.segment<6>(6 * c.hand).noalias() -= c.on_hand.leftCols(c.rows()) * f;
    t.segment<6>(6 * c.object).noalias() += c.on_object.leftCols(c.rows()) * f;
  }
}

// B speaks for hands and objects alike: the objects are bodies of the tree, and M⁻¹(C) b(C) is part of M⁻¹ T′.
// Bᵀα is without a(0), which the contacts' own biases hold.

/// RCCFD1 (6.11), Δθ̈ with the H and the sign of (6.3)
void ClosedChain::Room::rccfd1(VectorRef a) {
  Evaluation<double>& e = at_state.evaluation();
  const auto biases = at_state.a() + E * at_state.g();
  const Stacked<Space::joint_effort, double> T_{T_free.data()};
  const Stacked<Space::joint_rate, double> theta_f{theta.data()};
  const Stacked<Space::tip_force, double> f{t.data()};
  chain_kernels().free_efforts(e, given(), T_free.data());
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * (I - H * Psi * L) * T_, theta.data());
  evaluate(e, transpose(B) * transpose(phi) * (transpose(H) * theta_f + biases), alpha.data());
  find_demand(alpha, lambda);
  contacts.solve(lambda);
  spread(lambda);
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * H * psi * B * f, change.data());
  a = theta + change;
}

/// RCCFD2 (6.18)
void ClosedChain::Room::rccfd2(VectorRef a) {
  Evaluation<double>& e = at_state.evaluation();
  chain_kernels().free_efforts(e, given(), T_free.data());
  chain_kernels().predict(e, given(), T_free.data(), alpha.data());
  find_demand(alpha, lambda);
  contacts.solve(lambda);
  spread(lambda);
  chain_kernels().correct(e, T_free.data(), t.data(), a.data());
}

/// RCCFD3 (6.22)
void ClosedChain::Room::rccfd3(VectorRef a) {
  Evaluation<double>& e = at_state.evaluation();
  const auto biases = at_state.a() + E * at_state.g();
  const Stacked<Space::joint_effort, double> T_{T_free.data()}, innovation{eps.data()};
  const Stacked<Space::tip_force, double> f{t.data()};
  chain_kernels().free_efforts(e, given(), T_free.data());
  evaluate(e, (I - H * Psi * L) * T_, eps.data());
  evaluate(e, transpose(B) * transpose(psi) * transpose(H) * inverse(D) * innovation, alpha.data());
  evaluate(e, transpose(B) * transpose(phi) * biases, bias.data());
  find_demand(bias, lambda);  // −a′(C)
  bias += alpha;
  find_demand(bias, part);
  part -= lambda;                                // J M⁻¹ T′
  contacts.solve(lambda), contacts.solve(part);  // −ζ(C), and what T′ demands
  spread(part);
  evaluate(e, transpose(I - H * Psi * L) * (inverse(D) * (innovation + H * psi * B * f)),
           theta.data());
  spread(lambda);
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * H * psi * B * f, change.data());
  a = theta + change;
  lambda += part;
}

/// x ← Π x (b.9c), Ẇ(0) (b.9f). Where Ω over all six directions has no inverse, or is to be solved by its
/// structure, Π = Kᵀ (K Ω Kᵀ)⁻¹ K with the contacts' rows K, which is the same.
void ClosedChain::Room::project(VectorXd& demand) {
  bool regular = contacts.solved() == OmegaSolve::dense;
  if (regular) {
    contacts.compute_full_omega(Theta, Omega6);
    regular = factorize_in_place(Omega6, least_pivot);
  }
  if (!regular) {
    for (const Contact& c : contacts.contacts)
      for (int i = 0; i < c.rows(); ++i) {
        const Force& W = c.place->W[i];
        lambda[c.row() + i] = dot(W, motion_at(demand, c.hand));
      }
    contacts.solve(lambda);
    return spread(lambda);
  }
  Index column = 0;
  G.setZero();
  for (const Contact& c : contacts.contacts)
    for (int i = 0; i < c.place->freedoms; ++i, ++column) {
      put_six(c.place->mode[i], G.col(column).segment<6>(6 * c.hand));
    }
  solve_lower(Omega6, G), solve_lower(Omega6, demand);  // Q⁻¹ Hᵀ, Q⁻¹ x of Ω = Q Qᵀ
  HG = G.transpose().lazyProduct(G);
  W_rate = -G.transpose().lazyProduct(demand);
  if (!factorize_in_place(HG, least_pivot))
    throw Error("H(0) Ω⁻¹ Hᵀ(0) has no inverse", Error::Kind::failed_computation);
  solve_in_place(HG, W_rate);
  demand += G.lazyProduct(W_rate);
  solve_upper(Omega6, demand);
  // f(0) as numbers per row: f = Σ λ W, with the complements that read them off.
  for (const Contact& c : contacts.contacts)
    for (int i = 0; i < c.rows(); ++i) {
      const Motion& m = c.place->complement[i];
      const auto f = demand.segment<6>(6 * c.hand);
      lambda[c.row() + i] = m.angular.x * f[0] + m.angular.y * f[1] + m.angular.z * f[2] +
                            m.linear.x * f[3] + m.linear.y * f[4] + m.linear.z * f[5];
    }
  has_rate = true;
  spread(lambda);
}

/// (b.9): f(0) = Π (J M⁻¹ T + G₁), G₁ the biases less J M⁻¹ C
void ClosedChain::Room::non_rigid(VectorRef a) {
  Evaluation<double>& e = at_state.evaluation();
  const auto biases = at_state.a() + E * at_state.g();
  const Stacked<Space::joint_effort, double> C{T_free.data()};
  const Stacked<Space::joint_rate, double> of_T{theta.data()}, of_C{change.data()};
  const Stacked<Space::tip_force, double> f{t.data()};
  const auto minv = transpose(I - H * Psi * L) * inverse(D) * (I - H * Psi * L);
  evaluate(e, minv * at_state.T(), theta.data());
  evaluate(e, H * phi * (M * (transpose(phi) * biases) + at_state.b()), T_free.data());
  evaluate(e, minv * C, change.data());
  evaluate(e, transpose(B) * transpose(phi) * (transpose(H) * (of_T - of_C) + biases),
           alpha.data());
  for (const Contact& c : contacts.contacts) {
    const Motion rate = opening(c, alpha) + c.meeting.bias;
    put_six(-rate, x6.segment<6>(6 * c.hand));
  }
  project(x6);
  a = theta - change;
  evaluate(e, transpose(I - H * Psi * L) * inverse(D) * H * psi * B * f, change.data());
  a += change;
}

ClosedChainReport ClosedChain::compute_forward_dynamics(ClosedAlgorithm algorithm, OmegaSolve solve,
                                                        const State& state,
                                                        const ConstVectorRef& tau,
                                                        ExternalForces forces, VectorRef a) {
  Room& r = *room_;
  r.solved = r.has_rate = false;
  door::check_output(a.size(), r.robot.system().nv(), "a");
  r.at_state.update(state, tau, forces);
  r.place_contacts(state);
  r.prepare(solve, state);
  switch (algorithm) {
    case ClosedAlgorithm::RCCFD1:
      r.rccfd1(a);
      break;
    case ClosedAlgorithm::RCCFD2:
      r.rccfd2(a);
      break;
    case ClosedAlgorithm::RCCFD3:
      r.rccfd3(a);
      break;
    case ClosedAlgorithm::non_rigid:
      r.non_rigid(a);
      break;
  }
  r.contacts.shorten(r.lambda);
  r.theta = a;
  r.solved = true;
  return {r.contacts.rows(), r.contacts.rank(), r.contacts.solved()};
}

namespace {
/// Nothing for an arm that holds nothing.
const Contact* contact_of(const Manipulator& robot, const std::vector<Contact>& contacts, int arm,
                          bool solved) {
  if (!solved)
    throw Error(
        "a closed chain has no forces yet: call ClosedChain::compute_forward_dynamics first");
  arm_at(robot, arm);
  const auto found = std::ranges::find(contacts, arm, &Contact::arm);
  return found == contacts.end() ? nullptr : &*found;
}
}  // namespace

Force ClosedChain::end_force(int arm) const {
  const Contact* c = contact_of(room_->robot, room_->contacts.contacts, arm, room_->solved);
  Force sum{};
  for (int i = 0; c != nullptr && i < c->rows(); ++i)
    sum += room_->lambda[c->row() + i] * c->place->W[i];
  return sum;
}

void ClosedChain::compute_contact_motion(int arm, VectorRef W, VectorRef W_rate) const {
  Room& r = *room_;
  const Contact* found = contact_of(r.robot, r.contacts.contacts, arm, r.solved);
  if (found == nullptr)
    throw Error(fmt::format("arm '{}' holds nothing: it has no contact that could roll",
                            arm_at(r.robot, arm).tip));
  const Contact& c = *found;
  door::check_output(W.size(), c.place->freedoms, "W");
  door::check_output(W_rate.size(), c.place->freedoms, "W_rate");
  const Stacked<Space::joint_rate, double> theta_dd{r.theta.data()};
  evaluate(r.at_state.evaluation(),
           transpose(B) * transpose(phi) *
               (transpose(H) * theta_dd + r.at_state.a() + E * r.at_state.g()),
           r.alpha.data());
  const Motion rate = r.opening(c, r.alpha);
  for (int i = 0; i < c.place->freedoms; ++i) {
    const closure::Row<double> row = closure::closing_row(*c.place, c.meeting, i);
    W[i] = dot(row.W, c.meeting.V);
    W_rate[i] = dot(row.W, rate) + closure::row_bias(row, c.meeting);
  }
  if (!r.has_rate) return;
  Index first = 0;  // (b.9f), contact after contact
  for (const Contact& before : r.contacts.contacts) {
    if (&before == found) break;
    first += before.place->freedoms;
  }
  W_rate = r.W_rate.segment(first, c.place->freedoms);
}

void ClosedChain::compute_omega(MatrixRef out) {
  Room& r = *room_;
  door::check_output(out, r.contacts.rows(), r.contacts.rows(), "omega");
  check_updated(r.at_state);
  r.mobility.update();
  r.mobility.compute_inverse_inertia(r.Theta);
  r.contacts.compute_omega(r.Theta, out);
}

}  // namespace linkwright::manipulator
