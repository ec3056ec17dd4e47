#pragma once
/// Which numbers of a run are recorded, by name and with units.
///
///     linkwright::Channels channels(system, {"frame:tip", "tau:elbow", "momentum"});
///     std::vector<double> row(channels.size());
///     channels.compute(work, simulation.snapshot(), row);
///
/// Always there, in this order: `time`, every `q:JOINT`, every `v:JOINT`; what was asked for; the
/// user's own; `energy` (kinetic + potential + stored), `closure_error` and, for closed systems,
/// `velocity_error`. A joint with several numbers has `q:JOINT:0` … . What can be asked for:
///
/// | request | columns |
/// |---|---|
/// | `frame:NAME` | `frame:NAME:x\|y\|z\|qw\|qx\|qy\|qz`, the pose in the world |
/// | `velocity:NAME` | `velocity:NAME:wx\|wy\|wz\|vx\|vy\|vz`, world axes |
/// | `acceleration:NAME` | `acceleration:NAME:alphax\|alphay\|alphaz\|ax\|ay\|az`, world axes |
/// | `a`, `a:JOINT` | accelerations of all joints, of one |
/// | `tau`, `tau:JOINT` | efforts applied to all joints, to one |
/// | `friction:JOINT`, `stop:JOINT` | efforts of dry friction and of the stops at its limits |
/// | `force:JOINT` | `force:JOINT:nx\|ny\|nz\|fx\|fy\|fz`, what the joint passes to its child, in the
/// child's frame |
/// | `closure:NAME` | `closure:NAME:mx\|my\|mz\|fx\|fy\|fz`, what a applies to b through a closure or
/// grasp, at b's closure frame, in its axes |
/// | `contact:NAME` | of a grasp: `contact:NAME:qw\|qx\|qy\|qz`, the attitude of its contact frame in the arm's, where it
/// lets them turn; with friction `contact:NAME:normal\|tangential\|moment\|margin` (closure/grasp_contacts.hpp) and
/// `holds`, 1; all 0 once it was released; each may be asked for alone |
/// | `momentum` | `momentum:angular:x\|y\|z` about the centre of mass, `momentum:linear:x\|y\|z` |
/// | `com` | `com:x\|y\|z`, the centre of mass |
/// | `kinetic`, `potential`, `stored` | the parts of the energy: of the mechanism, and in extra states (½ La i²; shafts and
/// springs of elastic gears) |
/// | `motor:NAME` | `motor:NAME:current\|voltage\|torque\|angle\|speed\|power\|heat`, of equations with motors; each may be
/// asked for alone |
/// | `tolerance_missed` | 1 from where on adams, bdf or ida estimate an error beyond the tolerance, else 0 |
/// | `input`, `input:NAME` | `input:NAME`, all inputs of the equations, or one |
/// | `extra`, `extra:NAME` | `extra:NAME`, all extra states of the equations, or one |
/// | `NAME` | an input or extra state under its own name, where no other channel has that name |

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/simulate/snapshot.hpp"

namespace linkwright {

/// A column of a recording has a name and a unit.
using Column = Quantity;

/// A number of the user's own.
///
///     linkwright::UserChannel height{"height", "m", [](const linkwright::State& s) { return s.q[0]; }};
struct UserChannel {
  std::string name{};
  std::string unit{"1"};
  std::function<double(const FullState&)> value{};
};

class Channels {
 public:
  /// Channels of a tree or a closed system, whose inputs are its efforts. Throws Error for an unknown request: it lists
  /// the known ones and names the closest. A request for what is there anyway changes nothing. The
  /// System must outlive the Channels.
  explicit Channels(const System& system, const std::vector<std::string>& requests = {},
                    std::vector<UserChannel> own = {});
  /// Those of any equations: `Channels(simulation.equations(), {"motor:m1:current", "input"})`. Their
  /// System must outlive the Channels.
  explicit Channels(const Equations& equations, const std::vector<std::string>& requests = {},
                    std::vector<UserChannel> own = {});
  explicit Channels(System&&, const std::vector<std::string>& = {},
                    std::vector<UserChannel> = {}) = delete;
  ~Channels();
  Channels(Channels&&) noexcept;
  Channels& operator=(Channels&&) noexcept;

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  /// What the joints of System::joints pass on to their children at the row computed last, in the
  /// child's frame; empty unless some `force:JOINT` was asked for.
  [[nodiscard]] std::span<const Force> reactions() const {
    return std::span(reactions_).first(needs_reactions_ ? joint_count_ : 0);
  }

  /// Fills one row, with one placement of the joints whatever was asked for. Leaves the kinematics
  /// of that moment in `work`. Of the two quaternions of a rotation, the first row has the one with
  /// qw ≥ 0 and every other the one nearer to the row before. Allocates nothing, apart from what
  /// the user's own channels do.
  void compute(Workspace& work, const Snapshot& at, std::span<double> out);

  /// Begins a new run: the next row counts as the first.
  void restart() { started_ = false; }

  /// The requests this system knows, for messages and menus: "frame:tip", "a:elbow", "momentum".
  static std::vector<std::string> known(const System& system);
  static std::vector<std::string> known(const Equations& equations);

 private:
  friend class ChannelBuilder;
  enum class Kind {
    frame,
    velocity,
    acceleration,
    a,
    tau,
    force,
    momentum,
    com,
    kinetic,
    potential,
    stored,
    input,
    extra,
    output,
    closure,
    attitude,
    contact,
    velocity_error,
    tolerance_missed,
    friction,
    stop
  };
  /// The columns from `first` on show the thing `index` of its kind.
  struct ColumnGroup {
    Kind kind;
    int index;
    std::size_t first;
    Quaternion last{};  // frame: the one of the row before
  };

  /// Of a tree, or of a system whose closures are obeyed.
  enum class Of { tree, mechanism };
  /// What equations have names for.
  struct NamedNumbers {
    std::vector<Quantity> inputs, extra_states{}, outputs{};
  };
  Channels(const System& system, Of of, NamedNumbers names,
           const std::vector<std::string>& requests, std::vector<UserChannel> own);
  static Of kind_of(const System& system) {
    return system.closures().empty() ? Of::tree : Of::mechanism;
  }
  /// Reactions and forces of closures at a row, as far as they are asked for.
  void compute_forces(Workspace& work, const Snapshot& at);
  [[nodiscard]] bool asks_for(Kind kind) const;
  void check(const Workspace& work, const Snapshot& at, std::span<double> out) const;
  void write_pose(ColumnGroup& group, const Pose& pose, double* out) const;
  void write_quaternion(ColumnGroup& group, const Matrix3& rotation, double* out) const;
  [[nodiscard]] Matrix3 contact_rotation(const Workspace& work, const Grasp& grasp) const;
  /// Force through a closure or grasp at the row computed last; none through a grasp that was released.
  [[nodiscard]] Force closure_force(int closure) const;
  [[nodiscard]] double contact_number(int grasp, int component) const;
  /// The mechanism with the grasps that hold.
  void close(std::span<const char> released);
  void write(ColumnGroup& group, const Workspace& work, const Snapshot& at, const Energy& energy,
             double* out) const;

  const System* system_;
  NamedNumbers names_;
  std::vector<Column> columns_;
  std::vector<ColumnGroup> groups_;
  std::vector<UserChannel> own_;
  std::vector<Force> reactions_;  // one per joint; of a mechanism, one per closure behind them
  std::size_t joint_count_ = 0, first_own_ = 0;
  bool needs_reactions_ = false, needs_closures_ = false;
  // Of a mechanism.
  std::unique_ptr<const System> reduced_;  // without grasps that were released
  std::unique_ptr<const System> smooth_;   // without friction, which snapshots tell
  std::unique_ptr<ClosedWorkspace> closed_;
  bool stores_in_closing_joints_ = false;  // springs and rotors there have energy
  std::vector<char> released_;             // per grasp of the model
  std::vector<int> closure_at_;            // where a closure stands in closed_; −1: released
  std::vector<Force> closure_forces_;
  Eigen::VectorXd efforts_, a_;
  bool started_ = false;
};

}  // namespace linkwright
