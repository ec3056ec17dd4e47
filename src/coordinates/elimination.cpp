#include "coordinates/elimination.hpp"

#include <algorithm>

#include "closure/rank/orthogonal.hpp"
#include "coordinates/parameters.hpp"
#include "coordinates/scaled.hpp"
#include "coordinates/third_order.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd columns_of(const MatrixXd& A, const std::vector<Index>& places) {
  MatrixXd out(A.rows(), static_cast<Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) out.col(static_cast<Index>(i)) = A.col(places[i]);
  return out;
}

/// As many candidates as c can determine, the best conditioned first. Rank is judged as everywhere:
/// relative to the largest of all columns, not of the candidates alone.
std::vector<Index> pivots(const MatrixXd& J, const std::vector<Index>& candidates) {
  if (J.rows() == 0 || candidates.empty()) return {};
  const MatrixXd own = columns_of(J, candidates);
  const double all = J.colwise().norm().maxCoeff(), most = own.colwise().norm().maxCoeff();
  if (!(most > closure::rank_threshold * all)) return {};
  closure::Orthogonal order(static_cast<int>(own.rows()), static_cast<int>(own.cols()));
  order.compute(own, closure::rank_threshold * all / most);
  std::vector<Index> beta;
  for (int k = 0; k < order.rank(); ++k) beta.push_back(candidates[at(order.column(k))]);
  return beta;
}

/// J_β⁺ (r × c) and Z by one QR of J_β.
struct LeftInverse {
  /// `largest`: of the columns of all of J, by which rank is judged.
  LeftInverse(const MatrixXd& J_beta, double largest)
      : plus(J_beta.cols(), J_beta.rows()), Z(MatrixXd::Identity(J_beta.rows(), J_beta.rows())) {
    const Index r = J_beta.cols(), m = J_beta.rows();
    if (r == 0) return;
    const Eigen::HouseholderQR<MatrixXd> qr(J_beta);
    const MatrixXd Q = qr.householderQ();
    plus = qr.matrixQR().topRows(r).triangularView<Eigen::Upper>().solve(Q.leftCols(r).transpose());
    Z = Q.rightCols(m - r);
    const Eigen::JacobiSVD<MatrixXd> svd(J_beta);
    condition = std::max(svd.singularValues()[0], largest) / svd.singularValues()[r - 1];
  }
  MatrixXd plus, Z;
  double condition = 1;
};

/// φ by y.
Influence solve_for_beta(const Influence& c, const Elimination& e, const MatrixXd& plus) {
  const auto n = static_cast<Index>(c.by.size()), ny = static_cast<Index>(e.y.size());
  Influence out{c.by, at_places(c.by, e.y), Matrix(n, ny), Array(n, ny), {}};
  for (Index i = 0; i < ny; ++i) out.G.view()(e.y[at(i)], i) = 1;
  const MatrixXd beta_by_y = -plus * columns_of(c.G.view(), e.y);
  for (std::size_t i = 0; i < e.beta.size(); ++i)
    out.G.view().row(e.beta[i]) = beta_by_y.row(static_cast<Index>(i));
  const Array H = dot(-plus, quadratic(c.H, out.G.view()));
  for (std::size_t i = 0; i < e.beta.size(); ++i)
    out.H.flat().col(e.beta[i]) = H.flat().col(static_cast<Index>(i));
  if (c.order() == Order::second) return out;
  out.D = Array4(n, ny);
  const Array4 D = dot(-plus, chain_terms(c, out.G.view(), out.H));
  for (std::size_t i = 0; i < e.beta.size(); ++i)
    out.D.flat().col(e.beta[i]) = D.flat().col(static_cast<Index>(i));
  return out;
}

/// Zᵀ c by y, with the rows that vanish taken out.
void keep_rest(const Influence& c, const MatrixXd& Z, double most, Elimination& e) {
  const MatrixXd Zc = Z.transpose() * units_of(c.of).cwiseInverse().asDiagonal();
  Parameters names;
  for (Index i = 0; i < Z.cols(); ++i) names.push_back({"rest:" + std::to_string(i), 1});
  const Influence zc{names, c.by, Matrix(Zc * c.G.view()), dot(Zc, c.H), {}};
  const Influence all = compose(zc, e.initial);
  const VectorXd sizes = to_units(all).rowwise().norm();
  std::vector<std::string> kept;
  std::vector<Index> places;
  for (Index i = 0; i < sizes.size(); ++i)
    if (sizes[i] > closure::rank_threshold * most)
      kept.push_back(names[at(i)].name), places.push_back(i);
  e.rest = select(all, kept);
  e.Z = columns_of(Zc.transpose(), places);
}

}  // namespace

Elimination eliminate(const Influence& c, const std::vector<Index>& candidates) {
  const auto n = static_cast<Index>(c.by.size());
  const MatrixXd J = to_units(c);
  Elimination e;
  e.beta = pivots(J, candidates);
  for (Index i = 0; i < n; ++i)
    if (std::find(e.beta.begin(), e.beta.end(), i) == e.beta.end()) e.y.push_back(i);
  const LeftInverse inverse(columns_of(J, e.beta),
                            J.size() > 0 ? J.colwise().norm().maxCoeff() : 0);
  e.condition = inverse.condition;
  const VectorXd beta_units = units_of(at_places(c.by, e.beta));
  const MatrixXd plus =
      beta_units.asDiagonal() * inverse.plus * units_of(c.of).cwiseInverse().asDiagonal();
  e.initial = solve_for_beta(c, e, plus);
  e.carried = MatrixXd::Zero(J.rows(), n);
  for (std::size_t i = 0; i < e.beta.size(); ++i)
    e.carried.col(e.beta[i]) = plus.row(static_cast<Index>(i)).transpose();
  keep_rest(c, inverse.Z, J.size() > 0 ? J.rowwise().norm().maxCoeff() : 0, e);
  return e;
}

}  // namespace linkwright::coordinates
