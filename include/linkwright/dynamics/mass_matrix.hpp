#pragma once
/// A mass matrix that is computed again and again: the zeros between joints that do not carry each other
/// are written once. Worth it for branched trees of many joints, where most entries are zero.
///
///     linkwright::MassMatrix M(system);
///     compute_mass_matrix(work, q, M);
///     double shoulder = M.view()(0, 0);

#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/workspace.hpp"

namespace linkwright {

class MassMatrix {
 public:
  /// Zero. For any workspace of this system.
  explicit MassMatrix(const System& system);

  /// nv × nv, symmetric.
  [[nodiscard]] const Eigen::MatrixXd& view() const { return entries_; }

 private:
  friend void compute_mass_matrix(Workspace& work, const ConstVectorRef& q, MassMatrix& out);
  const System* system_;
  Eigen::MatrixXd entries_;
};

/// M(q). Throws Error for a matrix of another system.
void compute_mass_matrix(Workspace& work, const ConstVectorRef& q, MassMatrix& out);

}  // namespace linkwright
