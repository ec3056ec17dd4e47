// How objects are held: grasp maps, closure, squeezes, who carries how much, what an object feels like.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/manipulator/grasp_impedance.hpp"
#include "linkwright/manipulator/sharing.hpp"
#include "results.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using manipulator::ClosureVerdict;
using manipulator::GraspAnalysis;
using manipulator::GraspContact;
using manipulator::LoadSharing;
using manipulator::ObjectImpedance;
using manipulator::SharedContact;
using manipulator::SharedEffort;
using manipulator::SharingOptions;
using manipulator::SharingRule;

GraspAnalysis analyse(PySystem& self, const std::string& object, Numbers q) {
  const auto work = closed_work_at(self, "grasp", q, {nb::none()});
  return manipulator::analyse_grasp(work->closed(), work->state.q, object);
}

ObjectImpedance impedance(PySystem& self, const std::string& object, Numbers q, Numbers stiffness,
                          Numbers damping) {
  const Index nv = self.system().nv();
  const manipulator::ServoGains gains{numbers_from(stiffness, "stiffness", nv),
                                      numbers_from(damping, "damping", nv)};
  const auto work = closed_work_at(self, "impedance", q, {nb::none()});
  return manipulator::compute_object_impedance(work->closed(), work->state.q, object, gains);
}

SharingRule to_rule(std::string_view rule) {
  return choose<SharingRule>("rule", rule,
                             {{"least_squares", SharingRule::least_squares},
                              {"weighted", SharingRule::weighted},
                              {"least_torque", SharingRule::least_torque}});
}

LoadSharing share(PySystem& self, Numbers q, std::string_view rule, bool cones, bool efforts,
                  double reserve, const std::string& object, Numbers v, Numbers weights,
                  Numbers acceleration, const Forces& forces) {
  using Bounds = SharingOptions::Bounds;
  SharingOptions options;
  options.rule = to_rule(rule);
  options.weights =
      numbers_from(weights, "weights", static_cast<Index>(self.system().model().grasps.size()));
  options.cones = cones ? Bounds::respect : Bounds::ignore;
  options.efforts = efforts ? Bounds::respect : Bounds::ignore;
  options.reserve = reserve;
  const auto work = closed_work_at(self, "share_load", q, v);
  if (!acceleration.is_none()) {
    options.object = object;
    const auto map = manipulator::compute_grasp_map(work->closed(), work->state.q, object);
    options.acceleration =
        numbers_from(acceleration, "acceleration", static_cast<Index>(map.entries.size()));
  }
  const std::vector<ExternalForce> pushes = forces.on(self.system());
  const nb::gil_scoped_release without_lock;
  return manipulator::share_load(work->closed(), work->state, options, pushes);
}

/// What every grasp carries under these efforts.
std::vector<SharedContact> contact_forces_of(PySystem& self, Numbers q, Numbers tau, Numbers v,
                                             const Forces& forces) {
  const auto work = closed_work_at(self, "contact_forces", q, v);
  const System& system = self.system();
  const Input efforts(tau, "tau", system.nv(), Input::Many::refused, self.effort_count());
  Eigen::VectorXd a(system.nv());
  compute_forward_dynamics(work->closed(), work->state, efforts.vector(), forces.on(system), a);
  std::vector<ContactForce> carried(system.model().grasps.size());
  contact_forces(work->closed(), carried);
  std::vector<SharedContact> out;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    SharedContact& contact = out.emplace_back();
    contact.name = system.model().grasps[i].name;
    contact.normal = carried[i].normal;
    contact.tangential = carried[i].tangential;
    contact.twist = carried[i].moment;
    contact.margin = carried[i].margin;
  }
  return out;
}

Array contact_attitudes(PySystem& self, Numbers q) {
  const auto work = closed_work_at(self, "contact_attitudes", q, {nb::none()});
  std::vector<Quaternion> turned(self.system().model().grasps.size());
  compute_contact_attitudes(work->closed(), work->state.q, turned);
  const Array out = Array::create({static_cast<Index>(turned.size()), 4});
  double* to = out.data();
  for (const Quaternion& t : turned)
    for (const double number : {t.w, t.x, t.y, t.z}) *to++ = number;
  return out;
}

void bind_verdict(nb::module_& module) {
  nb::class_<ClosureVerdict>(module, "ClosureVerdict",
                             "Whether contacts hold an object against every push, and how well.")
      .def_ro("holds", &ClosureVerdict::holds)
      .def_ro("margin", &ClosureVerdict::margin,
              "The largest that all contacts can have at once, no normal force above 1.")
      .def_ro("reason", &ClosureVerdict::reason, "Why it does not hold.")
      .def_prop_ro(
          "escape", [](const ClosureVerdict& v) { return copy_of(v.escape); },
          "Not held: a motion of the object that no contact resists.")
      .def_prop_ro(
          "squeeze", [](const ClosureVerdict& v) { return copy_of(v.squeeze); },
          "Held: the squeeze with that margin, a number per column of the map.")
      .def_ro("idle", &ClosureVerdict::idle, "Contacts that no squeeze loads.")
      .def("__bool__", [](const ClosureVerdict& v) { return v.holds; })
      .def("__repr__", [](const ClosureVerdict& v) {
        return v.holds ? "holds, margin " + nb::cast<std::string>(nb::str(nb::float_(v.margin)))
                       : "does not hold: " + v.reason;
      });
}

void bind_map(nb::class_<GraspAnalysis>& c) {
  c.def_prop_ro("object", [](const GraspAnalysis& g) { return g.map.object; })
      .def_prop_ro(
          "freedoms", [](const GraspAnalysis& g) { return g.map.freedoms; },
          "The object's own, rows of G.")
      .def_prop_ro("contacts", [](const GraspAnalysis& g) { return g.map.contacts; })
      .def_prop_ro(
          "columns", [](const GraspAnalysis& g) { return g.map.columns; },
          "\"left:fn\", a direction of a contact each, columns of G.")
      .def_prop_ro(
          "G", [](const GraspAnalysis& g) { return copy_of(g.map.G); },
          "The grasp map: efforts on the object per unit of each contact force.")
      .def_prop_ro("hand_freedoms", [](const GraspAnalysis& g) { return g.map.hand_freedoms; })
      .def_prop_ro(
          "hand_jacobian", [](const GraspAnalysis& g) { return copy_of(g.map.hand_jacobian); },
          "(columns, hand_freedoms): how the hands move in the directions of the contacts.");
}

void bind_analysis(nb::module_& module) {
  nb::class_<GraspContact>(module, "GraspContact", "One contact and its columns.")
      .def_ro("name", &GraspContact::name)
      .def_ro("kind", &GraspContact::kind)
      .def_prop_ro("columns",
                   [](const GraspContact& c) {
                     return nb::slice(nb::int_(c.first), nb::int_(c.first + c.size), nb::none());
                   })
      .def_ro("friction", &GraspContact::friction)
      .def_ro("torsion", &GraspContact::torsion);
  nb::class_<GraspAnalysis> c(module, "GraspAnalysis", "How an object is held.");
  bind_map(c);
  c.def_ro("rank", &GraspAnalysis::rank, "Directions in which the contacts can push the object.")
      .def_prop_ro(
          "internal", [](const GraspAnalysis& g) { return copy_of(g.internal); },
          "Columns: contact forces that balance each other. First those that motors make.")
      .def_ro("by_motors", &GraspAnalysis::by_motors, "How many of them motors make,")
      .def_ro("structural", &GraspAnalysis::structural, "no motor feels,")
      .def_ro("not_held", &GraspAnalysis::not_held, "and joints without a motor would not hold.")
      .def_prop_ro(
          "loose", [](const GraspAnalysis& g) { return copy_of(g.loose); },
          "Columns: motions of the object while all motors stand still.")
      .def_ro("loose_motions", &GraspAnalysis::loose_motions, "The same in words.")
      .def_prop_ro(
          "defective",
          [](const GraspAnalysis& g) {
            nb::typed<nb::dict, std::string, int> out;
            for (const auto& d : g.defective) out[d.contact.c_str()] = d.directions;
            return out;
          },
          "Contacts whose hand has fewer freedoms than directions: how many only bear.")
      .def_ro("redundant", &GraspAnalysis::redundant, "Motions of the hands that move no contact.")
      .def_ro("force_closure", &GraspAnalysis::force_closure, "With friction.")
      .def_ro("form_closure", &GraspAnalysis::form_closure, "Without.")
      .def("__repr__", [](const GraspAnalysis& g) {
        return "grasp of '" + g.map.object + "': " + std::to_string(g.map.entries.size()) +
               " freedoms, " + std::to_string(g.map.columns.size()) + " contact directions, rank " +
               std::to_string(g.rank) + ", " + std::to_string(g.internal.cols()) +
               " squeezes; force closure " +
               (g.force_closure.holds ? "holds" : "does not hold: " + g.force_closure.reason);
      });
  nb::class_<ObjectImpedance>(module, "ObjectImpedance",
                              "What a held object feels like when pushed.")
      .def_prop_ro("inertia", [](const ObjectImpedance& o) { return copy_of(o.inertia); })
      .def_prop_ro("damping", [](const ObjectImpedance& o) { return copy_of(o.damping); })
      .def_prop_ro("stiffness", [](const ObjectImpedance& o) { return copy_of(o.stiffness); })
      .def_ro("rank", &ObjectImpedance::rank, "Directions in which it can move.")
      .def_ro("immovable", &ObjectImpedance::immovable, "The others, in words.");
}

void bind_sharing(nb::module_& module) {
  nb::class_<SharedContact>(module, "ContactShare", "What a grasp gives.")
      .def_ro("name", &SharedContact::name)
      .def_prop_ro("forces", [](const SharedContact& c) { return copy_of(c.forces); })
      .def_ro("normal", &SharedContact::normal)
      .def_ro("tangential", &SharedContact::tangential)
      .def_ro("twist", &SharedContact::twist)
      .def_ro("margin", &SharedContact::margin,
              "Newtons until it slips; infinite: it holds both ways.")
      .def("__repr__", [](const SharedContact& c) {
        return "'" + c.name + "': margin " + nb::cast<std::string>(nb::str(nb::float_(c.margin)));
      });
  nb::class_<SharedEffort>(module, "MotorShare", "What a motor gives.")
      .def_ro("name", &SharedEffort::name)
      .def_ro("effort", &SharedEffort::effort)
      .def_ro("limit", &SharedEffort::limit);
  nb::class_<LoadSharing>(module, "LoadSharing", "Who carries how much.")
      .def_ro("feasible", &LoadSharing::feasible)
      .def_ro("reason", &LoadSharing::reason, "Not feasible: what stands in the way, by how much.")
      .def_ro("blocking", &LoadSharing::blocking)
      .def_ro("shortage", &LoadSharing::shortage,
              "Newtons by which all cones and limits would have to be wider.")
      .def_ro("contacts", &LoadSharing::contacts)
      .def_ro("motors", &LoadSharing::motors)
      .def_ro("cost", &LoadSharing::cost)
      .def_ro("residual", &LoadSharing::residual, "Of the equations of motion, relative.")
      .def_ro("optimality", &LoadSharing::optimality)
      .def_ro("approximate", &LoadSharing::approximate)
      .def("__bool__", [](const LoadSharing& s) { return s.feasible; })
      .def("__repr__", [](const LoadSharing& s) {
        return s.feasible ? "shared by " + std::to_string(s.contacts.size()) + " contacts and " +
                                std::to_string(s.motors.size()) + " motors"
                          : "cannot be shared: " + s.reason;
      });
}

}  // namespace

void bind_grasp(nb::module_& module) {
  bind_verdict(module);
  bind_analysis(module);
  bind_sharing(module);
  module
      .def(
          "held_objects",
          [](const PySystem& self) { return manipulator::held_objects(self.system()); }, "system"_a,
          "Bodies that grasps hold.\n\n>>> held_objects(system)                            # "
          "['box']")
      .def("_analyse_grasp", &analyse, "system"_a, "object"_a, "q"_a.none())
      .def("_impedance", &impedance, "system"_a, "object"_a, "q"_a.none(),
           "stiffness"_a = nb::none(), "damping"_a = nb::none())
      .def("_share_load", &share, "system"_a, "q"_a.none(), "rule"_a, "cones"_a, "efforts"_a,
           "reserve"_a, "object"_a, "v"_a = nb::none(), "weights"_a = nb::none(),
           "acceleration"_a = nb::none(), "forces"_a = nb::none())
      .def("contact_forces", &contact_forces_of, "system"_a, "q"_a.none(), "tau"_a.none(),
           "v"_a = nb::none(), "forces"_a = nb::none(),
           "What every grasp carries while the efforts act, and its margin.\n\n"
           ">>> [c.margin for c in contact_forces(system, q, tau)]")
      .def("contact_attitudes", &contact_attitudes, "system"_a, "q"_a.none(),
           "How hand and object are turned against each other: a quaternion [w, x, y, z] per "
           "grasp.\n\n"
           ">>> contact_attitudes(system, q)[0]");
}

}  // namespace linkwright::python
