// Every formulation of forward dynamics at random states, compared.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/verify/verification.hpp"
#include "results.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

/// name, effort, closures, acceleration and tip differences, bound, nanoseconds (NaN: not timed), sweeps,
/// multiplications, additions (−1: not counted).
using Row =
    std::tuple<std::string, double, double, double, double, double, double, int, long, long>;

/// Rows, what is left out, condition, bound, closest, the first disagreement.
std::tuple<std::vector<Row>, std::vector<std::string>, double, double, double, std::string> run(
    PySystem& self, int states, int seed, const std::optional<std::string>& frame, bool times) {
  using namespace verify;
  const System& system = self.system();
  if (system.nv() == 0) throw Error("verify: nothing in this system moves");
  if (states < 1) throw Error("states: expected at least 1; got " + std::to_string(states));
  const FrameId tip = frame ? system.frame(*frame) : deepest_frame(system);
  if (system.frame(tip).node == 0)
    throw Error("frame: '" + system.frame(tip).name +
                "' does not move, so its acceleration says nothing; expected one that a joint "
                "carries, such as '" +
                system.frame(deepest_frame(system)).name + "'");
  const Loops loops = self.is_cut_open() ? Loops::leave_out : Loops::keep;
  const nb::gil_scoped_release without_lock;
  Verification verification(system, tip, {states, seed, loops});
  verification.compare_all();
  if (times) verification.measure();
  std::vector<Row> rows;
  for (std::size_t i = 0; i < verification.formulations().size(); ++i) {
    const Formulation& f = verification.formulations()[i];
    const LargestDifferences& d = verification.comparison().differences[i];
    const double ns = times ? verification.ns()[i] : std::numeric_limits<double>::quiet_NaN();
    rows.emplace_back(f.name, d.effort, d.closure, d.acceleration, d.tip, d.bound, ns,
                      f.count ? f.count->sweeps : -1,
                      f.count ? f.count->operations.multiplications : -1,
                      f.count ? f.count->operations.additions : -1);
  }
  const Comparison& comparison = verification.comparison();
  return {rows,
          formulations_left_out(system, loops),
          verification.condition(),
          comparison.bound,
          comparison.closest,
          comparison.disagreement ? to_text(*comparison.disagreement) : ""};
}

}  // namespace

void bind_verify(nb::module_& module) {
  module.def("_verify", &run, "system"_a, "states"_a, "seed"_a, "frame"_a.none(), "times"_a);
}

}  // namespace linkwright::python
