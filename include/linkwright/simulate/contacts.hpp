#pragma once
/// Dry friction and stops: which joints slide, which stand still, which lie against a limit.
///
/// A freedom with dry friction slides forwards, slides backwards or is held; one at a rigid stop is held or
/// leaves it. While it slides, its friction is constant, whatever rounding makes of the sign of its rate.
/// While it is held its rate is exactly 0, and friction and stop are the force that this takes. Changes are
/// events: a rate passes zero, a force that holds leaves its bounds, a stop is reached. What holds and
/// what slides from rest follows from one complementarity problem over all freedoms at rest.
///
/// TreeEquations and ClosedEquations have contacts by themselves. Equations of your own that use them hand
/// theirs on:
///
///     linkwright::Contacts* contacts() override { return tree_.contacts(); }

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwright/closure/projection.hpp"
#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

struct FullState;
class ContactMechanism;
class BoxProblem;
class DependentSolve;

/// A freedom that dry friction or a limit acts on.
struct ContactFreedom {
  std::string name{};  ///< "elbow", "ball:1", of the tree or of a closing joint
  int v = -1, q = -1;  ///< entries; −1: a closing joint's, or without a plain coordinate
  int closing = -1;    ///< among System::closing_names, or −1
  bool plain = false;  ///< its coordinate is a plain number, no part of a pose
  Friction friction{};
  Limits limits{};
};

/// All freedoms with dry friction, and all with a plain coordinate that has a lower or upper limit.
std::vector<ContactFreedom> contact_freedoms(const System& system, Closures closures);

class Contacts {
 public:
  explicit Contacts(std::vector<ContactFreedom> freedoms,
                    std::unique_ptr<ContactMechanism> mechanism);
  ~Contacts();

  [[nodiscard]] const std::vector<ContactFreedom>& freedoms() const { return freedoms_; }
  [[nodiscard]] int count() const { return static_cast<int>(freedoms_.size()); }
  /// Whether any freedom has friction.
  [[nodiscard]] bool has_friction() const { return has_friction_; }
  /// Limits act from now on. Until then they do not.
  void let_stops_act();
  [[nodiscard]] bool stops_act() const { return stops_act_; }
  /// Whether nothing acts at all.
  [[nodiscard]] bool idle() const { return freedoms_.empty() || (!has_friction_ && !stops_act_); }

  /// The freedom with that entry of v or among closing freedoms; −1: nothing acts on it.
  [[nodiscard]] int find(int v, int closing) const;
  /// What friction and stop of a freedom did at the rates computed last: efforts.
  [[nodiscard]] double friction_force(int freedom) const;
  [[nodiscard]] double stop_force(int freedom) const;
  /// Of all freedoms together, on the tree's joints and on closing ones.
  void add_forces(VectorRef tau, std::span<double> closing) const;

  /// Where a freedom stands.
  [[nodiscard]] double position(int freedom, const State& state);

  // For the library's own use.

  enum class Mode : std::uint8_t { free, forward, backward, open, held };
  /// A compliant stop: untouched; pushing; left by a joint that flees faster than the stop follows.
  enum class Press : std::uint8_t { out, pushed, left };
  struct Condition {
    Mode mode = Mode::free;
    int touch = 0;  ///< −1: held at the lower limit's rigid stop, 1: at the upper
    Press press[2]{Press::out, Press::out};  ///< of the compliant stops, lower and upper
  };
  using Conditions = std::vector<Condition>;

  /// Accelerations of the mechanism with its friction and stops. Before `begin` friction goes by the
  /// signs of the rates.
  void compute_accelerations(const State& state, const ConstVectorRef& input, ExternalForces forces,
                             VectorRef a);

  /// The accelerations at `now` under the present inputs.
  using Evaluate = std::function<void(const FullState& now, Eigen::VectorXd& a)>;
  using Tell = std::function<void(const std::string& what)>;
  /// Judges every freedom anew by its rate and place; changes the velocity where a stop is hit.
  void begin(FullState& now, const Evaluate& evaluate, const Tell& tell);
  /// Nothing is known of the state any more.
  void forget();
  [[nodiscard]] bool begun() const { return begun_; }
  /// Decides again for all freedoms that are held: efforts have jumped.
  void decide_again(FullState& now, const Evaluate& evaluate, const Tell& tell);

  /// Functions that are positive until something happens: three to a freedom, of its motion, of its lower
  /// and of its upper stop.
  [[nodiscard]] int watch_count() const { return 3 * count(); }
  /// Whether the value speaks of forces: then the rates must have been computed at `now` before.
  [[nodiscard]] bool needs_rates(int watch) const;
  [[nodiscard]] double value(int watch, const State& now);
  /// The same for many of them at one state: places and rates are read once.
  void read(const State& state);
  [[nodiscard]] double value_read(int watch);
  /// How fast it changes, per second, where that is plain: of gaps; else 0. At the state read last.
  [[nodiscard]] double slope_read(int watch) const;
  /// Values above its negative are still nothing.
  [[nodiscard]] double slack(int watch) const;
  /// Something has happened: changes the state to what is behind it.
  void pass(std::span<const int> watches, FullState& now, const Evaluate& evaluate,
            const Tell& tell);
  /// Whether the last begin or pass changed velocities by an impact.
  [[nodiscard]] bool jumped() const { return jumped_; }
  [[nodiscard]] std::string describe(int watch) const;

  [[nodiscard]] bool any_held() const { return !held_.empty(); }
  [[nodiscard]] const Conditions& conditions() const { return conditions_; }
  /// Exchanges the mechanism behind the same freedoms with another: grasps have let go.
  void exchange_mechanism(std::unique_ptr<ContactMechanism>& other);
  /// Exchanges the present conditions with others, those of an earlier moment.
  void look_back(Conditions& conditions);
  /// Forces at the rates computed last, within their bounds where there is a choice.
  void settle_forces();
  /// Whether a compliant stop pushes.
  [[nodiscard]] bool pushes() const;
  /// What is held, for those who keep states on constraints; `held_count` counts its changes.
  void list_held(std::vector<HeldFreedom>& out) const;
  [[nodiscard]] long held_changes() const { return held_changes_; }

  [[nodiscard]] std::vector<double> memory() const;
  /// Answers whether it fits.
  bool set_memory(const std::vector<double>& memory);

 private:
  struct Room;  // numbers of a decision
  struct Bounds {
    double lower, upper;
  };
  void make_closing_room();
  [[nodiscard]] bool has_stop(int i, int side) const;
  /// Whether a freedom can move between its stops.
  [[nodiscard]] bool has_room(int i) const;
  void check_closing_limits() const;
  [[nodiscard]] bool is_rigid(int i) const;
  [[nodiscard]] bool rubs(int i) const;
  [[nodiscard]] Bounds bounds(int i) const;
  [[nodiscard]] double limit(int i, int side) const;
  [[nodiscard]] double stop_push(int i, int side) const;
  [[nodiscard]] double bounce_height(int i) const;
  void list_all_held();
  void apply_known_forces(const State& state);
  void take_holding_forces(const Eigen::VectorXd& f);
  void hold(const State& state, ExternalForces forces, VectorRef a);
  double margin(int i);
  [[nodiscard]] int touched_side(int i) const;
  void push_rates(FullState& now, const std::vector<int>& which);
  void judge_by_rates();
  void rest_undecided(FullState& now);
  void hit_stops(FullState& now, const Evaluate& evaluate, const Tell& tell);
  void decide(FullState& now, const Evaluate& evaluate);
  void finish_decision(FullState& now, const Evaluate& evaluate);
  void lay_down(FullState& now, const Evaluate& evaluate);
  bool let_go(const std::vector<int>& which);
  void slide(int i, int direction);
  void find_edges();
  void pass_compliant(int i, int side);
  void release(int i);
  void reach(int i, int side, FullState& now);
  void tell_changes(const Tell& tell) const;

  std::vector<ContactFreedom> freedoms_;
  std::unique_ptr<ContactMechanism> mechanism_;
  bool has_friction_ = false, stops_act_ = false, has_closing_ = false;
  bool begun_ = false, jumped_ = false;
  Conditions conditions_;
  std::vector<int> held_;
  long held_changes_ = 0;
  Eigen::VectorXd x_, w_;                  // positions and rates, per freedom
  Eigen::VectorXd closing_x_, closing_w_;  // of all closing freedoms
  Eigen::VectorXd force_;                  // per freedom
  Eigen::VectorXd place_;                  // per freedom: where it is held
  Eigen::MatrixXd edges_;                  // per freedom: where its stops are felt, lower and upper
  std::vector<char> released_;             // at the instant being decided: forces left their bounds
  double released_at_ = -std::numeric_limits<double>::infinity();  // that instant
  std::vector<int> reached_;                                       // and stops were reached
  Eigen::VectorXd tau_, closing_, a_;                              // efforts
  std::unique_ptr<Room> room_;
};

}  // namespace linkwright
