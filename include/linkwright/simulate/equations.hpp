#pragma once
/// What an integrator asks of a mechanism: rates, and how far it is from its constraints.
///
/// Trees answer through TreeEquations, closed chains through ClosedEquations
/// (simulate/closed_equations.hpp), motors through DrivenEquations (simulate/driven_equations.hpp). Classes
/// of a user's own may add extra states (currents, contact coordinates) and take other inputs than
/// joint efforts (voltages). Inputs and extra states have names; controllers write the inputs,
/// and controllers, loads, events and recordings see the extra states.
///
///     linkwright::TreeEquations equations(system);
///     linkwright::FullState now{linkwright::State(system), {}};
///     equations.compute_rates(now, input, {}, a, extra_rates);

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/simulate/contacts.hpp"
#include "linkwright/system/quantity.hpp"

namespace linkwright {

/// The mechanism's state, and the numbers beside it that have rates of their own.
struct FullState {
  State state;
  Eigen::VectorXd extra;

  /// So that a user's function that needs only the mechanism's state may take just that.
  operator const State&() const { return state; }
};

/// How far a state is from the constraints of its equations, the worst one.
struct ConstraintErrors {
  double position = 0;  ///< metres or radians
  double velocity = 0;  ///< per second
  bool kept = true;     ///< of Equations::project: whether the state could be brought onto them
};

/// What the extra states do to the energy of the whole.
struct ExtraEnergy {
  double stored = 0;  ///< joules, in the extra states
  double fed =
      0;  ///< watts that the inputs feed in, efforts at the joints included; each counted as given
  /// Whether nothing feeds or drains energy at this moment: neither inputs nor what the extra states lose.
  bool is_kept = false;
};

/// An extra state and the time in which it comes to rest by itself.
struct FastState {
  std::string name{};
  double time = std::numeric_limits<double>::infinity();  ///< seconds
  std::string advice{};  ///< how else to model it, for the message that a step is too long
};

struct Event;
class DescriptorForm;

class Equations {
 public:
  Equations() = default;
  virtual ~Equations() = default;
  Equations(const Equations&) = delete;
  Equations& operator=(const Equations&) = delete;

  [[nodiscard]] virtual const System& system() const = 0;
  /// What drives the mechanism from outside, in the order in which controllers write it. Unless a
  /// class says otherwise: an effort for every entry of v, called "tau:JOINT".
  [[nodiscard]] virtual std::vector<Quantity> inputs() const;
  /// Fills in what the inputs are while nothing sets them, where that is not zero.
  virtual void compute_usual_input(VectorRef /*input*/) const {}
  /// The extra states, in the order of FullState::extra.
  [[nodiscard]] virtual std::vector<Quantity> extra_states() const { return {}; }

  /// Accelerations of the joints and rates of the extra states. Called many times per step: must
  /// not allocate.
  virtual void compute_rates(const FullState& now, const Eigen::VectorXd& input,
                             ExternalForces forces, VectorRef a, VectorRef extra_rates) = 0;
  /// Efforts on the joints that the inputs and the extra states cause (a motor's torque), nv
  /// numbers. They are recorded as `tau`, and their work is known to the accounts of energy. Unless
  /// a class says otherwise the inputs are the efforts; with other inputs it must.
  virtual void compute_efforts(const FullState& now, const Eigen::VectorXd& input, VectorRef tau);
  /// The same for the motors of closing joints (System::closing_motors): unless a class says otherwise the
  /// inputs behind those of the tree's joints.
  virtual void compute_closing_efforts(const FullState& now, const Eigen::VectorXd& input,
                                       VectorRef efforts);

  /// Numbers that they tell besides: a motor's voltage. They are recorded by their names.
  [[nodiscard]] virtual std::vector<Quantity> outputs() const { return {}; }
  virtual void compute_outputs(const FullState& /*now*/, const Eigen::VectorXd& /*input*/,
                               VectorRef /*outputs*/) {}
  /// Fills in the extra states with which a run begins that does not say any.
  virtual void compute_start(FullState& now) {
    now.extra = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(extra_states().size()));
  }
  /// Nothing: what the extra states do to the energy is not known.
  [[nodiscard]] virtual std::optional<ExtraEnergy> extra_energy(const FullState& /*now*/,
                                                                const Eigen::VectorXd& /*input*/) {
    return std::nullopt;
  }
  /// The fastest extra state. Methods with a fixed step that cannot follow it refuse to begin.
  [[nodiscard]] virtual FastState fastest() const { return {}; }
  /// Events of their own, which every simulation of these equations watches.
  [[nodiscard]] virtual std::vector<Event> events();
  /// Whether the accelerations are those of the tree under the efforts of compute_efforts and the
  /// forces given, and nothing else. The method `symplectic` steps the tree itself and refuses
  /// equations that answer false.
  [[nodiscard]] virtual bool follows_tree() const { return false; }

  /// Whether the accelerations are those of the mechanism with its closures under the same.
  [[nodiscard]] virtual bool obeys_closures() const { return false; }

  /// Times, rising, at which the rates bend by themselves (callbacks.hpp).
  [[nodiscard]] virtual std::vector<double> break_times() const { return {}; }

  /// Called with the state from which a run begins, before anything else: throws Error where it
  /// violates the constraints, and may remove what rounding left of them.
  virtual void begin(FullState& /*now*/) {}
  /// How far a state is from its constraints.
  [[nodiscard]] virtual ConstraintErrors constraint_errors(const FullState& /*now*/) { return {}; }
  /// Whether `project` does anything. Then every state that leaves a method lies on the constraints,
  /// and methods with a memory ask for the rates of projected states alone.
  [[nodiscard]] virtual bool projects() const { return false; }
  /// Brings a state near its constraints onto them. The errors told are at least those left.
  virtual ConstraintErrors project(FullState& /*now*/) { return {}; }
  /// Whether the state projected last is near a singular position of the constraints, where rates off
  /// them mean little: there points within a step are projected too, and methods with a memory go on
  /// without it.
  [[nodiscard]] virtual bool is_delicate() const { return false; }
  /// Which constraint is violated most at a state, for messages.
  [[nodiscard]] virtual std::string describe_errors(const FullState& /*now*/) { return {}; }
  /// Dry friction and stops behind the accelerations, or null where there are none. A simulation of a
  /// system with dry friction, or with limits that are to hold, refuses equations without.
  [[nodiscard]] virtual Contacts* contacts() { return nullptr; }

  /// One mark per grasp of the model: whether it was released. Empty: these equations know no grasps.
  [[nodiscard]] virtual std::span<const char> released() const { return {}; }
  /// What the grasps carry at the rates computed last, which were those at `now` under `input` and `forces`; one
  /// entry per grasp of the model, zero and of infinite margin for those released.
  virtual void compute_contacts(const FullState& /*now*/, const Eigen::VectorXd& /*input*/,
                                ExternalForces /*forces*/, std::span<ContactForce> /*out*/) {}
  /// A grasp lets go at `now`, for good.
  virtual void release(const FullState& /*now*/, int /*grasp*/) {}
  /// Exchanges the present mechanism with the one before the last moment at which grasps let go.
  virtual void look_back() {}

  /// A word on what the mechanism has come to since the last time it was asked; mostly empty.
  virtual std::string take_notice() { return {}; }

  /// The same equations as E(x) ẋ = f (simulate/descriptor_form.hpp), for the method `ida`; they must outlive it.
  /// Unless a class has a form of its own: E = 1 and compute_rates.
  [[nodiscard]] virtual std::unique_ptr<DescriptorForm> make_descriptor_form();

  /// What must be kept, besides the state, to go on with the same bits.
  [[nodiscard]] virtual std::vector<double> memory() const { return {}; }
  /// Answers whether it fits.
  virtual bool set_memory(const std::vector<double>& memory) { return memory.empty(); }
};

/// Where an input or an extra state stands; throws Error with the closest name for an unknown one.
///
///     const Eigen::Index current = extra_index(equations, "motor:m1:current");
Eigen::Index input_index(const Equations& equations, std::string_view name);
Eigen::Index extra_index(const Equations& equations, std::string_view name);

/// The tree's own equations of motion, by the O(N) forward dynamics.
class TreeEquations final : public Equations {
 public:
  /// The System must outlive the equations. Throws Error for a system with closures or grasps unless
  /// told to leave them out.
  explicit TreeEquations(const System& system, Closures closures = Closures::refuse);
  [[nodiscard]] const System& system() const override { return *system_; }
  void compute_rates(const FullState& now, const Eigen::VectorXd& input, ExternalForces forces,
                     VectorRef a, VectorRef extra_rates) override;
  [[nodiscard]] bool follows_tree() const override { return true; }
  [[nodiscard]] Contacts* contacts() override { return contacts_.get(); }
  [[nodiscard]] std::unique_ptr<DescriptorForm> make_descriptor_form() override;

 private:
  const System* system_;
  std::unique_ptr<const System> smooth_;  // without friction, where contacts decide on it
  Workspace work_;
  std::unique_ptr<Contacts> contacts_;
};

}  // namespace linkwright
