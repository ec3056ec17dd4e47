// Positions: where to start, how to move and to compare them.
#include <cstdint>

#include "bindings.hpp"
#include "bounded.hpp"
#include "verbs.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

Array neutral(PySystem& self) {
  const Array q = Array::vector(self.system().nq());
  compute_neutral(self.system(), Vector(q.data(), self.system().nq()));
  return q;
}

Array middle(PySystem& self) {
  const Array q = Array::vector(self.system().nq());
  compute_middle(self.system(), Vector(q.data(), self.system().nq()));
  return q;
}

Array random(PySystem& self, Seed seed) {
  const Array q = Array::vector(self.system().nq());
  compute_random(self.system(), seed, Vector(q.data(), self.system().nq()));
  return q;
}

nb::tuple initial(PySystem& self) {
  const System& system = self.system();
  const Array q = Array::vector(system.nq()), v = Array::vector(system.nv());
  compute_initial(system, Vector(q.data(), system.nq()), Vector(v.data(), system.nv()));
  return nb::make_tuple(q, v);
}

Array integrate(PySystem& self, Numbers given_q, Numbers given_v, Finite dt) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq()), v(given_v, "v", system.nv());
  return for_each_state(self, {&q, &v}, {system.nq()}, 1, [&](Work&, Index s, double* out) {
    compute_integral(system, q.vector(s), v.vector(s), dt, Vector(out, system.nq()));
  });
}

Array difference(PySystem& self, Numbers given_q0, Numbers given_q1) {
  const System& system = self.system();
  const Input q0(given_q0, "q0", system.nq()), q1(given_q1, "q1", system.nq());
  return for_each_state(self, {&q0, &q1}, {system.nv()}, 1, [&](Work&, Index s, double* out) {
    compute_difference(system, q0.vector(s), q1.vector(s), Vector(out, system.nv()));
  });
}

Array normalized(PySystem& self, Numbers given_q) {
  const System& system = self.system();
  const Input q(given_q, "q", system.nq());
  return for_each_state(self, {&q}, {system.nq()}, 1, [&](Work&, Index s, double* out) {
    Vector(out, system.nq()) = q.vector(s);
    normalize(system, Vector(out, system.nq()));
  });
}

}  // namespace

void bind_state(SystemClass& system) {
  system.def("neutral", &neutral, "The position of rest: zeros, unit quaternions.")
      .def("middle", &middle, "The middle of the joints' limits; neutral where there are none.")
      .def("random", &random, "seed"_a = 0,
           "A random position within the limits, the same for a seed on every machine.")
      .def("_initial", &initial)
      .def("integrate", &integrate, "q"_a.none(), "v"_a.none(), "dt"_a = 1.0,
           "What q becomes when the velocity v acts for dt; exact on quaternions.")
      .def("difference", &difference, "q0"_a.none(), "q1"_a.none(),
           "The velocity that carries q0 to q1 in unit time: integrate(q0, difference(q0, q1)) = "
           "q1.")
      .def("normalize", &normalized, "q"_a.none(), "q with quaternions of unit norm.");
}

}  // namespace linkwright::python
