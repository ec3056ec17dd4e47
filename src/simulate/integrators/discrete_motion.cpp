#include "simulate/integrators/discrete_motion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/kernels.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright {
namespace {

/// dexp⁻¹ of so(3), transposed: what turns I x/h into the momentum at an end of the step.
Vector3 momentum_at_end(const Vector3& x, const Vector3& L, Side side) {
  return spatial::solve_exp_coupling(side == Side::start ? -x : x, L);
}

/// The couple that a Lagrangian ½ vᵀ B v of the joint's own velocities would add, −⟨B v, [v, e_i]⟩
/// on freedom i: zero for all v, or not. It is quadratic: unit vectors and their sums tell. Brackets
/// that leave the joint's modes make its motion nonholonomic: then there is no such Lagrangian.
bool turns_rotors(const Modes<double>& modes) {
  const double size = *std::max_element(modes.rotor, modes.rotor + modes.d);
  if (size == 0) return false;
  Eigen::MatrixXd columns(6, modes.d);
  for (int i = 0; i < modes.d; ++i) columns.col(i) = to_eigen(modes.column[i]);
  const Eigen::MatrixXd coordinates = columns.completeOrthogonalDecomposition().pseudoInverse();
  for (int i = 0; i < modes.d; ++i)
    for (int k = 0; k < i; ++k) {
      const Eigen::VectorXd product = to_eigen(bracket(modes.column[i], modes.column[k]));
      if ((product - columns * (coordinates * product)).norm() > 1e-9 * columns.squaredNorm())
        return true;
    }
  const auto couple = [&](const Eigen::VectorXd& v) {
    Motion V{};
    for (int i = 0; i < modes.d; ++i) V += v[i] * modes.column[i];
    double largest = 0;
    for (int i = 0; i < modes.d; ++i) {
      const Eigen::VectorXd along = coordinates * to_eigen(bracket(V, modes.column[i]));
      double sum = 0;
      for (int k = 0; k < modes.d; ++k) sum += modes.rotor[k] * v[k] * along[k];
      largest = std::max(largest, std::abs(sum));
    }
    return largest;
  };
  for (int j = 0; j < modes.d; ++j)
    for (int k = 0; k <= j; ++k)
      if (couple(Eigen::VectorXd::Unit(modes.d, j) + Eigen::VectorXd::Unit(modes.d, k)) >
          1e-12 * size)
        return true;
  return false;
}

/// (R − 1) r without the difference.
Vector3 way_of(const Quaternion& q, const Vector3& r) {
  const Vector3 v{q.x, q.y, q.z};
  const Vector3 vr = cross(v, r);
  return 2 * (q.w * vr + cross(v, vr));
}

}  // namespace

DiscreteMotion::DiscreteMotion(const System& system)
    : system_(&system),
      u_(Eigen::VectorXd::Zero(system.nv())),
      place_(system.tree().nodes.size()),
      displacement_(system.tree().nodes.size()) {
  collect_bodies();
  check_rotors();
}

void DiscreteMotion::collect_bodies() {
  for (std::size_t b = 0; b < system_->model().bodies.size(); ++b) {
    const Body& body = system_->model().bodies[b];
    const FrameId frame{static_cast<int>(b) + 1};
    const FramePlace& place = system_->frame(frame);
    const bool empty =
        body.mass == 0 && body.inertia.xx == 0 && body.inertia.yy == 0 && body.inertia.zz == 0;
    if (empty || place.node == 0) continue;
    bodies_.push_back({place.node, place.pose, body.mass, place.pose * body.com,
                       congruence(place.pose.rotation, body.inertia)});
    momenta_.push_back({frame, {}, Axes::own});
  }
}

void DiscreteMotion::check_rotors() const {
  const TreeD& tree = system_->tree();
  for (int k = 1; k < tree.count(); ++k) {
    const Node<double>& node = tree.nodes[static_cast<std::size_t>(k)];
    if (node.modes < 0) continue;
    const Modes<double>& modes = tree.modes[static_cast<std::size_t>(node.modes)];
    if (modes.plain || !turns_rotors(modes)) continue;
    throw Error(fmt::format(
        "the method 'symplectic' cannot bound the energy of the rotor inertia on {}: its freedoms "
        "do not commute, and rotors on them follow from no Lagrangian unless all turn alike about "
        "the three axes. Use rk4, adams or bdf, or leave the rotor inertia out",
        system_->describe_node(k)));
  }
}

void DiscreteMotion::begin(Workspace& work, const Eigen::VectorXd& q) {
  kernels().place(system_->tree(), work.scratch(), q.data());
  place_ = work.scratch().place;
}

void DiscreteMotion::compute(const Eigen::VectorXd& u, double h) {
  const TreeD& tree = system_->tree();
  u_ = u;
  h_ = h;
  displacement_[0] = {{1, 0, 0, 0}, {}};
  sweeps::outward(tree, [&](auto joint, int k) {
    const auto at = static_cast<std::size_t>(k);
    const Node<double>& n = tree.nodes[at];
    const sweeps::Place<double>& x = place_[at];
    const auto& [Q, t] = displacement_[static_cast<std::size_t>(n.parent)];
    const auto offset = joint.offset(n, x);
    const Vector3 l = Vector3{} + offset;
    // The parent's displacement as the child sees it, then the joint's own.
    const Vector3 turn = joint.to_child(n, x, Vector3{Q.x, Q.y, Q.z});
    const Quaternion seen{Q.w, turn.x, turn.y, turn.z};
    const Vector3 moved = joint.to_child(n, x, t + way_of(Q, l));
    const Motion own = joint.rate(tree, n, u.data() + n.v);
    const Vector3 path = spatial::exp_coupling(own.angular, own.linear);
    displacement_[at] = {seen * spatial::exp_rotation(own.angular),
                         moved + path + way_of(seen, path)};
  });
}

ExternalForces DiscreteMotion::body_momenta(Side side, double scale) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const MovingBody& body = bodies_[i];
    const auto& [Q, t] = displacement_[static_cast<std::size_t>(body.node)];
    Vector3 way =
        t + way_of(Q, body.com);  // of the centre of mass, in the node's axes at the start
    if (side == Side::finish) way += way_of(conjugate(Q), way);
    const Vector3 x = spatial::log_rotation(Q);
    const Vector3 L = (1 / h_) * (body.inertia * x);
    const Vector3 force = (scale * body.mass / h_) * way;
    const Vector3 moment = scale * momentum_at_end(x, L, side);
    momenta_[i].force = to_child(body.frame, Force{moment + cross(body.com, force), force});
  }
  return momenta_;
}

void DiscreteMotion::write_rotor_momenta(Eigen::VectorXd& out) const {
  const Eigen::Map<const Eigen::VectorXd> rotor(system_->rotor_inertia().data(), u_.size());
  out = rotor.cwiseProduct(u_) / h_;
}

}  // namespace linkwright
