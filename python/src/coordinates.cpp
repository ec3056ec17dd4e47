#include "coordinates.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::python {
namespace {

std::vector<std::string> to_names(nb::handle given, const char* name) {
  std::vector<std::string> names;
  if (!nb::isinstance<nb::str>(given) && nb::try_cast(given, names)) return names;
  throw Error(std::string(name) + ": expected a list of names; got " +
              nb::cast<std::string>(nb::repr(given)));
}

}  // namespace

Chosen Coordinates::resolve(PySystem& self, const Input& q) const {
  Chosen chosen{true, {}, self.system().nv()};
  if (!are_chosen()) return chosen;
  const bool independent =
      nb::isinstance<nb::str>(given) && nb::cast<std::string>(given) == "independent";
  if (nb::isinstance<nb::str>(given) && !independent)
    throw Error("coordinates: expected 'independent' or a list of names; got " +
                in_quotes(nb::cast<std::string>(given)));
  if (!self.is_closed()) {
    if (independent) return chosen;
    throw Error(
        "coordinates: expected none, this system has no loops; all its coordinates are "
        "independent");
  }
  if (q.rows() == 0) return chosen;
  const auto work = self.work();
  const Eigen::VectorXd first = q.vector(0);
  chosen.is_full = false;
  chosen.entries =
      independent
          ? choose_independent(work->closed(), first).entries
          : require_independent(work->closed(), first, to_names(given, "coordinates")).entries;
  return chosen;
}

void require_loops(const PySystem& self, const char* verb) {
  if (!self.is_closed())
    throw Error(std::string(verb) + ": " +
                (self.is_cut_open() ? "this system was compiled with its loops cut open"
                                    : "this system has no loops"));
}

void check_closed(const PySystem& self, Work& work) {
  if (std::isinf(self.closure_tolerance())) return;
  try {
    require_closed(work.closed(), work.state, self.closure_tolerance());
  } catch (const Error& e) {
    throw Error(std::string(e.what()) +
                    ". System.assemble moves positions, System.project_velocity velocities; a "
                    "system compiled with "
                    "closure_tolerance=inf does not ask",
                e.kind());
  }
}

void check_closed(PySystem& self, Input& q, Input& v, Index states) {
  const double tolerance = self.closure_tolerance();
  if (std::isinf(tolerance)) return;
  const nb::gil_scoped_release without_lock;
  const auto work = self.work();
  for (Index s = 0; s < states; ++s) {
    place(work->state, q, v, s);
    if (!work->state.q.allFinite() || !work->state.v.allFinite()) continue;  // has no answer anyway
    try {
      check_closed(self, *work);
    } catch (const Error& error) {
      rethrow_for_state(error, s);
    }
  }
}

Actuation to_actuation(const System& system, const std::vector<std::string>& motors) {
  const std::vector<std::string> known = system.effort_names();
  Actuation actuation;
  for (const std::string& name : motors) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw Error("motors: there is no " + in_quotes(name) + did_you_mean(name, known) +
                  "; they are named in effort_names");
    actuation.entries.push_back(static_cast<int>(found - known.begin()));
  }
  std::sort(actuation.entries.begin(), actuation.entries.end());
  const auto twice = std::adjacent_find(actuation.entries.begin(), actuation.entries.end());
  if (twice != actuation.entries.end())
    throw Error("motors: " + in_quotes(known[static_cast<std::size_t>(*twice)]) +
                " is named twice");
  return actuation;
}

void invert_positive(Matrix m) {
  m = m.llt().solve(Eigen::MatrixXd::Identity(m.rows(), m.cols())).eval();
}

}  // namespace linkwright::python
