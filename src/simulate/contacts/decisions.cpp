/// What friction and stops come to at an instant: which freedoms are hit, which stay, which slide.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "linkwright/simulate/contacts.hpp"
#include "linkwright/simulate/equations.hpp"
#include "simulate/contacts/room.hpp"
#include "spatial/index.hpp"

namespace linkwright {
namespace {

const char* side_name(int side) { return side < 0 ? "lower" : "upper"; }

}  // namespace

/// The rise of a rebound that counts as none.
double Contacts::bounce_height(int i) const {
  const Limits& l = freedoms_[at(i)].limits;
  return touching * (1 + std::max(std::isfinite(l.lower) ? std::abs(l.lower) : 0,
                                  std::isfinite(l.upper) ? std::abs(l.upper) : 0));
}

/// The side of the rigid stop that a freedom touches, 0: none.
int Contacts::touched_side(int i) const {
  if (!is_rigid(i)) return 0;
  if (reached_[at(i)] != 0) return reached_[at(i)];
  if (conditions_[at(i)].touch != 0) return conditions_[at(i)].touch;
  for (const int side : {-1, 1})
    if (has_stop(i, side) && side * (limit(i, side) - x_[i]) <= 2 * bounce_height(i)) return side;
  return 0;
}

/// Takes away the small rates that are left of freedoms that have come to rest, by impulses that the
/// mechanism resists. A rate that is zero because of where the mechanism stands (a rocker at its dead point)
/// is no rest: there the impulse would stop everything else, and is left out.
void Contacts::push_rates(FullState& now, const std::vector<int>& which) {
  Room& room = *room_;
  if (std::all_of(which.begin(), which.end(), [this](int i) { return w_[i] == 0; })) return;
  mechanism_->respond(now.state, freedoms_, which);
  const Eigen::MatrixXd &R = mechanism_->response(), &columns = mechanism_->columns();
  const double most = largest_correction * (1 + now.state.v.cwiseAbs().maxCoeff());
  room.first.clear();
  for (std::size_t k = 0; k < which.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const double change = std::abs(w_[which[k]]) * columns.col(row).cwiseAbs().maxCoeff();
    if (!(change <= most * R(row, row))) continue;
    room.right[static_cast<Eigen::Index>(room.first.size())] = -w_[which[k]];
    room.first.push_back(static_cast<int>(k));
  }
  room.solver.factorise(R, room.first);
  room.solver.solve(room.right, room.f);
  for (std::size_t n = 0; n < room.first.size(); ++n)
    now.state.v += room.f[static_cast<Eigen::Index>(n)] * columns.col(room.first[n]);
  for (const int k : room.first) {
    const ContactFreedom& freedom = freedoms_[at(which[static_cast<std::size_t>(k)])];
    if (freedom.closing < 0) now.state.v[freedom.v] = 0;
  }
}

/// Freedoms that stand still are undecided; the others slide, or are free.
void Contacts::judge_by_rates() {
  for (int i = 0; i < count(); ++i) {
    Condition& c = conditions_[at(i)];
    const int side = touched_side(i);
    if (std::abs(w_[i]) <= slowest_rate && (rubs(i) || side != 0)) {
      c.mode = Mode::open, c.touch = side;
      continue;
    }
    c.touch = 0;
    c.mode = !rubs(i) ? Mode::free : w_[i] > 0 ? Mode::forward : Mode::backward;
  }
  list_all_held();
}

/// Brings to exact rest what is undecided.
void Contacts::rest_undecided(FullState& now) {
  std::vector<int>& which = room_->which;
  which.clear();
  for (int i = 0; i < count(); ++i)
    if (conditions_[at(i)].mode == Mode::open) which.push_back(i);
  push_rates(now, which);
  for (const int i : which) {
    const ContactFreedom& freedom = freedoms_[at(i)];
    const int touch = conditions_[at(i)].touch;
    if (touch != 0 && freedom.q >= 0 && !mechanism_->wants_last_word())
      now.state.q[freedom.q] = limit(i, touch);
  }
}

/// Impulses of the rigid stops: none pulls, and whatever is hit leaves with its restitution's part of
/// the speed, at least. Friction's forces are finite and have no impulse.
void Contacts::hit_stops(FullState& now, const Evaluate& evaluate, const Tell& tell) {
  Room& room = *room_;
  std::vector<int> touched;
  room.hit.clear();
  for (int i = 0; i < count(); ++i) {
    const int side = touched_side(i);
    if (side == 0) continue;
    touched.push_back(i);
    if (side * w_[i] > slowest_rate) room.hit.push_back(i);
  }
  if (room.hit.empty()) return;
  evaluate(now, a_);
  mechanism_->respond(now.state, freedoms_, touched);
  mechanism_->read_accelerations(now.state, a_, freedoms_, touched, room.w);
  const auto n = static_cast<Eigen::Index>(touched.size());
  for (Eigen::Index k = 0; k < n; ++k) {
    const int i = touched[static_cast<std::size_t>(k)], side = touched_side(i);
    double e = has_room(i) ? freedoms_[at(i)].limits.restitution : 0;
    const double rebound = e * w_[i], pressed = side * room.w[k];
    // A rebound that hardly rises would be followed by endless others.
    if (pressed > 0 && rebound * rebound < 2 * pressed * bounce_height(i)) e = 0;
    room.w0[k] = (1 + (side * w_[i] > 0 ? e : 0)) * w_[i];
    room.lower[k] = side > 0 ? -infinite : 0, room.upper[k] = side > 0 ? 0 : infinite;
    if (side * w_[i] > slowest_rate)
      tell(fmt::format("joint {} reaches its {} limit {:g}", in_quotes(freedoms_[at(i)].name),
                       side_name(side), limit(i, side)));
  }
  if (!room.box.solve(n, mechanism_->response(), room.w0, room.lower, room.upper, room.f, room.w))
    throw Error(fmt::format("joint {} is driven against its limit by a motion that is given; let "
                            "the motion end before it",
                            in_quotes(freedoms_[at(touched.front())].name)),
                Error::Kind::failed_computation);
  const double before = w_.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < n; ++k) now.state.v += room.f[k] * mechanism_->columns().col(k);
  read(now.state);
  // What the impulse has stopped has stopped.
  for (const int i : touched)
    if (freedoms_[at(i)].closing < 0 && std::abs(w_[i]) <= 1e-13 * before)
      now.state.v[freedoms_[at(i)].v] = w_[i] = 0;
  jumped_ = true;
}

/// The complementarity problem over all undecided freedoms. Those that slide from rest may resist less
/// than they did at rest (breakaway): then what is left is decided again.
void Contacts::decide(FullState& now, const Evaluate& evaluate) {
  Room& room = *room_;
  for (;;) {
    list_all_held();
    std::vector<int>& which = room.which;
    which.clear();
    for (int i = 0; i < count(); ++i)
      if (conditions_[at(i)].mode == Mode::open) which.push_back(i);
    if (which.empty()) return;
    evaluate(now, a_);
    mechanism_->respond(now.state, freedoms_, which);
    mechanism_->read_accelerations(now.state, a_, freedoms_, which, room.w0);
    const auto n = static_cast<Eigen::Index>(which.size());
    for (Eigen::Index k = 0; k < n; ++k) {
      const Bounds b = bounds(which[static_cast<std::size_t>(k)]);
      room.lower[k] = b.lower, room.upper[k] = b.upper;
    }
    if (!room.box.solve(n, mechanism_->response(), room.w0, room.lower, room.upper, room.f, room.w))
      throw Error(fmt::format("friction and stops leave no motion at t = {:.9g} s: joint {} is "
                              "driven against its limit",
                              now.state.t, in_quotes(freedoms_[at(which.front())].name)),
                  Error::Kind::failed_computation);
    if (let_go(which)) continue;
    for (const int i : which) {
      Condition& c = conditions_[at(i)];
      if (c.mode != Mode::open) continue;
      c.mode = Mode::held;
      place_[i] = c.touch != 0 ? limit(i, c.touch) : x_[i];
    }
    return list_all_held();
  }
}

/// Of the problem solved last: what moves, slides. Answers whether some of it now resists less.
bool Contacts::let_go(const std::vector<int>& which) {
  Room& room = *room_;
  bool less = false;
  for (std::size_t k = 0; k < which.size(); ++k) {
    const int i = which[k];
    const auto row = static_cast<Eigen::Index>(k);
    if (room.box.side(row) == BoxProblem::Side::within ||
        std::abs(room.w[row]) <= room.box.rounding(row))
      continue;
    const Friction& friction = freedoms_[at(i)].friction;
    const bool forward = room.w[row] > 0;
    slide(i, forward ? 1 : -1);
    less =
        less || (rubs(i) && friction.breakaway > (forward ? friction.forward : friction.backward));
  }
  return less;
}

void Contacts::slide(int i, int direction) {
  Condition& c = conditions_[at(i)];
  c.touch = 0;
  c.mode = !rubs(i) ? Mode::free : direction > 0 ? Mode::forward : Mode::backward;
}

/// A joint that stands beyond a rigid stop by rounding touches it where it stands.
void Contacts::find_edges() {
  for (int i = 0; i < count(); ++i)
    for (const int side : {-1, 1}) {
      double& edge = edges_(i, side > 0 ? 1 : 0);
      const double given = side < 0 ? freedoms_[at(i)].limits.lower : freedoms_[at(i)].limits.upper;
      const double beyond = side * (x_[i] - given);
      const bool rounding = beyond > 0 && beyond <= 1e-8 * (1 + std::abs(given));
      edge = is_rigid(i) && conditions_[at(i)].touch != side && rounding ? x_[i] : given;
    }
}

/// Joints of the tree have been judged before the run.
void Contacts::check_closing_limits() const {
  for (int i = 0; i < count(); ++i) {
    if (freedoms_[at(i)].closing < 0 || !is_rigid(i)) continue;
    for (const int side : {-1, 1}) {
      const double beyond = side * (x_[i] - limit(i, side));
      if (!has_stop(i, side) || beyond <= 1e-8 * (1 + std::abs(limit(i, side)))) continue;
      throw Error(fmt::format(
          "joint {}, which closes a loop, stands at {:.6g} beyond its {} limit {:g}; give "
          "a start within the limits, or ignore limits (--limits ignore)",
          in_quotes(freedoms_[at(i)].name), x_[i], side_name(side), limit(i, side)));
    }
  }
}

void Contacts::begin(FullState& now, const Evaluate& evaluate, const Tell& tell) {
  forget();
  begun_ = true, jumped_ = false;
  read(now.state);
  find_edges();
  check_closing_limits();
  for (int i = 0; i < count(); ++i)
    for (const int side : {-1, 1})
      if (has_stop(i, side) && !is_rigid(i) && side * (x_[i] - limit(i, side)) >= 0)
        conditions_[at(i)].press[side > 0 ? 1 : 0] = stop_push(i, side) > 0    ? Press::pushed
                                                     : x_[i] != limit(i, side) ? Press::left
                                                                               : Press::out;
  judge_by_rates();
  hit_stops(now, evaluate, tell);
  if (jumped_) judge_by_rates();
  finish_decision(now, evaluate);
}

/// With modes judged by rates.
void Contacts::finish_decision(FullState& now, const Evaluate& evaluate) {
  rest_undecided(now);
  read(now.state);
  if (jumped_) room_->undecided = conditions_;
  decide(now, evaluate);
  if (jumped_) lay_down(now, evaluate);
  find_edges();
}

/// A freedom that an impulse elsewhere has kicked off its stop, and that is pressed back before it has risen by what
/// counts, lies there: two stops that kick each other would do so for ever. After a decision, whose
/// accelerations tell what presses.
void Contacts::lay_down(FullState& now, const Evaluate& evaluate) {
  Room& room = *room_;
  std::vector<int> lifted;
  for (int i = 0; i < count(); ++i) {
    const Mode mode = conditions_[at(i)].mode;
    const bool rebounds = std::find(room.hit.begin(), room.hit.end(), i) != room.hit.end();
    if (mode != Mode::held && mode != Mode::open && !rebounds && touched_side(i) * w_[i] < 0)
      lifted.push_back(i);
  }
  if (lifted.empty()) return;
  evaluate(now, a_);
  mechanism_->read_accelerations(now.state, a_, freedoms_, lifted, room.w);
  std::vector<int> lying;
  for (std::size_t k = 0; k < lifted.size(); ++k) {
    const int i = lifted[k], side = touched_side(i);
    const double pressed = side * room.w[static_cast<Eigen::Index>(k)];
    if (pressed > 0 && w_[i] * w_[i] < 2 * pressed * highest_kick * bounce_height(i))
      lying.push_back(i);
  }
  if (lying.empty()) return;
  // What was decided while they rose is open again.
  for (int i = 0; i < count(); ++i)
    if (room.undecided[at(i)].mode == Mode::open) conditions_[at(i)] = room.undecided[at(i)];
  const Conditions risen = conditions_;
  for (const int i : lying)
    conditions_[at(i)].mode = Mode::open, conditions_[at(i)].touch = touched_side(i);
  list_all_held();
  rest_undecided(now);
  read(now.state);
  for (const int i : lying)  // the impulse would have stopped everything else: it goes on rising
    if (std::abs(w_[i]) > slowest_rate) conditions_[at(i)] = risen[at(i)];
  decide(now, evaluate);
}

void Contacts::decide_again(FullState& now, const Evaluate& evaluate, const Tell& tell) {
  jumped_ = false;
  if (held_.empty()) return;
  room_->before = conditions_;
  for (const int i : held_) conditions_[at(i)].mode = Mode::open;
  read(now.state);
  decide(now, evaluate);
  find_edges();
  tell_changes(tell);
}

/// A compliant stop begins or ends to push.
void Contacts::pass_compliant(int i, int side) {
  Press& press = conditions_[at(i)].press[side > 0 ? 1 : 0];
  const bool beyond = side * (x_[i] - limit(i, side)) > bounce_height(i);
  if (press == Press::pushed)
    press = beyond ? Press::left : Press::out;
  else
    press = press == Press::left && !beyond ? Press::out : Press::pushed;
}

/// A force that holds has left its bounds. Where it is not the only one that would do, all are decided
/// again.
void Contacts::release(int i) {
  if (room_->rank < static_cast<int>(held_.size())) {
    for (const int k : held_) conditions_[at(k)].mode = Mode::open;
    return;
  }
  slide(i, force_[i] - bounds(i).lower < bounds(i).upper - force_[i] ? 1 : -1);
  released_[at(i)] = true;
}

void Contacts::pass(std::span<const int> watches, FullState& now, const Evaluate& evaluate,
                    const Tell& tell) {
  jumped_ = false;
  Room& room = *room_;
  room.before = conditions_;
  // What was let go at this very instant has no rate yet, and stays so.
  if (!(now.state.t <= released_at_ + same_instant * (1 + std::abs(now.state.t))))
    std::fill(released_.begin(), released_.end(), false);
  std::fill(reached_.begin(), reached_.end(), 0);
  if (std::any_of(watches.begin(), watches.end(), [this](int w) { return needs_rates(w); })) {
    evaluate(now, a_);
    for (const int i : held_) margin(i);  // forces within their bounds where there is a choice
  }
  read(now.state);
  for (const int watch : watches) {
    const int i = watch / 3, side = watch % 3 == 1 ? -1 : 1;
    if (watch % 3 != 0 && is_rigid(i))
      reach(i, side, now);
    else if (watch % 3 != 0)
      pass_compliant(i, side);
    else if (conditions_[at(i)].mode == Mode::held)
      release(i), released_at_ = now.state.t;
    else
      conditions_[at(i)].mode = Mode::open, released_[at(i)] = false;
  }
  // What has come to rest does so exactly, and takes along what depends on it.
  std::vector<int> still;
  for (int i = 0; i < count(); ++i)
    if (conditions_[at(i)].mode == Mode::open || conditions_[at(i)].mode == Mode::held)
      still.push_back(i);
  list_all_held();
  push_rates(now, still);
  read(now.state);
  hit_stops(now, evaluate, tell);
  const Conditions kept = conditions_;
  judge_by_rates();
  for (int i = 0; i < count(); ++i)
    if (released_[at(i)] && std::abs(w_[i]) <= slowest_rate) conditions_[at(i)] = kept[at(i)];
  finish_decision(now, evaluate);
  tell_changes(tell);
}

/// A rigid stop is reached, as well as the step could tell.
void Contacts::reach(int i, int side, FullState& now) {
  reached_[at(i)] = side;
  // It was leaving, and came back before it had left: it lies.
  if (side * w_[i] <= 0) conditions_[at(i)].mode = Mode::open;
  const ContactFreedom& freedom = freedoms_[at(i)];
  if (freedom.q < 0 || mechanism_->wants_last_word()) return;
  now.state.q[freedom.q] = x_[i] = limit(i, side);
}

void Contacts::tell_changes(const Tell& tell) const {
  for (int i = 0; i < count(); ++i) {
    const Condition &from = room_->before[at(i)], &to = conditions_[at(i)];
    const std::string joint = "joint " + in_quotes(freedoms_[at(i)].name);
    const bool was_held = from.mode == Mode::held, is_held = to.mode == Mode::held;
    if (from.touch != 0 && to.touch == 0)
      tell(fmt::format("{} leaves its {} limit {:g}", joint, side_name(from.touch),
                       limit(i, from.touch)));
    else if (is_held && !was_held && to.touch == 0)
      tell(joint + " comes to rest");
    else if (was_held && !is_held && rubs(i))
      tell(fmt::format("{} starts to slide {}", joint,
                       to.mode == Mode::forward ? "forwards" : "backwards"));
    for (const int side : {-1, 1}) {
      const Press before = from.press[side > 0 ? 1 : 0], after = to.press[side > 0 ? 1 : 0];
      if (before == Press::out && after != Press::out)
        tell(fmt::format("{} reaches its {} limit {:g}", joint, side_name(side), limit(i, side)));
      if (before != Press::out && after == Press::out)
        tell(fmt::format("{} leaves its {} limit {:g}", joint, side_name(side), limit(i, side)));
    }
  }
}

}  // namespace linkwright
