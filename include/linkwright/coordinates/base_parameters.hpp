#pragma once
/// The parameters of bodies and joints that the efforts of a motion can tell, and no others: of most
/// bodies only sums of them with those of their neighbours matter.
///
///     linkwright::coordinates::Regressor regressor(system);
///     BaseParameters base = find_base_parameters(regressor, work);
///     fmt::print("{} of {}\n", base.size(), regressor.size());        // 36 of 60 for a PUMA
///     fmt::print("{}\n", base.names[0]);                              // "izz:link1 + iyy:link2 + …"
///     Eigen::VectorXd values = base.combination.view() * regressor.values();

#include <cstdint>

#include "linkwright/coordinates/regressor.hpp"

namespace linkwright::coordinates {

struct BaseParameters {
  /// Columns of the regressor that stand for all of them: the first of each set of dependent ones.
  std::vector<int> columns;
  /// size × Regressor::size: π_base = combination · π, and tau = Y(columns) π_base + rest.
  Matrix combination;
  std::vector<std::string> names;   ///< "mx:arm + 0.4 m:hand", the sums in words
  std::vector<std::string> unseen;  ///< parameters that no motion shows
  /// How clearly the others were told apart: what remained of the weakest column that counts, and of
  /// the strongest one that does not, relative to the column.
  double smallest_kept = 1, largest_dropped = 0;

  [[nodiscard]] int size() const { return static_cast<int>(columns.size()); }
};

/// From the regressors of random motions within the joints' limits. The same on every machine for the
/// same seed; the result does not depend on the seed.
BaseParameters find_base_parameters(const Regressor& regressor, Workspace& work,
                                    std::uint64_t seed = 1);
/// Of a closed mechanism: random positions that close its loops, from q on. Throws Error where none are
/// found.
BaseParameters find_base_parameters(const Regressor& regressor, ClosedWorkspace& work,
                                    const ConstVectorRef& q, std::uint64_t seed = 1);

}  // namespace linkwright::coordinates
