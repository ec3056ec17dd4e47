// What counts as rounding in an inertia, welded links judged as one, and the repairs of `repair`.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "linkwright/model/validation.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::contains;
using testing::error_of;
using testing::RandomModel;
using testing::warns;

constexpr double infinity = std::numeric_limits<double>::infinity();

Model hinged(const Body& body) {
  Model model;
  model.bodies = {body};
  model.joints = {
      {.name = "hinge", .type = JointType::revolute, .parent = "world", .child = body.name}};
  return model;
}

/// A body with these principal moments, in axes turned at random.
Body with_moments(double a, double b, double c, RandomModel& random) {
  Body body{.name = "rod", .mass = 1};
  body.inertia = congruence(spatial::from_rpy(random.vector(3)), Symmetric3{a, b, c, 0, 0, 0});
  return body;
}

Eigen::Matrix3d matrix(const Symmetric3& inertia) { return to_eigen(to_full(inertia)); }

bool is_physical(const Symmetric3& inertia) {
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix(inertia)).eigenvalues();
  const double rounding = 1e-14 * moments.cwiseAbs().maxCoeff();
  return moments[0] >= -rounding && moments[0] + moments[1] >= moments[2] - rounding;
}

TEST(Inertia, ThreeGradesOfANegativeMoment) {
  RandomModel random(1);
  for (const double scale : {1e-9, 1.0, 1e9})
    for (int i = 0; i < 20; ++i) {
      const auto judge = [&](double least) {
        Body body = with_moments(least * scale, scale, scale, random);
        body.mass = scale;
        return validate(hinged(body));
      };
      EXPECT_EQ(all_texts(judge(-1e-16)), "") << "the arithmetic's own rounding";
      EXPECT_TRUE(warns(judge(-1e-12), {"link 'rod'", "digits of a file"}));
      EXPECT_TRUE(warns(judge(-0.9e-5), {"link 'rod'", "digits of a file"}));
      EXPECT_TRUE(contains(error_of([&] { judge(-1.1e-5); }), "principal moments"));
    }
}

TEST(Inertia, WhatIsLeftOfMassTimesLengthSquaredIsNothing) {
  // I − m c² of a point mass, in sixteen digits.
  for (const double c : {1e-3, 0.1, 10.0}) {
    Body body{.name = "bob", .mass = 3, .com = {c, 0, 0}};
    body.inertia.yy = 1e-16 * 3 * c * c;
    body.inertia.zz = -1e-16 * 3 * c * c;
    EXPECT_TRUE(warns(validate(hinged(body)), {"link 'bob'", "mass 3 without inertia"}));
    body.inertia.yy *= 1e4;
    body.inertia.zz *= 1e4;
    EXPECT_TRUE(contains(error_of([&] { validate(hinged(body)); }), "principal moments"));
  }
}

/// A heavy body and a light one with a negative moment, in any pose, welded.
Model welded(double negative, RandomModel& random) {
  Model model = hinged(random.body("heavy"));
  Body light = with_moments(negative, 1e-3, 1e-3, random);
  light.name = "light";
  light.mass = 1e-6;
  model.bodies.push_back(light);
  model.joints.push_back({.name = "weld",
                          .type = JointType::fixed,
                          .parent = "heavy",
                          .child = "light",
                          .pose = random.pose(0.5)});
  return model;
}

TEST(Inertia, AWeldedLinkIsJudgedWithTheWholeThatMoves) {
  RandomModel random(2);
  for (int i = 0; i < 50; ++i) {
    const Model fine = welded(-1e-3, random);
    EXPECT_TRUE(warns(validate(fine), {"link 'light'", "welded to 'heavy'", "together they have"}));
    const Model hopeless = welded(-1e3, random);
    const std::string message = error_of([&] { validate(hopeless); });
    EXPECT_TRUE(contains(message, "link 'light'")) << message;
    EXPECT_TRUE(contains(message, "with 'heavy', welded to it")) << message;
    Model loose = fine;
    loose.joints[1].type = JointType::spherical;
    EXPECT_TRUE(contains(error_of([&] { validate(loose); }), "link 'light'")) << "it moves alone";
  }
}

TEST(Inertia, APointMassIsToldWhereItMovesAlone) {
  RandomModel random(7);
  Model model = welded(1e-3, random);
  model.bodies[1].inertia = {};
  EXPECT_EQ(all_texts(validate(model)), "") << "it moves with a body that has inertia";
  model.joints[1].type = JointType::prismatic;
  EXPECT_TRUE(warns(validate(model), {"link 'light'", "without inertia"}));
}

/// The principal moments of bodies in these poses, about their common centre.
Eigen::Vector3d moments_of_all(const std::vector<Body>& bodies, const std::vector<Pose>& poses) {
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    mass += bodies[i].mass;
    centre += bodies[i].mass * to_eigen(poses[i] * bodies[i].com);
  }
  centre /= mass;
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Eigen::Matrix3d R = to_eigen(poses[i].rotation);
    const Eigen::Vector3d r = to_eigen(poses[i] * bodies[i].com) - centre;
    sum += R * matrix(bodies[i].inertia) * R.transpose() +
           bodies[i].mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sum).eigenvalues();
}

TEST(Inertia, TheSumOfAChainOfWeldsIsRightFromEitherEnd) {
  RandomModel random(3);
  for (int i = 0; i < 20; ++i) {
    Model model = welded(-1e-3, random);
    model.bodies[1].mass = 2;
    model.bodies[1].com = random.vector(0.3);
    model.bodies.push_back({.name = "bracket"});  // massless, between the two
    model.joints[1].child = "bracket";
    model.joints.push_back({.name = "clamp",
                            .type = JointType::fixed,
                            .parent = "bracket",
                            .child = "light",
                            .pose = random.pose(0.2)});
    // The same bodies in the same places, described from the other end.
    Model turned = model;
    std::swap(turned.joints[1].parent, turned.joints[1].child);
    std::swap(turned.joints[2].parent, turned.joints[2].child);
    turned.joints[1].pose = inverse(model.joints[1].pose);
    turned.joints[2].pose = inverse(model.joints[2].pose);
    turned.joints[0].child = "light";
    const Eigen::Vector3d expected = moments_of_all(
        {model.bodies[0], model.bodies[1]}, {Pose{}, model.joints[1].pose * model.joints[2].pose});
    for (const Model& described : {model, turned}) {
      const std::string text = all_texts(validate(described));
      const std::size_t numbers = text.find("together they have ");
      ASSERT_NE(numbers, std::string::npos) << text;
      Eigen::Vector3d told;
      ASSERT_EQ(std::sscanf(text.c_str() + numbers, "together they have %lf, %lf, %lf", &told[0],
                            &told[1], &told[2]),
                3);
      EXPECT_LT((told - expected).norm(), 1e-5 * expected.norm()) << text;
    }
  }
}

TEST(Inertia, WeldedToTheWorldByTheFileNeverMovesAndByTheReaderMay) {
  RandomModel random(4);
  Body body = with_moments(-1, 1, 1, random);
  Model model = hinged(body);
  model.joints[0].type = JointType::fixed;
  EXPECT_TRUE(warns(validate(model), {"link 'rod'", "welded to the world", "no effect"}));
  model.joints[0].implied = true;
  EXPECT_TRUE(contains(error_of([&] { validate(model); }), "principal moments -1, 1, 1"))
      << "how the root is attached is the caller's choice, not the file's";
}

TEST(Repair, AClippedInertiaIsPhysicalAndTheNearestSuch) {
  RandomModel random(5);
  for (int i = 0; i < 200; ++i) {
    const Body body = with_moments(random.between(-1, -0.01), random.between(-1, 1),
                                   random.between(0.1, 1), random);
    Model model = hinged(body);
    EXPECT_TRUE(warns(repair(model), {"link 'rod'", "clipped to the nearest"}));
    const Symmetric3 clipped = model.bodies[0].inertia;
    EXPECT_TRUE(is_physical(clipped));
    EXPECT_EQ(error_of([&] { validate(model); }), "");
    const double distance = (matrix(clipped) - matrix(body.inertia)).norm();
    for (int k = 0; k < 50; ++k) {
      // Any step towards another physical inertia leads away: the projection onto a convex cone.
      const Eigen::Matrix3d other = random.between(0, 3) * matrix(random.body("other").inertia);
      const double step = random.between(0, 1);
      const Eigen::Matrix3d between = matrix(clipped) + step * (other - matrix(clipped));
      EXPECT_GE((between - matrix(body.inertia)).norm(), distance * (1 - 1e-12));
    }
  }
}

TEST(Repair, EveryRepairHasTheMeaningThatIsTold) {
  RandomModel random(6);
  Model model = hinged(random.body("rod"));
  Joint& hinge = model.joints[0];
  hinge.limits = {{.lower = 2, .upper = 1, .velocity = -3, .effort = -4}};
  hinge.damping = {-1};
  hinge.friction = {{-1, -2}};
  hinge.rotor_inertia = {-1};
  for (const char* leader : {"gone", "lost"})
    model.closures.push_back({.name = std::string("mimic:") + leader,
                              .kind = Closure::Kind::gear,
                              .leader = leader,
                              .follower = "hinge"});
  model.closures.insert(model.closures.begin() + 1,
                        {.name = "pin", .body_a = "rod", .body_b = "world"});
  EXPECT_NE(error_of([&] { validate(model); }), "");
  const auto warnings = repair(model);
  EXPECT_EQ(warnings.size(), 9U) << all_texts(warnings);
  const Limits limits = model.joints[0].limits[0];
  EXPECT_EQ(limits.lower, 1);
  EXPECT_EQ(limits.upper, 2);
  EXPECT_EQ(limits.velocity, infinity);
  EXPECT_EQ(limits.effort, infinity);
  EXPECT_EQ(model.joints[0].damping[0], 0);
  EXPECT_EQ(model.joints[0].friction[0].forward, 0);
  EXPECT_EQ(model.joints[0].friction[0].backward, 0);
  EXPECT_EQ(model.joints[0].rotor_inertia[0], 0);
  ASSERT_EQ(model.closures.size(), 1U);
  EXPECT_EQ(model.closures[0].name, "pin");
  EXPECT_EQ(all_texts(validate(model)), "");
}

TEST(Repair, WhatHasNoMeaningStaysAMistake) {
  Model model = hinged({.name = "rod", .mass = -1, .inertia = {1, 1, 1, 0, 0, 0}});
  model.joints[0].limits = {{.effort = -1}};
  EXPECT_TRUE(contains(error_of([&] { repair(model); }), "the mass is -1 kg"));
  EXPECT_EQ(model.joints[0].limits[0].effort, -1) << "a model that is refused is not changed";
}

}  // namespace
}  // namespace linkwright
