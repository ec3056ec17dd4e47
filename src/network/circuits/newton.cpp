#include "network/circuits/newton.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

constexpr int most_iterations = 1000, most_halvings = 40;
/// Of the sizes that cancel in a residual; and what is good enough where rounding ends the descent.
constexpr double fine_residual = 1e-13, coarse_residual = 1e-9;
/// Of a slope by central differences: the cube root of the rounding.
const double slope_step = std::cbrt(std::numeric_limits<double>::epsilon());

}  // namespace

/// f and the rates of the own states at newton.x.
void Circuit::evaluate_own(CircuitWorkspace& work, double t, const ConstVectorRef& states) const {
  CircuitWorkspace::Newton& n = *work.newton_;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const Own& own = own_[i];
    network_.own_components()[i].compute(
        {t, {n.x.data() + own.first, at(own.ports)}, {states.data() + own.state, at(own.states)}},
        {n.f.data() + own.first, at(own.ports)}, {n.rates.data() + own.state, at(own.states)});
  }
}

void Circuit::compute_own(CircuitWorkspace& work, double t, const ConstVectorRef& across,
                          const ConstVectorRef& states, VectorRef through, VectorRef rates) const {
  CircuitWorkspace::Newton& n = *work.newton_;
  n.x = across;
  evaluate_own(work, t, states);
  through = n.f;
  for (Eigen::Index i = 0; i < rates.size(); ++i) rates[i] = n.rates[at(linear_states() + i)];
}

/// Newton's method for one moment.
struct Circuit::OwnSolver {
  const Circuit& c;
  CircuitWorkspace& work;
  double t;
  const ConstVectorRef& states;
  CircuitWorkspace::Newton& n = *work.newton_;
  Eigen::Index count = c.own_count(), first = c.port_count() + c.source_count();
  Eigen::Index edges = static_cast<Eigen::Index>(c.network_.edges().size());

  void solve() {
    find_offsets();
    double size = place();
    for (int iteration = 0; iteration < most_iterations && !(size <= fine_residual * scale());
         ++iteration) {
      find_slopes();
      find_step();
      if (!descend(size)) break;  // rounding, or no way down
    }
    if (!(size <= coarse_residual * scale())) throw_not_found();
    work.w.tail(count) = n.p;
    for (const Own& own : c.own_)
      for (Eigen::Index i = 0; i < own.states; ++i)
        work.rates[own.state + i] = n.rates[at(own.state + i)];
  }

 private:
  /// x₀ and y₀: what the rest does to the ports where the unknowns are zero.
  void find_offsets() {
    work.w.tail(count).setZero();
    for (Eigen::Index i = 0; i < count; ++i)
      for (const bool across : {true, false}) {
        const Eigen::Index row = c.own_edges_[at(i)] + (across ? 0 : edges);
        (across ? n.x0 : n.y0)[i] = c.Z_.row(row).dot(work.states_) + c.U_.row(row).dot(work.w) +
                                    c.U1_.row(row).dot(work.w_rates);
      }
  }

  /// The residual at p; returns its size, infinite where a component gives no number.
  double place() {
    n.x = n.x0, n.y = n.y0;
    for (Eigen::Index i = 0; i < count; ++i)
      for (Eigen::Index j = 0; j < count; ++j) {
        n.x[i] += c.U_(c.own_edges_[at(i)], first + j) * n.p[j];
        n.y[i] += c.U_(edges + c.own_edges_[at(i)], first + j) * n.p[j];
      }
    c.evaluate_own(work, t, states);
    n.residual = n.y - n.f;
    const double size = n.residual.cwiseAbs().maxCoeff();
    return std::isfinite(n.residual.sum()) ? size : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double scale() const {
    return std::max(n.y.cwiseAbs().maxCoeff(), n.f.cwiseAbs().maxCoeff());
  }

  /// ∂f/∂across by central differences, component by component.
  void find_slopes() {
    n.slopes.setZero();
    n.moved = n.x;
    for (const Own& own : c.own_)
      for (Eigen::Index j = own.first; j < own.first + own.ports; ++j) {
        const double h = slope_step * std::max(std::abs(n.moved[j]), 1e-2);
        n.x[j] = n.moved[j] + h;
        c.evaluate_own(work, t, states);
        n.scratch = n.f;
        n.x[j] = n.moved[j] - h;
        c.evaluate_own(work, t, states);
        n.x[j] = n.moved[j];
        n.slopes.col(j).segment(own.first, own.ports) =
            (n.scratch.segment(own.first, own.ports) - n.f.segment(own.first, own.ports)) / (2 * h);
      }
  }

  void find_step() {
    for (Eigen::Index i = 0; i < count; ++i)
      for (Eigen::Index j = 0; j < count; ++j) {
        n.jacobian(i, j) = c.U_(edges + c.own_edges_[at(i)], first + j);
        for (Eigen::Index k = 0; k < count; ++k)
          n.jacobian(i, j) -= n.slopes(i, k) * c.U_(c.own_edges_[at(k)], first + j);
      }
    n.lu.compute(n.jacobian);
    n.step = n.lu.solve(n.residual);
  }

  /// As far along the step as the residual falls; false, and p as it was, where it does not.
  bool descend(double& size) {
    n.moved = n.p;
    double part = 1;
    for (int halving = 0; halving < most_halvings; ++halving, part /= 2) {
      n.p = n.moved - part * n.step;
      const double found = place();
      if (!(found < size)) continue;
      size = found;
      return true;
    }
    n.p = n.moved;
    size = place();
    return false;
  }

  [[noreturn]] void throw_not_found() {
    Eigen::Index worst = 0;
    n.residual.cwiseAbs().maxCoeff(&worst);
    const NetworkEdge& edge = c.network_.edges()[at(c.own_edges_[at(worst)])];
    n.p.setZero();
    throw Error(
        fmt::format(
            "network: at t = {:.9g} s Newton's method finds no values that fit component {}: its "
            "through variable is {:.6g} at {:.6g} across, and the rest of the network passes "
            "{:.6g}. "
            "Let its function answer for every across variable, steadily",
            t, in_quotes(edge.name), n.f[worst], n.x[worst], n.y[worst]),
        Error::Kind::failed_computation);
  }
};

void Circuit::solve_own(CircuitWorkspace& work, double t, const ConstVectorRef& states) const {
  OwnSolver{*this, work, t, states}.solve();
}

void Circuit::set_guess(CircuitWorkspace& work, const ConstVectorRef& guess) {
  work.newton_->p = guess;
}

}  // namespace linkwright::network
