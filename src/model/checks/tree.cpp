#include <fmt/format.h>

#include <algorithm>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

std::string joint_text(const Joint& joint) { return "joint " + in_quotes(joint.name); }

void check_ends(const Joint& joint, const Model& model, const Names& names) {
  const std::string thing = joint_text(joint);
  if (joint.child == world_name)
    throw Error(
        joint.source,
        fmt::format("{}: its child is 'world', which cannot move; swap parent and child", thing));
  require_body(joint.source, thing, "child", joint.child, model, names);
  require_body(joint.source, thing, "parent", joint.parent, model, names);
  if (joint.parent == joint.child)
    throw Error(joint.source,
                fmt::format("{}: link {} is its parent and its child (a loop of one joint); "
                            "a joint connects two different links",
                            thing, in_quotes(joint.child)));
}

/// Which links hang on the world, on a link that no joint carries, or on one that is not known: the
/// others hang on loops of joints.
std::vector<bool> find_tied(const Model& model, const Names& names) {
  std::vector<std::vector<std::size_t>> carried(model.bodies.size());
  std::vector<bool> tied(model.bodies.size(), true);
  std::vector<std::size_t> reached;
  for (const Joint& joint : model.joints)
    if (const auto child = names.bodies.find(joint.child); child != names.bodies.end())
      tied[child->second] = false;
  for (const Joint& joint : model.joints) {
    const auto child = names.bodies.find(joint.child), parent = names.bodies.find(joint.parent);
    if (child == names.bodies.end()) continue;
    if (parent == names.bodies.end())
      tied[child->second] = true;
    else
      carried[parent->second].push_back(child->second);
  }
  for (std::size_t b = 0; b < tied.size(); ++b)
    if (tied[b]) reached.push_back(b);
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (const std::size_t next : carried[reached[k]])
      if (!tied[next]) tied[next] = true, reached.push_back(next);
  return tied;
}

/// A joint for each link; of several the first.
std::vector<std::size_t> first_carriers(const Model& model, const Names& names) {
  std::vector<std::size_t> carrier(model.bodies.size(), none);
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    if (const auto child = names.bodies.find(model.joints[j].child); child != names.bodies.end())
      if (carrier[child->second] == none) carrier[child->second] = j;
  return carrier;
}

std::size_t parent_body(const Model& model, const Names& names, std::size_t joint) {
  const auto found = names.bodies.find(model.joints[joint].parent);
  return found == names.bodies.end() ? none : found->second;
}

Mistake describe_loop(const Model& model, const Names& names,
                      const std::vector<std::size_t>& carrier, std::size_t start) {
  std::vector<std::string> loop;
  std::size_t body = start;
  do {
    loop.push_back(model.joints[carrier[body]].name);
    body = parent_body(model, names, carrier[body]);
  } while (body != start);
  std::reverse(loop.begin(), loop.end());
  return {model.joints[carrier[start]].source,
          fmt::format("a loop of {} joints cannot be cut because nothing ties it to the world: {}; "
                      "connect one of its links to 'world', as the child of a joint",
                      loop.size(), list_in_quotes(loop))};
}

/// Loops that hang on nothing. All that carries a link that is not tied is not tied either, so a walk
/// from there towards the parents ends in such a loop.
void check_loose_loops(const Model& model, const Names& names, Problems& problems) {
  const std::vector<bool> tied = find_tied(model, names);
  if (std::find(tied.begin(), tied.end(), false) == tied.end()) return;
  const std::vector<std::size_t> carrier = first_carriers(model, names);
  enum class Mark : char { unseen, on_path, done };
  std::vector<Mark> mark(model.bodies.size(), Mark::unseen);
  std::vector<std::size_t> path;
  for (std::size_t start = 0; start < model.bodies.size(); ++start) {
    if (tied[start]) continue;
    std::size_t body = start;
    for (path.clear(); mark[body] == Mark::unseen;
         body = parent_body(model, names, carrier[body])) {
      mark[body] = Mark::on_path;
      path.push_back(body);
    }
    if (mark[body] == Mark::on_path) {
      const Mistake loop = describe_loop(model, names, carrier, body);
      // A joint from a link to itself was told as such.
      if (model.joints[carrier[body]].parent != model.joints[carrier[body]].child)
        problems.refuse(loop.where, loop.message);
    }
    for (const std::size_t seen : path) mark[seen] = Mark::done;
  }
}

void check_roots(const Model& model, const Names& names) {
  const std::vector<std::size_t> carrier = first_carriers(model, names);
  std::vector<std::string> loose;
  const Body* first = nullptr;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (carrier[b] != none) continue;
    // A link without a name of its own was told as such; no joint can mean it.
    const auto named = names.bodies.find(model.bodies[b].name);
    if (named == names.bodies.end() || named->second != b) continue;
    if (first == nullptr) first = &model.bodies[b];
    loose.push_back(model.bodies[b].name);
  }
  if (first == nullptr) return;
  if (loose.size() == 1)
    throw Error(first->source,
                fmt::format("link {} is not the child of any joint; connect it to another link or "
                            "to 'world'",
                            in_quotes(first->name)));
  throw Error(first->source,
              fmt::format("{} links are not the child of any joint: {}; a description hangs from "
                          "one root, connect the others to it or to 'world'",
                          loose.size(), list_in_quotes(loose)));
}

}  // namespace

void check_tree(const Model& model, const Names& names, Problems& problems) {
  bool whole = !problems.has_unread();
  for (const Joint& joint : model.joints) {
    problems.attempt([&] { check_ends(joint, model, names); });
    whole = whole && names.bodies.contains(joint.child);
  }
  check_loose_loops(model, names, problems);
  // A joint whose child is not known may be the one that carries what seems loose.
  if (whole) problems.attempt([&] { check_roots(model, names); });
}

}  // namespace linkwright::checks
