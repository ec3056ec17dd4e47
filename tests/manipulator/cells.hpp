#pragma once
/// Random arms on bases of every kind with an object in their hands, at a state in which all is closed.

#include <algorithm>

#include <Eigen/Dense>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/manipulator/manipulator.hpp"
#include "linkwright/spatial/group.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {

using manipulator::BaseKind;

struct Cell {
  Cell(const Model& of, const Eigen::VectorXd& q) : system(compile(of)), state(system) {
    state.q = q;
    tau.setZero(system.nv());
  }
  System system;
  State state;
  Eigen::VectorXd tau;  ///< random, zero on passive freedoms
  /// Of Ω = J M⁻¹ Jᵀ, rows that are redundant aside: largest over least eigenvalue.
  double condition = 1;
  /// What two ways to the accelerations may differ by, relative to the largest: 1e-11, or 2 κ ε where the position
  /// is worse than that.
  [[nodiscard]] double tolerance() const { return std::max(1e-11, 2 * condition * 2.2e-16); }
};

struct CellOptions {
  BaseKind base = BaseKind::fixed;
  std::vector<int> joints{7, 7};  ///< per arm
  /// Per arm, or one for all.
  std::vector<Grasp::Contact> contacts{Grasp::Contact::rigid};
  double base_mass = 20;
  bool gravity = true;
  bool holds = true;           ///< false: empty hands, no object
  bool moves = true;           ///< false: at rest
  std::vector<int> passive{};  ///< joints (of all arms in order) without a motor
};

class CellMaker : public RandomModel {
 public:
  using RandomModel::RandomModel;

  Cell make(const CellOptions& options) {
    Model model;
    model.gravity = options.gravity ? vector(10) : Vector3{};
    if (options.base == BaseKind::wheeled && options.gravity) model.gravity = {0, 0, -9.81};
    add_base(model, options);
    int count = 0;
    for (std::size_t i = 0; i < options.joints.size(); ++i)
      for (int k = 0; k < options.joints[i]; ++k, ++count) {
        add_link(model, options, static_cast<int>(i), k);
        if (std::ranges::count(options.passive, count) > 0) model.joints.back().passive = {true};
      }
    for (std::size_t i = 0; i < options.joints.size(); ++i)
      model.frames.push_back(
          {hand(i), name(static_cast<int>(i), options.joints[i] - 1), pose(0.2), {}});
    Cell cell = placed(model, options);
    const Eigen::VectorXd& q = cell.state.q;
    ClosedWorkspace work(cell.system);
    if (options.moves) {
      cell.state.v = numbers(cell.system.nv());
      if (work.rows() > 0) project_velocity(work, q, {}, cell.state.v);
      // Once more: what is left of the rows is rounding of the first.
      if (work.rows() > 0) project_velocity(work, q, {}, cell.state.v);
    }
    cell.tau = numbers(cell.system.nv(), 5);
    for (const int i : cell.system.passive_freedoms()) cell.tau[i] = 0;
    return cell;
  }

  static std::string hand(std::size_t arm) { return "hand" + std::to_string(arm); }
  static std::string name(int arm, int k) {
    return "arm" + std::to_string(arm) + "_" + std::to_string(k);
  }

  static double condition_of(const Cell& cell) {
    ClosedWorkspace work(cell.system);
    if (work.rows() == 0) return 1;
    Eigen::MatrixXd J(work.rows(), cell.system.nv()), M(J.cols(), J.cols());
    compute_closure_jacobian(work, cell.state.q, J);
    compute_mass_matrix(work, cell.state.q, M);
    const Eigen::MatrixXd Y = Eigen::LLT<Eigen::MatrixXd>(M).matrixL().solve(J.transpose());
    const Eigen::MatrixXd Omega = Y.transpose() * Y;
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Omega, Eigen::EigenvaluesOnly).eigenvalues();
    const double most = values[values.size() - 1];
    double least = most;
    for (const double value : values)
      if (value > 1e-12 * most) least = std::min(least, value);
    return most / least;
  }

 private:
  /// With the part `c` of √(K_ii K_jj) off the diagonal: positive definite for −1/5 < c < 1.
  static PoseMatrix coupled(PoseMatrix K, double c) {
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        if (i != j) K.rows[i][j] = c * std::sqrt(K.rows[i][i] * K.rows[j][j]);
    return K;
  }
  void add_base(Model& model, const CellOptions& options) {
    if (options.base == BaseKind::fixed) return;
    Body base = body("base");
    const double share = options.base_mass / base.mass;
    base.mass *= share;
    for (double* entry : {&base.inertia.xx, &base.inertia.yy, &base.inertia.zz, &base.inertia.xy,
                          &base.inertia.xz, &base.inertia.yz})
      *entry *= share;
    model.bodies.push_back(base);
    Joint joint{.name = "base", .type = JointType::free, .parent = "world", .child = "base"};
    if (options.base == BaseKind::planar) joint.type = JointType::planar, joint.axis = {0, 0, 1};
    if (options.base == BaseKind::flexible)
      model.flexible_bases.push_back({.joint = "base",
                                      .stiffness = coupled({400, 500, 600, 3000, 4000, 5000}, 0.3),
                                      .damping = coupled({4, 5, 6, 30, 40, 50}, -0.1)});
    if (options.base == BaseKind::jointed) return add_beam(model);
    model.joints.push_back(joint);
    if (options.base == BaseKind::wheeled) add_wheels(model);
  }
  /// A beam that two elastic joints without motors let bend; the base is at its end.
  void add_beam(Model& model) {
    model.bodies.push_back(body("beam"));
    Joint root = joint("root", JointType::revolute, "world", "beam");
    Joint last = joint("base", JointType::universal, "beam", "base");
    root.passive = last.passive = {true};
    model.joint_springs.push_back({.joint = "root", .stiffness = 800, .damping = 5});
    for (const int i : {0, 1})
      model.joint_springs.push_back(
          {.joint = "base", .freedom = i, .stiffness = 500, .damping = 3});
    model.joints.push_back(root), model.joints.push_back(last);
  }
  /// Two discs on a common axle and a ball in front, on the plane z = 0.
  void add_wheels(Model& model) {
    const auto add = [&](const std::string& wheel, JointType type, Vector3 at, bool disc) {
      Body b = body(wheel);
      b.com = {};
      model.bodies.push_back(b);
      Joint joint{.name = wheel, .type = type, .parent = "base", .child = wheel};
      joint.pose.translation = at, joint.axis = {0, 1, 0};
      if (!disc) joint.passive = {true};
      model.joints.push_back(joint);
      Closure rolling{.name = "roll_" + wheel,
                      .kind = Closure::Kind::rolling,
                      .body_a = "world",
                      .body_b = wheel};
      rolling.axis = {0, 0, 1}, rolling.axis2 = {0, 1, 0};
      rolling.disc = disc, rolling.distance = wheel_radius;
      model.closures.push_back(rolling);
    };
    add("left_wheel", JointType::revolute, {0, 0.4, 0}, true);
    add("right_wheel", JointType::revolute, {0, -0.4, 0}, true);
    add("caster", JointType::spherical, {0.5, 0, 0}, false);
  }
  void add_link(Model& model, const CellOptions& options, int arm, int k) {
    const std::string parent = k > 0                             ? name(arm, k - 1)
                               : options.base == BaseKind::fixed ? "world"
                                                                 : "base";
    model.bodies.push_back(body(name(arm, k)));
    model.joints.push_back(joint(name(arm, k), JointType::revolute, parent, name(arm, k)));
    model.joints.back().pose.translation = vector(0.4);
    if (integer(0, 3) == 0) model.joints.back().rotor_inertia = {between(0.01, 0.2)};
    if (integer(0, 3) == 0) model.joints.back().damping = {between(0.1, 1)};
  }
  Eigen::VectorXd open_position(const Model& model, const CellOptions& options) {
    const System open = compile(model);
    Eigen::VectorXd q(open.nq());
    compute_neutral(open, q);
    for (const JointPlace& joint : open.joints()) {
      if (joint.type == JointType::revolute) q[joint.q] = between(-2, 2);
      if (joint.name == "root") q[joint.q] = between(-0.1, 0.1);
      if (joint.name != "base") continue;
      if (options.base == BaseKind::wheeled)
        q.segment(joint.q + 4, 3) << between(-1, 1), between(-1, 1), wheel_radius;
      else if (joint.type == JointType::free)
        put_pose(small_pose(), q.segment(joint.q, 7));
      else
        q.segment(joint.q, joint.nq) = numbers(joint.nq);
    }
    return q;
  }
  Cell placed(const Model& model, const CellOptions& options) {
    Model closed = model;
    Eigen::VectorXd q = open_position(model, options);
    if (options.holds) q = add_object(closed, options, q);
    Cell cell(closed, q);
    cell.condition = condition_of(cell);
    return cell;
  }
  Pose small_pose() { return {spatial::from_rpy(vector(0.3)), vector(0.3)}; }
  static void put_pose(const Pose& pose, Eigen::Ref<Eigen::VectorXd> q) {
    const auto r = spatial::to_quaternion(pose.rotation);
    q << r.w, r.x, r.y, r.z, pose.translation.x, pose.translation.y, pose.translation.z;
  }
  /// A box somewhere, and grasps where the hands are.
  Eigen::VectorXd add_object(Model& model, const CellOptions& options, const Eigen::VectorXd& q) {
    const System open = compile(model);
    Workspace work(open, Closures::leave_out);
    State state(open);
    state.q = q;
    compute_forward_kinematics(work, state, Eigen::VectorXd::Zero(open.nv()));
    const Pose at = pose(0.5);
    for (std::size_t i = 0; i < options.joints.size(); ++i) {
      Grasp grasp{.name = "grasp" + std::to_string(i), .arm = hand(i), .object = "box"};
      grasp.at = inverse(at) * frame_pose(work, open.frame(hand(i)));
      grasp.contact = options.contacts[options.contacts.size() == 1 ? 0 : i];
      grasp.normal = direction(), grasp.axis = direction();
      if (grasp.contact == Grasp::Contact::point) grasp.at.rotation = spatial::from_rpy(vector(1));
      model.grasps.push_back(grasp);
    }
    model.bodies.push_back(body("box"));
    model.objects.push_back("box");
    model.joints.push_back(
        {.name = "box", .type = JointType::free, .parent = "world", .child = "box"});
    Eigen::VectorXd all(q.size() + 7);
    all.head(q.size()) = q;
    put_pose(at, all.tail(7));
    return all;
  }

  static constexpr double wheel_radius = 0.15;
};

/// Largest difference, relative to the largest entry of `right` (at least 1).
inline double difference(const Eigen::VectorXd& left, const Eigen::VectorXd& right) {
  if (right.size() == 0) return 0;
  return (left - right).cwiseAbs().maxCoeff() / std::max(1.0, right.cwiseAbs().maxCoeff());
}

}  // namespace linkwright::testing
