/// A flyball governor with stiff arms: where its slider is after 0.1 and 0.5 seconds.

#include "references/governor.hpp"

#include <gtest/gtest.h>

#include "linkwright/simulate/simulation.hpp"

namespace linkwright::testing {
namespace {

TEST(Governor, lifts_its_slider_as_published) {
  const System system = compile(governor());
  const int slide = system.joint("slide").q;
  for (const Method method : {Method::bdf, Method::adams}) {
    Simulation simulation(
        system, governor_start(system),
        {.method = method, .relative_tolerance = 1e-11, .absolute_tolerance = 1e-11});
    simulation.advance_to(0.1);
    EXPECT_NEAR(1 - simulation.state().q[slide], 0.5238364755695757, 1e-9) << to_string(method);
    simulation.advance_to(0.5);
    EXPECT_NEAR(1 - simulation.state().q[slide], 0.7432494247863257, 1e-9) << to_string(method);
  }
}

}  // namespace
}  // namespace linkwright::testing
