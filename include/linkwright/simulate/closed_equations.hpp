#pragma once
/// The equations of a mechanism with closures and grasps.
///
///     linkwright::Simulation simulation(system, start, {.step = 1e-3});     // makes them by itself
///     linkwright::Simulation same(std::make_unique<linkwright::ClosedEquations>(system), {start, {}});
///
/// States stay those of the tree, t, q and v, and lie on the closures: after every step position and
/// velocity are projected, nearest in the metric of the mass matrix (closure/projection.hpp). Inputs are
/// the efforts of the tree's joints and, behind them, those of the closing joints' motors.

#include <functional>
#include <memory>

#include "linkwright/closure/projection.hpp"
#include "linkwright/simulate/equations.hpp"

namespace linkwright {

class ContactMechanism;
class DrivingEfforts;

/// Position, velocity and acceleration of a coordinate whose motion is given.
struct GivenValue {
  double position = 0, velocity = 0, acceleration = 0;
};
/// A joint that moves as a function of time says, whatever force that takes: a foot on a shaking road.
///
///     linkwright::GivenMotion road{"foot", [](double t) {
///       return linkwright::GivenValue{std::sin(t), std::cos(t), -std::sin(t)};
///     }};
struct GivenMotion {
  std::string joint{};  ///< of one freedom, and not passive: a motor of any strength moves it
  std::function<GivenValue(double t)> value{};
  std::vector<double> break_times{};  ///< where its acceleration bends, see callbacks.hpp
};

struct ClosedOptions {
  /// Per second. 0: states are projected. Otherwise Baumgarte's method: gaps are left to fade by
  /// accelerations −2 rate J v − rate² gaps, and states lie near the closures only.
  double baumgarte_rate = 0;
  std::vector<GivenMotion> motions{};
};

class ClosedEquations final : public Equations {
 public:
  /// The System must outlive the equations; it may have no closures. Throws Error for a motion that
  /// no joint can have.
  explicit ClosedEquations(const System& system, const ClosedOptions& options = {});
  ~ClosedEquations() override;

  [[nodiscard]] const System& system() const override { return *system_; }
  [[nodiscard]] std::vector<Quantity> inputs() const override;
  void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override;
  /// Of the tree's joints; given motions add what they took when the rates were last computed.
  void compute_efforts(const FullState& now, const Eigen::VectorXd& input, VectorRef tau) override;
  [[nodiscard]] bool obeys_closures() const override { return true; }
  [[nodiscard]] std::vector<double> break_times() const override;
  [[nodiscard]] Contacts* contacts() override { return contacts_.get(); }
  [[nodiscard]] std::unique_ptr<DescriptorForm> make_descriptor_form() override;

  /// Throws Error naming the closure and its gap unless the state keeps every closure to 1e-8.
  void begin(FullState& now) override;
  [[nodiscard]] ConstraintErrors constraint_errors(const FullState& now) override;
  [[nodiscard]] bool projects() const override { return options_.baumgarte_rate == 0; }
  ConstraintErrors project(FullState& now) override;
  /// Beside singular positions closures that are slightly open demand accelerations without bound.
  [[nodiscard]] bool is_delicate() const override { return near_singular_; }
  [[nodiscard]] std::string describe_errors(const FullState& now) override;
  /// Singular positions, by the closure whose rows come to depend on the others.
  std::string take_notice() override;
  [[nodiscard]] std::vector<double> memory() const override;
  bool set_memory(const std::vector<double>& memory) override;

  [[nodiscard]] std::span<const char> released() const override { return present_.released; }
  void compute_contacts(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                        std::span<ContactForce> out) override;
  void release(const FullState& now, int grasp) override;
  void look_back() override;

 private:
  /// The mechanism while the same grasps hold.
  struct Stage {
    std::vector<char> released{};             // per grasp of the model
    std::unique_ptr<const System> reduced{};  // without them; null: the whole system
    std::unique_ptr<const System> smooth{};   // without friction, where contacts decide on it
    std::unique_ptr<ClosedWorkspace> work{};
    std::unique_ptr<ClosureProjection> projection{};
    std::unique_ptr<DrivingEfforts> driving{};
    std::unique_ptr<ContactMechanism> mechanism{};  // while it is not that of contacts_
  };
  [[nodiscard]] Stage make_stage(std::vector<char> released);
  /// The present stage becomes `other`, and other way round.
  void exchange(Stage& other);
  /// Of the mechanism whose given motions are as they are to be, without friction and stops.
  void accelerate(const State& state, const Eigen::VectorXd& tau, ExternalForces forces,
                  VectorRef a);
  /// The projection holds what contacts hold.
  void hold_contacts();
  void place_given(double t);
  void look_for_singular_positions();
  [[nodiscard]] ClosedWorkspace& work() { return *present_.work; }
  [[nodiscard]] ClosureProjection& projection() { return *present_.projection; }

  const System* system_;
  ClosedOptions options_;
  std::vector<ContactFreedom> freedoms_;
  Stage present_, before_;
  double released_at_;  // when the last grasps let go
  std::unique_ptr<Contacts> contacts_;
  std::vector<HeldFreedom> held_;
  long held_changes_ = 0;  // of contacts, those that the projection knows
  // Of the given motions.
  std::vector<GivenValue> wanted_;
  Eigen::VectorXd effort_, wanted_a_;
  // Of what grasps carry.
  std::vector<ContactForce> carried_;
  Eigen::VectorXd all_efforts_, a_;
  // Of singular positions.
  bool near_singular_ = false;
  int untold_ = none;
  static constexpr int none = -2;
};

}  // namespace linkwright
