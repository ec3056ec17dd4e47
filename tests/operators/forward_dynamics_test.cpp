// FD1 to FD4 against the trunk: four roads, one answer.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "support/csv.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using namespace linkwright::operators;
using Eigen::MatrixXd;
using Eigen::VectorXd;

using Vector6 = Eigen::Matrix<double, 6, 1>;
constexpr double kEps = std::numeric_limits<double>::epsilon();

/// A push on the tip, one on the first link and one on a link between them, in either axes.
std::vector<ExternalForce> random_pushes(RandomModel& random, const System& system, FrameId tip) {
  const int bodies = static_cast<int>(system.model().bodies.size());
  const auto force = [&] { return spatial::Force<double>{random.vector(0.5), random.vector(5)}; };
  return {{tip, force(), Axes::own},
          {FrameId{1}, force(), Axes::world},
          {FrameId{random.integer(1, bodies)}, force(), Axes::own},
          {FrameId{random.integer(1, bodies)}, force(), Axes::world}};
}

/// The true acceleration of a frame's origin, own axes, from α of its node, which carries −gravity:
/// (2.27) with the frame for the tip. ω is the frame's.
Vector6 from_link(const VectorXd& link, const FramePlace& place, const Vector6& velocity,
                  const Eigen::Vector3d& gravity) {
  const Eigen::Matrix3d turn = to_eigen(place.pose.rotation).transpose();
  const Eigen::Vector3d arm = turn * to_eigen(place.pose.translation), w = velocity.head<3>();
  const Eigen::Index at = 6 * (place.node - 1);
  Vector6 out;
  out.head<3>() = turn * link.segment<3>(at);
  out.tail<3>() =
      turn * link.segment<3>(at + 3) + out.head<3>().cross(arm) + w.cross(w.cross(arm)) + gravity;
  return out;
}

/// The trunk's answers at one state.
class Trunk {
 public:
  Trunk(const System& system, FrameId tip)
      : work(system, Closures::leave_out),
        jacobians_(system, Closures::leave_out),
        tip_(tip),
        minv_(mass),
        J_(6, system.nv()) {}

  void solve(const State& state, const VectorXd& tau, ExternalForces pushes) {
    compute_forward_dynamics(work, state, tau, pushes, a);
    compute_mass_matrix(work, state.q, mass);
    compute_mass_matrix_inverse(work, state.q, minv_);
    forces = mass.norm() * a.norm() + tau.norm() + 1;
    // 2 κ(M) ε (‖a‖ + forces / ‖M‖): ‖M‖ ‖M⁻¹‖ in this norm is at least κ(M).
    joints_ = 2 * kEps * minv_.norm() * (mass.norm() * a.norm() + forces);
  }
  /// Compares what an algorithm says of links and tip with the kinematics of the joint accelerations
  /// that it found. Both are known to 2 κ(M) ε of the sizes that cancel in them.
  void expect_kinematics_of(const OperatorDynamics& found, const State& state) {
    compute_forward_kinematics(work, state, found.a);
    if (found.tip.size() > 0) expect_acceleration(found.tip, tip_, state);
    if (found.link.size() == 0) return;
    const System& system = work.system();
    for (int i = 1; i <= static_cast<int>(system.model().bodies.size()); ++i) {
      const FramePlace& place = system.frame(FrameId{i});
      if (place.node == 0) continue;
      const Eigen::Matrix3d turn = to_eigen(frame_pose(work, FrameId{i}).rotation).transpose();
      const Vector6 velocity = to_eigen(frame_velocity(work, FrameId{i}, Axes::own));
      expect_acceleration(
          from_link(found.link, place, velocity, turn * to_eigen(system.model().gravity)),
          FrameId{i}, state);
    }
  }

  Workspace work;
  VectorXd a{work.system().nv()};
  MatrixXd mass{work.system().nv(), work.system().nv()};
  double forces = 0;  // the sizes that cancel in the balance of forces
  /// What rounding may leave of the joints' accelerations.
  [[nodiscard]] double rounding() const { return joints_; }

 private:
  void expect_acceleration(const Vector6& got, FrameId frame, const State& state) {
    const Vector6 expected = to_eigen(frame_acceleration(work, frame, Axes::own));
    compute_jacobian(jacobians_, state.q, frame, Axes::own, J_);
    const double speed = J_.norm() * state.v.norm(), still = norm(work.system().model().gravity);
    const double bound = joints_ * J_.norm() + 2 * kEps * (expected.norm() + speed * speed + still);
    ASSERT_LE((got - expected).norm(), bound) << "frame " << work.system().frame(frame).name;
  }

  Workspace jacobians_;  // work keeps the kinematics
  FrameId tip_;
  MatrixXd minv_, J_;
  double joints_ = 0;  // what rounding may leave of the joints' accelerations
};

/// Accelerations that differ by more than 1e-12, relative: where the mass matrix is so badly
/// conditioned that rounding alone explains it.
struct Conditioning {
  int count = 0;
  double worst = 0, allowed = 0;

  void note(double apart, double size, double bound) {
    if (apart <= 1e-12 * size) return;
    ++count;
    if (apart <= worst * size) return;
    worst = apart / size;
    allowed = bound / size;
  }
  void print(const System& system, int solved) const {
    if (count == 0) return;
    std::cout << system.model().name << ": conditioning decides in " << count << " of " << solved
              << " solutions; the worst differs by " << worst << ", 2 κ(M) ε scaled is " << allowed
              << "\n";
  }
};

/// Compares at `count` random states. The joints' accelerations agree to 1e-12 or to what κ(M) leaves
/// of them; the forces that cause them to 1e-12 of the sizes that cancel, whatever κ(M).
void expect_one_answer(const System& system, int count, unsigned seed) {
  RandomModel random(seed);
  Operators at(system, Closures::leave_out);
  const FrameId tip{static_cast<int>(system.frames().size()) - 1};
  at.set_tips(std::vector<FrameId>{tip});
  Trunk trunk(system, tip);
  Conditioning conditioning;
  for (int i = 0; i < count; ++i) {
    const State state = random.state(system);
    VectorXd tau = random.numbers(system.nv());
    for (const int passive : system.passive_freedoms()) tau[passive] = 0;
    const std::vector<ExternalForce> pushes = random_pushes(random, system, tip);
    trunk.solve(state, tau, pushes);
    for (const Algorithm algorithm : all_algorithms) {
      SCOPED_TRACE(std::string(name(algorithm)) + ", state " + std::to_string(i));
      const OperatorDynamics found = forward_dynamics(algorithm, at, state, tau, pushes);
      const double apart = (found.a - trunk.a).norm(), size = trunk.a.norm();
      ASSERT_LE(apart, std::max(1e-12 * size, trunk.rounding()));
      conditioning.note(apart, size, trunk.rounding());
      ASSERT_LE((trunk.mass * (found.a - trunk.a)).norm(), 1e-12 * trunk.forces);
      if (algorithm == Algorithm::FD2) {
        ASSERT_EQ(found.link.size(), at.size(Space::link_motion));
        ASSERT_EQ(found.tip.size(), 6);
      }
      trunk.expect_kinematics_of(found, state);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  conditioning.print(system, count * static_cast<int>(all_algorithms.size()));
}

/// The models of a folder, in the order of their names. Says what is none, and why; a URDF must be one.
std::vector<std::string> models_in(const std::string& folder) {
  std::vector<std::string> models;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string path = file.path().string();
    try {
      read_model(path);
      models.push_back(path);
    } catch (const Error& error) {
      EXPECT_NE(file.path().extension(), ".urdf") << error.what();
      std::cout << "skipped: " << error.what() << "\n";
    }
  }
  std::ranges::sort(models);
  return models;
}

TEST(ForwardDynamics, four_algorithms_agree_with_the_trunk_on_random_trees) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomModel random(seed);
    expect_one_answer(compile(random.tree(1 + static_cast<int>(seed % 12),
                                          static_cast<Base>(seed % 3), all_joint_types())),
                      10, seed + 1);
  }
}

TEST(ForwardDynamics, four_algorithms_agree_with_the_trunk_on_the_bundled_models) {
  const auto models = models_in(LINKWRIGHT_SOURCE_DIR "/models");
  EXPECT_GE(models.size(), 7U);
  for (const std::string& file : models) {
    SCOPED_TRACE(file);
    expect_one_answer(compile(read_model(file)), 1000, 7);
  }
  for (const std::string robot : {"quadruped", "humanoid"}) {
    SCOPED_TRACE(robot + " on a free base");
    expect_one_answer(compile(read_model(LINKWRIGHT_SOURCE_DIR "/models/" + robot + ".urdf",
                                         {.base = Base::free})),
                      1000, 6);
  }
}

TEST(ForwardDynamics, four_algorithms_agree_with_the_trunk_on_the_shared_models) {
  SKIP_WITHOUT_SHARED(LINKWRIGHT_SHARED_DIR "/models/drake_kuka_iiwa_robot.urdf");
  const auto models = models_in(LINKWRIGHT_SHARED_DIR "/models");
  int on_free_base = 0;
  for (const std::string& file : models) {
    SCOPED_TRACE(file);
    expect_one_answer(compile(read_model(file)), 1000, 8);
    try {
      const System floating = compile(read_model(file, {.base = Base::free}));
      // A base without mass has no answer, whoever is asked.
      Operators(floating, Closures::leave_out).update(RandomModel(1).state(floating).q);
      ++on_free_base;
    } catch (const Error& error) {
      std::cout << "not on a free base: " << error.what() << "\n";
      continue;
    }
    expect_one_answer(compile(read_model(file, {.base = Base::free})), 1000, 9);
  }
  EXPECT_GE(models.size(), 10U);
  EXPECT_GE(on_free_base, 5);
}

TEST(ForwardDynamics, sweeps_are_those_of_the_paper) {
  const System system = compile(RandomModel(1).tree(7, Base::fixed, {JointType::revolute}));
  Operators at(system);
  using enum Direction;
  const auto directions = [&](Algorithm algorithm) {
    std::vector<Direction> out;
    for (const SweepNote& note : sweeps_of(algorithm, at)) out.push_back(note.direction);
    return out;
  };
  const std::vector<Direction> four{outward, inward, inward, outward},
      three{outward, inward, outward};
  EXPECT_EQ(directions(Algorithm::FD1), four);
  EXPECT_EQ(directions(Algorithm::FD2), four);
  EXPECT_EQ(directions(Algorithm::FD3), three);
  EXPECT_EQ(directions(Algorithm::FD4), three);
  for (const Algorithm algorithm : all_algorithms)
    for (const SweepNote& note : sweeps_of(algorithm, at))
      EXPECT_GT(note.operations.multiplications, 0) << name(algorithm) << ": " << note.what;
}

TEST(ForwardDynamics, explain_counts_what_grows_with_n) {
  const auto multiplications = [](int bodies) {
    RandomModel random(2);
    Model model = random.tree(bodies, Base::fixed, {JointType::revolute});
    const System system = compile(model);
    long sum = 0;
    for (const SweepNote& note : sweeps_of(Algorithm::FD3, Operators(system)))
      sum += note.operations.multiplications;
    return sum;
  };
  const double ratio =
      static_cast<double>(multiplications(80)) / static_cast<double>(multiplications(40));
  EXPECT_NEAR(ratio, 2, 0.2);
}

}  // namespace
}  // namespace linkwright::testing
