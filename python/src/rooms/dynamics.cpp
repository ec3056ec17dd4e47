// Dynamics: the same verbs for open and closed systems; which library function answers is decided here.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "batches.hpp"
#include "bindings.hpp"
#include "bounded.hpp"
#include "coordinates.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "verbs.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

// --- efforts and accelerations -----------------------------------------------------------------

/// Whether a call is about several states.
bool are_many(std::initializer_list<const Input*> inputs, const ForcesOnStates& forces) {
  return forces.is_many() ||
         std::any_of(inputs.begin(), inputs.end(), [](const Input* i) { return i->is_many(); });
}

Array inverse_dynamics(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_a,
                       const Forces& given_forces, const std::optional<Names>& motors,
                       Count threads) {
  const System& system = self.system();
  Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv()), a(given_a, "a", system.nv());
  ForcesOnStates forces(system, given_forces);
  const Index efforts = self.effort_count();
  if (!self.is_closed()) {
    if (motors)
      throw Error(
          "motors: expected none, this system has no loops; every freedom takes its own effort");
    if (are_many({&q, &v, &a}, forces))
      return batch_inverse_dynamics(self, q, v, a, forces, threads);
    return for_each_state(self, {&q, &v, &a}, {efforts}, 1, [&](Work& work, Index s, double* out) {
      place(work.state, q, v, s);
      compute_inverse_dynamics(work.tree(), work.state, a.vector(s),
                               forces.on_state(s, work.forces), Vector(out, efforts));
    });
  }
  const Actuation actuation = motors ? to_actuation(system, *motors) : all_motors(system);
  if (are_many({&q, &v, &a}, forces))
    if (auto batch = lend_closed_batch(self, actuation.entries, threads))
      return batch_inverse_dynamics(self, **batch, q, v, a, forces);
  return for_each_state(
      self, forces.beside({&q, &v, &a}), {efforts}, threads, [&](Work& work, Index s, double* out) {
        place(work.state, q, v, s);
        check_closed(self, work);
        compute_inverse_dynamics(work.closed(), work.state, a.vector(s),
                                 forces.on_state(s, work.forces), actuation, Vector(out, efforts));
      });
}

Array forward_dynamics(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_tau,
                       const Forces& given_forces, Count threads) {
  const System& system = self.system();
  const Index nv = system.nv();
  Input q(given_q, "q", system.nq()), v(given_v, "v", nv);
  Input tau(given_tau, "tau", nv, Input::Many::allowed, self.effort_count());
  ForcesOnStates forces(system, given_forces);
  if (are_many({&q, &v, &tau}, forces)) {
    if (!self.is_closed()) return batch_forward_dynamics(self, q, v, tau, forces, threads);
    if (auto batch = lend_closed_batch(self, {}, threads))
      return batch_forward_dynamics(self, **batch, q, v, tau, forces);
  }
  return for_each_state(self, forces.beside({&q, &v, &tau}), {nv}, threads,
                        [&](Work& work, Index s, double* out) {
                          const ExternalForces pushing = forces.on_state(s, work.forces);
                          place(work.state, q, v, s);
                          if (!self.is_closed())
                            return compute_forward_dynamics(work.tree(), work.state, tau.vector(s),
                                                            pushing, Vector(out, nv));
                          check_closed(self, work);
                          compute_forward_dynamics(work.closed(), work.state, tau.vector(s),
                                                   pushing, Vector(out, nv));
                        });
}

/// Semi-implicit Euler under constant efforts and forces; (q, v) at the end.
nb::tuple rollout(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_tau, Positive dt,
                  Natural steps, const Forces& given_forces, Count threads) {
  const System& system = self.system();
  if (self.is_closed())
    throw Error(
        "rollout: this system has loops, which fixed steps would open; simulate it, or compile it "
        "with cut_open=True");
  Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv()),
      tau(given_tau, "tau", system.nv());
  ForcesOnStates forces(system, given_forces);
  if (!are_many({&q, &v, &tau}, forces))
    throw Error(
        "rollout moves many states: give one of q, v, tau and forces a row per state, (K, …)");
  const auto [end_q, end_v] = batch_rollout(self, q, v, tau, forces, dt, steps, threads);
  return nb::make_tuple(end_q, end_v);
}

// --- matrices and vectors in full or chosen coordinates ----------------------------------------

Array mass_matrix(PySystem& self, Numbers given_q, const Coordinates& coordinates, Count threads) {
  const System& system = self.system();
  Input q(given_q, "q", system.nq());
  if (q.is_many() && !self.is_closed() && !coordinates.are_chosen())
    return batch_mass_matrix(self, q, q.rows(), threads);
  const Chosen chosen = coordinates.resolve(self, q);
  return for_each_state(self, {&q}, {chosen.size(), chosen.size()}, threads,
                        [&](Work& work, Index s, double* out) {
                          Matrix m(out, chosen.size(), chosen.size());
                          place(work.state, q, s);
                          work.state.v.setZero();
                          if (chosen.is_full && self.is_closed())
                            compute_mass_matrix(work.closed(), work.state.q, m);
                          else if (chosen.is_full)
                            compute_mass_matrix(work.tree(), work.state.q, m);
                          else {
                            check_closed(self, work);
                            compute_mass_matrix(work.closed(), work.state, chosen.entries, m);
                          }
                        });
}

Array mass_matrix_inverse(PySystem& self, Numbers given_q, const Coordinates& coordinates,
                          Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq());
  const Chosen chosen = coordinates.resolve(self, q);
  if (self.is_closed() && chosen.is_full)
    throw Error(
        "mass_matrix_inverse of a closed system: in all coordinates the closures leave some "
        "motions impossible; ask in coordinates='independent', or name some");
  const Index n = chosen.size();
  return for_each_state(self, {&q}, {n, n}, threads, [&](Work& work, Index s, double* out) {
    Matrix m(out, n, n);
    place(work.state, q, s);
    work.state.v.setZero();
    if (chosen.is_full) return compute_mass_matrix_inverse(work.tree(), work.state.q, m);
    check_closed(self, work);
    compute_mass_matrix(work.closed(), work.state, chosen.entries, m);
    invert_positive(m);
  });
}

Array mass_matrix_solve(PySystem& self, Numbers given_q, Numbers given_x) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), x(given_x, "x", system.nv());
  if (self.is_closed())
    throw Error("mass_matrix_solve: this system has loops; forward_dynamics obeys them");
  return for_each_state(self, {&q, &x}, {system.nv()}, 1, [&](Work& work, Index s, double* out) {
    compute_mass_matrix_solve(work.tree(), q.vector(s), x.vector(s), Vector(out, system.nv()));
  });
}

/// The bias, C v + g, in full or chosen coordinates.
void bias_of(const PySystem& self, Work& work, const Chosen& chosen, Vector out) {
  if (!chosen.is_full) check_closed(self, work);
  if (!chosen.is_full)
    compute_bias(work.closed(), work.state, chosen.entries, out);
  else if (self.is_closed())
    compute_bias(work.closed(), work.state, out);
  else
    compute_bias(work.tree(), work.state, out);
}
void gravity_of(const PySystem& self, Work& work, const Chosen& chosen, Vector out) {
  if (chosen.is_full) return compute_gravity(work.tree(), work.state.q, out);
  check_closed(self, work);
  compute_gravity(work.closed(), work.state, chosen.entries, out);
}

Array bias(PySystem& self, Numbers given_q, Numbers given_v, const Coordinates& coordinates,
           Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  const Chosen chosen = coordinates.resolve(self, q);
  return for_each_state(self, {&q, &v}, {chosen.size()}, threads,
                        [&](Work& work, Index s, double* out) {
                          place(work.state, q, v, s);
                          bias_of(self, work, chosen, Vector(out, chosen.size()));
                        });
}

Array gravity(PySystem& self, Numbers given_q, const Coordinates& coordinates, Count threads) {
  const Input q(given_q, "q", self.system().nq());
  const Chosen chosen = coordinates.resolve(self, q);
  return for_each_state(self, {&q}, {chosen.size()}, threads,
                        [&](Work& work, Index s, double* out) {
                          place(work.state, q, s);
                          work.state.v.setZero();
                          gravity_of(self, work, chosen, Vector(out, chosen.size()));
                        });
}

Array coriolis(PySystem& self, Numbers given_q, Numbers given_v, const Coordinates& coordinates,
               Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  const Chosen chosen = coordinates.resolve(self, q);
  const Index n = chosen.size();
  return for_each_state(self, {&q, &v}, {n}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    if (chosen.is_full && !self.is_closed())
      return compute_coriolis(work.tree(), work.state, Vector(out, n));
    bias_of(self, work, chosen, Vector(out, n));
    Eigen::VectorXd still(n);
    gravity_of(self, work, chosen, Vector(still.data(), n));
    Vector(out, n) -= still;
  });
}

Array coriolis_matrix(PySystem& self, Numbers given_q, Numbers given_v,
                      const Coordinates& coordinates, Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  const Chosen chosen = coordinates.resolve(self, q);
  const Index n = chosen.size();
  return for_each_state(self, {&q, &v}, {n, n}, threads, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    if (!chosen.is_full) check_closed(self, work);
    if (!chosen.is_full)
      compute_coriolis_matrix(work.closed(), work.state, chosen.entries, Matrix(out, n, n));
    else if (self.is_closed())
      compute_coriolis_matrix(work.closed(), work.state, Matrix(out, n, n));
    else
      compute_coriolis_matrix(work.tree(), work.state, Matrix(out, n, n));
  });
}

// --- forces ------------------------------------------------------------------------------------

Array joint_forces(PySystem& self, Numbers given_q, Numbers given_v) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  return for_each_state(self, {&q, &v}, {system.nv()}, 1, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    compute_joint_forces(work.tree(), work.state, Vector(out, system.nv()));
  });
}

void put(const std::vector<Force>& forces, double* out) {
  for (std::size_t i = 0; i < forces.size(); ++i) Vector(out + 6 * i, 6) = to_eigen(forces[i]);
}

/// Open: `x` is the accelerations; closed: the efforts.
Array reactions(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_x,
                const Forces& given_forces, Count threads) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  const Input x(given_x, self.is_closed() ? "tau" : "a", system.nv(), Input::Many::allowed,
                self.effort_count());
  ForcesOnStates forces(system, given_forces);
  const std::size_t count =
      system.joints().size() + (self.is_closed() ? system.closures().size() : 0);
  const Array rows =
      for_each_state(self, forces.beside({&q, &v, &x}), {6, static_cast<Index>(count)}, threads,
                     [&](Work& work, Index s, double* out) {
                       std::vector<Force> found(count);
                       const ExternalForces pushing = forces.on_state(s, work.forces);
                       place(work.state, q, v, s);
                       if (self.is_closed()) check_closed(self, work);
                       if (self.is_closed())
                         compute_reactions(work.closed(), work.state, x.vector(s), pushing, found);
                       else
                         compute_reactions(work.tree(), work.state, x.vector(s), pushing, found);
                       put(found, out);
                     });
  return rows.with_last_axes_swapped();
}

}  // namespace

void bind_dynamics(SystemClass& system) {
  const auto forces = "forces"_a = nb::none();
  const auto coordinates = "coordinates"_a = nb::none();
  const auto threads = "threads"_a = 1;
  system
      .def("inverse_dynamics", &inverse_dynamics, "q"_a.none(), "v"_a.none(), "a"_a.none(), forces,
           nb::kw_only(), "motors"_a.none() = nb::none(), threads,
           "The efforts that produce the accelerations a. Closed systems: of their motors, or of "
           "the named "
           "ones. Arrays (K, nq) are K states.")
      .def("forward_dynamics", &forward_dynamics, "q"_a.none(), "v"_a.none(), "tau"_a.none(),
           forces, nb::kw_only(), threads,
           "The accelerations that the efforts tau produce. Arrays (K, nq) are K states.")
      .def("rollout", &rollout, "q"_a.none(), "v"_a.none(), "tau"_a.none(), "dt"_a, "steps"_a,
           forces, nb::kw_only(), threads,
           "Moves K states by so many steps of dt under constant efforts and forces (semi-implicit "
           "Euler on the group); (q, v) at the end.")
      .def("mass_matrix", &mass_matrix, "q"_a.none(), nb::kw_only(), coordinates, threads,
           "M(q). Closed systems: in all coordinates, coordinates='independent', or a list of "
           "names.")
      .def("mass_matrix_inverse", &mass_matrix_inverse, "q"_a.none(), nb::kw_only(), coordinates,
           threads, "The inverse of M(q).")
      .def("mass_matrix_solve", &mass_matrix_solve, "q"_a.none(), "x"_a.none(),
           "The inverse of M(q) times x, in O(N).")
      .def("bias", &bias, "q"_a.none(), "v"_a.none(), nb::kw_only(), coordinates, threads,
           "C(q, v) v + g(q).")
      .def("gravity", &gravity, "q"_a.none(), nb::kw_only(), coordinates, threads,
           "g(q): the efforts that hold it still against gravity.")
      .def("coriolis", &coriolis, "q"_a.none(), "v"_a.none(), nb::kw_only(), coordinates, threads,
           "C(q, v) v.")
      .def("coriolis_matrix", &coriolis_matrix, "q"_a.none(), "v"_a.none(), nb::kw_only(),
           coordinates, threads, "C(q, v), the choice for which dM/dt - 2C is skew-symmetric.")
      .def("joint_forces", &joint_forces, "q"_a.none(), "v"_a.none(),
           "Springs, damping, friction and loads at the joints, as efforts.")
      .def("reactions", &reactions, "q"_a.none(), "v"_a.none(), "a_or_tau"_a.none(), forces,
           nb::kw_only(), threads,
           "What each joint passes on to its child, [moment; force] in the child's frame, a row "
           "per name of "
           "reaction_names. Open systems are given accelerations, closed ones efforts.");
}

}  // namespace linkwright::python
