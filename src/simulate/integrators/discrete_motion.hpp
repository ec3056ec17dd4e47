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
  explicit DiscreteMotion(const System& system);

  /// A step starts at q; uses `work` to place the joints.
  void begin(Workspace& work, const Eigen::VectorXd& q);
  void compute(const Eigen::VectorXd& u, double h);

  /// The bodies' momenta as forces at one end of the step, multiplied by `scale`.
  [[nodiscard]] ExternalForces body_momenta(Side side, double scale);
  /// The rotors' momenta, one per entry of v.
  void write_rotor_momenta(Side side, Eigen::VectorXd& out) const;

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
  /// A joint with rotors and several freedoms that do not commute.
  struct SeveralRotors {
    int node;
    Eigen::MatrixXd coordinates;  // of a motion in the joint's modes, d × 6
  };
  void collect_bodies();
  void collect_rotors();
  void write_several_rotors(const SeveralRotors& joint, Side side, Eigen::VectorXd& out) const;

  const System* system_;
  double h_ = 1;
  Eigen::VectorXd u_;
  Eigen::VectorXd rotor_;  // inertia per entry of v
  std::vector<sweeps::Place<double>> place_;
  std::vector<Displacement> displacement_;
  std::vector<MovingBody> bodies_;
  std::vector<ExternalForce> momenta_;
  std::vector<SeveralRotors> several_rotors_;
};

}  // namespace linkwright
