#pragma once
/// Linear models of mechanisms about a state: ẋ = ẋ₀ + A δx + B δu, y = y₀ + C δx + D δu.
///
///     linkwright::ClosedWorkspace work(system);
///     linkwright::linear::OperatingPoint point(system);             // the file's state, no efforts
///     LinearModel model = linearize(work, point, {.outputs = {"frame:tip:x"}});
///     Eigen::MatrixXd A = model.A.view();                           // rows and columns: model.states
///
/// States are displacements along the group and velocities (δq, δv): of a ball joint δq is a small
/// rotation in the child's axes, and δq̇ = δv − v × δq. Of a closed mechanism they are those of independent
/// coordinates, and everything else follows along the closures. Coordinates may also be parts of frames'
/// motions (Freeman 3-48 to 3-53): displacement and velocity of the frame then are the states.
///
/// | name | what |
/// |---|---|
/// | `q:JOINT`, `v:JOINT`, `a:JOINT` | displacement, velocity, acceleration; `q:`, `v:` of closing joints too |
/// | `frame:NAME:x\|y\|z\|rx\|ry\|rz` | displacement of a frame's origin, small rotation, world axes |
/// | `velocity:NAME:wx\|wy\|wz\|vx\|vy\|vz`, `acceleration:NAME:alphax\|…\|ax\|…` | world axes |
/// | `closure:NAME:mx\|my\|mz\|fx\|fy\|fz` | what a closure carries |
/// | `tau:JOINT` | input: effort of a joint that is not passive, or of a closing motor |
/// | `force:NAME:nx\|ny\|nz\|fx\|fy\|fz` | input: moment, force at a frame's origin, world axes |
/// | `voltage:MOTOR`, `torque:MOTOR` | inputs of motors (actuation::Drives) |
/// | `motor:NAME:current\|angle\|speed` | their states |
///
/// A name without its last part means all of it: `q`, `tau`, `frame:tip`.

#include <string>
#include <vector>

#include "linkwright/actuation/drives.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/coordinates/array.hpp"

namespace linkwright::linear {

using coordinates::Matrix;

struct LinearModel {
  std::vector<std::string> states, inputs, outputs;
  Matrix A, B, C, D;
  /// ẋ₀, the rate of the states at the point itself, states × 1: zero at an equilibrium. Where it is not, δx are
  /// deviations from the motion that leads through the point, and δẋ = A δx + B δu as long as it is near.
  Matrix drift;
  double step = 0;  ///< of a discrete model, seconds; 0: continuous
};

/// Where a model is made.
struct OperatingPoint {
  explicit OperatingPoint(const System& system)
      : state(initial_state(system)), tau(static_cast<std::size_t>(system.effort_count()), 0.0) {}
  State state;                          ///< keeps the closures
  std::vector<double> tau;              ///< System::effort_names
  std::vector<ExternalForce> forces{};  ///< constant, in the axes that they are given in
  /// With motors: actuation::Drives::extra_states and its inputs. Empty: no current, shafts that turn with
  /// their gears; no voltage.
  std::vector<double> motor_states{}, motor_inputs{};
};

struct LinearOptions {
  /// Names of joints or freedoms, `frame:NAME`, `frame:NAME:x`…; as many as the mechanism has freedoms.
  /// None: all joints; of a closed mechanism, independent ones.
  std::vector<std::string> coordinates{};
  std::vector<std::string> inputs{};   ///< none: `tau`; with motors, theirs
  std::vector<std::string> outputs{};  ///< none: the displacements among the states
  /// Motors whose currents and shafts are states behind those of the joints (2-241 to 2-252); their
  /// voltages are inputs. Of the same System, must outlive the call.
  const actuation::Drives* drives = nullptr;
};

/// Throws Error for unknown names, for coordinates that are too few, too many or depend on each other
/// (naming them), and (failed_computation) at singular positions.
LinearModel linearize(ClosedWorkspace& work, const OperatingPoint& point,
                      const LinearOptions& options = {});

/// The same at steps of `step` seconds, inputs constant over each: x(k+1) = A x(k) + B u(k) + drift, exact, by
/// the exponential of [A B ẋ₀; 0 0 0].
LinearModel to_discrete(const LinearModel& model, double step);

}  // namespace linkwright::linear
