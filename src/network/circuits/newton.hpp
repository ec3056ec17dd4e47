#pragma once
/// Scratch of Newton's method for components of users' own.

#include <Eigen/Dense>

#include "linkwright/network/circuit.hpp"

namespace linkwright::network {

/// Of every own port one variable is unknown (p): across in the tree, through in the co-tree. The network makes of
/// them across = x₀ + X p and through = y₀ + Y p; wanted is through − f(across) = 0.
struct CircuitWorkspace::Newton {
  explicit Newton(const Circuit& circuit)
      : x0(Eigen::VectorXd::Zero(circuit.own_count())),
        y0(x0),
        x(x0),
        y(x0),
        f(x0),
        residual(x0),
        p(x0),
        step(x0),
        moved(x0),
        slopes(Eigen::MatrixXd::Zero(x0.size(), x0.size())),
        jacobian(slopes),
        lu(x0.size()),
        scratch(x0),
        rates(circuit.states().size()) {}

  Eigen::VectorXd x0, y0, x, y, f, residual, p, step, moved;
  Eigen::MatrixXd slopes, jacobian;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Eigen::VectorXd scratch;
  std::vector<double> rates;
};

}  // namespace linkwright::network
