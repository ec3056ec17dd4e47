#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include "linkwright/io/system_file.hpp"
#include "support/files.hpp"

namespace linkwright {
namespace {

struct Row {
  bool prismatic;
  double theta, d, a, alpha, offset;
};

// The textbook's matrices, written out independently of the reader.
Eigen::Matrix4d screw_z(double angle, double along) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).matrix();
  m(2, 3) = along;
  return m;
}
Eigen::Matrix4d screw_x(double angle, double along) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).matrix();
  m(0, 3) = along;
  return m;
}
Eigen::Matrix4d variable(const Row& row, double q) {
  return row.prismatic ? screw_z(row.theta, row.d + row.offset + q)
                       : screw_z(row.theta + row.offset + q, row.d);
}

Eigen::Matrix4d to_matrix4(const Pose& pose) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = to_eigen(pose.rotation);
  m.topRightCorner<3, 1>() = to_eigen(pose.translation);
  return m;
}

/// Where every link and frame of a model of revolute and prismatic joints is.
std::map<std::string, Eigen::Matrix4d> places(const Model& model, const std::vector<double>& q) {
  std::map<std::string, Eigen::Matrix4d> at{{"world", Eigen::Matrix4d::Identity()}};
  std::size_t k = 0;
  for (const Joint& joint : model.joints) {
    Pose motion;
    if (joint.type == JointType::revolute)
      motion.rotation = spatial::to_matrix(spatial::exp_rotation(q.at(k++) * joint.axis));
    if (joint.type == JointType::prismatic) motion.translation = q.at(k++) * joint.axis;
    at[joint.child] = at.at(joint.parent) * to_matrix4(joint.pose * motion);
  }
  for (const Frame& frame : model.frames)
    at[frame.name] = at.at(frame.body) * to_matrix4(frame.pose);
  return at;
}

std::vector<Row> random_rows(std::mt19937& random, int n) {
  std::uniform_real_distribution<double> u(-2, 2);
  std::vector<Row> rows;
  for (int i = 0; i < n; ++i)
    rows.push_back({i % 3 == 1, u(random), u(random), u(random), u(random), u(random)});
  return rows;
}

std::string table(const std::string& convention, const std::vector<Row>& rows) {
  std::ostringstream text;
  text.precision(17);
  text << "linkwright: 1\ndh:\n- convention: " << convention << "\n  links:\n";
  for (const Row& row : rows)
    text << "  - {type: " << (row.prismatic ? "prismatic" : "revolute") << ", theta: " << row.theta
         << ", d: " << row.d << ", a: " << row.a << ", alpha: " << row.alpha
         << ", offset: " << row.offset
         << ", mass: 2, com: [0.1, 0.2, 0.3], inertia: [1, 2, 2.5, 0.1, 0.2, 0.3]}\n";
  return text.str();
}

std::vector<double> random_q(std::mt19937& random, std::size_t n) {
  std::uniform_real_distribution<double> u(-3, 3);
  std::vector<double> q(n);
  for (double& x : q) x = u(random);
  return q;
}

TEST(DhTable, StandardFramesAreTheTextbooksAtEveryPosition) {
  std::mt19937 random(3);
  const auto rows = random_rows(random, 6);
  const Model model = parse_system_file(table("standard", rows), "dh.yaml");
  for (int trial = 0; trial < 10; ++trial) {
    const auto q = random_q(random, rows.size());
    const auto at = places(model, q);
    Eigen::Matrix4d expected = Eigen::Matrix4d::Identity();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      expected *= variable(rows[i], q[i]) * screw_x(rows[i].alpha, rows[i].a);
      EXPECT_LT((at.at("link" + std::to_string(i + 1)) - expected).norm(), 1e-12);
    }
  }
}

TEST(DhTable, ModifiedFramesAreTheTextbooksAtEveryPosition) {
  std::mt19937 random(4);
  const auto rows = random_rows(random, 6);
  const Model model = parse_system_file(table("modified", rows), "dh.yaml");
  const auto q = random_q(random, rows.size());
  const auto at = places(model, q);
  Eigen::Matrix4d expected = Eigen::Matrix4d::Identity();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expected *= screw_x(rows[i].alpha, rows[i].a) * variable(rows[i], q[i]);
    EXPECT_LT((at.at("link" + std::to_string(i + 1)) - expected).norm(), 1e-12);
  }
}

// The same arm in both conventions: a and alpha move one row down.
TEST(DhTable, BothConventionsDescribeTheSameArm) {
  std::mt19937 random(5);
  const auto standard = random_rows(random, 6);
  auto modified = standard;
  for (std::size_t i = 0; i < modified.size(); ++i) {
    modified[i].a = i == 0 ? 0 : standard[i - 1].a;
    modified[i].alpha = i == 0 ? 0 : standard[i - 1].alpha;
  }
  const Model s = parse_system_file(table("standard", standard), "dh.yaml");
  const Model m = parse_system_file(table("modified", modified), "dh.yaml");
  const auto q = random_q(random, standard.size());
  const auto in_s = places(s, q), in_m = places(m, q);
  for (std::size_t i = 1; i <= standard.size(); ++i) {
    const std::string link = "link" + std::to_string(i);
    EXPECT_LT((in_s.at(link + "_body") - in_m.at(link)).norm(), 1e-12) << link;
  }
}

TEST(DhTable, MassIsWhereTheTablesFrameSaysItIs) {
  std::mt19937 random(6);
  const auto rows = random_rows(random, 4);
  const Model model = parse_system_file(table("standard", rows), "dh.yaml");
  const auto at = places(model, random_q(random, rows.size()));
  const Eigen::Vector4d com(0.1, 0.2, 0.3, 1);
  Eigen::Matrix3d inertia;
  inertia << 1, 0.1, 0.2, 0.1, 2, 0.3, 0.2, 0.3, 2.5;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Body& body = model.bodies[i];
    const Eigen::Matrix4d& X = at.at("link" + std::to_string(i + 1));
    const Eigen::Matrix4d& B = at.at(body.name);
    const Eigen::Vector3d got = (B * to_eigen(body.com).homogeneous()).head<3>();
    EXPECT_LT((got - (X * com).head<3>()).norm(), 1e-12);
    const Eigen::Matrix3d R = X.topLeftCorner<3, 3>(), S = B.topLeftCorner<3, 3>();
    EXPECT_LT(
        (S * to_eigen(to_full(body.inertia)) * S.transpose() - R * inertia * R.transpose()).norm(),
        1e-12);
  }
}

TEST(DhTable, MotorValuesAreFeltThroughTheGear) {
  const Model model = parse_system_file(
      "linkwright: 1\ndh: [{convention: standard, links: [{mass: 1, inertia: [1, 1, 1, 0, 0, 0], "
      "gear: -10, rotor_inertia: 0.002, damping: 0.003, friction: {forward: 0.1, backward: "
      "0.2}}]}]",
      "dh.yaml");
  const Joint& joint = model.joints.at(0);
  EXPECT_DOUBLE_EQ(joint.rotor_inertia.at(0), 0.2);
  EXPECT_DOUBLE_EQ(joint.damping.at(0), 0.3);
  EXPECT_DOUBLE_EQ(joint.friction.at(0).forward, 1);
  EXPECT_DOUBLE_EQ(joint.friction.at(0).backward, 2);
}

TEST(DhTable, PlacePrefixAndBase) {
  const std::string links = "links: [{mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]";
  const Model fixed = parse_system_file(
      "linkwright: 1\ndh: [{name: a, convention: modified, pose: {xyz: [1, 2, 3]}, " + links + "}]",
      "dh.yaml");
  EXPECT_EQ(fixed.joints.at(0).name, "a/joint1");
  EXPECT_EQ(fixed.joints.at(0).parent, "world");
  EXPECT_EQ(fixed.bodies.at(0).name, "a/link1");
  EXPECT_EQ(fixed.joints.at(0).pose.translation.z, 3);
  const Model free = parse_system_file(
      "linkwright: 1\ndh: [{convention: standard, base: free, pose: {xyz: [1, 2, 3]}, "
      "base_link: {mass: 5, inertia: [1, 1, 1, 0, 0, 0]}, " +
          links + "}]",
      "dh.yaml");
  EXPECT_EQ(free.joints.at(0).type, JointType::free);
  EXPECT_EQ(free.joints.at(0).pose.translation.z, 3);
  EXPECT_EQ(free.bodies.at(0).mass, 5);
  EXPECT_EQ(free.joints.at(1).parent, "base_link");
  EXPECT_EQ(free.joints.at(1).pose.translation.z, 0);
}

}  // namespace
}  // namespace linkwright
