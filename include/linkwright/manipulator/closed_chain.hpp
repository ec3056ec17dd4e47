#pragma once
/// Forward dynamics of arms that hold objects by the recursions of part 2 of the paper, each a few operator
/// expressions around one linear system Ω f(0) = … for the contact forces.
///
///     manipulator::Manipulator robot(system);
///     manipulator::ClosedChain chain(robot);
///     chain.compute_forward_dynamics(ClosedAlgorithm::RCCFD2, OmegaSolve::structured, state, tau, {}, a);
///     linkwright::Force f = chain.end_force(0);            // f₁(0), what arm 0 does to the object
///
/// | | equations | sweeps |
/// |---|---|---|
/// | RCCFD1 | (6.11): free accelerations, contact forces, corrections | 7 |
/// | RCCFD2 | (6.18): contact forces from the innovations, one more filter and smoother | 6 |
/// | RCCFD3 | (6.22): efforts and biases each on their own | 9 |
/// | non_rigid | (b.9): contacts that roll, by the projection Π of all six directions; with the structured solve Π is not formed, but Kᵀ(KΩKᵀ)⁻¹K, which is the same | 9 |
///
/// All of them take rigid, line, soft-finger and point contacts; rigid ones are the paper's. They agree with
/// compute_forward_dynamics of a ClosedWorkspace, which is what to call for speed.

#include <memory>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/manipulator/manipulator.hpp"

namespace linkwright::manipulator {

enum class ClosedAlgorithm { RCCFD1, RCCFD2, RCCFD3, non_rigid };
const char* name(ClosedAlgorithm algorithm);

/// Ω = J 𝓜⁻¹ Jᵀ + A M⁻¹(C) Aᵀ (4.9c).
enum class OmegaSolve {
  /// Block diagonal by arms plus rank six through each object and through a base that moves: O(n) + O(ℓ) for a
  /// given number of objects. Where an arm cannot give way by itself in all rows of its contact, or arms share
  /// joints outboard of their base: dense.
  structured,
  dense  ///< O(n) + O(ℓ³)
};

struct ClosedChainReport {
  int rows = 0;                           ///< of all contacts
  int rank = 0;                           ///< fewer where the grasp is redundant
  OmegaSolve solved = OmegaSolve::dense;  ///< how
};

class ClosedChain {
 public:
  /// The Manipulator must outlive it. Throws Error for a system with closures besides its grasps.
  explicit ClosedChain(const Manipulator& of);
  explicit ClosedChain(Manipulator&&) = delete;
  ~ClosedChain();
  ClosedChain(const ClosedChain&) = delete;
  ClosedChain& operator=(const ClosedChain&) = delete;

  /// All nv accelerations. Throws Error naming a grasp that is not closed, and the joint of an effort on a
  /// passive freedom. Where rows are redundant the forces are those of least (scaled) norm. Allocates nothing
  /// once it has run, redundant rows aside.
  ClosedChainReport compute_forward_dynamics(ClosedAlgorithm algorithm, OmegaSolve solve,
                                             const State& state, const ConstVectorRef& tau,
                                             ExternalForces forces, VectorRef a);

  /// f(0) of an arm after it: force on the object at the grasp's frame, in its axes; zero for an arm that holds
  /// nothing.
  [[nodiscard]] Force end_force(int arm) const;
  /// Rates W(0) of an arm's contact and their derivatives (b.9f), after it: as many numbers as the contact
  /// rolls in directions (System::closures, ClosurePlace::freedoms).
  void compute_contact_motion(int arm, VectorRef W, VectorRef W_rate) const;
  /// Ω itself, rows × rows, after it.
  void compute_omega(MatrixRef out);

 private:
  struct Room;
  std::unique_ptr<Room> room_;
};

}  // namespace linkwright::manipulator
