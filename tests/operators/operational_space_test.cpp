// Inertia at frames, against J, M and their dense algebra.
#include "linkwright/operators/operational_space.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "operators/case.hpp"
#include "support/files.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Names = std::vector<std::string>;

struct FramesCase : Case {
  MatrixXd minv, J, Omega;
  OperationalSpace space;

  FramesCase(const Model& model, const Names& frames, unsigned seed)
      : Case(model, seed), minv(mass.inverse()), space(at) {
    at.set_tips(frames);
    space.update();
    Workspace work(system);
    J.resize(static_cast<Eigen::Index>(6 * frames.size()), system.nv());
    MatrixXd one(6, system.nv());
    for (std::size_t i = 0; i < frames.size(); ++i) {
      compute_jacobian(work, q, system.frame(frames[i]), Axes::own, one);
      J.middleRows<6>(static_cast<Eigen::Index>(6 * i)) = one;
    }
    Omega = J * minv * J.transpose();
  }
};

/// Bodies on one chain per entry of `arms`, each as long as the entry says, all from `root`.
/// Ends carry the frames "end0", "end1", …
void add_arms(RandomModel& random, Model& model, const std::string& root,
              const std::vector<int>& arms, const std::vector<JointType>& types) {
  for (std::size_t a = 0; a < arms.size(); ++a) {
    std::string parent = root;
    for (int k = 0; k < arms[a]; ++k) {
      const std::string name = "link" + std::to_string(a) + "_" + std::to_string(k);
      const JointType type = types[static_cast<std::size_t>(k) % types.size()];
      model.bodies.push_back(random.body(name));
      model.joints.push_back(random.joint("joint_of_" + name, type, parent, name));
      if (k % 2 == 0) model.joints.back().rotor_inertia = {random.between(0.01, 0.3)};
      parent = name;
    }
    model.frames.push_back({"end" + std::to_string(a), parent, random.pose(0.3), {}});
  }
}
/// On a free base, or on a turning one.
Model arms_on_base(unsigned seed, JointType base, const std::vector<int>& arms,
                   const std::vector<JointType>& types) {
  RandomModel random(seed);
  Model model;
  model.bodies.push_back(random.body("trunk"));
  model.joints.push_back(random.joint("base", base, "world", "trunk"));
  add_arms(random, model, "trunk", arms, types);
  return model;
}

class OnTrees : public ::testing::TestWithParam<unsigned> {
 protected:
  static FramesCase make(unsigned seed) {
    RandomModel random(seed);
    const int bodies = 3 + static_cast<int>(seed % 9);
    Model model = random.tree(bodies, static_cast<Base>(seed % 3), all_joint_types());
    model.joints.back().type = JointType::revolute;
    model.joints.back().modes.clear();
    if (seed % 4 == 0)
      for (Joint& joint : model.joints)
        if (joint.type != JointType::fixed) joint.rotor_inertia = {random.between(0.01, 0.5)};
    Names frames{"tip", "world", "body1", "tip"};
    for (int k = bodies - 1; k > 1; k -= 2) frames.push_back("body" + std::to_string(k));
    return {model, frames, seed};
  }
};

TEST_P(OnTrees, inverse_inertia_is_that_of_the_matrices) {
  FramesCase c = make(GetParam());
  const MatrixXd Omega = c.space.inverse_inertia();
  EXPECT_LE((Omega - c.Omega).norm(), c.bound * c.J.squaredNorm() * c.minv.norm());
  EXPECT_EQ(Omega, Omega.transpose());
  const double least = Eigen::SelfAdjointEigenSolver<MatrixXd>(Omega).eigenvalues()[0];
  EXPECT_GE(least, -c.bound * Omega.norm());
  EXPECT_EQ(Omega.middleRows<6>(6).norm(), 0) << "the world moved";
}
TEST_P(OnTrees, laws_hold_with_the_pseudo_inverse) {
  FramesCase c = make(GetParam());
  const Singular pseudo = Singular::pseudo_inverse;
  const MatrixXd Lambda = c.space.inertia(pseudo), Jbar = c.space.consistent_inverse(pseudo);
  const MatrixXd Nt = c.space.null_space(pseudo);
  // Ω is known to within bound · ‖J‖² ‖M⁻¹‖; Λ makes the most of it.
  const double work = c.bound * (1 + c.J.squaredNorm() * c.minv.norm() * Lambda.norm());
  ASSERT_LT(work, 1e-2) << "this case says nothing";
  EXPECT_LE((c.Omega * Lambda * c.Omega - c.Omega).norm(), work * c.Omega.norm());
  EXPECT_LE((Lambda * c.Omega * Lambda - Lambda).norm(), work * Lambda.norm());
  EXPECT_LE((Jbar - c.minv * c.J.transpose() * Lambda).norm(), work * (1 + Jbar.norm()));
  EXPECT_LE((c.J * Jbar * c.J - c.J).norm(), work * c.J.norm());
  EXPECT_LE((c.J * c.minv * Nt).norm(), work * (c.J * c.minv).norm());
  EXPECT_LE((Nt * Nt - Nt).norm(), work * (1 + Nt.norm()));
  EXPECT_NEAR(Nt.trace(), c.system.nv() - c.space.rank(), work * c.system.nv());
}
INSTANTIATE_TEST_SUITE_P(Trees, OnTrees, ::testing::Range(0U, 24U));

class OfArms : public ::testing::TestWithParam<unsigned> {};

TEST_P(OfArms, inverse_consistent_inverse_and_projector) {
  const unsigned seed = GetParam();
  const std::vector<JointType> types{JointType::revolute, JointType::universal,
                                     JointType::prismatic};
  const bool one = seed % 2 == 0;
  FramesCase c(one ? arms_on_base(seed, JointType::revolute, {8}, types)
                   : arms_on_base(seed, JointType::free, {5, 5}, types),
               one ? Names{"end0"} : Names{"end0", "end1"}, seed);
  const int n = c.system.nv(), m = c.space.size();
  ASSERT_EQ(c.space.rank(), m);
  const MatrixXd Lambda = c.space.inertia(), Jbar = c.space.consistent_inverse();
  const MatrixXd Nt = c.space.null_space();
  const double work = c.bound * condition(c.Omega);
  ASSERT_LT(work, 1e-2) << "this case says nothing";
  EXPECT_LE((c.Omega * Lambda - MatrixXd::Identity(m, m)).norm(), work * m);
  EXPECT_LE((c.J * Jbar - MatrixXd::Identity(m, m)).norm(), work * m);
  EXPECT_LE((Jbar - c.minv * c.J.transpose() * c.Omega.inverse()).norm(), work * Jbar.norm());
  EXPECT_LE((c.J * c.minv * Nt).norm(), work * (c.J * c.minv).norm());
  EXPECT_LE((Nt * c.J.transpose()).norm(), work * c.J.norm() * (1 + Nt.norm()));
  EXPECT_LE((Nt - (MatrixXd::Identity(n, n) - c.J.transpose() * Jbar.transpose())).norm(),
            work * (1 + Nt.norm()));
  VectorXd tau = RandomModel(seed).numbers(n);
  const VectorXd rest = c.space.null_space(tau);
  EXPECT_LE((rest - Nt * tau).norm(), work * tau.norm() * (1 + Nt.norm()));
  c.space.apply_null_space(tau, tau);
  EXPECT_EQ(tau, rest);
}
INSTANTIATE_TEST_SUITE_P(Arms, OfArms, ::testing::Range(0U, 16U));

TEST(OperationalSpace, frames_feel_each_other_through_shared_joints_only) {
  const std::vector<JointType> types{JointType::revolute, JointType::spherical};
  FramesCase shared(arms_on_base(3, JointType::revolute, {3, 4}, types), {"end0", "end1"}, 3);
  EXPECT_GT(shared.space.inverse_inertia().topRightCorner(6, 6).norm(), 1e-3);
  Model apart;
  RandomModel random(4);
  add_arms(random, apart, "world", {3, 4}, types);
  FramesCase c(apart, {"end0", "end1"}, 4);
  EXPECT_EQ(c.space.inverse_inertia().topRightCorner(6, 6).norm(), 0);
  EXPECT_LE((c.space.inverse_inertia() - c.Omega).norm(),
            c.bound * c.J.squaredNorm() * c.minv.norm());
}

TEST(OperationalSpace, blocks_follow_the_order_of_the_frames) {
  const Model model = arms_on_base(6, JointType::free, {4, 2, 3}, {JointType::revolute});
  FramesCase c(model, {"end0", "end1", "end2", "trunk"}, 6);
  const MatrixXd before = c.space.inverse_inertia();
  const Names other{"end2", "trunk", "end1", "end0"};
  const int was[] = {2, 3, 1, 0};
  c.at.set_tips(other);
  EXPECT_NE(
      error_of([&] { return c.space.inverse_inertia(); }).find("the frames of the operators have"),
      std::string::npos);
  c.space.update();
  const MatrixXd after = c.space.inverse_inertia();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_LE(
          (after.block<6, 6>(6 * i, 6 * j) - before.block<6, 6>(6 * was[i], 6 * was[j])).norm(),
          c.bound * before.norm());
}

TEST(OperationalSpace, answers_of_another_configuration_are_refused) {
  FramesCase c(arms_on_base(7, JointType::free, {4, 3}, {JointType::revolute}), {"end1"}, 7);
  const MatrixXd before = c.space.inverse_inertia();
  const State state = RandomModel(70).state(c.system);
  const auto stale = [&] {
    const std::string expected = "OperationalSpace::update() after Operators::update";
    const VectorXd tau = VectorXd::Ones(c.system.nv());
    for (const std::string& text : {error_of([&] { return c.space.rank(); }),
                                    error_of([&] { return c.space.inverse_inertia(); }),
                                    error_of([&] { return c.space.inertia(); }),
                                    error_of([&] { return c.space.consistent_inverse(); }),
                                    error_of([&] { return c.space.null_space(tau); })})
      EXPECT_NE(text.find(expected), std::string::npos) << text;
  };
  c.at.update(state.q);
  stale();
  c.space.update();
  EXPECT_GT((c.space.inverse_inertia() - before).norm(), 1e-3 * before.norm());
  // Forward dynamics moves the operators on its way.
  forward_dynamics(Algorithm::FD3, c.at, state, VectorXd::Zero(c.system.nv()), {});
  stale();
  c.at.update(c.q);
  c.space.update();
  EXPECT_EQ(c.space.inverse_inertia(), before);
}

/// Of two frames at the same place each is called by its own name.
TEST(OperationalSpace, errors_name_the_frames_that_were_given) {
  Model model = arms_on_base(9, JointType::revolute, {3}, {JointType::revolute});
  model.frames.push_back(model.frames.back());
  model.frames.back().name = "twin_of_end0";
  for (const std::string name : {"end0", "twin_of_end0"}) {
    FramesCase c(model, {name}, 9);
    const std::string text = error_of([&] { return c.space.inertia(); });
    EXPECT_NE(text.find("of the frames '" + name + "' does"), std::string::npos) << text;
  }
}

/// The inertia of a free body at its own frame is the body's own.
TEST(OperationalSpace, of_a_free_body_is_its_inertia) {
  RandomModel random(8);
  Model model;
  model.bodies.push_back(random.body("stone"));
  model.joints.push_back(random.joint("air", JointType::free, "world", "stone"));
  FramesCase c(model, {"stone"}, 8);
  // v of a free joint is the body's [ω; v], so M is its 6×6 inertia and J the identity.
  EXPECT_LE((c.space.inertia() - c.mass).norm(), c.bound * c.mass.norm());
  EXPECT_LE(c.space.null_space().norm(), 6 * c.bound);
}

TEST(OperationalSpace, singular_frames_are_refused_by_name_and_rank) {
  const Model model = arms_on_base(9, JointType::revolute, {3, 6}, {JointType::revolute});
  FramesCase few(model, {"end0"}, 9);
  const std::string text = error_of([&] { return few.space.inertia(); });
  for (const char* part :
       {"'end0'", "6x6", "rank 4", "10 freedoms", "compute_inverse_inertia", "pseudo_inverse"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  try {
    static_cast<void>(few.space.null_space());
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::failed_computation);
  }
  EXPECT_LE((few.space.inverse_inertia() - few.Omega).norm(),
            few.bound * few.J.squaredNorm() * few.minv.norm());
  // Two frames on one body move as one.
  FramesCase twice(model, {"end1", "link1_5"}, 9);
  EXPECT_EQ(twice.space.rank(), 6);
  EXPECT_NE(error_of([&] { return twice.space.inertia(); }).find("'end1', 'link1_5'"),
            std::string::npos);
  FramesCase still(model, {"world"}, 9);
  EXPECT_EQ(still.space.rank(), 0);
  EXPECT_EQ(still.space.inertia(Singular::pseudo_inverse).norm(), 0);
  EXPECT_EQ(still.space.null_space(Singular::pseudo_inverse), MatrixXd::Identity(10, 10));
}

/// Lengths in other units: angular inertia grows with their square, linear inertia not at all.
TEST(OperationalSpace, rank_and_pseudo_inverse_do_not_depend_on_units) {
  const double s = 1e4;
  Model model = arms_on_base(10, JointType::revolute, {4}, {JointType::revolute});
  for (Joint& joint : model.joints) joint.rotor_inertia.clear();
  FramesCase metres(model, {"end0"}, 10);
  for (Body& body : model.bodies) {
    body.com = s * body.com;
    auto& I = body.inertia;
    for (double* x : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}) *x *= s * s;
  }
  for (Joint& joint : model.joints) joint.pose.translation = s * joint.pose.translation;
  for (Frame& frame : model.frames) frame.pose.translation = s * frame.pose.translation;
  FramesCase small(model, {"end0"}, 10);
  EXPECT_EQ(metres.space.rank(), 5);
  EXPECT_EQ(small.space.rank(), 5);
  VectorXd unit(6);
  unit << 1, 1, 1, s, s, s;
  const MatrixXd a = metres.space.inertia(Singular::pseudo_inverse);
  const MatrixXd b = small.space.inertia(Singular::pseudo_inverse);
  const MatrixXd back = unit.asDiagonal() * b * unit.asDiagonal() / (s * s);
  EXPECT_LE((back - a).norm(), metres.bound * metres.Omega.norm() * a.norm() * a.norm());
}

TEST(OperationalSpaceErrors, say_what_to_do) {
  const System system = compile(arms_on_base(11, JointType::revolute, {6}, {JointType::revolute}));
  Operators at(system);
  EXPECT_NE(error_of([&] { at.set_tips(Names{"end1"}); }).find("end1"), std::string::npos);
  OperationalSpace space(at);
  EXPECT_NE(error_of([&] { return space.rank(); }).find("call OperationalSpace::update()"),
            std::string::npos);
  EXPECT_NE(error_of([&] { space.update(); }).find("Operators::set_tips"), std::string::npos);
  at.set_tips(Names{"end0"});
  EXPECT_NE(error_of([&] { space.update(); }).find("call Operators::update(q)"), std::string::npos);
  at.update(State(system).q);
  space.update();
  MatrixXd small(5, 6);
  EXPECT_EQ(error_of([&] { space.compute_inverse_inertia(small); }),
            "inverse_inertia is 5x6; this system needs 6x6");
  EXPECT_NE(error_of([&] { OperationalSpace wrong(at, 2); }).find("cutoff is 2"),
            std::string::npos);
}

}  // namespace
}  // namespace linkwright::testing
