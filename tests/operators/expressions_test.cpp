// What the types know, what does not compile, what explain says, and what is refused.
#include <gtest/gtest.h>

#include "linkwright/operators/dense.hpp"
#include "linkwright/operators/operators.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;

template <class X, class Y>
concept Multiplies = requires(X x, Y y) {
  x* y;
};
template <class X, class Y>
concept Sums = requires(X x, Y y) {
  x + y;
};

using HType = std::remove_const_t<decltype(H)>;
using PhiType = std::remove_const_t<decltype(phi)>;
using MType = std::remove_const_t<decltype(M)>;
using BType = std::remove_const_t<decltype(B)>;
using DType = std::remove_const_t<decltype(D)>;
using PsiType = std::remove_const_t<decltype(Psi)>;

static_assert(Multiplies<HType, PhiType> && Multiplies<PhiType, MType> &&
              Multiplies<PhiType, BType>);
static_assert(!Multiplies<HType, HType>, "efforts are no link forces");
static_assert(!Multiplies<PhiType, DType>, "efforts are no link forces");
static_assert(!Multiplies<BType, HType>, "a tip operator does not act on joints");
static_assert(!Multiplies<MType, PhiType>, "an inertia takes motions, φ gives forces");
static_assert(!Sums<HType, PhiType> && !Sums<MType, PhiType>, "unlike spaces");
static_assert(Sums<PhiType, PhiType>);
static_assert(!Sums<PhiType, PsiType>, "Ψ starts from the inboard side of the joints");

constexpr auto mass = H * phi * M * transpose(phi) * transpose(H);
constexpr auto filter = I - H * Psi * L;
static_assert(decltype(mass)::kind == Kind::general);
static_assert(decltype(filter)::kind == Kind::causal);
static_assert(decltype(H * Psi * L)::kind == Kind::strictly_causal);
static_assert(decltype(transpose(filter))::kind == Kind::anticausal);
static_assert(decltype(inverse(D) * H * P * transpose(H))::kind == Kind::memoryless);
constexpr auto minv = inverse(mass + R);
static_assert(
    std::is_same_v<decltype(transpose(filter) * inverse(D) * filter), decltype(inverse(mass + R))>);
static_assert(std::is_same_v<decltype(inverse(R + mass)), decltype(inverse(mass + R))>);
static_assert(
    std::is_same_v<decltype(transpose(transpose(mass))), std::remove_const_t<decltype(mass)>>);

TEST(Expressions, explain_names_the_sweeps_in_order) {
  const System system = compile(RandomModel(1).tree(6, Base::fixed, {JointType::revolute}));
  const Operators at(system);
  const auto sweeps = sweeps_of(minv, at);
  ASSERT_EQ(sweeps.size(), 2U) << explain(minv, at);
  EXPECT_EQ(sweeps[0].direction, Direction::inward);
  EXPECT_EQ(sweeps[1].direction, Direction::outward);
  EXPECT_GT(sweeps[0].operations.multiplications, 0);
  const std::string text = explain(minv, at);
  EXPECT_NE(text.find("1. tip → base"), std::string::npos) << text;
  EXPECT_NE(text.find("2. base → tip"), std::string::npos) << text;
  EXPECT_EQ(sweeps_of(mass, at).size(), 2U);
  EXPECT_EQ(sweeps_of(H * P * transpose(H), at).size(), 1U) << "memoryless letters share one pass";
}

TEST(Expressions, the_inverse_of_mass_alone_refuses_rotors) {
  Model model = RandomModel(8).tree(4, Base::fixed, {JointType::revolute});
  for (Joint& joint : model.joints) joint.rotor_inertia.clear();
  RandomModel random(9);
  {
    const System system = compile(model);
    Operators at(system);
    at.update(random.state(system).q);
    const Eigen::VectorXd x = random.numbers(system.nv());
    EXPECT_EQ(apply(inverse(mass), at, x), apply(minv, at, x));
    EXPECT_EQ(explain(inverse(mass), at), explain(minv, at));
  }
  model.joints[2].rotor_inertia = {0.3};
  const System system = compile(model);
  Operators at(system);
  at.update(random.state(system).q);
  const Eigen::VectorXd x = random.numbers(system.nv());
  const auto expect_refused = [&](auto action) {
    try {
      action();
      FAIL() << "a rotor was taken for nothing";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("'" + model.joints[2].name + "'"), std::string::npos) << text;
      EXPECT_NE(text.find("inverse(mass + R)"), std::string::npos) << text;
    }
  };
  expect_refused([&] { (void)apply(inverse(mass), at, x); });
  expect_refused([&] { (void)apply(inverse(D) * mass * (I - inverse(mass) * mass), at, x); });
  expect_refused([&] { (void)explain(-inverse(mass), at); });
  expect_refused([&] { (void)dense(transpose(inverse(mass)), at); });
  EXPECT_NO_THROW((void)apply(minv, at, x));
}

TEST(Expressions, wrong_sizes_and_unknown_frames_are_named) {
  const System system = compile(RandomModel(4).tree(3, Base::fixed, {JointType::revolute}));
  Operators at(system);
  try {
    apply(mass, at, Eigen::VectorXd::Zero(2));
    FAIL() << "a vector of the wrong size was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("joint rates of this system have 3"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(at.set_tips(std::vector<std::string>{"elbow"}), Error);
}

TEST(Expressions, a_configuration_is_asked_for) {
  const System system = compile(RandomModel(4).tree(3, Base::fixed, {JointType::revolute}));
  Operators at(system);
  EXPECT_THROW(apply(mass, at, Eigen::VectorXd::Zero(3)), Error);
  at.update(Eigen::VectorXd::Zero(system.nq()));
  EXPECT_NO_THROW(apply(mass, at, Eigen::VectorXd::Zero(3)));
}

TEST(Expressions, descriptions_keep_their_brackets) {
  EXPECT_EQ(describe(P - (M + P)), "P − (M + P)");
  EXPECT_EQ(describe(M * -transpose(phi)), "M (−φᵀ)");
  EXPECT_EQ(describe(psi_tilde + I), "ψ̃ + I");
  EXPECT_EQ(describe(transpose(filter)), "I − Lᵀ Ψᵀ Hᵀ");
  const Stacked<Space::link_force, double> x{};
  EXPECT_EQ(describe(x - phi * (x + x)), "x − φ (x + x)");
  EXPECT_EQ(describe(x - (phi * -x - x)), "x − (φ (−x) − x)");
}

TEST(Expressions, a_massless_tip_names_its_joint) {
  Model model = RandomModel(5).tree(3, Base::fixed, {JointType::revolute});
  model.bodies.back() = {.name = model.bodies.back().name};
  for (Joint& joint : model.joints) joint.rotor_inertia.clear();
  const System system = compile(model);
  Operators at(system);
  try {
    at.update(RandomModel(6).state(system).q);
    FAIL() << "a D of zero was inverted";
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const std::string& part : {model.joints.back().name, model.bodies.back().name})
      EXPECT_NE(text.find("'" + part + "'"), std::string::npos) << text;
    EXPECT_TRUE(text.starts_with("the operators do not exist, D has no inverse")) << text;
  }
}

TEST(Expressions, a_closed_system_is_refused_unless_its_closures_are_left_out) {
  Model model = RandomModel(7).tree(3, Base::fixed, {JointType::revolute});
  Closure closure;
  closure.name = "loop";
  closure.body_a = "body0", closure.body_b = "body2";
  model.closures.push_back(closure);
  const System system = compile(model);
  try {
    Operators at(system);
    FAIL() << "closures were left out without a word";
  } catch (const Error& error) {
    for (const std::string part : {"'loop'", "exclude closures", "leave_out", "docs/operators.md"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(Operators(system, Closures::leave_out));
}

}  // namespace
}  // namespace linkwright::testing
