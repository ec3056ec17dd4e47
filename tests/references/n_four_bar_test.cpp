/// Two four-bars side by side swing all the way round (IFToMM library of benchmark problems, A02). Every
/// time they lie flat their closures lose rank; exact positions are published for 4 and 10 seconds.

#include <gtest/gtest.h>

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/simulate/simulation.hpp"
#include "references/n_four_bar.hpp"

namespace linkwright::testing {
namespace {

struct Passing {
  SimulationOptions options;
  double bound;
};

TEST(NFourBar, passes_singular_positions_and_arrives_as_published) {
  const System system = compile(n_four_bar(2));
  Workspace work(system, Closures::leave_out);
  const auto B0 = [&](const State& state) {
    compute_forward_kinematics(work, state, Eigen::VectorXd::Zero(system.nv()));
    return frame_pose(work, system.frame("rod0")) * Vector3{0, 1, 0};
  };
  // A fixed step converges with its fourth power, through all of them.
  for (const Passing& run : {Passing{{.step = 1e-2, .measure_drift = true}, 1e-6},
                             Passing{{.step = 5e-3, .measure_drift = true}, 1e-6 / 16},
                             Passing{{.step = 1e-3, .measure_drift = true}, 1e-9},
                             Passing{{.method = Method::adams, .measure_drift = true}, 1e-6},
                             Passing{{.method = Method::adams,
                             .relative_tolerance = 1e-10,
                             .watch_error = false,
                             .measure_drift = true},
                                     1e-7},
                             Passing{{.method = Method::bdf, .measure_drift = true}, 1e-6}}) {
    SCOPED_TRACE(std::string(to_string(run.options.method)) + " " +
                 std::to_string(run.options.step));
    Simulation simulation(system, n_four_bar_start(system), run.options);
    simulation.advance_to(4);
    EXPECT_LE(norm(B0(simulation.state()) - Vector3{0.11761610237680861, 0.99305913845132510, 0}),
              run.bound);
    simulation.advance_to(10);
    EXPECT_LE(norm(B0(simulation.state()) - Vector3{0.32845811154081538, 0.94451853817860096, 0}),
              run.bound);
    EXPECT_LE(simulation.statistics().conservation->energy.relative(), 0.1 * run.bound);
    EXPECT_LE(simulation.statistics().closure_error, 1e-11);
    // It lies flat ten times, and says so each time.
    int flat = 0;
    for (const Occurrence& occurrence : simulation.occurrences())
      flat += occurrence.name.starts_with("singular position: closure 'pin") ? 1 : 0;
    EXPECT_EQ(flat, 10);
  }
}

}  // namespace
}  // namespace linkwright::testing
