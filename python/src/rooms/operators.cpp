// Spatial operators at a configuration: what is compiled of them, and what the factors of the mass matrix do. How
// expressions are put together is linkwright/operators.py.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "linkwright/operators/factorization.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "linkwright/operators/operational_space.hpp"
#include "linkwright/operators/sparsity.hpp"
#include "results.hpp"
#include "rooms/operator_entries.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using operators::Kind;
using operators::OperationalSpace;
using operators::Operators;
using operators::Space;

/// Operators and the system that they speak of.
struct PyOperators {
  PyOperators(PySystem& of, const Names& frames)
      : owner(of.shared()),
        kept(of.is_closed() ? std::make_unique<Operators>(*owner)
                            : std::make_unique<Operators>(*owner, Closures::leave_out)),
        at(*kept) {
    if (!frames.empty()) at.set_tips(frames);
  }
  std::shared_ptr<const System> owner;
  std::unique_ptr<Operators> kept;
  Operators& at;
};

/// "causal", "strictly causal", …
constexpr std::string_view kind_names[] = {
    "memoryless", "causal", "strictly causal", "anticausal", "strictly anticausal", "general"};
std::string to_text(Kind kind) { return std::string(kind_names[static_cast<int>(kind)]); }
Kind to_kind(std::string_view text) {
  const auto found = std::find(std::begin(kind_names), std::end(kind_names), text);
  return static_cast<Kind>(found - std::begin(kind_names));
}
Space to_space(int number) { return static_cast<Space>(number); }

const OperatorEntry& entry_at(std::size_t number) { return operator_entries().at(number); }

// --- moving -------------------------------------------------------------------------------------

void update(PyOperators& self, PySystem& system, Numbers q) {
  const auto work = work_at(system, q, {nb::none()});
  self.at.update(work->state.q);
}

void update_state(PyOperators& self, PySystem& system, Numbers q, Numbers v, Numbers tau,
                  const Forces& forces) {
  const auto work = work_at(system, q, v);
  const Input given(tau, "tau", system.system().nv(), Input::Many::refused, system.effort_count());
  self.at.update(work->state, given.vector(), forces.on(system.system()));
}

void choose_joints(PyOperators& self, PySystem& system, Numbers q, const Names& names) {
  const auto work = work_at(system, q, {nb::none()});
  if (names.empty())
    self.at.choose_independent(work->state.q);
  else
    self.at.require_independent(work->state.q, names);
}

Names independent(const PyOperators& self) {
  const Names all = self.owner->velocity_names();
  Names names;
  for (const int entry : self.at.independent())
    names.push_back(all[static_cast<std::size_t>(entry)]);
  return names;
}

Names tips(const PyOperators& self) {
  Names names;
  for (const FrameId frame : self.at.tips()) names.push_back(self.owner->frame(frame).name);
  return names;
}

// --- applying -----------------------------------------------------------------------------------

/// (K, n) to (K, m): the entry at each row.
Array apply_rows(PyOperators& self, std::size_t entry, Numbers given) {
  const OperatorEntry& x = entry_at(entry);
  if (x.range == Space::tip_motion || x.domain == Space::tip_force) check_tips(self.at);
  const Index m = self.at.size(x.range);
  const Input rows(given, "the vector that an expression is applied to", self.at.size(x.domain));
  const Array out = rows.is_many() ? Array::create({rows.rows(), m}) : Array::vector(m);
  for (Index k = 0; k < rows.rows(); ++k)
    x.apply(self.at, rows.vector(k), Vector(out.data() + k * m, m));
  return out;
}

Array dense(const PyOperators& self, std::size_t entry) {
  return copy_of(entry_at(entry).dense(self.at));
}

/// The paper's given quantities at the last state.
Array given_vector(const PyOperators& self, std::string_view name) {
  const auto take = [&self]<Space s>(const operators::Stacked<s, double>& x) {
    return copy_of(Eigen::Map<const Eigen::VectorXd>(x.data, self.at.size(s)));
  };
  if (name == "a") return take(self.at.a());
  if (name == "b") return take(self.at.b());
  if (name == "T") return take(self.at.T());
  if (name == "g") return take(self.at.g());
  return take(self.at.a_0());
}

// --- explaining ---------------------------------------------------------------------------------

using Note = operators::SweepNote;

std::vector<Note> notes_of(const PyOperators& self, std::size_t entry) {
  return entry_at(entry).sweeps(self.at);
}
/// Two vectors of n numbers added, or one whose sign is changed.
Note elementwise(const std::string& what, long additions) {
  Note note{operators::Direction::any, what, {}};
  note.operations.additions = additions;
  return note;
}

operators::Algorithm to_algorithm(std::string_view name) {
  Names known;
  for (const operators::Algorithm algorithm : operators::all_algorithms) {
    if (name == operators::name(algorithm)) return algorithm;
    known.emplace_back(operators::name(algorithm));
  }
  refuse_word("algorithm", name, known);
}

/// Accelerations of joints, links and tips; the last two of FD2 only.
std::tuple<Array, Array, Array> forward_dynamics(PyOperators& self, PySystem& system,
                                                 std::string_view algorithm, Numbers q, Numbers v,
                                                 Numbers tau, const Forces& forces) {
  const auto work = work_at(system, q, v);
  const Input given(tau, "tau", system.system().nv(), Input::Many::refused, system.effort_count());
  const operators::OperatorDynamics found = operators::forward_dynamics(
      to_algorithm(algorithm), self.at, work->state, given.vector(), forces.on(system.system()));
  return {copy_of(found.a), copy_of(found.link), copy_of(found.tip)};
}

std::string draw(const PyOperators& self,
                 const std::vector<std::tuple<std::string, nb::object, int, int>>& panels) {
  std::vector<operators::SparsityPanel> all;
  for (const auto& [title, matrix, range, domain] : panels) {
    const Index rows = self.at.size(to_space(range)), columns = self.at.size(to_space(domain));
    all.push_back(operators::sparsity_panel(title, matrix_from({matrix}, "matrix", rows, columns),
                                            operators::block_sizes(self.at, to_space(range)),
                                            operators::block_sizes(self.at, to_space(domain))));
  }
  return operators::draw_sparsity(all);
}

// --- the factors as a tool ----------------------------------------------------------------------

operators::Covariance to_covariance(std::string_view name) {
  using operators::Covariance;
  return choose<Covariance>(
      "covariance", name, {{"mass", Covariance::mass}, {"inverse_mass", Covariance::inverse_mass}});
}

/// Rows (K, n) or one vector through a verb of operators.
template <class Verb>
Array by_rows(PyOperators& self, Numbers given, const char* name, Index from, Index to,
              const Verb& verb) {
  const Input rows(given, name, from);
  const Array out = rows.is_many() ? Array::create({rows.rows(), to}) : Array::vector(to);
  for (Index k = 0; k < rows.rows(); ++k)
    verb(self.at, rows.vector(k), Vector(out.data() + k * to, to));
  return out;
}

Array solve(PyOperators& self, Numbers x) {
  const Index n = self.at.size(Space::joint_rate);
  return by_rows(self, x, "x", n, n, [](Operators& at, const auto& from, Vector to) {
    operators::compute_solve(at, from, to);
  });
}

Array root(PyOperators& self, std::string_view covariance, Numbers w) {
  const Index n = self.at.size(Space::joint_rate);
  const operators::Covariance chosen = to_covariance(covariance);
  return by_rows(self, w, "w", n, n, [chosen](Operators& at, const auto& from, Vector to) {
    operators::apply_root(at, chosen, from, to);
  });
}

void bind_maps(nb::class_<PyOperators>& c) {
  c.def(
       "rates",
       [](PyOperators& self, Numbers x) {
         return by_rows(
             self, x, "x", self.at.size(Space::joint_rate), self.owner->nv(),
             [](Operators& at, const auto& from, Vector to) { at.compute_rates(from, to); });
       },
       "x"_a.none(), "All nv rates from those of the independent joints.")
      .def(
          "accelerations",
          [](PyOperators& self, Numbers x) {
            return by_rows(self, x, "x", self.at.size(Space::joint_rate), self.owner->nv(),
                           [](Operators& at, const auto& from, Vector to) {
                             at.compute_accelerations(from, to);
                           });
          },
          "x"_a.none(), "All nv accelerations from those of the independent joints, at a state.")
      .def(
          "efforts",
          [](PyOperators& self, Numbers tau) {
            return by_rows(
                self, tau, "tau", self.owner->nv(), self.at.size(Space::joint_effort),
                [](Operators& at, const auto& from, Vector to) { at.compute_efforts(from, to); });
          },
          "tau"_a.none(), "What nv efforts are at the independent joints.");
}

// --- operational space --------------------------------------------------------------------------

operators::Singular to_singular(bool pseudo_inverse) {
  return pseudo_inverse ? operators::Singular::pseudo_inverse : operators::Singular::refuse;
}

void bind_operational_space(nb::module_& module) {
  nb::class_<OperationalSpace>(module, "OperationalSpace",
                               "What a mechanism feels like at the frames of its operators.")
      .def_prop_ro("size", &OperationalSpace::size, "Six per frame.")
      .def_prop_ro("rank", &OperationalSpace::rank, "Directions in which the frames can be moved.")
      .def("update", &OperationalSpace::update,
           "Moves to the configuration that the operators have now.")
      .def(
          "inverse_inertia", [](const OperationalSpace& s) { return copy_of(s.inverse_inertia()); },
          "J M⁻¹ Jᵀ of all frames, cross terms included.")
      .def(
          "inertia",
          [](OperationalSpace& s, bool pseudo_inverse) {
            return copy_of(s.inertia(to_singular(pseudo_inverse)));
          },
          nb::kw_only(), "pseudo_inverse"_a = false,
          "Lambda: the force at the frames per unit of their acceleration. pseudo_inverse: "
          "directions that cannot "
          "move get no inertia, where otherwise an error tells the rank.")
      .def(
          "consistent_inverse",
          [](OperationalSpace& s, bool pseudo_inverse) {
            return copy_of(s.consistent_inverse(to_singular(pseudo_inverse)));
          },
          nb::kw_only(), "pseudo_inverse"_a = false,
          "M⁻¹ Jᵀ Lambda: joint rates of least kinetic energy per unit of the frames' motion.")
      .def(
          "null_space",
          [](OperationalSpace& s, bool pseudo_inverse) {
            return copy_of(s.null_space(to_singular(pseudo_inverse)));
          },
          nb::kw_only(), "pseudo_inverse"_a = false, "I − Jᵀ J̄ᵀ: of efforts what moves no frame.");
}

void bind_entries(nb::module_& module) {
  nb::class_<Note>(module, "SweepNote", "One pass over the tree.")
      .def_prop_ro("what", [](const Note& n) { return n.what; })
      .def_prop_ro("multiplications", [](const Note& n) { return n.operations.multiplications; })
      .def_prop_ro("additions", [](const Note& n) { return n.operations.additions; })
      .def_prop_ro("divisions", [](const Note& n) { return n.operations.divisions; })
      .def_prop_ro("direction", [](const Note& n) {
        return n.direction == operators::Direction::inward    ? "tip → base"
               : n.direction == operators::Direction::outward ? "base → tip"
                                                              : "node by node";
      });
  module.def("_elementwise", &elementwise, "what"_a, "additions"_a)
      .def("_space_name", [](int space) { return std::string(operators::name(to_space(space))); })
      .def("_dual", [](int space) { return static_cast<int>(operators::dual(to_space(space))); })
      .def("_product_kind",
           [](std::string_view a, std::string_view b) {
             return to_text(operators::product_kind(to_kind(a), to_kind(b)));
           })
      .def("_sum_kind",
           [](std::string_view a, std::string_view b) {
             return to_text(operators::sum_kind(to_kind(a), to_kind(b)));
           })
      .def("_operator_entries", [] {
        std::vector<std::tuple<std::string, std::string, int, int, std::string>> all;
        for (const OperatorEntry& x : operator_entries())
          all.emplace_back(x.name, x.text, static_cast<int>(x.range), static_cast<int>(x.domain),
                           to_text(x.kind));
        return all;
      });
}

}  // namespace

void bind_operators(nb::module_& module) {
  bind_entries(module);
  bind_operational_space(module);
  nb::class_<PyOperators> c(module, "Operators", "The compiled part of linkwright.operators.");
  bind_maps(c);
  c.def(nb::init<PySystem&, const Names&>(), "system"_a, "frames"_a)
      .def("_update", &update, "system"_a, "q"_a.none())
      .def("_update_state", &update_state, "system"_a, "q"_a.none(), "v"_a.none(), "tau"_a.none(),
           "forces"_a.none())
      .def("_choose", &choose_joints, "system"_a, "q"_a.none(), "names"_a)
      .def("_apply", &apply_rows)
      .def("_dense", &dense)
      .def("_vector", &given_vector)
      .def("_notes", &notes_of)
      .def("_draw", &draw)
      .def("_forward_dynamics", &forward_dynamics, "system"_a, "algorithm"_a, "q"_a.none(),
           "v"_a.none(), "tau"_a.none(), "forces"_a.none())
      .def("_explain_algorithm",
           [](const PyOperators& self, std::string_view algorithm) {
             return operators::explain(to_algorithm(algorithm), self.at);
           })
      .def(
          "_operational_space",
          [](PyOperators& self, double cutoff) {
            auto space = std::make_unique<OperationalSpace>(self.at, cutoff);
            space->update();
            return space;
          },
          nb::keep_alive<0, 1>())
      .def("_root", &root)
      .def("_size", [](const PyOperators& self, int s) { return self.at.size(to_space(s)); })
      .def("solve", &solve, "x"_a.none(), "The inverse of the mass matrix times x, in O(N).")
      .def(
          "log_det", [](const PyOperators& self) { return compute_log_determinant(self.at); },
          "log det of the mass matrix, in O(N).")
      .def_prop_ro("frames", &tips, "The frames that B speaks for.")
      .def_prop_ro("independent", &independent, "What joint vectors hold, by name.")
      .def_prop_ro("is_closed", [](const PyOperators& self) { return self.at.is_closed(); })
      .def_prop_ro(
          "has_rotors", [](const PyOperators& self) { return self.at.has_rotors(); },
          "Whether a joint has a rotor inertia: then the mass matrix is H φ M φᵀ Hᵀ + R.")
      .def_prop_ro(
          "conditioning", [](const PyOperators& self) { return self.at.conditioning(); },
          "How well the independent joints determine the others, 1 at best.");
}

}  // namespace linkwright::python
