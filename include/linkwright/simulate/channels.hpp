#pragma once
/// Which numbers of a run are recorded, by name and with units.
///
///     linkwright::Channels channels(system, {"frame:tip", "tau:elbow", "momentum"});
///     std::vector<double> row(channels.size());
///     channels.compute(work, state, a, tau, {}, 0.0, row);
///
/// Always there, in this order: `time`, every `q:JOINT`, every `v:JOINT`; what was asked for; the
/// user's own; `energy` (kinetic + potential) and `closure_error`. A joint with several numbers has
/// `q:JOINT:0` … . What can be asked for:
///
/// | request | columns |
/// |---|---|
/// | `frame:NAME` | `frame:NAME:x\|y\|z\|qw\|qx\|qy\|qz`, the pose in the world |
/// | `velocity:NAME` | `velocity:NAME:wx\|wy\|wz\|vx\|vy\|vz`, world axes |
/// | `acceleration:NAME` | `acceleration:NAME:alphax\|alphay\|alphaz\|ax\|ay\|az`, world axes |
/// | `a`, `a:JOINT` | accelerations of all joints, of one |
/// | `tau`, `tau:JOINT` | efforts applied to all joints, to one |
/// | `force:JOINT` | `force:JOINT:nx\|ny\|nz\|fx\|fy\|fz`, what the joint passes to its child, in the
/// child's frame |
/// | `momentum` | `momentum:angular:x\|y\|z` about the centre of mass, `momentum:linear:x\|y\|z` |
/// | `com` | `com:x\|y\|z`, the centre of mass |
/// | `kinetic`, `potential` | the two parts of the energy |

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "linkwright/dynamics/forces.hpp"

namespace linkwright {

struct Column {
  std::string name{};
  std::string unit{};  ///< "rad/s", "N*m", "m/s^2"; "1" for pure numbers
};

/// A number of the user's own.
///
///     linkwright::UserChannel height{"height", "m", [](const linkwright::State& s) { return s.q[0]; }};
struct UserChannel {
  std::string name{};
  std::string unit{"1"};
  std::function<double(const State&)> value{};
};

class Channels {
 public:
  /// Throws Error for an unknown request: it lists the known ones and names the closest. A request
  /// for what is there anyway changes nothing. The System must outlive the Channels.
  explicit Channels(const System& system, const std::vector<std::string>& requests = {},
                    std::vector<UserChannel> own = {});
  explicit Channels(System&&, const std::vector<std::string>& = {},
                    std::vector<UserChannel> = {}) = delete;

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return columns_.size(); }

  /// Fills one row. `a`: accelerations, `tau`: applied efforts, `forces`: external forces that act
  /// now. Of the two quaternions of a rotation, the first row has the one with qw ≥ 0 and every
  /// other the one nearer to the row before. Allocates nothing, apart from what the user's own
  /// channels do.
  void compute(Workspace& work, const State& state, const ConstVectorRef& a,
               const ConstVectorRef& tau, ExternalForces forces, double closure_error,
               std::span<double> out);

  /// Begins a new run: the next row counts as the first.
  void restart() { started_ = false; }

  /// The requests this system knows, for messages and menus: "frame:tip", "a:elbow", "momentum".
  static std::vector<std::string> known(const System& system);

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
    potential
  };
  /// The columns from `first` on show the thing `index` of its kind.
  struct Piece {
    Kind kind;
    int index;
    std::size_t first;
    Quaternion last{};  // frame: the one of the row before
  };

  void write_motions(const Workspace& work, std::span<double> out);
  void write_whole(Workspace& work, const State& state, std::span<double> out);

  const System* system_;
  std::vector<Column> columns_;
  std::vector<Piece> pieces_;
  std::vector<UserChannel> own_;
  std::vector<Force> reactions_;  // one per joint
  bool needs_motion_ = false, needs_reactions_ = false;
  bool started_ = false;
};

}  // namespace linkwright
