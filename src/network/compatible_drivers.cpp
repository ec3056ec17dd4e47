#include <algorithm>

#include <fmt/format.h>

#include "closure/rank/dense_loops.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/closing_joints.hpp"
#include "linkwright/closure/sweeps/elimination.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/network/system_graph.hpp"
#include "spatial/decompositions.hpp"
#include "spatial/index.hpp"

namespace linkwright::network {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The velocities of joints in all motions that the closures allow, in radians and the mechanism's size.
class Motions {
 public:
  Motions(ClosedWorkspace& work, const State& state) : work_(work), state_(state) {
    closure::compute_row_space(work, state.q);
    const closure::DenseLoops& d = work.dense();
    motions_ = d.N.leftCols(d.mobility);
    of_tree_ = d.column_scale.cwiseInverse().asDiagonal() * motions_;
  }

  [[nodiscard]] int mobility() const { return static_cast<int>(motions_.cols()); }
  /// One row per freedom of the joint or closing joint.
  [[nodiscard]] MatrixXd rows_of(const std::string& name) const {
    const System& system = work_.system();
    for (const ClosurePlace& c : system.closures())
      if (c.name == name) return rows_of(c);
    const JointPlace& joint = system.joint(name);
    return of_tree_.middleRows(joint.v, joint.nv);
  }

 private:
  [[nodiscard]] MatrixXd rows_of(const ClosurePlace& c) const {
    const System& system = work_.system();
    if (c.freedoms == 0)
      throw Error(c.source, fmt::format("{} has no velocity that could be driven; expected a joint",
                                        in_quotes(c.name)));
    const auto& closures = system.model().closures;
    const auto written = std::find_if(closures.begin(), closures.end(),
                                      [&](const Closure& other) { return other.name == c.name; });
    MatrixXd rows(c.freedoms, motions_.cols());
    State moving = state_;
    VectorXd rates(static_cast<Index>(system.closing_names().size()));
    for (Index k = 0; k < motions_.cols(); ++k) {
      moving.v = motions_.col(k);
      compute_closing_rates(work_, moving, rates);
      rows.col(k) = rates.segment(c.closing, c.freedoms);
    }
    for (int i = 0; i < c.freedoms; ++i)
      if (written != closures.end() && slides(to_joint(*written), i))
        rows.row(i) /= work_.dense().length;
    return rows;
  }

  ClosedWorkspace& work_;
  const State& state_;
  MatrixXd motions_, of_tree_;
};

/// How many of these velocities can be chosen: by the measure with which closure/ tells whether coordinates
/// depend on each other.
int choosable(const std::vector<MatrixXd>& rows, Index motions) {
  Index count = 0;
  for (const MatrixXd& some : rows) count += some.rows();
  MatrixXd all(count, motions);
  count = 0;
  for (const MatrixXd& some : rows) {
    all.middleRows(count, some.rows()) = some;
    count += some.rows();
  }
  if (all.size() == 0) return 0;
  const Eigen::JacobiSVD<MatrixXd> svd(all);
  return static_cast<int>((svd.singularValues().array() > closure::rank_threshold).count());
}

}  // namespace

void require_compatible_drivers(const System& system, const State& state,
                                const std::vector<std::string>& across) {
  door::check_state(system, state);
  ClosedWorkspace work(system);
  const Motions motions(work, state);
  std::vector<std::string> names;
  std::vector<MatrixXd> rows;
  const auto velocities = [](const std::vector<MatrixXd>& of) {
    Index sum = 0;
    for (const MatrixXd& some : of) sum += some.rows();
    return static_cast<int>(sum);
  };
  const auto conflict = [&](const std::vector<MatrixXd>& of) {
    return choosable(of, motions.mobility()) < velocities(of);
  };
  for (const std::string& name : across) {
    names.push_back(name);
    rows.push_back(motions.rows_of(name));
    if (!conflict(rows)) continue;
    // The last depends on some of those before it: the others leave the list.
    for (std::size_t i = rows.size() - 1; i-- > 0;) {
      std::vector<MatrixXd> without = rows;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      if (!conflict(without)) continue;
      rows = std::move(without);
      names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const bool one = names.size() == 1;
    throw Error(fmt::format(
        "across driver{} {} conflict{}: at this position the mechanism has {} freedom{}, and of "
        "the {} velocit{} of {} only {} can be chosen; make {} a through driver or no driver",
        one ? "" : "s", list_in_quotes(names), one ? "s with the closures" : "", motions.mobility(),
        motions.mobility() == 1 ? "" : "s", velocities(rows), velocities(rows) == 1 ? "y" : "ies",
        one ? "this joint" : "these joints", choosable(rows, motions.mobility()),
        one ? "it" : "one of them"));
  }
}

}  // namespace linkwright::network
