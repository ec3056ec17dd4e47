#include "linkwright/network/terminal_equations.hpp"

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct TerminalEquations::Parts {
  explicit Parts(const Placement& at_, std::span<const LoadPort> loads_);
  void find_K_by_parents();
  void find_K_by_circuits(const SystemGraph& graph, const FormulationTree& tree);
  void find_S();
  void find_P_and_Q();

  Placement at;
  std::vector<LoadPort> loads;
  Index m, l;  // bodies, load ports
  MatrixXd K, K_prime, S, S_rate, P_G, Q_G, P, Q, load_map;
  VectorXd u_G, u;
};
struct ReducedEquations::Parts {
  MatrixXd P, Q, loads;
  VectorXd u;
};

namespace {

Matrix6 shift_rate(const Vector3& r_rate) {
  Matrix6 K_rate = Matrix6::Zero();
  K_rate.topRightCorner<3, 3>() = to_eigen(spatial::skew(r_rate));
  return K_rate;
}

auto block(MatrixXd& A, Index i, Index j) { return A.block<6, 6>(6 * i, 6 * j); }

}  // namespace

TerminalEquations::Parts::Parts(const Placement& at_, std::span<const LoadPort> loads_)
    : at(at_),
      loads(loads_.begin(), loads_.end()),
      m(static_cast<Index>(at.bodies.size())),
      l(static_cast<Index>(loads.size())) {
  for (MatrixXd* square : {&K, &S, &S_rate, &P_G, &Q_G, &P, &Q}) square->setZero(6 * m, 6 * m);
  K_prime.setZero(6 * l, 6 * m);
  u_G.setZero(6 * m);
  for (Index j = 0; j < m; ++j) {
    const Placement::Body& body = at.bodies[linkwright::at(j)];
    const OnePort one = one_port_at_centre(
        {.mass = body.mass, .J_G = body.J_G, .G = body.G, .omega = body.x_B.angular}, at.gravity);
    block(P_G, j, j) = one.P;
    block(Q_G, j, j) = one.Q;
    u_G.segment<6>(6 * j) = one.u - wrench_shift(body.B - body.G) * to_eigen(body.load);
  }
  for (Index i = 0; i < l; ++i) {
    const LoadPort& load = loads[linkwright::at(i)];
    if (load.body < 0 || load.body >= m)
      throw Error(fmt::format("load port {} is on body {}; there are {} bodies, counted from 0", i,
                              load.body, m));
    block(K_prime, i, load.body) =
        wrench_shift(load.place - at.bodies[linkwright::at(load.body)].G).transpose();
  }
}

/// x_j = K_bᵀ x_G(j) − K_aᵀ x_G(p).
void TerminalEquations::Parts::find_K_by_parents() {
  for (Index j = 0; j < m; ++j) {
    const Placement::Body& body = at.bodies[linkwright::at(j)];
    block(K, j, j) = wrench_shift(body.B - body.G).transpose();
    if (body.parent >= 0)
      block(K, j, body.parent) =
          -wrench_shift(body.B - at.bodies[linkwright::at(body.parent)].G).transpose();
  }
}

/// The chord of joint j is 1 in its row and has ±1 for edges of bodies to O: x_j = −Σ ± x_e, and x_e = K_eᵀ x_G.
void TerminalEquations::Parts::find_K_by_circuits(const SystemGraph& graph,
                                                  const FormulationTree& tree) {
  const Eigen::SparseMatrix<double> circuits = fundamental_circuits(graph.graph, tree);
  std::vector<int> body_of_edge(graph.graph.edges().size(), -1),
      row_of_edge(graph.graph.edges().size(), -1);
  for (std::size_t k = 0; k < graph.bodies.size(); ++k) {
    for (const int e : graph.bodies[k].a) body_of_edge[linkwright::at(e)] = static_cast<int>(k);
    body_of_edge[linkwright::at(graph.bodies[k].b)] = static_cast<int>(k);
  }
  for (std::size_t i = 0; i < tree.chords.size(); ++i)
    row_of_edge[linkwright::at(tree.chords[i])] = static_cast<int>(i);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows(circuits);
  for (Index j = 0; j < m; ++j) {
    const SystemGraph::Body& own = graph.bodies[linkwright::at(j)];
    const SystemGraph::Joint& joint = graph.joints[linkwright::at(own.joint)];
    const int row = row_of_edge[linkwright::at(joint.edge)];
    if (row < 0)
      throw Error(fmt::format(
          "joint '{}' is a branch of the formulation tree; the closed form needs all joints as "
          "chords: make the graph with ActivePort::centre",
          joint.name));
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator e(rows, row); e; ++e) {
      const int body = body_of_edge[linkwright::at(e.col())];
      if (body < 0) continue;  // the chord itself
      block(K, j, body) -= e.value() * wrench_shift(at.bodies[linkwright::at(j)].B -
                                                    at.bodies[linkwright::at(body)].G)
                                           .transpose();
    }
  }
}

/// (19), row by row: S_j = K_b⁻ᵀ (1_j + K_aᵀ S_p), and its rate by the product rule.
void TerminalEquations::Parts::find_S() {
  for (Index j = 0; j < m; ++j) {
    const Placement::Body& body = at.bodies[linkwright::at(j)];
    const Motion x_G = twist_at_G(body);
    const Matrix6 E = wrench_shift(body.G - body.B).transpose(),
                  E_rate = shift_rate(x_G.linear - body.x_B.linear).transpose();
    auto row = S.middleRows<6>(6 * j), rate = S_rate.middleRows<6>(6 * j);
    if (body.parent >= 0) {
      const Placement::Body& parent = at.bodies[linkwright::at(body.parent)];
      const Matrix6 A = wrench_shift(body.B - parent.G).transpose(),
                    A_rate = shift_rate(body.x_B.linear - twist_at_G(parent).linear).transpose();
      const auto above = S.middleRows<6>(6 * body.parent),
                 above_rate = S_rate.middleRows<6>(6 * body.parent);
      row = E * A * above;
      rate = E_rate * (A * above) + E * (A_rate * above + A * above_rate);
    }
    row.middleCols<6>(6 * j) += E;
    rate.middleCols<6>(6 * j) += E_rate;
  }
}

void TerminalEquations::Parts::find_P_and_Q() {
  P = S.transpose() * P_G * S;
  Q = S.transpose() * (Q_G * S + P_G * S_rate);
  u = S.transpose() * u_G;
  load_map = K_prime * S;
}

TerminalEquations::TerminalEquations(const Placement& placement, std::span<const LoadPort> loads)
    : parts_(std::make_unique<Parts>(placement, loads)) {
  parts_->find_K_by_parents();
  parts_->find_S();
  parts_->find_P_and_Q();
}
TerminalEquations::TerminalEquations(const Placement& placement,
                                     std::initializer_list<LoadPort> loads)
    : TerminalEquations(placement, std::span<const LoadPort>(loads.begin(), loads.size())) {}
TerminalEquations::TerminalEquations(const Placement& placement, const SystemGraph& graph,
                                     const FormulationTree& tree, std::span<const LoadPort> loads)
    : parts_(std::make_unique<Parts>(placement, loads)) {
  parts_->find_K_by_circuits(graph, tree);
  parts_->find_S();
  parts_->find_P_and_Q();
}
TerminalEquations::~TerminalEquations() = default;
TerminalEquations::TerminalEquations(TerminalEquations&&) noexcept = default;
TerminalEquations& TerminalEquations::operator=(TerminalEquations&&) noexcept = default;

const MatrixXd& TerminalEquations::K() const { return parts_->K; }
const MatrixXd& TerminalEquations::K_prime() const { return parts_->K_prime; }
const MatrixXd& TerminalEquations::S() const { return parts_->S; }
const MatrixXd& TerminalEquations::S_rate() const { return parts_->S_rate; }
const MatrixXd& TerminalEquations::P_G() const { return parts_->P_G; }
const MatrixXd& TerminalEquations::Q_G() const { return parts_->Q_G; }
const VectorXd& TerminalEquations::u_G() const { return parts_->u_G; }
const MatrixXd& TerminalEquations::P() const { return parts_->P; }
const MatrixXd& TerminalEquations::Q() const { return parts_->Q; }
const VectorXd& TerminalEquations::u() const { return parts_->u; }
const MatrixXd& TerminalEquations::load_map() const { return parts_->load_map; }

void TerminalEquations::compute_augmented(MatrixRef T) const {
  const Index n = 6 * parts_->m, l = 6 * parts_->l;
  door::check_output(T, 2 * n + l, 2 * n + l, "T");
  T.setZero();
  T.topLeftCorner(n, n) = parts_->Q;
  T.block(0, n, n, l) = -parts_->load_map.transpose();
  T.topRightCorner(n, n) = -parts_->S.transpose();
  T.block(n, 0, l, n) = parts_->load_map;
  T.bottomLeftCorner(n, n) = parts_->S;
}

ReducedEquations TerminalEquations::reduce() const {
  const Parts& from = *parts_;
  const Index nv = from.at.nv();
  MatrixXd H = MatrixXd::Zero(6 * from.m, nv), H_rate = H;
  for (Index j = 0; j < from.m; ++j) {
    const Placement::Body& body = from.at.bodies[at(j)];
    for (int i = body.v; i < body.v + body.d; ++i) {
      H.block<6, 1>(6 * j, i) = to_eigen(from.at.Hstar[at(i)]);
      H_rate.block<6, 1>(6 * j, i) = to_eigen(from.at.Hstar_rate[at(i)]);
    }
  }
  auto parts = std::make_unique<ReducedEquations::Parts>();
  parts->P = H.transpose() * from.P * H;
  for (Index i = 0; i < nv; ++i) parts->P(i, i) += from.at.rotor[at(i)];
  parts->Q = H.transpose() * (from.Q * H + from.P * H_rate);
  parts->u = H.transpose() * from.u;
  parts->loads = from.load_map * H;
  return ReducedEquations(std::move(parts));
}

ReducedEquations::ReducedEquations(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ReducedEquations::~ReducedEquations() = default;
ReducedEquations::ReducedEquations(ReducedEquations&&) noexcept = default;
ReducedEquations& ReducedEquations::operator=(ReducedEquations&&) noexcept = default;

const MatrixXd& ReducedEquations::P() const { return parts_->P; }
const MatrixXd& ReducedEquations::Q() const { return parts_->Q; }
const VectorXd& ReducedEquations::u() const { return parts_->u; }
const MatrixXd& ReducedEquations::loads() const { return parts_->loads; }

void ReducedEquations::compute_efforts(const ConstVectorRef& v, const ConstVectorRef& a,
                                       const ConstVectorRef& load, VectorRef tau) const {
  door::check_output(load.size(), parts_->loads.rows(), "load");
  tau = parts_->P * a + parts_->Q * v + parts_->u - parts_->loads.transpose() * load;
}

void ReducedEquations::compute_accelerations(const ConstVectorRef& v, const ConstVectorRef& tau,
                                             const ConstVectorRef& load, VectorRef a) const {
  door::check_output(load.size(), parts_->loads.rows(), "load");
  const Eigen::LDLT<MatrixXd> factors(parts_->P);
  const VectorXd& D = factors.vectorD();
  const double least = std::numeric_limits<double>::epsilon() * static_cast<double>(D.size());
  if (factors.info() != Eigen::Success || (D.size() > 0 && D.minCoeff() <= least * D.maxCoeff()))
    throw Error("the terminal equations have no accelerations: P is singular",
                Error::Kind::failed_computation);
  const VectorXd right = tau - parts_->Q * v - parts_->u + parts_->loads.transpose() * load;
  a = factors.solve(right);
}

}  // namespace linkwright::network
