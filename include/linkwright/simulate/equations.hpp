#pragma once
/// What an integrator asks of a mechanism: rates, and how far it is from its constraints.
///
/// Trees answer through TreeEquations. Closed chains, motors and contacts answer through classes of
/// their own that add extra states (currents, contact coordinates) and a projection.
///
///     linkwright::TreeEquations equations(system);
///     linkwright::FullState now{linkwright::State(system), {}};
///     equations.compute_rates(now, tau, {}, a, extra_rates);

#include <string>
#include <vector>

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

/// The mechanism's state, and the numbers beside it that have rates of their own.
struct FullState {
  State state;
  Eigen::VectorXd extra;
};

class Equations {
 public:
  Equations() = default;
  virtual ~Equations() = default;
  Equations(const Equations&) = delete;
  Equations& operator=(const Equations&) = delete;

  [[nodiscard]] virtual const System& system() const = 0;
  /// One name per extra state; they are recorded and named in errors.
  [[nodiscard]] virtual std::vector<std::string> extra_names() const { return {}; }

  [[nodiscard]] Eigen::Index extra_count() const {
    return static_cast<Eigen::Index>(extra_names().size());
  }

  /// Accelerations of the joints and rates of the extra states. Called many times per step: must
  /// not allocate.
  virtual void compute_rates(const FullState& now, const Eigen::VectorXd& tau,
                             ExternalForces forces, VectorRef a, VectorRef extra_rates) = 0;

  /// How far the state is from its constraints (metres or radians, the worst one); 0 for a tree.
  [[nodiscard]] virtual double constraint_error(const FullState& /*now*/) { return 0; }
  /// Called after every step: brings the state back onto its constraints. Answers whether it
  /// changed anything, so that methods with a memory can start afresh.
  virtual bool project(FullState& /*now*/) { return false; }
};

/// The tree's own equations of motion, by the O(N) forward dynamics.
class TreeEquations final : public Equations {
 public:
  /// The System must outlive the equations. Throws Error for a system with closures or grasps unless
  /// told to leave them out.
  explicit TreeEquations(const System& system, Closures closures = Closures::refuse);
  [[nodiscard]] const System& system() const override { return work_.system(); }
  void compute_rates(const FullState& now, const Eigen::VectorXd& tau, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override;

 private:
  Workspace work_;
};

}  // namespace linkwright
