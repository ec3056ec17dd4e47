#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Dense>

#include "linkwright/model/names.hpp"
#include "linkwright/network/circuit.hpp"

namespace linkwright::network {
namespace {

/// Given values differ from what fits by no more than this part of them.
constexpr double same_start = 1e-9;

using Decomposition = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

}  // namespace

/// With stores d = T s + c, each weighted by the root of its energy: those that are given fix s as far as they can,
/// and of what is left the others take the least energy.
void Circuit::compute_start(CircuitWorkspace& work, const ConstVectorRef& given,
                            const ConstVectorRef& sources, VectorRef states) const {
  const Eigen::Index n = linear_states(), count = static_cast<Eigen::Index>(stores_.size());
  work.w.setZero();
  work.w.head(port_count()) = given;
  work.w.segment(port_count(), source_count()) = sources;
  Eigen::MatrixXd fixed(count, n), free(count, n);
  Eigen::VectorXd wanted(count), rest(count);
  Eigen::Index fixed_rows = 0, free_rows = 0;
  std::vector<Eigen::Index> told;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Store& store = stores_[static_cast<std::size_t>(i)];
    const double root = std::sqrt(store.weight), offset = store_U_.row(i).dot(work.w);
    if (store.initial) {
      fixed.row(fixed_rows) = root * store_Z_.row(i);
      wanted[fixed_rows++] = root * (*store.initial - offset);
      told.push_back(i);
    } else {
      free.row(free_rows) = root * store_Z_.row(i);
      rest[free_rows++] = -root * offset;
    }
  }
  Eigen::VectorXd s = Eigen::VectorXd::Zero(n);
  Eigen::MatrixXd kernel = Eigen::MatrixXd::Identity(n, n);
  if (fixed_rows > 0 && n > 0) {
    const Eigen::MatrixXd rows = fixed.topRows(fixed_rows);
    s = Decomposition(rows).solve(wanted.head(fixed_rows));
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(rows);
    kernel = lu.dimensionOfKernel() > 0 ? Eigen::MatrixXd(lu.kernel()) : Eigen::MatrixXd(n, 0);
  }
  std::vector<std::string> nearest;
  bool fits = true;
  for (Eigen::Index i = 0; i < fixed_rows; ++i) {
    const Eigen::Index row = told[static_cast<std::size_t>(i)];
    const Store& store = stores_[static_cast<std::size_t>(row)];
    const double found = store_Z_.row(row).dot(s) + store_U_.row(row).dot(work.w);
    // Of what cancels, so that a sum that is to be zero may be rounding.
    const double size = store_Z_.row(row).cwiseAbs().dot(s.cwiseAbs()) +
                        store_U_.row(row).cwiseAbs().dot(work.w.cwiseAbs());
    fits = fits && std::abs(found - *store.initial) <=
                       same_start * std::max(size, std::abs(*store.initial));
    nearest.push_back(fmt::format("{} = {:.9g}, given {:.9g}", store.name, found, *store.initial));
  }
  if (!fits)
    throw Error(fmt::format(
        "network: the given start contradicts itself, the sources or the joints; the nearest "
        "that fits is {} (voltages, currents, speeds, torques)",
        fmt::join(nearest, "; ")));
  if (free_rows > 0 && kernel.cols() > 0) {
    const Eigen::MatrixXd rows = free.topRows(free_rows);
    const Eigen::MatrixXd left = rows * kernel;
    s += kernel * Decomposition(left).solve(rest.head(free_rows) - rows * s);
  }
  states.head(n) = s;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const std::vector<double>& start = network_.own_components()[i].start;
    for (Eigen::Index k = 0; k < own_[i].states; ++k)
      states[own_[i].state + k] = start.empty() ? 0 : start[static_cast<std::size_t>(k)];
  }
}

}  // namespace linkwright::network
