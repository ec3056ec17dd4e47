#include <cmath>

#include <fmt/format.h>

#include "linear/exponential.hpp"
#include "linkwright/linear/linear_model.hpp"
#include "spatial/decompositions.hpp"

namespace linkwright::linear {

using Eigen::Index;
using Eigen::MatrixXd;

/// Scaling and squaring with the diagonal Padé approximant of degree 13 (Higham 2005): its error is below
/// rounding where the norm is at most 5.37.
MatrixXd exponential(const MatrixXd& A) {
  constexpr double c[]{64764752532480000.,
                       32382376266240000.,
                       7771770303897600.,
                       1187353796428800.,
                       129060195264000.,
                       10559470521600.,
                       670442572800.,
                       33522128640.,
                       1323241920.,
                       40840800.,
                       960960.,
                       16380.,
                       182.,
                       1.};
  const double norm = A.size() == 0 ? 0 : A.cwiseAbs().colwise().sum().maxCoeff();
  if (!std::isfinite(norm))
    throw Error("the exponential of a matrix that is not finite does not exist",
                Error::Kind::failed_computation);
  const int halvings = norm > 5.37 ? static_cast<int>(std::ceil(std::log2(norm / 5.37))) : 0;
  const MatrixXd X = std::ldexp(1.0, -halvings) * A, I = MatrixXd::Identity(A.rows(), A.cols());
  const MatrixXd X2 = X * X, X4 = X2 * X2, X6 = X4 * X2;
  const MatrixXd odd = X * (X6 * (c[13] * X6 + c[11] * X4 + c[9] * X2) + c[7] * X6 + c[5] * X4 +
                            c[3] * X2 + c[1] * I);
  const MatrixXd even =
      X6 * (c[12] * X6 + c[10] * X4 + c[8] * X2) + c[6] * X6 + c[4] * X4 + c[2] * X2 + c[0] * I;
  const MatrixXd lower = even - odd, upper = even + odd;
  MatrixXd out = lower.partialPivLu().solve(upper);
  for (int i = 0; i < halvings; ++i) out = out * out;
  return out;
}

LinearModel to_discrete(const LinearModel& model, double step) {
  if (!(step > 0) || !std::isfinite(step))
    throw Error(fmt::format("the step of a discrete model is {}; expected a positive time", step));
  if (model.step != 0)
    throw Error(fmt::format("the model is discrete already, with a step of {} s", model.step));
  const Index n = model.A.rows(), m = model.B.cols();
  MatrixXd all = MatrixXd::Zero(n + m + 1, n + m + 1);
  all.topRows(n) << model.A.view(), model.B.view(), model.drift.view();
  const MatrixXd moved = exponential(step * all);
  LinearModel out = model;
  out.A = moved.topLeftCorner(n, n), out.B = moved.block(0, n, n, m);
  out.drift = moved.topRightCorner(n, 1), out.step = step;
  return out;
}

}  // namespace linkwright::linear
