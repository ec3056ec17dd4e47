#include "linkwright/coordinates/influence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "coordinates/parameters.hpp"
#include "coordinates/third_order.hpp"
#include "dynamics/door.hpp"
#include "linkwright/model/names.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;

/// Entries of v behind a name, in the order of v.
std::vector<Index> entries_of(const System& system, const std::string& name) {
  const auto& known = system.velocity_names();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return {found - known.begin()};
  const JointPlace& joint = system.joint(name);
  std::vector<Index> out;
  for (int i = 0; i < joint.nv; ++i) out.push_back(joint.v + i);
  return out;
}

/// Constant rates.
Influence linear(Parameters of, const Parameters& by, const Eigen::MatrixXd& G, Order order) {
  Influence out{std::move(of), by, Matrix(G), Array(G.rows(), G.cols()), {}};
  if (order == Order::third) out.D = Array4(G.rows(), G.cols());
  return out;
}

Index single_entry(const System& system, const Shaft& shaft, const std::string& joint,
                   double ratio) {
  const std::vector<Index> entries = entries_of(system, joint);
  if (entries.size() != 1)
    throw Error(fmt::format(
        "shaft {}: joint {} has {} freedoms; expected one, or one of several by name ('{}:0')",
        in_quotes(shaft.name), in_quotes(joint), entries.size(), joint));
  if (!std::isfinite(ratio))
    throw Error(fmt::format("shaft {}: the ratio of joint {} is {}; expected a finite number",
                            in_quotes(shaft.name), in_quotes(joint), ratio));
  return entries.front();
}

Influence at_rows(const Influence& from, const std::vector<Index>& rows) {
  Influence out{at_places(from.of, rows),
                from.by,
                Matrix(static_cast<Index>(rows.size()), from.G.cols()),
                Array(static_cast<Index>(rows.size()), from.H.size()),
                {}};
  if (from.order() == Order::third) out.D = Array4(out.G.rows(), out.G.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.G.view().row(static_cast<Index>(i)) = from.G.view().row(rows[i]);
    out.H.flat().col(static_cast<Index>(i)) = from.H.flat().col(rows[i]);
    if (out.D.planes() > 0) out.D.flat().col(static_cast<Index>(i)) = from.D.flat().col(rows[i]);
  }
  return out;
}

}  // namespace

Influence joint_influence(const System& system, Order order) {
  const Parameters all = joint_parameters(system);
  return linear(all, all, Eigen::MatrixXd::Identity(system.nv(), system.nv()), order);
}

Influence joint_influence(const System& system, const std::vector<std::string>& names,
                          Order order) {
  std::vector<Index> rows;
  for (const std::string& name : names)
    for (const Index entry : entries_of(system, name)) rows.push_back(entry);
  const Parameters all = joint_parameters(system);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(static_cast<Index>(rows.size()), system.nv());
  for (Index i = 0; i < G.rows(); ++i) G(i, rows[at(i)]) = 1;
  return linear(at_places(all, rows), all, G, order);
}

Influence shaft_influence(const System& system, const std::vector<Shaft>& shafts, Order order) {
  const Parameters all = joint_parameters(system);
  Parameters of;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(static_cast<Index>(shafts.size()), system.nv());
  for (const Shaft& shaft : shafts) {
    double unit = 0;
    for (const auto& [joint, ratio] : shaft.ratios) {
      const Index entry = single_entry(system, shaft, joint, ratio);
      double& place = G(static_cast<Index>(of.size()), entry);
      if (place != 0)
        throw Error(fmt::format("shaft {}: joint {} is named twice; expected one ratio for each",
                                in_quotes(shaft.name), in_quotes(joint)));
      place = ratio;
      unit += std::abs(ratio) * all[at(entry)].unit;
    }
    if (unit == 0)
      throw Error(fmt::format("shaft {}: no joint turns it; expected a ratio other than 0",
                              in_quotes(shaft.name)));
    of.push_back({shaft.name, unit});
  }
  return linear(std::move(of), all, G, order);
}

Influence select(const Influence& influence, const std::vector<std::string>& names) {
  return at_rows(influence, indices_of(influence.of, names));
}

Influence stack(const Influence& first, const Influence& second) {
  require_same(second.by, first.by, "the second influence");
  const Index a = first.G.rows(), b = second.G.rows();
  Influence out{
      first.of, first.by, Matrix(a + b, first.G.cols()), Array(a + b, first.H.size()), {}};
  out.of.insert(out.of.end(), second.of.begin(), second.of.end());
  out.G.view().topRows(a) = first.G.view();
  out.G.view().bottomRows(b) = second.G.view();
  out.H.flat().leftCols(a) = first.H.flat();
  out.H.flat().rightCols(b) = second.H.flat();
  if (first.order() == Order::second || second.order() == Order::second) return out;
  out.D = Array4(a + b, first.D.size());
  out.D.flat().leftCols(a) = first.D.flat();
  out.D.flat().rightCols(b) = second.D.flat();
  return out;
}

Influence compose(const Influence& u_by_phi, const Influence& phi_by_q) {
  require_same(u_by_phi.by, phi_by_q.of, "the outer influence");
  const auto G = u_by_phi.G.view(), g = phi_by_q.G.view();
  Influence out{u_by_phi.of, phi_by_q.by, Matrix(G * g), dot(G, phi_by_q.H), {}};
  out.H.flat() += quadratic(u_by_phi.H, g).flat();
  if (u_by_phi.order() == Order::second || phi_by_q.order() == Order::second) return out;
  out.D = chain_terms(u_by_phi, g, phi_by_q.H);
  out.D.flat() += phi_by_q.D.flat() * G.transpose();
  return out;
}

void compute_acceleration(const Influence& u, const ConstVectorRef& rates,
                          const ConstVectorRef& accelerations, VectorRef out) {
  door::check_output(accelerations.size(), u.G.cols(), "accelerations");
  compute_quadratic(u.H, rates, out);
  out += u.G.view() * accelerations;
}

void compute_jerk(const Influence& u, const ConstVectorRef& rates,
                  const ConstVectorRef& accelerations, const ConstVectorRef& jerks, VectorRef out) {
  if (u.order() == Order::second)
    throw Error(
        fmt::format("the jerk of {} needs the third order; ask for the influence with "
                    "Order::third",
                    names_of(u.of)));
  door::check_output(jerks.size(), u.G.cols(), "jerks");
  Eigen::VectorXd turned(u.G.rows());
  compute_bilinear(u.H, accelerations, rates, out);
  compute_bilinear(u.H, rates, accelerations, turned);
  out = 2 * out + turned + u.G.view() * jerks;
  compute_cubic(u.D, rates, turned);
  out += turned;
}

void compute_effective_load(const Influence& u_by_phi, const ConstVectorRef& load, VectorRef out) {
  door::check_output(load.size(), u_by_phi.G.rows(), "load");
  door::check_output(out.size(), u_by_phi.G.cols(), "out");
  out = u_by_phi.G.view().transpose() * load;
}

}  // namespace linkwright::coordinates
