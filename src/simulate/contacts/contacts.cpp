#include "linkwright/simulate/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "simulate/contacts/room.hpp"

namespace linkwright {
namespace {

bool is_limited(const Limits& limits) {
  return std::isfinite(limits.lower) || std::isfinite(limits.upper);
}

void add_tree(const System& system, std::vector<ContactFreedom>& all) {
  const ReflectedFreedoms reflected = to_reflected(system.model());
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    const Joint& joint = system.model().joints[j];
    for (int i = 0; i < place.nv; ++i) {
      ContactFreedom freedom{.name = system.velocity_names()[static_cast<std::size_t>(place.v + i)],
                             .v = place.v + i,
                             .q = place.quaternion < 0 ? place.q + i : -1,
                             .plain = place.quaternion < 0,
                             .friction = reflected.joints[j][static_cast<std::size_t>(i)].friction,
                             .limits = per_freedom(joint.limits, i, Limits{})};
      if (freedom.q < 0) freedom.limits = {};
      if (has_friction(freedom.friction) || is_limited(freedom.limits))
        all.push_back(std::move(freedom));
    }
  }
}

void add_closing(const System& system, std::vector<ContactFreedom>& all) {
  for (const ClosurePlace& place : system.closures())
    for (int i = 0; i < place.freedoms; ++i) {
      const ClosingFreedom& f = place.freedom[i];
      const bool plain = !place.carries_pose() && place.commutes;
      ContactFreedom freedom{
          .name = system.closing_names()[static_cast<std::size_t>(place.closing + i)],
          .closing = place.closing + i,
          .plain = plain,
          .friction = {f.friction_forward, f.friction_backward, f.breakaway},
          .limits = plain ? f.limits : Limits{}};
      if (has_friction(freedom.friction) || is_limited(freedom.limits))
        all.push_back(std::move(freedom));
    }
}

}  // namespace

std::vector<ContactFreedom> contact_freedoms(const System& system, Closures closures) {
  std::vector<ContactFreedom> all;
  add_tree(system, all);
  if (closures != Closures::leave_out) add_closing(system, all);
  return all;
}

Contacts::Contacts(std::vector<ContactFreedom> freedoms,
                   std::unique_ptr<ContactMechanism> mechanism)
    : freedoms_(std::move(freedoms)), mechanism_(std::move(mechanism)) {
  const auto n = static_cast<Eigen::Index>(freedoms_.size());
  const System& system = mechanism_->system();
  for (const ContactFreedom& freedom : freedoms_) {
    has_friction_ = has_friction_ || linkwright::has_friction(freedom.friction);
    has_closing_ = has_closing_ || freedom.closing >= 0;
  }
  conditions_.resize(freedoms_.size());
  released_.resize(freedoms_.size());
  reached_.resize(freedoms_.size());
  edges_ = Eigen::MatrixXd::Zero(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Limits& limits = freedoms_[static_cast<std::size_t>(i)].limits;
    edges_.row(i) << limits.lower, limits.upper;
  }
  held_.reserve(freedoms_.size());
  make_closing_room();
  x_ = w_ = force_ = place_ = Eigen::VectorXd::Zero(n);
  tau_ = Eigen::VectorXd::Zero(system.effort_count());
  a_ = Eigen::VectorXd::Zero(system.nv());
  room_ = std::make_unique<Room>(n);
  Standing& standing = room_->standing;
  standing.q = Eigen::VectorXd::Zero(system.nq()), standing.f = x_;
  standing.tau = tau_, standing.closing = closing_;
}
Contacts::~Contacts() = default;

void Contacts::make_closing_room() {
  const auto closing = static_cast<Eigen::Index>(mechanism_->system().closing_names().size());
  closing_ = closing_x_ = closing_w_ = Eigen::VectorXd::Zero(closing);
}

void Contacts::exchange_mechanism(std::unique_ptr<ContactMechanism>& other) {
  std::swap(mechanism_, other);
  make_closing_room();
  room_->standing.known = false;
}

void Contacts::let_stops_act() {
  stops_act_ = std::any_of(freedoms_.begin(), freedoms_.end(),
                           [](const ContactFreedom& f) { return is_limited(f.limits); });
}

int Contacts::find(int v, int closing) const {
  for (int i = 0; i < count(); ++i) {
    const ContactFreedom& freedom = freedoms_[static_cast<std::size_t>(i)];
    if (freedom.v == v && freedom.closing == closing) return i;
  }
  return -1;
}

double Contacts::limit(int i, int side) const { return edges_(i, side > 0 ? 1 : 0); }
bool Contacts::has_stop(int i, int side) const {
  return stops_act_ && std::isfinite(limit(i, side));
}
bool Contacts::is_rigid(int i) const {
  return std::isinf(freedoms_[static_cast<std::size_t>(i)].limits.stiffness);
}
bool Contacts::rubs(int i) const {
  return linkwright::has_friction(freedoms_[static_cast<std::size_t>(i)].friction);
}

/// Of the force that holds a freedom: friction's, without end towards the inside of a stop.
Contacts::Bounds Contacts::bounds(int i) const {
  const Friction& f = freedoms_[static_cast<std::size_t>(i)].friction;
  const int touch = conditions_[static_cast<std::size_t>(i)].touch;
  // Limits without room between them hold both ways.
  if (touch != 0 && is_rigid(i) && !has_room(i)) return {-infinite, infinite};
  return {touch > 0 ? -infinite : -grip * std::max(f.forward, f.breakaway),
          touch < 0 ? infinite : grip * std::max(f.backward, f.breakaway)};
}

bool Contacts::has_room(int i) const {
  return !has_stop(i, -1) || !has_stop(i, 1) || limit(i, 1) - limit(i, -1) > 4 * bounce_height(i);
}

double Contacts::position(int i, const State& state) {
  read(state);
  return x_[i];
}

double Contacts::friction_force(int i) const {
  const Friction& f = freedoms_[static_cast<std::size_t>(i)].friction;
  return std::clamp(force_[i], -std::max(f.forward, f.breakaway),
                    std::max(f.backward, f.breakaway));
}
double Contacts::stop_force(int i) const {
  const bool touches = conditions_[static_cast<std::size_t>(i)].touch != 0;
  return room_->push[i] + (touches ? force_[i] - friction_force(i) : 0);
}

void Contacts::add_forces(VectorRef tau, std::span<double> closing) const {
  for (int i = 0; i < count(); ++i) {
    const ContactFreedom& freedom = freedoms_[static_cast<std::size_t>(i)];
    double& effort =
        freedom.closing < 0 ? tau[freedom.v] : closing[static_cast<std::size_t>(freedom.closing)];
    effort += force_[i] + room_->push[i];
  }
}

void Contacts::read(const State& state) {
  if (has_closing_) mechanism_->read_closing(state, closing_x_, closing_w_);
  for (int i = 0; i < count(); ++i) {
    const ContactFreedom& freedom = freedoms_[static_cast<std::size_t>(i)];
    if (freedom.closing >= 0) {
      x_[i] = closing_x_[freedom.closing], w_[i] = closing_w_[freedom.closing];
    } else {
      x_[i] = freedom.q < 0 ? 0 : state.q[freedom.q], w_[i] = state.v[freedom.v];
    }
  }
}

/// What a compliant stop pushes with, towards the inside; read() has been there.
double Contacts::stop_push(int i, int side) const {
  const Limits& limits = freedoms_[static_cast<std::size_t>(i)].limits;
  return limits.stiffness * side * (x_[i] - limit(i, side)) + limits.damping * side * w_[i];
}

void Contacts::apply_known_forces(const State& state) {
  if (!begun_ || pushes()) read(state);
  for (int i = 0; i < count(); ++i) {
    const ContactFreedom& freedom = freedoms_[static_cast<std::size_t>(i)];
    const Condition& condition = conditions_[static_cast<std::size_t>(i)];
    const bool forward = begun_ ? condition.mode == Mode::forward : w_[i] > 0;
    const bool backward = begun_ ? condition.mode == Mode::backward : w_[i] < 0;
    force_[i] = forward ? -freedom.friction.forward : backward ? freedom.friction.backward : 0;
    room_->push[i] = 0;
    for (const int side : {-1, 1})
      if (condition.press[side > 0 ? 1 : 0] == Press::pushed)
        room_->push[i] -= side * stop_push(i, side);
  }
}

void Contacts::compute_accelerations(const State& state, const ConstVectorRef& input,
                                     ExternalForces forces, VectorRef a) {
  if (!has_friction_ && held_.empty() && !pushes()) {
    force_.setZero(), room_->push.setZero();
    closing_.setZero();
    tau_ = input;
    return mechanism_->accelerate(state, tau_, closing_, forces, a);
  }
  tau_ = input;
  closing_.setZero();
  apply_known_forces(state);
  add_forces(tau_, {closing_.data(), static_cast<std::size_t>(closing_.size())});
  if (held_.empty()) {
    room_->standing.known = false;
    return mechanism_->accelerate(state, tau_, closing_, forces, a);
  }
  Room& room = *room_;
  Standing& standing = room.standing;
  if (forces.empty() && standing.held_changes == held_changes_ &&
      standing.is_still(*mechanism_, state, tau_, closing_)) {
    a.setZero();
    room.rank = static_cast<int>(held_.size());
    return take_holding_forces(standing.f);
  }
  standing.known = false;
  standing.tau = tau_, standing.closing = closing_;
  if (mechanism_->hold(state, tau_, closing_, forces, freedoms_, held_, a, room.f)) {
    room.rank = static_cast<int>(held_.size());
    take_holding_forces(room.f);
  } else {
    mechanism_->accelerate(state, tau_, closing_, forces, a);
    hold(state, forces, a);
  }
  if (room.rank != mechanism_->mobility() || (state.v.array() != 0).any()) return;
  // What is locked altogether and stands keeps standing, to the last bit.
  a.setZero();
  standing.q = state.q, standing.f = room.f;
  standing.held_changes = held_changes_;
  standing.computations = mechanism_->computations();
  // Where freedoms that are held depend on each other their forces are a choice made later.
  standing.known = forces.empty() && room.rank == static_cast<int>(held_.size());
}

void Contacts::take_holding_forces(const Eigen::VectorXd& f) {
  for (std::size_t k = 0; k < held_.size(); ++k) force_[held_[k]] = f[static_cast<Eigen::Index>(k)];
}

/// The forces under which held freedoms have no acceleration.
void Contacts::hold(const State& state, ExternalForces forces, VectorRef a) {
  Room& room = *room_;
  mechanism_->respond(state, freedoms_, held_);
  mechanism_->read_accelerations(state, a, freedoms_, held_, room.w0);
  room.first.clear();
  for (std::size_t k = 0; k < held_.size(); ++k) {
    room.first.push_back(static_cast<int>(k));
    room.right[static_cast<Eigen::Index>(k)] = -room.w0[static_cast<Eigen::Index>(k)];
  }
  room.rank = room.solver.factorise(mechanism_->response(), room.first);
  room.solver.solve(room.right, room.f);
  room.boxed = false;
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const ContactFreedom& freedom = freedoms_[static_cast<std::size_t>(held_[k])];
    const double f = room.f[static_cast<Eigen::Index>(k)];
    force_[held_[k]] = f;
    (freedom.closing < 0 ? tau_[freedom.v] : closing_[freedom.closing]) += f;
    if (!mechanism_->wants_last_word())
      a += f * mechanism_->columns().col(static_cast<Eigen::Index>(k));
  }
  if (mechanism_->wants_last_word()) mechanism_->accelerate(state, tau_, closing_, forces, a);
  for (const int i : held_)
    if (freedoms_[static_cast<std::size_t>(i)].closing < 0)
      a[freedoms_[static_cast<std::size_t>(i)].v] = 0;
}

/// How far the force that holds a freedom is within its bounds, at the rates computed last. Where freedoms
/// depend on each other some forces within the bounds must do: then the margin is 1, or how much they miss.
double Contacts::margin(int i) {
  Room& room = *room_;
  if (room.rank == static_cast<int>(held_.size())) {
    const Bounds b = bounds(i);
    double scale = 0;
    for (const double x : {b.lower, b.upper})
      if (std::isfinite(x)) scale = std::max(scale, std::abs(x));
    const double room_left = std::min(force_[i] - b.lower, b.upper - force_[i]);
    return std::isfinite(room_left) ? room_left / (scale > 0 ? scale : 1) : 1;
  }
  if (!room.boxed) {
    const auto n = static_cast<Eigen::Index>(held_.size());
    for (Eigen::Index k = 0; k < n; ++k) {
      const Bounds b = bounds(held_[static_cast<std::size_t>(k)]);
      room.lower[k] = b.lower, room.upper[k] = b.upper;
    }
    room.boxed =
        room.box.solve(n, mechanism_->response(), room.w0, room.lower, room.upper, room.f, room.w);
    room.slip = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      force_[held_[static_cast<std::size_t>(k)]] = room.f[k];
      const double unit = room.box.rounding(k) / box_rounding;
      if (unit > 0) room.slip = std::max(room.slip, std::abs(room.w[k]) / unit);
    }
  }
  return room.slip > holding_part ? -room.slip : 1;
}

bool Contacts::needs_rates(int watch) const {
  return watch % 3 == 0 && conditions_[static_cast<std::size_t>(watch / 3)].mode == Mode::held;
}

double Contacts::value(int watch, const State& now) {
  const int i = watch / 3;
  const ContactFreedom& freedom = freedoms_[static_cast<std::size_t>(i)];
  if (freedom.closing >= 0)
    read(now);
  else
    x_[i] = freedom.q < 0 ? 0 : now.q[freedom.q], w_[i] = now.v[freedom.v];
  return value_read(watch);
}

double Contacts::value_read(int watch) {
  const int i = watch / 3;
  const Condition& condition = conditions_[static_cast<std::size_t>(i)];
  if (watch % 3 == 0) {
    if (condition.mode == Mode::held) return margin(i);
    if (condition.mode == Mode::forward) return w_[i];
    return condition.mode == Mode::backward ? -w_[i] : 1;
  }
  const int side = watch % 3 == 1 ? -1 : 1;
  if (!has_stop(i, side) || condition.touch == side) return 1;
  const double gap = side * (limit(i, side) - x_[i]);
  const Press press = condition.press[side > 0 ? 1 : 0];
  if (is_rigid(i) || press == Press::out) return gap;
  const double push = stop_push(i, side);
  return press == Press::pushed ? push : std::min(-gap, -push);
}

double Contacts::slope_read(int watch) const {
  const int i = watch / 3, side = watch % 3 == 1 ? -1 : 1;
  const Condition& condition = conditions_[static_cast<std::size_t>(i)];
  if (watch % 3 == 0 || !has_stop(i, side) || condition.touch == side) return 0;
  const bool gap = is_rigid(i) || condition.press[side > 0 ? 1 : 0] == Press::out;
  return gap ? -side * w_[i] : 0;
}

double Contacts::slack(int watch) const {
  const int i = watch / 3;
  if (watch % 3 == 0)
    return conditions_[static_cast<std::size_t>(i)].mode == Mode::held ? force_rounding
                                                                       : rate_rounding;
  return is_rigid(i) ? touching * (1 + std::abs(limit(i, watch % 3 == 1 ? -1 : 1))) : 0;
}

std::string Contacts::describe(int watch) const {
  const std::string joint =
      "joint " + in_quotes(freedoms_[static_cast<std::size_t>(watch / 3)].name);
  if (watch % 3 == 0) return "dry friction of " + joint;
  return fmt::format("the {} limit of {}", watch % 3 == 1 ? "lower" : "upper", joint);
}

void Contacts::list_all_held() {
  std::vector<int>& found = room_->found;
  found.clear();
  for (int i = 0; i < count(); ++i)
    if (conditions_[static_cast<std::size_t>(i)].mode == Mode::held) found.push_back(i);
  if (found == held_) return;
  held_ = found;
  ++held_changes_;
}

void Contacts::look_back(Conditions& conditions) {
  conditions_.swap(conditions);
  list_all_held();
}

void Contacts::settle_forces() {
  for (const int i : held_) margin(i);
}

bool Contacts::pushes() const {
  return std::any_of(conditions_.begin(), conditions_.end(), [](const Condition& c) {
    return c.press[0] == Press::pushed || c.press[1] == Press::pushed;
  });
}

void Contacts::list_held(std::vector<HeldFreedom>& out) const {
  out.clear();
  for (const int i : held_) {
    const ContactFreedom& f = freedoms_[static_cast<std::size_t>(i)];
    out.push_back({f.v, f.closing, f.q, place_[i], f.plain});
  }
}

void Contacts::forget() {
  begun_ = false;
  released_at_ = -infinite;
  std::fill(conditions_.begin(), conditions_.end(), Condition{});
  std::fill(reached_.begin(), reached_.end(), 0);
  list_all_held();
}

/// Numbers that describe one freedom.
constexpr std::size_t remembered = 7;

std::vector<double> Contacts::memory() const {
  std::vector<double> all{begun_ ? 1.0 : 0.0, stops_act_ ? 1.0 : 0.0};
  for (int i = 0; i < count(); ++i) {
    const Condition& c = conditions_[static_cast<std::size_t>(i)];
    // Where there is no limit there is no edge, and a checkpoint holds finite numbers.
    const auto beyond = [&](int side) { return has_stop(i, side) ? limit(i, side) : 0; };
    all.insert(all.end(), {static_cast<double>(c.mode), static_cast<double>(c.touch),
                           static_cast<double>(c.press[0]), static_cast<double>(c.press[1]),
                           place_[i], beyond(-1), beyond(1)});
  }
  return all;
}

bool Contacts::set_memory(const std::vector<double>& memory) {
  constexpr std::size_t first = 2;
  if (memory.size() != first + remembered * freedoms_.size()) return false;
  if ((memory[1] != 0) != stops_act_) return false;
  const auto counts = [](double x, double low, double high) {
    return x >= low && x <= high && x == std::nearbyint(x);
  };
  for (std::size_t i = 0; i < freedoms_.size(); ++i) {
    const double* m = memory.data() + first + remembered * i;
    if (!counts(m[0], 0, 4) || !counts(m[1], -1, 1) || !counts(m[2], 0, 2) || !counts(m[3], 0, 2))
      return false;
    const Limits& limits = freedoms_[i].limits;
    for (const int side : {0, 1}) {
      const double limit = side == 0 ? limits.lower : limits.upper;
      if (has_stop(static_cast<int>(i), 2 * side - 1) &&
          std::abs(m[5 + side] - limit) > 1e-8 * (1 + std::abs(limit)))
        return false;
    }
  }
  begun_ = memory[0] != 0;
  for (std::size_t i = 0; i < freedoms_.size(); ++i) {
    const double* m = memory.data() + first + remembered * i;
    const auto row = static_cast<Eigen::Index>(i);
    conditions_[i] = {static_cast<Mode>(m[0]),
                      static_cast<int>(m[1]),
                      {static_cast<Press>(m[2]), static_cast<Press>(m[3])}};
    place_[row] = m[4];
    for (const int side : {0, 1})
      if (has_stop(static_cast<int>(i), 2 * side - 1)) edges_(row, side) = m[5 + side];
  }
  list_all_held();
  return true;
}

}  // namespace linkwright
