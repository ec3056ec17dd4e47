#include "coordinates/third_order.hpp"

namespace linkwright::coordinates {

Array4 chain_terms(const Influence& u_by_phi, const ConstMatrixRef& g, const Array& h) {
  using Eigen::Index;
  using Eigen::MatrixXd;
  Array4 out = cubic(u_by_phi.D, g);
  const Index m = g.cols();
  MatrixXd inner(m * m, m), outer(m * m, m);
  for (Index p = 0; p < out.planes(); ++p) {
    const auto H = u_by_phi.H.plane(p);
    const MatrixXd right = H * g, left = H.transpose() * g;  // Σ_k H(j, k) g_kb, Σ_j H(j, k) g_ja
    inner.noalias() = h.flat() * right;                      // (a + m c, b): Σ_j h_j,ac right_jb
    outer.noalias() = h.flat() * left;                       // (b + m c, a)
    for (Index c = 0; c < m; ++c) {
      auto slice = out.slice(p, c);
      slice += inner.middleRows(m * c, m);
      slice += outer.middleRows(m * c, m).transpose();
      slice += inner.col(c).reshaped(m, m);
    }
  }
  return out;
}

}  // namespace linkwright::coordinates
