/// Bricard's linkage as a benchmark of mechanisms that counting calls rigid: one freedom, one redundant row,
/// and the position after one second of falling (IFToMM library of benchmark problems, A04).

#include <gtest/gtest.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/mobility.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::VectorXd;

/// Rods of 1 m and 1 kg, of square section 0.1 m.
Model linkage() {
  Model model = read_model(LINKWRIGHT_SOURCE_DIR "/models/bricard.yaml");
  constexpr double across = 1.01 / 12, along = 0.02 / 12;
  for (Body& body : model.bodies) {
    const auto moment = [](double com) { return com != 0 ? along : across; };
    body.inertia = {moment(body.com.x), moment(body.com.y), moment(body.com.z), 0, 0, 0};
  }
  return model;
}

TEST(Bricard, has_one_freedom_and_one_redundant_row_which_is_named) {
  const System system = compile(linkage());
  ClosedWorkspace work(system);
  const Mobility found = compute_mobility(work, VectorXd::Zero(system.nv()));
  EXPECT_EQ(found.mobility, 1);
  EXPECT_EQ(found.grubler, 0);
  EXPECT_EQ(found.rows, 5);
  EXPECT_EQ(found.rank, 4);
  ASSERT_EQ(found.redundant.size(), 1U);
  EXPECT_EQ(found.redundant[0].closure, "hinge6");
  EXPECT_EQ(found.redundant[0].rows, 1);
  EXPECT_FALSE(found.singular);
  EXPECT_TRUE(found.idle.empty());
  EXPECT_EQ(found.internal_forces.size(), 5U);
}

/// Of position and velocity.
struct Rates {
  VectorXd v, a;
};

/// Runge and Kutta's method of fourth order, moved back onto the closures after every step.
class Fall {
 public:
  explicit Fall(const System& system) : system_(system), work_(system), state_(system) {}

  void step(double h) {
    const VectorXd zero = VectorXd::Zero(system_.nv());
    const Rates k1 = rates(zero, zero), k2 = rates(h / 2 * k1.v, h / 2 * k1.a),
                k3 = rates(h / 2 * k2.v, h / 2 * k2.a), k4 = rates(h * k3.v, h * k3.a);
    state_.q += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
    state_.v += h / 6 * (k1.a + 2 * k2.a + 2 * k3.a + k4.a);
    ASSERT_TRUE(assemble(work_, {.restarts = 0}, state_.q).assembled);
    project_velocity(work_, state_.q, {}, state_.v);
  }
  [[nodiscard]] Vector3 place(const std::string& frame) {
    compute_forward_kinematics(work_.tree(), state_, VectorXd::Zero(system_.nv()));
    return frame_pose(work_.tree(), system_.frame(frame)).translation;
  }

 private:
  Rates rates(const VectorXd& moved, const VectorXd& faster) {
    State here = state_;
    here.q += moved, here.v += faster;
    VectorXd a(system_.nv());
    compute_forward_dynamics(work_, here, VectorXd::Zero(system_.nv()), {}, a);
    return {here.v, a};
  }

  const System& system_;
  ClosedWorkspace work_;
  State state_;
};

/// All joints are hinges, so that positions are plain numbers.
TEST(Bricard, falls_to_the_published_position) {
  const System system = compile(linkage());
  Fall fall(system);
  const Vector3 start = fall.place("rod3");
  EXPECT_LE(norm(start - Vector3{1, -1, 0}), 1e-15);
  constexpr int steps = 1000;
  for (int i = 0; i < steps; ++i) fall.step(1.0 / steps);
  const Vector3 published{0.27448131926462, -0.88670793873467, -0.46233000268738};
  EXPECT_LE(norm(fall.place("rod3") - published), 1e-9);
}

}  // namespace
}  // namespace linkwright::testing
