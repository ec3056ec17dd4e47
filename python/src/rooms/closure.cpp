// Loops: assembly, mobility, what closures carry, independent coordinates.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "bounded.hpp"
#include "coordinates.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/gaps.hpp"
#include "linkwright/closure/mobility.hpp"
#include "verbs.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

AssemblyOptions to_options(const Names& hold, bool limits, int restarts) {
  AssemblyOptions options;
  options.hold = hold;
  options.limits = limits ? AssemblyOptions::Limits::respect : AssemblyOptions::Limits::ignore;
  options.restarts = restarts;
  return options;
}

/// q, assembled, the largest gap, joints that moved, steps, what keeps it open.
nb::tuple assemble_one(PySystem& self, Numbers given_q, const Names& hold, bool limits,
                       int restarts) {
  require_loops(self, "assemble");
  const Input given(given_q, "q", self.system().nq(), Input::Many::refused);
  const Array q = Array::vector(given.width());
  Vector moved(q.data(), given.width());
  moved = given.vector();
  const AssemblyOptions options = to_options(hold, limits, restarts);
  Assembly found;
  std::string trouble;
  {
    const nb::gil_scoped_release without_lock;
    const auto work = self.work();
    found = assemble(work->closed(), options, moved);
    if (!found.assembled)
      trouble = found.beyond_limits.empty() ? describe_gaps(work->closed(), moved)
                                            : describe(self.system(), found);
  }
  return nb::make_tuple(q, found.assembled, found.residual, found.moved, found.steps, trouble);
}

Array assemblies(PySystem& self, Numbers given_q, const Names& hold, bool limits, int starts) {
  require_loops(self, "assemblies");
  const Input q(given_q, "q", self.system().nq(), Input::Many::refused);
  const AssemblyOptions options = to_options(hold, limits, 0);
  std::vector<double> found;
  {
    const nb::gil_scoped_release without_lock;
    const auto work = self.work();
    const Eigen::VectorXd start = q.vector();
    found = find_assemblies(work->closed(), options, start, starts);
  }
  const Array out = Array::create({static_cast<Index>(found.size()) / q.width(), q.width()});
  std::copy(found.begin(), found.end(), out.data());
  return out;
}

Array project(PySystem& self, Numbers given_q, Numbers given_v, const Names& hold) {
  require_loops(self, "project_velocity");
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  return for_each_state(self, {&q, &v}, {system.nv()}, 1, [&](Work& work, Index s, double* out) {
    Vector kept(out, system.nv());
    kept = v.vector(s);
    project_velocity(work.closed(), q.vector(s), hold, kept);
  });
}

nb::list to_list(const std::vector<Mobility::Idle>& idle) {
  nb::list list;
  for (const Mobility::Idle& one : idle)
    list.append(nb::make_tuple(one.bodies, one.joints, one.freedoms));
  return list;
}

nb::list to_list(const std::vector<Mobility::Narrow>& narrow) {
  nb::list list;
  for (const Mobility::Narrow& one : narrow)
    list.append(nb::make_tuple(one.singular_value, one.closures, one.joints, one.nearby_too));
  return list;
}

nb::dict mobility(PySystem& self, Numbers given_q) {
  require_loops(self, "mobility");
  const System& system = self.system();
  const Input q(given_q, "q", system.nq(), Input::Many::refused);
  Mobility found;
  {
    const nb::gil_scoped_release without_lock;
    const auto work = self.work();
    place(work->state, q, 0);
    work->state.v.setZero();
    check_closed(self, *work);
    found = compute_mobility(work->closed(), work->state.q);
  }
  nb::dict redundant;
  for (const Mobility::Redundant& one : found.redundant) redundant[one.closure.c_str()] = one.rows;
  const Array forces = Array::create({found.rows - found.rank, found.rows});
  std::copy(found.internal_forces.begin(), found.internal_forces.end(), forces.data());
  nb::dict report;
  report["mobility"] = found.mobility;
  report["grubler"] = found.grubler;
  report["rank"] = found.rank;
  report["rows"] = found.rows;
  report["redundant"] = redundant;
  report["idle"] = to_list(found.idle);
  report["independent"] = independent_names(system, found);
  report["conditioning"] = found.independent.conditioning;
  report["singular"] = found.singular;
  report["nearby_rank"] = found.nearby_rank;
  report["locked"] = found.locked;
  report["gained"] = found.gained;
  report["smallest_singular_value"] = found.smallest_kept;
  report["largest_dropped_singular_value"] = found.largest_dropped;
  report["narrowly_forbidden"] = to_list(found.narrowly_forbidden);
  report["narrowly_allowed"] = to_list(found.narrowly_allowed);
  report["text"] = describe(system, found);
  report["clusters"] = found.clusters;
  report["internal_forces"] = forces.transposed();
  return report;
}

// --- what closures carry, and where closing joints stand ---------------------------------------

Array closure_forces_of(PySystem& self, Numbers given_q, Numbers given_v, Numbers given_tau,
                        const Forces& given_forces, Count threads) {
  require_loops(self, "closure_forces");
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  const Input tau(given_tau, "tau", system.nv(), Input::Many::allowed, self.effort_count());
  const ForcesOnStates forces(system, given_forces);
  const auto count = static_cast<Index>(system.closures().size());
  const Array rows =
      for_each_state(self, forces.beside({&q, &v, &tau}), {6, count}, threads,
                     [&](Work& work, Index s, double* out) {
                       place(work.state, q, v, s);
                       check_closed(self, work);
                       Eigen::VectorXd a(system.nv());
                       compute_forward_dynamics(work.closed(), work.state, tau.vector(s),
                                                forces.on_state(s, work.forces), a);
                       std::vector<Force> found(static_cast<std::size_t>(count));
                       closure_forces(work.closed(), found);
                       for (Index i = 0; i < count; ++i)
                         Vector(out + 6 * i, 6) = to_eigen(found[static_cast<std::size_t>(i)]);
                     });
  return rows.with_last_axes_swapped();
}

Array closing_positions(PySystem& self, Numbers given_q) {
  require_loops(self, "closing_joints");
  const Input q(given_q, "q", self.system().nq());
  const auto count = static_cast<Index>(self.system().closing_names().size());
  return for_each_state(self, {&q}, {count}, 1, [&](Work& work, Index s, double* out) {
    compute_closing_coordinates(work.closed(), q.vector(s), Vector(out, count));
  });
}

Array closing_rates(PySystem& self, Numbers given_q, Numbers given_v) {
  require_loops(self, "closing_joints");
  const Input q(given_q, "q", self.system().nq()), v(given_v, "v", self.system().nv());
  const auto count = static_cast<Index>(self.system().closing_names().size());
  return for_each_state(self, {&q, &v}, {count}, 1, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    compute_closing_rates(work.closed(), work.state, Vector(out, count));
  });
}

Array closing_efforts(PySystem& self, Numbers given_q, Numbers given_v) {
  require_loops(self, "closing_forces");
  const Input q(given_q, "q", self.system().nq()), v(given_v, "v", self.system().nv());
  const auto count = static_cast<Index>(self.system().closing_names().size());
  return for_each_state(self, {&q, &v}, {count}, 1, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    compute_closing_forces(work.closed(), work.state, Vector(out, count));
  });
}

// --- rows --------------------------------------------------------------------------------------

Index row_count_of(PySystem& self, const char* verb) {
  require_loops(self, verb);
  return self.work()->closed().rows();
}

Array closure_residual(PySystem& self, Numbers given_q) {
  const Index rows = row_count_of(self, "closure_residual");
  const Input q(given_q, "q", self.system().nq());
  return for_each_state(self, {&q}, {rows}, 1, [&](Work& work, Index s, double* out) {
    compute_closure_residual(work.closed(), q.vector(s), Vector(out, rows));
  });
}

Array closure_jacobian(PySystem& self, Numbers given_q) {
  const Index rows = row_count_of(self, "closure_jacobian"), nv = self.system().nv();
  const Input q(given_q, "q", self.system().nq());
  return for_each_state(self, {&q}, {rows, nv}, 1, [&](Work& work, Index s, double* out) {
    compute_closure_jacobian(work.closed(), q.vector(s), Matrix(out, rows, nv));
  });
}

Array closure_bias(PySystem& self, Numbers given_q, Numbers given_v) {
  const Index rows = row_count_of(self, "closure_bias");
  const Input q(given_q, "q", self.system().nq()), v(given_v, "v", self.system().nv());
  return for_each_state(self, {&q, &v}, {rows}, 1, [&](Work& work, Index s, double* out) {
    place(work.state, q, v, s);
    compute_closure_bias(work.closed(), work.state, Vector(out, rows));
  });
}

// --- independent coordinates -------------------------------------------------------------------

Chosen chosen_or_independent(PySystem& self, const Coordinates& coordinates, const Input& q) {
  if (coordinates.are_chosen()) return coordinates.resolve(self, q);
  const nb::str independent("independent");
  return Coordinates{independent}.resolve(self, q);
}

nb::tuple coordinate_map(PySystem& self, Numbers given_q, Numbers given_v,
                         const Coordinates& coordinates) {
  require_loops(self, "coordinate_map");
  const System& system = self.system();
  const Index nv = system.nv();
  const Input q(given_q, "q", system.nq(), Input::Many::refused),
      v(given_v, "v", nv, Input::Many::refused);
  const Chosen chosen = chosen_or_independent(self, coordinates, q);
  const Array G = Array::matrix(nv, chosen.size()), g = Array::vector(nv);
  const auto work = self.work();
  place(work->state, q, v, 0);
  check_closed(self, *work);
  compute_coordinate_map(work->closed(), work->state, chosen.entries,
                         Matrix(G.data(), nv, chosen.size()), Vector(g.data(), nv));
  return nb::make_tuple(G, g);
}

Names independent(PySystem& self, Numbers given_q) {
  require_loops(self, "independent");
  const Input q(given_q, "q", self.system().nq(), Input::Many::refused);
  Names names;
  for (const int entry : chosen_or_independent(self, {nb::none()}, q).entries)
    names.push_back(self.system().velocity_names()[static_cast<std::size_t>(entry)]);
  return names;
}

}  // namespace

void bind_closure(SystemClass& system) {
  const auto q = "q"_a.none();
  const auto v = "v"_a.none();
  system.def("_assemble", &assemble_one, q, "hold"_a, "limits"_a, "restarts"_a)
      .def("_assemblies", &assemblies, q, "hold"_a, "limits"_a, "starts"_a)
      .def("project_velocity", &project, q, v, "hold"_a = nb::tuple(),
           "The velocity nearest to v, by the mass matrix, that keeps every closure closed.")
      .def("_mobility", &mobility, q)
      .def("closure_forces", &closure_forces_of, q, v, "tau"_a.none(), "forces"_a = nb::none(),
           nb::kw_only(), "threads"_a = 1,
           "What a applies to b through each closure, [moment; force] at b's closure frame, in its "
           "axes; a row "
           "per name of closure_names.")
      .def("_closing_positions", &closing_positions, q)
      .def("_closing_rates", &closing_rates, q, v)
      .def("closing_forces", &closing_efforts, q, v,
           "Springs, damping, friction and loads at closing joints, as efforts; named by "
           "closing_names.")
      .def("closure_residual", &closure_residual, q,
           "How far each row of the closures is from closed, metres and radians.")
      .def("closure_jacobian", &closure_jacobian, q, "J(q), rows x nv: J v = 0 for the mechanism.")
      .def("closure_bias", &closure_bias, q, v, "J̇ v: what J a has to cancel.")
      .def("coordinate_map", &coordinate_map, q, v, "coordinates"_a = nb::none(),
           "G and g: v = G v_i, a = G a_i + g for the independent or the named coordinates.")
      .def("independent", &independent, q,
           "Names of independent coordinates: those that the model asks for, or the best "
           "conditioned ones.");
}

}  // namespace linkwright::python
