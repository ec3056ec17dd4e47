#include "operation_count.hpp"

#include <vector>

#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/inverse_dynamics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"

namespace bench {
namespace {

using linkwright::Scratch;
using linkwright::spatial::Counting;

/// Runs `sweep` once on numbers that are all non-zero and returns what it cost.
template <class Sweep>
Operations count(const linkwright::System& system, Sweep sweep) {
  const auto& tree = system.tree();
  Scratch<Counting> s(tree);
  const auto numbers = [](int n) {
    return std::vector<Counting>(static_cast<std::size_t>(n), Counting::number());
  };
  std::vector<Counting> q = numbers(tree.nq), v = numbers(tree.nv), x = numbers(tree.nv),
                        out = numbers(tree.nv * tree.nv);
  linkwright::spatial::counted() = {};
  linkwright::sweeps::place_joints(tree, s, q.data());
  sweep(tree, s, v.data(), x.data(), out.data());
  return linkwright::spatial::counted();
}

}  // namespace

Operations count_inverse_dynamics(const linkwright::System& system) {
  return count(system, [](const auto& tree, auto& s, auto* v, auto* x, auto* out) {
    linkwright::sweeps::inverse_dynamics<Counting>(tree, s, v, x, nullptr, out);
  });
}
Operations count_forward_dynamics(const linkwright::System& system) {
  return count(system, [](const auto& tree, auto& s, auto* v, auto* x, auto* out) {
    linkwright::sweeps::bias_sweep<Counting>(tree, tree.runs, s, v, nullptr);
    linkwright::sweeps::filter_sweep<Counting>(tree, tree.runs, s, x);
    linkwright::sweeps::forward_dynamics_smoother<Counting>(tree, s, out);
  });
}
Operations count_mass_matrix(const linkwright::System& system) {
  return count(system, [](const auto& tree, auto& s, auto*, auto*, auto* out) {
    linkwright::sweeps::mass_matrix<Counting>(tree, s, out, tree.nv);
  });
}

}  // namespace bench
