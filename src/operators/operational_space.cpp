#include "linkwright/operators/operational_space.hpp"

#include <cmath>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "dynamics/door.hpp"
#include "linkwright/operators/factorization.hpp"
#include "linkwright/operators/sweeps/operational_space.hpp"

namespace linkwright::operators {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using TipD = Tip<double>;

bool same_place(const TipD& a, const Pose& pose, int node) {
  return a.node == node && to_eigen(a.pose.rotation) == to_eigen(pose.rotation) &&
         to_eigen(a.pose.translation) == to_eigen(pose.translation);
}

/// "'left', 'right'" in the order of set_tips. Of frames at the same place any may be named.
std::string frame_names(const System& system, const OperatorData<double>& data) {
  std::vector<std::string> names(data.tips.size());
  for (std::size_t i = 0; i < data.tips.size(); ++i)
    for (const FramePlace& frame : system.frames())
      if (same_place(data.tips[i], frame.pose, frame.node))
        names[static_cast<std::size_t>(data.tip_place[i])] = "'" + frame.name + "'";
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// One over the square root of the largest diagonal entry of Ω, for angular and for linear axes.
VectorXd measure_axes(const Eigen::Map<const MatrixXd>& Omega) {
  double most[2] = {0, 0};
  for (Eigen::Index i = 0; i < Omega.rows(); ++i) {
    double& of_kind = most[i % 6 < 3 ? 0 : 1];
    of_kind = std::max(of_kind, Omega(i, i));
  }
  // Frames in the centre of a ball joint: what is left of linear motion is the rounding of lengths,
  // squared, and must not be made large.
  constexpr double noise = 1e-24;
  if (most[1] <= noise * most[0]) most[1] = most[0];
  if (most[0] <= noise * most[1]) most[0] = most[1];
  VectorXd scale(Omega.rows());
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    const double of_kind = most[i % 6 < 3 ? 0 : 1];
    scale[i] = of_kind > 0 ? 1 / std::sqrt(of_kind) : 1;
  }
  return scale;
}

}  // namespace

struct OperationalSpace::Content {
  Content(Operators& of, double ratio) : at(of), cutoff(ratio) {}

  Operators& at;
  double cutoff;
  bool updated = false, inverted = false;
  OperationalData<double> sweep;
  // The frames that `sweep` speaks for.
  std::vector<TipD> tips;
  std::vector<int> tip_place;
  // By invert.
  int rank = 0;
  MatrixXd inertia;
  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen;
  // Between sweeps.
  VectorXd motion, force;

  [[nodiscard]] Eigen::Index size() const { return 6 * static_cast<Eigen::Index>(tips.size()); }
  [[nodiscard]] Eigen::Map<const MatrixXd> Omega() const {
    return {sweep.Omega.data(), size(), size()};
  }
  [[nodiscard]] bool has_frames_of_operators() const;
  void check_current() const;
  void invert();
  void demand_inertia(Singular singular);
};

bool OperationalSpace::Content::has_frames_of_operators() const {
  const OperatorData<double>& data = at.data();
  if (data.tip_place != tip_place) return false;
  for (std::size_t i = 0; i < tips.size(); ++i)
    if (!same_place(tips[i], data.tips[i].pose, data.tips[i].node)) return false;
  return true;
}

void OperationalSpace::Content::check_current() const {
  if (!updated)
    throw Error("this operational space has no configuration: call OperationalSpace::update()");
  if (!has_frames_of_operators())
    throw Error(
        fmt::format("the frames of the operators have changed (now {}): call "
                    "OperationalSpace::update() after Operators::set_tips",
                    frame_names(at.system(), at.data())));
}

/// The eigenvalues of Ω in measured axes, and Λ from those above the cutoff.
void OperationalSpace::Content::invert() {
  if (inverted) return;
  const VectorXd scale = measure_axes(Omega());
  inertia = scale.asDiagonal() * Omega() * scale.asDiagonal();
  eigen.compute(inertia);
  const VectorXd& values = eigen.eigenvalues();  // ascending
  const Eigen::Index n = values.size();
  const double least = cutoff * values[n - 1];
  rank = 0;
  while (rank < n && values[n - 1 - rank] > least) ++rank;
  const MatrixXd movable = scale.asDiagonal() * eigen.eigenvectors().rightCols(rank);
  inertia.noalias() = movable * values.tail(rank).cwiseInverse().asDiagonal() * movable.transpose();
  inverted = true;
}

void OperationalSpace::Content::demand_inertia(Singular singular) {
  check_current();
  invert();
  if (singular == Singular::pseudo_inverse || rank == size()) return;
  throw Error(
      fmt::format(
          "the operational-space inertia of the frames {} does not exist: their inverse "
          "inertia J M⁻¹ Jᵀ is {}x{} and has rank {} at this configuration ({} freedoms). "
          "Use compute_inverse_inertia, which always exists, give set_tips fewer frames, or "
          "pass Singular::pseudo_inverse",
          frame_names(at.system(), at.data()), size(), size(), rank, at.system().nv()),
      Error::Kind::failed_computation);
}

OperationalSpace::OperationalSpace(Operators& at, double cutoff)
    : content_(std::make_unique<Content>(at, cutoff)) {
  if (!(cutoff > 0 && cutoff < 1))
    throw Error(fmt::format("cutoff is {}; expected a ratio between 0 and 1", cutoff));
}
OperationalSpace::~OperationalSpace() = default;

void OperationalSpace::update() {
  Content& c = *content_;
  OperatorData<double>& data = c.at.data();
  c.updated = c.inverted = false;
  if (data.tips.empty())
    throw Error(
        "an operational space needs frames: name at least one with Operators::set_tips before "
        "OperationalSpace::update()");
  check_updated(c.at);
  if (!c.has_frames_of_operators()) {
    c.tips = data.tips;
    c.tip_place = data.tip_place;
    c.sweep.resize(data.tree->nodes.size(), data.tips.size());
    c.motion.resize(c.size()), c.force.resize(c.size());
  }
  operational_space(data, c.sweep);
  c.updated = true;
}

int OperationalSpace::size() const { return static_cast<int>(content_->size()); }
int OperationalSpace::nv() const { return content_->at.system().nv(); }
int OperationalSpace::rank() {
  content_->check_current();
  content_->invert();
  return content_->rank;
}

void OperationalSpace::compute_inverse_inertia(MatrixRef out) const {
  content_->check_current();
  door::check_output(out, size(), size(), "inverse_inertia");
  out = content_->Omega();
}

void OperationalSpace::compute_inertia(MatrixRef out, Singular singular) {
  content_->demand_inertia(singular);
  door::check_output(out, size(), size(), "inertia");
  out = content_->inertia;
}

void OperationalSpace::compute_consistent_inverse(MatrixRef out, Singular singular) {
  Content& c = *content_;
  c.demand_inertia(singular);
  door::check_output(out, nv(), size(), "consistent_inverse");
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    const Stacked<Space::tip_force, double> f{c.inertia.col(i).data()};
    // M⁻¹ Jᵀ as in (6.3) of part 2: H φ B is swallowed by the first factor.
    evaluate(c.at.evaluation(), transpose(I - H * Psi * L) * inverse(D) * H * psi * B * f,
             out.col(i).data());
  }
}

void OperationalSpace::apply_null_space(const ConstVectorRef& tau, VectorRef out,
                                        Singular singular) {
  Content& c = *content_;
  c.demand_inertia(singular);
  door::check_velocity_like(c.at.system(), tau, "tau");
  door::check_output(out.size(), nv(), "out");
  const Stacked<Space::joint_effort, double> effort{tau.data()};
  evaluate(c.at.evaluation(),
           transpose(B) * transpose(psi) * transpose(H) * inverse(D) * (I - H * Psi * L) * effort,
           c.motion.data());
  c.force.noalias() = c.inertia * c.motion;
  evaluate(c.at.evaluation(),
           effort - H * phi * B * Stacked<Space::tip_force, double>{c.force.data()}, out.data());
}

void OperationalSpace::compute_null_space(MatrixRef out, Singular singular) {
  content_->demand_inertia(singular);
  door::check_output(out, nv(), nv(), "null_space");
  out.setIdentity();
  for (Eigen::Index i = 0; i < out.cols(); ++i) apply_null_space(out.col(i), out.col(i), singular);
}

}  // namespace linkwright::operators
