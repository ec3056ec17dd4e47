#pragma once
/// Numbers that a decision of contacts works with.

#include <cstdint>
#include <limits>

#include "linkwright/simulate/box_problem.hpp"
#include "simulate/contacts/mechanism.hpp"

namespace linkwright {

/// A rate below this, in radians or metres per second, is rest: closed mechanisms keep rates to 1e-12 of
/// the fastest joint's.
constexpr double slowest_rate = 1e-10;
/// A sliding joint has turned once its rate is beyond zero by this: rounding may begin a slide the wrong way.
constexpr double rate_rounding = 1e-11;
/// What is left of a rate that has come to rest changes velocities by no more, seen against 1 + the fastest.
constexpr double largest_correction = 1e-4;
/// A joint nearer to its rigid stop touches it, and one that would rebound by less lies against it; times
/// 1 + |limit|, in radians or metres.
constexpr double touching = 1e-12;
/// And one that another's impulse kicks off its stop lies on it below so many times as much: each fall begins with the
/// rounding that a stop is reached within, and stops that kick each other hand most of it on.
constexpr double highest_kick = 100;
/// A force that holds may leave its bounds by this part of them: rounding.
constexpr double force_rounding = 1e-11;
/// Friction holds a little more than it resists: a joint whose friction is compensated to the last digit would
/// start and stop at every instant.
constexpr double grip = 1 + 1e-9;
/// Where freedoms that are held depend on each other, their forces are not unique: they no longer hold
/// once they leave this part of the accelerations.
constexpr double holding_part = 1e-9;

/// Times closer than this, seen against 1 + the time, are one instant.
constexpr double same_instant = 1e-12;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// What a mechanism under efforts was found in that the freedoms held lock altogether.
struct Standing {
  bool known = false;
  std::uint64_t computations = 0;  // of the mechanism: nothing has been computed since
  long held_changes = 0;
  Eigen::VectorXd q, tau, closing, f;

  /// Whether all is as it was, so that the forces that hold are `f` again.
  [[nodiscard]] bool is_still(const ContactMechanism& mechanism, const State& state,
                              const Eigen::VectorXd& efforts,
                              const Eigen::VectorXd& closing_efforts) const {
    return known && computations == mechanism.computations() && (state.v.array() == 0).all() &&
           q == state.q && tau == efforts && closing == closing_efforts;
  }
};

struct Contacts::Room {
  explicit Room(Eigen::Index n)
      : box(n),
        solver(n),
        w0(Eigen::VectorXd::Zero(n)),
        f(w0),
        w(w0),
        right(w0),
        lower(w0),
        upper(w0),
        push(w0) {
    which.reserve(static_cast<std::size_t>(n));
    first.reserve(static_cast<std::size_t>(n));
    found.reserve(static_cast<std::size_t>(n));
    hit.reserve(static_cast<std::size_t>(n));
    before.reserve(static_cast<std::size_t>(n));
    undecided.reserve(static_cast<std::size_t>(n));
  }
  BoxProblem box;
  DependentSolve solver;
  Eigen::VectorXd w0, f, w, right, lower, upper;
  Eigen::VectorXd push;    // per freedom: of the compliant stops
  std::vector<int> which;  // freedoms that a problem speaks of
  std::vector<int> first;  // 0, 1, 2 …
  std::vector<int> found;
  std::vector<int> hit;  // freedoms that the last impulses of stops threw back
  Conditions before, undecided;
  int rank = 0;        // of the freedoms that are held, at the rates computed last
  bool boxed = false;  // whether `f` of the box is known for them
  double slip = 0;     // and by how much they do not hold
  Standing standing;
};

}  // namespace linkwright
