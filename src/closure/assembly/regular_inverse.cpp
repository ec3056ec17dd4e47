#include "closure/assembly/regular_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/instruction_set.hpp"
#include "spatial/index.hpp"

namespace linkwright::closure {

const CorrectionKernels& correction_kernels() {
  return LINKWRIGHT_CHOOSE_TABLE(correction_kernels);
}

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Pivots below this part of the largest column are left to the orthogonal decomposition: their squares
/// come near to rounding.
constexpr double wide_margin = 1e-3;
/// And so are rows of which no more than this is left of what they give way, in the metric of M.
constexpr double least_left = 1e-9;
/// J B may differ from 1 by this much where M is ill-conditioned; a correction leaves so much of a gap.
constexpr double well_inverted = 1e-4;

/// Whole packs of the kernels.
constexpr std::ptrdiff_t rounded_up(std::ptrdiff_t count) { return (count + 7) / 8 * 8; }

}  // namespace

RegularInverse::RegularInverse(const System& system, Index m, bool is_full)
    : probe_(VectorXd::Zero(m)),
      answer_(VectorXd::Zero(system.nv())),
      other_(VectorXd::Zero(system.nv())) {
  const Index n = system.nv();
  c_.freedoms = static_cast<int>(n);
  c_.stride = rounded_up(m), c_.result_stride = rounded_up(n);
  for (auto* numbers : {&c_.J, &c_.Y}) numbers->resize(at(n * c_.stride));
  for (auto* numbers : {&c_.gram, &c_.C}) numbers->resize(at(m * c_.stride));
  c_.L.resize(at(n * n)), c_.B.resize(at(m * c_.result_stride));
  c_.row_scale.resize(at(c_.stride)), c_.diagonal.resize(at(m)), c_.order.resize(at(m));
  order_freedoms(system, is_full);
}

void RegularInverse::order_freedoms(const System& system, bool is_full) {
  const auto& nodes = system.tree().nodes;
  const auto n = static_cast<std::ptrdiff_t>(c_.freedoms);
  c_.entry.resize(at(n)), c_.depth.resize(at(n)), c_.inboard.resize(at(n * n));
  std::vector<int> last(nodes.size(), -1);  // freedom at or inboard of a node
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& node = nodes[i];
    int before = node.parent < 0 ? -1 : last[at(node.parent)];
    for (int k = 0; k < node.d; ++k) {
      const int f = node.freedom + k;
      c_.entry[at(f)] = node.v + k;
      if (is_full) before = f - 1;
      c_.depth[at(f)] = before < 0 ? 0 : c_.depth[at(before)] + 1;
      if (before >= 0) {
        std::copy_n(c_.inboard.begin() + before * n, c_.depth[at(before)],
                    c_.inboard.begin() + f * n);
        c_.inboard[at(f * n + c_.depth[at(before)])] = before;
      }
      before = f;
    }
    last[i] = before;
  }
}

bool RegularInverse::judge(const MatrixXd& J, const VectorXd& row_scale,
                           const VectorXd& column_scale, Index used) {
  if (used > J.cols()) return false;
  c_.used = static_cast<int>(used);
  for (Index k = 0; k < J.cols(); ++k)
    std::copy_n(J.data() + k * J.rows(), used, c_.J.begin() + k * c_.stride);
  std::copy_n(row_scale.data(), used, c_.row_scale.begin());
  for (Index i = used; i < c_.stride; ++i) c_.row_scale[at(i)] = 0;
  return correction_kernels().judge(c_, column_scale.data(), wide_margin, smallest_, weakest_);
}

bool RegularInverse::factorise(const MatrixXd& M) {
  return factorise_mass(M) && correction_kernels().invert(c_, least_left) && inverts();
}

bool RegularInverse::factorise_mass(const MatrixXd& M) {
  const auto n = static_cast<std::ptrdiff_t>(c_.freedoms);
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    const int* inboard = c_.inboard.data() + k * n;
    const int depth = c_.depth[at(k)], entry = c_.entry[at(k)];
    double* row = c_.L.data() + k * n;
    for (int i = 0; i < depth; ++i) row[i] = M(c_.entry[at(inboard[i])], entry);
    row[depth] = M(entry, entry);
  }
  for (std::ptrdiff_t k = n - 1; k >= 0; --k) {
    const int* inboard = c_.inboard.data() + k * n;
    const int depth = c_.depth[at(k)];
    double* row = c_.L.data() + k * n;
    if (!(row[depth] > 0)) return false;
    row[depth] = std::sqrt(row[depth]);
    const double inverse = 1 / row[depth];
    for (int i = 0; i < depth; ++i) row[i] *= inverse;
    for (int c = 0; c < depth; ++c) {
      double* inner = c_.L.data() + inboard[c] * n;
      for (int i = 0; i <= c; ++i) inner[i] -= row[c] * row[i];
    }
  }
  return true;
}

/// Whether J B r is r, for an r in which all rows take part.
bool RegularInverse::inverts() {
  for (int i = 0; i < c_.used; ++i) probe_[i] = 1 + 0.618 * (i % 7);
  apply(probe_, probe_, answer_, other_);
  for (int i = 0; i < c_.used; ++i) {
    double sum = 0;
    for (int k = 0; k < c_.freedoms; ++k) sum += c_.J[at(k * c_.stride + i)] * answer_[k];
    if (!(std::abs(sum - probe_[i]) <= well_inverted)) return false;
  }
  return true;
}

void RegularInverse::apply(const VectorXd& r, const VectorXd& s, VectorXd& x, VectorXd& y) const {
  correction_kernels().apply(c_.B.data(), c_.result_stride, c_.freedoms, c_.used, r.data(),
                             s.data(), x.data(), y.data());
}

}  // namespace linkwright::closure
