// Exact derivatives of inverse and forward dynamics, along the group, open and closed, one state or many.
#include "linkwright/closure/derivatives.hpp"
#include "batches.hpp"
#include "bindings.hpp"
#include "coordinates.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/second_derivatives.hpp"
#include "verbs.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

/// Three matrices of a verb, each (rows, columns) or (K, rows, columns); state s behind state s − 1.
struct Three {
  Three(Index states, bool is_many, Index rows, std::array<Index, 3> widths) : rows_(rows) {
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<Index> shape{widths[i], rows};
      if (is_many) shape.insert(shape.begin(), states);
      memory_[i] = Array::create(shape);
      widths_[i] = widths[i];
    }
  }
  [[nodiscard]] Matrix of(std::size_t i, Index state) const {
    return {memory_[i].data() + state * rows_ * widths_[i], rows_, widths_[i]};
  }
  /// A column per state.
  [[nodiscard]] Matrix all(std::size_t i, Index states) const {
    return {memory_[i].data(), rows_ * widths_[i], states};
  }
  [[nodiscard]] nb::tuple result() const {
    return nb::make_tuple(memory_[0].with_last_axes_swapped(), memory_[1].with_last_axes_swapped(),
                          memory_[2].with_last_axes_swapped());
  }

 private:
  Index rows_;
  std::array<Index, 3> widths_{};
  std::array<Array, 3> memory_;
};

/// The arguments of both verbs, checked; x is a or tau.
struct Call {
  Call(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_x, const char* x_name,
       Index or_width, const Forces& given_forces)
      : q(given_q, "q", self.system().nq()),
        v(given_v, "v", self.system().nv()),
        x(given_x, x_name, self.system().nv(), Input::Many::allowed, or_width),
        forces(self.system(), given_forces),
        is_many(q.is_many() || v.is_many() || x.is_many() || forces.is_many()),
        states(is_many ? common_rows(forces.beside({&q, &v, &x})) : 1) {}
  Input q, v, x;
  ForcesOnStates forces;
  bool is_many;
  Index states;
};

template <class Batch, class Make>
auto lend_of(Pool<Batch>& pool, int threads, const Make& make) {
  return pool.lend([&](const Batch& b) { return b.threads() == threads; }, make);
}

Pool<DerivativeBatch>::Lease lend_derivative_batch(PySystem& self, int threads) {
  return lend_of(self.batches().derivatives, threads, [&] {
    return std::make_unique<DerivativeBatch>(self.system(),
                                             BatchOptions{threads, Closures::leave_out});
  });
}

/// Runs `run()` without the interpreter's lock and tells of states without an answer.
template <class Run>
void run_lanes(const char* verb, Index states, const Run& run) {
  std::vector<int> bad;
  {
    const nb::gil_scoped_release without_lock;
    const BatchReport report = run();
    bad.assign(report.bad_states.begin(), report.bad_states.end());
  }
  warn_of_bad_states(verb, bad, states);
}

template <class Compute>
void for_each(PySystem& self, const Call& call, int threads, const Compute& compute) {
  for (const Input* input : call.forces.beside({&call.q, &call.v, &call.x})) input->lay_out();
  if (call.is_many)
    run_all_states(self, call.states, threads, compute);
  else
    compute(*self.work(), 0);
}

// --- inverse dynamics --------------------------------------------------------------------------

nb::tuple closed_inverse(PySystem& self, const Call& call, const Chosen& chosen, int threads) {
  if (chosen.is_full)
    throw Error(
        "inverse_dynamics_derivatives of a closed system are taken along its closures: ask in "
        "coordinates='independent', or name some");
  const auto lead = self.work();
  const Eigen::VectorXd first = call.q.vector(0);
  const std::vector<int> positions = position_coordinates(lead->closed(), first, chosen.entries);
  const Index n = chosen.size(), displacements = static_cast<Index>(positions.size());
  const Three out(call.states, call.is_many, n, {displacements, n, n});
  for_each(self, call, threads, [&](Work& work, Index s) {
    place(work.state, call.q, call.v, s);
    check_closed(self, work);
    compute_inverse_dynamics_derivatives(work.closed(), work.state, call.x.vector(s),
                                         call.forces.on_state(s, work.forces), positions,
                                         chosen.entries, out.of(0, s), out.of(1, s), out.of(2, s));
  });
  return out.result();
}

nb::tuple inverse_derivatives(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_a,
                              const Forces& given_forces, const Coordinates& coordinates,
                              int threads) {
  Call call(self, given_q, given_v, given_a, "a", -1, given_forces);
  const Chosen chosen = coordinates.resolve(self, call.q);
  if (self.is_closed()) return closed_inverse(self, call, chosen, threads);
  const Index n = self.system().nv();
  const Three out(call.states, call.is_many, n, {n, n, n});
  if (!call.is_many) {
    for_each(self, call, 1, [&](Work& work, Index s) {
      place(work.state, call.q, call.v, s);
      compute_inverse_dynamics_derivatives(work.tree(), work.state, call.x.vector(s),
                                           call.forces.on_state(s, work.forces), out.of(0, s),
                                           out.of(1, s), out.of(2, s));
    });
    return out.result();
  }
  auto batch = lend_derivative_batch(self, threads);
  run_lanes("inverse_dynamics_derivatives", call.states, [&] {
    return batch->compute_inverse_dynamics_derivatives(
        call.q.columns(call.states), call.v.columns(call.states), call.x.columns(call.states),
        call.forces.on_all(call.states), out.all(0, call.states), out.all(1, call.states));
  });
  const nb::tuple both = out.result();
  return nb::make_tuple(both[0], both[1], batch_mass_matrix(self, call.q, call.states, threads));
}

// --- forward dynamics --------------------------------------------------------------------------

nb::tuple closed_forward(PySystem& self, Call& call, const Chosen& chosen, int threads) {
  const System& system = self.system();
  const Index n = chosen.size(), efforts = system.effort_count();
  if (!chosen.is_full) {
    const auto lead = self.work();
    const Eigen::VectorXd first = call.q.vector(0);
    const std::vector<int> positions = position_coordinates(lead->closed(), first, chosen.entries);
    const Three out(call.states, call.is_many, n,
                    {static_cast<Index>(positions.size()), n, efforts});
    for_each(self, call, threads, [&](Work& work, Index s) {
      place(work.state, call.q, call.v, s);
      check_closed(self, work);
      compute_forward_dynamics_derivatives(
          work.closed(), work.state, call.x.vector(s), call.forces.on_state(s, work.forces),
          positions, chosen.entries, out.of(0, s), out.of(1, s), out.of(2, s));
    });
    return out.result();
  }
  const Three out(call.states, call.is_many, n, {n, n, efforts});
  if (!call.is_many) {
    for_each(self, call, 1, [&](Work& work, Index s) {
      place(work.state, call.q, call.v, s);
      check_closed(self, work);
      compute_forward_dynamics_derivatives(work.closed(), work.state, call.x.vector(s),
                                           call.forces.on_state(s, work.forces), out.of(0, s),
                                           out.of(1, s), out.of(2, s));
    });
    return out.result();
  }
  auto batch = lend_of(self.batches().closed_derivatives, threads, [&] {
    return std::make_unique<ClosedDerivativeBatch>(system, BatchOptions{threads});
  });
  check_closed(self, call.q, call.v, call.states);
  run_lanes("forward_dynamics_derivatives", call.states, [&] {
    return batch->compute_forward_dynamics_derivatives(
        call.q.columns(call.states), call.v.columns(call.states), call.x.columns(call.states),
        call.forces.on_all(call.states), out.all(0, call.states), out.all(1, call.states),
        out.all(2, call.states));
  });
  return out.result();
}

nb::tuple forward_derivatives(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_tau,
                              const Forces& given_forces, const Coordinates& coordinates,
                              int threads) {
  Call call(self, given_q, given_v, given_tau, "tau", self.effort_count(), given_forces);
  const Chosen chosen = coordinates.resolve(self, call.q);
  if (self.is_closed()) return closed_forward(self, call, chosen, threads);
  const Index n = self.system().nv();
  const Three out(call.states, call.is_many, n, {n, n, n});
  if (!call.is_many) {
    for_each(self, call, 1, [&](Work& work, Index s) {
      place(work.state, call.q, call.v, s);
      compute_forward_dynamics_derivatives(work.tree(), work.state, call.x.vector(s),
                                           call.forces.on_state(s, work.forces), out.of(0, s),
                                           out.of(1, s), out.of(2, s));
    });
    return out.result();
  }
  auto batch = lend_derivative_batch(self, threads);
  run_lanes("forward_dynamics_derivatives", call.states, [&] {
    return batch->compute_forward_dynamics_derivatives(
        call.q.columns(call.states), call.v.columns(call.states), call.x.columns(call.states),
        call.forces.on_all(call.states), out.all(0, call.states), out.all(1, call.states),
        out.all(2, call.states));
  });
  return out.result();
}

/// Of closure_forces, six rows per closure.
nb::tuple closure_force_derivatives_of(PySystem& self, Numbers given_q, Numbers given_v,
                                       Numbers given_tau, const Forces& given_forces, int threads) {
  require_loops(self, "closure_force_derivatives");
  const Call call(self, given_q, given_v, given_tau, "tau", self.effort_count(), given_forces);
  const System& system = self.system();
  const Index n = system.nv(), efforts = system.effort_count();
  const Three out(call.states, call.is_many, 6 * static_cast<Index>(system.closures().size()),
                  {n, n, efforts});
  for_each(self, call, threads, [&](Work& work, Index s) {
    place(work.state, call.q, call.v, s);
    check_closed(self, work);
    Eigen::MatrixXd a_q(n, n), a_v(n, n), a_tau(n, efforts);
    compute_forward_dynamics_derivatives(work.closed(), work.state, call.x.vector(s),
                                         call.forces.on_state(s, work.forces), a_q, a_v, a_tau);
    closure_force_derivatives(work.closed(), out.of(0, s), out.of(1, s), out.of(2, s));
  });
  return out.result();
}

// --- second order ------------------------------------------------------------------------------

/// dqdq, dvdv, dqdv, dxdq, each (nv, nv, nv): [i, j, k] is that of the i-th result by j, and that by k.
template <class Compute>
nb::tuple second_derivatives(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_x,
                             const char* x_name, const Forces& given_forces,
                             const Compute& compute) {
  if (self.is_closed())
    throw Error(
        "second derivatives: there are none of closed systems; compile with cut_open=True "
        "for those of the tree");
  const System& system = self.system();
  const Input q(given_q, "q", system.nq(), Input::Many::refused),
      v(given_v, "v", system.nv(), Input::Many::refused),
      x(given_x, x_name, system.nv(), Input::Many::refused);
  const std::vector<ExternalForce> forces = given_forces.on(system);
  SecondDerivatives found(system);
  {
    const nb::gil_scoped_release without_lock;
    const auto work = self.work();
    place(work->state, q, v, 0);
    compute(work->tree(), work->state, x.vector(), forces, found);
  }
  const Index n = system.nv();
  const auto to_array = [n](const SecondDerivatives::View& view) {
    const Array array = Array::create({n, n, n});
    std::copy(view.data(), view.data() + n * n * n, array.data());
    return array.transposed();
  };
  return nb::make_tuple(to_array(found.dqdq()), to_array(found.dvdv()), to_array(found.dqdv()),
                        to_array(found.dxdq()));
}

nb::tuple inverse_second(PySystem& self, Numbers q, Numbers v, Numbers a, const Forces& forces) {
  return second_derivatives(self, q, v, a, "a", forces, [](auto&&... arguments) {
    compute_inverse_dynamics_second_derivatives(arguments...);
  });
}
nb::tuple forward_second(PySystem& self, Numbers q, Numbers v, Numbers tau, const Forces& forces) {
  return second_derivatives(self, q, v, tau, "tau", forces, [](auto&&... arguments) {
    compute_forward_dynamics_second_derivatives(arguments...);
  });
}

}  // namespace

void bind_derivatives(SystemClass& system) {
  const auto q = "q"_a.none();
  const auto v = "v"_a.none();
  const auto a = "a"_a.none();
  const auto tau = "tau"_a.none();
  system
      .def("_inverse_dynamics_derivatives", &inverse_derivatives, q, v, a, "forces"_a.none(),
           "coordinates"_a.none(), "threads"_a)
      .def("_forward_dynamics_derivatives", &forward_derivatives, q, v, tau, "forces"_a.none(),
           "coordinates"_a.none(), "threads"_a)
      .def("_closure_force_derivatives", &closure_force_derivatives_of, q, v, tau,
           "forces"_a.none(), "threads"_a)
      .def("_inverse_dynamics_second_derivatives", &inverse_second, q, v, a, "forces"_a.none())
      .def("_forward_dynamics_second_derivatives", &forward_second, q, v, tau, "forces"_a.none());
}

}  // namespace linkwright::python
