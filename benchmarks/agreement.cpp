#include "agreement.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

double as_forces(const std::vector<double>& x, const std::vector<double>& y, Entry& reference,
                 int i) {
  const std::size_t n = x.size();
  std::vector<double> M(n * n);
  reference.result(PEER_MASS_MATRIX, i, M.data());
  double difference = 0, scale = 0;
  for (std::size_t r = 0; r < n; ++r) {
    double force = 0, sum = 0;
    for (std::size_t c = 0; c < n; ++c) {
      force += M[r * n + c] * (x[c] - y[c]);
      sum += std::abs(M[r * n + c] * y[c]);
    }
    difference = worse(difference, std::abs(force));
    scale = std::max(scale, sum);
  }
  return difference / scale;
}

}  // namespace

double difference(const std::vector<double>& x, Entry& reference, int quantity, int i, int nv) {
  const auto n = static_cast<std::size_t>(nv);
  std::vector<double> y(quantity == PEER_MASS_MATRIX ? n * n : n);
  reference.result(quantity, i, y.data());
  if (quantity == PEER_FORWARD_DYNAMICS) return as_forces(x, y, reference, i);
  double difference = 0, scale = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    difference = worse(difference, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return difference / scale;
}

}  // namespace bench
