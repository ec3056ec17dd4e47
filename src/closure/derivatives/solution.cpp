#include "closure/derivatives/solution.hpp"

#include "closure/products/products.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::closure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

int rows_of(const System& system) {
  return system.closures().empty() ? 0
                                   : system.closures().back().row + system.closures().back().rows;
}

[[noreturn]] void refuse_massless() {
  throw Error(
      "forward dynamics has no derivatives: some motion that the closures allow moves no mass at "
      "all. Give the links that take part in it mass or rotor inertia",
      Error::Kind::failed_computation);
}

}  // namespace

Solution::Solution(const System& system)
    : n_(system.nv()),
      m_(rows_of(system)),
      K_(n_ + m_, n_ + m_),
      E_(m_, m_),
      F_(m_, m_),
      Ft_(m_, m_),
      P_(n_, m_),
      along_(MatrixXd::Zero(PackedRows::packed(static_cast<int>(2 * n_)), n_)),
      reduced_(n_, n_),
      square_(n_, n_),
      rows_by_v_(m_, n_),
      v_by_rows_(n_, m_) {}

void Solution::compute(DenseLoops& d, const MatrixXd& M) {
  decompose_rows(d);
  counting_ = d.space.rank(), reduces_ = counting_ < m_;
  const Index r = counting_, f = d.mobility;
  d.space.solve_all_rows(P_);
  for (Index i = 0; i < m_; ++i) P_.col(i).array() *= d.row_scale[i] * d.column_scale.array();
  if (reduces_) refer_to_basis(d);
  find_motions(d, M);
  auto K = K_.topLeftCorner(n_ + r, n_ + r);
  const auto motions = along_.topRows(n_).leftCols(f),
             momenta = along_.middleRows(n_, n_).leftCols(f);
  auto turned = square_.topRows(f);
  turned = momenta.transpose();
  auto part = reduced_.topLeftCorner(f, r);
  multiply(part, turned, P_.leftCols(r));
  auto least = v_by_rows_.leftCols(r);
  multiply(least, motions, part);
  least = P_.leftCols(r) - least;
  turned = motions.transpose();
  multiply(K.topLeftCorner(n_, n_), motions, turned);
  K.topRightCorner(n_, r) = least;
  auto least_turned = rows_by_v_.topRows(r);
  least_turned = least.transpose();
  K.bottomLeftCorner(r, n_) = -least_turned;
  multiply(P_.leftCols(r), M, least);
  multiply(K.bottomRightCorner(r, r), least_turned, P_.leftCols(r));
}

/// E = R⁻¹ B with an orthonormal basis B of what scaled rows can be; F = R B, P = P E.
void Solution::refer_to_basis(DenseLoops& d) {
  auto E = E_.leftCols(counting_), F = F_.leftCols(counting_);
  d.space.row_basis(F);
  for (Index i = 0; i < m_; ++i) {
    E.row(i) = F.row(i) / d.row_scale[i];
    F.row(i) *= d.row_scale[i];
  }
  Ft_.topRows(counting_) = F.transpose();
  multiply(v_by_rows_.leftCols(counting_), P_, E);
  P_.leftCols(counting_) = v_by_rows_.leftCols(counting_);
}

/// N̂ = N C⁻ᵀ and M N̂, C Cᵀ = Nᵀ M N.
void Solution::find_motions(const DenseLoops& d, const MatrixXd& M) {
  const Index f = d.mobility;
  auto motions = along_.topRows(n_).leftCols(f), momenta = along_.middleRows(n_, n_).leftCols(f);
  auto reduced = reduced_.topLeftCorner(f, f);
  auto turned = square_.topRows(f);
  motions = d.N.leftCols(f);
  turned = motions.transpose();
  multiply(momenta, M, motions);
  multiply(reduced, turned, momenta);
  Eigen::LLT<Eigen::Ref<MatrixXd>> cholesky(reduced);
  if (cholesky.info() != Eigen::Success) refuse_massless();
  // The columns of `along` are rows of what is solved for.
  const int count = static_cast<int>(f);
  orthogonal_kernels().solve_transposed(
      {reduced_.data(), count, count, reduced_.outerStride()},
      {along_.data(), count, static_cast<int>(2 * n_), along_.outerStride()});
}

}  // namespace linkwright::closure
