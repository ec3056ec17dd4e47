#include "viewer/colours.hpp"

#include <algorithm>

namespace linkwright::viewer {
namespace {

constexpr std::array<Colour, 8> palette{{{0.36, 0.52, 0.68, 1},
                                         {0.80, 0.53, 0.39, 1},
                                         {0.47, 0.62, 0.47, 1},
                                         {0.58, 0.48, 0.64, 1},
                                         {0.79, 0.66, 0.38, 1},
                                         {0.35, 0.60, 0.60, 1},
                                         {0.75, 0.52, 0.56, 1},
                                         {0.47, 0.51, 0.60, 1}}};

}  // namespace

Colour lighter(const Colour& colour, double share) {
  Colour mixed = colour;
  for (std::size_t k = 0; k < 3; ++k) mixed[k] += share * (1 - mixed[k]);
  return mixed;
}

std::vector<Colour> choose_colours(const Skeleton& skeleton) {
  std::vector<Colour> colours(skeleton.bodies.size(), ground_colour);
  std::vector<std::size_t> arm(skeleton.bodies.size(), 0);
  std::size_t arms = 0;
  for (const std::size_t b : skeleton.order) {
    if (b == 0) continue;
    const SkeletonBody& body = skeleton.bodies[b];
    const auto& siblings = skeleton.bodies[body.parent].children;
    const auto chains = std::count_if(siblings.begin(), siblings.end(),
                                      [&](std::size_t s) { return skeleton.bodies[s].matters; });
    const bool begins = body.parent == 0 || (body.matters && chains > 1);
    arm[b] = begins ? arms++ : arm[body.parent];
    colours[b] = lighter(palette[arm[b] % palette.size()], body.depth % 2 == 0 ? 0.2 : 0);
  }
  return colours;
}

}  // namespace linkwright::viewer
