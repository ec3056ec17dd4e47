// B, E and the Jacobian, (3.7) to (3.13): as matrices, by sweeps, and against the trunk's kinematics.
#include "linkwright/dynamics/kinematics.hpp"
#include "operators/identities.hpp"

namespace linkwright::testing {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Eigen::Matrix3d skew(const spatial::Vector3<double>& v) {
  Eigen::Matrix3d out;
  out << 0, -v.z, v.y, v.z, 0, -v.x, -v.y, v.x, 0;
  return out;
}
/// The motion of a frame at `pose`, own axes, that a rigid motion [ω; v] of the space about it makes.
Matrix6 carried_to(const Pose& pose) {
  const Eigen::Matrix3d turn = to_eigen(pose.rotation).transpose();
  Matrix6 out = Matrix6::Zero();
  out.topLeftCorner<3, 3>() = out.bottomRightCorner<3, 3>() = turn;
  out.bottomLeftCorner<3, 3>() = -turn * skew(pose.translation);
  return out;
}

/// Several tips in no order: one twice, the world and a frame on it, every body.
class TipsAndBase : public Identities {
 protected:
  struct Trees : NamedCase {
    State state;
    Workspace work;

    Trees(const Model& model, unsigned seed)
        : NamedCase("seed " + std::to_string(seed), model, seed),
          state(RandomModel(seed).state(system)),
          work(system) {
      std::vector<std::string> tips{"tip", "world", "body1", "beacon", "tip"};
      for (const Body& body : model.bodies) tips.insert(tips.begin() + 1, body.name);
      at.set_tips(tips);
      compute_forward_kinematics(work, state, VectorXd::Zero(system.nv()));
    }
    /// What `rows` gives for every tip, one below the other.
    template <class F>
    MatrixXd stacked(Eigen::Index columns, F rows) {
      MatrixXd out(at.size(Space::tip_motion), columns);
      for (std::size_t i = 0; i < at.tips().size(); ++i)
        out.middleRows<6>(static_cast<Eigen::Index>(6 * i)) = rows(at.tips()[i]);
      return out;
    }
  };
  static Trees make_with_tips(unsigned seed) {
    RandomModel random(seed);
    Model model = tree(seed);
    model.frames.push_back({"beacon", "world", random.pose(1), {}});
    return {model, seed};
  }
};

void expect_sweeps_of_tips_and_base(NamedCase& c) {
  expect_swept(c, B);
  expect_swept(c, transpose(B));
  expect_swept(c, E);
  expect_swept(c, transpose(E));
  expect_swept(c, transpose(E) * phi * B);
  expect_swept(c, transpose(B) * transpose(phi) * E);
  expect_same(c, (I - H * Psi * L) * H * phi * B, H * psi * B);  // (5.4)
}
TEST_P(TipsAndBase, sweeps_are_the_matrices) {
  Trees c = make_with_tips(GetParam());
  expect_sweeps_of_tips_and_base(c);
}
/// (3.7): a force at a frame becomes the same force on the link that carries it, about its origin.
TEST_P(TipsAndBase, B_carries_forces_to_the_links) {
  Trees c = make_with_tips(GetParam());
  const MatrixXd forces = dense(B, c.at);
  MatrixXd expected = MatrixXd::Zero(forces.rows(), forces.cols());
  for (std::size_t i = 0; i < c.at.tips().size(); ++i) {
    const FramePlace& place = c.system.frame(c.at.tips()[i]);
    if (place.node == 0) continue;  // the world bears it
    expected.block<6, 6>(6 * (place.node - 1), static_cast<Eigen::Index>(6 * i)) =
        carried_to(place.pose).transpose();
  }
  expect_near(c, expected, forces, "B block by block");
}
/// (3.8): φᵀE carries a motion of the world to every link, as if all joints were locked; Eᵀφ sums the
/// forces on all links about the world's origin.
TEST_P(TipsAndBase, E_carries_the_motion_of_the_world) {
  Trees c = make_with_tips(GetParam());
  const MatrixXd expected = c.stacked(6, [&](FrameId tip) -> Matrix6 {
    if (c.system.frame(tip).node == 0) return Matrix6::Zero();
    return carried_to(frame_pose(c.work, tip));
  });
  expect_near(c, expected, dense(transpose(B) * transpose(phi) * E, c.at), "Bᵀ φᵀ E");
  expect_near(c, expected.transpose(), dense(transpose(E) * phi * B, c.at), "Eᵀ φ B");
}
/// (3.12) and (3.13): the velocities of the links, and the Jacobian, are the trunk's.
TEST_P(TipsAndBase, velocities_and_jacobian_are_those_of_the_trunk) {
  Trees c = make_with_tips(GetParam());
  const int n = c.system.nv();
  const VectorXd V = apply(transpose(phi) * transpose(H), c.at, c.state.v);
  expect_swept(c, transpose(phi) * transpose(H));
  const MatrixXd velocities = c.stacked(
      1, [&](FrameId tip) -> Vector6 { return to_eigen(frame_velocity(c.work, tip, Axes::own)); });
  expect_near(c, velocities, dense(transpose(B), c.at) * V, "(3.12)");
  MatrixXd one(6, n);
  const MatrixXd trunk = c.stacked(n, [&](FrameId tip) -> MatrixXd {
    compute_jacobian(c.work, c.q, tip, Axes::own, one);
    return one;
  });
  const auto J = transpose(B) * transpose(phi) * transpose(H);
  expect_near(c, trunk, expect_swept(c, J), "(3.13)");
  expect_near(c, trunk.transpose(), expect_swept(c, H * phi * B), "the transpose of (3.13)");
}
INSTANTIATE_TEST_SUITE_P(Trees, TipsAndBase, all_trees());

class TipsOfLoops : public Identities {};
TEST_P(TipsOfLoops, sweeps_are_the_matrices) {
  NamedCase c = make(GetParam());
  expect_sweeps_of_tips_and_base(c);
}
INSTANTIATE_TEST_SUITE_P(Closed, TipsOfLoops, all_closed());

}  // namespace
}  // namespace linkwright::testing
