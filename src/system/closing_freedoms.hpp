#pragma once
/// What a model attaches to the freedoms of a joint that closes a loop, and how its full turns are
/// told apart.

#include "linkwright/system/closure_place.hpp"
#include "linkwright/system/tree.hpp"

namespace linkwright {

/// Fills ClosurePlace::freedom. `reflected`: one entry per freedom. Throws Error for a spring that the
/// joint cannot have.
void attach_forces(const Model& model, const Closure& closure,
                   const std::vector<Reflected>& reflected, ClosurePlace& place);

/// Fills ClosurePlace::turned_by, for closures of one tree.
class TurnCounter {
 public:
  explicit TurnCounter(const Tree<double>& tree);
  void count(ClosurePlace& place) const;

 private:
  const Tree<double>& tree_;
  std::vector<NodeKind> kinds_;
  std::vector<Matrix3> neutral_;  // of the nodes in the world, every coordinate 0
};

}  // namespace linkwright
