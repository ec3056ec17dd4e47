#pragma once
/// The library's engines for many states, kept from call to call.

#include <optional>
#include <span>

#include "linkwright/batch/batch.hpp"
#include "linkwright/batch/derivatives.hpp"
#include "linkwright/closure/batch.hpp"
#include "linkwright/closure/derivative_batch.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "verbs.hpp"

namespace linkwright::python {

/// An engine for a mechanism and these motors.
struct MechanismBatch {
  ClosedBatch engine;
  std::vector<int> motors;
};

struct PySystem::Batches {
  Pool<Batch> open;
  Pool<DerivativeBatch> derivatives;
  Pool<MechanismBatch> closed;
  /// Motors for which there is no engine: asked once, and not again at every call.
  std::vector<std::vector<int>> without_engine;
  Pool<ClosedDerivativeBatch> closed_derivatives;
};

using MechanismLease = Pool<MechanismBatch>::Lease;
/// The engine for this mechanism. Its rows are decided where the model starts, assembled, so that answers do not
/// depend on earlier calls. Nothing where that cannot be, or the motors are not as many as the freedoms: then
/// states are answered one by one.
std::optional<MechanismLease> lend_closed_batch(PySystem& self, const std::vector<int>& motors,
                                                int threads);

Array batch_inverse_dynamics(PySystem& self, Input& q, Input& v, Input& a, ForcesOnStates& forces,
                             int threads);
Array batch_inverse_dynamics(PySystem& self, MechanismBatch& batch, Input& q, Input& v, Input& a,
                             ForcesOnStates& forces);
Array batch_forward_dynamics(PySystem& self, Input& q, Input& v, Input& tau, ForcesOnStates& forces,
                             int threads);
Array batch_forward_dynamics(PySystem& self, MechanismBatch& batch, Input& q, Input& v, Input& tau,
                             ForcesOnStates& forces);
Array batch_mass_matrix(PySystem& self, Input& q, Index rows, int threads);
Array batch_frame_pose(PySystem& self, Input& q, FrameId frame, int threads);
Array batch_jacobian(PySystem& self, Input& q, FrameId frame, Axes axes, int threads);

/// Where q and v are after `steps` steps of dt: (q, v).
std::pair<Array, Array> batch_rollout(PySystem& self, Input& q, Input& v, Input& tau,
                                      ForcesOnStates& forces, double dt, int steps, int threads);

/// Python's warning for states without an answer, whose results are NaN; nothing where there are none.
void warn_of_bad_states(const char* verb, std::span<const int> bad_states, Index count);

}  // namespace linkwright::python
