// What MJCF says and what the model has of it, by numbers that follow by hand.

#include "linkwright/io/mjcf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwright/io/read_model.hpp"
#include "linkwright/spatial/group.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

using testing::all_texts;
using testing::judged;
using testing::warns;

constexpr double pi = std::numbers::pi;

const std::filesystem::path mjcf_folder =
    std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "tests/data/mjcf";

Model mjcf(const std::string& inside) {
  return judged(parse_mjcf("<mujoco>" + inside + "</mujoco>", "test.xml"));
}

/// One body on a hinge with these parts.
Body body_of(const std::string& parts, const std::string& settings = {}) {
  return mjcf(settings + "<worldbody><body name='b'><joint/>" + parts + "</body></worldbody>")
      .bodies.at(0);
}

Pose pose_of(const std::string& orientation, const std::string& settings = {}) {
  return mjcf(settings + "<worldbody><body name='b' pos='1 2 3' " + orientation +
              "><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody>")
      .joints.at(0)
      .pose;
}

void expect_turn(const Pose& pose, const Vector3& x, const Vector3& y, const std::string& what) {
  EXPECT_LT(norm(pose.rotation.column_x() - x), 1e-15) << what;
  EXPECT_LT(norm(pose.rotation.column_y() - y), 1e-15) << what;
  EXPECT_EQ(pose.translation.y, 2) << what;
}

TEST(Mjcf, OrientationsInEveryForm) {
  const Vector3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  expect_turn(pose_of(""), x, y, "none");
  expect_turn(pose_of("quat='3 0 0 3'"), y, -x, "a quarter turn about z");
  expect_turn(pose_of("axisangle='0 0 2 90'"), y, -x, "axis and angle");
  expect_turn(pose_of("xyaxes='0 2 0 -1 1 0'"), y, -x, "two axes, the second made orthogonal");
  expect_turn(pose_of("zaxis='1 0 0'"), -z, y, "the shortest turn to x");
  expect_turn(pose_of("zaxis='0 0 -3'"), x, -y, "half a turn, about x");
  const std::string radian = fmt::format("<compiler angle='radian'/>");
  expect_turn(pose_of(fmt::format("euler='0 0 {}'", pi / 2), radian), y, -x, "radians");
  // x, then about the new y: the body's z leads to the world's x.
  expect_turn(pose_of("euler='90 90 0'"), y, z, "with the frame");
  expect_turn(pose_of("euler='90 90 0'", "<compiler eulerseq='XYZ'/>"), -z, x, "in the parent");
}

TEST(Mjcf, InertiaOfSolids) {
  const Body box = body_of("<geom type='box' size='0.1 0.2 0.3' pos='1 0 0'/>");
  EXPECT_NEAR(box.mass, 1000 * 0.2 * 0.4 * 0.6, 1e-12);
  EXPECT_NEAR(box.inertia.xx, 48 * (0.16 + 0.36) / 12, 1e-12);
  EXPECT_NEAR(box.inertia.zz, 48 * (0.04 + 0.16) / 12, 1e-12);
  EXPECT_NEAR(box.com.x, 1, 1e-15);
  const Body ball = body_of("<geom size='0.5' mass='2'/>");
  EXPECT_NEAR(ball.inertia.yy, 0.4 * 2 * 0.25, 1e-15);
  const Body drum = body_of("<geom type='cylinder' size='0.5 1' mass='2' quat='1 0 1 0'/>");
  EXPECT_NEAR(drum.inertia.xx, 2 * 0.25 / 2, 1e-15);  // it lies along x
  EXPECT_NEAR(drum.inertia.yy, 2 * (0.25 / 4 + 4.0 / 12), 1e-15);
  const Body egg = body_of("<geom type='ellipsoid' size='1 2 3' density='3'/>");
  EXPECT_NEAR(egg.mass, 3 * 4 * pi / 3 * 6, 1e-12);
  EXPECT_NEAR(egg.inertia.zz, egg.mass * (1 + 4) / 5, 1e-12);
  // A capsule without a cylinder is a ball; without a radius a rod.
  const Body short_one = body_of("<geom type='capsule' size='0.5 1e-12' mass='2'/>");
  EXPECT_NEAR(short_one.inertia.xx, 0.4 * 2 * 0.25, 1e-11);
  const Body thin = body_of("<geom type='capsule' size='1e-9' fromto='0 0 0 0 3 0' mass='2'/>");
  EXPECT_NEAR(thin.inertia.xx, 2 * 9.0 / 12, 1e-8);
  EXPECT_NEAR(thin.inertia.yy, 0, 1e-8);
  EXPECT_NEAR(thin.com.y, 1.5, 1e-15);
}

/// A skin is what a solid gains when its surface moves out.
TEST(Mjcf, InertiaOfSkinsIsTheDerivativeOfSolids) {
  struct Case {
    std::string type;
    int radius;  ///< how many of the sizes grow
    std::array<double, 3> size;
  };
  for (const Case& c : {Case{"box", 3, {0.1, 0.2, 0.3}}, Case{"sphere", 1, {0.3, 0, 0}},
                        Case{"cylinder", 2, {0.2, 0.5, 0}}, Case{"capsule", 1, {0.2, 0.5, 0}}}) {
    const auto body = [&](double out, const std::string& more) {
      std::string size;
      for (int i = 0; i < 3; ++i)
        size += fmt::format("{} ", c.size[static_cast<std::size_t>(i)] + (i < c.radius ? out : 0));
      return body_of(fmt::format("<geom type='{}' size='{}' density='1' {}/>", c.type, size, more));
    };
    const double h = 1e-4;  // central differences of polynomials of the fifth order: error h²
    const Body skin = body(0, "shellinertia='true'"), more = body(h, ""), less = body(-h, "");
    EXPECT_NEAR(skin.mass, (more.mass - less.mass) / (2 * h), 1e-6) << c.type;
    for (const auto entry : {&Symmetric3::xx, &Symmetric3::yy, &Symmetric3::zz})
      EXPECT_NEAR(skin.inertia.*entry, (more.inertia.*entry - less.inertia.*entry) / (2 * h), 1e-6)
          << c.type;
  }
}

const std::string tetrahedron =
    "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 3' {}/>"
    "</asset>";

TEST(Mjcf, InertiaOfMeshes) {
  for (const char* how : {"", "inertia='exact'"}) {
    const Body body = body_of("<geom type='mesh' mesh='m' density='12'/>",
                              fmt::format(fmt::runtime(tetrahedron), how));
    EXPECT_NEAR(body.mass, 2, 1e-12) << how;  // a sixth of the cube
    EXPECT_NEAR(body.com.x, 0.25, 1e-12) << how;
    // ∫ x² dm = m/10 about the corner, ∫ x y dm = m/20.
    EXPECT_NEAR(body.inertia.xx, 2 * (2.0 / 10 - 2.0 / 16), 1e-12) << how;
    EXPECT_NEAR(body.inertia.xy, -2 * (1.0 / 20 - 1.0 / 16), 1e-12) << how;
  }
  const Body skin = body_of("<geom type='mesh' mesh='m' density='2'/>",
                            fmt::format(fmt::runtime(tetrahedron), "inertia='shell'"));
  EXPECT_NEAR(skin.mass, 2 * (3 * 0.5 + std::sqrt(3) / 2), 1e-12);
  const Body mirrored =
      body_of("<geom type='mesh' mesh='m' mass='1'/>",
              fmt::format(fmt::runtime(tetrahedron), "scale='-2 1 1' refpos='1 0 0'"));
  EXPECT_NEAR(mirrored.com.x, -2 * (0.25 - 1), 1e-12);
}

TEST(Mjcf, WhereInertiaComesFrom) {
  const std::string both =
      "<inertial pos='0 0 1' mass='3' diaginertia='1 1 1'/><geom size='1' mass='7'/>";
  EXPECT_EQ(body_of(both).mass, 3);
  EXPECT_EQ(body_of(both, "<compiler inertiafromgeom='true'/>").mass, 7);
  EXPECT_FALSE(body_of("<geom size='1'/><inertial pos='0 0 0' mass='0' diaginertia='0 0 0'/>",
                       "<compiler inertiafromgeom='false'/>")
                   .mass > 0);
  const std::string groups =
      "<geom size='1' mass='7' group='1'/><geom size='1' mass='2' group='4'/>";
  EXPECT_EQ(body_of(groups).mass, 9);
  EXPECT_EQ(body_of(groups, "<compiler inertiagrouprange='2 5'/>").mass, 2);
  EXPECT_EQ(body_of("<geom size='1' mass='1'/>", "<compiler boundmass='4'/>").mass, 4);
  const Body balanced = body_of("<inertial pos='0 0 0' mass='1' diaginertia='1 2 6'/>",
                                "<compiler balanceinertia='true'/>");
  EXPECT_NEAR(balanced.inertia.xx, 3, 1e-12);
  EXPECT_NEAR(balanced.inertia.zz, 3, 1e-12);
  EXPECT_NEAR(body_of("<inertial pos='0 0 0' mass='1' diaginertia='1 1 0.1'/>",
                      "<compiler boundinertia='0.5'/>")
                  .inertia.zz,
              0.5, 1e-12);
  const Body heavy = body_of("<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/>",
                             "<compiler settotalmass='10'/>");
  EXPECT_EQ(heavy.mass, 10);
  EXPECT_EQ(heavy.inertia.yy, 5);
}

TEST(Mjcf, DefaultsComeFromTheNearestClass) {
  const Model model = mjcf(R"(
    <default><joint damping='1' armature='9'/>
      <default class='outer'><joint damping='2'/>
        <default class='inner'><joint damping='3'/></default></default></default>
    <worldbody>
      <body name='a' childclass='outer'><joint name='a'/><geom size='1'/>
        <body name='b'><joint name='b' class='inner'/><geom size='1'/>
          <body name='c' childclass='inner'><joint name='c'/><geom size='1'/>
            <body name='d'><joint name='d' class='main'/><geom size='1'/>
              <body name='e'><joint name='e' damping='4'/><geom size='1'/></body>
      </body></body></body></body>
    </worldbody>)");
  std::vector<double> damping;
  for (const Joint& joint : model.joints) damping.push_back(joint.damping.at(0));
  EXPECT_EQ(damping, (std::vector<double>{2, 3, 3, 1, 4}));
  EXPECT_EQ(model.joints[4].rotor_inertia.at(0), 9);
}

TEST(Mjcf, BodiesWithSeveralJointsBecomeChains) {
  const Model model = judged(read_mjcf(mjcf_folder / "chains.xml"));
  std::vector<std::string> joints, bodies;
  for (const Joint& joint : model.joints) joints.push_back(joint.name);
  for (const Body& body : model.bodies) bodies.push_back(body.name);
  EXPECT_EQ(joints, (std::vector<std::string>{"along", "across", "turn", "roll", "pitch", "palm",
                                              "lamp", "drift", "swing", "reach", "fly"}));
  EXPECT_EQ(bodies, (std::vector<std::string>{"gantry:along", "gantry:across", "gantry",
                                              "wrist:roll", "wrist", "hand", "lamp", "drifter",
                                              "antenna:swing", "antenna", "bird"}));
  EXPECT_FALSE(warns(model.warnings, {"without mass"})) << all_texts(model.warnings);
  EXPECT_EQ(model.joints[2].parent, "gantry:across");
  EXPECT_EQ(model.joints[2].at_child.translation.x, 0.05);
  EXPECT_EQ(model.joints[6].type, JointType::fixed);
  EXPECT_EQ(model.joints[0].limits.at(0).upper, 1);
}

/// `ref` names the drawn position; where the joint stands does not change.
TEST(Mjcf, RefIsTheNumberOfTheDrawnPosition) {
  const Model model = mjcf(R"(<compiler angle='degree'/><worldbody><body name='b' pos='0 0 2'>
    <joint name='hinge' axis='0 0 1' ref='90' range='80 120' springref='100' stiffness='2'/>
    <geom size='1'/></body></worldbody>)");
  const Joint& joint = model.joints.at(0);
  EXPECT_NEAR(model.initial.q.at(0).values.at(0), pi / 2, 1e-15);
  EXPECT_NEAR(joint.limits.at(0).lower, 80 * pi / 180, 1e-15);
  EXPECT_NEAR(model.joint_springs.at(0).rest, 100 * pi / 180, 1e-15);
  // Turned by ref, the frame is where the file draws it.
  const Matrix3 drawn = joint.pose.rotation * spatial::from_rpy({0, 0, pi / 2});
  EXPECT_LT(norm(drawn.column_x() - Vector3{1, 0, 0}), 1e-15);
  const Model slide = mjcf(R"(<worldbody><body name='b' pos='0 0 2'>
    <joint name='s' type='slide' axis='0 0 3' ref='0.5'/><geom size='1'/></body></worldbody>)");
  EXPECT_NEAR(slide.joints.at(0).pose.translation.z, 1.5, 1e-15);
}

TEST(Mjcf, TheStartIsAKeyframeOrTheDrawing) {
  const Model model = judged(read_mjcf(mjcf_folder / "chains.xml"));
  std::map<std::string, std::vector<double>> q, v;
  for (const auto& entry : model.initial.q) q[entry.joint] = entry.values;
  for (const auto& entry : model.initial.v) v[entry.joint] = entry.values;
  EXPECT_EQ(q["across"], (std::vector<double>{0.2}));
  EXPECT_EQ(q["palm"], (std::vector<double>{0.6, 0, 0.8, 0}));
  EXPECT_EQ(q["drift"], (std::vector<double>{0.5, 0.5, -0.5, 0.5, 1, 2, 3}));
  ASSERT_EQ(v["drift"].size(), 6U);
  // [0.5 0.5 −0.5 0.5] leads x to −y, y to z … the linear velocity comes from the world's axes.
  const Matrix3 R = spatial::to_matrix(Quaternion{0.5, 0.5, -0.5, 0.5});
  const Vector3 linear{v["drift"][3], v["drift"][4], v["drift"][5]};
  EXPECT_LT(norm(R * linear - Vector3{0.1, 0.2, 0.3}), 1e-15);
  EXPECT_EQ(v["drift"][0], 0.4);
  EXPECT_TRUE(
      warns(model.warnings, {"keyframes that are not the start, which is 'home'", "'rest'"}));
  const Model drawn = mjcf(
      "<worldbody><body name='b' pos='1 2 3' quat='0 1 0 0'><freejoint/>"
      "<geom size='1'/></body></worldbody>");
  EXPECT_EQ(drawn.initial.q.at(0).values, (std::vector<double>{0, 1, 0, 0, 1, 2, 3}));
}

TEST(Mjcf, EqualitiesAreClosures) {
  const Model model = judged(read_mjcf(mjcf_folder / "loops.xml"));
  std::map<std::string, Closure> closures;
  for (const Closure& closure : model.closures) closures[closure.name] = closure;
  ASSERT_EQ(closures.size(), 11U);
  // The crank lies along x, the coupler rises from its end by 0.4 rad; both arms are 0.5 long.
  const Closure& pin = closures["pin"];
  EXPECT_EQ(pin.joint, JointType::spherical);
  EXPECT_NEAR(pin.at_b.translation.x, 0.3 + 0.5 * std::cos(0.4) - 0.8, 1e-15);
  EXPECT_NEAR(pin.at_b.translation.z, 0.5 * std::sin(0.4) - 0.1, 1e-15);
  EXPECT_EQ(closures["connect:jig"].body_b, "world");
  EXPECT_NEAR(closures["connect:jig"].at_b.translation.x, 0.3, 1e-15);
  const Closure& given = closures["given"];
  EXPECT_EQ(given.joint, JointType::fixed);
  EXPECT_NEAR(given.at_a.rotation.xx, 0.6, 1e-15);
  EXPECT_EQ(given.at_a.translation.z, 0.3);
  EXPECT_EQ(given.at_b.translation.x, 0.01);
  EXPECT_EQ(closures["only a point"].joint, JointType::spherical);
  EXPECT_EQ(closures["of sites"].body_a, "world");
  const Closure& gear = closures["joint:d"];  // d − 0.1 = 0.05 + 2 (e + 0.2)
  EXPECT_EQ(gear.kind, Closure::Kind::gear);
  EXPECT_EQ(gear.ratio, 2);
  EXPECT_NEAR(gear.offset, 0.55, 1e-15);
  const Closure& rope = closures["rope"];  // 2 e + 0.4 = 0.1 + 4.5 f
  EXPECT_NEAR(rope.ratio, 2.25, 1e-15);
  EXPECT_NEAR(rope.offset, -0.15, 1e-15);
  EXPECT_TRUE(warns(model.warnings, {"inactive equalities", "'weld:plate'"}));
}

TEST(Mjcf, TendonsAndActuatorsAreTransmissions) {
  const Model model = judged(read_mjcf(mjcf_folder / "loops.xml"));
  std::map<std::string, Joint> joints;
  for (const Joint& joint : model.joints) joints[joint.name] = joint;
  std::map<std::string, Actuator> motors;
  for (const Actuator& actuator : model.actuators) motors[actuator.name] = actuator;
  // A tendon over one joint is that joint through a gear of its coefficient.
  EXPECT_NEAR(joints["e"].damping.at(0), 0.01 + 4 * 0.02, 1e-15);
  EXPECT_NEAR(joints["e"].rotor_inertia.at(0), 4 * 0.005, 1e-15);
  EXPECT_NEAR(joints["f"].limits.at(0).lower, -2.0 / 3, 1e-15);
  EXPECT_NEAR(joints["f"].limits.at(0).upper, 1.0 / 3, 1e-15);
  EXPECT_EQ(motors.size(), 3U);
  EXPECT_EQ(motors["geared"].gear, 50);
  EXPECT_EQ(motors["geared"].motor->rotor_inertia, 1e-4);
  EXPECT_EQ(motors["pull"].transmission.size(), 2U);
  EXPECT_EQ(motors["pull"].transmission[1].ratio, -2);
  EXPECT_EQ(motors["winch"].gear, -6);
  EXPECT_EQ(joints["b"].limits.at(0).effort, 3);
  EXPECT_EQ(joints["f"].limits.at(0).effort, 6);
  // "pull" drives a as well, without a limit.
  EXPECT_FALSE(std::isfinite(joints["a"].limits.at(0).effort));
  EXPECT_EQ(joints["g"].passive, std::vector<bool>{true});
  EXPECT_TRUE(joints["c"].passive.empty());
}

TEST(Mjcf, IncludedFilesStandInPlace) {
  const Model model = judged(read_mjcf(mjcf_folder / "whole.xml"));
  ASSERT_EQ(model.bodies.size(), 2U);
  EXPECT_EQ(model.bodies[1].name, "arm");
  EXPECT_EQ(model.visuals[0].size.x, 0.05);
  EXPECT_EQ(model.visuals[1].size.x, 0.05);
  EXPECT_TRUE(model.bodies[1].source.file.ends_with("arm_part.xml"));
  EXPECT_EQ(model.sources.size(), 3U);
}

TEST(Mjcf, FlagsSwitchForcesOff) {
  const auto with = [](const std::string& flag) {
    return mjcf("<option gravity='0 0 -3'><flag " + flag + R"(/></option><worldbody><body name='b'>
      <joint name='j' stiffness='1' damping='2' frictionloss='3' range='-1 1'/><geom size='1'/>
      <body name='c'><joint name='k'/><geom size='1'/></body></body></worldbody>
      <equality><joint joint1='j' joint2='k'/></equality>)");
  };
  EXPECT_EQ(with("gravity='enable'").gravity.z, -3);
  EXPECT_EQ(with("gravity='disable'").gravity.z, 0);
  EXPECT_TRUE(with("spring='disable'").joint_springs.empty());
  EXPECT_TRUE(with("damper='disable'").joints[0].damping.empty());
  EXPECT_TRUE(with("frictionloss='disable'").joints[0].friction.empty());
  EXPECT_FALSE(std::isfinite(with("limit='disable'").joints[0].limits[0].upper));
  EXPECT_TRUE(with("equality='disable'").closures.empty());
  EXPECT_TRUE(with("constraint='disable'").closures.empty());
  EXPECT_TRUE(with("passive='disable'").joint_springs.empty());
}

TEST(Mjcf, ReadModelKnowsItByItsRoot) {
  const testing::TemporaryFolder folder;
  const std::string text =
      "<?xml version='1.0'?>\n<!-- <robot> -->\n<mujoco><worldbody><body "
      "name='b'><geom size='1'/></body></worldbody></mujoco>";
  for (const char* name : {"a.xml", "a.mjcf", "a"})
    EXPECT_EQ(judged(read_model(folder.write(name, text))).bodies.at(0).name, "b") << name;
}

TEST(SharedMjcf, RealModelsLoad) {
  const auto folder = testing::shared_folder("models");
  LINKWRIGHT_SKIP_WITHOUT(folder, "the collection of real models");
  const auto files = testing::files_in(folder, ".xml");
  EXPECT_GE(files.size(), 5U);
  for (const auto& file : files) {
    const Model model = judged(read_model(file));
    EXPECT_FALSE(warns(model.warnings, {"ignored attribute"})) << all_texts(model.warnings);
  }
}

}  // namespace
}  // namespace linkwright
