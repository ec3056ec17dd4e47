#include "manipulator/grasp/grasp_closure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "manipulator/cones/cone_program.hpp"
#include "manipulator/cones/least_norm.hpp"
#include "manipulator/cones/least_squares.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::manipulator {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = ConeCondition::Kind;

/// Margins, as parts of friction · normal, below this are those of grasps on the edge: the solver decides
/// them to about 1e-9.
constexpr double least_margin = 1e-7;
/// Prices above this, of all prices 1, say that a contact is at the edge of its cone whatever the squeeze.
constexpr double least_price = 1e-6;

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
/// are the freedoms that count. Columns of the statics are numbered through: those of C, then those of E.
struct Sorted {
  MatrixXd cone, free;
  std::vector<GraspContact> contacts;  // of the object, then the one-sided ones elsewhere
  std::vector<Index> position;         // of each column in `cone`; −1: not there
};

Sorted sort(const Statics& s, const std::vector<int>& rows, Surface surface) {
  Sorted sorted;
  const auto first_e = static_cast<int>(s.C.cols());
  sorted.contacts = s.contacts;
  std::vector<bool> taken(at(s.C.cols() + s.E.cols()), false);
  for (GraspContact contact : s.beyond) {
    contact.first += first_e, contact.normal += first_e;
    if (contact.twist >= 0) contact.twist += first_e;
    sorted.contacts.push_back(std::move(contact));
  }
  std::vector<int> in_cone, both_ways;
  sorted.position.assign(taken.size(), -1);
  for (const GraspContact& contact : sorted.contacts)
    for (int k = contact.first; k < contact.first + contact.size; ++k) {
      taken[at(k)] = true;
      const Part part = part_of(contact, k, surface);
      if (part == Part::both_ways) both_ways.push_back(k);
      if (part != Part::in_cone) continue;
      sorted.position[at(k)] = static_cast<Index>(in_cone.size());
      in_cone.push_back(k);
    }
  for (int k = first_e; k < static_cast<int>(taken.size()); ++k)
    if (!taken[at(k)]) both_ways.push_back(k);
  const auto all = MatrixXd(beside(s.C(rows, Eigen::all), s.E(rows, Eigen::all)));
  sorted.cone = all(Eigen::all, in_cone);
  sorted.free = beside(all(Eigen::all, both_ways), s.T(rows, Eigen::all));
  return sorted;
}

/// K x in a cone, for a contact's number in Sorted::contacts.
struct Share {
  ConeCondition condition;
  std::size_t contact;
  bool ray = false;  // it is all that is left of a cone: its forces have one direction
};

enum class Measure {
  newtons,  ///< friction · normal − along
  parts     ///< the same over the friction: what is decided does not depend on it
};

/// The conditions of all contacts on x, the forces (newtons; moments: newtons times length) in cones.
std::vector<Share> cones_of(const Sorted& sorted, double length, Measure measure) {
  std::vector<Share> shares;
  for (std::size_t i = 0; i < sorted.contacts.size(); ++i) {
    const GraspContact& contact = sorted.contacts[i];
    if (!contact.friction) continue;
    const auto add = [&](Kind kind, Index rows) -> MatrixXd& {
      shares.push_back(
          {{kind, MatrixXd::Zero(rows, sorted.cone.cols()), VectorXd::Zero(rows)}, i, false});
      return shares.back().condition.A;
    };
    const Index normal = sorted.position[at(contact.normal)];
    if (sorted.position[at(contact.normal - 1)] < 0) {  // smooth
      add(Kind::nonnegative, 1)(0, normal) = 1;
      continue;
    }
    const double mu = *contact.friction, unit = measure == Measure::newtons ? 1 : mu;
    MatrixXd& cone = add(Kind::second_order, 3);
    cone(0, normal) = mu / unit;
    cone(1, sorted.position[at(contact.normal - 2)]) = 1 / unit;
    cone(2, sorted.position[at(contact.normal - 1)]) = 1 / unit;
    if (contact.twist < 0 || sorted.position[at(contact.twist)] < 0) continue;
    for (const double side : {1, -1}) {
      MatrixXd& twist = add(Kind::nonnegative, 1);
      twist(0, normal) = mu / unit;
      twist(0, sorted.position[at(contact.twist)]) = side * mu / *contact.torsion * length / unit;
    }
  }
  return shares;
}

/// What the squeezes within all cones have in common: x = face · z, and the conditions that some of them
/// meets strictly. At first nothing is known of them.
struct Face {
  MatrixXd span;
  std::vector<Share> shares;
};

/// The largest margin that the first `count` contacts have at once, of all x = N y, no normal force above 1.
ConeSolution widest(const Sorted& sorted, const std::vector<Share>& shares, const MatrixXd& N,
                    std::size_t count) {
  ConeProgram program;
  const Index n = N.cols();
  program.cost = VectorXd::Zero(n + 1);
  program.cost[n] = -1;
  for (const Share& share : shares) {
    const ConeCondition& c = share.condition;
    ConeCondition reduced{c.kind, MatrixXd::Zero(c.A.rows(), n + 1), c.b};
    reduced.A.leftCols(n) = c.A * N;
    if (share.contact < count) reduced.A(0, n) = -1;
    program.conditions.push_back(std::move(reduced));
  }
  const auto at_most_one = [&](const Eigen::RowVectorXd& row) {
    program.conditions.push_back({Kind::nonnegative, -row, VectorXd::Ones(1)});
  };
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(n + 1);
  double most = 1;  // no margin is above it: so that it has an end
  for (const GraspContact& contact : sorted.contacts)
    most = std::max(most, contact.friction.value_or(0));
  row[n] = 1 / most;
  at_most_one(row);
  for (const GraspContact& contact : sorted.contacts) {
    if (!contact.friction) continue;
    row.setZero();
    row.head(n) = N.row(sorted.position[at(contact.normal)]);
    if (row.norm() > 1e-12) at_most_one(row);
  }
  return solve(program);
}

/// The least of all conditions at x.
double least_depth(const std::vector<Share>& shares, const VectorXd& x) {
  double least = 1;
  for (const Share& share : shares) least = std::min(least, depth(share.condition, x));
  return least;
}

/// Where the margin ends the prices z of the conditions are a motion u along which no contact force within
/// its cone takes work: coneᵀ u = Σ Kᵀ z.
VectorXd escape_of(const Face& face, const ConeSolution& solution, const MatrixXd& cone,
                   const MatrixXd& Y) {
  VectorXd g = VectorXd::Zero(cone.cols());
  for (std::size_t i = 0; i < face.shares.size(); ++i)
    g += face.shares[i].condition.A.transpose() * solution.prices[i];
  const MatrixXd B = (cone * face.span).transpose() * Y;
  return Y * least_norm(B, face.span.transpose() * g);
}

/// Conditions with a price never hold strictly: zᵀ K x = 0 for every squeeze. Inside the cone z leaves
/// nothing, on its surface one ray. Returns the face that is left.
Face reduce(const Face& face, const ConeSolution& solution) {
  Face left;
  std::vector<VectorXd> zero;
  for (std::size_t i = 0; i < face.shares.size(); ++i) {
    const ConeCondition& c = face.shares[i].condition;
    const VectorXd& z = solution.prices[i];
    if (z[0] <= least_price) {
      left.shares.push_back(face.shares[i]);
      continue;
    }
    const double around = c.b.size() > 1 ? z.tail(c.b.size() - 1).norm() : 0;
    const bool ray = c.b.size() > 1 && around > (1 - 1e-6) * z[0];
    if (!ray) {
      for (Index row = 0; row < c.A.rows(); ++row) zero.emplace_back(c.A.row(row));
      continue;
    }
    for (Index row = 1; row < c.A.rows(); ++row)
      zero.emplace_back(c.A.row(row) + z[row] / around * c.A.row(0));
    left.shares.push_back(
        {{Kind::nonnegative, c.A.row(0), VectorXd::Zero(1)}, face.shares[i].contact, true});
  }
  MatrixXd equations(static_cast<Index>(zero.size()), face.span.rows());
  for (std::size_t i = 0; i < zero.size(); ++i)
    equations.row(static_cast<Index>(i)) = zero[i].normalized();
  left.span = face.span * null_basis(equations * face.span);
  return left;
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

/// Whether no force of a contact within its cone takes work on a motion u of the rows.
bool is_resisted_by_none(const Statics& s, const Sorted& sorted, const VectorXd& u) {
  const VectorXd power = sorted.cone.transpose() * u;
  return std::all_of(
      sorted.contacts.begin(), sorted.contacts.end(), [&](const GraspContact& contact) {
        if (!contact.friction) return true;
        const auto of = [&](int column) {
          const Index k = column < 0 ? -1 : sorted.position[at(column)];
          return k < 0 ? 0.0 : power[k];
        };
        const double along = std::hypot(of(contact.normal - 2), of(contact.normal - 1));
        const double turn = contact.torsion.value_or(0) / s.length * std::abs(of(contact.twist));
        return of(contact.normal) - *contact.friction * along - turn > -1e-7 * u.norm();
      });
}

/// Of a motion of the object that the contacts that carry do not see, the sense in which those that carry
/// nothing open as well. `away` opens them and does not move the object.
VectorXd outward(const Statics& s, const Sorted& sorted, const MatrixXd& unseen,
                 const MatrixXd& own, const VectorXd& away, const VectorXd& loose) {
  const VectorXd whole = unseen * least_norm(own, loose);
  for (const double much : {0.0, 1.0, 1e2, 1e4, 1e6})
    for (const double sense : {1.0, -1.0})
      if (is_resisted_by_none(s, sorted, sense * whole + much * away)) return sense * loose;
  return loose;
}

/// A margin of nothing is proved by prices that leave none.
bool is_proved(const ConeSolution& solution) {
  return solution.outcome == ConeSolution::Outcome::solved && std::abs(solution.gap) < 1e-6;
}

ClosureVerdict undecided() {
  ClosureVerdict verdict;
  verdict.reason = fmt::format(
      "it is on the edge: neither a squeeze inside all cones nor a motion that escapes could be "
      "found; check the contacts' places and frictions for extreme numbers");
  return verdict;
}

/// Another basis of the columns of N, orthonormal when forces along the surface are measured by the friction
/// and moments by the torsion: small ones do not make the programme stiff.
MatrixXd by_friction(const Sorted& sorted, double length, const MatrixXd& N) {
  if (N.cols() == 0) return N;
  VectorXd size = VectorXd::Ones(N.rows());
  const auto set = [&](int column, double to) {
    if (column >= 0 && sorted.position[at(column)] >= 0) size[sorted.position[at(column)]] = to;
  };
  for (const GraspContact& contact : sorted.contacts) {
    if (!contact.friction) continue;
    set(contact.normal - 2, *contact.friction), set(contact.normal - 1, *contact.friction);
    if (contact.torsion) set(contact.twist, *contact.torsion / length);
  }
  const MatrixXd scaled = size.cwiseInverse().asDiagonal() * N;
  return size.asDiagonal() * MatrixXd(scaled.colPivHouseholderQr().householderQ() *
                                      MatrixXd::Identity(N.rows(), N.cols()));
}

/// All columns of the squeeze x: what acts both ways balances the cones.
std::vector<double> all_columns(const Statics& s, const Sorted& sorted, Surface surface,
                                const VectorXd& x) {
  const VectorXd rest = least_norm(sorted.free, -(sorted.cone * x));
  std::vector<double> squeeze(at(s.C.cols()), 0.0);
  Index next = 0;
  for (const GraspContact& contact : s.contacts)
    for (int k = contact.first; k < contact.first + contact.size; ++k) {
      const Index column = sorted.position[at(k)];
      double value = 0;
      if (column >= 0)
        value = x[column];
      else if (part_of(contact, k, surface) == Part::both_ways)
        value = rest[next++];
      squeeze[at(k)] = s.length * s.unit_c[k] * value;
    }
  return squeeze;
}

/// Contacts of the object that no squeeze loads.
std::vector<std::string> idle_contacts(const Statics& s, const Sorted& sorted, const Face& face) {
  std::vector<std::string> names;
  for (const GraspContact& contact : s.contacts)
    if (contact.friction && face.span.row(sorted.position[at(contact.normal)]).norm() < 1e-9)
      names.push_back(contact.name);
  return names;
}

/// The squeeze of a grasp that holds, and its margin: as wide as it can be in newtons.
void measure(const Statics& s, const Sorted& sorted, const Face& face, const MatrixXd& N,
             Surface surface, VectorXd x, ClosureVerdict& verdict) {
  std::vector<Share> shares;
  const auto conditions_of = [](const std::vector<Share>& all, std::size_t contact) {
    return std::count_if(all.begin(), all.end(), [contact](const Share& share) {
      return share.contact == contact && !share.ray;
    });
  };
  const std::vector<Share> all = cones_of(sorted, s.length, Measure::newtons);
  for (const Share& share : all)
    if (conditions_of(face.shares, share.contact) == conditions_of(all, share.contact))
      shares.push_back(share);
  if (shares.empty()) shares = face.shares;  // all that carry do so at the edge of their cones
  const std::size_t count = s.contacts.size();
  const ConeSolution solution = widest(sorted, shares, N, count);
  const VectorXd wide = N * solution.x.head(N.cols());
  const auto own_margin = [&](const VectorXd& forces) {
    double least = std::numeric_limits<double>::infinity();
    for (const Share& share : shares)
      if (share.contact < count) least = std::min(least, depth(share.condition, forces));
    return least;
  };
  const bool inside = wide.allFinite() && least_depth(shares, wide) > -1e-9;
  if (inside && std::isfinite(own_margin(x)) && own_margin(wide) > own_margin(x)) x = wide;
  verdict.holds = true, verdict.margin = own_margin(x);
  verdict.squeeze = all_columns(s, sorted, surface, x);
}

}  // namespace

ClosureVerdict find_closure(const Statics& s, const std::vector<int>& own,
                            const std::vector<int>& base, Surface surface,
                            const std::function<std::string(const VectorXd&)>& words) {
  const std::vector<int> rows = rows_without(s.freedom.size(), base);
  const Sorted sorted = sort(s, rows, surface);
  const MatrixXd Y = null_basis(sorted.free.transpose());
  const auto own_rates = [&](const MatrixXd& motions) {
    return VectorXd(s.freedom(own).cwiseProduct(own_rows(own, rows, motions).col(0)));
  };
  Face face{MatrixXd::Identity(sorted.cone.cols(), sorted.cone.cols()),
            cones_of(sorted, s.length, Measure::parts)};
  ClosureVerdict verdict;
  VectorXd away;  // what no force of a contact that carries nothing works against
  for (bool first = true;; first = false) {  // each time contacts leave
    // Motions with J v = 0 and motors at rest: what even contacts without cones would not see.
    const MatrixXd unseen = null_basis(beside(sorted.cone * face.span, sorted.free).transpose());
    const MatrixXd moving = own_rows(own, rows, unseen);
    const MatrixXd loose = echelon(column_basis(moving));
    if (loose.cols() > 0 && first)
      return escapes(s.freedom(own).cwiseProduct(loose.col(0)), 0, "no contact feels the object",
                     words);
    if (loose.cols() > 0)
      return escapes(
          s.freedom(own).cwiseProduct(outward(s, sorted, unseen, moving, away, loose.col(0))), 0,
          "nothing stops the object from", words);
    verdict.idle = idle_contacts(s, sorted, face);
    if (face.shares.empty()) {
      verdict.holds = true, verdict.margin = std::numeric_limits<double>::infinity();
      verdict.squeeze.assign(at(s.C.cols()), 0.0);
      return verdict;
    }
    const MatrixXd N = by_friction(sorted, s.length,
                                   face.span * null_basis(Y.transpose() * sorted.cone * face.span));
    const ConeSolution solution = widest(sorted, face.shares, N, sorted.contacts.size());
    const VectorXd x = N * solution.x.head(N.cols());
    if (x.allFinite() && least_depth(face.shares, x) > least_margin) {
      measure(s, sorted, face, N, surface, x, verdict);
      return verdict;
    }
    if (!is_proved(solution)) return undecided();
    const VectorXd u = escape_of(face, solution, sorted.cone, Y);
    if (own_rows(own, rows, u).norm() > 1e-5 * u.norm())
      return escapes(own_rates(u), 0, "nothing stops the object from", words);
    away = away.size() == 0 ? u : VectorXd(away + u);
    face = reduce(face, solution);
  }
}

}  // namespace linkwright::manipulator
