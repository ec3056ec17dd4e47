#include "operators/identities.hpp"

#include <cmath>

namespace linkwright::testing {
namespace {

Model chain(int links, RandomModel& random) {
  Model model;
  model.gravity = random.vector(10);
  for (int k = 0; k < links; ++k) {
    const std::string name = "body" + std::to_string(k);
    const JointType type = random.integer(0, 2) == 0 ? JointType::prismatic : JointType::revolute;
    model.bodies.push_back(random.body(name));
    model.joints.push_back(random.joint("joint" + std::to_string(k), type,
                                        k == 0 ? "world" : "body" + std::to_string(k - 1), name));
  }
  model.frames.push_back({"tip", model.bodies.back().name, random.pose(0.4), {}});
  return model;
}

}  // namespace

NamedCase::NamedCase(std::string of, const Model& model, unsigned seed)
    : Case(model, seed), name(std::move(of)) {
  at.set_tips(std::vector<std::string>{"tip", "body1"});
}

MatrixXd by_columns(Eigen::Index rows, Eigen::Index columns,
                    const std::function<void(const VectorXd& x, VectorXd& y)>& compute) {
  MatrixXd out(rows, columns);
  VectorXd y(rows);
  for (Eigen::Index c = 0; c < columns; ++c) {
    y.setConstant(std::nan(""));
    compute(VectorXd::Unit(columns, c), y);
    out.col(c) = y;
  }
  return out;
}

void expect_near(const NamedCase& c, const MatrixXd& a, const MatrixXd& b,
                 const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << c.name << ": " << what;
  ASSERT_EQ(a.cols(), b.cols()) << c.name << ": " << what;
  EXPECT_LE((a - b).norm(), c.bound * (1 + a.norm())) << c.name << ": " << what;
}

Model Identities::tree(unsigned seed) {
  RandomModel random(seed);
  if (seed >= first_chain) return chain(3 + static_cast<int>(seed - first_chain), random);
  const std::vector<JointType> simple{JointType::revolute, JointType::prismatic};
  const std::vector<JointType> types = seed % 3 == 0 ? simple : all_joint_types();
  return random.tree(2 + static_cast<int>(seed % 5), static_cast<Base>(seed / 3 % 3), types);
}

NamedCase Identities::make(unsigned seed) {
  Model model = tree(seed);
  for (Joint& joint : model.joints) joint.rotor_inertia.clear();
  return {"seed " + std::to_string(seed), model, seed};
}

}  // namespace linkwright::testing
