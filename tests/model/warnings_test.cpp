/// What `validate` tells without refusing.

#include <gtest/gtest.h>

#include "linkwright/model/validation.hpp"
#include "model/arm.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::arm;
using testing::body;
using testing::joint;
using testing::warns;

TEST(Validation, RankOneInertiaAndRoundingAreNoErrors) {
  Model model = arm();
  model.bodies[0].inertia = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};
  model.bodies[1].inertia = {1, 1, -1e-9, 0, 0, 0};
  EXPECT_TRUE(warns(validate(model), {"link 'upper'", "triangle inequality"}));
  EXPECT_TRUE(warns(validate(model), {"link 'lower'", "digits of a file"}));
}

TEST(Validation, TheTriangleWarningGivesTheNumbers) {
  Model model = arm();
  model.bodies[0].inertia = {1, 2, 4, 0, 0, 0};
  EXPECT_TRUE(warns(validate(model), {"link 'upper'", "4 > 1 + 2"}));
  model.bodies[0].inertia = {1, 2, 3, 0, 0, 0};
  EXPECT_EQ(all_texts(validate(model)), "") << "a flat body obeys it with equality";
}

TEST(Validation, AnAxisThatIsNotUnitIsToldWithItsLength) {
  Model model = arm();
  model.joints[0].axis = {0, 0, 2};
  EXPECT_TRUE(warns(validate(model), {"joint 'hinge'", "length 2"}));
  model.joints[0].type = JointType::spherical;
  model.closures.pop_back();
  model.initial = {};
  EXPECT_EQ(all_texts(validate(model)), "") << "a spherical joint has no axis";
}

TEST(Validation, MassWithoutInertiaIsTold) {
  Model model = arm();
  model.bodies[1].inertia = {};
  EXPECT_TRUE(warns(validate(model), {"link 'lower'", "mass 1 without inertia"}));
}

TEST(Validation, AMasslessLeafIsToldAndAMasslessLinkInsideAChainToo) {
  Model model = arm();
  model.bodies[2].mass = 0;
  model.bodies[2].inertia = {};
  EXPECT_TRUE(warns(validate(model), {"link 'hand'", "massless leaf", "'ball'", "refuse"}));
  model = arm();
  model.bodies[1].mass = 0;
  model.bodies[1].inertia = {};
  EXPECT_TRUE(warns(validate(model), {"link 'lower'", "without mass", "legal"}));
  EXPECT_FALSE(warns(validate(model), {"leaf"}));
}

TEST(Validation, WhatMakesAMasslessLinkMoveWellSilencesTheWarning) {
  const auto massless_hand = [] {
    Model model = arm();
    model.bodies[2].mass = 0;
    model.bodies[2].inertia = {};
    return model;
  };
  Model welded_mass = massless_hand();
  welded_mass.bodies.push_back(body("load"));
  welded_mass.joints.push_back(joint("weld", JointType::fixed, "hand", "load"));
  EXPECT_EQ(all_texts(validate(welded_mass)), "");

  Model rotor = massless_hand();
  rotor.joints[2].rotor_inertia = {1e-3};
  EXPECT_EQ(all_texts(validate(rotor)), "");

  Model inertia_only = massless_hand();
  inertia_only.bodies[2].inertia = {0, 0.35, 0, 0, 0, 0};
  EXPECT_FALSE(warns(validate(inertia_only), {"leaf"})) << "as link 1 of the PUMA 560";

  Model fixed = massless_hand();
  fixed.joints[2].type = JointType::fixed;
  fixed.joint_springs.clear();
  fixed.initial = {};
  EXPECT_EQ(all_texts(validate(fixed)), "");
}

TEST(Validation, ASoftFingerWithoutALimitToItsMomentIsTold) {
  Model model = arm();
  model.objects = {"hand"};
  model.grasps = {{.name = "pinch",
                   .arm = "upper",
                   .object = "hand",
                   .contact = Grasp::Contact::soft_finger,
                   .friction = 0.5}};
  EXPECT_TRUE(warns(validate(model), {"grasp 'pinch'", "without torsion", "point"}));
  model.grasps[0].torsion = 0.01;
  EXPECT_FALSE(warns(validate(model), {"torsion"}));
  model.grasps[0].torsion.reset(), model.grasps[0].friction.reset();
  EXPECT_FALSE(warns(validate(model), {"torsion"})) << "it holds both ways, as it says";
}

}  // namespace
}  // namespace linkwright
