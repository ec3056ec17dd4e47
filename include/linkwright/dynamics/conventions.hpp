#pragma once
/// The same state in the coordinates of other libraries. docs/conventions.md has the whole table.
///
///     linkwright::ConventionLayout mujoco(system, linkwright::Convention::mujoco);
///     Eigen::VectorXd qpos(mujoco.nq()), qvel(mujoco.nv());
///     to_convention_position(mujoco, state.q, qpos);
///     to_convention_velocity(mujoco, state.q, state.v, qvel);

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/dynamics/state.hpp"

namespace linkwright {

/// Whose order of numbers, whose axes.
///
/// | joint      | peer      | q                            | v                              |
/// |------------|-----------|------------------------------|--------------------------------|
/// | free       | pinocchio | p, quaternion x y z w        | v, ω, both in the child's axes |
/// |            | mujoco    | p, quaternion w x y z        | v in world axes, ω in child's  |
/// |            | drake     | quaternion w x y z, p        | ω, v, both in the parent's axes |
/// |            | rbdl      | p, x y z; w at the end of q  | v in parent's axes, ω in child's |
/// | spherical  | pinocchio | quaternion x y z w           | ω in the child's axes          |
/// |            | mujoco    | quaternion w x y z           | ω in the child's axes          |
/// |            | drake     | roll, pitch, yaw             | ω in the parent's axes         |
/// |            | rbdl      | x y z; w at the end of q     | ω in the child's axes          |
/// | continuous | pinocchio | cos, sin                     | rate                           |
/// | planar     | pinocchio | x, y, cos, sin               | v in the child's axes, rate    |
///
/// Everything else has our numbers. "Parent" is the joint's frame on the parent body; MuJoCo's free
/// joint is the exception: its pose is that in the world.
enum class Convention { pinocchio, mujoco, drake, rbdl };

/// "Pinocchio", "MuJoCo", "Drake", "RBDL".
std::string_view to_string(Convention convention);

/// Where each joint's numbers stand in a peer's vectors. Built once; the conversions do not
/// allocate.
class ConventionLayout {
 public:
  /// `joint_order` names our moving joints in the order in which the peer holds them; empty: our
  /// order. Fixed joints may be left out. Throws Error for a name that is unknown, missing or
  /// doubled, and for a joint that the peer cannot have: a custom joint whose position is a pose,
  /// and for MuJoCo a free joint on a body that moves. The System must outlive the layout.
  ConventionLayout(const System& system, Convention convention,
                   std::span<const std::string> joint_order = {});
  ConventionLayout(System&&, Convention, std::span<const std::string> = {}) = delete;

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] Convention convention() const { return convention_; }
  /// Sizes of the peer's q and v.
  [[nodiscard]] int nq() const { return nq_; }
  [[nodiscard]] int nv() const { return nv_; }

  /// What the conversion of a joint has to do.
  enum class Kind { same, cos_sin, planar, spherical, free };
  /// One moving joint in both layouts.
  struct Entry {
    const JointPlace* ours = nullptr;
    Kind kind = Kind::same;
    int q = 0, nq = 0, v = 0;  ///< in the peer's vectors
    int w = -1;                ///< RBDL: where the quaternion's last number is
    Pose parent{};             ///< MuJoCo, free: the joint's frame in the world
  };
  /// In the peer's order.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  const System* system_;
  Convention convention_;
  int nq_ = 0, nv_ = 0;
  std::vector<Entry> entries_;
};

// In all of these q and v are ours, and `out` must not share storage with an argument. Sizes,
// finite numbers, norms of quaternions and of (cos, sin) are checked first: throws Error, nothing
// is written.

void to_convention_position(const ConventionLayout& layout, const ConstVectorRef& q, VectorRef out);
void to_convention_velocity(const ConventionLayout& layout, const ConstVectorRef& q,
                            const ConstVectorRef& v, VectorRef out);
/// The time derivative of the peer's v: where its axes turn and ours do not (or the other way
/// round), that contains ω × v.
void to_convention_acceleration(const ConventionLayout& layout, const ConstVectorRef& q,
                                const ConstVectorRef& v, const ConstVectorRef& a, VectorRef out);
/// Efforts with the same power: tauᵀ v is the same number in both.
void to_convention_effort(const ConventionLayout& layout, const ConstVectorRef& q,
                          const ConstVectorRef& tau, VectorRef out);

/// Angles come out in −π … π where the peer holds (cos, sin).
void from_convention_position(const ConventionLayout& layout, const ConstVectorRef& peer_q,
                              VectorRef out);
void from_convention_velocity(const ConventionLayout& layout, const ConstVectorRef& q,
                              const ConstVectorRef& peer_v, VectorRef out);
void from_convention_acceleration(const ConventionLayout& layout, const ConstVectorRef& q,
                                  const ConstVectorRef& v, const ConstVectorRef& peer_a,
                                  VectorRef out);
void from_convention_effort(const ConventionLayout& layout, const ConstVectorRef& q,
                            const ConstVectorRef& peer_tau, VectorRef out);

}  // namespace linkwright
