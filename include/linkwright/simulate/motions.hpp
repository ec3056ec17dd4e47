#pragma once
/// Motions that joints are to make: from a file, or from point to point.
///
///     auto motion = std::make_shared<linkwright::PointToPoint>(
///         system, start.q, 0, std::vector<linkwright::Move>{{{{"elbow", 1.2}}, 2.0}});
///     simulation.set_reference(linkwright::to_source(motion));
///     simulation.add_controller(linkwright::computed_torque(system, {.joints = motion->names()}));
///
/// The coordinates are those of joints whose position is plain numbers; joints that carry a quaternion
/// are refused by name.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "linkwright/simulate/closed_equations.hpp"
#include "linkwright/simulate/time_table.hpp"

namespace linkwright {

class CommandedMotion {
 public:
  struct Coordinate {
    std::string name;  ///< of System::velocity_names
    int q = 0, v = 0;  ///< entries
  };
  virtual ~CommandedMotion() = default;

  /// What moves.
  [[nodiscard]] const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  [[nodiscard]] std::vector<std::string> names() const;
  /// Where the accelerations bend.
  [[nodiscard]] const std::vector<double>& break_times() const { return break_times_; }
  /// Times at which the motion is worth a look: every row, points along every move.
  [[nodiscard]] const std::vector<double>& check_times() const { return check_times_; }

  /// Of coordinates()[which]. Allocates nothing.
  [[nodiscard]] virtual GivenValue value(std::size_t which, double t) const = 0;
  /// Where a time of check_times stands, for messages: "ref.csv:12", or empty.
  [[nodiscard]] virtual std::string where(std::size_t /*check*/) const { return {}; }
  /// Writes position, velocity and acceleration of the coordinates and leaves the others.
  void compute(double t, Reference& reference) const;

 protected:
  std::vector<Coordinate> coordinates_;
  std::vector<double> break_times_, check_times_;
};

/// A reference for controllers: at every evaluation, or sampled.
ReferenceSource to_source(const std::shared_ptr<const CommandedMotion>& motion, double period = 0);
/// Motions that are made whatever force they take, for ClosedOptions::motions.
std::vector<GivenMotion> to_given_motions(const std::shared_ptr<const CommandedMotion>& motion);

/// Throws Error naming the first time, the closure and its gap where a motion cannot be made with all
/// closures kept, from time `from` on. `q`, a closed position, tells the way in which the mechanism is
/// assembled.
void require_closed(ClosedWorkspace& work, const CommandedMotion& motion, const ConstVectorRef& q,
                    double from = 0);

/// A motion from a table with the columns q:JOINT, and v:JOINT and a:JOINT where they are known.
///
/// Between the rows runs the polynomial of degree 5 that has their positions, velocities and
/// accelerations. Where accelerations are not given they are those that make the jerk continuous; where
/// velocities are not given either, the motion is the cubic spline through the positions, with continuous
/// accelerations and, at both ends, one cubic for two stretches (nothing is assumed of the ends).
class ReferenceTable final : public CommandedMotion {
 public:
  /// Throws Error for columns that no joint has, with the closest name, and for joints that cannot be
  /// moved so: passive ones and those with a quaternion. In a recording, which has all joints, these are
  /// left aside. In a closed system passive joints may have columns: they are not followed, but must fit
  /// the closures.
  ReferenceTable(const Equations& equations, TimeTable table);

  [[nodiscard]] const TimeTable& table() const { return table_; }
  [[nodiscard]] GivenValue value(std::size_t which, double t) const override;
  [[nodiscard]] std::string where(std::size_t check) const override;
  /// Columns that carry nothing here.
  [[nodiscard]] const std::vector<std::string>& unused() const { return unused_; }
  /// Positions of joints that are told and not followed: entry of q and column.
  [[nodiscard]] const std::vector<std::pair<int, std::size_t>>& told() const { return told_; }

 private:
  struct Columns;
  void sort_columns(const Equations& equations, Columns& columns);
  void take_joint(const System& system, const JointPlace& joint, const Columns& columns);
  void take_freedom(const System& system, const JointPlace& joint, int freedom,
                    const Columns& columns);
  void leave_aside(const JointPlace& joint, const Columns& columns);

  TimeTable table_;
  std::vector<std::string> unused_;
  std::vector<std::pair<int, std::size_t>> told_;
  std::vector<GivenValue> knots_;  // coordinate after coordinate, one per row
};

/// Targets by the names of System::velocity_names, and the seconds in which they are reached.
struct Move {
  std::vector<std::pair<std::string, double>> targets{};
  double duration = 0;
};

/// Moves one after the other, from rest to rest, all joints of a move arriving together; who is not
/// named stays. Each is the polynomial of degree 5 with zero velocity and acceleration at its ends: of
/// all such motions the one with the least mean square jerk; its jerk never exceeds 60 way / duration³,
/// its velocity 1.875 way / duration.
class PointToPoint final : public CommandedMotion {
 public:
  /// Largest velocity of a move, in units of way / duration.
  static constexpr double peak_velocity = 1.875;

  /// From the position q at time `start`. The coordinates are all that some move names, and `also`,
  /// which hold where they are. Throws Error for an unknown joint, one with a quaternion or without a
  /// motor, and for a duration that is not positive.
  PointToPoint(const System& system, const ConstVectorRef& q, double start, std::vector<Move> moves,
               const std::vector<std::string>& also = {});

  [[nodiscard]] GivenValue value(std::size_t which, double t) const override;
  [[nodiscard]] double end() const { return starts_.back(); }
  [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
  /// Where a coordinate stands before move `move`; after the last for moves().size().
  [[nodiscard]] double position(std::size_t which, std::size_t move) const {
    return positions_[move * coordinates_.size() + which];
  }

 private:
  std::vector<Move> moves_;
  std::vector<double> starts_;     // of the moves, and the end of the last
  std::vector<double> positions_;  // before each move, and after the last
};

}  // namespace linkwright
