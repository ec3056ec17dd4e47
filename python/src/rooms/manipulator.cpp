// Arms on any base: the unified model, forward dynamics with what the hands hold, reaction null space.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/manipulator/closed_chain.hpp"
#include "linkwright/manipulator/unified_model.hpp"
#include "results.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using manipulator::Arm;
using manipulator::Manipulator;
using manipulator::ManipulatorOptions;
using manipulator::TableReport;
using manipulator::UnifiedModel;

ManipulatorOptions to_options(const std::string& base, const Names& tips,
                              std::string_view base_freedoms) {
  ManipulatorOptions options;
  options.base = base;
  options.tips = tips;
  using Freedoms = ManipulatorOptions::BaseFreedoms;
  options.base_freedoms =
      choose<Freedoms>("base_freedoms", base_freedoms,
                       {{"passive", Freedoms::passive}, {"active", Freedoms::active}});
  return options;
}

struct PyManipulator {
  PyManipulator(PySystem& of, const std::string& base, const Names& tips,
                std::string_view base_freedoms)
      : system(of), owner(of.shared()), robot(*owner, to_options(base, tips, base_freedoms)) {}
  Names named(std::span<const int> entries) const {
    const Names all = owner->velocity_names();
    Names out;
    for (const int entry : entries) out.push_back(all[static_cast<std::size_t>(entry)]);
    return out;
  }
  PySystem& system;  // kept alive by nanobind
  std::shared_ptr<const System> owner;
  Manipulator robot;
};

struct PyUnified {
  explicit PyUnified(PyManipulator& robot) : of(robot), model(robot.robot) {}
  Index tips() const { return 6 * static_cast<Index>(of.robot.arms().size()); }
  Index active() const { return static_cast<Index>(model.active().size()); }
  PyManipulator& of;  // kept alive by nanobind
  UnifiedModel model;
};

/// A state and efforts for functions that take both.
struct Given {
  Given(PyManipulator& of, Numbers q, Numbers v, Numbers given_tau, const Forces& given_forces)
      : state(*of.owner), forces(given_forces.on(*of.owner)) {
    place(of.system, state, q, v);
    tau = given_tau.is_none()
              ? Eigen::VectorXd::Zero(of.owner->nv())
              : Eigen::VectorXd(Input(given_tau, "tau", of.owner->nv(), Input::Many::refused,
                                      of.system.effort_count())
                                    .vector());
  }
  State state;
  Eigen::VectorXd tau;
  std::vector<ExternalForce> forces;
};

std::unique_ptr<PyUnified> unified(PyManipulator& self, Numbers q, Numbers v, Numbers tau,
                                   const Forces& forces) {
  auto model = std::make_unique<PyUnified>(self);
  const Given given(self, q, v, tau, forces);
  model->model.update(given.state, given.tau, given.forces);
  return model;
}

manipulator::ClosedAlgorithm to_algorithm(std::string_view name) {
  using manipulator::ClosedAlgorithm;
  return choose<ClosedAlgorithm>("algorithm", name,
                                 {{"RCCFD1", ClosedAlgorithm::RCCFD1},
                                  {"RCCFD2", ClosedAlgorithm::RCCFD2},
                                  {"RCCFD3", ClosedAlgorithm::RCCFD3},
                                  {"non_rigid", ClosedAlgorithm::non_rigid}});
}

/// Accelerations, what the arms do to what they hold, rows and rank, Ω, and how contacts roll: rates and their
/// derivatives per arm.
std::tuple<Array, Array, int, int, Array, std::vector<std::pair<Array, Array>>> chain_dynamics(
    PyManipulator& self, std::string_view algorithm, bool dense, Numbers q, Numbers v, Numbers tau,
    const Forces& forces) {
  const Given given(self, q, v, tau, forces);
  manipulator::ClosedChain chain(self.robot);
  const Array a = Array::vector(self.owner->nv());
  const auto report = chain.compute_forward_dynamics(
      to_algorithm(algorithm),
      dense ? manipulator::OmegaSolve::dense : manipulator::OmegaSolve::structured, given.state,
      given.tau, given.forces, Vector(a.data(), self.owner->nv()));
  const auto arms = static_cast<Index>(self.robot.arms().size());
  const Array f = Array::create({arms, 6});
  for (Index i = 0; i < arms; ++i)
    Vector(f.data() + 6 * i, 6) = to_eigen(chain.end_force(static_cast<int>(i)));
  const Array omega = Array::matrix(report.rows, report.rows);
  chain.compute_omega(Matrix(omega.data(), report.rows, report.rows));
  std::vector<std::pair<Array, Array>> rolling;
  for (const Arm& arm : self.robot.arms()) {
    const Index size =
        arm.grasp < 0 ? 0 : self.owner->closures()[static_cast<std::size_t>(arm.grasp)].freedoms;
    const auto& [W, W_rate] = rolling.emplace_back(Array::vector(size), Array::vector(size));
    if (size > 0)
      chain.compute_contact_motion(static_cast<int>(rolling.size()) - 1, Vector(W.data(), size),
                                   Vector(W_rate.data(), size));
  }
  return {a, f, report.rows, report.rank, omega, rolling};
}

void bind_robot(nb::module_& module) {
  nb::class_<Arm>(module, "Arm", "A chain from the base to a hand.")
      .def_ro("tip", &Arm::tip, "The hand's frame.")
      .def_prop_ro(
          "holds", [](const Arm& arm) { return arm.grasp >= 0; }, "Whether it holds something.")
      .def_ro("freedoms", &Arm::freedoms, "Entries of v between base and hand.");
  nb::class_<PyManipulator>(module, "Manipulator",
                            "A system as several arms on one base, with motors on some joints.")
      .def(nb::init<PySystem&, const std::string&, const Names&, std::string_view>(), "system"_a,
           nb::kw_only(), "base"_a = "", "tips"_a = Names{}, "base_freedoms"_a = "passive",
           nb::keep_alive<1, 2>(),
           "tips: frames of arms that hold nothing, besides those of the grasps.")
      .def_prop_ro(
          "base",
          [](const PyManipulator& m) {
            return std::pair(m.robot.base().body,
                             std::string(manipulator::to_string(m.robot.base().kind)));
          },
          "The body that carries the arms, and its kind: fixed, free, flexible, planar, wheeled, "
          "jointed.")
      .def_prop_ro("arms", [](const PyManipulator& m) { return m.robot.arms(); })
      .def_prop_ro("objects",
                   [](const PyManipulator& m) {
                     Names names;
                     for (const auto& object : m.robot.objects()) names.push_back(object.name);
                     return names;
                   })
      .def_prop_ro(
          "active", [](const PyManipulator& m) { return m.named(m.robot.active()); },
          "Freedoms with a motor.")
      .def_prop_ro(
          "passive", [](const PyManipulator& m) { return m.named(m.robot.passive()); },
          "Freedoms without.")
      .def("model", &unified, "q"_a.none(), "v"_a = nb::none(), "tau"_a = nb::none(),
           "forces"_a = nb::none(), nb::keep_alive<0, 1>(), "The unified model at a state.")
      .def("_forward_dynamics", &chain_dynamics, "algorithm"_a, "dense"_a, "q"_a.none(),
           "v"_a.none(), "tau"_a.none(), "forces"_a.none());
}

// --- the unified model --------------------------------------------------------------------------

template <auto member>
Array part(const PyUnified& self) {
  return copy_of((self.model.*member)());
}

void bind_parts(nb::class_<PyUnified>& c) {
  c.def_prop_ro("M_a", &part<&UnifiedModel::M_a>, "Inertia of the active freedoms.")
      .def_prop_ro("M_ap", &part<&UnifiedModel::M_ap>, "(passive, active): between both.")
      .def_prop_ro("M_p", &part<&UnifiedModel::M_p>, "Inertia of the passive freedoms.")
      .def_prop_ro("C_a", &part<&UnifiedModel::C_a>)
      .def_prop_ro("C_p", &part<&UnifiedModel::C_p>)
      .def_prop_ro("T_a", &part<&UnifiedModel::T_a>)
      .def_prop_ro("T_p", &part<&UnifiedModel::T_p>)
      .def_prop_ro("J_a", &part<&UnifiedModel::J_a>, "Tips by active freedoms.")
      .def_prop_ro("J_p", &part<&UnifiedModel::J_p>, "Tips by passive freedoms.")
      .def_prop_ro("J_b", &part<&UnifiedModel::J_b>, "Tips by the base.")
      .def_prop_ro("J_q", &part<&UnifiedModel::J_q>, "Tips by all other freedoms.")
      .def_prop_ro("J_rate_v", &part<&UnifiedModel::J_rate_v>,
                   "Acceleration of the tips while v' = 0.")
      .def_prop_ro("M", &part<&UnifiedModel::M>, "Generalized inertia.")
      .def_prop_ro("C", &part<&UnifiedModel::C>)
      .def_prop_ro("T_hat", &part<&UnifiedModel::T_hat>)
      .def_prop_ro("J", &part<&UnifiedModel::J>, "Generalized Jacobian: the base gives way.")
      .def_prop_ro("J_D", &part<&UnifiedModel::J_D>,
                   "Disturbance Jacobian: passive by active accelerations.")
      .def_prop_ro("coupling", &part<&UnifiedModel::coupling>, "Dynamic coupling factor.");
}

/// All accelerations by Table I, the end forces, rows, rank.
std::tuple<Array, Array, int, int> table_one(PyUnified& self) {
  const Index nv = self.of.owner->nv();
  const Array a = Array::vector(nv), f = Array::vector(self.tips());
  const TableReport report = self.model.compute_forward_dynamics(Vector(a.data(), nv));
  self.model.compute_end_forces(Vector(f.data(), self.tips()));
  return {a, f, report.rows, report.rank};
}

Array tip_acceleration(const PyUnified& self, Numbers a_active, Numbers f_e) {
  const Array out = Array::vector(self.tips());
  self.model.compute_tip_acceleration(vector_from(a_active, "a_active", self.active()),
                                      vector_or_zeros(f_e, "f_e", self.tips()),
                                      Vector(out.data(), self.tips()));
  return out;
}

Array passive_acceleration(const PyUnified& self, Numbers a_active, Numbers f_e) {
  const auto p = static_cast<Index>(self.model.passive().size());
  const Array out = Array::vector(p);
  self.model.compute_passive_acceleration(vector_from(a_active, "a_active", self.active()),
                                          vector_or_zeros(f_e, "f_e", self.tips()),
                                          Vector(out.data(), p));
  return out;
}

Array active_efforts(const PyUnified& self, Numbers a_active, Numbers f_e) {
  const Array out = Array::vector(self.active());
  self.model.compute_inverse_dynamics(vector_from(a_active, "a_active", self.active()),
                                      vector_or_zeros(f_e, "f_e", self.tips()),
                                      Vector(out.data(), self.active()));
  return out;
}

std::pair<Array, double> still_acceleration(PyUnified& self, Numbers wish) {
  const Array out = Array::vector(self.active());
  const double left = self.model.compute_still_acceleration(
      vector_or_zeros(wish, "wish", self.active()), Vector(out.data(), self.active()));
  return {out, left};
}

Array base_velocity(PyUnified& self, Numbers momentum, Numbers v) {
  const Eigen::VectorXd total = vector_from(momentum, "momentum", 6);
  const auto size = static_cast<Index>(self.of.robot.base().freedoms.size());
  const Array out = Array::vector(size);
  const Momentum wanted{to_vector3(Eigen::Vector3d(total.head(3))),
                        to_vector3(Eigen::Vector3d(total.tail(3)))};
  self.model.compute_base_velocity(wanted, vector_from(v, "v", self.of.owner->nv()),
                                   Vector(out.data(), size));
  return out;
}

void bind_unified(nb::module_& module) {
  nb::class_<PyUnified> c(
      module, "UnifiedModel",
      "Arms on a base at a state: M a + C = T_hat − Jᵀ f_e of the active freedoms.");
  bind_parts(c);
  c.def_prop_ro("active", [](const PyUnified& u) { return u.of.named(u.model.active()); })
      .def_prop_ro("passive", [](const PyUnified& u) { return u.of.named(u.model.passive()); })
      .def("_forward_dynamics", &table_one)
      .def(
          "object_acceleration",
          [](const PyUnified& u, int object) {
            const auto count = static_cast<int>(u.of.robot.objects().size());
            if (object < 0 || object >= count)
              throw Error("object: expected 0 to " + std::to_string(count - 1) + "; got " +
                          std::to_string(object));
            return copy_of(u.model.object_acceleration(object));
          },
          "object"_a = 0, "After table_one: true acceleration of a held object, in its own axes.")
      .def(
          "base_acceleration",
          [](const PyUnified& u) { return copy_of(u.model.base_acceleration()); },
          "After table_one: true acceleration of the base, in its own axes.")
      .def("tip_acceleration", &tip_acceleration, "a_active"_a.none(), "f_e"_a = nb::none(),
           "Of all tips, six each.")
      .def("passive_acceleration", &passive_acceleration, "a_active"_a.none(), "f_e"_a = nb::none(),
           "What the passive freedoms do meanwhile.")
      .def("inverse_dynamics", &active_efforts, "a_active"_a.none(), "f_e"_a = nb::none(),
           "Efforts of the motors, on top of what else pushes.")
      .def(
          "weighted_inverse",
          [](const PyUnified& u) {
            const Array out = Array::matrix(u.active(), u.tips());
            u.model.compute_weighted_inverse(Matrix(out.data(), u.active(), u.tips()));
            return out;
          },
          "Active rates of least energy that move the tips.")
      .def_prop_ro(
          "coupling_rank", [](PyUnified& u) { return u.model.coupling_rank(); },
          "Ways in which the arms can push the passive freedoms.")
      .def(
          "reaction_null_space",
          [](PyUnified& u) {
            const Array out = Array::matrix(u.active(), u.active());
            u.model.compute_reaction_null_space(Matrix(out.data(), u.active(), u.active()));
            return out;
          },
          "Projector onto active rates that the base does not feel.")
      .def("still_acceleration", &still_acceleration, "wish"_a = nb::none(),
           "Active accelerations nearest to a wish that leave the base at rest, and the force that "
           "is left on it.")
      .def("base_velocity", &base_velocity, "momentum"_a.none(), "v"_a.none(),
           "Rates of a free base for which the whole has this momentum, [angular; linear].");
}

}  // namespace

void bind_manipulator(nb::module_& module) {
  bind_robot(module);
  bind_unified(module);
}

}  // namespace linkwright::python
