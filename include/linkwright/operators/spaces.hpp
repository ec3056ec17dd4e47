#pragma once
/// What an operator maps from and to, and which nodes it connects: both known at compile time.
///
/// Stacked vectors live in spaces. Every space has a dual: forces and motions, efforts and rates.
///   joint    one number per freedom                                              nv
///   link     one spatial vector per node, at its origin, in its axes             6 N
///   inboard  one spatial vector per joint, at the parent's origin, parent's axes 6 N
///   tip      one spatial vector per chosen frame, in the frame                   6 per frame
///   base     one spatial vector at the world's origin, world axes                6
/// The paper's serial chain has no need to tell link from inboard: there S merely counts on.
///
///     static_assert(dual(Space::link_force) == Space::link_motion);
///     Eigen::VectorXd f(at.size(Space::link_force));     // of an Operators `at`: 6 N numbers

#include <string_view>

namespace linkwright::operators {

enum class Space {
  joint_effort,
  joint_rate,
  link_force,
  link_motion,
  inboard_force,
  inboard_motion,
  tip_force,
  tip_motion,
  base_force,
  base_motion,
};

/// Where the transpose of an operator maps from, given where the operator maps to.
constexpr Space dual(Space s) { return static_cast<Space>(static_cast<int>(s) ^ 1); }

constexpr bool is_joint(Space s) { return s <= Space::joint_rate; }
constexpr bool is_link(Space s) { return s == Space::link_force || s == Space::link_motion; }
constexpr bool is_inboard(Space s) {
  return s == Space::inboard_force || s == Space::inboard_motion;
}
constexpr bool is_tip(Space s) { return s == Space::tip_force || s == Space::tip_motion; }
/// Where letters only take from, and where they only give to: frames and the base are no nodes.
constexpr bool is_source(Space s) { return s == Space::tip_force || s == Space::base_motion; }
constexpr bool is_sink(Space s) { return s == Space::tip_motion || s == Space::base_force; }

constexpr std::string_view name(Space s) {
  constexpr std::string_view names[] = {
      "joint efforts",   "joint rates", "link forces", "link motions", "inboard forces",
      "inboard motions", "tip forces",  "tip motions", "base force",   "base motion"};
  return names[static_cast<int>(s)];
}

/// Which nodes of x enter y(k): only k (memoryless); k and those outboard of it, or only the latter
/// (causal, tip → base); k and those inboard of it, or only the latter (anticausal, base → tip);
/// any (general: more than one sweep).
enum class Kind {
  memoryless,
  causal,
  strictly_causal,
  anticausal,
  strictly_anticausal,
  general,
};

constexpr bool looks_outward(Kind k) { return k == Kind::causal || k == Kind::strictly_causal; }
constexpr bool looks_inward(Kind k) {
  return k == Kind::anticausal || k == Kind::strictly_anticausal;
}
constexpr bool is_strict(Kind k) {
  return k == Kind::strictly_causal || k == Kind::strictly_anticausal;
}
constexpr Kind transposed(Kind k) {
  switch (k) {
    case Kind::causal:
      return Kind::anticausal;
    case Kind::strictly_causal:
      return Kind::strictly_anticausal;
    case Kind::anticausal:
      return Kind::causal;
    case Kind::strictly_anticausal:
      return Kind::strictly_causal;
    default:
      return k;
  }
}
constexpr Kind product_kind(Kind a, Kind b) {
  if (a == Kind::memoryless) return b;
  if (b == Kind::memoryless) return a;
  const bool strict = is_strict(a) || is_strict(b);
  if (looks_outward(a) && looks_outward(b)) return strict ? Kind::strictly_causal : Kind::causal;
  if (looks_inward(a) && looks_inward(b))
    return strict ? Kind::strictly_anticausal : Kind::anticausal;
  return Kind::general;
}
constexpr Kind sum_kind(Kind a, Kind b) {
  if (a == b) return a;
  const auto no_sweep_against = [](Kind x, auto looks) {
    return x == Kind::memoryless || looks(x);
  };
  if (no_sweep_against(a, looks_outward) && no_sweep_against(b, looks_outward)) return Kind::causal;
  if (no_sweep_against(a, looks_inward) && no_sweep_against(b, looks_inward))
    return Kind::anticausal;
  return Kind::general;
}

}  // namespace linkwright::operators
