#include "linkwright/operators/operational_space.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/operators/factorization.hpp"
#include "operators/operator_kernels.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::operators {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// "'left', 'right'"
std::string frame_names(const System& system, std::span<const FrameId> frames) {
  std::string text;
  for (const FrameId frame : frames)
    text += (text.empty() ? "'" : ", '") + system.frame(frame).name + "'";
  return text;
}

/// One over the square root of the largest diagonal entry of Ω, for angular and for linear axes.
void measure_axes(const Eigen::Map<const MatrixXd>& Omega, VectorXd& scale) {
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
  for (Eigen::Index i = 0; i < scale.size(); ++i) {
    const double of_kind = most[i % 6 < 3 ? 0 : 1];
    scale[i] = of_kind > 0 ? 1 / std::sqrt(of_kind) : 1;
  }
}

/// V = Q V for the Q of a tridiagonal form, reflection by reflection: Eigen's own product allocates,
/// and so does asking it for the factors 2 / vᵀv.
void reflect_back(const Eigen::Tridiagonalization<MatrixXd>& form, MatrixXd& V, VectorXd& room) {
  const MatrixXd& packed = form.packedMatrix();
  const Eigen::Index n = packed.rows();
  for (Eigen::Index k = n - 3; k >= 0; --k) {              // the last one is the identity
    const auto essential = packed.col(k).tail(n - k - 2);  // v = [1; essential]
    const double square = essential.squaredNorm();
    if (square == 0) continue;
    V.bottomRows(n - k - 1).applyHouseholderOnTheLeft(essential, 2 / (1 + square), room.data());
  }
}

}  // namespace

struct OperationalSpace::Matrices {
  Matrices(Operators& of, double ratio) : at(of), cutoff(ratio) {}

  Operators& at;
  double cutoff;
  bool updated = false, inverted = false;
  OperationalData<double> sweep;
  // What `sweep` speaks for.
  std::vector<FrameId> frames;
  std::uint64_t configuration = 0, choice = 0;
  // By invert.
  int rank = 0;
  VectorXd scale, diagonal, beside, room;
  MatrixXd inertia, vectors;
  Eigen::Tridiagonalization<MatrixXd> tridiagonal;
  Eigen::SelfAdjointEigenSolver<MatrixXd> eigen;
  // Between sweeps.
  VectorXd motion, force;

  [[nodiscard]] Eigen::Index size() const { return 6 * static_cast<Eigen::Index>(frames.size()); }
  [[nodiscard]] Eigen::Map<const MatrixXd> Omega() const {
    return {sweep.Omega.data(), size(), size()};
  }
  [[nodiscard]] bool has_frames_of_operators() const;
  [[nodiscard]] bool has_room() const;
  void resize_to_frames_of_operators();
  void check_current() const;
  void invert();
  void demand_inertia(Singular singular);
};

/// Frames, and independent joints of a closed system.
bool OperationalSpace::Matrices::has_room() const {
  return has_frames_of_operators() && choice == at.choice();
}
bool OperationalSpace::Matrices::has_frames_of_operators() const {
  return std::ranges::equal(frames, at.tips(), {}, &FrameId::index, &FrameId::index);
}

void OperationalSpace::Matrices::resize_to_frames_of_operators() {
  frames.assign(at.tips().begin(), at.tips().end());
  choice = at.choice();
  std::size_t independents = 0;
  for (const Aggregate<double>& loop : at.data().aggregates)
    independents = std::max(independents, loop.independent.size());
  sweep.resize(at.data().tree->nodes.size(), frames.size(), independents);
  const Eigen::Index n = size();
  motion.resize(n), force.resize(n);
  scale.resize(n), diagonal.resize(n), beside.resize(n - 1), room.resize(n);
  inertia.resize(n, n), vectors.resize(n, n);
  tridiagonal = Eigen::Tridiagonalization<MatrixXd>(n);
  // Room for n; an object without a result may not be copied.
  if (n > 0) eigen.compute(MatrixXd::Identity(n, n));
}

void OperationalSpace::Matrices::check_current() const {
  if (!updated)
    throw Error("this operational space has no configuration: call OperationalSpace::update()");
  if (!has_frames_of_operators())
    throw Error(
        fmt::format("the frames of the operators have changed (now {}): call "
                    "OperationalSpace::update() after Operators::set_tips",
                    frame_names(at.system(), at.tips())));
  if (at.configuration() != configuration || !at.updated())
    throw Error(
        "the operators have moved since this operational space was updated: call "
        "OperationalSpace::update() after Operators::update");
}

/// The eigenvalues of Ω in measured axes, and Λ from those above the cutoff.
void OperationalSpace::Matrices::invert() {
  if (inverted) return;
  measure_axes(Omega(), scale);
  inertia = scale.asDiagonal() * Omega() * scale.asDiagonal();
  tridiagonal.compute(inertia);
  diagonal = tridiagonal.diagonal(), beside = tridiagonal.subDiagonal();
  eigen.computeFromTridiagonal(diagonal, beside);
  vectors = eigen.eigenvectors();
  reflect_back(tridiagonal, vectors, room);
  const VectorXd& values = eigen.eigenvalues();  // ascending
  const Eigen::Index n = values.size();
  const double least = cutoff * values[n - 1];
  rank = 0;
  while (rank < n && values[n - 1 - rank] > least) ++rank;
  auto movable = vectors.rightCols(rank);
  movable =
      scale.asDiagonal() * movable * values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  inertia = movable.lazyProduct(movable.transpose());  // blocked products allocate
  inverted = true;
}

void OperationalSpace::Matrices::demand_inertia(Singular singular) {
  check_current();
  invert();
  if (singular == Singular::pseudo_inverse || rank == size()) return;
  throw Error(
      fmt::format(
          "the operational-space inertia of the frames {} does not exist: their inverse "
          "inertia J M⁻¹ Jᵀ is {}x{} and has rank {} at this configuration ({} freedoms). "
          "Use compute_inverse_inertia, which always exists, give set_tips fewer frames, or "
          "pass Singular::pseudo_inverse",
          frame_names(at.system(), at.tips()), size(), size(), rank, at.size(Space::joint_rate)),
      Error::Kind::failed_computation);
}

OperationalSpace::OperationalSpace(Operators& at, double cutoff)
    : matrices_(std::make_unique<Matrices>(at, cutoff)) {
  if (!(cutoff > 0 && cutoff < 1))
    throw Error(fmt::format("cutoff is {}; expected a ratio between 0 and 1", cutoff));
}
OperationalSpace::~OperationalSpace() = default;

void OperationalSpace::update() {
  Matrices& c = *matrices_;
  OperatorData<double>& data = c.at.data();
  c.updated = c.inverted = false;
  if (data.tips.empty())
    throw Error(
        "an operational space needs frames: name at least one with Operators::set_tips before "
        "OperationalSpace::update()");
  check_updated(c.at);
  if (!c.has_room()) c.resize_to_frames_of_operators();
  operator_kernels().operational_space(data, c.sweep);
  c.configuration = c.at.configuration();
  c.updated = true;
}

int OperationalSpace::size() const { return static_cast<int>(matrices_->size()); }
int OperationalSpace::nv() const { return matrices_->at.size(Space::joint_rate); }
int OperationalSpace::rank() {
  matrices_->check_current();
  matrices_->invert();
  return matrices_->rank;
}

void OperationalSpace::compute_inverse_inertia(MatrixRef out) const {
  matrices_->check_current();
  door::check_output(out, size(), size(), "inverse_inertia");
  out = matrices_->Omega();
}

void OperationalSpace::compute_inertia(MatrixRef out, Singular singular) {
  matrices_->demand_inertia(singular);
  door::check_output(out, size(), size(), "inertia");
  out = matrices_->inertia;
}

void OperationalSpace::compute_consistent_inverse(MatrixRef out, Singular singular) {
  Matrices& c = *matrices_;
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
  Matrices& c = *matrices_;
  c.demand_inertia(singular);
  check_joint_vector(c.at, tau, "tau");
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
  matrices_->demand_inertia(singular);
  door::check_output(out, nv(), nv(), "null_space");
  out.setIdentity();
  for (Eigen::Index i = 0; i < out.cols(); ++i) apply_null_space(out.col(i), out.col(i), singular);
}

}  // namespace linkwright::operators
