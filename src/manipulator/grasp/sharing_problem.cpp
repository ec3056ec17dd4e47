#include "manipulator/grasp/sharing_problem.hpp"

#include <algorithm>
#include <cmath>

#include "closure/load_sharing.hpp"
#include "manipulator/cones/least_norm.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ConeCondition::Kind;

/// What the rule does not see is made least with this weight, where that does not change what it sees.
constexpr double beside_the_rule = 1e-3;

/// Entries of X that must be nothing: along a surface without friction, about a normal without torsion, of a
/// motor without strength.
std::vector<Index> find_idle(const SharingProblem& p, const SharingOptions& options) {
  std::vector<Index> idle;
  const Statics& s = p.statics;
  for (const GraspContact& contact : s.contacts) {
    if (!contact.friction || options.cones == SharingOptions::Bounds::ignore) continue;
    if (*contact.friction == 0) idle.insert(idle.end(), {contact.normal - 2, contact.normal - 1});
    const bool limp = contact.torsion && (*contact.torsion == 0 || *contact.friction == 0);
    if (contact.twist >= 0 && limp) idle.push_back(contact.twist);
  }
  for (Index i = 0; i < p.limits.size(); ++i)
    if (p.limits[i] == 0) idle.push_back(s.C.cols() + s.E.cols() + i);
  return idle;
}

void make_equations(SharingProblem& p, const VectorXd& load) {
  const std::vector<Index>& idle = p.idle;
  const Statics& s = p.statics;
  const Index nv = s.freedom.size(), n = s.C.cols() + s.E.cols() + s.T.cols();
  const auto extra = static_cast<Index>(idle.size());
  p.A = MatrixXd::Zero(nv + extra, n);
  p.A.topRows(nv).leftCols(s.C.cols()) = s.C;
  p.A.topRows(nv).middleCols(s.C.cols(), s.E.cols()) = s.E;
  p.A.topRows(nv).rightCols(s.T.cols()) = s.T;
  for (Index i = 0; i < extra; ++i) p.A(nv + i, idle[at(i)]) = 1;
  p.load = VectorXd::Zero(nv + extra);
  p.load.head(nv) = s.freedom.cwiseProduct(load);
  const double most = nv > 0 ? p.load.cwiseAbs().maxCoeff() : 0;
  p.unit = most > 0 ? most : 1;
  p.load /= p.unit;
  p.X0 = least_norm(p.A, p.load);
  p.missed = p.load - p.A * p.X0;
  p.N = null_basis(p.A);
}

/// Rows of X that the rule makes least, and the others.
void make_objective(SharingProblem& p, const SharingOptions& options) {
  const Statics& s = p.statics;
  const Index m = s.C.cols(), n = p.A.cols();
  std::vector<Index> seen, others;
  const bool torque = options.rule == SharingRule::least_torque;
  for (Index i = 0; i < n; ++i)
    ((torque ? i >= n - s.T.cols() : i < m) ? seen : others).push_back(i);
  p.rule_in_newtons = !torque;
  VectorXd weight = VectorXd::Ones(n);
  if (torque) weight.tail(s.T.cols()) = s.unit_t;  // efforts as they are, newtons or newton metres
  if (options.rule == SharingRule::weighted)
    for (std::size_t i = 0; i < s.contacts.size(); ++i)
      weight.segment(s.contacts[i].first, s.contacts[i].size)
          .setConstant(std::sqrt(options.weights[i]));
  const MatrixXd F1 = weight(seen).asDiagonal() * p.N(seen, Eigen::all);
  const VectorXd g1 = weight(seen).cwiseProduct(p.X0(seen));
  // Of the others only what the rule leaves open: there they can vanish without a price.
  const MatrixXd open = p.N(others, Eigen::all) * null_basis(F1);
  const MatrixXd Q = column_basis(open);
  p.rule_rows = F1.rows();
  p.least.F.resize(F1.rows() + Q.cols(), p.N.cols());
  p.least.F.topRows(F1.rows()) = F1;
  p.least.F.bottomRows(Q.cols()) = beside_the_rule * (Q.transpose() * p.N(others, Eigen::all));
  p.least.g.resize(p.least.F.rows());
  p.least.g.head(F1.rows()) = g1;
  p.least.g.tail(Q.cols()) = beside_the_rule * (Q.transpose() * p.X0(others));
}

/// A condition on rows of X as one on y.
class Conditions {
 public:
  explicit Conditions(SharingProblem& problem) : p_(problem) {}

  /// Σ factor · X(entry) per row, plus a constant.
  struct Term {
    Index row, entry;
    double factor;
  };
  void add(Kind kind, Index rows, const std::vector<Term>& terms, double constant, Bound bound) {
    ConeCondition c{kind, MatrixXd::Zero(rows, p_.N.cols()), VectorXd::Constant(rows, constant)};
    for (const Term& t : terms) {
      c.A.row(t.row) += t.factor * p_.N.row(t.entry);
      c.b[t.row] += t.factor * p_.X0[t.entry];
    }
    p_.least.conditions.push_back(std::move(c));
    p_.bounds.push_back(bound);
  }

 private:
  SharingProblem& p_;
};

void add_cones(SharingProblem& p, const SharingOptions& options) {
  Conditions conditions(p);
  const Statics& s = p.statics;
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const GraspContact& contact = s.contacts[i];
    if (!contact.friction) continue;
    const Bound bound{.contact = static_cast<int>(i)};
    const Index n = contact.normal;
    const double mu = (1 - options.reserve) * *contact.friction;
    if (mu == 0) {
      conditions.add(Kind::nonnegative, 1, {{0, n, 1}}, 0, bound);
      continue;
    }
    const double k = 1 / std::max(1.0, mu);  // no number of the condition above 1
    conditions.add(Kind::second_order, 3, {{0, n, k * mu}, {1, n - 2, k}, {2, n - 1, k}}, 0, bound);
    if (contact.twist < 0 || !contact.torsion || *contact.torsion == 0) continue;
    const double push = k * mu, turn = k * *contact.friction * s.length / *contact.torsion;
    conditions.add(
        Kind::nonnegative, 2,
        {{0, n, push}, {0, contact.twist, turn}, {1, n, push}, {1, contact.twist, -turn}}, 0,
        bound);
  }
}

void add_limits(SharingProblem& p) {
  Conditions conditions(p);
  const Index first = p.A.cols() - p.statics.T.cols();
  for (Index i = 0; i < p.limits.size(); ++i) {
    if (!std::isfinite(p.limits[i]) || p.limits[i] == 0) continue;
    const double most = p.limits[i] / (p.statics.unit_t[i] * p.unit);
    conditions.add(Kind::nonnegative, 2, {{0, first + i, -1}, {1, first + i, 1}}, most,
                   {.motor = static_cast<int>(i)});
  }
}

}  // namespace

SharingProblem make_problem(ClosedWorkspace& work, const ConstVectorRef& q,
                            const SharingOptions& options, const VectorXd& load) {
  const System& system = work.system();
  std::vector<int> contacts;
  const auto count = static_cast<int>(system.closures().size());
  for (int i = count - static_cast<int>(system.model().grasps.size()); i < count; ++i)
    contacts.push_back(i);
  SharingProblem p;
  p.statics = compute_statics(work, q, contacts);
  p.limits = options.efforts == SharingOptions::Bounds::respect
                 ? closure::effort_limits(system, p.statics.motors)
                 : VectorXd::Constant(p.statics.T.cols(), HUGE_VAL);
  p.idle = find_idle(p, options);
  make_equations(p, load);
  make_objective(p, options);
  if (options.cones == SharingOptions::Bounds::respect) add_cones(p, options);
  add_limits(p);
  return p;
}

ConeLeastSquaresSolution solve_by_rule(const SharingProblem& p) {
  ConeLeastSquaresSolution best = solve(p.least);
  const Index beside_rule = p.least.F.rows() - p.rule_rows;
  if (best.outcome != ConeSolution::Outcome::solved || beside_rule == 0) return best;
  const ConeLeastSquares rule{p.least.F.topRows(p.rule_rows), p.least.g.head(p.rule_rows),
                              p.least.conditions};
  best.optimality = optimality_of(rule, best.y, best.prices);
  ConeLeastSquares near = p.least;
  for (int step = 0; step < 3; ++step) {
    near.g.tail(beside_rule) = -(near.F.bottomRows(beside_rule) * best.y);
    ConeLeastSquaresSolution next = solve(near);
    if (next.outcome != ConeSolution::Outcome::solved) break;
    next.optimality = optimality_of(rule, next.y, next.prices);
    if (next.optimality >= best.optimality) break;
    best = std::move(next);
  }
  return best;
}

Nearest find_nearest(const SharingProblem& p) {
  const Index n = p.N.cols();
  ConeProgram program;
  program.cost = VectorXd::Zero(n + 1);
  program.cost[n] = -1;
  for (const ConeCondition& c : p.least.conditions) {
    ConeCondition with{c.kind, MatrixXd::Zero(c.A.rows(), n + 1), c.b};
    with.A.leftCols(n) = c.A;
    with.A(0, n) = -1;
    if (c.kind == Kind::nonnegative) with.A.col(n).setConstant(-1);
    program.conditions.push_back(std::move(with));
  }
  // So that it has an end: a margin of at most the load, forces of at most ten thousand times the load.
  ConeCondition most{Kind::nonnegative, MatrixXd::Zero(1, n + 1), VectorXd::Ones(1)};
  most.A(0, n) = -1;
  program.conditions.push_back(std::move(most));
  ConeCondition size{Kind::second_order, MatrixXd::Zero(n + 1, n + 1), VectorXd::Zero(n + 1)};
  size.b[0] = 1e4;
  size.A.bottomLeftCorner(n, n).setIdentity();
  program.conditions.push_back(std::move(size));
  const ConeSolution solution = solve(program);
  if (solution.outcome != ConeSolution::Outcome::solved)
    throw Error(
        "the sharing of the load could not be decided: the cone solver gave up; check the "
        "contacts' places, frictions and the motors' limits for extreme numbers",
        Error::Kind::failed_computation);
  Nearest nearest{solution.x.head(n), solution.x[n], {}};
  for (std::size_t i = 0; i < p.least.conditions.size(); ++i) {
    const VectorXd& z = solution.prices[i];
    nearest.weight.push_back(p.least.conditions[i].kind == Kind::second_order ? z[0] : z.sum());
  }
  return nearest;
}

}  // namespace linkwright::manipulator
