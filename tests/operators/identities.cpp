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

/// Some of them with aggregates that hang on aggregates.
ClosedMechanism closed(RandomMechanism& random) {
  return random.closed(random.integer(3, 6), random.integer(1, 3),
                       static_cast<Base>(random.integer(0, 2)), all_joint_types());
}
void clear_rotors(Model& model) {
  for (Joint& joint : model.joints) joint.rotor_inertia.clear();
}

}  // namespace

NamedCase::NamedCase(std::string of, const Model& model, unsigned seed)
    : Case(model, seed), name(std::move(of)) {
  at.set_tips(std::vector<std::string>{"tip", "body1"});
}

NamedCase::NamedCase(std::string of, const ClosedMechanism& made)
    : Case(made), name(std::move(of)) {
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
  const std::string name = "seed " + std::to_string(seed);
  if (seed >= first_closed) {
    RandomMechanism random(seed);
    ClosedMechanism made = closed(random);
    clear_rotors(made.model);
    return {name, made};
  }
  Model model = tree(seed);
  clear_rotors(model);
  return {name, model, seed};
}

NamedCase Identities::make_with_rotors(unsigned seed) {
  const std::string name = "rotors, seed " + std::to_string(seed);
  RandomMechanism random(seed);
  const auto add = [&](Model& model) {
    for (Joint& joint : model.joints)
      if (velocity_count(joint) > 0) joint.rotor_inertia = {random.between(0.1, 1)};
  };
  if (seed >= first_closed) {
    ClosedMechanism made = closed(random);
    add(made.model);
    random.enliven(made.model);
    return {name, made};
  }
  Model model = random.tree(4, static_cast<Base>(seed % 3), all_joint_types());
  add(model);
  return {name, model, seed};
}

}  // namespace linkwright::testing
