#pragma once
/// Momenta of a discrete Lagrangian on the tree: those of bodies and rotors over one step.

#include <span>
#include <vector>

#include "linkwright/dynamics/forces.hpp"
#include "linkwright/dynamics/sweeps/joints.hpp"

namespace linkwright {

/// The end of a step at which a momentum is read.
enum class Side { start, finish };

/// Given    q and the displacement u of the joints, q' = q ⊕ u
/// Computes the displacement of every node as seen from its own place at the start, base → tip:
///            D(k) = X(k)⁻¹ D(p) X(k) · exp(H* u),   X(k) the place of k in its parent at the start;
///          rotations as unit quaternions, so that small ones keep all their digits wherever the
///          mechanism stands
/// Cost     O(N)
class DiscreteMotion {
 public:
  /// Throws Error naming the joint where a rotor's momentum has no discrete Lagrangian. The dynamics
  /// of rotors, tau = … + B v̇, has the couple v × B v of a Lagrangian in a joint's own velocities
  /// nowhere; the two agree only where that couple vanishes: freedoms that commute, rotors that
  /// turn alike about all axes. With it the method would converge to another motion, without it
  /// energy would creep (1e-3 in 8000 s).
  explicit DiscreteMotion(const System& system);

  /// A step starts at q; uses `work` to place the joints.
  void begin(Workspace& work, const Eigen::VectorXd& q);
  void compute(const Eigen::VectorXd& u, double h);

  /// The bodies' momenta as forces at one end of the step, multiplied by `scale`.
  [[nodiscard]] ExternalForces body_momenta(Side side, double scale);
  /// The rotors' momenta, one per entry of v, the same at both ends: B u/h.
  void write_rotor_momenta(Eigen::VectorXd& out) const;

 private:
  /// A displacement near none: rotation [w; v] and translation.
  struct Displacement {
    Quaternion rotation{};
    Vector3 translation{};
  };
  struct MovingBody {
    int node;
    Pose frame;  // the body's in its node's
    double mass;
    Vector3 com;         // in the node's frame
    Symmetric3 inertia;  // about the centre of mass, in the node's axes
  };
  void collect_bodies();
  void check_rotors() const;

  const System* system_;
  double h_ = 1;
  Eigen::VectorXd u_;
  std::vector<sweeps::Place<double>> place_;
  std::vector<Displacement> displacement_;
  std::vector<MovingBody> bodies_;
  std::vector<ExternalForce> momenta_;
};

}  // namespace linkwright
