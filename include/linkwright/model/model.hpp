#pragma once
/// What a person describes and edits: bodies, joints, frames, and everything attached to them, by
/// name. A Model is plain data; `validate` judges it and `compile` (system/) turns it into a
/// System.
///
///     linkwright::Model model;
///     model.bodies.push_back({.name = "rod", .mass = 1, .com = {0, 0, -0.5}});
///     model.joints.push_back({.name = "hinge", .type = linkwright::JointType::revolute,
///                             .parent = "world", .child = "rod", .axis = {0, 1, 0}});

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/error.hpp"
#include "linkwright/model/network.hpp"
#include "linkwright/spatial/spatial.hpp"

namespace linkwright {

/// The inertial frame; a body of this name exists in every model and never moves.
inline constexpr std::string_view world_name = "world";

/// How a child may move relative to its parent. In brackets: numbers in q / numbers in v.
enum class JointType {
  fixed,        ///< not at all                                            (0/0)
  revolute,     ///< angle about `axis`, with limits                       (1/1)
  continuous,   ///< angle about `axis`, without limits                    (1/1)
  prismatic,    ///< distance along `axis`                                 (1/1)
  helical,      ///< angle about `axis`; advances `pitch` metres per radian (1/1)
  cylindrical,  ///< angle about, then distance along `axis`               (2/2)
  universal,    ///< angle about `axis`, then about `axis2` on the child   (2/2)
  planar,       ///< x, y in the plane normal to `axis`, then the angle about it (3/3)
  spherical,    ///< unit quaternion [w x y z]; v = angular velocity in the child frame (4/3)
  free,         ///< [w x y z, px py pz]; v = [ω; v] in the child frame    (7/6)
  custom        ///< constant 6×d `modes`: relative velocity = modes · v, in the child frame
};

/// The name a file would use ("revolute", ...).
std::string_view to_string(JointType type);
/// The inverse of to_string; nothing for an unknown name.
std::optional<JointType> to_joint_type(std::string_view name);

/// Whether a joint of that type has an `axis`.
bool has_axis(JointType type);

// Every member has an initialiser, so that designated initialisers may leave any of them out.

struct Body {
  std::string name{};
  double mass = 0;
  Vector3 com{};             ///< centre of mass, in the body's frame
  Symmetric3 inertia{};      ///< about the centre of mass, in the body's axes
  bool has_inertial = true;  ///< false: the file gave no mass at all (a mere frame)
  Source source{};
  Source inertial_source{};  ///< where mass and inertia are given, when it is known separately
};

/// Range of one coordinate. Infinite when the file gives none.
struct Limits {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double velocity = std::numeric_limits<double>::infinity();
  double effort = std::numeric_limits<double>::infinity();
  // How a simulation stops the joint at `lower` and `upper`.
  double restitution = 0;  ///< of a rigid stop: speed after an impact over speed before it, 0 … 1
  /// Effort per radian or metre beyond the limit; infinite: the stop is rigid.
  double stiffness = std::numeric_limits<double>::infinity();
  double damping = 0;  ///< of a stop with a stiffness; it pushes only, and never pulls
};

/// Coulomb friction by direction of motion; all are magnitudes.
struct Friction {
  double forward = 0, backward = 0;
  /// What it takes to start from rest, in simulations; less than the friction of motion counts as that.
  double breakaway = 0;
};
/// Whether there is any, in motion or at rest.
[[nodiscard]] inline bool has_friction(const Friction& f) {
  return f.forward != 0 || f.backward != 0 || f.breakaway != 0;
}

struct Joint {
  std::string name{};
  JointType type = JointType::fixed;
  std::string parent{}, child{};  ///< body names; the parent may be "world"
  Pose pose{};                    ///< joint frame in the parent's frame; the child's frame at q = 0
  /// Where the joint sits on the child, in its frame: this place, and not the child's own frame, is
  /// what `pose` and all else here speak of.
  Pose at_child{};
  Vector3 axis{1, 0, 0};   ///< in the joint frame
  Vector3 axis2{0, 1, 0};  ///< universal: second axis, in the joint frame at q = 0
  double pitch = 0;        ///< helical: metres per radian
  /// custom: columns [ωx ωy ωz vx vy vz] in the child frame, one per freedom
  std::vector<std::array<double, 6>> modes{};
  /// Freedoms without a motor, under the rule below: an effort given to one is refused.
  std::vector<bool> passive{};
  // Per freedom of the joint: one entry serves all freedoms, none means zero (unlimited).
  std::vector<double> damping{};
  std::vector<Friction> friction{};
  std::vector<double> rotor_inertia{};  ///< reflected through the gear: added to the diagonal of M
  std::vector<Limits> limits{};
  /// Not in the file: a reader's joint of the root to the world, a weld of to_tree_with_closures, or an
  /// elastic joint of a flexible link.
  bool implied = false;
  Source source{};
};

/// A named place on a body.
struct Frame {
  std::string name{};
  std::string body{};  ///< "world" is a body
  Pose pose{};         ///< in the body's frame
  Source source{};
};

/// A freedom of a joint with the ratio at which something else follows it.
struct GearTerm {
  std::string joint{};
  int freedom = 0;
  double ratio = 1;
};

/// A joint that closes a loop, another bond between two bodies, or a relation between joints.
struct Closure {
  enum class Kind {
    joint,           ///< a pair of the type `joint`
    point_on_line,   ///< b's origin stays on the line through a's origin along `axis`
    point_on_plane,  ///< b's origin stays in the plane through a's origin normal to `axis`
    distance,        ///< the two origins stay `distance` apart
    rolling,  ///< a ball about b's origin (or a disc about `axis2`) rolls on the plane normal to `axis`
    gear,  ///< between two joints
    /// A shaft that turns by the sum of ratio · q over `terms`: it binds nothing, and what sits on it
    /// acts on all of them. Not in files: `compile` makes one of every coupled transmission.
    shaft
  };
  std::string name{};
  Kind kind = Kind::joint;
  std::string body_a{}, body_b{};
  Pose at_a{}, at_b{};
  JointType joint = JointType::fixed;  ///< kind joint: the pair's type; "weld" in files means fixed
  Vector3 axis{0, 0, 1};               ///< in a's closure frame
  Vector3 axis2{0, 1, 0};  ///< in b's closure frame; universal: second axis; disc: its axle
  bool disc = false;       ///< rolling: a disc about `axis2`, not a ball
  double pitch = 0;        ///< helical: metres per radian
  std::vector<std::array<double, 6>> modes{};  ///< custom: as in Joint, b's motion seen from a
  double distance = 0;                         ///< kind distance; rolling: the radius
  // kind gear: q(follower) = ratio · q(leader) + offset
  std::string leader{}, follower{};
  double ratio = 1, offset = 0;
  std::vector<GearTerm> terms{};  ///< kind shaft
  // kinds joint and shaft: per freedom of the pair, under Joint's rule.
  std::vector<bool> passive{};  ///< none: only the freedoms that an actuator drives have a motor
  std::vector<double> damping{};
  std::vector<Friction> friction{};
  std::vector<double> rotor_inertia{};
  std::vector<Limits> limits{};
  Source source{};
};

/// How a hand holds an object.
struct Grasp {
  enum class Contact { rigid, line, point, soft_finger };
  std::string name{};
  std::string arm{};  ///< body or frame that touches
  std::string object{};
  Pose at{};  ///< contact frame in the object's frame
  Contact contact = Contact::rigid;
  Vector3 normal{0, 0, 1};  ///< in the contact frame, into the object
  Vector3 axis{0, 0, 1};    ///< line: about which it rolls, in the contact frame
  /// None: the hand pulls as well as it pushes. Given: it only pushes, along `normal`, and holds by
  /// friction: the force along the surface is at most `friction` times the force along the normal.
  std::optional<double> friction{};
  /// Metres; soft finger with friction: the moment about the normal is at most `torsion` times the
  /// force along it. None: the finger grips against turning without limit.
  std::optional<double> torsion{};
  Source source{};
};

/// A spring with damper on a straight line between two bodies.
struct LineSpring {
  std::string name{};
  std::string body_a{}, body_b{};
  Vector3 at_a{}, at_b{};
  double stiffness = 0, damping = 0, rest_length = 0;
  Source source{};
};
/// A spring with damper on one freedom of a joint.
struct JointSpring {
  std::string joint{};  ///< here and below also a closure of the kind joint
  int freedom = 0;
  double stiffness = 0, damping = 0, rest = 0;
  Source source{};
};
/// Constant effort on one freedom of a joint.
struct JointLoad {
  std::string joint{};
  int freedom = 0;
  double effort = 0;
  Source source{};
};
/// Constant force on a body. `at` is in the body's frame; `in_world`: axes of force and moment.
struct BodyLoad {
  std::string body{};
  Force force{};
  Vector3 at{};
  bool in_world = true;
  Source source{};
};

/// A direct-current motor behind a gear, on one freedom of a joint or, by a transmission, on several
/// together. Behind a rigid gear its rotor and damping act on the joint multiplied by gear², its
/// friction by gear; several motors on one freedom add up. Behind an elastic gear its shaft moves by
/// itself. With an electrical side it can be driven by a voltage (actuation/drives.hpp).
struct Actuator {
  std::string name{};
  std::string joint{};  ///< empty: `transmission` says what the shaft turns
  int freedom = 0;
  struct Motor {
    double rotor_inertia = 0, damping = 0;  ///< of the shaft, before the gear
    Friction friction{};                    ///< the same; forward is that of the shaft
    double Ra = 0, La = 0, k = 0;           ///< ohm, henry, V s = N m/A; all 0: not given
    /// Separately excited: k is their product, N m/A² and A; both 0: permanent magnets.
    double field_constant = 0, field_current = 0;
    double voltage_limit = std::numeric_limits<double>::infinity();
    double current_limit = std::numeric_limits<double>::infinity();
  };
  std::optional<Motor> motor{};
  double gear = 1;  ///< motor speed to joint speed
  std::vector<GearTerm>
      transmission{};  ///< shaft angle = Σ ratio · q; none: `joint` and `gear` say it
  /// Between the shaft and the rigid gear behind it, seen from the shaft.
  struct Elastic {
    double stiffness = 0, damping = 0;  ///< N m/rad, N m s/rad
  };
  std::optional<Elastic> elastic{};
  Source source{};
};

/// Numbers between the six freedoms of a free joint, [angular; linear]. Six numbers are a diagonal.
struct PoseMatrix {
  std::array<std::array<double, 6>, 6> rows{};

  PoseMatrix() = default;
  PoseMatrix(double wx, double wy, double wz, double x, double y, double z)
      : rows{{{wx}, {0, wy}, {0, 0, wz}, {0, 0, 0, x}, {0, 0, 0, 0, y}, {0, 0, 0, 0, 0, z}}} {}

  [[nodiscard]] double operator()(int i, int j) const {
    return rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  [[nodiscard]] bool is_diagonal() const {
    for (int i = 0; i < 36; ++i)
      if (i / 6 != i % 6 && (*this)(i / 6, i % 6) != 0) return false;
    return true;
  }
};

/// A base that gives way elastically (base: {flexible: ...}), realised in the tree as a free joint
/// with the potential ½ xᵀ K x, x = [rotation vector; position] of the child in the joint's frame, and
/// the efforts −D v. Both matrices are symmetric and positive semidefinite.
struct FlexibleBase {
  std::string joint{};
  PoseMatrix stiffness{}, damping{};  ///< K, D
  Source source{};
};

/// The state a file asks to start from.
struct InitialState {
  struct Entry {
    std::string joint{};
    std::vector<double> values{};
    Source source{};
  };
  std::vector<Entry> q{}, v{};
  std::vector<std::string> hold{};
  Source hold_source{};
  /// Of motors, by their names: amperes of one that a voltage drives; radians and radians per second of
  /// a shaft behind an elastic gear.
  struct MotorEntry {
    std::string motor{};
    double value = 0;
    Source source{};
  };
  std::vector<MotorEntry> current{}, shaft_angle{}, shaft_speed{};
};

/// A shape of a link, as far as the reader keeps it: one to see or one to touch with.
struct Visual {
  enum class Shape { box, cylinder, sphere, capsule, mesh };
  std::string body{};
  Pose pose{};
  Shape shape = Shape::box;
  Vector3 size{};  ///< box edges; cylinder and capsule: radius, length; sphere: radius; mesh: scale
  std::string file{};                           ///< mesh
  std::string name{};                           ///< may be empty
  std::optional<std::array<double, 4>> rgba{};  ///< nothing: the file gives no colour
  Source source{};
};

/// Something worth telling that does not stop the work.
struct Warning {
  Source source{};
  std::string message{};
  std::string kind{};  ///< what warnings of the same sort share ("massless leaf"); may be empty
  [[nodiscard]] std::string text() const {
    return source.file.empty() ? message : source.text() + ": " + message;
  }
};

/// A file that a model was read from, word for word.
struct SourceText {
  std::string
      name{};  ///< the main file: its name without folder; others: as the main file calls it
  std::string text{};
};

struct Model {
  std::string name;
  Vector3 gravity{0, 0, -9.81};
  std::vector<Body> bodies;  ///< without the world
  /// The order here is the order of q and v. They may form loops: `compile` cuts them (loops.hpp).
  std::vector<Joint> joints;
  std::vector<std::string> cut;  ///< joints that shall close loops; `compile` chooses the others
  Source cut_source;
  std::vector<Frame> frames;
  std::vector<Closure> closures;
  std::vector<Grasp> grasps;
  std::vector<std::string> objects;  ///< bodies that were declared as objects
  std::vector<LineSpring> line_springs;
  std::vector<JointSpring> joint_springs;
  std::vector<JointLoad> joint_loads;
  std::vector<BodyLoad> body_loads;
  std::vector<Actuator> actuators;
  NetworkModel network;  ///< circuits and shafts around the mechanism
  std::vector<FlexibleBase> flexible_bases;
  std::vector<std::string> coordinates;  ///< independent coordinates the user wants
  Source coordinates_source;
  InitialState initial;
  std::vector<Visual> visuals;
  std::vector<Visual> collisions;  ///< shapes to touch with; they are not drawn
  std::vector<Warning> warnings;  ///< what the reader noticed; `compile` adds what `validate` finds
  /// The files it was read from, the main one first; empty when built in code. Editing the model
  /// does not change them.
  std::vector<SourceText> sources;
};

/// How the root of a description is attached to the world.
enum class Base { fixed, free, planar };

/// Number of entries of q and of v that a joint takes.
int position_count(const Joint& joint);
int velocity_count(const Joint& joint);
/// Whether a freedom is a way, in metres, and not an angle. A custom mode that turns counts as an angle.
bool slides(const Joint& joint, int freedom);
/// The name a file would use ("point_on_line", ...); "joint" for a pair of any joint type.
std::string_view to_string(Closure::Kind kind);
/// The name a file would use ("soft_finger", ...).
std::string_view to_string(Grasp::Contact contact);
/// Whether a closure has an `axis`: a line, a plane, rolling, and the joint types that have one.
bool has_axis(const Closure& closure);
/// Equations that a closure adds: 6 − freedoms of a joint, 1 for a distance, a plane or a gear, 2 for a
/// line, 3 for rolling, none for a shaft.
int row_count(const Closure& closure);
/// Equations that a grasp adds while it holds: 6 rigid; 5 line, which rolls about its axis; 4 soft
/// finger, which rolls about the two directions across its normal; 3 point, which rolls about all.
int row_count(const Grasp& grasp);
/// Whether a custom joint's modes all commute, so that its position is d plain numbers
/// (pose = exp(modes · q)) and not a pose of seven.
bool modes_commute(const Joint& joint);

/// What turns or slides with one freedom besides the bodies, as felt at the joint.
struct Reflected {
  double rotor_inertia = 0, damping = 0;
  Friction friction{};
};
/// Per joint and per closure of the model, one entry per freedom: what it has itself and, multiplied
/// by gear² or, friction, by gear, what the motors behind rigid gears on that freedom add.
struct ReflectedFreedoms {
  std::vector<std::vector<Reflected>> joints, closures;
};
ReflectedFreedoms to_reflected(const Model& model);

/// What a motor's shaft follows: its joint, or the joints of its transmission.
std::vector<GearTerm> terms_of(const Actuator& actuator);
/// Whether its shaft follows several freedoms together.
bool is_coupled(const Actuator& actuator);
/// Whether the motor can be driven by a voltage.
bool has_electrical_side(const Actuator& actuator);
/// Torque per ampere, and volts per radian per second.
double torque_constant(const Actuator::Motor& motor);

/// The pair of a closure as a joint from a to b (a shaft turns like a continuous one); without freedoms
/// where the closure is no pair.
Joint to_joint(const Closure& closure);
/// Whether a freedom of a closure's pair has neither a motor nor a network's wire.
bool is_passive(const Model& model, const Closure& closure, int freedom);

/// Whether nothing closes a loop: neither closures nor grasps, nor more joints than bodies.
inline bool is_open(const Model& model) {
  return model.closures.empty() && model.grasps.empty() &&
         model.joints.size() <= model.bodies.size();
}

/// Reads entry i of a per-freedom list under the rule "one entry serves all, none means `none`".
template <class T>
T per_freedom(const std::vector<T>& values, int i, T none) {
  if (values.empty()) return none;
  return values.size() == 1 ? values.front() : values.at(static_cast<std::size_t>(i));
}

}  // namespace linkwright
