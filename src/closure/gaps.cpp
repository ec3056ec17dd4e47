#include "linkwright/closure/gaps.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "dynamics/kernels.hpp"
#include "linkwright/closure/meeting.hpp"
#include "linkwright/closure/residual.hpp"
#include "spatial/index.hpp"

namespace linkwright {

std::string describe_gaps(ClosedWorkspace& work, const ConstVectorRef& q, double tolerance) {
  constexpr std::size_t most_told = 3;
  const System& system = work.system();
  const WorstClosure worst = compute_worst_closure(work, q);  // leaves the poses
  const auto& pose = work.tree().scratch().pose;
  std::vector<WorstClosure> open;
  for (std::size_t i = 0; i < system.closures().size(); ++i) {
    const ClosurePlace& c = system.closures()[i];
    const int index = static_cast<int>(i);
    if (index == worst.closure || is_among_joints(c.kind)) continue;
    const closure::Opening gap =
        closure::opening(c, closure::relative_pose(c, pose[at(c.node_a)], pose[at(c.node_b)]));
    const WorstClosure here{index, gap.distance, gap.angle};
    if (here.gap() > tolerance) open.push_back(here);
  }
  std::stable_sort(open.begin(), open.end(),
                   [](const WorstClosure& x, const WorstClosure& y) { return x.gap() > y.gap(); });
  std::string text = describe(system, worst);
  for (std::size_t i = 0; i < std::min(open.size(), most_told - 1); ++i)
    text += "; " + describe(system, open[i]);
  if (open.size() >= most_told) text += fmt::format("; and {} more", open.size() + 1 - most_told);
  return text;
}

}  // namespace linkwright
