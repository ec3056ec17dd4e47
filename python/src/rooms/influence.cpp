// Influence coefficients: how parameters move with coordinates, to the third order; and the motion of frames as they
// say it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/coordinates/frame_motion.hpp"
#include "linkwright/coordinates/influence.hpp"
#include "parameters.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using coordinates::Influence;
using coordinates::Order;

Order to_order(int order) {
  if (order == 2) return Order::second;
  if (order == 3) return Order::third;
  throw Error("order: expected 2 (G and H) or 3 (D too); got " + std::to_string(order));
}

// --- where they come from -----------------------------------------------------------------------

Influence joint(const PySystem& self, const std::optional<Names>& names, int order) {
  if (!names) return coordinates::joint_influence(self.system(), to_order(order));
  return coordinates::joint_influence(self.system(), *names, to_order(order));
}

using Shafts = std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>>;
Influence shafts(const PySystem& self, const Shafts& given, int order) {
  std::vector<coordinates::Shaft> all;
  for (const auto& [name, ratios] : given) all.push_back({name, ratios});
  return coordinates::shaft_influence(self.system(), all, to_order(order));
}

/// Positions alone: of a closed system those of the cut tree, wherever they are.
PySystem::Lease tree_at(PySystem& self, Numbers q) {
  auto work = self.work();
  place(self, work->state, q, {nb::none()});
  return work;
}

Influence frame(PySystem& self, Numbers q, std::string_view name, std::string_view axes,
                Numbers point, bool orientation, int order) {
  const FrameId id = to_frame(self.system(), name);
  const auto work = tree_at(self, q);
  const Eigen::VectorXd& at = work->state.q;
  if (!point.is_none() && orientation)
    throw Error("point: an orientation belongs to a frame and to no point of it");
  if (orientation)
    return coordinates::compute_orientation_influence(work->tree(), at, id, to_axes(axes),
                                                      to_order(order));
  if (!point.is_none())
    return coordinates::compute_point_influence(
        work->tree(), at, id, to_vector3(Eigen::Vector3d(vector_from(point, "point", 3))),
        to_axes(axes), to_order(order));
  return coordinates::compute_frame_influence(work->tree(), at, id, to_axes(axes), to_order(order));
}

Influence mechanism(PySystem& self, Numbers q, const Names& independent, int order) {
  const auto work = closed_work_at(self, "mechanism_influence", q, {nb::none()});
  return coordinates::compute_joint_influence(work->closed(), work->state.q, independent,
                                              to_order(order));
}

Influence closures(PySystem& self, Numbers q, int order) {
  const auto work = closed_work_at(self, "closure_influence", q, {nb::none()});
  return coordinates::compute_closure_influence(work->closed(), work->state.q, to_order(order));
}

Influence closing(PySystem& self, Numbers q, int order) {
  const auto work = closed_work_at(self, "closing_influence", q, {nb::none()});
  return coordinates::compute_closing_influence(work->closed(), work->state.q, to_order(order));
}

// --- what they say ------------------------------------------------------------------------------

Array velocity(const Influence& u, Numbers rates) {
  return copy_of((u.G.view() * vector_from(rates, "rates", u.G.cols())).eval());
}

Array acceleration(const Influence& u, Numbers rates, Numbers accelerations) {
  const Index n = u.G.cols();
  const Array out = Array::vector(u.G.rows());
  coordinates::compute_acceleration(u, vector_from(rates, "rates", n),
                                    vector_from(accelerations, "accelerations", n),
                                    Vector(out.data(), u.G.rows()));
  return out;
}

Array jerk(const Influence& u, Numbers rates, Numbers accelerations, Numbers jerks) {
  const Index n = u.G.cols();
  const Array out = Array::vector(u.G.rows());
  coordinates::compute_jerk(u, vector_from(rates, "rates", n),
                            vector_from(accelerations, "accelerations", n),
                            vector_from(jerks, "jerks", n), Vector(out.data(), u.G.rows()));
  return out;
}

Array effective_load(const Influence& u, Numbers load) {
  const Array out = Array::vector(u.G.cols());
  coordinates::compute_effective_load(u, vector_from(load, "load", u.G.rows()),
                                      Vector(out.data(), u.G.cols()));
  return out;
}

coordinates::FrameMotion frame_motion(PySystem& self, Numbers q, Numbers v, Numbers a, Numbers jerk,
                                      std::string_view name, std::string_view axes, Numbers point) {
  const Index nv = self.system().nv();
  const FrameId id = to_frame(self.system(), name);
  State state(self.system());
  place(self, state, q, v);
  const Eigen::VectorXd accelerations = vector_or_zeros(a, "a", nv),
                        jerks = vector_or_zeros(jerk, "jerk", nv);
  if (point.is_none())
    return coordinates::compute_frame_motion(self.system(), state, accelerations, jerks, id,
                                             to_axes(axes));
  return coordinates::compute_point_motion(
      self.system(), state, accelerations, jerks, id,
      to_vector3(Eigen::Vector3d(vector_from(point, "point", 3))), to_axes(axes));
}

void bind_frame_motion(nb::module_& module) {
  using coordinates::FrameMotion;
  nb::class_<FrameMotion>(module, "FrameMotion",
                          "Velocity, acceleration and jerk of a frame or point, [angular; linear].")
      .def_prop_ro("velocity", [](const FrameMotion& m) { return copy_of(m.velocity); })
      .def_prop_ro("acceleration", [](const FrameMotion& m) { return copy_of(m.acceleration); })
      .def_prop_ro("jerk", [](const FrameMotion& m) { return copy_of(m.jerk); })
      .def_prop_ro(
          "quadratic", [](const FrameMotion& m) { return copy_of(m.quadratic); },
          "The acceleration while a = 0.")
      .def_prop_ro(
          "quadratic_rate", [](const FrameMotion& m) { return copy_of(m.quadratic_rate); },
          "How fast that changes.");
  module.def("frame_motion", &frame_motion, "system"_a, "q"_a.none(), "v"_a.none(),
             "a"_a = nb::none(), "jerk"_a = nb::none(), nb::kw_only(), "frame"_a,
             "axes"_a = "world", "point"_a = nb::none(),
             "Velocity, acceleration and jerk of a frame, or of a point fixed in it, for those of "
             "the joints.\n\n>>> frame_motion(arm, q, v, a, jerk, frame=\"tool\").jerk[3:]");
}

}  // namespace

Names names_of(const coordinates::Parameters& parameters) {
  Names names;
  for (const coordinates::Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

void bind_influence(nb::module_& module) {
  nb::class_<Influence>(
      module, "Influence",
      "How parameters u move with coordinates: u' = G x', u'' = G x'' + x'ᵀ H x', and D for jerks.")
      .def_prop_ro(
          "of", [](const Influence& u) { return names_of(u.of); }, "Names of the parameters.")
      .def_prop_ro(
          "by", [](const Influence& u) { return names_of(u.by); }, "Names of the coordinates.")
      .def_prop_ro(
          "G", [](const Influence& u) { return copy_of(u.G); }, "(of, by): first order.")
      .def_prop_ro(
          "H", [](const Influence& u) { return copy_of(u.H); },
          "(of, by, by): H[p, j, k] is the rate of G[p, j] while coordinate k alone moves.")
      .def_prop_ro(
          "D",
          [](const Influence& u) {
            if (u.order() != Order::third)
              throw Error("D: this influence was computed to the second order; ask for order=3");
            return copy_of(u.D);
          },
          "(of, by, by, by): D[p, j, k, l] is the rate of H[p, j, k] while coordinate l alone "
          "moves.")
      .def_prop_ro("order", [](const Influence& u) { return static_cast<int>(u.order()); })
      .def("velocity", &velocity, "rates"_a.none(), "G x'")
      .def("acceleration", &acceleration, "rates"_a.none(), "accelerations"_a.none(),
           "G x'' + x'ᵀ H x'")
      .def("jerk", &jerk, "rates"_a.none(), "accelerations"_a.none(), "jerks"_a.none(),
           "To the third order; asks for D.")
      .def("effective_load", &effective_load, "load"_a.none(),
           "What loads at the parameters do at the coordinates: Gᵀ load.")
      .def("select", &coordinates::select, "names"_a, "Some of the parameters, in this order.")
      .def("stack", &coordinates::stack, "other"_a,
           "These parameters and those of another, by the same coordinates.")
      .def("__matmul__", &coordinates::compose, "other"_a,
           "u by x from u by y and y by x: the chain rule, to the lesser of their orders.",
           nb::is_operator())
      .def("__repr__", [](const Influence& u) {
        return "Influence of " + listed(names_of(u.of)) + " by " + listed(names_of(u.by)) +
               " to order " + std::to_string(static_cast<int>(u.order()));
      });
  const auto order = "order"_a = 2;
  module
      .def("joint_influence", &joint, "system"_a, "names"_a = nb::none(), nb::kw_only(), order,
           "Entries of v by all of them: those of these joints, or all.\n\n"
           ">>> joint_influence(five_bar, [\"left_motor\", \"right_motor\"])")
      .def("_shaft_influence", &shafts, "system"_a, "shafts"_a, "order"_a)
      .def("frame_influence", &frame, "system"_a, "q"_a.none(), "frame"_a, "axes"_a = "world",
           nb::kw_only(), "point"_a = nb::none(), "orientation"_a = false, order,
           "[ω; v] of a frame by the entries of v; orientation: ω alone; point: the velocity of a "
           "point fixed in it.\n\n>>> frame_influence(arm, q, \"tool\", order=3).jerk(v, a, jerk)")
      .def("mechanism_influence", &mechanism, "system"_a, "q"_a.none(), "independent"_a = Names{},
           nb::kw_only(), order,
           "All entries of v of a closed system by independent ones: these, or the best "
           "conditioned.\n\n>>> tip = frame_influence(five_bar, q, \"tip\") @ "
           "mechanism_influence(five_bar, q)")
      .def("closure_influence", &closures, "system"_a, "q"_a.none(), nb::kw_only(), order,
           "The rows of all closures by the entries of v: what stays at rest.\n\n"
           ">>> closure_influence(five_bar, q).velocity(v)      # zeros")
      .def("closing_influence", &closing, "system"_a, "q"_a.none(), nb::kw_only(), order,
           "The joints that close loops by the entries of v.\n\n"
           ">>> closing_influence(four_bar, q).of               # closing_names");
  bind_frame_motion(module);
}

}  // namespace linkwright::python
