// Grasps: which rotations a contact lets free, what it carries, how far it is from letting go.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/grasp_contacts.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"
#include "support/squeezed_box.hpp"

namespace linkwright::testing {
namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;
using Contact = Grasp::Contact;

Vector3d to_eigen3(const Vector3& v) { return {v.x, v.y, v.z}; }
Matrix3d to_eigen3(const Matrix3& R) {
  Matrix3d out;
  out << to_eigen3(R.column_x()), to_eigen3(R.column_y()), to_eigen3(R.column_z());
  return out;
}

/// A free hand and a free object that meet in one contact.
struct Pair {
  Grasp grasp;
  std::unique_ptr<System> system;
  State state;

  Pair(RandomModel& random, Contact contact) {
    Model model;
    model.bodies = {random.body("hand"), random.body("object")};
    for (const char* name : {"hand", "object"})
      model.joints.push_back({.name = std::string(name) + "_flies",
                              .type = JointType::free,
                              .parent = "world",
                              .child = name});
    grasp = {.name = "touch", .arm = "hand", .object = "object", .contact = contact};
    grasp.at = random.pose(0.5);
    grasp.normal = random.direction(), grasp.axis = random.direction();
    model.grasps = {grasp};
    system = std::make_unique<System>(compile(model));
    state = random.state(*system);
    place_hand();
  }
  /// The hand's frame is brought to the contact frame.
  void place_hand() {
    Workspace work(*system, Closures::leave_out);
    compute_forward_kinematics(work, state, VectorXd::Zero(system->nv()));
    const Pose contact = frame_pose(work, system->frame("object")) * grasp.at;
    const Quaternion q = spatial::to_quaternion(contact.rotation);
    const Vector3& p = contact.translation;
    state.q.segment(system->joint("hand_flies").q, 7) << q.w, q.x, q.y, q.z, p.x, p.y, p.z;
  }
  /// Angular velocities of the object relative to the hand, in the contact's axes, per allowed motion.
  [[nodiscard]] MatrixXd relative_turns() const {
    ClosedWorkspace work(*system);
    MatrixXd J(work.rows(), system->nv()), hand(6, system->nv()), object(6, system->nv());
    compute_closure_jacobian(work, state.q, J);
    compute_jacobian(work.tree(), state.q, system->frame("hand"), Axes::world, hand);
    compute_jacobian(work.tree(), state.q, system->frame("object"), Axes::world, object);
    compute_forward_kinematics(work.tree(), state, VectorXd::Zero(system->nv()));
    const Matrix3d R =
        to_eigen3((frame_pose(work.tree(), system->frame("object")) * grasp.at).rotation);
    const MatrixXd N = Eigen::FullPivLU<MatrixXd>(J).kernel();
    EXPECT_EQ(N.cols(), 12 - row_count(grasp));
    return R.transpose() * (object - hand).topRows(3) * N;
  }
};

int rank_of(const MatrixXd& m) {
  Eigen::JacobiSVD<MatrixXd> svd(m);
  return static_cast<int>((svd.singularValues().array() > 1e-10).count());
}

TEST(GraspContacts, rigid_blocks_all_rotations_line_all_but_one_soft_finger_the_twist_point_none) {
  RandomModel random(71);
  for (int i = 0; i < 10; ++i) {
    EXPECT_LT(Pair(random, Contact::rigid).relative_turns().cwiseAbs().maxCoeff(), 1e-10);

    const Pair line(random, Contact::line);
    const MatrixXd rolls = line.relative_turns();
    EXPECT_EQ(rank_of(rolls), 1);
    const Vector3d axis = to_eigen3(line.grasp.axis).normalized();
    EXPECT_LT((rolls - axis * (axis.transpose() * rolls)).cwiseAbs().maxCoeff(), 1e-10);

    const Pair soft(random, Contact::soft_finger);
    const MatrixXd turns = soft.relative_turns();
    EXPECT_EQ(rank_of(turns), 2);
    EXPECT_LT((to_eigen3(soft.grasp.normal).transpose() * turns).cwiseAbs().maxCoeff(), 1e-10)
        << "a soft finger cannot twist";

    const Pair point(random, Contact::point);
    const MatrixXd all = point.relative_turns();
    EXPECT_EQ(rank_of(all), 3);
    EXPECT_GT((to_eigen3(point.grasp.normal).transpose() * all).cwiseAbs().maxCoeff(), 1e-3)
        << "a point contact can";
  }
}

/// The object turns about an axis of its contact frame while the hand stands; the velocity obeys the contact.
void roll(const Pair& pair, const Vector3& axis, double angle, VectorXd& q) {
  const System& system = *pair.system;
  ClosedWorkspace work(system);
  MatrixXd J(work.rows(), system.nv());
  constexpr int parts = 64;
  const Pose& at = pair.grasp.at;
  const Vector3 turn = at.rotation * ((angle / parts) * axis);
  const Vector3 slide = -cross(turn, at.translation);
  VectorXd v = VectorXd::Zero(system.nv());
  v.segment(system.joint("object_flies").v, 6) << turn.x, turn.y, turn.z, slide.x, slide.y, slide.z;
  for (int i = 0; i < parts; ++i) {
    compute_closure_jacobian(work, q, J);
    ASSERT_LT((J * v).cwiseAbs().maxCoeff(), 1e-12 * (1 + std::abs(angle)));
    compute_integral(system, q, v, 1, q);
  }
}

/// Two freedoms at a time, yet every attitude: rolling over by a quarter turn, sideways by ψ and back is a
/// twist by ψ about the normal, which no velocity may have.
TEST(GraspContacts, a_soft_finger_rolls_into_every_attitude) {
  RandomModel random(72);
  for (const double twist : {0.3, -1.2, 2.8}) {
    Pair pair(random, Contact::soft_finger);
    pair.grasp.normal = {0, 0, 1};
    Model model = pair.system->model();
    model.grasps = {pair.grasp};
    pair.system = std::make_unique<System>(compile(model));
    pair.place_hand();
    ClosedWorkspace work(*pair.system);
    std::vector<Quaternion> attitude(1);
    VectorXd q = pair.state.q;
    compute_contact_attitudes(work, q, attitude);
    EXPECT_NEAR(attitude[0].w, 1, 1e-14);
    roll(pair, {1, 0, 0}, std::numbers::pi / 2, q);
    roll(pair, {0, 1, 0}, twist, q);
    roll(pair, {1, 0, 0}, -std::numbers::pi / 2, q);
    compute_contact_attitudes(work, q, attitude);
    EXPECT_NEAR(attitude[0].w, std::cos(twist / 2), 1e-12);
    EXPECT_NEAR(attitude[0].x, 0, 1e-12);
    EXPECT_NEAR(attitude[0].y, 0, 1e-12);
    EXPECT_NEAR(std::abs(attitude[0].z), std::abs(std::sin(twist / 2)), 1e-12);
    EXPECT_LT(compute_worst_closure(work, q).gap(), 1e-12) << "and the contact never opened";
  }
}

/// Around a small square of rolling the holonomy is a twist by its area.
TEST(GraspContacts, rolling_around_a_loop_leaves_a_twist_of_its_area) {
  RandomModel random(73);
  Pair pair(random, Contact::soft_finger);
  const Vector3 n = pair.grasp.normal;
  const Vector3 away = std::abs(n.x) < 0.7 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  Vector3 e1 = cross(n, away);
  e1 = (1 / norm(e1)) * e1;
  const Vector3 e2 = cross(n, e1);
  ClosedWorkspace work(*pair.system);
  std::vector<Quaternion> attitude(1);
  double before = 0;
  for (const double side : {0.08, 0.04, 0.02}) {
    VectorXd q = pair.state.q;
    roll(pair, e1, side, q);
    roll(pair, e2, side, q);
    roll(pair, e1, -side, q);
    roll(pair, e2, -side, q);
    compute_contact_attitudes(work, q, attitude);
    const Vector3 turn = spatial::log_rotation(attitude[0]);
    const double twist = dot(n, turn);
    EXPECT_NEAR(twist, side * side, side * side * side);
    EXPECT_GT(std::abs(twist), 1e-5);
    if (before != 0) {
      EXPECT_NEAR(before / twist, 4, 0.2);
    }
    before = twist;
  }
}

TEST(GraspContacts, the_margin_is_what_the_tangential_force_may_grow_by) {
  Grasp grasp{.name = "g", .contact = Contact::soft_finger, .normal = {0, 0, 2}};
  const Force force{{1, 2, -0.3}, {3, 4, 20}};
  EXPECT_EQ(to_contact_force(grasp, force).margin, std::numeric_limits<double>::infinity());
  grasp.friction = 0.5;
  ContactForce carried = to_contact_force(grasp, force);
  EXPECT_DOUBLE_EQ(carried.normal, 20);
  EXPECT_DOUBLE_EQ(carried.tangential, 5);
  EXPECT_DOUBLE_EQ(carried.moment, -0.3);
  EXPECT_DOUBLE_EQ(carried.margin, 5);
  EXPECT_DOUBLE_EQ(holding_force(grasp, carried), 10);
  grasp.torsion = 0.02;  // holds 0.4 N·m; 0.3 of them are as much as 7.5 of 10 N
  carried = to_contact_force(grasp, force);
  EXPECT_DOUBLE_EQ(carried.margin, 2.5);
  EXPECT_DOUBLE_EQ(holding_force(grasp, carried), 15);
  EXPECT_EQ(find_loss(grasp, carried), ContactLoss::twists);
  // A tangential force that grows by the margin slips.
  grasp.torsion.reset();
  carried = to_contact_force(grasp, {{}, {0, 10, 20}});
  EXPECT_DOUBLE_EQ(carried.margin, 0);
  EXPECT_EQ(find_loss(grasp, carried), ContactLoss::slips);
  carried = to_contact_force(grasp, {{}, {0, 0, -3}});
  EXPECT_LT(carried.margin, 0);
  EXPECT_EQ(find_loss(grasp, carried), ContactLoss::opens);
  grasp.friction = 0;
  EXPECT_DOUBLE_EQ(to_contact_force(grasp, {{}, {0, 0, 5}}).margin, 0);
  EXPECT_DOUBLE_EQ(to_contact_force(grasp, {{}, {0, 1, 5}}).margin, -1);
  EXPECT_DOUBLE_EQ(to_contact_force(grasp, {{}, {0, 0, -5}}).margin, -5);
}

std::vector<ContactForce> carried_under(const System& system, double force) {
  ClosedWorkspace work(system);
  VectorXd a(system.nv());
  compute_forward_dynamics(work, State(system), squeeze(system, force), {}, a);
  EXPECT_LT(a.cwiseAbs().maxCoeff(), 1e-12) << "it stands";
  std::vector<ContactForce> carried(2);
  contact_forces(work, carried);
  return carried;
}

/// Half the weight at each finger, whatever the contacts; the box is on the edge of slipping where
/// friction times the squeeze is that.
TEST(GraspContacts, a_squeezed_box_carries_half_its_weight_at_each_finger) {
  for (const char* left : {"soft_finger", "point", "line"})
    for (const char* right : {"soft_finger", "point"}) {
      SqueezedBox box{.left = left, .right = right};
      const System system = compile(box.model());
      for (const double part : {0.5, 1.0, 2.0}) {
        const double force = part * box.least_squeeze();
        for (const ContactForce& carried : carried_under(system, force)) {
          EXPECT_NEAR(carried.normal, force, 1e-11 * force);
          EXPECT_NEAR(carried.tangential, box.mass * box.g / 2, 1e-11 * force);
          EXPECT_NEAR(carried.moment, 0, 1e-12 * force);
          EXPECT_NEAR(carried.margin, box.friction * (force - box.least_squeeze()), 1e-11 * force);
        }
      }
    }
}

/// A soft finger alone keeps a box that hangs aside from turning about the line between the fingers.
TEST(GraspContacts, the_soft_finger_carries_the_whole_twist_beside_a_point) {
  SqueezedBox box{.torsion = 0.02, .aside = 0.03};
  const System system = compile(box.model());
  const double force = 100, weight = box.mass * box.g;
  const std::vector<ContactForce> carried = carried_under(system, force);
  EXPECT_NEAR(std::abs(carried[0].moment), weight * box.aside, 1e-11);
  EXPECT_NEAR(carried[0].margin,
              box.friction * force - box.friction / box.torsion * weight * box.aside, 1e-9);
  EXPECT_EQ(find_loss(system.model().grasps[0], carried[0]), ContactLoss::twists);
  EXPECT_NEAR(carried[1].margin, box.friction * force - weight / 2, 1e-9)
      << "a point knows no moment";
  // Two soft fingers share it; that they do so evenly is the choice of least norm.
  box.right = "soft_finger";
  const std::vector<ContactForce> shared = carried_under(compile(box.model()), force);
  EXPECT_NEAR(std::abs(shared[0].moment), weight * box.aside / 2, 1e-11);
  EXPECT_NEAR(std::abs(shared[1].moment), weight * box.aside / 2, 1e-11);
}

TEST(GraspContacts, what_was_not_computed_is_not_read) {
  const System system = compile(SqueezedBox{}.model());
  ClosedWorkspace work(system);
  std::vector<ContactForce> carried(2), one(1);
  EXPECT_THROW(contact_forces(work, carried), Error);
  VectorXd a(system.nv());
  compute_forward_dynamics(work, State(system), squeeze(system, 10), {}, a);
  EXPECT_THROW(contact_forces(work, one), Error);
  EXPECT_NO_THROW(contact_forces(work, carried));
  std::vector<Quaternion> attitudes(2);
  compute_contact_attitudes(work, State(system).q, attitudes);
  EXPECT_THROW(contact_forces(work, carried), Error) << "something else was placed in between";
}

TEST(GraspContacts, a_loss_is_told_with_what_would_hold_it) {
  const System system = compile(SqueezedBox{.torsion = 0.02}.model());
  const Grasp& grasp = system.model().grasps[0];
  const auto told = [&](const Force& force) {
    return describe_loss(system, 0, to_contact_force(grasp, force));
  };
  EXPECT_EQ(told({{}, {20, 0, 12}}),
            "contact 'l' slips: it carries 12 N along the surface, and 20 N on it hold 10 N "
            "(margin -2 N). A "
            "normal force of 24 N would hold it, 4 N more");
  EXPECT_EQ(told({{0.5, 0, 0}, {20, 0, 0}}),
            "contact 'l' twists: it carries 0.5 N*m about its normal, and 20 N on it hold 0.4 N*m "
            "(margin -2.5 "
            "N). A normal force of 25 N would hold it, 5 N more");
  EXPECT_EQ(told({{}, {-3, 0, 0}}),
            "contact 'l' opens: it would have to pull with 3 N (margin -1.5 N). It must be pressed "
            "with 3 N more "
            "to stay closed");
  EXPECT_EQ(told({{}, {0, 0, 5}}),
            "contact 'l' opens: nothing presses it, and it carries 5 N along the surface (margin "
            "-5 N). A normal "
            "force of 10 N would hold it, 10 N more");
  EXPECT_EQ(told({{}, {20, 10, 0}}),
            "contact 'l' slips: it carries 10 N along the surface, all that 20 N on it hold");
  EXPECT_EQ(told({{}, {-3, 0, 1}}),
            "contact 'l' opens: it would have to pull with 3 N (margin -2.5 N). A normal force of "
            "2 N would "
            "hold it, 5 N more");
}

}  // namespace
}  // namespace linkwright::testing
