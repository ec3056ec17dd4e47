#pragma once
/// The same numbers on every run.

#include <Eigen/Geometry>
#include <random>

namespace bench {

class Random {
 public:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  Eigen::Vector3d vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Eigen::Quaterniond rotation() {
    std::normal_distribution<double> normal;
    return Eigen::Quaterniond(normal(engine_), normal(engine_), normal(engine_), normal(engine_))
        .normalized();
  }

 private:
  std::mt19937_64 engine_{20240607};
};

}  // namespace bench
