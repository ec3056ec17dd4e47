#pragma once
/// Keeps a state that moves on its closures, by small corrections that are the nearest in the metric of
/// the mass matrix.
///
///     linkwright::ClosureProjection keep(system);
///     // a step of some method has led to `state`, near the closures
///     if (!keep.project(state).kept) throw linkwright::Error("the step was too long");
///
/// Given    a state whose gaps are small
/// Computes Newton's method, q ← q ⊕ B(−gaps), v ← v + B(−J v), with B = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ of a position
///          nearby: it is computed anew where the mechanism has gone too far from there, or where the
///          gaps do not shrink fast enough. Dependent rows share their correction; near singular
///          positions the rows that come to depend on others are left alone.
/// Cost     one forward kinematics and two products with B per correction, of which a state that a good
///          step has led to needs one; O(nv² rows) where B is computed anew. Allocates nothing.

#include <memory>
#include <span>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright {

/// How far a state is off its closures: the largest of all rows.
struct ClosureErrors {
  double position = 0;  ///< metres or radians
  double velocity = 0;  ///< per second
  bool kept = true;     ///< of `project`: whether the state could be brought onto the closures
};

/// A coordinate of the tree whose motion is given from outside, and where it is to be now.
struct GivenCoordinate {
  int q = 0, v = 0;  ///< entries
  double position = 0, velocity = 0;
};

/// A freedom that stands still for a while, a joint's of the tree or a closing joint's: friction or a stop
/// holds it.
struct HeldFreedom {
  int v = -1;        ///< entry of v, or −1: a closing joint's
  int closing = -1;  ///< among System::closing_names, or −1
  int q = -1;        ///< entry of q, where there is one
  double position = 0;
  bool placed =
      false;  ///< whether q or the closing joint's coordinate is to be `position`, or only the
              ///< velocity is held
};

class ClosureProjection {
 public:
  /// The System must outlive it. `given` are coordinates bound as closures are; they must be plain
  /// numbers. At most `most_held` freedoms are held at a time.
  explicit ClosureProjection(const System& system, std::vector<GivenCoordinate> given = {},
                             int most_held = 0);
  explicit ClosureProjection(System&&, std::vector<GivenCoordinate> = {}, int = 0) = delete;
  ~ClosureProjection();

  /// These freedoms, and no others, are held from now on. They may depend on each other.
  void hold(std::span<const HeldFreedom> freedoms);

  /// Where the given coordinates are to be from now on.
  [[nodiscard]] std::span<GivenCoordinate> given();

  /// Brings a nearby state onto the closures. The errors told are those before the last correction.
  ClosureErrors project(State& state);
  /// Errors of a state as it is, to first order in the gaps.
  ClosureErrors measure(const State& state);
  /// Baumgarte's accelerations at a state: out += −B (2 rate J v + rate² gaps). Returns the errors.
  ClosureErrors add_stabilisation(const State& state, double rate, VectorRef out);

  /// The smallest singular value of the scaled rows where B was last computed, as part of the largest
  /// that it has had: 0 where rows have become dependent that were not, 1 where none comes near it.
  [[nodiscard]] double conditioning() const;
  /// The closure whose row that is: an index into System::closures, or −1: a given coordinate.
  [[nodiscard]] int weakest_closure() const;

  /// Everything that decides the next correction besides the state; to go on with the same bits.
  [[nodiscard]] std::vector<double> memory() const;
  /// Answers whether it fits.
  bool set_memory(std::span<const double> memory);

 private:
  struct Rows;
  std::unique_ptr<Rows> rows_;
};

}  // namespace linkwright
