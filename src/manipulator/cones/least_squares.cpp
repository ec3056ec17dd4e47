#include "manipulator/cones/least_squares.hpp"

#include <algorithm>
#include <cmath>

#include "manipulator/cones/least_norm.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ConeCondition::Kind;
using Outcome = ConeSolution::Outcome;

/// A condition, or a row of one, that holds as an equation at the best y.
struct Active {
  std::size_t condition;
  enum class How { row, apex, surface } how;
  Index row = 0;  // of a nonnegative condition
};

/// Those whose price outweighs their slack. Of a cone slack and price have two eigenvalues each, s0 ∓ |s̄| and
/// z0 ± |z̄|, which vanish in pairs.
std::vector<Active> find_active(const ConeLeastSquares& p, const VectorXd& y,
                                const std::vector<VectorXd>& prices) {
  std::vector<Active> active;
  for (std::size_t i = 0; i < p.conditions.size(); ++i) {
    const ConeCondition& c = p.conditions[i];
    const VectorXd s = c.A * y + c.b;
    const VectorXd& z = prices[i];
    if (c.kind == Kind::nonnegative) {
      for (Index row = 0; row < s.size(); ++row)
        if (z[row] > s[row]) active.push_back({i, Active::How::row, row});
      continue;
    }
    const double around_s = s.tail(s.size() - 1).norm(), around_z = z.tail(z.size() - 1).norm();
    if (z[0] - around_z > s[0] + around_s)
      active.push_back({i, Active::How::apex});
    else if (z[0] + around_z > s[0] - around_s)
      active.push_back({i, Active::How::surface});
  }
  return active;
}

/// The equations of the active conditions at y: values, gradients, and what curved ones add to the Hessian.
struct Equations {
  VectorXd h;
  MatrixXd B;
};
Equations equations(const ConeLeastSquares& p, const std::vector<Active>& active,
                    const VectorXd& y) {
  Index rows = 0;
  for (const Active& a : active)
    rows += a.how == Active::How::apex ? p.conditions[a.condition].b.size() : 1;
  Equations e{VectorXd(rows), MatrixXd(rows, y.size())};
  Index at_row = 0;
  for (const Active& a : active) {
    const ConeCondition& c = p.conditions[a.condition];
    const VectorXd s = c.A * y + c.b;
    const Index n = s.size() - 1;
    if (a.how == Active::How::row) {
      e.h[at_row] = s[a.row], e.B.row(at_row++) = c.A.row(a.row);
    } else if (a.how == Active::How::apex) {
      e.h.segment(at_row, n + 1) = s, e.B.middleRows(at_row, n + 1) = c.A;
      at_row += n + 1;
    } else {
      const double around = s.tail(n).norm();
      e.h[at_row] = s[0] - around;
      e.B.row(at_row++) =
          c.A.row(0) - (s.tail(n) / std::max(around, 1e-300)).transpose() * c.A.bottomRows(n);
    }
  }
  return e;
}

MatrixXd hessian(const ConeLeastSquares& p, const std::vector<Active>& active, const VectorXd& y,
                 const VectorXd& multipliers) {
  MatrixXd H = p.F.transpose() * p.F;
  Index at_row = 0;
  for (const Active& a : active) {
    const ConeCondition& c = p.conditions[a.condition];
    if (a.how == Active::How::surface) {
      const VectorXd s = c.A * y + c.b;
      const Index n = s.size() - 1;
      const MatrixXd around = c.A.bottomRows(n);
      const double size = std::max(s.tail(n).norm(), 1e-300);
      const VectorXd pull = around.transpose() * (s.tail(n) / size);
      H += multipliers[at_row] / size * (around.transpose() * around - pull * pull.transpose());
    }
    at_row += a.how == Active::How::apex ? c.b.size() : 1;
  }
  return H;
}

/// Multipliers that carry the gradient best.
VectorXd find_multipliers(const Equations& e, const VectorXd& gradient) {
  return least_norm(e.B.transpose(), gradient);
}

/// The multipliers as prices of the conditions; whether they are in their cones.
bool to_prices(const ConeLeastSquares& p, const std::vector<Active>& active, const VectorXd& y,
               const VectorXd& multipliers, std::vector<VectorXd>& prices) {
  prices.clear();
  for (const ConeCondition& c : p.conditions) prices.emplace_back(VectorXd::Zero(c.b.size()));
  const double least =
      -1e-9 * (1 + (multipliers.size() > 0 ? multipliers.cwiseAbs().maxCoeff() : 0));
  bool inside = true;
  Index at_row = 0;
  for (const Active& a : active) {
    const ConeCondition& c = p.conditions[a.condition];
    VectorXd& z = prices[a.condition];
    if (a.how == Active::How::row) {
      z[a.row] = multipliers[at_row++];
      inside = inside && z[a.row] >= least;
    } else if (a.how == Active::How::apex) {
      z = multipliers.segment(at_row, c.b.size());
      at_row += c.b.size();
      inside = inside && z[0] - z.tail(z.size() - 1).norm() >= least;
    } else {
      const VectorXd s = c.A * y + c.b;
      const Index n = s.size() - 1;
      z[0] = multipliers[at_row];
      z.tail(n) = -multipliers[at_row++] / std::max(s.tail(n).norm(), 1e-300) * s.tail(n);
      inside = inside && z[0] >= least;
    }
  }
  return inside;
}

bool is_inside(const ConeLeastSquares& p, const VectorXd& y, double tolerance) {
  return std::all_of(p.conditions.begin(), p.conditions.end(),
                     [&](const ConeCondition& c) { return depth(c, y) >= -tolerance; });
}

/// Newton's method for least |F y + g|² with the active conditions as equations.
///
///     [H −Bᵀ; B 0] [Δy; λ] = [−Fᵀ(F y + g); −h],   H = FᵀF − Σ λ ∇²h
VectorXd newton(const ConeLeastSquares& p, const std::vector<Active>& active, VectorXd y) {
  VectorXd gradient = p.F.transpose() * (p.F * y + p.g);
  VectorXd multipliers = find_multipliers(equations(p, active, y), gradient);
  for (int step = 0; step < 12; ++step) {
    const Equations e = equations(p, active, y);
    const Index n = y.size(), m = e.h.size();
    MatrixXd K = MatrixXd::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = hessian(p, active, y, multipliers);
    K.topRightCorner(n, m) = -e.B.transpose();
    K.bottomLeftCorner(m, n) = e.B;
    VectorXd right(n + m);
    right.head(n) = -gradient, right.tail(m) = -e.h;
    const VectorXd solved = least_norm(K, right);
    y += solved.head(n), multipliers = solved.tail(m);
    gradient = p.F.transpose() * (p.F * y + p.g);
    if (!(solved.head(n).norm() > 1e-15 * (1 + y.norm()))) break;
  }
  return y;
}

}  // namespace

double optimality_of(const ConeLeastSquares& p, const VectorXd& y,
                     const std::vector<VectorXd>& prices) {
  const VectorXd gradient = p.F.transpose() * (p.F * y + p.g);
  VectorXd left = gradient;
  for (std::size_t i = 0; i < p.conditions.size(); ++i)
    left -= p.conditions[i].A.transpose() * prices[i];
  return left.norm() / (1 + gradient.norm());
}

double depth(const ConeCondition& c, const VectorXd& x) {
  const VectorXd s = c.A * x + c.b;
  return c.kind == Kind::nonnegative ? s.minCoeff() : s[0] - s.tail(s.size() - 1).norm();
}

ConeLeastSquaresSolution solve(const ConeLeastSquares& p) {
  const Index n = p.F.cols();
  ConeLeastSquaresSolution out;
  const VectorXd unbound = least_norm(p.F, -p.g);
  if (is_inside(p, unbound, 0)) {  // nothing is in the way
    out.outcome = Outcome::solved, out.y = unbound;
    for (const ConeCondition& c : p.conditions) out.prices.emplace_back(VectorXd::Zero(c.b.size()));
    out.optimality = optimality_of(p, out.y, out.prices);
    return out;
  }
  // |F y + g| ≤ t, least t.
  ConeProgram program;
  program.cost = VectorXd::Zero(n + 1);
  program.cost[n] = 1;
  ConeCondition size{Kind::second_order, MatrixXd::Zero(p.F.rows() + 1, n + 1),
                     VectorXd::Zero(p.F.rows() + 1)};
  size.A(0, n) = 1;
  size.A.bottomLeftCorner(p.F.rows(), n) = p.F, size.b.tail(p.F.rows()) = p.g;
  program.conditions.push_back(std::move(size));
  for (const ConeCondition& c : p.conditions) {
    ConeCondition wider{c.kind, MatrixXd::Zero(c.A.rows(), n + 1), c.b};
    wider.A.leftCols(n) = c.A;
    program.conditions.push_back(std::move(wider));
  }
  const ConeSolution first = solve(program);
  out.outcome = first.outcome, out.rough = first.rough, out.y = first.x.head(n);
  if (first.outcome != Outcome::solved) return out;
  // The prices of least |·|² are |·| times those of least |·|.
  std::vector<VectorXd> prices(first.prices.begin() + 1, first.prices.end());
  for (VectorXd& z : prices) z *= first.x[n];
  out.prices = prices;
  out.optimality = optimality_of(p, out.y, prices);
  const std::vector<Active> active = find_active(p, out.y, prices);
  const VectorXd polished = newton(p, active, out.y);
  const VectorXd gradient = p.F.transpose() * (p.F * polished + p.g);
  const VectorXd multipliers = find_multipliers(equations(p, active, polished), gradient);
  const bool priced = to_prices(p, active, polished, multipliers, prices);
  const double optimality = optimality_of(p, polished, prices);
  if (polished.allFinite() && priced && is_inside(p, polished, 1e-12 * (1 + polished.norm())) &&
      optimality <= out.optimality) {
    out.y = polished, out.prices = prices, out.optimality = optimality;
    // Inside all cones, priced inside them and without a gradient left: best, however it was found.
    out.rough = out.rough && optimality > cone_tolerance;
  }
  return out;
}

}  // namespace linkwright::manipulator
