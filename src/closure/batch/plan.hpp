#pragma once
/// What stays the same for all states of a batch of closed systems, decided once at the reference
/// position: which rows of the closures are kept, in which order they are eliminated, and where every
/// number goes. In the lanes there is then nothing left to decide.

#include <string>
#include <vector>

#include "batch/batch_kernels.hpp"
#include "linkwright/closure/sweeps/leg_scratch.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"

namespace linkwright::closure {

/// One number of eight states.
using States = BatchPack<double>;

/// A closure's rows as the batch keeps them: those that are independent of the others at the reference,
/// in the order of elimination, with those of the rotors on its joint (Ω + 1/R) among them.
struct KeptRows {
  int count = 0;
  int row[6]{};            // of the closure; from ClosurePlace::rows on: of its rotors
  Force constant[6]{};     // on node b, where Path::constant
  double compliance[6]{};  // 1/R
  /// Ω's diagonal at the reference: a pivot must be more than `rank_threshold`² of it.
  double diagonal[6]{};
};

/// Rows that inverse dynamics solves for: a closure's own, those of the rotors aside, and the motors on its
/// joint.
struct UnknownRows {
  int count = 0;
  int row[6]{};      // of the closure; from ClosurePlace::rows on: its freedom with a motor
  int unknown[6]{};  // where its multiplier stands among all
};

/// Sparse L U without pivoting, its places and its operations listed in order.
struct FixedElimination {
  struct Entry {
    int place, source;  // A[place] = j[source]
  };
  struct Pivot {
    int place;             // of A(k, k)
    double least;          // its size must stay above this
    int lower, end;        // rows below, in `lowers`
    int upper, upper_end;  // entries right of the diagonal, in `uppers`
  };
  struct Lower {
    int row, place;  // A(row, k), becomes L
    int first;       // in `targets`: A(row, j) for each of the pivot's `uppers`
  };
  struct Upper {
    int column, place;
  };
  int size = 0;    // of the system
  int places = 0;  // of A
  std::vector<Entry> entries;
  std::vector<Pivot> pivots;
  std::vector<Lower> lowers;
  std::vector<Upper> uppers;
  std::vector<int> targets;
  std::vector<int> freedom;  // entry of v whose equation stands at each row
  std::vector<int> column;   // position of each unknown
};

/// A motor of the tree: tau = needed − Σ j λ.
struct MotorShare {
  int source, unknown;  // j[source] of the unknown
};
struct TreeMotor {
  int entry;       // of v
  int first, end;  // in InversePlan::shares
};
/// A motor of a closing joint: tau is the unknown.
struct JointMotor {
  int entry;  // of System::effort_names
  int unknown;
};

struct InversePlan {
  std::vector<int> motors;  // entries of System::effort_names
  std::vector<UnknownRows> closures;
  std::vector<int> j_at;    // per slot of LoopScratch::u
  std::vector<bool> moves;  // per node of LoopScratch::path: it moves one frame and not the other
  int j_size = 0;
  FixedElimination elimination;
  std::vector<TreeMotor> tree_motors;
  std::vector<MotorShare> shares;
  std::vector<JointMotor> joint_motors;
  std::string refusal;  // why there is no inverse dynamics; empty: there is
};

/// Where the mechanism is a body on legs (sweeps/legs.hpp).
struct BatchLegs {
  LegPlan plan;
  std::vector<Leg<double>> legs;  // none: it is not
};

struct BatchPlan {
  /// Throws Error where the position is not closed, or singular, or forward dynamics has no answer there.
  /// No motors: all_motors.
  BatchPlan(ClosedWorkspace& work, const ConstVectorRef& reference, std::vector<int> motors);

  const System& system;
  const LoopScratch& loops;  // the paths of one state
  OmegaPattern pattern;      // every row is a multiplier
  int rank = 0, mobility = 0;
  std::vector<KeptRows> closures;
  std::vector<int> u_at;  // per slot of LoopScratch::u: where its rows start in u
  int u_size = 0;
  int longest_path = 0;  // in nodes
  // Per position in the order of elimination: Ω's rows as wide as all its blocks.
  std::vector<int> omega_at, width, lambda_at;
  std::vector<int> block_at;  // per block: its first column in those rows
  int omega_size = 0, lambda_size = 0;
  bool acts = false;        // on some closing joint the model pushes
  bool rotates = false;     // some closing joint has a rotor
  bool has_shafts = false;  // some transmission couples joints
  InversePlan inverse;
  BatchLegs on;

  [[nodiscard]] const KeptRows& at_position(int p) const {
    return closures[static_cast<std::size_t>(pattern.order[static_cast<std::size_t>(p)])];
  }

 private:
  void keep_rows(ClosedWorkspace& work, const ConstVectorRef& reference);
  void lay_out();
  void find_legs_kept();
};

/// For motors that are as many as the mechanism has freedoms at the reference, and drive all of them.
InversePlan plan_inverse(ClosedWorkspace& work, const BatchPlan& plan, const ConstVectorRef& q,
                         std::vector<int> motors);

}  // namespace linkwright::closure
