#include "manipulator/grasp_closure.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "linkwright/error.hpp"
#include "manipulator/cones/cone_program.hpp"
#include "manipulator/cones/least_norm.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ConeCondition::Kind;

/// Margins below this are those of grasps on the edge: the solver decides them to about 1e-9.
constexpr double least_margin = 1e-7;

enum class Part { in_cone, both_ways, none };

/// What a direction of a contact can do.
Part part_of(const GraspContact& contact, int column, Surface surface) {
  if (!contact.friction) return Part::both_ways;
  const bool smooth = surface == Surface::smooth;
  if (column == contact.normal) return Part::in_cone;
  if (column == contact.twist) {
    if (smooth) return Part::none;
    if (!contact.torsion) return Part::both_ways;
    return *contact.torsion > 0 && *contact.friction > 0 ? Part::in_cone : Part::none;
  }
  if (column >= contact.normal - 2)
    return smooth || *contact.friction == 0 ? Part::none : Part::in_cone;
  return smooth ? Part::none : Part::both_ways;  // moments of a line contact
}

/// The statics with columns sorted: one-sided contacts, in their cones, and all that acts both ways. Rows
/// are the freedoms that count.
struct Sorted {
  MatrixXd cone, free;
  std::vector<Index> position;  // of each column of the statics in `cone`; −1: not there
};

Sorted sort(const Statics& s, const std::vector<int>& rows, Surface surface) {
  Sorted sorted;
  std::vector<int> in_cone, both_ways;
  sorted.position.assign(at(s.C.cols()), -1);
  for (const GraspContact& contact : s.contacts)
    for (int k = contact.first; k < contact.first + contact.size; ++k) {
      const Part part = part_of(contact, k, surface);
      if (part == Part::both_ways) both_ways.push_back(k);
      if (part != Part::in_cone) continue;
      sorted.position[at(k)] = static_cast<Index>(in_cone.size());
      in_cone.push_back(k);
    }
  sorted.cone = s.C(rows, in_cone);
  sorted.free.resize(static_cast<Index>(rows.size()),
                     static_cast<Index>(both_ways.size()) + s.E.cols() + s.T.cols());
  sorted.free.leftCols(static_cast<Index>(both_ways.size())) = s.C(rows, both_ways);
  sorted.free.middleCols(static_cast<Index>(both_ways.size()), s.E.cols()) = s.E(rows, Eigen::all);
  sorted.free.rightCols(s.T.cols()) = s.T(rows, Eigen::all);
  return sorted;
}

/// Conditions on x, the forces (newtons; moments: newtons times length) in cones, and on the margin s, which
/// is the last column.
class Margins {
 public:
  Margins(const Statics& s, const Sorted& sorted) : s_(s), sorted_(sorted) {
    ConeCondition& most = add(Kind::nonnegative, 1);  // so that it has an end
    most.A(0, sorted.cone.cols()) = -1;
    most.b[0] = 1;
    for (const GraspContact& contact : s.contacts)
      if (contact.friction) add(contact);
  }
  std::vector<ConeCondition> conditions;

 private:
  ConeCondition& add(Kind kind, Index rows) {
    conditions.push_back(
        {kind, MatrixXd::Zero(rows, sorted_.cone.cols() + 1), VectorXd::Zero(rows)});
    return conditions.back();
  }
  void set(ConeCondition& condition, Index row, int column, double value) const {
    condition.A(row, sorted_.position[at(column)]) = value;
  }
  void add(const GraspContact& contact) {
    const Index margin = sorted_.cone.cols();
    ConeCondition& most = add(Kind::nonnegative, 1);
    set(most, 0, contact.normal, -1);
    most.b[0] = 1;
    if (sorted_.position[at(contact.normal - 1)] < 0) {  // smooth
      ConeCondition& push = add(Kind::nonnegative, 1);
      set(push, 0, contact.normal, 1);
      push.A(0, margin) = -1;
      return;
    }
    const double mu = *contact.friction;
    ConeCondition& cone = add(Kind::second_order, 3);
    set(cone, 0, contact.normal, mu);
    cone.A(0, margin) = -1;
    set(cone, 1, contact.normal - 2, 1), set(cone, 2, contact.normal - 1, 1);
    if (contact.twist < 0 || sorted_.position[at(contact.twist)] < 0) return;
    ConeCondition& twist = add(Kind::nonnegative, 2);
    for (const int side : {0, 1}) {
      set(twist, side, contact.normal, mu);
      set(twist, side, contact.twist, (side == 0 ? 1 : -1) * mu / *contact.torsion * s_.length);
      twist.A(side, margin) = -1;
    }
  }
  const Statics& s_;
  const Sorted& sorted_;
};

/// The largest margin of all x = N y.
ConeSolution widest(const std::vector<ConeCondition>& conditions, const MatrixXd& N) {
  ConeProgram program;
  program.cost = VectorXd::Zero(N.cols() + 1);
  program.cost[N.cols()] = -1;
  for (const ConeCondition& c : conditions) {
    ConeCondition reduced{c.kind, MatrixXd(c.A.rows(), N.cols() + 1), c.b};
    reduced.A.leftCols(N.cols()) = c.A.leftCols(N.rows()) * N;
    reduced.A.rightCols(1) = c.A.rightCols(1);
    program.conditions.push_back(std::move(reduced));
  }
  return solve(program);
}

/// Where the margin ends the prices z of the conditions are a motion u along which no contact force within
/// its cone takes work: coneᵀ u = Σ Kᵀ z.
VectorXd escape_of(const std::vector<ConeCondition>& conditions, const ConeSolution& solution,
                   const MatrixXd& cone, const MatrixXd& Y) {
  VectorXd g = VectorXd::Zero(cone.cols());
  for (std::size_t i = 0; i < conditions.size(); ++i)
    g += conditions[i].A.leftCols(cone.cols()).transpose() * solution.prices[i];
  const MatrixXd B = cone.transpose() * Y;
  const VectorXd p = least_norm(B, g);
  return Y * p;
}

std::vector<int> rows_without(Index count, const std::vector<int>& base) {
  std::vector<int> rows;
  for (int i = 0; i < count; ++i)
    if (std::find(base.begin(), base.end(), i) == base.end()) rows.push_back(i);
  return rows;
}

/// Of motions of the rows, the part that is the object's own.
MatrixXd own_rows(const std::vector<int>& own, const std::vector<int>& rows,
                  const MatrixXd& motions) {
  std::vector<Index> places;
  for (const int entry : own)
    places.push_back(std::find(rows.begin(), rows.end(), entry) - rows.begin());
  return motions(places, Eigen::all);
}

ClosureVerdict escapes(const VectorXd& rates, double margin, const std::string& how,
                       const std::function<std::string(const VectorXd&)>& words) {
  ClosureVerdict verdict;
  verdict.margin = margin;
  verdict.escape.assign(rates.data(), rates.data() + rates.size());
  verdict.reason = fmt::format("{} {}", how, words(rates));
  return verdict;
}

}  // namespace

ClosureVerdict find_closure(const Statics& s, const std::vector<int>& own,
                            const std::vector<int>& base, Surface surface,
                            const std::function<std::string(const VectorXd&)>& words) {
  const std::vector<int> rows = rows_without(s.freedom.size(), base);
  const Sorted sorted = sort(s, rows, surface);
  MatrixXd all(sorted.cone.rows(), sorted.cone.cols() + sorted.free.cols());
  all.leftCols(sorted.cone.cols()) = sorted.cone, all.rightCols(sorted.free.cols()) = sorted.free;
  // Motions with J v = 0 and motors at rest: what even contacts without cones would not see.
  const MatrixXd unseen = null_basis(all.transpose());
  const MatrixXd loose = echelon(column_basis(own_rows(own, rows, unseen)));
  if (loose.cols() > 0)
    return escapes(s.freedom(own).cwiseProduct(loose.col(0)), 0, "no contact feels the object",
                   words);
  ClosureVerdict verdict;
  if (sorted.cone.cols() == 0) {
    verdict.holds = true, verdict.margin = std::numeric_limits<double>::infinity();
    verdict.squeeze.assign(at(s.C.cols()), 0.0);
    return verdict;
  }
  const MatrixXd Y = null_basis(sorted.free.transpose());
  const MatrixXd balance = Y.transpose() * sorted.cone;
  const MatrixXd N = null_basis(balance);
  const Margins margins(s, sorted);
  const ConeSolution solution = widest(margins.conditions, N);
  if (solution.outcome != ConeSolution::Outcome::solved)
    throw Error(
        "force closure could not be decided: the cone solver gave up; check the contacts' "
        "places and frictions for extreme numbers",
        Error::Kind::failed_computation);
  const double margin = solution.x[N.cols()];
  if (margin <= least_margin)
    return escapes(
        s.freedom(own).cwiseProduct(
            own_rows(own, rows, escape_of(margins.conditions, solution, sorted.cone, Y)).col(0)),
        std::min(margin, 0.0), "nothing stops the object from", words);
  verdict.holds = true, verdict.margin = margin;
  // All columns: what acts both ways balances the cones.
  const VectorXd x = N * solution.x.head(N.cols());
  const VectorXd rest = least_norm(sorted.free, -(sorted.cone * x));
  verdict.squeeze.assign(at(s.C.cols()), 0.0);
  Index next = 0;
  for (const GraspContact& contact : s.contacts)
    for (int k = contact.first; k < contact.first + contact.size; ++k) {
      const Index column = sorted.position[at(k)];
      double value = 0;
      if (column >= 0)
        value = x[column];
      else if (part_of(contact, k, surface) == Part::both_ways)
        value = rest[next++];
      verdict.squeeze[at(k)] = s.length * s.unit_c[k] * value;
    }
  return verdict;
}

}  // namespace linkwright::manipulator
