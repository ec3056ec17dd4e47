// The same state in the coordinates of other libraries.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/dynamics/conventions.hpp"
#include "verbs.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

Convention to_convention(std::string_view name) {
  return choose<Convention>("library", name,
                            {{"pinocchio", Convention::pinocchio},
                             {"mujoco", Convention::mujoco},
                             {"drake", Convention::drake},
                             {"rbdl", Convention::rbdl}});
}

/// A layout keeps its system alive through the Python object that it was made for.
struct Layout {
  Layout(PySystem& self, std::string_view library, const std::vector<std::string>& joint_order)
      : owner(&self), numbers(self.system(), to_convention(library), joint_order) {}
  PySystem* owner;
  ConventionLayout numbers;
};

/// Calls `convert(state, out)` for every state of the arguments.
template <class Convert>
Array converted(const Layout& layout, std::initializer_list<const Input*> given, Index width,
                const Convert& convert) {
  return for_each_state(*layout.owner, given, {width}, 1,
                        [&](Work&, Index s, double* out) { convert(s, Vector(out, width)); });
}

Array to_position(const Layout& l, Numbers given_q) {
  const Input q(given_q, "q", l.owner->system().nq());
  return converted(l, {&q}, l.numbers.nq(), [&](Index s, Vector out) {
    to_convention_position(l.numbers, q.vector(s), out);
  });
}
Array from_position(const Layout& l, Numbers given_q) {
  const Input q(given_q, "their_q", l.numbers.nq());
  return converted(l, {&q}, l.owner->system().nq(), [&](Index s, Vector out) {
    from_convention_position(l.numbers, q.vector(s), out);
  });
}

/// What arguments are called.
constexpr char v_name[] = "v", their_v_name[] = "their_v", tau_name[] = "tau",
               their_tau_name[] = "their_tau";

/// What the conversions of velocities and of efforts share: q and one vector, theirs or ours.
template <auto Function, bool to_them, const char* name>
Array with_position(const Layout& l, Numbers given_q, Numbers given_x) {
  const Index ours = l.owner->system().nv(), theirs = l.numbers.nv();
  const Input q(given_q, "q", l.owner->system().nq()), x(given_x, name, to_them ? ours : theirs);
  return converted(l, {&q, &x}, to_them ? theirs : ours, [&](Index s, Vector out) {
    Function(l.numbers, q.vector(s), x.vector(s), out);
  });
}
template <auto Function, bool to_them>
Array with_motion(const Layout& l, Numbers given_q, Numbers given_v, Numbers given_a) {
  const Index ours = l.owner->system().nv(), theirs = l.numbers.nv();
  const Input q(given_q, "q", l.owner->system().nq()), v(given_v, "v", ours),
      a(given_a, to_them ? "a" : "their_a", to_them ? ours : theirs);
  return converted(l, {&q, &v, &a}, to_them ? theirs : ours, [&](Index s, Vector out) {
    Function(l.numbers, q.vector(s), v.vector(s), a.vector(s), out);
  });
}

}  // namespace

void bind_conventions(nb::module_& module, SystemClass& system) {
  const auto q = "q"_a.none();
  const auto v = "v"_a.none();
  nb::class_<Layout>(
      module, "Convention",
      "Positions, velocities, accelerations and efforts in another library's order and axes, and "
      "back. Wherever q and v stand beside them, they are ours.")
      .def_prop_ro(
          "nq", [](const Layout& l) { return l.numbers.nq(); }, "Numbers in their q.")
      .def_prop_ro(
          "nv", [](const Layout& l) { return l.numbers.nv(); }, "Numbers in their v.")
      .def("position", &to_position, q, "Our q as theirs.")
      .def("velocity", &with_position<&to_convention_velocity, true, v_name>, q, v,
           "Our v as theirs.")
      .def("acceleration", &with_motion<&to_convention_acceleration, true>, q, v, "a"_a.none(),
           "Our a as the time derivative of their v.")
      .def("effort", &with_position<&to_convention_effort, true, tau_name>, q, "tau"_a.none(),
           "Our efforts as theirs: of the same power.")
      .def("from_position", &from_position, "their_q"_a.none(), "Their q as ours.")
      .def("from_velocity", &with_position<&from_convention_velocity, false, their_v_name>, q,
           "their_v"_a.none(), "Their v as ours.")
      .def("from_acceleration", &with_motion<&from_convention_acceleration, false>, q, v,
           "their_a"_a.none(), "The time derivative of their v as our a.")
      .def("from_effort", &with_position<&from_convention_effort, false, their_tau_name>, q,
           "their_tau"_a.none(), "Their efforts as ours.");
  system.def(
      "convention",
      [](PySystem& self, std::string_view library, const std::vector<std::string>& joint_order) {
        return std::make_unique<Layout>(self, library, joint_order);
      },
      "library"_a, "joint_order"_a = std::vector<std::string>{}, nb::keep_alive<0, 1>(),
      "Converters to 'pinocchio', 'mujoco', 'drake' or 'rbdl'. joint_order: our moving joints in "
      "the order in "
      "which that library holds them; without it in ours.");
}

}  // namespace linkwright::python
