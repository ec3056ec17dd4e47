// The paper's given quantities at a state, stacked: a, b, T, g and a(0).
#include <algorithm>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/operators/operators.hpp"
#include "linkwright/operators/sweeps/factorize.hpp"

namespace linkwright::operators {

void Operators::update(const State& state, const ConstVectorRef& tau, ExternalForces forces) {
  const TreeD& tree = system().tree();
  ScratchD& s = work_->scratch();
  door::check_state(system(), state);
  if (!is_closed()) door::check_efforts(system(), tau);
  check_forces(system(), forces);
  updated_ = false;
  if (is_closed()) {
    if (!chosen_) choose_independent(state.q);
    conditioning_ = embedding_->place(state, tau, data_->aggregates);
  }
  const AppliedForces applied{system(), forces};
  const double *q = state.q.data(), *v = state.v.data();
  const Force<double>* f_ext = kernels().place_and_gather(tree, s, q, v, to_loads(applied));
  check_springs(system(), s);
  const double* effort = kernels().add_joint_forces(tree, q, v, tau.data(), T_.data());
  if (effort != T_.data()) std::copy_n(effort, T_.size(), T_.begin());
  kernels().biases(tree, s, v, f_ext);
  for (std::size_t k = 1; k < tree.nodes.size(); ++k) {
    write_six(s.a[k].angular, s.a[k].linear, a_.data() + 6 * (k - 1));
    write_six(s.z[k].moment, s.z[k].force, b_.data() + 6 * (k - 1));
  }
  write_six({}, -tree.gravity, g_.data());
  if (!tips_.empty()) {
    if (!s.stamp.holds(Held::poses)) kernels().poses(tree, s);
    if (!s.stamp.holds(Held::velocities)) kernels().velocities(tree, s, v);
    write_tip_biases();
  }
  factorize();
  if (is_closed()) embed_state_vectors();
  of_state_ = configuration_;
}

/// a(S) = φ_Sᵀ (a + H* g), the bodies of an aggregate together; T = Gᵀ of the joints' efforts.
void Operators::embed_state_vectors() {
  ScratchD& s = work_->scratch();
  for (const Aggregate<double>& loop : data_->aggregates) {
    spread_aggregate(*data_, loop, loop.g.data(), s.a.data(), s.a.data());
    for (const int node : loop.nodes) {
      const auto k = static_cast<std::size_t>(node);
      write_six(s.a[k].angular, s.a[k].linear, a_.data() + 6 * (k - 1));
    }
  }
  const auto nv = static_cast<Eigen::Index>(T_.size());
  compute_efforts(
      Eigen::Map<const Eigen::VectorXd>(T_.data(), nv),
      Eigen::Map<Eigen::VectorXd>(reduced_.data(), static_cast<Eigen::Index>(reduced_.size())));
  for (const Aggregate<double>& loop : data_->aggregates)
    for (std::size_t i = 0; i < loop.joint.size(); ++i)
      reduced_[static_cast<std::size_t>(loop.joint[i])] += loop.effort[i];
}

void Operators::compute_rates(const ConstVectorRef& x, VectorRef v) const {
  check_updated(*this);
  check_joint_vector(*this, x, "x");
  door::check_output(v.size(), system().nv(), "v");
  for (std::size_t i = 0; i < independent_.size(); ++i)
    v[independent_[i]] = x[static_cast<Eigen::Index>(i)];
  for (const Aggregate<double>& loop : data_->aggregates)
    for (std::size_t row = 0; row < loop.freedoms.size(); ++row) {
      double sum = 0;
      for (std::size_t j = 0; j < loop.joint.size(); ++j)
        sum += loop.G[j * loop.freedoms.size() + row] * x[loop.joint[j]];
      v[loop.freedoms[row]] = sum;
    }
}
void Operators::compute_accelerations(const ConstVectorRef& x, VectorRef a) const {
  check_state_vectors("bias of the dependent joints");
  compute_rates(x, a);
  for (const Aggregate<double>& loop : data_->aggregates)
    for (std::size_t row = 0; row < loop.freedoms.size(); ++row)
      a[loop.freedoms[row]] += loop.g[row];
}
void Operators::compute_efforts(const ConstVectorRef& tau, VectorRef reduced) const {
  check_updated(*this);
  door::check_velocity_like(system(), tau, "tau");
  door::check_output(reduced.size(), size(Space::joint_effort), "reduced");
  for (std::size_t i = 0; i < independent_.size(); ++i)
    reduced[static_cast<Eigen::Index>(i)] = tau[independent_[i]];
  for (const Aggregate<double>& loop : data_->aggregates)
    for (std::size_t j = 0; j < loop.joint.size(); ++j) {
      double sum = 0;
      for (std::size_t row = 0; row < loop.freedoms.size(); ++row)
        sum += loop.G[j * loop.freedoms.size() + row] * tau[loop.freedoms[row]];
      reduced[loop.joint[j]] = sum;
    }
}

/// True accelerations, so without the −gravity that α carries.
void Operators::write_tip_biases() {
  const ScratchD& s = work_->scratch();
  for (std::size_t i = 0; i < data_->tips.size(); ++i) {
    const auto k = static_cast<std::size_t>(data_->tips[i].node);
    const Pose& frame = data_->tips[i].pose;
    const Vector3<double>& w = s.V[k].angular;
    const Vector3<double> centrifugal = cross(w, cross(w, frame.translation));
    const Vector3<double> gravity = transpose_times(s.pose[k].rotation, system().tree().gravity);
    // A frame on the world does not move.
    write_six({},
              k == 0 ? Vector3<double>{} : transpose_times(frame.rotation, centrifugal + gravity),
              a_0_.data() + 6 * data_->tip_place[i]);
  }
}

void Operators::check_state_vectors(const char* name) const {
  if (updated() && of_state_ == configuration_) return;
  throw Error(fmt::format(
      "these operators have no {}: it belongs to a state, not to a configuration alone. "
      "Call Operators::update(state, tau) first, and again after Operators::update(q) "
      "or another set_tips",
      name));
}

void check_owner(const Operators& at, std::uint64_t owner, std::uint64_t configuration) {
  if (owner != at.id())
    throw Error(
        "an expression holds a vector that was made for other operators than those it is "
        "evaluated with: take all of its vectors from one Operators, after its last choice of "
        "independent joints");
  if (configuration == 0 || at.configuration() == configuration) return;
  throw Error(
      "an expression holds a vector of the operators (a, b, T, g or a_0) from before their last "
      "update: write it anew after Operators::update(state, tau)");
}

Stacked<Space::link_motion, double> Operators::a() const {
  check_state_vectors("a");
  return {a_.data(), id_, configuration_};
}
Stacked<Space::link_force, double> Operators::b() const {
  check_state_vectors("b");
  return {b_.data(), id_, configuration_};
}
Stacked<Space::joint_effort, double> Operators::T() const {
  check_state_vectors("T");
  return {is_closed() ? reduced_.data() : T_.data(), id_, configuration_};
}
Stacked<Space::base_motion, double> Operators::g() const {
  check_state_vectors("g");
  return {g_.data(), id_, configuration_};
}
Stacked<Space::tip_motion, double> Operators::a_0() const {
  check_state_vectors("a_0");
  check_tips(*this);
  return {a_0_.data(), id_, configuration_};
}

}  // namespace linkwright::operators
