#pragma once
/// How an object is held: the grasp map, squeeze forces, what the hands cannot prevent, force and form
/// closure.
///
///     linkwright::ClosedWorkspace work(system);
///     auto found = linkwright::manipulator::analyse_grasp(work, state.q, "box");
///     if (!found.force_closure.holds) fmt::print("{}\n", found.force_closure.reason);
///     Eigen::MatrixXd squeeze = found.internal.view();      // columns: contact forces that move nothing
///
/// Contact forces c are what the hands apply to the object, in the directions in which a contact can:
///
/// | contact | directions of c |
/// |---|---|
/// | rigid | mx my mz fx fy fz, axes of the contact frame |
/// | line | m1 m2 across its axis, f1 f2 along the surface, fn along the normal |
/// | soft_finger | mn about the normal, f1 f2 fn |
/// | point | f1 f2 fn |
///
/// and the rows of every other closure that touches the object: it is held by the world too. The object's
/// own freedoms, d of them, feel G c, and the contacts keep Gᵀ v_object = J_hand v_hands (the paper's Aᵀ and
/// J, with contacts that let go in some directions as in its appendix B).

#include <optional>
#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/coordinates/array.hpp"

namespace linkwright::manipulator {

using coordinates::Matrix;

/// One contact of an object, and where its numbers stand among those of all.
struct GraspContact {
  std::string name{};
  std::string
      kind{};       ///< "rigid", "line", "soft_finger", "point"; "closure" for what is not a grasp
  int closure = 0;  ///< index into System::closures
  int first = 0, size = 0;           ///< its columns
  std::optional<double> friction{};  ///< given: one-sided
  std::optional<double> torsion{};
  int normal = -1;  ///< column of fn; f1 and f2 stand before it. −1: rigid, closure
  int twist = -1;   ///< column of mn of a soft finger
};

struct GraspMap {
  std::string object{};
  std::vector<int> entries{};           ///< of v: the object's own freedoms
  std::vector<std::string> freedoms{};  ///< their names
  std::vector<GraspContact> contacts{};
  std::vector<std::string> columns{};  ///< "left:fn", one per direction of each contact
  /// d × m: efforts on the object's freedoms per unit of each column. Of an object on a free joint these are
  /// moment and force at its frame, in its axes.
  Matrix G{};
  std::vector<int> hand_entries{};
  std::vector<std::string>
      hand_freedoms{};     ///< joints that move a contact and not the object itself
  Matrix hand_jacobian{};  ///< m × hand_freedoms
};

/// Whether contacts hold an object against every push, and how well.
struct ClosureVerdict {
  bool holds = false;
  /// The largest margin that all contacts that carry can have at once while they squeeze the object, no normal force
  /// above 1: friction · normal − what is along the surface (form closure: the least normal force). Infinite
  /// where every contact holds both ways; at most 0 where the grasp does not hold.
  double margin = 0;
  std::string reason{};  ///< empty where it holds
  /// Not held: a motion of the object's own freedoms that no contact resists; a push along it wins.
  std::vector<double> escape{};
  /// Held: the squeeze with that margin, one number per column of the map.
  std::vector<double> squeeze{};
  /// Held: contacts that no squeeze loads, a finger on a joint without a motor, say. The others hold.
  std::vector<std::string> idle{};
};

struct GraspAnalysis {
  GraspMap map{};
  int rank = 0;  ///< of G: directions in which the contacts can push the object
  double smallest_kept = 0, largest_dropped = 0;  ///< singular values, relative to the largest

  /// Contact forces that balance each other, m × (m − rank), each of unit size (moments are measured by the
  /// mechanism's length). First those that motors make, then those that no motor feels (structural: how
  /// large they are follows from how the hands were put on), then those that joints without a motor would
  /// not hold.
  Matrix internal{};
  int by_motors = 0, structural = 0, not_held = 0;

  /// Motions of the object while all motors stand still, d × as many as there are.
  Matrix loose{};
  std::vector<std::string> loose_motions{};  ///< in words

  /// A hand with fewer freedoms than its contact has directions: in the missing ones it only bears.
  struct Defective {
    std::string contact;
    int directions = 0;
  };
  std::vector<Defective> defective{};
  int redundant = 0;  ///< motions of the hands that move no contact

  ClosureVerdict force_closure{};  ///< with friction cones, exactly; hands stand still
  ClosureVerdict form_closure{};   ///< without friction, to first order
};

/// Bodies that grasps hold, in the order of the model; throws Error for a system without grasps. A flexible link
/// is one object wherever it is held, and counts as rigid in the shape that q gives it.
std::vector<std::string> held_objects(const System& system);

/// `object`: a body that grasps hold. q must close the grasps. Throws Error for an object that nothing
/// holds.
GraspMap compute_grasp_map(ClosedWorkspace& work, const ConstVectorRef& q,
                           const std::string& object);
GraspAnalysis analyse_grasp(ClosedWorkspace& work, const ConstVectorRef& q,
                            const std::string& object);

}  // namespace linkwright::manipulator
