// What a system is: names, sizes, limits, warnings.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "linkwright/system/describe.hpp"
#include "linkwright/system/digest.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

Names joint_names(const PySystem& self) {
  Names names;
  for (const JointPlace& joint : self.system().joints())
    if (joint.nv > 0) names.push_back(joint.name);
  return names;
}

Names frame_names(const PySystem& self) {
  Names names;
  for (const FramePlace& frame : self.system().frames()) names.push_back(frame.name);
  return names;
}

Names closure_names(const PySystem& self) {
  Names names;
  for (const ClosurePlace& closure : self.system().closures()) names.push_back(closure.name);
  return names;
}

Names reaction_names(const PySystem& self) {
  Names names;
  for (const JointPlace& joint : self.system().joints()) names.push_back(joint.name);
  if (self.is_closed())
    for (const ClosurePlace& closure : self.system().closures()) names.push_back(closure.name);
  return names;
}

/// name, type, first entries and sizes in q and v, parent and child.
std::tuple<std::string, std::string, int, int, int, int, std::string, std::string> joint_place(
    const PySystem& self, std::string_view name) {
  const JointPlace& joint = self.system().joint(name);
  const auto& bodies = self.system().model().bodies;
  const auto body = [&bodies](int index) {
    return index < 0 ? std::string(world_name) : bodies[static_cast<std::size_t>(index)].name;
  };
  return {joint.name,
          std::string(to_string(joint.type)),
          joint.q,
          joint.nq,
          joint.v,
          joint.nv,
          body(joint.parent),
          body(joint.child)};
}

/// Rows lower, upper (of q), velocity, effort (of v); infinite where there is none.
Array limits(const PySystem& self, bool of_positions) {
  const System& system = self.system();
  const Eigen::Index size = of_positions ? system.nq() : system.nv();
  const Array out = Array::create({2, size});
  Eigen::Map<Eigen::MatrixXd> values(out.data(), size, 2);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  values.col(0).setConstant(of_positions ? -infinite : infinite);
  values.col(1).setConstant(infinite);
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const JointPlace& place = system.joints()[j];
    if (of_positions && place.nq != place.nv) continue;  // a pose has none
    for (int i = 0; i < place.nv; ++i) {
      const Limits l = per_freedom(system.model().joints[j].limits, i, Limits{});
      if (of_positions)
        values.row(place.q + i) << l.lower, l.upper;
      else
        values.row(place.v + i) << l.velocity, l.effort;
    }
  }
  return out;
}

Names warning_texts(const PySystem& self) {
  Names texts;
  for (const Warning& warning : self.system().warnings()) texts.push_back(warning.text());
  return texts;
}

std::vector<std::string> passive_names(const PySystem& self) {
  std::vector<std::string> names;
  for (const int i : self.system().passive_freedoms())
    names.push_back(self.system().velocity_names()[static_cast<std::size_t>(i)]);
  return names;
}

}  // namespace

void bind_system(nb::module_&, SystemClass& system) {
  system
      .def(
          "__init__",
          [](PySystem* self, const Model& model, bool cut_open, double closure_tolerance) {
            const nb::gil_scoped_release without_lock;
            new (self) PySystem(model, cut_open, closure_tolerance);
          },
          "model"_a, nb::kw_only(), "cut_open"_a = false, "closure_tolerance"_a = 1e-8,
          "Judges and compiles a model. cut_open: compute as if every loop were cut. "
          "closure_tolerance: how far closures may be open at a state, metres and radians.")
      .def_prop_ro("name", [](const PySystem& s) { return s.system().model().name; })
      .def_prop_ro(
          "nq", [](const PySystem& s) { return s.system().nq(); }, "Numbers in q.")
      .def_prop_ro(
          "nv", [](const PySystem& s) { return s.system().nv(); }, "Numbers in v.")
      .def_prop_ro(
          "mass", [](const PySystem& s) { return s.system().moving_mass(); },
          "Of all that moves, in kilograms.")
      .def_prop_ro("is_closed", &PySystem::is_closed,
                   "Whether closures or grasps close loops, and answers obey them.")
      .def_prop_ro("is_cut_open", &PySystem::is_cut_open,
                   "Whether it was asked to compute as if every loop were cut.")
      .def_prop_ro("closure_tolerance", &PySystem::closure_tolerance,
                   "How far closures may be open at a state that is given, metres and radians.")
      .def_prop_ro("joint_names", &joint_names, "Joints that move, in the order of q.")
      .def_prop_ro(
          "position_names", [](const PySystem& s) { return s.system().position_names(); },
          "One per entry of q.")
      .def_prop_ro(
          "velocity_names", [](const PySystem& s) { return s.system().velocity_names(); },
          "One per entry of v.")
      .def_prop_ro(
          "effort_names",
          [](const PySystem& s) {
            return s.is_closed() ? s.system().effort_names() : s.system().velocity_names();
          },
          "One per entry of tau; those of closing joints' motors stand last.")
      .def_prop_ro("passive_names", &passive_names, "Of velocity_names those without a motor.")
      .def_prop_ro("frame_names", &frame_names, "The world, bodies, and the model's frames.")
      .def_prop_ro("closure_names", &closure_names, "Closures, closing joints, grasps.")
      .def_prop_ro(
          "closing_names", [](const PySystem& s) { return s.system().closing_names(); },
          "A name for every freedom of the joints that close loops.")
      .def_prop_ro("warnings", &warning_texts,
                   "What the reader and the judge of the model noticed.")
      .def_prop_ro(
          "_cpp_model", [](const PySystem& s) { return s.model(); },
          "The model that it was compiled from.")
      .def_prop_ro("_hold", [](const PySystem& s) { return s.system().model().initial.hold; })
      .def_prop_ro(
          "digest", [](const PySystem& s) { return digest_of(compute_digests(s.system())); },
          "A number that changes with any name or number that matters to the dynamics.")
      .def_prop_ro("reaction_names", &reaction_names,
                   "One per row of reactions: all joints, then, closed, all closures.")
      .def("_joint", &joint_place, "name"_a)
      .def("_limits", &limits, "of_positions"_a)
      .def("__str__", [](const PySystem& s) { return describe(s.system(), s.is_cut_open()); });
}

}  // namespace linkwright::python
