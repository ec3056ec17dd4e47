/// Third-order influence coefficients of frames: laws on trees with every joint type.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "coordinates/dual_kinematics.hpp"
#include "linkwright/coordinates/frame_coefficients.hpp"
#include "linkwright/coordinates/frame_motion.hpp"
#include "linkwright/coordinates/transfer.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace coordinates;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// A tree in motion to third order.
struct Tree {
  explicit Tree(const Model& model, unsigned seed = 1)
      : random(seed),
        system(compile(model)),
        work(system, Closures::leave_out),
        state(random.state(system)),
        a(random.numbers(system.nv())),
        jerk(random.numbers(system.nv())) {}
  explicit Tree(unsigned seed) : Tree(any_model(seed), seed) {}

  static Model any_model(unsigned seed) {
    RandomModel random(seed);
    return random.tree(10, static_cast<Base>(random.integer(0, 2)), all_joint_types());
  }
  [[nodiscard]] Index nv() const { return system.nv(); }
  /// What a rounding of a third-order number may be: products of three motions.
  [[nodiscard]] static double size(const Influence& u) {
    return 1 + std::pow(u.G.view().norm(), 3);
  }

  RandomModel random;
  System system;
  Workspace work;
  State state;
  VectorXd a, jerk;
};

constexpr Axes both_axes[]{Axes::world, Axes::own};

TEST(ThirdOrder, is_the_rate_of_the_second_and_that_of_the_first) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Tree tree(seed);
    const FramePlace& place = tree.system.frame(tree.system.frame("tip"));
    for (const Axes axes : both_axes) {
      const Influence tip = compute_frame_influence(tree.work, tree.state.q,
                                                    tree.system.frame("tip"), axes, Order::third);
      for (Index l = 0; l < tree.nv(); ++l) {
        const VectorXd zero = VectorXd::Zero(tree.nv());
        const DualKinematics dual(tree.system, tree.state.q, VectorXd::Unit(tree.nv(), l), zero,
                                  zero);
        const FrameCoefficients<Dual> at(tree.system.tree(), dual.scratch, place.node, place.pose,
                                         axes);
        for (const auto& j : at.path()) {
          const Vector6 G_rate = derivatives_of(at.first(j));
          for (Index p = 0; p < 6; ++p)
            EXPECT_NEAR(tip.H(p, j.v, l), G_rate[p], 1e-13 * Tree::size(tip)) << seed;
          for (const auto& k : at.path()) {
            const Vector6 H_rate = derivatives_of(at.second(j, k));
            for (Index p = 0; p < 6; ++p)
              EXPECT_NEAR(tip.D(p, j.v, k.v, l), H_rate[p], 1e-13 * Tree::size(tip))
                  << "seed " << seed << ": " << tree.system.velocity_names()[j.v] << ", "
                  << tree.system.velocity_names()[k.v] << ", " << tree.system.velocity_names()[l];
          }
        }
      }
    }
  }
}

TEST(ThirdOrder, makes_the_jerk_that_the_products_make_without_arrays) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Tree tree(seed);
    const FrameId frame = tree.system.frame("tip");
    const Vector3 point = tree.random.vector(0.5);
    const VectorXd &v = tree.state.v, &a = tree.a, &jerk = tree.jerk;
    for (const Axes axes : both_axes) {
      const Influence u = compute_frame_influence(tree.work, tree.state.q, frame, axes,
                                                  Order::third),
                      p = compute_point_influence(tree.work, tree.state.q, frame, point, axes,
                                                  Order::third);
      const FrameMotion made = compute_frame_motion(tree.system, tree.state, a, jerk, frame, axes);
      const FrameMotion point_made =
          compute_point_motion(tree.system, tree.state, a, jerk, frame, point, axes);
      const double bound = 1e-13 * Tree::size(u) * (1 + std::pow(v.norm(), 3) + a.squaredNorm());
      VectorXd found(6), quadratic_rate(6);
      EXPECT_LT((u.G.view() * v - to_eigen(made.velocity)).norm(), bound) << seed;
      compute_acceleration(u, v, a, found);
      EXPECT_LT((found - to_eigen(made.acceleration)).norm(), bound) << seed;
      EXPECT_LT((quadratic_form(u.H, v) - to_eigen(made.quadratic)).norm(), bound) << seed;
      compute_jerk(u, v, a, jerk, found);
      EXPECT_LT((found - to_eigen(made.jerk)).norm(), bound) << seed;
      quadratic_rate = bilinear_form(u.H, a, v) + bilinear_form(u.H, v, a) + cubic_form(u.D, v);
      EXPECT_LT((quadratic_rate - to_eigen(made.quadratic_rate)).norm(), bound) << seed;
      VectorXd of_point(3);
      compute_jerk(p, v, a, jerk, of_point);
      EXPECT_LT((of_point - to_eigen(point_made.jerk.linear)).norm(), 4 * bound) << seed;
      const Influence w =
          compute_orientation_influence(tree.work, tree.state.q, frame, axes, Order::third);
      EXPECT_EQ((w.D.flat() - select(u, {"tip:wx", "tip:wy", "tip:wz"}).D.flat()).norm(), 0);
    }
  }
}

/// [e_k, e_j] = Σ c^i e_i within one joint's modes; false where the bracket leaves them (custom joints).
bool bracket_of(const System& system, const JointPlace& joint, int k, int j, VectorXd& c) {
  c = VectorXd::Zero(system.nv());
  const int place = system.tree().nodes[static_cast<std::size_t>(joint.node)].modes;
  if (place < 0) return true;  // one freedom to a node: they commute
  const Modes<double>& modes = system.tree().modes[static_cast<std::size_t>(place)];
  MatrixXd S(6, modes.d);
  for (int i = 0; i < modes.d; ++i) S.col(i) = to_eigen(modes.column[i]);
  const VectorXd target = to_eigen(bracket(modes.column[k], modes.column[j]));
  const VectorXd found = S.colPivHouseholderQr().solve(target);
  if ((S * found - target).norm() > 1e-9) return false;
  c.segment(joint.v, modes.d) = found;
  return true;
}

/// Two freedoms of different joints, or of one whose modes commute, may move in any order; those of balls and
/// free joints may not, and the difference is their bracket.
TEST(ThirdOrder, misses_symmetry_by_the_brackets_of_the_joints_modes) {
  int missed = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Tree tree(seed);
    const Influence u = compute_frame_influence(tree.work, tree.state.q, tree.system.frame("tip"),
                                                Axes::world, Order::third);
    const double bound = 1e-13 * Tree::size(u);
    std::vector<const JointPlace*> of(static_cast<std::size_t>(tree.nv()));
    for (const JointPlace& joint : tree.system.joints())
      for (int i = 0; i < joint.nv; ++i) of[static_cast<std::size_t>(joint.v + i)] = &joint;
    for (Index k = 0; k < tree.nv(); ++k)
      for (Index j = 0; j < tree.nv(); ++j) {
        VectorXd c = VectorXd::Zero(tree.nv());
        const JointPlace* joint = of[static_cast<std::size_t>(k)];
        if (joint == of[static_cast<std::size_t>(j)] &&
            !bracket_of(tree.system, *joint, static_cast<int>(k) - joint->v,
                        static_cast<int>(j) - joint->v, c))
          continue;
        if (c.norm() > 0) ++missed;
        for (Index p = 3; p < 6; ++p)  // the tip is a place: its velocity is a rate
          EXPECT_NEAR(u.H(p, j, k) - u.H(p, k, j), u.G.view().row(p).dot(c), bound) << seed;
        for (Index p = 0; p < 6; ++p)
          for (Index i = 0; i < tree.nv(); ++i)
            EXPECT_NEAR(u.D(p, i, j, k) - u.D(p, i, k, j), u.H.plane(p).row(i).dot(c), bound)
                << seed;
      }
  }
  EXPECT_GT(missed, 100);
}

/// Tables 2-3 to 2-5 as they are printed, with the zero cases of second and third order put right: rotational
/// h_mn = 0 for m ≥ n, d_lmn = 0 for l, m ≥ n.
TEST(ThirdOrder, is_that_of_tables_2_3_to_2_5_for_revolute_and_prismatic_joints) {
  RandomModel random(4);
  Model model;
  std::string parent = "world";
  for (int k = 0; k < 7; ++k) {
    const std::string name = "body" + std::to_string(k);
    model.bodies.push_back(random.body(name));
    model.joints.push_back(random.joint("j" + std::to_string(k),
                                        k % 3 == 2 ? JointType::prismatic : JointType::revolute,
                                        parent, name));
    parent = name;
  }
  Tree tree(model, 4);
  const Index n = tree.nv();
  const FrameId last = tree.system.frame("body6");
  const Influence u =
      compute_frame_influence(tree.work, tree.state.q, last, Axes::world, Order::third);
  compute_forward_kinematics(tree.work, tree.state, tree.a);
  const Eigen::Vector3d P = to_eigen(frame_pose(tree.work, last).translation);
  std::vector<Eigen::Vector3d> s, R;
  for (const JointPlace& joint : tree.system.joints()) {
    const Pose at = frame_pose(tree.work, FrameId{joint.frame});
    const Joint& given = tree.system.model().joints[s.size()];
    s.push_back(to_eigen(at.rotation * given.axis));
    R.push_back(to_eigen(at.translation));
  }
  const auto turns = [](Index i) { return i % 3 != 2; };
  /// s^l × (s^m × …) of those inboard, the last one as it moves the point.
  const auto arm = [&](Index i) -> Eigen::Vector3d {
    return turns(i) ? Eigen::Vector3d(s[i].cross(P - R[i])) : s[i];
  };
  const double bound = 1e-13 * Tree::size(u);
  for (Index m = 0; m < n; ++m)
    for (Index i = 0; i < n; ++i) {
      const Index low = std::min(m, i), high = std::max(m, i);
      const Eigen::Vector3d point =
          turns(low) ? Eigen::Vector3d(s[low].cross(arm(high))) : Eigen::Vector3d::Zero();
      const Eigen::Vector3d turn = m < i && turns(m) && turns(i) ? Eigen::Vector3d(s[m].cross(s[i]))
                                                                 : Eigen::Vector3d::Zero();
      for (Index p = 0; p < 3; ++p) {
        EXPECT_NEAR(u.H(3 + p, i, m), point[p], bound);
        EXPECT_NEAR(u.H(p, i, m), turn[p], bound);
      }
      for (Index l = 0; l < n; ++l) {
        Index order[3]{l, m, i};
        std::sort(order, order + 3);
        Eigen::Vector3d third = Eigen::Vector3d::Zero(), turned = third;
        if (turns(order[0]) && turns(order[1]))
          third = s[order[0]].cross(s[order[1]].cross(arm(order[2])));
        if (m < i && l < i && turns(l) && turns(m) && turns(i))
          turned = l <= m ? s[l].cross(s[m].cross(s[i])) : s[m].cross(s[l].cross(s[i]));
        for (Index p = 0; p < 3; ++p) {
          EXPECT_NEAR(u.D(3 + p, i, m, l), third[p], bound) << l << m << i;
          EXPECT_NEAR(u.D(p, i, m, l), turned[p], bound) << l << m << i;
        }
      }
    }
}

/// Numbers q(t) at a time near 0, along v, a and the jerk.
struct Along {
  Along(const Tree& tree, double t) : state(tree.state), a(tree.a + t * tree.jerk) {
    const VectorXd way = t * tree.state.v + t * t / 2 * tree.a + t * t * t / 6 * tree.jerk;
    compute_integral(tree.system, tree.state.q, way, 1, state.q);
    state.v += t * tree.a + t * t / 2 * tree.jerk;
  }
  State state;
  VectorXd a;
};

class OpenModels : public ::testing::TestWithParam<const char*> {};
TEST_P(OpenModels, jerk_is_the_rate_of_the_acceleration) {
  Tree tree(read_model(LINKWRIGHT_SOURCE_DIR "/models/" + std::string(GetParam())), 7);
  const DualKinematics dual(tree.system, tree.state.q, tree.state.v, tree.a, tree.jerk);
  constexpr double h = 1e-4;
  const Along before(tree, -h), after(tree, h);
  Workspace more(tree.system, Closures::leave_out), less(tree.system, Closures::leave_out);
  compute_forward_kinematics(more, after.state, after.a);
  compute_forward_kinematics(less, before.state, before.a);
  for (std::size_t i = 1; i < tree.system.frames().size(); ++i) {
    const FrameId frame{static_cast<int>(i)};
    const Vector6 jerk = to_eigen(
        compute_frame_motion(tree.system, tree.state, tree.a, tree.jerk, frame, Axes::world).jerk);
    const double size = 1 + jerk.norm();
    EXPECT_LT((jerk - derivatives_of(dual.acceleration(tree.system.frame(frame)))).norm(),
              1e-12 * size)
        << tree.system.frame(frame).name;
    const Vector6 difference = (to_eigen(frame_acceleration(more, frame, Axes::world)) -
                                to_eigen(frame_acceleration(less, frame, Axes::world))) /
                               (2 * h);
    EXPECT_LT((jerk - difference).norm(), 1e-7 * size) << tree.system.frame(frame).name;
  }
}
INSTANTIATE_TEST_SUITE_P(Bundled, OpenModels,
                         ::testing::Values("arm6.urdf", "arm7.urdf", "humanoid.urdf",
                                           "puma560.yaml", "quadruped.urdf", "space_robot.yaml",
                                           "swinging_load.yaml"));

TEST(ThirdOrder, composes_and_inverts) {
  Tree tree(read_model(LINKWRIGHT_SOURCE_DIR "/models/arm6.urdf"), 3);
  tree.state.q << 0.3, -0.5, 0.9, 0.4, 0.8, -0.2;
  const Influence hand = compute_frame_influence(tree.work, tree.state.q, tree.system.frame("tool"),
                                                 Axes::world, Order::third);
  const Transfer there(hand), back(there.initial());
  const double condition = there.condition(), bound = 1e-14 * std::pow(condition, 3);
  EXPECT_LT((back.initial().D.flat() - hand.D.flat()).norm(), bound * hand.D.flat().norm());
  const Influence same = compose(hand, there.initial());
  ASSERT_EQ(same.order(), Order::third);
  EXPECT_LT((same.G.view() - MatrixXd::Identity(6, 6)).norm(), bound);
  EXPECT_LT(same.H.flat().norm(), bound);
  EXPECT_LT(same.D.flat().norm(), bound * there.initial().D.flat().norm());
  // The hand's jerk tells the joints' (3-45).
  VectorXd rate = hand.G.view() * tree.state.v, acceleration(6), jerk(6), found(6);
  compute_acceleration(hand, tree.state.v, tree.a, acceleration);
  compute_jerk(hand, tree.state.v, tree.a, tree.jerk, jerk);
  compute_jerk(there.initial(), rate, acceleration, jerk, found);
  EXPECT_LT((found - tree.jerk).norm(), bound * (1 + jerk.norm()));
  // Any other frame by the hand.
  const Influence elbow = compute_frame_influence(
      tree.work, tree.state.q, tree.system.frame("forearm"), Axes::own, Order::third);
  VectorXd expected(6);
  compute_jerk(elbow, tree.state.v, tree.a, tree.jerk, expected);
  compute_jerk(there.apply(elbow), rate, acceleration, jerk, found);
  EXPECT_LT((found - expected).norm(), bound * (1 + jerk.norm()));
}

TEST(ThirdOrder, is_refused_by_name_where_it_has_no_meaning) {
  Tree tree(2);
  const FrameId tip = tree.system.frame("tip");
  const Influence second = compute_frame_influence(tree.work, tree.state.q, tip, Axes::world);
  EXPECT_EQ(second.order(), Order::second);
  VectorXd out(6);
  EXPECT_TRUE(contains(
      error_of([&] { compute_jerk(second, tree.state.v, tree.a, tree.jerk, out); }), "'tip:wx'"));
  const Influence third =
      compute_frame_influence(tree.work, tree.state.q, tip, Axes::world, Order::third);
  EXPECT_EQ(stack(second, third).order(), Order::second);
  EXPECT_EQ(compose(third, joint_influence(tree.system)).order(), Order::second);
  EXPECT_EQ(compose(third, joint_influence(tree.system, Order::third)).order(), Order::third);
  const VectorXd few = VectorXd::Zero(tree.nv() - 1);
  EXPECT_NE(error_of([&] { compute_jerk(third, few, tree.a, tree.jerk, out); }), "");
  EXPECT_TRUE(contains(error_of([&] {
                         (void)compute_frame_motion(tree.system, tree.state, tree.a, few, tip,
                                                    Axes::world);
                       }),
                       "jerk"));
  VectorXd bad = tree.jerk;
  bad[0] = std::nan("");
  EXPECT_TRUE(contains(error_of([&] {
                         (void)compute_frame_motion(tree.system, tree.state, tree.a, bad, tip,
                                                    Axes::world);
                       }),
                       "jerk"));
  EXPECT_TRUE(contains(
      error_of([&] {
        (void)compute_point_influence(tree.work, tree.state.q, tip, {0, HUGE_VAL, 0}, Axes::own);
      }),
      "inf"));
  EXPECT_NE(error_of([&] {
              (void)compute_frame_motion(tree.system, tree.state, tree.a, tree.jerk, FrameId{999},
                                         Axes::own);
            }),
            "");
  EXPECT_TRUE(contains(error_of([] { Array4(6, 5000); }), "GiB"));
}

}  // namespace
}  // namespace linkwright::testing
