#include "simulate/contacts/mechanism.hpp"

#include <algorithm>
#include <optional>

#include <Eigen/Cholesky>

#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/closure/sweeps/loop_scratch.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/dynamics/sweeps/scratch.hpp"
#include "linkwright/system/lockable_system.hpp"

namespace linkwright {
namespace {

using Eigen::Index;

class TreeMechanism final : public ContactMechanism {
 public:
  TreeMechanism(Workspace& work, std::size_t most) : work_(&work) {
    const Index nv = work.system().nv(), n = static_cast<Index>(most);
    inverse_ = M_ = A_ = Eigen::MatrixXd::Zero(nv, nv);
    zero_ = needed_ = y_ = Eigen::VectorXd::Zero(nv);
    moving_.reserve(static_cast<std::size_t>(nv));
    columns_ = Eigen::MatrixXd::Zero(nv, n);
    response_ = Eigen::MatrixXd::Zero(n, n);
  }
  [[nodiscard]] const System& system() const override { return work_->system(); }
  void accelerate(const State& state, const Eigen::VectorXd& tau, const Eigen::VectorXd&,
                  ExternalForces forces, VectorRef a) override {
    compute_forward_dynamics(*work_, state, tau, forces, a);
  }
  void read_closing(const State&, Eigen::VectorXd&, Eigen::VectorXd&) override {}

  /// M without the rows and columns of what is held; these rows then give the forces.
  bool hold(const State& state, const Eigen::VectorXd& tau, const Eigen::VectorXd& /*closing*/,
            ExternalForces forces, const std::vector<ContactFreedom>& freedoms,
            std::span<const int> held, VectorRef a, Eigen::VectorXd& f) override {
    const Index nv = zero_.size();
    if (nv > most_dense) return false;
    compute_inverse_dynamics(*work_, state, zero_, forces, needed_);
    compute_mass_matrix(*work_, state.q, M_);
    moving_.clear();
    for (int i = 0; i < nv; ++i)
      if (std::none_of(held.begin(), held.end(),
                       [&](int h) { return freedoms[static_cast<std::size_t>(h)].v == i; }))
        moving_.push_back(i);
    const auto n = static_cast<Index>(moving_.size());
    auto block = A_.topLeftCorner(n, n);
    auto y = y_.head(n);
    for (Index i = 0; i < n; ++i) {
      const int row = moving_[static_cast<std::size_t>(i)];
      y[i] = tau[row] - needed_[row];
      for (Index k = 0; k < n; ++k) block(i, k) = M_(row, moving_[static_cast<std::size_t>(k)]);
    }
    if (n > 0) {
      const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(block);
      if (cholesky.info() != Eigen::Success) return false;
      cholesky.solveInPlace(y);
    }
    a.setZero();
    for (Index i = 0; i < n; ++i) a[moving_[static_cast<std::size_t>(i)]] = y[i];
    for (std::size_t k = 0; k < held.size(); ++k) {
      const int row = freedoms[static_cast<std::size_t>(held[k])].v;
      f[static_cast<Index>(k)] = needed_[row] - tau[row] + M_.row(row).dot(a);
    }
    return true;
  }
  void respond(const State& state, const std::vector<ContactFreedom>& freedoms,
               std::span<const int> which) override {
    compute_mass_matrix_inverse(*work_, state.q, inverse_);
    for (std::size_t k = 0; k < which.size(); ++k) {
      const int v = freedoms[static_cast<std::size_t>(which[k])].v;
      columns_.col(static_cast<Index>(k)) = inverse_.col(v);
      for (std::size_t i = 0; i < which.size(); ++i)
        response_(static_cast<Index>(i), static_cast<Index>(k)) =
            inverse_(freedoms[static_cast<std::size_t>(which[i])].v, v);
    }
  }
  void read_accelerations(const State&, const ConstVectorRef& a,
                          const std::vector<ContactFreedom>& freedoms, std::span<const int> which,
                          Eigen::VectorXd& out) override {
    for (std::size_t k = 0; k < which.size(); ++k)
      out[static_cast<Index>(k)] = a[freedoms[static_cast<std::size_t>(which[k])].v];
  }

 private:
  /// Beyond this the recursions are cheaper.
  static constexpr Index most_dense = 40;
  Workspace* work_;
  Eigen::MatrixXd inverse_, M_, A_;
  Eigen::VectorXd zero_, needed_, y_;
  std::vector<int> moving_;
};

/// A mechanism whose held freedoms are locked in one forward dynamics.
class LockedMechanism {
 public:
  LockedMechanism(const System& system, const std::vector<ContactFreedom>& freedoms)
      : lockable_(system, entries_of(freedoms)), work_(lockable_.system()) {
    entries_.reserve(freedoms.size());
  }

  /// Accelerations, and the forces f that hold. False where some row depends on others: then these forces may not
  /// be the only ones that would.
  bool hold(const State& state, const Eigen::VectorXd& tau, const Eigen::VectorXd& closing,
            ExternalForces forces, const std::vector<ContactFreedom>& freedoms,
            std::span<const int> held, VectorRef a, Eigen::VectorXd& f) {
    if (!lock(freedoms, held)) return false;
    std::copy(closing.begin(), closing.end(), work_.closing_efforts().begin());
    compute_forward_dynamics(work_, state, tau, forces, a);
    const ClosedReport report = closed_report(work_);
    if (report.method != ClosedMethod::recursion || report.dropped > work_.loops().never_counting)
      return false;
    for (std::size_t k = 0; k < held.size(); ++k) {
      f[static_cast<Index>(k)] = LockableSystem::force(a[entries_[k]]);
      a[entries_[k]] = 0;
    }
    return true;
  }
  [[nodiscard]] int rank() const { return closed_report(work_).rank; }
  [[nodiscard]] std::uint64_t computations() const {
    return work_.tree().scratch().stamp.placements();
  }

 private:
  static std::vector<int> entries_of(const std::vector<ContactFreedom>& freedoms) {
    std::vector<int> entries;
    for (const ContactFreedom& freedom : freedoms)
      if (freedom.v >= 0) entries.push_back(freedom.v);
    return entries;
  }
  /// False where a closing joint's freedom is among them.
  bool lock(const std::vector<ContactFreedom>& freedoms, std::span<const int> held) {
    const bool as_before =
        entries_.size() == held.size() &&
        std::equal(held.begin(), held.end(), entries_.begin(), [&](int i, int entry) {
          return freedoms[static_cast<std::size_t>(i)].v == entry;
        });
    if (as_before) return true;
    entries_.clear();
    for (const int i : held) entries_.push_back(freedoms[static_cast<std::size_t>(i)].v);
    if (std::any_of(entries_.begin(), entries_.end(), [](int v) { return v < 0; })) {
      entries_.clear();
      return false;
    }
    lockable_.lock(entries_);
    return true;
  }

  LockableSystem lockable_;
  ClosedWorkspace work_;
  std::vector<int> entries_;  // locked
};

/// Responses are differences of accelerations at rest: those under a unit of each effort less those under
/// none.
class ClosedMechanism final : public ContactMechanism {
 public:
  ClosedMechanism(ClosedWorkspace& work, const std::vector<ContactFreedom>& freedoms,
                  AccelerateClosed accelerate, bool driven)
      : work_(&work), accelerate_(std::move(accelerate)), driven_(driven), rest_(work.system()) {
    const std::size_t most = freedoms.size();
    if (!driven && most > 0) locked_.emplace(work.system(), freedoms);
    const System& system = work.system();
    const Index nv = system.nv(), n = static_cast<Index>(most);
    const auto closing = static_cast<Index>(system.closing_names().size());
    columns_ = Eigen::MatrixXd::Zero(nv, n);
    response_ = Eigen::MatrixXd::Zero(n, n);
    tau_ = Eigen::VectorXd::Zero(system.effort_count());
    closing_ = bias_ = Eigen::VectorXd::Zero(closing);
    L_ = Eigen::MatrixXd::Zero(closing, nv);
    a_ = Eigen::VectorXd::Zero(nv);
    responded_.reserve(most);
  }
  [[nodiscard]] const System& system() const override { return work_->system(); }
  void accelerate(const State& state, const Eigen::VectorXd& tau, const Eigen::VectorXd& closing,
                  ExternalForces forces, VectorRef a) override {
    std::copy(closing.begin(), closing.end(), work_->closing_efforts().begin());
    accelerate_(state, tau, forces, a);
    rank_ = closed_report(*work_).rank;
  }
  bool hold(const State& state, const Eigen::VectorXd& tau, const Eigen::VectorXd& closing,
            ExternalForces forces, const std::vector<ContactFreedom>& freedoms,
            std::span<const int> held, VectorRef a, Eigen::VectorXd& f) override {
    if (!locked_ || !locked_->hold(state, tau, closing, forces, freedoms, held, a, f)) return false;
    rank_ = locked_->rank();
    return true;
  }
  void read_closing(const State& state, Eigen::VectorXd& x, Eigen::VectorXd& w) override {
    compute_closing_jacobian(*work_, state.q, L_);
    w.noalias() = L_ * state.v;
    compute_closing_coordinates(*work_, state.q, x);
  }
  void respond(const State& state, const std::vector<ContactFreedom>& freedoms,
               std::span<const int> which) override {
    const auto any_closing = std::any_of(which.begin(), which.end(), [&](int i) {
      return freedoms[static_cast<std::size_t>(i)].closing >= 0;
    });
    if (any_closing) compute_closing_jacobian(*work_, state.q, L_);
    if (responds_as_known(state, which)) return;
    rest_.t = state.t, rest_.q = state.q;
    tau_.setZero(), closing_.setZero();
    accelerate(rest_, tau_, closing_, {}, a_);
    for (std::size_t k = 0; k < which.size(); ++k) {
      const ContactFreedom& freedom = freedoms[static_cast<std::size_t>(which[k])];
      double& effort = freedom.closing < 0 ? tau_[freedom.v] : closing_[freedom.closing];
      auto column = columns_.col(static_cast<Index>(k));
      effort = 1;
      accelerate(rest_, tau_, closing_, {}, column);
      effort = 0;
      column -= a_;
      for (std::size_t i = 0; i < which.size(); ++i)
        response_(static_cast<Index>(i), static_cast<Index>(k)) =
            row_times(freedoms[static_cast<std::size_t>(which[i])], column);
    }
    responded_.assign(which.begin(), which.end());
  }
  void read_accelerations(const State& state, const ConstVectorRef& a,
                          const std::vector<ContactFreedom>& freedoms, std::span<const int> which,
                          Eigen::VectorXd& out) override {
    bool known = false;
    for (std::size_t k = 0; k < which.size(); ++k) {
      const ContactFreedom& freedom = freedoms[static_cast<std::size_t>(which[k])];
      double& result = out[static_cast<Index>(k)];
      result = row_times(freedom, a);
      if (freedom.closing < 0) continue;
      if (!known) compute_closing_bias(*work_, state, bias_);
      known = true;
      result += bias_[freedom.closing];
    }
  }
  [[nodiscard]] bool wants_last_word() const override { return true; }
  [[nodiscard]] int mobility() const override { return driven_ ? -1 : system().nv() - rank_; }
  [[nodiscard]] std::uint64_t computations() const override {
    return work_->tree().scratch().stamp.placements() + (locked_ ? locked_->computations() : 0);
  }

 private:
  /// Responses depend on the position alone: those of a mechanism that stands need no second look.
  [[nodiscard]] bool responds_as_known(const State& state, std::span<const int> which) const {
    return !responded_.empty() &&
           std::equal(which.begin(), which.end(), responded_.begin(), responded_.end()) &&
           rest_.q == state.q;
  }
  [[nodiscard]] double row_times(const ContactFreedom& freedom, const ConstVectorRef& a) const {
    return freedom.closing < 0 ? a[freedom.v] : L_.row(freedom.closing).dot(a);
  }

  ClosedWorkspace* work_;
  AccelerateClosed accelerate_;
  bool driven_;
  std::optional<LockedMechanism> locked_;
  int rank_ = 0;  ///< of the closures, where it last accelerated
  State rest_;
  std::vector<int> responded_;  ///< whose responses, at the position of rest_
  Eigen::VectorXd tau_, closing_, bias_, a_;
  Eigen::MatrixXd L_;
};

}  // namespace

std::unique_ptr<const System> without_friction(const System& system, Closures closures) {
  if (contact_freedoms(system, closures).empty()) return nullptr;
  return std::make_unique<const System>(leave_out_friction(system));
}

std::unique_ptr<ContactMechanism> make_tree_mechanism(Workspace& work, std::size_t most) {
  return std::make_unique<TreeMechanism>(work, most);
}

std::unique_ptr<ContactMechanism> make_closed_mechanism(ClosedWorkspace& work,
                                                        const std::vector<ContactFreedom>& freedoms,
                                                        AccelerateClosed accelerate, bool driven) {
  return std::make_unique<ClosedMechanism>(work, freedoms, std::move(accelerate), driven);
}

}  // namespace linkwright
