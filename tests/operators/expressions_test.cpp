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
// Brackets do not matter.
constexpr auto A = H * phi;
static_assert(std::is_same_v<decltype(inverse(A * M * transpose(A))), decltype(inverse(mass))>);
static_assert(std::is_same_v<decltype(inverse(H * (phi * M) * transpose(A) + R)),
                             decltype(inverse(mass + R))>);
static_assert(std::is_same_v<decltype(inverse(I + H * (Phi * L))), decltype(I - H * Psi * L)>);
static_assert(std::is_same_v<decltype(inverse(inverse(A * M * transpose(A)))), MassOperator>);
static_assert(std::is_same_v<decltype(inverse(transpose(inverse(mass)))), MassOperator>);

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
  // Back again it is mass, and not what the factors with R in them would make of H P Hᵀ.
  EXPECT_EQ(apply(inverse(inverse(mass)), at, x), apply(mass, at, x));
  EXPECT_EQ(apply(inverse(inverse(mass) * D), at, x), apply(inverse(D) * mass, at, x));
}

TEST(Expressions, entries_that_are_not_finite_are_named) {
  const System system = compile(RandomModel(4).tree(3, Base::fixed, {JointType::revolute}));
  Operators at(system);
  at.update(Eigen::VectorXd::Zero(system.nq()));
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    try {
      apply(mass, at, Eigen::Vector3d(1, bad, 2));
      FAIL() << bad << " was taken for a number";
    } catch (const Error& error) {
      for (const std::string part : {"entry 1 of", "joint rates", "expected a finite number"})
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
}

TEST(Expressions, frames_are_asked_for) {
  const System system = compile(RandomModel(4).tree(3, Base::fixed, {JointType::revolute}));
  Operators at(system);
  at.update(Eigen::VectorXd::Zero(system.nq()));
  const auto expect_hint = [](auto action) {
    try {
      action();
      FAIL() << "B without frames";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("call Operators::set_tips"), std::string::npos)
          << error.what();
    }
  };
  const auto J = transpose(B) * transpose(phi) * transpose(H);
  expect_hint([&] { (void)apply(J, at, Eigen::Vector3d::Ones()); });
  expect_hint([&] { (void)apply(transpose(J), at, Eigen::VectorXd()); });
  expect_hint([&] { (void)explain(transpose(phi) * transpose(H) * minv * transpose(J), at); });
  expect_hint([&] { (void)dense(J, at); });
  at.set_tips(std::vector<std::string>{"tip"});
  EXPECT_NO_THROW((void)apply(J, at, Eigen::Vector3d::Ones()));
}

TEST(Expressions, the_result_may_be_written_over_the_vector) {
  const System system = compile(RandomModel(4).tree(6, Base::free, all_joint_types()));
  Operators at(system);
  RandomModel random(5);
  at.update(random.state(system).q);
  const auto expect_in_place = [&](auto expression) {
    Eigen::VectorXd x = random.numbers(at.size(expression.domain));
    const Eigen::VectorXd apart = apply(expression, at, x);
    apply(expression, at, x, x);
    EXPECT_EQ(x, apart) << describe(expression);
  };
  expect_in_place(mass);
  expect_in_place(minv);
  expect_in_place(I - minv * mass);
  expect_in_place(phi - psi_tilde);
  expect_in_place(phi * M * transpose(psi) + M);
  expect_in_place(L * H * Psi);
}

TEST(Expressions, the_matrix_of_a_letter_wants_its_size) {
  const System system = compile(RandomModel(4).tree(3, Base::fixed, {JointType::revolute}));
  Operators at(system);
  at.update(Eigen::VectorXd::Zero(system.nq()));
  Eigen::MatrixXd out(3, 17);
  EXPECT_THROW(write_dense(Letter::H, at, out), Error);
  out.resize(3, 18);
  EXPECT_NO_THROW(write_dense(Letter::H, at, out));
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
  EXPECT_EQ(describe(I - -phi), "I − (−φ)");
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

TEST(Expressions, closures_are_obeyed_refused_or_left_out_in_words) {
  Model model = RandomModel(7).tree(3, Base::fixed, {JointType::revolute});
  Closure closure;
  closure.name = "loop";
  closure.body_a = "body0", closure.body_b = "body2";
  model.closures.push_back(closure);
  const System system = compile(model);
  EXPECT_TRUE(Operators(system).is_closed());
  try {
    Operators at(system, Closures::refuse);
    FAIL() << "closures were left out without a word";
  } catch (const Error& error) {
    for (const std::string part : {"1 closure ('loop')", "leave_out", "ClosedWorkspace"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  EXPECT_FALSE(Operators(system, Closures::leave_out).is_closed());
}

TEST(Expressions, a_grasp_is_a_closure) {
  Model model = RandomModel(7).tree(3, Base::fixed, {JointType::revolute});
  model.bodies.push_back(RandomModel(8).body("ball"));
  model.joints.push_back(
      {.name = "flight", .type = JointType::free, .parent = "world", .child = "ball"});
  model.objects = {"ball"};
  model.grasps = {{.name = "pinch", .arm = "body1", .object = "ball"},
                  {.name = "push", .arm = "body2", .object = "ball"}};
  const System system = compile(model);
  EXPECT_TRUE(Operators(system).is_closed());
  try {
    Operators at(system, Closures::refuse);
    FAIL() << "grasps were left out without a word";
  } catch (const Error& error) {
    for (const std::string part : {"2 grasps ('pinch', …)", "leave_out", "cut open"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  EXPECT_FALSE(Operators(system, Closures::leave_out).is_closed());
}

}  // namespace
}  // namespace linkwright::testing
