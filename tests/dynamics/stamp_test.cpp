// What is read after a computation belongs to the last one, or the reader throws: for every pair of
// computations, at two states, and every reader.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <regex>
#include <set>

#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/energy.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/dynamics/second_derivatives.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/dynamics/weak_joints.hpp"
#include "support/files.hpp"
#include "support/random_model.hpp"

namespace linkwright::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A state and the accelerations or efforts that go with it.
struct Moment {
  State state;
  VectorXd x;
};

/// What can be read of the last state, as bits of Held.
using Bits = unsigned;
constexpr Bits nothing = 0, poses = static_cast<Bits>(Held::poses),
               velocities = static_cast<Bits>(Held::velocities),
               accelerations = static_cast<Bits>(Held::accelerations),
               placed_state = static_cast<Bits>(Held::state);
constexpr Bits moved = poses | velocities | placed_state, all = moved | accelerations;

/// What a computation leaves to be read: in every system, and where springs act between bodies.
struct Left {
  Bits always = nothing;
  Bits with_springs = always;
};

/// A public function that computes; returns the joint accelerations that a reader would speak of.
struct Computation {
  std::string name;
  std::function<VectorXd(Workspace&, const Moment&)> run;
  Left left{};
};
/// A public function that reads; returns what it read as plain numbers.
struct Reader {
  std::string name;
  Bits needs;
  std::function<VectorXd(Workspace&)> read;
};

FrameId tip_of(const Workspace& work) { return work.system().frame("tip"); }
VectorXd zero(const Workspace& work) { return VectorXd::Zero(work.system().nv()); }

/// A computation whose result is nv numbers, and no accelerations.
template <class F>
Computation vector_of(const char* name, F compute, Left left = {}) {
  return {name,
          [compute](Workspace& work, const Moment& at) {
            VectorXd out = zero(work);
            compute(work, at, out);
            return zero(work);
          },
          left};
}
template <class F>
Computation matrix_of(const char* name, F compute, Left left = {}) {
  return {name,
          [compute](Workspace& work, const Moment& at) {
            MatrixXd out(work.system().nv(), work.system().nv());
            compute(work, at, out);
            return zero(work);
          },
          left};
}
template <class F>
Computation totals_of(const char* name, F compute, Left left = {}) {
  return {name,
          [compute](Workspace& work, const Moment& at) {
            compute(work, at.state);
            return zero(work);
          },
          left};
}

VectorXd push_and_accelerate(Workspace& work, const Moment& at) {
  const ExternalForce push{tip_of(work), {{1, 2, 3}, {4, 5, 6}}, Axes::own};
  VectorXd a = zero(work);
  compute_forward_dynamics(work, at.state, at.x, {&push, 1}, a);
  return a;
}

/// The one table of what each computation leaves readable; the tests below are made from it.
std::vector<Computation> computations() {
  using W = Workspace&;
  using M = const Moment&;
  using V = VectorXd&;
  return {
      {"compute_forward_kinematics",
       [](W work, M at) {
         compute_forward_kinematics(work, at.state, at.x);
         return at.x;
       },
       {all, all}},
      {"compute_jacobian_rate_times_velocity",
       [](W work, M at) {
         compute_jacobian_rate_times_velocity(work, at.state, tip_of(work), Axes::own);
         return zero(work);
       },
       {all, all}},
      {"compute_forward_dynamics",
       [](W work, M at) {
         VectorXd a = zero(work);
         compute_forward_dynamics(work, at.state, at.x, {}, a);
         return a;
       },
       {nothing, poses | velocities}},
      {"compute_forward_dynamics", push_and_accelerate, {poses, poses | velocities}},
      {"compute_reactions",
       [](W work, M at) {
         std::vector<Force> reactions(work.system().joints().size());
         compute_reactions(work, at.state, at.x, {}, reactions);
         return at.x;
       },
       {all, all}},
      {"compute_jacobian",
       [](W work, M at) {
         MatrixXd J(6, work.system().nv());
         compute_jacobian(work, at.state.q, tip_of(work), Axes::own, J);
         return zero(work);
       }},
      vector_of(
          "compute_inverse_dynamics",
          [](W work, M at, V out) { compute_inverse_dynamics(work, at.state, at.x, {}, out); },
          {nothing, poses | velocities}),
      vector_of(
          "compute_mass_matrix_solve",
          [](W work, M at, V out) { compute_mass_matrix_solve(work, at.state.q, at.x, out); }),
      vector_of("compute_bias", [](W work, M at, V out) { compute_bias(work, at.state, out); }),
      vector_of("compute_gravity",
                [](W work, M at, V out) { compute_gravity(work, at.state.q, out); }),
      vector_of("compute_coriolis",
                [](W work, M at, V out) { compute_coriolis(work, at.state, out); }),
      matrix_of("compute_mass_matrix",
                [](W work, M at, MatrixXd& m) { compute_mass_matrix(work, at.state.q, m); }),
      matrix_of(
          "compute_mass_matrix_inverse",
          [](W work, M at, MatrixXd& m) { compute_mass_matrix_inverse(work, at.state.q, m); }),
      matrix_of("compute_coriolis_matrix",
                [](W work, M at, MatrixXd& m) { compute_coriolis_matrix(work, at.state, m); }),
      matrix_of("compute_inverse_dynamics_derivatives",
                [](W work, M at, MatrixXd& m) {
                  MatrixXd by_v = m;
                  compute_inverse_dynamics_derivatives(work, at.state, at.x, {}, m, by_v);
                }),
      matrix_of("compute_forward_dynamics_derivatives",
                [](W work, M at, MatrixXd& m) {
                  MatrixXd by_q = m, by_v = m;
                  compute_forward_dynamics_derivatives(work, at.state, at.x, {}, by_q, by_v, m);
                },
                {nothing, velocities}),
      matrix_of("compute_inverse_dynamics_second_derivatives",
                [](W work, M at, MatrixXd& m) {
                  SecondDerivatives second(work.system());
                  compute_inverse_dynamics_second_derivatives(work, at.state, at.x, {}, second);
                  m = second.dqdq().leftCols(m.cols());
                }),
      matrix_of("compute_forward_dynamics_second_derivatives",
                [](W work, M at, MatrixXd& m) {
                  SecondDerivatives second(work.system());
                  compute_forward_dynamics_second_derivatives(work, at.state, at.x, {}, second);
                  m = second.dqdq().leftCols(m.cols());
                }),
      {"compute_weak_joints",
       [](W work, M at) {
         compute_weak_joints(work, at.state.q);
         return zero(work);
       }},
      totals_of("compute_energy", compute_energy, {moved, moved}),
      totals_of("compute_momentum", compute_momentum, {moved, moved}),
      totals_of("compute_centre_of_mass", compute_centre_of_mass, {moved, moved}),
  };
}
/// These place no joints: what was held before them is held after them.
std::vector<Computation> bystanders() {
  return {vector_of("compute_joint_forces", [](Workspace& work, const Moment& at, VectorXd& out) {
    compute_joint_forces(work, at.state, out);
  })};
}

std::vector<Reader> readers() {
  const auto motion = [](auto read, Axes axes) {
    return [read, axes](Workspace& work) -> VectorXd {
      return to_eigen(read(work, tip_of(work), axes));
    };
  };
  const auto list = [](std::initializer_list<Vector3> vectors) {
    VectorXd out(3 * static_cast<Eigen::Index>(vectors.size()));
    Eigen::Index at = 0;
    for (const Vector3& v : vectors) out.segment<3>(3 * at++) = to_eigen(v);
    return out;
  };
  return {{"frame_pose", poses,
           [](Workspace& work) -> VectorXd {
             const Pose pose = frame_pose(work, tip_of(work));
             VectorXd out(12);
             out << to_eigen(pose.translation), to_eigen(pose.rotation).reshaped();
             return out;
           }},
          {"frame_velocity", velocities, motion(frame_velocity, Axes::own)},
          {"frame_velocity", velocities | poses, motion(frame_velocity, Axes::world)},
          {"frame_acceleration", accelerations, motion(frame_acceleration, Axes::own)},
          {"frame_acceleration", accelerations | poses, motion(frame_acceleration, Axes::world)},
          {"system_energy", moved,
           [](Workspace& work) -> VectorXd {
             const Energy energy = system_energy(work);
             return Eigen::Vector2d(energy.kinetic, energy.potential);
           }},
          {"system_momentum", poses | velocities,
           [list](Workspace& work) -> VectorXd {
             const Momentum momentum = system_momentum(work);
             return list({momentum.angular, momentum.linear});
           }},
          {"system_centre_of_mass", poses | velocities,
           [list](Workspace& work) -> VectorXd {
             const CentreOfMass centre = system_centre_of_mass(work);
             return list({centre.position, centre.velocity});
           }},
          {"joint_reactions", poses | velocities | accelerations, [](Workspace& work) -> VectorXd {
             std::vector<Force> reactions(work.system().joints().size());
             joint_reactions(work, {}, reactions);
             VectorXd out(6 * static_cast<Eigen::Index>(reactions.size()));
             for (std::size_t i = 0; i < reactions.size(); ++i)
               out.segment<6>(6 * static_cast<Eigen::Index>(i)) = to_eigen(reactions[i]);
             return out;
           }}};
}

class Stamps : public ::testing::TestWithParam<unsigned> {
 protected:
  static Model make(unsigned seed) {
    RandomModel random(seed);
    Model model = random.tree(6, Base::free, all_joint_types());
    if (seed % 2 == 0) return model;
    for (Joint& joint : model.joints)
      if (joint.type != JointType::fixed) joint.damping = {0.1}, joint.rotor_inertia = {0.2};
    for (const Joint& joint : model.joints)
      if (velocity_count(joint) == 1)
        model.joint_springs.push_back({.joint = joint.name, .stiffness = 3, .rest = 0.1});
    model.line_springs.push_back(
        {"spring", "body0", "body3", {0.1, 0, 0}, {0, 0.2, 0}, 10, 1, 0.3, {}});
    return model;
  }
  Moment moment() { return {random.state(system), random.numbers(system.nv())}; }

  /// The reader's numbers are those of the state, read right after compute_forward_kinematics.
  void expect_of(const VectorXd& got, const Reader& reader, const State& state, const VectorXd& a,
                 const std::string& after) {
    Workspace fresh(system);
    compute_forward_kinematics(fresh, state, a);
    const VectorXd wanted = reader.read(fresh);
    EXPECT_LE((got - wanted).norm(), 1e-12 * (1 + wanted.norm())) << reader.name << after;
  }

  RandomModel random{GetParam() + 100};
  System system = compile(make(GetParam()));
};

TEST_P(Stamps, every_reader_after_every_pair_reads_right_or_throws_as_the_table_says) {
  const Moment first = moment(), second = moment();
  const bool springs = system.tree().body_forces.any();
  for (const Computation& one : computations())
    for (const Computation& other : computations())
      for (const Reader& reader : readers()) {
        Workspace work(system);
        one.run(work, first);
        const VectorXd a = other.run(work, second);
        const std::string after = " after " + one.name + " and " + other.name;
        const Bits left = springs ? other.left.with_springs : other.left.always;
        if ((reader.needs & ~left) == 0) {
          expect_of(reader.read(work), reader, second.state, a, after);
          continue;
        }
        const std::string text = error_of([&] { reader.read(work); });
        EXPECT_NE(text.find(reader.name), std::string::npos) << text << after;
        EXPECT_NE(text.find("call compute_forward_kinematics first"), std::string::npos)
            << text << after;
      }
}

TEST_P(Stamps, kinematics_answer_every_reader_whatever_was_computed_before) {
  const Moment first = moment(), second = moment();
  for (const Computation& one : computations())
    for (const Reader& reader : readers()) {
      Workspace work(system);
      one.run(work, first);
      compute_forward_kinematics(work, second.state, second.x);
      expect_of(reader.read(work), reader, second.state, second.x, " after " + one.name);
    }
}

TEST_P(Stamps, what_places_no_joints_leaves_the_readers_alone) {
  const Moment first = moment(), second = moment();
  for (const Computation& one : bystanders())
    for (const Reader& reader : readers()) {
      Workspace work(system);
      compute_forward_kinematics(work, first.state, first.x);
      one.run(work, second);
      expect_of(reader.read(work), reader, first.state, first.x, " after " + one.name);
    }
}

TEST_P(Stamps, nothing_is_read_from_a_new_workspace) {
  Workspace work(system);
  for (const Reader& reader : readers()) {
    const std::string text = error_of([&] { reader.read(work); });
    EXPECT_NE(text.find("nothing has been computed"), std::string::npos) << reader.name << text;
  }
}
INSTANTIATE_TEST_SUITE_P(Trees, Stamps, ::testing::Range(0U, 4U));

/// The tables above know every function of the headers that takes a workspace.
TEST(StampTables, have_a_row_for_every_public_function) {
  std::set<std::string> computing, reading;
  for (const Computation& each : computations()) computing.insert(each.name);
  for (const Computation& each : bystanders()) computing.insert(each.name);
  for (const Reader& each : readers()) reading.insert(each.name);
  const std::regex function(R"((\w+)\((const )?Workspace& )");
  int found = 0;
  for (const auto& path : files_in(
           std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "include/linkwright/dynamics", ".hpp")) {
    std::ifstream in(path);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    for (std::sregex_iterator it(text.begin(), text.end(), function), end; it != end; ++it) {
      const bool reads = !(*it)[1].str().starts_with("compute_");
      ++found;
      EXPECT_TRUE((reads ? reading : computing).contains((*it)[1].str()))
          << path.filename() << ": " << (*it)[1] << " has no row in tests/dynamics/stamp_test.cpp";
    }
  }
  EXPECT_GE(found, 20);
}

}  // namespace
}  // namespace linkwright::testing
