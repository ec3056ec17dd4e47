#pragma once
/// Efforts at some freedoms that give them the accelerations wanted, whatever else acts.
///
/// Given    a state of a mechanism with or without closures, efforts and forces that act anyway
/// Computes tau with R tau = wanted − a, R the accelerations of these freedoms per unit of effort at each:
///          accelerations are linear in the efforts. Where R is singular (more motors than freedoms) the
///          least tau. The last evaluations, under the efforts found, remove the rounding of differences.
/// Cost     one forward dynamics per freedom, and three. Allocates nothing.

#include <vector>

#include "closure/rank/orthogonal.hpp"
#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

class DrivingEfforts {
 public:
  /// Entries of v.
  DrivingEfforts(const System& system, std::vector<int> entries);

  [[nodiscard]] const std::vector<int>& entries() const { return entries_; }
  /// `wanted`: one number per entry. `efforts`, System::effort_count numbers, are those that act anyway;
  /// what was found is added to them. `a`: the accelerations that come of it.
  void add(ClosedWorkspace& work, const State& state, ExternalForces forces,
           const Eigen::VectorXd& wanted, Eigen::VectorXd& efforts, VectorRef a);
  /// What the last `add` found, one number per entry.
  [[nodiscard]] const Eigen::VectorXd& found() const { return found_; }

  /// The inertia that a freedom resists with while the others of the entries stand still.
  void compute_inertias(ClosedWorkspace& work, const ConstVectorRef& q, std::vector<double>& out);

 private:
  void compute_response(ClosedWorkspace& work, const State& state, ExternalForces forces,
                        Eigen::VectorXd& efforts, const ConstVectorRef& a);
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& out);

  std::vector<int> entries_;
  Eigen::MatrixXd response_, scaled_;
  Eigen::VectorXd unit_a_, scale_, found_, missing_, more_, room_;
  closure::Orthogonal solver_;
};

}  // namespace linkwright
