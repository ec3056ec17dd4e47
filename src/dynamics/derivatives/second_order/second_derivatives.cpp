#include "linkwright/dynamics/second_derivatives.hpp"

#include <algorithm>

#include "dynamics/derivatives/derivative_kernels.hpp"
#include "dynamics/derivatives/second_order/second_kernels.hpp"
#include "dynamics/door.hpp"
#include "dynamics/external_loads.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/derivatives.hpp"
#include "linkwright/dynamics/dynamics.hpp"

namespace linkwright {

struct SecondDerivatives::Room : SecondRoom {
  explicit Room(const System& system)
      : SecondRoom(system.tree()),
        a(static_cast<std::size_t>(system.nv())),
        squares(4 * a.size() * a.size()) {}

  /// For forward dynamics: accelerations; their first derivatives by q, v and tau, and a page.
  std::vector<double> a, squares;
};

SecondDerivatives::SecondDerivatives(const System& system)
    : system_(&system),
      nv_(system.nv()),
      numbers_(4 * static_cast<std::size_t>(nv_) * static_cast<std::size_t>(nv_) *
               static_cast<std::size_t>(nv_)),
      room_(std::make_unique<Room>(system)) {}
SecondDerivatives::~SecondDerivatives() = default;
SecondDerivatives::SecondDerivatives(SecondDerivatives&&) noexcept = default;
SecondDerivatives& SecondDerivatives::operator=(SecondDerivatives&&) noexcept = default;

namespace {

void check_system(const System& system, const System& of_arrays) {
  if (&system != &of_arrays)
    throw Error(
        "the second derivatives are those of another system: their zeros need not be those of this "
        "one. Make them with SecondDerivatives(work.system())");
}

/// The pages of the arrays of inverse dynamics on their way to those of forward dynamics: with
/// D_k = ∂M/∂q_k and a_q, a_v, M⁻¹ the first derivatives,
///   a_qq(j, k) = −M⁻¹ (tau_qq(j, k) + D_k a_q(j) + D_j a_q(k)),  a_vv = −M⁻¹ tau_vv
///   a_qv(j, k) = −M⁻¹ (tau_qv(j, k) + D_j a_v(k)),               a_tau q(j, k) = −M⁻¹ D_k M⁻¹ e_j
struct ForwardPages {
  using Page = Eigen::Map<Eigen::MatrixXd>;
  Workspace& work;
  Eigen::Index n;
  double *qq, *vv, *qv, *xq;
  Page by_q, by_v, inverse, room;

  [[nodiscard]] Page page(double* cube, Eigen::Index k) const { return {cube + k * n * n, n, n}; }
  [[nodiscard]] double* entry(double* cube, Eigen::Index j, Eigen::Index k) const {
    return cube + n * (j + n * k);
  }
  /// x ← −A x
  void multiply(const Page& A, Page x) const {
    derivative_kernels().multiply(work.system().tree(), work.derivatives(),
                                  {const_cast<double*>(A.data()), n}, {x.data(), n});
  }
  /// Adds what D_k makes of the first derivatives.
  void add_first_order(Eigen::Index k) {
    const Page D = page(xq, k);
    room = by_q;
    multiply(D, room);
    for (Eigen::Index j = 0; j < n; ++j) {
      Eigen::Map<Eigen::VectorXd>(entry(qq, j, k), n) -= room.col(j);
      Eigen::Map<Eigen::VectorXd>(entry(qq, k, j), n) -= room.col(j);
    }
    room = by_v;
    multiply(D, room);
    for (Eigen::Index j = 0; j < n; ++j)
      Eigen::Map<Eigen::VectorXd>(entry(qv, k, j), n) -= room.col(j);
  }
  void weigh(Eigen::Index k) {
    for (double* cube : {qq, vv, qv}) multiply(inverse, page(cube, k));
    room = inverse;
    multiply(page(xq, k), room);
    multiply(inverse, room);
    page(xq, k) = -room;
  }
};

}  // namespace

void compute_inverse_dynamics_second_derivatives(Workspace& work, const State& state,
                                                 const ConstVectorRef& a, ExternalForces forces,
                                                 SecondDerivatives& out) {
  static const SecondKernels& chosen = LINKWRIGHT_CHOOSE_TABLE(second_kernels);
  const System& system = work.system();
  const BundledTree& tree = system.tree();
  door::check_state(system, state);
  door::check_velocity_like(system, a, "a");
  check_forces(system, forces);
  check_system(system, *out.system_);
  kernels().place(tree, work.scratch(), state.q.data());
  if (!tree.body_forces.line_springs.empty()) {
    kernels().poses(tree, work.scratch());
    check_springs(system, work.scratch());
  }
  // What is zero by the bodies' structure stays as it is; other forces reach there, and forward dynamics
  // everywhere.
  if (out.full_) std::fill(out.numbers_.begin(), out.numbers_.end(), 0.0);
  const AppliedForces applied{system, forces};
  const std::size_t cube = out.numbers_.size() / 4;
  double* numbers = out.numbers_.data();
  out.full_ =
      chosen.second_derivatives(tree, work.scratch(), work.derivatives(), *out.room_,
                                state.q.data(), state.v.data(), a.data(), to_loads(applied),
                                {numbers, numbers + cube, numbers + 2 * cube, numbers + 3 * cube});
}

void compute_forward_dynamics_second_derivatives(Workspace& work, const State& state,
                                                 const ConstVectorRef& tau, ExternalForces forces,
                                                 SecondDerivatives& out) {
  const System& system = work.system();
  check_system(system, *out.system_);
  const Eigen::Index n = system.nv();
  double *numbers = out.numbers_.data(), *squares = out.room_->squares.data();
  const Eigen::Index cube = n * n * n, square = n * n;
  using Page = ForwardPages::Page;
  ForwardPages pages{work,
                     n,
                     numbers,
                     numbers + cube,
                     numbers + 2 * cube,
                     numbers + 3 * cube,
                     Page(squares, n, n),
                     Page(squares + square, n, n),
                     Page(squares + 2 * square, n, n),
                     Page(squares + 3 * square, n, n)};
  Eigen::Map<Eigen::VectorXd> a(out.room_->a.data(), n);
  compute_forward_dynamics(work, state, tau, forces, a);
  compute_forward_dynamics_derivatives(work, state, tau, forces, pages.by_q, pages.by_v,
                                       pages.inverse);
  compute_inverse_dynamics_second_derivatives(work, state, a, forces, out);
  out.full_ = true;
  for (Eigen::Index k = 0; k < n; ++k) pages.add_first_order(k);
  for (Eigen::Index k = 0; k < n; ++k) pages.weigh(k);
}

}  // namespace linkwright
