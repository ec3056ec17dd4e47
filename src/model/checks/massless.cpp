#include <fmt/format.h>

#include "linkwright/model/flexible_links.hpp"
#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

bool resists(const Body& body) {
  const Symmetric3& I = body.inertia;
  return body.mass != 0 || I.xx != 0 || I.yy != 0 || I.zz != 0 || I.xy != 0 || I.xz != 0 ||
         I.yz != 0;
}

bool has_rotor_everywhere(const std::vector<Reflected>& freedoms) {
  for (const Reflected& felt : freedoms)
    if (felt.rotor_inertia <= 0) return false;
  return true;
}

/// A reader's link between two joints of one body, which no file declares: BODY:JOINT.
bool stands_between_joints(const Body& body, const Joint& joint) {
  return !body.has_inertial && body.name.ends_with(":" + joint.name);
}

struct Tree {
  std::vector<std::size_t> parent;   ///< body carrying body b, or none for the world
  std::vector<std::size_t> carrier;  ///< joint carrying body b
  std::vector<std::size_t> outward;  ///< bodies, parents before children
};

Tree build_tree(const Model& model, const Names& names) {
  const std::size_t n = model.bodies.size();
  Tree tree{std::vector<std::size_t>(n, none), std::vector<std::size_t>(n, none), {}};
  std::vector<std::vector<std::size_t>> children(n);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (names.tree.closes[j]) continue;
    const std::size_t child = names.bodies.at(model.joints[j].child);
    tree.carrier[child] = j;
    if (model.joints[j].parent == world_name) {
      tree.outward.push_back(child);
    } else {
      tree.parent[child] = names.bodies.at(model.joints[j].parent);
      children[tree.parent[child]].push_back(child);
    }
  }
  for (std::size_t k = 0; k < tree.outward.size(); ++k)
    for (const std::size_t child : children[tree.outward[k]]) tree.outward.push_back(child);
  return tree;
}

}  // namespace

void warn_of_massless_links(const Model& model, const Names& names, Problems& problems) {
  const Tree tree = build_tree(model, names);
  const std::size_t n = model.bodies.size();
  // Links welded together move as one, so mass on any of them counts for the link that is moved.
  std::vector<std::size_t> moved(n);
  std::vector<bool> group_resists(n, false), subtree_resists(n, false);
  for (const std::size_t b : tree.outward) {
    const bool welded = velocity_count(model.joints[tree.carrier[b]]) == 0;
    moved[b] = !welded ? b : tree.parent[b] == none ? none : moved[tree.parent[b]];
    if (moved[b] != none && resists(model.bodies[b])) group_resists[moved[b]] = true;
    if (resists(model.bodies[b])) subtree_resists[b] = true;
  }
  for (auto b = tree.outward.rbegin(); b != tree.outward.rend(); ++b)
    if (tree.parent[*b] != none && subtree_resists[*b]) subtree_resists[tree.parent[*b]] = true;

  const auto reflected = to_reflected(model).joints;
  for (std::size_t b = 0; b < n; ++b) {
    const Joint& joint = model.joints[tree.carrier[b]];
    if (moved[b] != b || group_resists[b] || has_rotor_everywhere(reflected[tree.carrier[b]]))
      continue;
    const Body& body = model.bodies[b];
    if (subtree_resists[b] && !is_elastic(joint) && !stands_between_joints(body, joint))
      problems.warn(body.source,
                    fmt::format("link {}: moved by joint {} but without mass and inertia; legal "
                                "inside a chain as long as what it carries resists that motion",
                                in_quotes(body.name), in_quotes(joint.name)),
                    "massless link inside a chain");
    else if (!subtree_resists[b])
      problems.warn(body.source,
                    fmt::format("link {}: a massless leaf, moved by joint {} with mass 0 and "
                                "inertia 0 from there on; usable for kinematics, forward "
                                "dynamics will refuse it: give it mass or fix the joint",
                                in_quotes(body.name), in_quotes(joint.name)),
                    "massless leaf");
  }
}

}  // namespace linkwright::checks
