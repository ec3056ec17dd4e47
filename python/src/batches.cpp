#include "batches.hpp"

#include <cmath>

#include "coordinates.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/mobility.hpp"

namespace linkwright::python {
namespace {

using Bad = std::vector<int>;

/// One with so many threads.
Pool<Batch>::Lease lend_batch(PySystem& self, int threads) {
  return self.batches().open.lend(
      [&](const Batch& b) { return b.threads() == threads; },
      [&] {
        return std::make_unique<Batch>(self.system(), BatchOptions{threads, Closures::leave_out});
      });
}

/// Calls `run()` without the interpreter's lock and tells of states without an answer.
template <class Run>
void run_batch(const char* verb, Index rows, const Run& run) {
  Bad bad;
  {
    const nb::gil_scoped_release without_lock;
    const BatchReport report = run();
    bad.assign(report.bad_states.begin(), report.bad_states.end());
  }
  warn_of_bad_states(verb, bad, rows);
}

/// The same for a mechanism: what its rows, decided elsewhere, do not answer, `one(work, state)` may.
template <class Run, class One>
void run_closed_batch(const char* verb, PySystem& self, Index rows, const Run& run,
                      const One& one) {
  Bad bad, without_answer;
  {
    const nb::gil_scoped_release without_lock;
    const BatchReport report = run();
    bad.assign(report.bad_states.begin(), report.bad_states.end());
    if (bad.empty()) return;
    const auto work = self.work();
    for (const int s : bad) {
      try {
        one(*work, s);
      } catch (const Error&) {
        without_answer.push_back(s);
      }
    }
  }
  warn_of_bad_states(verb, without_answer, rows);
}

/// A matrix K × width that the caller gets, a column per coordinate.
struct Result {
  Result(Index rows, Index width)
      : array(Array::matrix(rows, width)), view(array.data(), rows, width) {}
  Array array;
  Matrix view;
};

/// Throws Error unless every state closes the loops; those that seem not to are judged one by one.
void check_closed(PySystem& self, MechanismBatch& batch, Input& q, Input& v, Index rows) {
  const double tolerance = self.closure_tolerance();
  if (std::isinf(tolerance)) return;
  const nb::gil_scoped_release without_lock;
  Eigen::MatrixXd open(rows, 3);
  (void)batch.engine.compute_residual(q.columns(rows), v.columns(rows), open);
  std::optional<PySystem::Lease> work;
  for (Index s = 0; s < rows; ++s) {
    if (!(open.row(s).maxCoeff() > tolerance)) continue;
    if (!work) work.emplace(self.work());
    try {
      place((*work)->state, q, v, s);
      check_closed(self, **work);
    } catch (const Error& error) {
      rethrow_for_state(error, s);
    }
  }
}

}  // namespace

void warn_of_bad_states(const char* verb, std::span<const int> bad_states, Index count) {
  if (bad_states.empty()) return;
  constexpr std::size_t most_named = 5;
  std::string rows;
  for (std::size_t i = 0; i < std::min(bad_states.size(), most_named); ++i)
    rows += (i == 0 ? "" : ", ") + std::to_string(bad_states[i]);
  if (bad_states.size() > most_named)
    rows += " and " + std::to_string(bad_states.size() - most_named) + " more";
  const std::string text = std::string(verb) + ": " + std::to_string(bad_states.size()) + " of " +
                           std::to_string(count) +
                           " states have no answer, their rows are NaN: " + rows +
                           ". Ask for one of them alone to learn why";
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) throw nb::python_error();
}

std::optional<MechanismLease> lend_closed_batch(PySystem& self, const std::vector<int>& motors,
                                                int threads) {
  const auto fits = [&](const MechanismBatch& b) {
    return b.engine.threads() == threads && b.motors == motors;
  };
  const auto make = [&] {
    const auto work = self.work();
    Eigen::VectorXd q(self.system().nq()), v(self.system().nv());
    compute_initial(self.system(), q, v);
    (void)assemble(work->closed(), {}, q);
    return std::unique_ptr<MechanismBatch>(new MechanismBatch{
        ClosedBatch(self.system(), q, {.threads = threads, .motors = motors}), motors});
  };
  auto& refused = self.batches().without_engine;  // under the interpreter's lock
  if (std::find(refused.begin(), refused.end(), motors) != refused.end()) return std::nullopt;
  try {
    const nb::gil_scoped_release without_lock;
    return self.batches().closed.lend(fits, make);
  } catch (const Error&) {
    refused.push_back(motors);
    return std::nullopt;
  }
}

Array batch_inverse_dynamics(PySystem& self, Input& q, Input& v, Input& a, ForcesOnStates& forces,
                             int threads) {
  const Index rows = common_rows(forces.beside({&q, &v, &a}));
  const auto batch = lend_batch(self, threads);
  Result tau(rows, self.system().nv());
  run_batch("inverse_dynamics", rows, [&] {
    return batch->compute_inverse_dynamics(q.columns(rows), v.columns(rows), a.columns(rows),
                                           forces.on_all(rows), tau.view);
  });
  return tau.array;
}

Array batch_inverse_dynamics(PySystem& self, MechanismBatch& batch, Input& q, Input& v, Input& a,
                             ForcesOnStates& forces) {
  const Index rows = common_rows(forces.beside({&q, &v, &a}));
  check_closed(self, batch, q, v, rows);
  Result tau(rows, self.effort_count());
  Actuation actuation = all_motors(self.system());
  actuation.entries = batch.motors;
  run_closed_batch(
      "inverse_dynamics", self, rows,
      [&] {
        return batch.engine.compute_inverse_dynamics(
            q.columns(rows), v.columns(rows), a.columns(rows), forces.on_all(rows), tau.view);
      },
      [&](Work& work, Index s) {
        place(work.state, q, v, s);
        Eigen::VectorXd one(tau.view.cols());
        compute_inverse_dynamics(work.closed(), work.state, a.vector(s),
                                 forces.on_state(s, work.forces), actuation, one);
        tau.view.row(s) = one.transpose();
      });
  return tau.array;
}

Array batch_forward_dynamics(PySystem& self, Input& q, Input& v, Input& tau, ForcesOnStates& forces,
                             int threads) {
  const Index rows = common_rows(forces.beside({&q, &v, &tau}));
  const auto batch = lend_batch(self, threads);
  Result a(rows, self.system().nv());
  run_batch("forward_dynamics", rows, [&] {
    return batch->compute_forward_dynamics(q.columns(rows), v.columns(rows), tau.columns(rows),
                                           forces.on_all(rows), a.view);
  });
  return a.array;
}

Array batch_forward_dynamics(PySystem& self, MechanismBatch& batch, Input& q, Input& v, Input& tau,
                             ForcesOnStates& forces) {
  const Index rows = common_rows(forces.beside({&q, &v, &tau}));
  check_closed(self, batch, q, v, rows);
  Result a(rows, self.system().nv());
  run_closed_batch(
      "forward_dynamics", self, rows,
      [&] {
        return batch.engine.compute_forward_dynamics(
            q.columns(rows), v.columns(rows), tau.columns(rows), forces.on_all(rows), a.view);
      },
      [&](Work& work, Index s) {
        place(work.state, q, v, s);
        Eigen::VectorXd one(a.view.cols());
        compute_forward_dynamics(work.closed(), work.state, tau.vector(s),
                                 forces.on_state(s, work.forces), one);
        a.view.row(s) = one.transpose();
      });
  return a.array;
}

namespace {

/// (K, rows, columns) from a column per entry (i + rows · j): the first axis runs fastest.
Array as_matrices(const Array& memory) { return memory.transposed(); }

}  // namespace

Array batch_mass_matrix(PySystem& self, Input& q, Index rows, int threads) {
  const Index nv = self.system().nv();
  const auto batch = lend_batch(self, threads);
  const Array memory = Array::create({nv, nv, rows});
  run_batch("mass_matrix", rows, [&] {
    return batch->compute_mass_matrix(q.columns(rows), Matrix(memory.data(), rows, nv * nv));
  });
  return as_matrices(memory);
}

Array batch_jacobian(PySystem& self, Input& q, FrameId frame, Axes axes, int threads) {
  const Index rows = q.rows(), nv = self.system().nv();
  const auto batch = lend_batch(self, threads);
  const Array memory = Array::create({nv, 6, rows});
  run_batch("jacobian", rows, [&] {
    return batch->compute_jacobian(q.columns(rows), frame, axes,
                                   Matrix(memory.data(), rows, 6 * nv));
  });
  return as_matrices(memory);
}

Array batch_frame_pose(PySystem& self, Input& q, FrameId frame, int threads) {
  const Index rows = q.rows();
  const auto batch = lend_batch(self, threads);
  Eigen::MatrixXd found(rows, 12);  // px py pz, then the rotation row by row
  run_batch("frame_pose", rows,
            [&] { return batch->compute_forward_kinematics(q.columns(rows), frame, found); });
  const Array memory = Array::create({4, 4, rows});  // column, row, state
  Matrix pose(memory.data(), rows, 16);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) pose.col(4 * j + i) = found.col(3 + 3 * i + j);
    pose.col(12 + i) = found.col(i);
    pose.col(4 * i + 3).setZero();
  }
  pose.col(15).setOnes();
  return as_matrices(memory);
}

std::pair<Array, Array> batch_rollout(PySystem& self, Input& q, Input& v, Input& tau,
                                      ForcesOnStates& forces, double dt, int steps, int threads) {
  const Index rows = common_rows(forces.beside({&q, &v, &tau}));
  const auto batch = lend_batch(self, threads);
  Result end_q(rows, self.system().nq()), end_v(rows, self.system().nv());
  run_batch("rollout", rows, [&] {
    end_q.view = q.columns(rows);
    end_v.view = v.columns(rows);
    return batch->compute_rollout(end_q.view, end_v.view, tau.columns(rows), forces.on_all(rows),
                                  dt, steps);
  });
  return {end_q.array, end_v.array};
}

}  // namespace linkwright::python
