// Linear models against the mechanisms themselves: differences of the accelerations, and motions.
#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "closure/random_mechanism.hpp"
#include "linear/mechanisms.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/simulate/simulation.hpp"

namespace linkwright::testing {
namespace {

using namespace linear;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Model bundled(const std::string& name, Base base = Base::fixed) {
  return read_model(LINKWRIGHT_SOURCE_DIR "/models/" + name, {.base = base});
}

/// Where a mechanism is after a time, from a state, while constant efforts act.
State moved(const System& system, const State& start, const VectorXd& tau, double time) {
  SimulationOptions options{.method = Method::adams,
                            .relative_tolerance = 1e-12,
                            .absolute_tolerance = 1e-13,
                            .watch_error = false,
                            .limits = LimitAction::ignore};
  Simulation run(system, start, options);
  run.set_input(tau);
  run.advance_to(start.t + time);
  return run.state();
}

/// x of a state beside another: entries of the difference of positions and of velocities.
VectorXd deviation(const System& system, const LinearModel& model, const State& from,
                   const State& to) {
  VectorXd way(system.nv());
  compute_difference(system, from.q, to.q, way);
  VectorXd x(static_cast<Index>(model.states.size()));
  for (Index i = 0; i < x.size(); ++i) {
    const std::string& name = model.states[static_cast<std::size_t>(i)];
    const auto& names = system.velocity_names();
    const auto entry = std::find(names.begin(), names.end(), name.substr(2)) - names.begin();
    x[i] = name[0] == 'q' ? way[entry] : to.v[entry] - from.v[entry];
  }
  return x;
}

/// A state beside another, along the closures.
State beside(ClosedWorkspace& work, const State& from, double size, unsigned seed) {
  const System& system = work.system();
  RandomModel random(seed);
  State out = from;
  VectorXd push = random.numbers(system.nv());
  if (work.rows() > 0) project_velocity(work, from.q, {}, push);
  compute_integral(system, from.q, push, size, out.q);
  VectorXd rate = random.numbers(system.nv());
  out.v += size * rate;
  if (work.rows() == 0) return out;
  assemble(work, {.limits = AssemblyOptions::Limits::ignore, .tolerance = 1e-14, .restarts = 0},
           out.q);
  project_velocity(work, out.q, {}, out.v);
  return out;
}

/// The linear model's answer misses the mechanism's by what falls with the square of the amplitude.
void expect_second_order(const Model& description, double time, double amplitude) {
  const System system = compile(description);
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  if (work.rows() > 0)
    assemble(work, {.hold = system.model().initial.hold, .limits = AssemblyOptions::Limits::ignore},
             point.state.q);
  point.state.v.setZero();
  const Equilibrium found = find_equilibrium(work, point);
  ASSERT_TRUE(found.found) << describe(found);
  const LinearModel model = linearize(work, point);
  const LinearModel step = to_discrete(model, time);
  const VectorXd tau = VectorXd::Zero(system.effort_count());
  double error[2];
  for (const int k : {0, 1}) {
    const double size = amplitude / (k + 1);
    const State start = beside(work, point.state, size, 7);
    const VectorXd x = deviation(system, model, point.state, start);
    const VectorXd full = deviation(system, model, point.state, moved(system, start, tau, time));
    error[k] = (step.A.view() * x - full).norm();
    EXPECT_LT(error[k], 0.5 * full.norm());
  }
  const double order = std::log2(error[0] / error[1]);
  EXPECT_NEAR(order, 2, 0.1) << error[0] << ' ' << error[1];
}

TEST(SmallSignal, errors_fall_with_the_square_of_the_amplitude) {
  // A load keeps it aside: hanging straight down it is symmetric, and errors fall with the cube.
  Model aside = double_pendulum(1.2, 0.5, 0.8, 0.9);
  aside.joint_loads = {{"shoulder", 0, 4, {}}};
  expect_second_order(aside, 0.5, 0.02);
  for (const char* name : {"four_bar.yaml", "slider_crank.yaml"})
    expect_second_order(bundled(name), 0.2, 0.002);
}

/// Along the group: the frame of a body that spins and falls, its deviation carried by the spin.
TEST(SmallSignal, deviations_are_carried_by_the_motion) {
  Model model;
  model.bodies = {
      {.name = "top", .mass = 1.5, .com = {0.1, 0, 0.2}, .inertia = {0.1, 0.2, 0.25, 0, 0, 0}}};
  model.joints = {{.name = "free", .type = JointType::free, .parent = "world", .child = "top"}};
  const System system = compile(model);
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  RandomModel random(5);
  point.state = random.state(system);
  const LinearModel linear = linearize(work, point);
  const VectorXd tau = VectorXd::Zero(6);
  // A varies along the motion: over a short time the first order is what counts, ẋ = A x at the start.
  const auto rate = [&](double h) -> VectorXd {
    const State start = beside(work, point.state, 1e-4, 9);
    const VectorXd x = deviation(system, linear, point.state, start);
    const State a = moved(system, point.state, tau, h), b = moved(system, start, tau, h);
    return (deviation(system, linear, a, b) - x) / h - linear.A.view() * x;
  };
  const double far = rate(2e-3).norm(), near = rate(1e-3).norm();
  EXPECT_NEAR(far / near, 2, 0.1);
  EXPECT_LT(near, 1e-4 * 0.1 * (1 + linear.A.view().norm() * linear.A.view().norm()));
}

/// Outputs and inputs against differences, at a state that moves; frames, closures, accelerations.
void expect_signals(const Model& description, const LinearOptions& options, unsigned seed) {
  const System system = compile(description);
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  if (work.rows() > 0)
    assemble(work, {.hold = system.model().initial.hold, .limits = AssemblyOptions::Limits::ignore},
             point.state.q);
  point.state.v.setZero();
  point.state = beside(work, point.state, 0.2, seed);
  RandomModel random(seed);
  for (double& tau : point.tau) tau = random.between(-1, 1);
  for (const int passive : system.passive_freedoms())
    point.tau[static_cast<std::size_t>(passive)] = 0;
  const LinearModel model = linearize(work, point, options);
  // Along a curve beside the point, and with inputs that change: x, u and y by their own definitions.
  const VectorXd du = random.numbers(static_cast<int>(model.inputs.size()));
  const auto outputs = [&](double h, VectorXd& x) {
    State state = beside(work, point.state, h, seed + 1);
    x = deviation(system, model, point.state, state);
    VectorXd tau =
        Eigen::Map<const VectorXd>(point.tau.data(), static_cast<Index>(point.tau.size()));
    std::vector<ExternalForce> forces;
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
      const std::string& name = model.inputs[i];
      const double push = h * du[static_cast<Index>(i)];
      const auto efforts = system.effort_names();
      if (name.starts_with("tau:")) {
        tau[std::find(efforts.begin(), efforts.end(), name.substr(4)) - efforts.begin()] += push;
      } else {
        ExternalForce force{system.frame(name.substr(6, name.rfind(':') - 6)), {}, Axes::world};
        const std::string last = name.substr(name.rfind(':') + 1);
        Vector3& vector = last[0] == 'n' ? force.force.moment : force.force.force;
        (last[1] == 'x' ? vector.x : last[1] == 'y' ? vector.y : vector.z) = push;
        forces.push_back(force);
      }
    }
    VectorXd a(system.nv()), y(static_cast<Index>(model.outputs.size()));
    compute_forward_dynamics(work, state, tau, forces, a);
    std::vector<Force> closures(system.closures().size());
    if (!closures.empty()) closure_forces(work, closures);
    compute_forward_kinematics(work.tree(), state, a);
    for (Index i = 0; i < y.size(); ++i) {
      const std::string& name = model.outputs[static_cast<std::size_t>(i)];
      const std::string kind = name.substr(0, name.find(':'));
      const std::string last = name.substr(name.rfind(':') + 1);
      const std::string thing =
          name.substr(kind.size() + 1, name.size() - kind.size() - last.size() - 2);
      const auto pick = [&](const Vector3& v) {
        return last.back() == 'x' ? v.x : last.back() == 'y' ? v.y : v.z;
      };
      if (kind == "a") {
        const auto& names = system.velocity_names();
        y[i] = a[std::find(names.begin(), names.end(), last) - names.begin()];
      } else if (kind == "frame") {
        y[i] = pick(frame_pose(work.tree(), system.frame(thing)).translation);
      } else if (kind == "velocity") {
        const Motion v = frame_velocity(work.tree(), system.frame(thing), Axes::world);
        y[i] = pick(last[0] == 'w' ? v.angular : v.linear);
      } else if (kind == "acceleration") {
        const Motion v = frame_acceleration(work.tree(), system.frame(thing), Axes::world);
        y[i] = pick(last.size() > 2 ? v.angular : v.linear);
      } else {
        for (std::size_t c = 0; c < closures.size(); ++c)
          if (system.closures()[c].name == thing)
            y[i] = pick(last[0] == 'm' ? closures[c].moment : closures[c].force);
      }
    }
    return y;
  };
  VectorXd x, back;
  const double h = 1e-5;
  const VectorXd up = outputs(h, x), down = outputs(-h, back);
  const VectorXd found = (up - down) / (2 * h);
  const VectorXd told = model.C.view() * ((x - back) / (2 * h)) + model.D.view() * du;
  EXPECT_LT((found - told).norm(), 1e-6 * (1 + told.norm())) << found.transpose() << '\n'
                                                             << told.transpose();
}

TEST(Signals, are_differences) {
  expect_signals(bundled("arm6.urdf"),
                 {.inputs = {"tau", "force:tool"},
                  .outputs = {"frame:tool:x", "frame:tool:y", "frame:tool:z", "velocity:tool",
                              "acceleration:tool", "a"}},
                 4);
  expect_signals(
      bundled("four_bar.yaml"),
      {.inputs = {"tau", "force:coupler:fx", "force:coupler:nz"},
       .outputs = {"velocity:coupler", "acceleration:coupler", "a", "closure:rocker_pin"}},
      5);
  expect_signals(bundled("stewart.yaml"), {.outputs = {"velocity:plate", "acceleration:plate"}}, 6);
}

/// In the coordinates of the hand (3-48 to 3-53): the same eigenvalues and the same motion.
TEST(Transfer, to_the_hand_is_the_same_mechanism) {
  Model description = bundled("arm6.urdf");
  for (Joint& joint : description.joints) joint.friction.clear();  // it would jump on the way
  const System system = compile(description);
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  point.state.q << 0.3, -0.5, 0.9, 0.4, 0.8, -0.2;
  point.state.v << 1, -0.7, 0.5, 0.4, 0.6, 1;
  const LinearModel joints = linearize(work, point, {.outputs = {"frame:tool", "velocity:tool"}});
  const LinearModel hand = linearize(work, point, {.coordinates = {"frame:tool"}});
  EXPECT_EQ(hand.states[0], "frame:tool:x");
  EXPECT_EQ(hand.states[6], "velocity:tool:vx");
  // x̂ = P x, and P moves: Â P = Ṗ + P A, with Ṗ by a difference along the motion.
  const auto P_at = [&](double h) -> MatrixXd {
    OperatingPoint there = point;
    const VectorXd tau = VectorXd::Zero(6);
    there.state = h >= 0 ? moved(system, point.state, tau, std::max(h, 1e-12)) : point.state;
    const LinearModel model = linearize(
        work, there,
        {.outputs = {"frame:tool", "velocity:tool:vx", "velocity:tool:vy", "velocity:tool:vz",
                     "velocity:tool:wx", "velocity:tool:wy", "velocity:tool:wz"}});
    return model.C.view();
  };
  const double h = 2e-5;  // the wrist's dampers are fast
  const MatrixXd P = P_at(0), P1 = P_at(h), P2 = P_at(2 * h), P3 = P_at(3 * h), P4 = P_at(4 * h);
  const MatrixXd rate = (-25 * P + 48 * P1 - 36 * P2 + 16 * P3 - 3 * P4) / (12 * h);
  const MatrixXd left = hand.A.view() * P, right = rate + P * joints.A.view();
  EXPECT_LT((left - right).norm(), 1e-6 * right.norm());
  EXPECT_LT((hand.B.view() - P * joints.B.view()).norm(), 1e-11 * hand.B.view().norm());
  // At rest P stands still, and the eigenvalues are the same.
  point.state.v.setZero();
  ASSERT_TRUE(find_equilibrium(work, point, {.find = EquilibriumOptions::Find::efforts}).found);
  const Analysis a = analyse(linearize(work, point)),
                 b = analyse(linearize(work, point, {.coordinates = {"frame:tool"}}));
  for (std::size_t i = 0; i < a.modes.size(); ++i)
    EXPECT_NEAR(std::abs(a.modes[i].eigenvalue), std::abs(b.modes[i].eigenvalue), 1e-6);
}

TEST(Transfer, of_a_closed_mechanism_to_its_tool) {
  const System system = compile(bundled("five_bar.yaml"));
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  assemble(work, {.hold = {"left_motor", "right_motor"}}, point.state.q);
  point.state.v.setZero();
  ASSERT_TRUE(find_equilibrium(work, point, {.find = EquilibriumOptions::Find::efforts}).found);
  const Analysis joints = analyse(linearize(work, point));
  const LinearModel tool = linearize(work, point, {.coordinates = {"frame:tip:x", "frame:tip:y"}});
  const Analysis moved = analyse(tool);
  ASSERT_EQ(moved.modes.size(), joints.modes.size());
  for (std::size_t i = 0; i < moved.modes.size(); ++i)
    EXPECT_NEAR(moved.modes[i].frequency, joints.modes[i].frequency, 1e-8);
}

TEST(Transfer, where_a_mechanism_branches_there_is_no_model) {
  const System system = compile(four_bar(0.3, 0.5, 0.3, 0.5));  // a parallelogram, folded flat
  ClosedWorkspace work(system);
  try {
    (void)linearize(work, OperatingPoint(system));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("singular"), std::string::npos) << e.what();
  }
}

TEST(Transfer, incomplete_and_dependent_coordinates_are_named) {
  const System system = compile(bundled("arm6.urdf"));
  ClosedWorkspace work(system);
  OperatingPoint point(system);
  const auto refusal = [&](const std::vector<std::string>& coordinates) -> std::string {
    try {
      (void)linearize(work, point, {.coordinates = coordinates});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refusal({"frame:tool:x"}).find("1 coordinate ('frame:tool:x') for a mechanism with 6"),
            std::string::npos)
      << refusal({"frame:tool:x"});
  // Stretched out, the arm is singular for its hand.
  const std::string singular = refusal({"frame:tool"});
  EXPECT_NE(singular.find("'frame:tool:y', 'frame:tool:z', 'frame:tool:rx' depend on each other"),
            std::string::npos)
      << singular;
  EXPECT_NE(singular.find("smallest singular value"), std::string::npos) << singular;
  std::vector<std::string> one{"frame:tool:z"};
  for (const JointPlace& joint : system.joints())
    if (joint.nv > 0 && joint.v > 0) one.push_back(joint.name);
  EXPECT_NE(refusal(one).find("the coordinate 'frame:tool:z' cannot move here"), std::string::npos)
      << refusal(one);
  // All that take part are named, though two combinations are at rest at once.
  const std::vector<std::string> twice{"frame:tool:x", "frame:tool:x",  "frame:tool:y",
                                       "frame:tool:z", "frame:tool:rx", "frame:tool:ry"};
  for (const char* name : {"'frame:tool:x', 'frame:tool:x'", "'frame:tool:z'"})
    EXPECT_NE(refusal(twice).find(name), std::string::npos) << refusal(twice);
  point.state.q.setConstant(0.4);
  EXPECT_NE(refusal(twice).find("'frame:tool:x', 'frame:tool:x' depend on each other here"),
            std::string::npos)
      << refusal(twice);
  const std::string unknown = refusal({"frame:tol:x"});
  EXPECT_NE(unknown.find("did you mean 'tool'"), std::string::npos) << unknown;
}

}  // namespace
}  // namespace linkwright::testing
