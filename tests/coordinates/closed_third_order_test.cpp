/// Third order of closed mechanisms: rows of every kind of closure, joints by independent ones, tools.

#include <gtest/gtest.h>

#include "closure/random_mechanism.hpp"
#include "coordinates/dual_kinematics.hpp"
#include "coordinates/moving.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/loop_path.hpp"
#include "linkwright/coordinates/frame_motion.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// [H] of a closure's rows on dual numbers, entry by entry.
struct DualRows {
  DualRows(const DualKinematics& dual, const ClosurePlace& place) : c(place) {
    const auto& pose = dual.scratch.pose;
    const auto &a = pose[static_cast<std::size_t>(c.node_a)],
               &b = pose[static_cast<std::size_t>(c.node_b)];
    m.X = closure::relative_pose(c, a, b);
    path = closure::loop_path<Dual>(dual.tree.tree(), dual.scratch, c.node_a, c.node_b, b * c.at_b);
  }
  [[nodiscard]] Dual entry(int row, std::size_t j, std::size_t k) {
    m.V = Dual(path[k].side) * path[k].twist;
    const closure::Row<Dual> W = closure::row_of(c, m, row);
    return Dual(path[j].side) *
           (dot(W.rate, path[j].twist) + dot(W.W, twist_rate(path[k], path[j])));
  }
  const ClosurePlace& c;
  closure::Meeting<Dual> m;
  closure::LoopPath<Dual> path;
};

TEST(ClosureRows, third_order_is_the_rate_of_the_second) {
  std::set<std::pair<PairKind, JointType>> kinds;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomMechanism random(seed);
    const ClosedMechanism made =
        random.closed(5, 2, static_cast<Base>(seed % 3), all_joint_types());
    const System system = compile(made.model);
    ClosedWorkspace work(system);
    const Index n = system.nv();
    if (n == 0) continue;
    const Influence found = compute_closure_influence(work, made.q, Order::third);
    const double bound = 1e-12 * (1 + std::pow(found.G.view().norm(), 3));
    const VectorXd zero = VectorXd::Zero(n);
    for (Index l = 0; l < n; ++l) {
      const DualKinematics dual(system, made.q, VectorXd::Unit(n, l), zero, zero);
      for (const ClosurePlace& c : system.closures()) {
        kinds.insert({c.kind, c.joint});
        DualRows rows(dual, c);
        for (int row = 0; row < c.rows; ++row)
          for (std::size_t j = 0; j < rows.path.size(); ++j)
            for (std::size_t k = 0; k < rows.path.size(); ++k) {
              const Dual H = rows.entry(row, j, k);
              const int vj = rows.path[j].v, vk = rows.path[k].v;
              EXPECT_NEAR(found.H(c.row + row, vj, vk), H.x, bound) << seed << " " << c.name;
              EXPECT_NEAR(found.D(c.row + row, vj, vk, l), H.d, bound) << seed << " " << c.name;
            }
      }
    }
  }
  EXPECT_GE(kinds.size(), 12U);
}

TEST(ClosureRows, rates_of_the_jacobians_are_what_the_second_order_says) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomMechanism random(seed);
    const ClosedMechanism made =
        random.closed(6, 2, static_cast<Base>(seed % 3), all_joint_types());
    const System system = compile(made.model);
    ClosedWorkspace work(system);
    State state(system);
    state.q = made.q;
    state.v = random.numbers(system.nv());
    const Influence rows = compute_closure_influence(work, made.q),
                    closing = compute_closing_influence(work, made.q);
    MatrixXd J(work.rows(), system.nv()), J_rate(work.rows(), system.nv());
    MatrixXd L(closing.G.rows(), system.nv()), L_rate(closing.G.rows(), system.nv());
    compute_closure_jacobian(work, made.q, J);
    compute_closure_jacobian_rate(work, state, J_rate);
    compute_closing_jacobian(work, made.q, L);
    compute_closing_jacobian_rate(work, state, L_rate);
    const double bound = 1e-13 * (1 + rows.G.view().squaredNorm() + closing.G.view().squaredNorm());
    EXPECT_LT((rows.G.view() - J).norm(), bound) << seed;
    EXPECT_LT((rate_along(rows.H, state.v).view() - J_rate).norm(), bound) << seed;
    EXPECT_LT((closing.G.view() - L).norm(), bound) << seed;
    EXPECT_LT((rate_along(closing.H, state.v).view() - L_rate).norm(), bound) << seed;
    VectorXd bias(work.rows());
    compute_closure_bias(work, state, bias);
    EXPECT_LT((J_rate * state.v - bias).norm(), 4 * bound) << seed;
  }
}

class ThirdOrderLoops : public ::testing::TestWithParam<std::string>, protected Moving {
 protected:
  ThirdOrderLoops()
      : Moving(GetParam()),
        entries(choose_independent(work, state.q).entries),
        v(numbers(1)),
        a(numbers(2)),
        jerk(numbers(3)),
        motion(work, state.q, entries, v, a, jerk) {
    state.v = motion.v;
    MatrixXd J(work.rows(), system.nv());
    compute_closure_jacobian(work, state.q, J);
    size = 1 + motion.v.norm() * (1 + motion.v.squaredNorm()) + motion.a.squaredNorm() +
           motion.jerk.norm();
  }
  [[nodiscard]] VectorXd numbers(int phase) const {
    VectorXd out(static_cast<Index>(entries.size()));
    for (Index i = 0; i < out.size(); ++i) out[i] = std::sin(phase + 1.7 * static_cast<double>(i));
    return out;
  }
  std::vector<int> entries;
  VectorXd v, a, jerk;
  FullMotion motion;
  double size = 1;
};

/// J a + J̇ v = 0 and its rate, by the trunk's kinematics on dual numbers.
TEST_P(ThirdOrderLoops, jerks_keep_every_closure_closed) {
  const DualKinematics dual(system, state.q, motion.v, motion.a, motion.jerk);
  for (const ClosurePlace& c : system.closures()) {
    if (c.kind == PairKind::gear) continue;
    for (int row = 0; row < c.rows; ++row) {
      const Dual kept = dual.closure_acceleration(c, row);
      EXPECT_LT(std::abs(kept.x), 1e-13 * size) << c.name;
      EXPECT_LT(std::abs(kept.d), 1e-13 * size) << c.name;
    }
  }
}

TEST_P(ThirdOrderLoops, arrays_by_independent_joints_make_the_same_motion) {
  const Influence joints =
      compute_joint_influence(work, state.q, names_of(system, entries), Order::third);
  VectorXd found(system.nv());
  EXPECT_LT((joints.G.view() * v - motion.v).norm(), 1e-13 * size);
  compute_acceleration(joints, v, a, found);
  EXPECT_LT((found - motion.a).norm(), 1e-13 * size);
  compute_jerk(joints, v, a, jerk, found);
  EXPECT_LT((found - motion.jerk).norm(), 1e-13 * size);
  // And with them every frame.
  for (std::size_t i = 1; i < system.frames().size(); ++i) {
    const FrameId frame{static_cast<int>(i)};
    const Influence u =
        compose(compute_frame_influence(work, state.q, frame, Axes::world, Order::third), joints);
    VectorXd of_frame(6);
    compute_jerk(u, v, a, jerk, of_frame);
    const FrameMotion made =
        compute_frame_motion(system, state, motion.a, motion.jerk, frame, Axes::world);
    EXPECT_LT((of_frame - to_eigen(made.jerk)).norm(), 1e-13 * size) << system.frame(frame).name;
  }
}

/// Along the mechanism's own motion, by central differences; every frame, a tool or not.
TEST_P(ThirdOrderLoops, jerk_of_frames_is_the_rate_of_their_acceleration) {
  constexpr double h = 1e-4;
  std::vector<std::vector<Vector6>> at;
  for (const double t : {-h, h}) {
    State there(system);
    const VectorXd way = t * motion.v + t * t / 2 * motion.a + t * t * t / 6 * motion.jerk;
    compute_integral(system, state.q, way, 1, there.q);
    const FullMotion moved(work, there.q, entries, v + t * a + t * t / 2 * jerk, a + t * jerk,
                           jerk);
    there.v = moved.v;
    at.emplace_back();
    for (std::size_t i = 1; i < system.frames().size(); ++i)
      at.back().push_back(to_eigen(compute_frame_motion(system, there, moved.a, moved.jerk,
                                                        FrameId{static_cast<int>(i)}, Axes::world)
                                       .acceleration));
  }
  const DualKinematics dual(system, state.q, motion.v, motion.a, motion.jerk);
  for (std::size_t i = 1; i < system.frames().size(); ++i) {
    const FrameId frame{static_cast<int>(i)};
    const Vector6 found = to_eigen(
        compute_frame_motion(system, state, motion.a, motion.jerk, frame, Axes::world).jerk);
    const Vector6 difference = (at[1][i - 1] - at[0][i - 1]) / (2 * h);
    EXPECT_LT((found - difference).norm(), 1e-7 * size) << system.frame(frame).name;
    EXPECT_LT((found - derivatives_of(dual.acceleration(system.frame(frame)))).norm(), 1e-13 * size)
        << system.frame(frame).name;
  }
}

/// [D] of the joints is the rate of their [H], direction by direction, not only in the cubic form.
TEST_P(ThirdOrderLoops, third_order_by_independent_joints_is_the_rate_of_the_second) {
  const std::vector<std::string> names = names_of(system, entries);
  const Influence joints = compute_joint_influence(work, state.q, names, Order::third);
  constexpr double h = 1e-4;
  for (Index l = 0; l < joints.G.cols(); ++l) {
    Array at[2];
    for (const int side : {0, 1}) {
      const double t = side == 0 ? -h : h;
      const VectorXd turn = quadratic_form(joints.H, VectorXd::Unit(joints.G.cols(), l));
      VectorXd q(system.nq());
      compute_integral(system, state.q, t * joints.G.view().col(l) + t * t / 2 * turn, 1, q);
      at[side] = compute_joint_influence(work, q, names).H;
    }
    for (Index p = 0; p < joints.G.rows(); ++p) {
      const MatrixXd difference = (at[1].plane(p) - at[0].plane(p)) / (2 * h);
      EXPECT_LT((difference - joints.D.slice(p, l)).norm(),
                1e-6 * (1 + joints.D.flat().norm() + std::pow(joints.G.view().norm(), 4)))
          << joints.of[static_cast<std::size_t>(p)].name << " along " << names[l];
    }
  }
}

/// The same exactly, entry by entry and without a step: J G = 0 holds along every motion of the mechanism, and so
/// do its first and second derivatives, whose parts J′, [H] and [H]′ of the rows come from dual numbers:
///   J D(m,k,l) + J′ H(m,k) + Gₘᵀ [H]′ G_k + H(m,l)ᵀ [H] G_k + Gₘᵀ [H] H(k,l) = 0,   ′ along G_l
TEST_P(ThirdOrderLoops, third_order_by_independent_joints_is_what_dual_numbers_say_entry_by_entry) {
  const Influence joints =
      compute_joint_influence(work, state.q, names_of(system, entries), Order::third);
  const Index n = joints.G.cols(), nv = system.nv();
  const MatrixXd G = joints.G.view();
  const VectorXd zero = VectorXd::Zero(nv);
  MatrixXd J(work.rows(), nv);
  compute_closure_jacobian(work, state.q, J);
  const auto second = [&](Index m, Index k) {
    VectorXd out(nv);
    for (Index j = 0; j < nv; ++j) out[j] = joints.H(j, m, k);
    return out;
  };
  const double bound = 1e-12 * (1 + std::pow(G.norm(), 3)) * (1 + J.norm());
  double largest = 0;
  for (Index l = 0; l < n; ++l) {
    const DualKinematics dual(system, state.q, G.col(l), zero, zero);
    for (const ClosurePlace& c : system.closures()) {
      const bool gear = is_among_joints(c.kind);
      for (int row = 0; row < c.rows; ++row) {
        MatrixXd H = MatrixXd::Zero(nv, nv), H_rate = H;
        if (!gear) {
          DualRows rows(dual, c);
          for (std::size_t j = 0; j < rows.path.size(); ++j)
            for (std::size_t k = 0; k < rows.path.size(); ++k) {
              const Dual entry = rows.entry(row, j, k);
              H(rows.path[j].v, rows.path[k].v) = entry.x;
              H_rate(rows.path[j].v, rows.path[k].v) = entry.d;
            }
        }
        const VectorXd J_rate = H * G.col(l);
        for (Index m = 0; m < n; ++m)
          for (Index k = 0; k < n; ++k) {
            double D = 0;
            for (Index j = 0; j < nv; ++j) D += J(c.row + row, j) * joints.D(j, m, k, l);
            largest = std::max(largest, std::abs(D));
            const double others = J_rate.dot(second(m, k)) + G.col(m).dot(H_rate * G.col(k)) +
                                  second(m, l).dot(H * G.col(k)) + G.col(m).dot(H * second(k, l));
            EXPECT_NEAR(D, -others, bound) << c.name << ' ' << row;
          }
      }
    }
  }
  const bool has_frames =
      std::any_of(system.closures().begin(), system.closures().end(),
                  [](const ClosurePlace& c) { return !is_among_joints(c.kind); });
  // The loops of the gripper are parallelograms: its joints follow in proportion.
  if (has_frames && GetParam() != "gripper.yaml") {
    EXPECT_GT(largest, 1e-3) << "there is something to compare";
  }
}

INSTANTIATE_TEST_SUITE_P(Bundled, ThirdOrderLoops, ::testing::ValuesIn(bundled_loops()),
                         [](const auto& test) {
                           return test.param.substr(0, test.param.find('.'));
                         });

TEST(DependentMotion, refuses_what_does_not_determine_it) {
  Moving five_bar("five_bar.yaml");
  const Index n = five_bar.system.nv();
  VectorXd v = VectorXd::Ones(n), a = v, jerk = v, few = VectorXd::Ones(n - 1);
  const std::vector<int> one{0}, two{0, 1};
  EXPECT_TRUE(contains(
      error_of([&] { compute_dependent_motion(five_bar.work, five_bar.state.q, one, v, a, jerk); }),
      "2 freedoms"));
  EXPECT_TRUE(contains(error_of([&] {
                         compute_dependent_motion(five_bar.work, five_bar.state.q, two, v, few,
                                                  jerk);
                       }),
                       "a"));
  a[0] = std::nan("");
  EXPECT_NE(
      error_of([&] { compute_dependent_motion(five_bar.work, five_bar.state.q, two, v, a, jerk); }),
      "");
  EXPECT_TRUE(contains(error_of([&] {
                         (void)compute_joint_influence(five_bar.work, five_bar.state.q,
                                                       {"left_motor"}, Order::third);
                       }),
                       "left_motor"));
}

}  // namespace
}  // namespace linkwright::testing
