#include <fmt/format.h>

#include <algorithm>

#include "linkwright/model/names.hpp"
#include "model/checks.hpp"

namespace linkwright::checks {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

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

/// For each body the joint that carries it, or `none`; joints that carry nothing known are left out.
std::vector<std::size_t> carriers(const Model& model, const Names& names, Problems& problems) {
  std::vector<std::size_t> carrier(model.bodies.size(), none);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const auto child = names.bodies.find(joint.child);
    if (child == names.bodies.end()) continue;
    std::size_t& slot = carrier[child->second];
    if (slot == none)
      slot = j;
    else if (!names.doubled_bodies.contains(joint.child))  // the second may be the other link's
      problems.refuse(
          joint.source,
          fmt::format("link {} is the child of 2 joints, {} and {}; expected 1: describe "
                      "the one that closes a loop as a closure in a system file",
                      in_quotes(joint.child), in_quotes(model.joints[slot].name),
                      in_quotes(joint.name)));
  }
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
          fmt::format("a loop of {} joints hangs on nothing: {}; remove one of them and "
                      "describe it as a closure in a system file",
                      loop.size(), list_in_quotes(loop))};
}

void check_loops(const Model& model, const Names& names, const std::vector<std::size_t>& carrier,
                 Problems& problems) {
  enum class Mark : char { unseen, on_path, done };
  std::vector<Mark> mark(model.bodies.size(), Mark::unseen);
  std::vector<std::size_t> path;
  for (std::size_t start = 0; start < model.bodies.size(); ++start) {
    std::size_t body = start;
    for (path.clear(); body != none && mark[body] == Mark::unseen;) {
      mark[body] = Mark::on_path;
      path.push_back(body);
      body = carrier[body] == none ? none : parent_body(model, names, carrier[body]);
    }
    if (body != none && mark[body] == Mark::on_path) {
      const Mistake loop = describe_loop(model, names, carrier, body);
      // A joint from a link to itself was told as such.
      if (model.joints[carrier[body]].parent != model.joints[carrier[body]].child)
        problems.refuse(loop.where, loop.message);
    }
    for (const std::size_t seen : path) mark[seen] = Mark::done;
  }
}

void check_roots(const Model& model, const Names& names, const std::vector<std::size_t>& carrier) {
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
  const std::vector<std::size_t> carrier = carriers(model, names, problems);
  check_loops(model, names, carrier, problems);
  // A joint whose child is not known may be the one that carries what seems loose.
  if (whole) problems.attempt([&] { check_roots(model, names, carrier); });
}

}  // namespace linkwright::checks
