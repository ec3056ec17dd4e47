#include "simulate/integrators/discrete_motion.hpp"

#include <cmath>

#include <Eigen/QR>

#include "dynamics/kernels.hpp"

namespace linkwright {
namespace {

/// dexp⁻¹ of so(3), transposed: what turns I x/h into the momentum at an end of the step.
Vector3 momentum_at_end(const Vector3& x, const Vector3& L, Side side) {
  const double a2 = dot(x, x), a = std::sqrt(a2);
  const double k = a2 < 1e-4 ? 1.0 / 12 + a2 / 720 + a2 * a2 / 30240
                             : (1 - 0.5 * a * std::cos(0.5 * a) / std::sin(0.5 * a)) / a2;
  const Vector3 xL = cross(x, L);
  return L + (side == Side::start ? 0.5 : -0.5) * xL + k * cross(x, xL);
}

Motion bracket(const Motion& x, const Motion& y) {
  return {cross(x.angular, y.angular), cross(x.angular, y.linear) + cross(x.linear, y.angular)};
}

/// The same of se(3), not transposed: how a displacement exp(u) changes, in its own coordinates,
/// when its start yields or its finish goes on by y:
///   y ∓ ½ [u, y] + c2 [u, [u, y]] + c4 [u, [u, [u, [u, y]]]],
/// the Bernoulli series of ad u summed up by (ad u)⁵ = −2 a² (ad u)³ − a⁴ ad u, a = |ω|.
Motion change_of_displacement(const Motion& u, const Motion& y, Side side) {
  const double a2 = dot(u.angular, u.angular), a4 = a2 * a2;
  double c2 = 1.0 / 12 - a4 * (1.0 / 30240 + a2 * (2.0 / 1209600 + a2 * (3.0 / 47900160)));
  double c4 = -1.0 / 720 - a2 * (2.0 / 30240 + a2 * (3.0 / 1209600 + a2 * (4.0 / 47900160)));
  if (a2 >= 0.09) {
    const double a = std::sqrt(a2), below = 4 * a * (std::cos(a) - 1);
    c2 = 2 / a2 + (a + 3 * std::sin(a)) / below;
    c4 = 1 / a4 + (a + std::sin(a)) / (a2 * below);
  }
  const Motion once = bracket(u, y), twice = bracket(u, once);
  const Motion fourth = bracket(u, bracket(u, twice));
  return y + (side == Side::start ? -0.5 : 0.5) * once + c2 * twice + c4 * fourth;
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
      rotor_(Eigen::VectorXd::Zero(system.nv())),
      place_(system.tree().nodes.size()),
      displacement_(system.tree().nodes.size()) {
  collect_bodies();
  collect_rotors();
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

/// Reads the compiled tree, so that whatever adds to a rotor there counts here.
void DiscreteMotion::collect_rotors() {
  const TreeD& tree = system_->tree();
  for (int k = 1; k < tree.count(); ++k) {
    const Node<double>& node = tree.nodes[static_cast<std::size_t>(k)];
    if (node.modes < 0) {
      rotor_[node.v] = node.rotor;
      continue;
    }
    const Modes<double>& modes = tree.modes[static_cast<std::size_t>(node.modes)];
    bool any = false;
    Eigen::MatrixXd columns(6, modes.d);
    for (int i = 0; i < modes.d; ++i) {
      rotor_[node.v + i] = modes.rotor[i];
      any = any || modes.rotor[i] != 0;
      columns.col(i) = to_eigen(modes.column[i]);
    }
    if (any && !modes.plain)
      several_rotors_.push_back({k, columns.completeOrthogonalDecomposition().pseudoInverse()});
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

void DiscreteMotion::write_rotor_momenta(Side side, Eigen::VectorXd& out) const {
  out = rotor_.cwiseProduct(u_) / h_;
  for (const SeveralRotors& joint : several_rotors_) write_several_rotors(joint, side, out);
}

/// ½ uᵀ B u/h of a joint whose freedoms do not commute: u changes by less than its ends move.
void DiscreteMotion::write_several_rotors(const SeveralRotors& joint, Side side,
                                      Eigen::VectorXd& out) const {
  const Node<double>& node = system_->tree().nodes[static_cast<std::size_t>(joint.node)];
  const Modes<double>& modes = system_->tree().modes[static_cast<std::size_t>(node.modes)];
  Motion u{};
  for (int i = 0; i < modes.d; ++i) u += u_[node.v + i] * modes.column[i];
  std::array<double, 6> momentum{};
  for (int i = 0; i < modes.d; ++i) {
    const auto change = to_eigen(change_of_displacement(u, modes.column[i], side));
    for (int k = 0; k < modes.d; ++k)
      momentum[static_cast<std::size_t>(i)] +=
          joint.coordinates.row(k).dot(change) * out[node.v + k];
  }
  for (int i = 0; i < modes.d; ++i) out[node.v + i] = momentum[static_cast<std::size_t>(i)];
}

}  // namespace linkwright
