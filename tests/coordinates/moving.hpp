#pragma once
/// Closed mechanisms, assembled and in motion.

#include <cmath>
#include <string>
#include <vector>

#include "coordinates/compare.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {

/// A bundled mechanism, assembled and moving.
struct Moving {
  explicit Moving(const std::string& file)
      : Moving(read_model(LINKWRIGHT_SOURCE_DIR "/models/" + file)) {}
  explicit Moving(const Model& model)
      : system(compile(model)),
        work(system),
        state(initial_state(system)),
        tau(VectorXd::Zero(system.nv())) {
    for (Index i = 0; i < state.v.size(); ++i) state.v[i] = std::sin(1.0 + static_cast<double>(i));
    if (!assemble(work, {}, state.q).assembled) throw Error("cannot be assembled");
    project_velocity(work, state.q, {}, state.v);
    for (const int i : all_motors(system).entries)
      if (i < system.nv()) tau[i] = std::cos(static_cast<double>(i));
  }
  System system;
  ClosedWorkspace work;
  State state;
  VectorXd tau;
};

/// Every bundled mechanism with loops.
inline const std::vector<std::string>& bundled_loops() {
  static const std::vector<std::string> files{
      "ankle.yaml",           "bricard.yaml",       "delta.yaml",
      "five_bar.yaml",        "four_bar.yaml",      "gripper.yaml",
      "planar_platform.yaml", "slider_crank.yaml",  "spatial_slider_crank.yaml",
      "stewart.yaml",         "swinging_load.yaml", "walking_machine.yaml"};
  return files;
}

/// Velocities, accelerations and jerks of all joints of a closed mechanism, from numbers for the
/// independent ones.
struct FullMotion {
  FullMotion(ClosedWorkspace& work, const VectorXd& q, const std::vector<int>& entries,
             const VectorXd& v_own, const VectorXd& a_own, const VectorXd& jerk_own)
      : v(VectorXd::Zero(work.system().nv())), a(v), jerk(v) {
    for (Index i = 0; i < v_own.size(); ++i) {
      const int at = entries[static_cast<std::size_t>(i)];
      v[at] = v_own[i], a[at] = a_own[i], jerk[at] = jerk_own[i];
    }
    compute_dependent_motion(work, q, entries, v, a, jerk);
  }
  VectorXd v, a, jerk;
};

}  // namespace linkwright::testing
