#pragma once
/// The equations of statics between contacts, other closures and motors, scaled so that neither rank nor
/// least squares depends on units: forces are measured by the mechanism's length.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/manipulator/grasp.hpp"

namespace linkwright::manipulator {

/// J_cᵀ c + J_eᵀ λ + T τ = efforts, columns and rows scaled: diag(freedom) J_cᵀ diag(unit) and so on.
/// c = unit ∘ (scaled c) and alike for λ and τ.
struct Statics {
  std::vector<GraspContact> contacts;  ///< numbered through
  std::vector<std::string> names;      ///< of the entries of c
  double length = 1;
  Eigen::VectorXd freedom;                 ///< [nv]
  Eigen::MatrixXd C, E, T;                 ///< [nv × …]
  Eigen::VectorXd unit_c, unit_e, unit_t;  ///< of their columns
  std::vector<int> motors;                 ///< entries of System::effort_names
  std::vector<GraspContact> beyond;  ///< one-sided grasps among the other closures; columns of E
};

/// Entries of v from the world to a body, outward; none for the world.
std::vector<int> path_entries(const System& system, int body);

/// With these closures as contacts (indices into System::closures), all others as closures. Every motor of
/// the model counts. c acts on b of each closure.
Statics compute_statics(ClosedWorkspace& work, const ConstVectorRef& q,
                        const std::vector<int>& contacts);

/// [a b].
Eigen::MatrixXd beside(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// An orthonormal basis of all x with A x = 0.
Eigen::MatrixXd null_basis(const Eigen::MatrixXd& A);
/// An orthonormal basis of the columns.
Eigen::MatrixXd column_basis(const Eigen::MatrixXd& A);
/// The same span with as many zeros as possible: each column has a 1 where all others have 0.
Eigen::MatrixXd echelon(Eigen::MatrixXd basis);
/// Of `inside`, what is orthogonal to the columns of `of` (orthonormal).
Eigen::MatrixXd complement_basis(const Eigen::MatrixXd& inside, const Eigen::MatrixXd& of);

/// "turning about the axis (0, 0, 1) through (0.1, 0, 0.5)": the motion of a body for the rates `rates` of
/// some entries of v, world axes.
std::string describe_motion(ClosedWorkspace& work, const ConstVectorRef& q, int body,
                            const std::vector<int>& entries, const Eigen::VectorXd& rates,
                            double length);

}  // namespace linkwright::manipulator
