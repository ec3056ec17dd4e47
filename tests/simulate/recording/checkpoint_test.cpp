// Runs repeat to the last bit; a saved run goes on as if nothing had happened.
#include <gtest/gtest.h>

#include "simulate/mechanisms.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

class Checkpoints : public ::testing::TestWithParam<Method> {
 protected:
  Checkpoints() : random(5), system(compile(model())), start(system) {
    start = random.state(system);
    start.v *= 0.3;
  }
  Model model() {
    Model m = random.tree(6, Base::free, all_joint_types());
    for (Joint& joint : m.joints)
      if (joint.type == JointType::revolute) joint.limits = {{.lower = -4, .upper = 4}};
    leave_out_rotors_of_poses(m);
    return m;
  }
  Simulation make() {
    Simulation simulation(system, start,
                          {.method = GetParam(),
                           .step = 0.002,
                           .relative_tolerance = 1e-6,
                           .absolute_tolerance = 1e-6});
    simulation.set_reference(
        {.period = 0.03, .compute = [](double t, Reference& r) { r.v.setConstant(std::sin(t)); }});
    simulation.add_controller({.name = "damp",
                               .period = 0.013,
                               .compute = [](const State& s, const Reference& r,
                                             Eigen::VectorXd& tau) { tau = 0.5 * (r.v - s.v); }});
    simulation.add_event({.name = "half",
                          .function = [](const State& s) { return s.t - 0.0555; },
                          .action = [](FullState& now) { now.state.v *= 0.9; }});
    return simulation;
  }
  RandomModel random;
  System system;
  State start;
};

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_TRUE((a.q.array() == b.q.array()).all());
  EXPECT_TRUE((a.v.array() == b.v.array()).all());
}

TEST_P(Checkpoints, two_runs_are_the_same_to_the_last_bit) {
  Simulation a = make(), b = make();
  a.advance_to(0.2);
  b.advance_to(0.2);
  expect_same(a.state(), b.state());
}

TEST_P(Checkpoints, a_restored_run_goes_on_with_the_same_bits) {
  Simulation whole = make();
  whole.advance_to(0.1);
  const std::string text = to_text(whole.save());
  whole.advance_to(0.2);

  Simulation second = make();
  second.restore(to_checkpoint(text));
  EXPECT_EQ(second.time(), 0.1);
  second.advance_to(0.2);
  expect_same(whole.state(), second.state());
  EXPECT_EQ(whole.statistics().steps, second.statistics().steps);
  ASSERT_EQ(second.occurrences().size(), whole.occurrences().size());
  EXPECT_EQ(second.occurrences()[0].time, whole.occurrences()[0].time);
}

TEST_P(Checkpoints, saving_does_not_disturb_a_method_with_fixed_steps) {
  if (!has_fixed_step(GetParam())) GTEST_SKIP() << "adams and bdf forget their past, as documented";
  Simulation plain = make(), saved = make();
  plain.advance_to(0.2);
  saved.advance_to(0.1);
  (void)saved.save();
  saved.advance_to(0.2);
  // advance_to(0.1) ends a step there in both cases: 0.1 is a multiple of the step.
  expect_same(plain.state(), saved.state());
}

INSTANTIATE_TEST_SUITE_P(Methods, Checkpoints,
                         ::testing::Values(Method::rk4, Method::semi_implicit, Method::symplectic,
                                           Method::adams, Method::bdf, Method::ida),
                         [](const auto& tested) {
                           std::string name(to_string(tested.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Checkpoint, may_be_continued_with_another_step_and_beyond_a_limit) {
  Model model = slider();
  model.joints[0].limits = {{.lower = -1, .upper = 1}};
  const System system = compile(model);
  Simulation first(system, State(system), {.step = 1e-4, .limits = LimitAction::report});
  first.advance_to(1);  // far below the limit by now
  const Checkpoint saved = first.save();
  Simulation second(system, saved, {.step = 1e-3, .limits = LimitAction::report});
  second.advance_to(2);
  EXPECT_NEAR(second.state().q[0], -0.5 * 9.81 * 4, 1e-9);
  EXPECT_EQ(second.statistics().steps, first.statistics().steps + 1000);
}

TEST(Checkpoint, after_a_new_state_goes_on_with_the_same_bits) {
  const System system = compile(point_pendulum());
  Simulation first(system, State(system), {.method = Method::adams});
  first.advance_to(0.5);
  State other(system);
  other.q[0] = 0.3;
  first.set_state({other, {}});
  const Checkpoint saved = first.save();
  first.advance_to(1);
  Simulation second(system, saved, {.method = Method::adams});
  second.advance_to(1);
  expect_same(first.state(), second.state());
}

TEST(Checkpoint, binds_the_model_and_names_what_has_changed) {
  const Model model = point_pendulum();
  const System system = compile(model);
  Simulation first(system, State(system), {});
  first.advance_to(0.1);
  const Checkpoint saved = to_checkpoint(to_text(first.save()));
  const auto message_of = [&](auto change) {
    Model other = model;
    change(other);
    const System changed = compile(other);
    return error_of([&] { Simulation(changed, saved, {}); });
  };
  EXPECT_EQ(message_of([](Model&) {}), "");
  EXPECT_EQ(message_of([](Model& m) { m.name = "another"; }), "");
  EXPECT_TRUE(contains(message_of([](Model& m) { m.bodies[0].mass *= 1.001; }),
                       "the model has changed since: body 'rod'"));
  EXPECT_TRUE(contains(message_of([](Model& m) { m.joints[0].damping = {1e-3}; }),
                       "the model has changed since: joint 'hinge'"));
  EXPECT_TRUE(contains(message_of([](Model& m) { m.gravity.z = -9.8; }),
                       "the model has changed since: gravity"));
}

TEST(CheckpointFiles, are_written_whole_or_not_at_all_and_refused_when_foreign) {
  const System system = compile(slider()), other = compile(point_pendulum());
  Simulation simulation(system, State(system));
  simulation.advance_to(0.5);
  const Checkpoint saved = simulation.save();
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "half.json").string();
  write_checkpoint(saved, path);
  expect_same(read_checkpoint(path).now.state, simulation.state());
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "nothing else is left";

  Simulation foreign(other, State(other));
  EXPECT_TRUE(contains(error_of([&] { foreign.restore(saved); }),
                       "its coordinate 1 is 'q:rail', here it is 'q:hinge'"));
  Simulation method(system, State(system), {.method = Method::adams});
  EXPECT_TRUE(contains(error_of([&] { method.restore(saved); }), "made with the method 'rk4'"));
  Simulation busier(system, State(system));
  busier.add_controller({.compute = [](const State&, const Reference&, Eigen::VectorXd&) {}});
  EXPECT_TRUE(contains(error_of([&] { busier.restore(saved); }), "other controllers"));

  EXPECT_TRUE(contains(error_of([&] { write_checkpoint(saved, "/nowhere/at/all.json"); }),
                       "/nowhere/at/all.json: cannot write"));
  EXPECT_TRUE(contains(error_of([&] { write_checkpoint(saved, folder.path().string()); }),
                       "it is a folder"));
  EXPECT_TRUE(contains(error_of([] { read_checkpoint("/nowhere.json"); }),
                       "/nowhere.json: there is no such file"));
  const std::string text = to_text(saved);
  for (std::size_t cut = 0; cut < text.size() - 2; cut += 7)
    EXPECT_TRUE(contains(error_of([&] { to_checkpoint(text.substr(0, cut), "cut.json"); }),
                         "cut.json: not a checkpoint"))
        << cut;
}

}  // namespace
}  // namespace linkwright::testing
