// Every letter block by block from its definition, with full matrices and nothing of the sweeps: of
// a joint only its turn, its offset and its map H* are asked, of an aggregate G and R.
#include "linkwright/operators/dense.hpp"

#include "dynamics/door.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::operators {
namespace {

using Eigen::MatrixXd;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Places = std::vector<Eigen::Index>;

/// One joint of the tree with its body.
struct TreeNode {
  Matrix6 to_parent;  // φ(p, k)
  Matrix6 M;
  MatrixXd Hstar, rotor;  // 6×d, d×d
};
/// A node of the operators: a body on its own, or all bodies of an aggregate.
struct NodeBlocks {
  std::vector<std::size_t> bodies;  // nodes of the tree
  Places links, inboard, joints;    // where it stands in stacked vectors
  Places above;                     // the body that it hangs on; empty: the world
  std::size_t parent = 0;           // the node that this body belongs to; 0 = world
  MatrixXd to_parent;               // φ(p, k), 6×6n
  MatrixXd M, P, Hstar, D, G, rotor;
};
/// Index 0 is the world; parents stand before their children.
using Blocks = std::vector<NodeBlocks>;

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
TreeNode read_node(const Operators& at, std::size_t k) {
  const auto& data = at.data();
  const auto& n = data.tree->nodes[k];
  const auto& x = data.s.place[k];
  Eigen::Matrix3d R;
  Eigen::Vector3d l;
  TreeNode node{{}, body_inertia(n.M), MatrixXd(6, n.d), MatrixXd::Zero(n.d, n.d)};
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
        node.Hstar.col(i) << to_eigen(m.angular), to_eigen(m.linear);
        joint.add_rotor(*data.tree, n, rate, effort);
        node.rotor(i, i) = effort[i];
      }
    });
  }
  node.to_parent = rigid(R, l);
  return node;
}

Places counted_from(Eigen::Index first, int count) {
  Places places;
  for (int i = 0; i < count; ++i) places.push_back(first + i);
  return places;
}
Places links_of(std::size_t k) { return counted_from(static_cast<Eigen::Index>(6 * (k - 1)), 6); }

NodeBlocks single_node(const Operators& at, std::size_t k) {
  const TreeNode node = read_node(at, k);
  const auto& n = at.data().tree->nodes[k];
  NodeBlocks out;
  out.bodies = {k};
  out.joints = counted_from(at.data().first_joint[k], n.d);
  out.to_parent = node.to_parent, out.M = node.M, out.Hstar = node.Hstar, out.rotor = node.rotor;
  return out;
}
/// φ among the bodies of an aggregate, and what follows from it.
NodeBlocks aggregate_node(const Operators& at, const Aggregate<double>& a) {
  const auto bodies = a.nodes.size();
  const auto size = static_cast<Eigen::Index>(6 * bodies);
  const Eigen::Index rows = a.rows(), r = a.independents();
  const auto of = [](int b) { return Eigen::Index{6} * b; };
  MatrixXd phi = MatrixXd::Identity(size, size), Hstar = MatrixXd::Zero(size, rows);
  NodeBlocks out;
  out.M = MatrixXd::Zero(size, size), out.to_parent = MatrixXd::Zero(6, size);
  for (int b = 0; b < a.bodies(); ++b) {
    const auto i = static_cast<std::size_t>(b);
    const auto k = static_cast<std::size_t>(a.nodes[i]);
    const TreeNode node = read_node(at, k);
    out.bodies.push_back(k);
    out.M.block<6, 6>(of(b), of(b)) = node.M;
    Hstar.block(of(b), a.row[i], 6, node.Hstar.cols()) = node.Hstar;
    if (a.inside[i] < 0)
      out.to_parent.middleCols<6>(of(b)) = node.to_parent;
    else {
      phi.middleCols<6>(of(b)) += phi.middleCols<6>(of(a.inside[i])) * node.to_parent;
      out.to_parent.middleCols<6>(of(b)) =
          out.to_parent.middleCols<6>(of(a.inside[i])) * node.to_parent;
    }
  }
  out.Hstar = phi.transpose() * Hstar * Eigen::Map<const MatrixXd>(a.G.data(), rows, r);
  out.rotor = Eigen::Map<const MatrixXd>(a.R.data(), r, r);
  out.joints.assign(a.joint.begin(), a.joint.end());
  return out;
}

/// P, D, G by the Riccati equation (4.4)–(4.6) on full matrices.
void factorize(Blocks& b) {
  for (std::size_t k = b.size() - 1; k >= 1; --k) {
    NodeBlocks& n = b[k];
    n.D = n.Hstar.transpose() * n.P * n.Hstar + n.rotor;
    n.G = n.P * n.Hstar * n.D.inverse();
    const MatrixXd rest = n.P - n.G * n.Hstar.transpose() * n.P;
    if (n.parent == 0) continue;
    NodeBlocks& p = b[n.parent];
    for (std::size_t body = 0; body < p.bodies.size(); ++body) {
      const auto at = static_cast<Eigen::Index>(6 * body);
      if (p.links[static_cast<std::size_t>(at)] == n.above.front())
        p.P.block<6, 6>(at, at) += n.to_parent * rest * n.to_parent.transpose();
    }
  }
}

Blocks make_blocks(const Operators& at) {
  const auto& data = at.data();
  const auto& nodes = data.tree->nodes;
  Blocks all(1);
  std::vector<std::size_t> node_of(nodes.size(), 0);
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const int of = data.aggregate_of[k];
    const Aggregate<double>* loop =
        of < 0 ? nullptr : &data.aggregates[static_cast<std::size_t>(of)];
    if (loop != nullptr && loop->nodes.front() != static_cast<int>(k)) continue;
    NodeBlocks n = loop == nullptr ? single_node(at, k) : aggregate_node(at, *loop);
    for (const std::size_t body : n.bodies) {
      const Places own = links_of(body);
      n.links.insert(n.links.end(), own.begin(), own.end());
      node_of[body] = all.size();
    }
    const auto p = static_cast<std::size_t>(nodes[k].parent);
    if (p != 0) n.above = links_of(p);
    n.parent = node_of[p];
    n.inboard = counted_from(Eigen::Index{6} * data.inboard[k], 6);
    n.P = n.M;
    all.push_back(std::move(n));
  }
  factorize(all);
  return all;
}

/// ψ(p, k) (4.7).
MatrixXd articulated_step(const NodeBlocks& n) {
  return n.to_parent * (MatrixXd::Identity(n.G.rows(), n.G.rows()) - n.G * n.Hstar.transpose());
}

/// φ(i, j) or ψ(i, j) for every i that carries j, itself included unless `strict`.
MatrixXd propagation(const Operators& at, const Blocks& b, bool articulated, bool strict) {
  const Eigen::Index size = at.size(Space::link_force);
  MatrixXd out = MatrixXd::Zero(size, size);
  for (std::size_t j = 1; j < b.size(); ++j) {
    const auto own = static_cast<Eigen::Index>(b[j].links.size());
    // Of the node at hand: what a force on node j is on its bodies.
    MatrixXd product = MatrixXd::Identity(own, own);
    for (std::size_t i = j; i != 0; i = b[i].parent) {
      if (i != j || !strict) out(b[i].links, b[j].links) = product;
      if (b[i].above.empty()) break;
      const MatrixXd sent = (articulated ? articulated_step(b[i]) : b[i].to_parent) * product;
      const NodeBlocks& p = b[b[i].parent];
      product = MatrixXd::Zero(static_cast<Eigen::Index>(p.links.size()), own);
      for (std::size_t body = 0; body < p.bodies.size(); ++body)
        if (p.links[6 * body] == b[i].above.front())
          product.middleRows<6>(static_cast<Eigen::Index>(6 * body)) = sent;
    }
  }
  return out;
}
/// A matrix of one block per node, in the rows and columns that `rows` and `columns` name.
template <class Block>
MatrixXd diagonal(const Operators& at, const Blocks& b, Space to, Places NodeBlocks::*rows,
                  Space from, Places NodeBlocks::*columns, Block block) {
  MatrixXd out = MatrixXd::Zero(at.size(to), at.size(from));
  for (std::size_t k = 1; k < b.size(); ++k)
    if (!(b[k].*rows).empty() && !(b[k].*columns).empty())
      out(b[k].*rows, b[k].*columns) = MatrixXd(block(b[k]));
  return out;
}
/// (S u)(p) = Σ u(c) over the children c of p.
MatrixXd child_sum(const Operators& at, const Blocks& b) {
  return diagonal(at, b, Space::link_force, &NodeBlocks::above, Space::inboard_force,
                  &NodeBlocks::inboard, [](const NodeBlocks&) { return Matrix6::Identity(); });
}
template <class Block>
MatrixXd link_diagonal(const Operators& at, const Blocks& b, Block block) {
  return diagonal(at, b, Space::link_force, &NodeBlocks::links, Space::link_force,
                  &NodeBlocks::links, block);
}
template <class Block>
MatrixXd link_to_inboard(const Operators& at, const Blocks& b, Block block) {
  return diagonal(at, b, Space::inboard_force, &NodeBlocks::inboard, Space::link_force,
                  &NodeBlocks::links, block);
}
template <class Block>
MatrixXd joint_diagonal(const Operators& at, const Blocks& b, Block block) {
  return diagonal(at, b, Space::joint_effort, &NodeBlocks::joints, Space::joint_rate,
                  &NodeBlocks::joints, block);
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
MatrixXd base(const Operators& at, const Blocks& b) {
  MatrixXd out = MatrixXd::Zero(at.size(Space::link_motion), 6);
  for (std::size_t k = 1; k < b.size(); ++k)
    if (b[k].parent == 0)
      out(b[k].links, counted_from(0, 6)) = MatrixXd(b[k].to_parent.transpose());
  return out;
}
MatrixXd matrix_of(Letter letter, const Operators& at) {
  const Blocks b = make_blocks(at);
  switch (letter) {
    case Letter::phi:
      return propagation(at, b, false, false);
    case Letter::phi_tilde:
      return propagation(at, b, false, true);
    case Letter::psi:
      return propagation(at, b, true, false);
    case Letter::psi_tilde:
      return propagation(at, b, true, true);
    case Letter::Phi:
      return propagation(at, b, false, false) * child_sum(at, b);
    case Letter::Psi:
      return propagation(at, b, true, false) * child_sum(at, b);
    case Letter::S:
      return child_sum(at, b);
    case Letter::delta_phi:
      return link_to_inboard(at, b, [](const NodeBlocks& n) { return n.to_parent; });
    case Letter::delta_psi:
      return link_to_inboard(at, b, [](const NodeBlocks& n) { return articulated_step(n); });
    case Letter::H:
      return diagonal(at, b, Space::joint_effort, &NodeBlocks::joints, Space::link_force,
                      &NodeBlocks::links, [](const NodeBlocks& n) { return n.Hstar.transpose(); });
    case Letter::M:
      return link_diagonal(at, b, [](const NodeBlocks& n) { return n.M; });
    case Letter::P:
      return link_diagonal(at, b, [](const NodeBlocks& n) { return n.P; });
    case Letter::D:
      return joint_diagonal(at, b, [](const NodeBlocks& n) { return n.D; });
    case Letter::HPH_inverse:
      check_no_rotors(at);
      [[fallthrough]];
    case Letter::D_inverse:
      return joint_diagonal(at, b, [](const NodeBlocks& n) { return n.D; }).inverse();
    case Letter::G:
      return diagonal(at, b, Space::link_force, &NodeBlocks::links, Space::joint_effort,
                      &NodeBlocks::joints, [](const NodeBlocks& n) { return n.G; });
    case Letter::L:
      return diagonal(at, b, Space::inboard_force, &NodeBlocks::inboard, Space::joint_effort,
                      &NodeBlocks::joints,
                      [](const NodeBlocks& n) { return MatrixXd(n.to_parent * n.G); });
    case Letter::R:
      return joint_diagonal(at, b, [](const NodeBlocks& n) { return n.rotor; });
    case Letter::B:
      return tips(at);
    case Letter::E:
      return base(at, b);
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
