#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "io/urdf/element_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::urdf {
namespace {

bool uses_world(const Model& model) {
  return std::any_of(model.joints.begin(), model.joints.end(),
                     [](const Joint& joint) { return joint.parent == world_name; });
}

std::vector<std::size_t> root_links(const Model& model) {
  std::unordered_set<std::string_view> children;
  for (const Joint& joint : model.joints) children.insert(joint.child);
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (!children.contains(model.bodies[i].name)) roots.push_back(i);
  return roots;
}

std::string free_joint_name(const Model& model) {
  std::unordered_set<std::string_view> taken;
  for (const Joint& joint : model.joints) taken.insert(joint.name);
  std::string name = "base";
  for (int i = 1; taken.contains(name); ++i) name = fmt::format("base_{}", i);
  return name;
}

/// Drops a root link named "world": it is the world itself.
void recognise_world(Model& model, const std::vector<std::size_t>& roots) {
  for (const std::size_t i : roots) {
    const Body body = model.bodies[i];
    if (body.name != world_name) continue;
    if (body.has_inertial)
      model.warnings.push_back({body.source,
                                "link 'world': its mass and inertia are not used, the "
                                "world never moves"});
    model.bodies.erase(model.bodies.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

Joint implied_joint(const Model& model, const Body& root, Base base) {
  Joint joint;
  joint.name = free_joint_name(model);
  joint.type = base == Base::fixed  ? JointType::fixed
               : base == Base::free ? JointType::free
                                    : JointType::planar;
  joint.parent = world_name;
  joint.child = root.name;
  joint.axis = {0, 0, 1};
  joint.implied = true;
  joint.source = root.source;
  return joint;
}

}  // namespace

void attach_root(Model& model, Base base, const Source& where) {
  const std::vector<std::size_t> roots = root_links(model);
  const bool world_is_link = roots.size() == 1 && model.bodies[roots.front()].name == world_name;
  if (world_is_link) recognise_world(model, roots);
  if (world_is_link || uses_world(model)) {
    if (base != Base::fixed)
      throw Error(where, fmt::format("this robot hangs from 'world' by its own joints, so its base "
                                     "is fixed; it cannot be {}",
                                     base == Base::free ? "free" : "planar"));
    return;
  }
  // With several roots, or none, nothing is attached: `validate` names them.
  if (roots.size() != 1) return;
  model.joints.insert(model.joints.begin(),
                      implied_joint(model, model.bodies[roots.front()], base));
}

}  // namespace linkwright::urdf
