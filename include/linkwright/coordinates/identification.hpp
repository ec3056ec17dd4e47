#pragma once
/// Parameters of a mechanism from measured motions and efforts, by weighted least squares.
///
///     linkwright::coordinates::Regressor regressor(system, {JointParameter::friction});
///     Identification data(regressor, find_base_parameters(regressor, work));
///     for (const auto& row : rows) data.add(work, row.state, row.a, row.tau);
///     Estimate found = data.solve();
///     // found.names[0], found.values(0, 0), found.deviations(0, 0)
///
/// What is found are the base parameters: no motion tells more. Rows of one effort count by how well they
/// are explained, so that a strong motor's noise does not drown a weak one's. Rows are taken in as they
/// come; memory does not grow with them.

#include <memory>

#include "linkwright/coordinates/base_parameters.hpp"

namespace linkwright::coordinates {

struct Estimate {
  std::vector<std::string> names;  ///< of the base parameters
  Matrix values;                   ///< one column
  Matrix deviations;               ///< standard deviations, one column
  Matrix model_values;             ///< what the model says, one column
  /// Of the data, columns brought to one size: 1 at best. Above a hundred the motion excites some
  /// parameters poorly.
  double condition = 1;
  std::vector<std::string> efforts;       ///< whose rows were explained
  std::vector<double> effort_deviations;  ///< what is left of each, root mean square
  long samples = 0;
  /// Rows that would mislead: of a joint at rest that has friction, and of one at a limit, where a stop may
  /// push. In independent coordinates every row holds every joint.
  long left_out = 0;
};

class Identification {
 public:
  /// The Regressor must outlive it.
  Identification(const Regressor& regressor, BaseParameters base);
  ~Identification();
  Identification(Identification&&) noexcept;
  Identification& operator=(Identification&&) noexcept;

  /// A motion of a tree with the efforts at its joints.
  void add(Workspace& work, const State& state, const ConstVectorRef& a, const ConstVectorRef& tau);
  /// A motion of a closed mechanism; tau as in compute_forward_dynamics, `entries` the same for all.
  void add(ClosedWorkspace& work, const State& state, const ConstVectorRef& a,
           std::span<const int> entries, const ConstVectorRef& tau);

  /// Throws Error (failed_computation) where the data leave parameters open, and names these.
  [[nodiscard]] Estimate solve() const;

 private:
  struct Rows;
  std::unique_ptr<Rows> rows_;
};

/// Measured joints never keep closures to the last digit: independent entries (closure/independent.hpp) decide where all
/// others are, how fast they move and how they accelerate. Answers how far positions had to move, in radians or metres.
///
///     const std::vector<int> entries = choose_independent(work, state.q).entries;
///     double moved = bring_to_closures(work, entries, state, a);
///     data.add(work, state, a, entries, tau);
double bring_to_closures(ClosedWorkspace& work, std::span<const int> entries, State& state,
                         VectorRef a);

}  // namespace linkwright::coordinates
