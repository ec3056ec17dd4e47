#pragma once
/// A compiled system as several arms on one base: which frames are the hands, what they hold, what the arms
/// stand on, and which freedoms have a motor.
///
///     linkwright::System system = compile(read_model("models/space_robot_catch.yaml"));
///     linkwright::manipulator::Manipulator robot(system);            // its arms are those that grasp
///     for (int v : robot.active()) std::cout << system.velocity_names()[v] << "\n";
///
/// The base is the body on the world that carries all arms, if its joint is free or planar; otherwise the
/// world, or what ManipulatorOptions::base names. Freedoms are entries of v throughout.

#include <string>
#include <vector>

#include "linkwright/dynamics/state.hpp"

namespace linkwright::manipulator {

/// What the arms stand on.
enum class BaseKind {
  fixed,     ///< the world, or a body welded to it
  free,      ///< floats; flies where forces of thrusters act on it
  flexible,  ///< held by springs and dampers in all directions (Model::flexible_bases)
  planar,    ///< moves in a plane and turns about its normal
  wheeled,   ///< carried by wheels that roll without slipping (rolling closures)
  jointed    ///< any other joints between it and the world
};
/// "free", "fixed", …
std::string_view to_string(BaseKind kind);

struct ManipulatorOptions {
  std::string base{};  ///< a body, or "world"; empty: found as above
  /// Frames of arms that hold nothing, besides those that the grasps name.
  std::vector<std::string> tips{};
  /// Whether the freedoms of a free, flexible, planar or wheeled base count as passive, with f_b of the
  /// paper as their effort, or as driven by motors of their own.
  enum class BaseFreedoms { passive, active } base_freedoms = BaseFreedoms::passive;
};

/// A chain from the base to a hand.
struct Arm {
  std::string tip{};  ///< name of the frame
  FrameId frame{};    ///< the same
  int grasp = -1;     ///< index into System::closures; −1: it holds nothing
  int object = -1;    ///< index into Manipulator::objects
  FrameId held{};     ///< the body of the object that the hand is at: of a flexible link, one piece
  std::vector<int>
      freedoms{};  ///< between base and hand, outward; none: a hand on the base or the world
};
/// Something that arms hold: a body on the world with what hangs on it. A flexible link is one object
/// wherever it is held; its frame is that of the link, and each hand moves with its own piece (Arm::held).
struct HeldObject {
  std::string name{};  ///< of the body or the flexible link
  FrameId frame{};
  std::vector<int> freedoms{};  ///< of the whole tree that it is part of
};
struct BaseBody {
  BaseKind kind = BaseKind::fixed;
  std::string body{"world"};
  FrameId frame{};
  std::vector<int> freedoms{};  ///< between the world and it, outward
};

class Manipulator {
 public:
  /// The System must outlive it. Throws Error, naming them, for arms that have no common base, for tips
  /// that are on no arm, for an object that is part of the manipulator, and for a model without arms.
  explicit Manipulator(const System& system, const ManipulatorOptions& options = {});
  explicit Manipulator(System&&, const ManipulatorOptions& = {}) = delete;

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const BaseBody& base() const { return base_; }
  /// Those of the grasps in their order, then the options' tips.
  [[nodiscard]] const std::vector<Arm>& arms() const { return arms_; }
  [[nodiscard]] const std::vector<HeldObject>& objects() const { return objects_; }
  /// Freedoms of base, arms and all that hangs on them: those with a motor, and those without
  /// (Joint::passive, and those of free and planar joints on the world as the options say). Ascending.
  [[nodiscard]] const std::vector<int>& active() const { return active_; }
  [[nodiscard]] const std::vector<int>& passive() const { return passive_; }
  /// Closures that bind base and arms to each other or to the world, wheels for example: indices into
  /// System::closures.
  [[nodiscard]] const std::vector<int>& own_closures() const { return own_closures_; }
  /// Freedoms of all objects, ascending. Trees that are neither are bystanders.
  [[nodiscard]] const std::vector<int>& of_objects() const { return of_objects_; }

 private:
  friend class ManipulatorBuilder;
  const System* system_;
  BaseBody base_;
  std::vector<Arm> arms_;
  std::vector<HeldObject> objects_;
  std::vector<int> active_, passive_, of_objects_, own_closures_;
};

}  // namespace linkwright::manipulator
