#include "coordinates/scaled.hpp"

#include <algorithm>
#include <limits>

#include "coordinates/parameters.hpp"

namespace linkwright::coordinates {

Eigen::MatrixXd to_units(const Influence& influence) {
  return units_of(influence.of).cwiseInverse().asDiagonal() * influence.G.view() *
         units_of(influence.by).asDiagonal();
}

Scaled::Scaled(const Influence& influence) : by_(&influence.by), G_(to_units(influence)) {
  if (G_.size() > 0) svd_.compute(G_, Eigen::ComputeFullV);
}

double Scaled::condition() const {
  if (G_.size() == 0) return 1;
  const auto& values = svd_.singularValues();
  const double least = values[values.size() - 1];
  return least > 0 ? std::max(values[0], 1.0) / least : std::numeric_limits<double>::infinity();
}

const Parameter& Scaled::least_seen() const {
  Eigen::Index most = 0;
  svd_.matrixV().col(svd_.matrixV().cols() - 1).cwiseAbs().maxCoeff(&most);
  return (*by_)[static_cast<std::size_t>(most)];
}

}  // namespace linkwright::coordinates
