// Custom joints whose pose stays in a group: positions, integrals and differences.
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include <gtest/gtest.h>

#include "dynamics/laws.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;
using Modes6 = std::vector<std::array<double, 6>>;

const Modes6 ball{{1, 0, 0, 0, 0.3, -0.2}, {0, 1, 0, -0.3, 0, 0.5}, {0, 0, 1, 0.2, -0.5, 0}};
const Modes6 table{{0, 0, 1, 0.3, -0.1, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0.5, 1, 0}};
const Modes6 thread{{0, 0, 1, 0.3, -0.1, 0.2}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}};
const Modes6 crane{{0, 1, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};
const Modes6 two_turns{ball[0], ball[1]};
const Modes6 skate{{0, 0, 1, 0, 0, 0}, {0, 0, 0, 1, 0, 0}};
const Modes6 rising_skate{{0, 0, 1, 0, 0, 0.2}, {0, 0, 0, 1, 0, 0}};

Model with(const Modes6& modes, RandomModel& random) {
  Model model = random.tree(2, Base::fixed, {JointType::revolute});
  Joint joint = random.joint("custom", JointType::custom, "body1", "end");
  joint.modes = modes;
  model.bodies.push_back(random.body("end"));
  model.joints.push_back(joint);
  model.frames = {{"tip", "end", random.pose(0.2), {}}};
  return model;
}

/// Where the pose of the custom joint stands off its group.
PoseMisfit off(const System& system, const VectorXd& q) {
  const BoundPose& pose = system.tree().bound_poses.at(0);
  const double* x = q.data() + pose.q;
  return misfit(pose.group, normalized(Quaternion{x[0], x[1], x[2], x[3]}), {x[4], x[5], x[6]});
}

Pose pose_at(const VectorXd& q, const JointPlace& joint) {
  const double* x = q.data() + joint.q;
  return {to_matrix(Quaternion{x[0], x[1], x[2], x[3]}), {x[4], x[5], x[6]}};
}

TEST(PoseGroups, random_positions_and_integrals_stay_in_the_group) {
  for (const Modes6& modes : {ball, table, thread, crane, two_turns, skate, rising_skate}) {
    RandomModel random(1);
    const System system = compile(with(modes, random));
    for (int i = 0; i < 50; ++i) {
      State state = random.state(system);
      const PoseMisfit at_random = off(system, state.q);
      EXPECT_LE(at_random.angle, 1e-14);
      EXPECT_LE(at_random.distance, 1e-14);
      for (int step = 0; step < 100; ++step)
        compute_integral(system, state.q, random.numbers(system.nv(), 3), 0.1, state.q);
      EXPECT_LE(off(system, state.q).angle, 1e-13);
      EXPECT_LE(off(system, state.q).distance, 1e-12);
    }
  }
}

/// Uniform enough to reach both signs of every direction that the group has.
TEST(PoseGroups, random_positions_fill_the_group) {
  for (const Modes6& modes : {ball, table, thread, crane}) {
    RandomModel random(1);
    const System system = compile(with(modes, random));
    const int nv = system.joint("custom").nv, v = system.joint("custom").v;
    Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(nv, nv);
    const VectorXd neutral = State(system).q;
    VectorXd difference(system.nv());
    for (int i = 0; i < 200; ++i) {
      compute_difference(system, neutral, random.state(system).q, difference);
      spread += difference.segment(v, nv) * difference.segment(v, nv).transpose() / 200;
    }
    EXPECT_GT(spread.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0.01);
  }
}

TEST(PoseGroups, difference_undoes_integral_and_integral_undoes_difference) {
  for (const Modes6& modes : {ball, table, thread, crane}) {
    RandomModel random(4);
    const System system = compile(with(modes, random));
    for (int i = 0; i < 200; ++i) {
      const State a = random.state(system), b = random.state(system);
      VectorXd way(system.nv()), there(system.nq()), again(system.nv());
      compute_difference(system, a.q, b.q, way);
      compute_integral(system, a.q, way, 1, there);
      // Half a turn from b the quaternion's sign is open.
      const int r = system.joint("custom").quaternion;
      if (there.segment<4>(r).dot(b.q.segment<4>(r)) < 0) there.segment<4>(r) *= -1;
      EXPECT_LE((there - b.q).norm(), 1e-11 * (1 + way.norm()));
      compute_integral(system, a.q, a.v, 1, there);
      compute_difference(system, a.q, there, again);
      EXPECT_LE((again - a.v).norm(), 1e-12 * (1 + a.v.norm()));
    }
  }
}

/// The height on a thread tells how often it turned, where a quaternion cannot.
TEST(PoseGroups, whole_turns_of_a_screw_are_counted) {
  RandomModel random(4);
  const System system = compile(with(thread, random));
  const JointPlace& joint = system.joint("custom");
  const VectorXd start = random.state(system).q;
  VectorXd v = VectorXd::Zero(system.nv()), end(system.nq()), back(system.nv());
  v.segment(joint.v, 3) << 20.3, 0.7, -0.4;
  compute_integral(system, start, v, 1, end);
  compute_difference(system, start, end, back);
  EXPECT_LE((back - v).norm(), 1e-11);
  // Straight above: whole turns alone lead there. Beside that no constant velocity leads.
  end = start;
  v.segment(joint.v, 3) << 4 * std::numbers::pi, 0, 0;
  compute_integral(system, start, v, 1, end);
  end[joint.q + 4] += 0.1;
  try {
    compute_difference(system, start, end, back);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'custom'"), std::string::npos) << error.what();
    EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
  }
}

/// With fewer modes than freedoms: the velocity whose modes come closest.
TEST(PoseGroups, fewer_modes_than_freedoms_give_least_squares) {
  for (const Modes6& modes : {two_turns, skate}) {
    RandomModel random(6);
    const System system = compile(with(modes, random));
    const JointPlace& joint = system.joint("custom");
    const State a = random.state(system), b = random.state(system);
    VectorXd way(system.nv());
    compute_difference(system, a.q, b.q, way);
    const Pose step = inverse(pose_at(a.q, joint)) * pose_at(b.q, joint);
    const Vector3 r = spatial::log_rotation(spatial::to_quaternion(step.rotation));
    Eigen::Matrix<double, 6, 1> rest =
        to_eigen(Motion{r, spatial::solve_exp_coupling(r, step.translation)});
    for (std::size_t i = 0; i < modes.size(); ++i)
      rest -= way[joint.v + static_cast<int>(i)] *
              Eigen::Map<const Eigen::Matrix<double, 6, 1>>(modes[i].data());
    EXPECT_GT(rest.norm(), 1e-3);
    for (const auto& m : modes)
      EXPECT_NEAR(rest.dot(Eigen::Map<const Eigen::Matrix<double, 6, 1>>(m.data())), 0, 1e-13);
  }
}

TEST(PoseGroups, a_position_off_the_group_is_refused_with_its_distance) {
  RandomModel random(2);
  const System system = compile(with(ball, random));
  const int at = system.joint("custom").q;
  Workspace work(system);
  State state = random.state(system);
  VectorXd result(system.nv());
  compute_inverse_dynamics(work, state, state.v, {}, result);
  state.q[at + 5] += 0.25;
  const auto message = [&](auto&& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  for (const std::string& text :
       {message([&] { compute_inverse_dynamics(work, state, state.v, {}, result); }),
        message([&] { compute_integral(system, state.q, state.v, 0.1, state.q); }),
        message([&] { compute_difference(system, state.q, state.q, result); }),
        message([&] { normalize(system, state.q); })}) {
    EXPECT_NE(text.find("'custom'"), std::string::npos) << text;
    EXPECT_NE(text.find("0.25 m"), std::string::npos) << text;
    EXPECT_NE(text.find("turns about the point"), std::string::npos) << text;
  }
}

TEST(PoseGroups, an_initial_position_off_the_group_is_refused_where_the_file_gives_it) {
  RandomModel random(2);
  Model model = with(table, random);
  model.initial.q.push_back({"custom", {1, 0, 0, 0, 0.5, 0.5, 0}, {"cell.yaml", 7}});
  compile(model);
  model.initial.q[0].values[6] = 0.3;
  try {
    compile(model);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("cell.yaml:7"), std::string::npos) << text;
    EXPECT_NE(text.find("0.3 m"), std::string::npos) << text;
  }
}

TEST(PoseGroups, nearly_right_positions_are_moved_onto_the_group) {
  RandomModel random(2);
  for (const Modes6& modes : {ball, table, thread, crane}) {
    const System system = compile(with(modes, random));
    VectorXd q = random.state(system).q;
    for (int i = 0; i < 7; ++i) q[system.joint("custom").q + i] += random.between(-1e-5, 1e-5);
    normalize(system, q);
    EXPECT_LE(off(system, q).angle, 1e-14);
    EXPECT_LE(off(system, q).distance, 1e-14);
  }
}

TEST(PoseGroups, the_laws_hold_on_them) {
  for (const Modes6& modes : {ball, table, thread, crane, two_turns, skate, rising_skate}) {
    RandomModel random(9);
    expect_laws(compile(with(modes, random)), 5);
  }
}

/// Three turns written as modes move as the spherical joint does.
TEST(PoseGroups, turns_about_a_point_are_a_spherical_joint) {
  RandomModel random(11);
  const Model custom = with({{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0}}, random);
  Model spherical = custom;
  spherical.joints.back().type = JointType::spherical;
  spherical.joints.back().modes = {};
  const System a = compile(custom), b = compile(spherical);
  const State state = random.state(a);
  State same(b);
  same.q = state.q.head(b.nq());
  same.v = state.v;
  const VectorXd tau = random.numbers(a.nv());
  VectorXd first(a.nv()), second(a.nv());
  Workspace work_a(a), work_b(b);
  compute_forward_dynamics(work_a, state, tau, {}, first);
  compute_forward_dynamics(work_b, same, tau, {}, second);
  EXPECT_LE((first - second).norm(), 1e-12 * first.norm());
  VectorXd moved(a.nq()), moved_same(b.nq());
  compute_integral(a, state.q, state.v, 0.7, moved);
  compute_integral(b, same.q, same.v, 0.7, moved_same);
  EXPECT_LE((moved.head(b.nq()) - moved_same).norm(), 1e-14);
}

}  // namespace
}  // namespace linkwright::testing
