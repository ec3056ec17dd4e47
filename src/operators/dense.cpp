// Every letter block by block from its definition, with full matrices and nothing of the sweeps: of
// a joint only its turn, its offset and its map H* are asked.
#include "linkwright/operators/dense.hpp"

#include "dynamics/door.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::operators {
namespace {

using Eigen::MatrixXd;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// The blocks of all nodes as full matrices. Index 0 is the world.
struct Blocks {
  std::vector<Matrix6> to_parent;  // φ(p, k)
  std::vector<Matrix6> M, P;
  std::vector<MatrixXd> Hstar, D, G, rotor;  // 6×d, d×d, 6×d, d×d
  std::vector<int> parent, first, count;
};

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& l) {
  Eigen::Matrix3d cross;
  cross << 0, -l.z(), l.y(), l.z(), 0, -l.x(), -l.y(), l.x(), 0;
  return cross;
}
Matrix6 rigid(const Eigen::Matrix3d& R, const Eigen::Vector3d& l) {
  Matrix6 phi;
  phi << R, cross_matrix(l) * R, Eigen::Matrix3d::Zero(), R;
  return phi;
}
Matrix6 body_inertia(const spatial::Inertia<double>& m) {
  const Eigen::Matrix3d cross = cross_matrix(to_eigen(m.first_moment));
  Matrix6 out;
  const auto& I = m.rotational;
  Eigen::Matrix3d rotational;
  rotational << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  out << rotational, cross, -cross, m.mass * Eigen::Matrix3d::Identity();
  return out;
}

/// Joint map, turn and offset of one node, by asking the joint for unit vectors.
void read_joint(const Operators& at, std::size_t k, Blocks& blocks) {
  const auto& data = at.data();
  const auto& n = data.tree->nodes[k];
  const auto& x = data.s.place[k];
  Eigen::Matrix3d R;
  Eigen::Vector3d l;
  MatrixXd& Hstar = blocks.Hstar[k];
  Hstar.resize(6, n.d);
  blocks.rotor[k] = MatrixXd::Zero(n.d, n.d);
  for (const Run& run : data.tree->runs) {
    if (static_cast<int>(k) < run.first || static_cast<int>(k) > run.last) continue;
    sweeps::dispatch(run.kind, [&](auto joint) {
      for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3d unit = Eigen::Vector3d::Unit(i);
        R.col(i) = to_eigen(joint.to_parent(n, x, Vector3<double>{unit.x(), unit.y(), unit.z()}));
        const Force<double> shifted =
            shift(joint.offset(n, x), Force<double>{{}, {unit.x(), unit.y(), unit.z()}});
        // ℓ × e_i, three times, gives ℓ.
        const Eigen::Vector3d moment = to_eigen(shifted.moment);
        l[(i + 1) % 3] = moment[(i + 2) % 3] * -1;
      }
      for (int i = 0; i < n.d; ++i) {
        double rate[6] = {}, effort[6] = {};
        rate[i] = 1;
        Motion<double> m{};
        joint.accelerate(*data.tree, n, rate, m);
        Hstar.col(i) << to_eigen(m.angular), to_eigen(m.linear);
        joint.add_rotor(*data.tree, n, rate, effort);
        blocks.rotor[k](i, i) = effort[i];
      }
    });
  }
  blocks.to_parent[k] = rigid(R, l);
}

/// P, D, G by the Riccati equation (4.4)–(4.6) on full matrices.
Blocks make_blocks(const Operators& at) {
  const auto& nodes = at.data().tree->nodes;
  const std::size_t count = nodes.size();
  Blocks b{std::vector<Matrix6>(count),
           std::vector<Matrix6>(count, Matrix6::Zero()),
           std::vector<Matrix6>(count, Matrix6::Zero()),
           std::vector<MatrixXd>(count),
           std::vector<MatrixXd>(count),
           std::vector<MatrixXd>(count),
           std::vector<MatrixXd>(count),
           std::vector<int>(count, 0),
           std::vector<int>(count, 0),
           std::vector<int>(count, 0)};
  for (std::size_t k = 1; k < count; ++k) {
    b.parent[k] = nodes[k].parent, b.first[k] = nodes[k].v, b.count[k] = nodes[k].d;
    b.M[k] = b.P[k] = body_inertia(nodes[k].M);
    read_joint(at, k, b);
  }
  for (std::size_t k = count - 1; k >= 1; --k) {
    b.D[k] = b.Hstar[k].transpose() * b.P[k] * b.Hstar[k] + b.rotor[k];
    b.G[k] = b.P[k] * b.Hstar[k] * b.D[k].inverse();
    const Matrix6 rest = b.P[k] - b.G[k] * b.Hstar[k].transpose() * b.P[k];
    b.P[static_cast<std::size_t>(b.parent[k])] +=
        b.to_parent[k] * rest * b.to_parent[k].transpose();
  }
  return b;
}

/// ψ(p, k) (4.7).
Matrix6 articulated_step(const Blocks& b, std::size_t k) {
  return b.to_parent[k] * (Matrix6::Identity() - b.G[k] * b.Hstar[k].transpose());
}

/// φ(i, j) or ψ(i, j) for every i that carries j, itself included unless `strict`.
MatrixXd propagation(const Blocks& b, bool articulated, bool strict) {
  const std::size_t nodes = b.parent.size() - 1;
  MatrixXd out =
      MatrixXd::Zero(static_cast<Eigen::Index>(6 * nodes), static_cast<Eigen::Index>(6 * nodes));
  for (std::size_t j = 1; j <= nodes; ++j) {
    Matrix6 product = Matrix6::Identity();
    for (std::size_t i = j; i != 0; i = static_cast<std::size_t>(b.parent[i])) {
      if (i != j || !strict)
        out.block<6, 6>(static_cast<Eigen::Index>(6 * (i - 1)),
                        static_cast<Eigen::Index>(6 * (j - 1))) = product;
      product = (articulated ? articulated_step(b, i) : b.to_parent[i]) * product;
    }
  }
  return out;
}
/// (S u)(p) = Σ u(c) over the children c of p.
MatrixXd child_sum(const Blocks& b) {
  const auto size = static_cast<Eigen::Index>(6 * (b.parent.size() - 1));
  MatrixXd out = MatrixXd::Zero(size, size);
  for (std::size_t k = 1; k < b.parent.size(); ++k)
    if (b.parent[k] != 0)
      out.block<6, 6>(6 * (b.parent[k] - 1), static_cast<Eigen::Index>(6 * (k - 1))).setIdentity();
  return out;
}
/// diag of 6×6 blocks.
template <class Block>
MatrixXd link_diagonal(const Blocks& b, Block block) {
  const auto size = static_cast<Eigen::Index>(6 * (b.parent.size() - 1));
  MatrixXd out = MatrixXd::Zero(size, size);
  for (std::size_t k = 1; k < b.parent.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(6 * (k - 1));
    out.block<6, 6>(at, at) = block(k);
  }
  return out;
}
/// 6×d blocks from joints to links.
template <class Block>
MatrixXd joint_to_link(const Blocks& b, int nv, Block block) {
  MatrixXd out = MatrixXd::Zero(static_cast<Eigen::Index>(6 * (b.parent.size() - 1)), nv);
  for (std::size_t k = 1; k < b.parent.size(); ++k)
    out.block(static_cast<Eigen::Index>(6 * (k - 1)), b.first[k], 6, b.count[k]) = block(k);
  return out;
}
MatrixXd joint_diagonal(const Blocks& b, int nv, const std::vector<MatrixXd>& blocks) {
  MatrixXd out = MatrixXd::Zero(nv, nv);
  for (std::size_t k = 1; k < b.parent.size(); ++k)
    out.block(b.first[k], b.first[k], b.count[k], b.count[k]) = blocks[k];
  return out;
}
MatrixXd tips(const Operators& at) {
  const auto& data = at.data();
  MatrixXd out = MatrixXd::Zero(at.size(Space::link_force), at.size(Space::tip_force));
  for (std::size_t i = 0; i < data.tips.size(); ++i)
    if (data.tips[i].node != 0)
      out.block<6, 6>(6 * (data.tips[i].node - 1), 6 * data.tip_place[i]) =
          rigid(to_eigen(data.tips[i].pose.rotation), to_eigen(data.tips[i].pose.translation));
  return out;
}
MatrixXd base(const Blocks& b) {
  MatrixXd out = MatrixXd::Zero(static_cast<Eigen::Index>(6 * (b.parent.size() - 1)), 6);
  for (std::size_t k = 1; k < b.parent.size(); ++k)
    if (b.parent[k] == 0)
      out.block<6, 6>(static_cast<Eigen::Index>(6 * (k - 1)), 0) = b.to_parent[k].transpose();
  return out;
}
MatrixXd matrix_of(Letter letter, const Operators& at) {
  const Blocks b = make_blocks(at);
  const int nv = at.system().nv();
  switch (letter) {
    case Letter::phi:
      return propagation(b, false, false);
    case Letter::phi_tilde:
      return propagation(b, false, true);
    case Letter::psi:
      return propagation(b, true, false);
    case Letter::psi_tilde:
      return propagation(b, true, true);
    case Letter::Phi:
      return propagation(b, false, false) * child_sum(b);
    case Letter::Psi:
      return propagation(b, true, false) * child_sum(b);
    case Letter::S:
      return child_sum(b);
    case Letter::delta_phi:
      return link_diagonal(b, [&](std::size_t k) { return b.to_parent[k]; });
    case Letter::delta_psi:
      return link_diagonal(b, [&](std::size_t k) { return articulated_step(b, k); });
    case Letter::H:
      return joint_to_link(b, nv, [&](std::size_t k) { return b.Hstar[k]; }).transpose();
    case Letter::M:
      return link_diagonal(b, [&](std::size_t k) { return b.M[k]; });
    case Letter::P:
      return link_diagonal(b, [&](std::size_t k) { return b.P[k]; });
    case Letter::D:
      return joint_diagonal(b, nv, b.D);
    case Letter::HPH_inverse:
      check_no_rotors(at);
      [[fallthrough]];
    case Letter::D_inverse:
      return joint_diagonal(b, nv, b.D).inverse();
    case Letter::G:
      return joint_to_link(b, nv, [&](std::size_t k) { return b.G[k]; });
    case Letter::L:
      return joint_to_link(b, nv, [&](std::size_t k) { return b.to_parent[k] * b.G[k]; });
    case Letter::R:
      return joint_diagonal(b, nv, b.rotor);
    case Letter::B:
      return tips(at);
    case Letter::E:
      return base(b);
  }
  return {};
}

}  // namespace

void write_dense(Letter letter, const Operators& at, MatrixRef out) {
  check_updated(at);
  if (letter == Letter::B) check_tips(at);
  const MatrixXd matrix = matrix_of(letter, at);
  door::check_output(out, matrix.rows(), matrix.cols(), "out");
  out = matrix;
}

void write_transpose(const ConstMatrixRef& a, MatrixRef out) { out = a.transpose(); }
void write_product(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out) {
  out.noalias() = a * b;
}
void write_sum(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out) { out = a + b; }

}  // namespace linkwright::operators
