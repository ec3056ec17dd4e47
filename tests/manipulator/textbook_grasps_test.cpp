// Force and form closure of grasps whose answer is known.
#include <gtest/gtest.h>

#include <numbers>

#include "manipulator/grasps.hpp"

namespace linkwright::testing {
namespace {

constexpr double pi = std::numbers::pi;
constexpr auto soft = Grasp::Contact::soft_finger;

struct Textbook {
  const char* name;
  JointType type;
  std::vector<Finger> fingers;
  bool force, form;
};

Finger twisting(Finger finger, double torsion) {
  finger.contact = soft, finger.torsion = torsion;
  return finger;
}

/// Seven places on a cube of side 2 whose normals positively span all wrenches.
std::vector<Finger> seven_on_a_cube() {
  const std::vector<Vector3> places{{1, -0.8, 0.8},  {-1, 0.8, 0.4}, {-0.8, 1, 0.8},
                                    {0.8, -1, -0.8}, {0.8, 0.8, 1},  {-0.8, 0.8, 1},
                                    {-0.4, -0.8, -1}};
  std::vector<Finger> fingers;
  for (const Vector3& p : places) {
    const auto inward = [](double x) { return std::abs(x) == 1 ? -x : 0.0; };
    fingers.push_back({p, {inward(p.x), inward(p.y), inward(p.z)}, Grasp::Contact::point, 0.0, {}});
  }
  return fingers;
}

std::vector<Textbook> textbook() {
  const JointType plane = JointType::planar, space = JointType::free;
  const auto edge = [](double x, double y, double nx, double ny, double friction) {
    return Finger{{x, y, 0}, {nx, ny, 0}, Grasp::Contact::point, friction, {}};
  };
  const Vector3 tetrahedron[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  std::vector<Finger> corners;
  for (const Vector3& p : tetrahedron)
    corners.push_back({p, -1.0 * p, Grasp::Contact::point, 0.4, {}});
  std::vector<Finger> seven = seven_on_a_cube(), six = seven;
  six.pop_back();
  return {
      {"plane, two fingers opposite", plane, {on_circle(0), on_circle(pi)}, true, false},
      // The line between them leans by atan(0.6), the cones by atan(0.5).
      {"plane, two fingers outside their cones",
       plane,
       {edge(1, 0.6, -1, 0, 0.5), edge(-1, -0.6, 1, 0, 0.5)},
       false,
       false},
      {"plane, two fingers just inside",
       plane,
       {edge(1, 0.6, -1, 0, 0.61), edge(-1, -0.6, 1, 0, 0.61)},
       true,
       false},
      {"plane, three rough fingers on a disc",
       plane,
       {on_circle(0), on_circle(2 * pi / 3), on_circle(4 * pi / 3)},
       true,
       false},
      {"plane, three smooth fingers on a disc",
       plane,
       {on_circle(0, 0.0), on_circle(2 * pi / 3, 0.0), on_circle(4 * pi / 3, 0.0)},
       false,
       false},
      {"plane, four smooth fingers at the middles of a rectangle",
       plane,
       {edge(2, 0, -1, 0, 0), edge(-2, 0, 1, 0, 0), edge(0, 1, 0, -1, 0), edge(0, -1, 0, 1, 0)},
       false,
       false},
      {"plane, four smooth fingers off the middles",
       plane,
       {edge(2, 0.5, -1, 0, 0), edge(-2, -0.5, 1, 0, 0), edge(1, 1, 0, -1, 0),
        edge(-1, -1, 0, 1, 0)},
       true,
       true},
      {"plane, four smooth fingers off the middles that all turn it one way",
       plane,
       {edge(2, 0.5, -1, 0, 0), edge(-2, -0.5, 1, 0, 0), edge(-1, 1, 0, -1, 0),
        edge(1, -1, 0, 1, 0)},
       false,
       false},
      {"plane, four smooth fingers on two edges",
       plane,
       {edge(1, 1, 0, -1, 0), edge(-1, 1, 0, -1, 0), edge(1, -1, 0, 1, 0), edge(-1, -1, 0, 1, 0)},
       false,
       false},
      {"space, two point fingers", space, {on_circle(0), on_circle(pi)}, false, false},
      {"space, two soft fingers",
       space,
       {twisting(on_circle(0), 0.02), twisting(on_circle(pi), 0.02)},
       true,
       false},
      // One finger twists, the other is a point: the twist balances what the point cannot.
      {"space, a soft finger and a point",
       space,
       {twisting(on_circle(0), 0.02), on_circle(pi)},
       true,
       false},
      {"space, two soft fingers that twist without an end",
       space,
       {on_circle(0, 0.5, 1, soft), on_circle(pi, 0.5, 1, soft)},
       true,
       false},
      // The edge bears moments across itself, the point and it those about it.
      {"space, an edge and a point",
       space,
       {on_circle(0, 0.5, 1, Grasp::Contact::line), on_circle(pi)},
       true,
       false},
      {"space, an edge alone", space, {on_circle(0, 0.5, 1, Grasp::Contact::line)}, false, false},
      {"space, two soft fingers outside their cones",
       space,
       {twisting(edge(1, 0.6, -1, 0, 0.5), 0.02), twisting(edge(-1, -0.6, 1, 0, 0.5), 0.02)},
       false,
       false},
      {"space, three rough fingers on a ball",
       space,
       {on_circle(0), on_circle(2 * pi / 3), on_circle(4 * pi / 3)},
       true,
       false},
      {"space, three rough fingers in a row",
       space,
       {edge(1, 0, -1, 0, 0.5), edge(-1, 0, 1, 0, 0.5), edge(0.5, 0, 0, -1, 0.5)},
       false,
       false},
      {"space, four rough fingers at the corners of a tetrahedron", space, corners, true, false},
      {"space, seven smooth fingers on a cube", space, seven, true, true},
      {"space, six smooth fingers on a cube", space, six, false, false},
  };
}

TEST(textbook_grasps, are_decided_right) {
  ASSERT_GE(textbook().size(), 12U);
  for (const Textbook& grasp : textbook()) {
    SCOPED_TRACE(grasp.name);
    const auto found = analyse(held(grasp.type, grasp.fingers));
    EXPECT_EQ(found.force_closure.holds, grasp.force) << found.force_closure.reason;
    EXPECT_EQ(found.form_closure.holds, grasp.form) << found.form_closure.reason;
    for (const auto* verdict : {&found.force_closure, &found.form_closure}) {
      EXPECT_EQ(verdict->holds, verdict->reason.empty());
      EXPECT_EQ(verdict->holds, verdict->margin > 0) << verdict->margin;
    }
  }
}

/// Without friction a positive dependency of the normals is the whole story: seven of them have one.
TEST(textbook_grasps, seven_on_a_cube_squeeze_each_other) {
  const auto found = analyse(held(JointType::free, seven_on_a_cube()));
  Eigen::MatrixXd W(6, 7);
  for (Eigen::Index i = 0; i < 7; ++i) W.col(i) = found.map.G.view().col(3 * i + 2);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(W, Eigen::ComputeFullV);
  Eigen::VectorXd x = svd.matrixV().col(6);
  if (x.sum() < 0) x = -x;
  ASSERT_GT(svd.singularValues()[5], 0.1);
  ASSERT_GT(x.minCoeff(), 0);
  // The largest least force with none above 1.
  EXPECT_NEAR(found.form_closure.margin, x.minCoeff() / x.maxCoeff(), 1e-8);
}

/// Whoever turns a disc between smooth fingers meets no resistance.
TEST(textbook_grasps, say_which_motion_escapes) {
  const auto disc = analyse(held(JointType::planar, {on_circle(0, 0.0), on_circle(2 * pi / 3, 0.0),
                                                     on_circle(4 * pi / 3, 0.0)}));
  EXPECT_NE(disc.force_closure.reason.find("turning about the axis"), std::string::npos)
      << disc.force_closure.reason;
  EXPECT_NE(disc.force_closure.reason.find("through (0, 0, 0)"), std::string::npos)
      << disc.force_closure.reason;
  const auto pinch = analyse(held(JointType::free, {on_circle(0), on_circle(pi)}));
  EXPECT_NE(pinch.force_closure.reason.find("(1, 0, 0)"), std::string::npos)
      << pinch.force_closure.reason;
  ASSERT_EQ(pinch.loose_motions.size(), 1U);
}

/// The escape is a proof: along it no force within the cones takes work, and the object does move.
TEST(textbook_grasps, escapes_are_proofs) {
  int proved = 0;
  for (const Textbook& grasp : textbook()) {
    SCOPED_TRACE(grasp.name);
    const auto found = analyse(held(grasp.type, grasp.fingers));
    if (found.force_closure.holds) continue;
    const Eigen::Map<const Eigen::VectorXd> u(
        found.force_closure.escape.data(),
        static_cast<Eigen::Index>(found.force_closure.escape.size()));
    ASSERT_GT(u.norm(), 1e-9);
    const Eigen::VectorXd power = found.map.G.view().transpose() * u / u.norm();
    for (const auto& contact : found.map.contacts) {
      // Least power of normal force 1 and any friction force within the cone.
      const double along = std::hypot(power[contact.normal - 2], power[contact.normal - 1]);
      const double turn =
          contact.twist >= 0 ? *contact.torsion * std::abs(power[contact.twist]) : 0;
      EXPECT_GT(power[contact.normal] - *contact.friction * along - turn, -1e-6) << contact.name;
    }
    ++proved;
  }
  EXPECT_GE(proved, 6);
}

/// The squeeze is a witness: it moves nothing and has the margin that is claimed at every contact.
TEST(textbook_grasps, squeezes_are_witnesses) {
  int shown = 0;
  for (const Textbook& grasp : textbook()) {
    SCOPED_TRACE(grasp.name);
    const auto found = analyse(held(grasp.type, grasp.fingers));
    if (!found.force_closure.holds) continue;
    const Eigen::Map<const Eigen::VectorXd> c(found.force_closure.squeeze.data(),
                                              found.map.G.cols());
    EXPECT_LT((found.map.G.view() * c).norm(), 1e-12);
    for (const auto& contact : found.map.contacts) {
      const double mu = *contact.friction, normal = c[contact.normal];
      const double along = std::hypot(c[contact.normal - 2], c[contact.normal - 1]);
      EXPECT_LE(normal, 1 + 1e-8);
      EXPECT_GE(mu > 0 ? mu * normal - along : normal, found.force_closure.margin - 1e-8);
      if (contact.twist < 0 || !contact.torsion) continue;
      EXPECT_GE(mu * normal - mu / *contact.torsion * std::abs(c[contact.twist]),
                found.force_closure.margin - 1e-8);
    }
    ++shown;
  }
  EXPECT_GE(shown, 5);
}

/// Two fingers opposite: all margins end where one normal force is 1, and nothing lies along the surface.
TEST(textbook_grasps, margins_of_a_pinch_are_the_friction) {
  for (const double mu : {0.1, 0.5, 0.9, 3.0}) {
    const auto found = analyse(held(JointType::planar, {on_circle(0, mu), on_circle(pi, mu)}));
    EXPECT_NEAR(found.force_closure.margin, mu, 1e-8);
  }
  // Leaning by 0.6 with friction mu: the force along the surface is 0.6 of the normal one.
  const auto leaning = analyse(
      held(JointType::planar, {{{1, 0.6, 0}, {-1, 0, 0}, Grasp::Contact::point, 0.7, {}},
                               {{-1, -0.6, 0}, {1, 0, 0}, Grasp::Contact::point, 0.7, {}}}));
  EXPECT_NEAR(leaning.force_closure.margin, 0.1, 1e-8);
}

TEST(textbook_grasps, contacts_without_friction_given_hold_both_ways) {
  const auto welded = analyse(
      held(JointType::free, {{{1, 0, 0}, {-1, 0, 0}, Grasp::Contact::rigid, std::nullopt, {}}}));
  EXPECT_TRUE(welded.force_closure.holds);
  EXPECT_TRUE(welded.form_closure.holds);
  EXPECT_TRUE(std::isinf(welded.force_closure.margin));
  const auto balls = analyse(
      held(JointType::free, {{{1, 0, 0}, {-1, 0, 0}, Grasp::Contact::point, std::nullopt, {}},
                             {{-1, 0, 0}, {1, 0, 0}, Grasp::Contact::point, std::nullopt, {}}}));
  EXPECT_FALSE(balls.force_closure.holds);
  // A welded hand and a finger that pushes: held by the weld.
  const auto both = analyse(
      held(JointType::free,
           {{{1, 0, 0}, {-1, 0, 0}, Grasp::Contact::rigid, std::nullopt, {}}, on_circle(pi)}));
  EXPECT_TRUE(both.force_closure.holds);
}

/// Neither the unit of length nor where the object's frame lies decides.
TEST(textbook_grasps, do_not_depend_on_units_and_frames) {
  for (const Textbook& grasp : textbook())
    for (const double size : {1e-3, 1e3}) {
      SCOPED_TRACE(grasp.name);
      std::vector<Finger> fingers = grasp.fingers;
      for (Finger& finger : fingers) {
        finger.at = size * finger.at;
        if (finger.torsion) finger.torsion = size * *finger.torsion;
      }
      const auto found = analyse(held(grasp.type, fingers));
      const auto plain = analyse(held(grasp.type, grasp.fingers));
      EXPECT_EQ(found.force_closure.holds, grasp.force);
      EXPECT_EQ(found.form_closure.holds, grasp.form);
      EXPECT_NEAR(found.force_closure.margin, plain.force_closure.margin, 1e-7);
      EXPECT_EQ(found.rank, plain.rank);
    }
  for (const Textbook& grasp : textbook()) {
    if (grasp.type != JointType::free) continue;
    SCOPED_TRACE(grasp.name);
    Model model = held(grasp.type, grasp.fingers);
    const Pose moved{to_matrix(normalized(Quaternion{0.3, -0.5, 0.7, 0.2})), {0.4, -1.2, 2.0}};
    model.joints[0].pose = moved;  // the object's frame elsewhere, the contacts where they were
    for (Grasp& g : model.grasps) g.at = inverse(moved) * g.at;
    const auto found = analyse(model);
    EXPECT_EQ(found.force_closure.holds, grasp.force) << found.force_closure.reason;
    EXPECT_NEAR(found.force_closure.margin,
                analyse(held(grasp.type, grasp.fingers)).force_closure.margin, 1e-7);
  }
}

}  // namespace
}  // namespace linkwright::testing
