#include "linkwright/coordinates/array.hpp"

#include "dynamics/door.hpp"

namespace linkwright::coordinates {

Array dot(const ConstMatrixRef& A, const Array& C) {
  door::check_output(A.cols(), C.planes(), "A");
  Array out(A.rows(), C.size());
  out.flat().noalias() = C.flat() * A.transpose();
  return out;
}

Array quadratic(const Array& C, const ConstMatrixRef& D) {
  door::check_output(D.rows(), C.size(), "D");
  Array out(C.planes(), D.cols());
  Eigen::MatrixXd CD(C.size(), D.cols());
  for (Eigen::Index p = 0; p < C.planes(); ++p) {
    CD.noalias() = C.plane(p) * D;
    out.plane(p).noalias() = D.transpose() * CD;
  }
  return out;
}

void compute_quadratic(const Array& C, const ConstVectorRef& b, VectorRef out) {
  door::check_output(b.size(), C.size(), "b");
  door::check_output(out.size(), C.planes(), "out");
  for (Eigen::Index p = 0; p < C.planes(); ++p) out[p] = b.dot(C.plane(p) * b);
}

}  // namespace linkwright::coordinates
