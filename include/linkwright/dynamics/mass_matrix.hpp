#pragma once
/// A mass matrix that is computed again and again, as its lower triangle: nothing is written twice, and the
/// zeros between joints that do not carry each other are written once. Worth it from a hundred freedoms on,
/// where writing the matrix takes longer than computing it.
///
///     linkwright::MassMatrix M(system);
///     compute_mass_matrix(work, q, M);
///     Eigen::VectorXd momentum = M.view() * v;
///     Eigen::LLT<Eigen::MatrixXd> factors(M.lower());  // reads the lower triangle

#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/workspace.hpp"

namespace linkwright {

class MassMatrix {
 public:
  /// Zero. For any workspace of this system.
  explicit MassMatrix(const System& system)
      : system_(&system), lower_(Eigen::MatrixXd::Zero(system.nv(), system.nv())) {}

  /// nv × nv; zeros above the diagonal.
  [[nodiscard]] const Eigen::MatrixXd& lower() const { return lower_; }
  /// The symmetric matrix, for products; Eigen::MatrixXd full = M.view() makes a copy with both triangles.
  [[nodiscard]] auto view() const { return lower_.selfadjointView<Eigen::Lower>(); }

 private:
  friend void compute_mass_matrix(Workspace& work, const ConstVectorRef& q, MassMatrix& out);
  const System* system_;
  Eigen::MatrixXd lower_;
};

/// M(q). Throws Error for a matrix of another system.
void compute_mass_matrix(Workspace& work, const ConstVectorRef& q, MassMatrix& out);

}  // namespace linkwright
