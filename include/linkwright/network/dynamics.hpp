#pragma once
/// Dynamics of a compiled System from its graph: the verbs of dynamics/dynamics.hpp, for a NetworkWorkspace.
///
///     linkwright::network::NetworkWorkspace work(system);
///     Eigen::VectorXd a(system.nv());
///     compute_forward_dynamics(work, state, tau, {}, a);        // open or closed
///
/// Trees by the recursions of recursion.hpp, O(N). What closes a loop is a chord of the graph: its across variable
/// is that of its fundamental circuit, two terminals' twists and so a sum over the joints between them, and its
/// through variable enters these joints through the same sums, the cut sets:
///     M v̇ + bias = tau + joint_forces + Σ Jᵀ f + Jᵀ λ,    J v̇ + J̇ v = 0
/// All that a model declares acts: rotors (of closing joints too), springs, dampers, friction at nonzero speed, loads.

#include <memory>
#include <span>

#include "linkwright/network/placement.hpp"
#include "linkwright/network/recursion.hpp"

namespace linkwright::network {

namespace mechanics {
struct Room;
}

/// Whether closures and grasps hold, or are left out of the graph.
enum class Loops { keep, leave_out };

class NetworkWorkspace {
 public:
  /// The System must outlive the workspace.
  explicit NetworkWorkspace(const System& system, Loops loops = Loops::keep);
  explicit NetworkWorkspace(System&&, Loops = Loops::keep) = delete;
  ~NetworkWorkspace();
  NetworkWorkspace(NetworkWorkspace&&) noexcept;
  NetworkWorkspace& operator=(NetworkWorkspace&&) noexcept;

  [[nodiscard]] const System& system() const;
  [[nodiscard]] const SystemGraph& graph() const;
  /// Of the state that was computed with last.
  [[nodiscard]] const Placement& placement() const;
  /// Rows of all closures that are kept.
  [[nodiscard]] int rows() const;
  /// For the library's own use.
  [[nodiscard]] mechanics::Room& room() { return *room_; }

 private:
  std::unique_ptr<mechanics::Room> room_;
};

/// How a closed system's last forward dynamics came about.
struct LoopReport {
  enum class Way {
    open,   ///< there are no loops
    ports,  ///< the tree as a multi-port with the closures' ports, these joined to it
    full    ///< all joints at once, since the open tree has a joint that nothing resists
  } way = Way::open;
  int rank = 0, dropped = 0;  ///< independent rows, and redundant ones
  /// What J v̇ + J̇ v = 0 is missed by: more than rounding at singular positions that the motion cannot pass.
  double violation = 0;
};

/// tau: nv numbers, or of a closed system System::effort_count. State and loops as in closure/dynamics.hpp; loops
/// cost O(rows · N) and a decomposition of the rows, and allocate nothing after the first call of each way.
/// Throws Error (failed_computation) naming a joint that nothing with inertia resists.
void compute_forward_dynamics(NetworkWorkspace& work, const State& state, const ConstVectorRef& tau,
                              ExternalForces forces, VectorRef a);
[[nodiscard]] LoopReport loop_report(NetworkWorkspace& work);

/// After compute_forward_dynamics: Recursion::magnification of the tree.
[[nodiscard]] double magnification(NetworkWorkspace& work);

/// After compute_forward_dynamics or compute_inverse_dynamics: [ω̇; v̇] of a frame's axes and origin, by (40).
Motion frame_acceleration(NetworkWorkspace& work, FrameId frame, Axes axes);

/// Efforts by (40) and (41). Throws Error for a system with loops that are kept: how motors share the work there
/// is asked of closure/dynamics.hpp.
void compute_inverse_dynamics(NetworkWorkspace& work, const State& state, const ConstVectorRef& a,
                              ExternalForces forces, VectorRef tau);
/// After compute_inverse_dynamics: y_j, the wrench that the inboard joint of body j passes to it, at B and in world
/// axes; one per body of the graph.
void joint_wrenches(NetworkWorkspace& work, std::span<Force> wrenches);

/// The constraint equations of the loops from their fundamental circuits, J v̇ + bias = 0; rows follow
/// System::closures. J is rows × nv.
void compute_loop_rows(NetworkWorkspace& work, const State& state, MatrixRef J, VectorRef bias);
/// After compute_forward_dynamics: force and moment that a applies to b through closure i of System::closures, at
/// b's closure frame, in its axes; of least norm where rows are redundant. As closure/dynamics.hpp has it.
void closure_forces(NetworkWorkspace& work, std::span<Force> forces);

}  // namespace linkwright::network
