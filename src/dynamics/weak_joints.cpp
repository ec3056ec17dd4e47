#include "linkwright/dynamics/weak_joints.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/resistance.hpp"

namespace linkwright {
namespace {

static_assert(no_resistance == sweeps::noise_of_D<double>);

/// Of the freedom that is resisted least; 0 where a number is not finite.
double resistance_of(const TreeD& tree, const ScratchD& s, std::size_t k) {
  const Node<double>& node = tree.nodes[k];
  double least = 0;
  if (node.modes < 0) {
    least = 1 / (s.gain[k].D_inv * s.gain[k].around);
  } else {
    const sweeps::MultiGain<double>& gain = s.multi_gain[static_cast<std::size_t>(node.modes)];
    least = gain.pivot[0] / gain.most[0];
    for (int i = 1; i < node.d; ++i) {
      const double part = gain.pivot[i] / gain.most[i];
      least = part >= least ? least : part;  // a NaN stays
    }
  }
  return least > 0 ? least : 0;
}

}  // namespace

std::vector<WeakJoint> compute_weak_joints(Workspace& work, const ConstVectorRef& q) {
  const TreeD& tree = work.system().tree();
  const ScratchD& s = work.scratch();
  door::check_position(work.system(), q);
  kernels().place(tree, work.scratch(), q.data());
  kernels().factorize(tree, work.scratch());
  std::vector<WeakJoint> weak;
  for (std::size_t k = tree.nodes.size() - 1; k >= 1; --k) {
    const double resistance = resistance_of(tree, s, k);
    if (resistance < weak_resistance) weak.push_back({static_cast<int>(k), resistance});
    if (!sweeps::is_resisted(tree, s, static_cast<int>(k))) break;
  }
  return weak;
}

std::string describe(const System& system, std::vector<WeakJoint> weak, std::string_view where) {
  std::erase_if(weak, [](const WeakJoint& joint) { return joint.resistance <= no_resistance; });
  if (weak.empty()) return {};
  const WeakJoint& weakest = *std::min_element(
      weak.begin(), weak.end(),
      [](const WeakJoint& a, const WeakJoint& b) { return a.resistance < b.resistance; });
  const std::string others = weak.size() == 1 ? std::string{}
                             : weak.size() == 2
                                 ? std::string(" (one more joint is like it)")
                                 : fmt::format(" ({} more joints are like it)", weak.size() - 1);
  return fmt::format(
      "{} hardly any inertia resists {}{}: what is left once all outboard of it is free to move "
      "(D) "
      "is {:.2g} of the inertia around it. Its acceleration has few true digits below {:.1g}, and "
      "none at {:.1g}. Check the inertia of the links that it carries, or add rotor inertia",
      where, system.describe_node(weakest.node), others, weakest.resistance, weak_resistance,
      no_resistance);
}

}  // namespace linkwright
