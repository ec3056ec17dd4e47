#include <fmt/format.h>

#include <algorithm>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"
#include "spatial/groups.hpp"

namespace linkwright::checks {
namespace {

/// Judges what closes loops, and whether the joints of `cut` can.
class LoopCheck {
 public:
  LoopCheck(const Model& model, const Names& names, Problems& problems)
      : model_(model), names_(names), problems_(problems) {}

  void check_cut() {
    if (model_.cut.empty()) return;
    const TreeGrowth uncut = grow_tree(model_, names_.bodies, {});
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : model_.cut)
      problems_.attempt([&] {
        const Joint& joint = require_joint(model_.cut_source, "cut", name, model_, names_);
        if (!seen.insert(name).second)
          throw Error(model_.cut_source,
                      fmt::format("cut: joint {} is listed twice; remove one", in_quotes(name)));
        check_cut(joint, uncut);
      });
  }

  void check_closing() {
    const std::vector<bool>& closes = names_.tree.closes;
    if (std::find(closes.begin(), closes.end(), true) == closes.end()) return;
    const std::vector<TreeBond> bonds = bonds_to_the_tree(model_);
    const Welded welded(model_, names_);
    for (std::size_t j = 0; j < closes.size(); ++j) {
      if (!closes[j] || !is_told_apart(j)) continue;
      problems_.attempt([&] { check_closing(j, bonds, welded); });
    }
  }

 private:
  /// A joint or a child without a name of its own was told as such.
  [[nodiscard]] bool is_told_apart(std::size_t j) const {
    const auto named = names_.joints.find(model_.joints[j].name);
    return named != names_.joints.end() && named->second == j &&
           !names_.doubled_bodies.contains(model_.joints[j].child);
  }

  /// A place in the tree: 0 is the world, body b is b + 1; none: not known.
  [[nodiscard]] std::size_t place(const std::string& body) const {
    if (body == world_name) return 0;
    const auto found = names_.bodies.find(body);
    return found == names_.bodies.end() ? none : found->second + 1;
  }

  [[nodiscard]] static bool reaches(const TreeGrowth& tree, std::size_t place) {
    return place == 0 || (place != none && tree.carrier[place - 1] != none);
  }

  /// The first link that hangs in the air by this cut: its parent is still tied to the world.
  void check_cut(const Joint& joint, const TreeGrowth& uncut) const {
    const std::size_t parent = place(joint.parent), child = place(joint.child);
    if (!reaches(uncut, child) || !reaches(names_.tree, parent) || reaches(names_.tree, child))
      return;
    const std::string name = in_quotes(joint.name), link = in_quotes(joint.child);
    if (!is_in_a_loop(joint))
      throw Error(
          model_.cut_source,
          fmt::format("cut: joint {} is in no loop, and link {} would hang in the air without "
                      "it; remove it from the list",
                      name, link));
    throw Error(model_.cut_source,
                fmt::format("cut: without joint {} link {} hangs in the air, no joint that is left "
                            "leads to it from the world; cut another joint of the loop, or swap "
                            "parent and child of one that is to lead there",
                            name, link));
  }

  /// Whether its ends are connected without it, whichever is parent and child.
  [[nodiscard]] bool is_in_a_loop(const Joint& cut) const {
    Groups groups(model_.bodies.size() + 1);
    for (const Joint& joint : model_.joints) {
      const std::size_t a = place(joint.parent), b = place(joint.child);
      if (&joint != &cut && a != none && b != none) groups.join(a, b);
    }
    return groups.root(place(cut.parent)) == groups.root(place(cut.child));
  }

  void check_closing(std::size_t j, const std::vector<TreeBond>& bonds,
                     const Welded& welded) const {
    const Joint& joint = model_.joints[j];
    const std::string thing = "joint " + in_quotes(joint.name);
    if (welded.together(joint.parent, joint.child))
      throw Error(joint.source,
                  fmt::format("{} closes a loop of links that move as one: {} and {} are welded "
                              "together by fixed joints already; remove it",
                              thing, in_quotes(joint.parent), in_quotes(joint.child)));
    for (const Closure& closure : model_.closures)
      if (closure.name == joint.name && closure.kind != Closure::Kind::joint)
        throw Error(closure.source,
                    fmt::format("closure {} has the name of a joint that closes a loop; rename one",
                                in_quotes(closure.name)));
    if (bonds[j].needs.empty()) return;
    throw Error(
        joint.source,
        fmt::format("{} closes a loop, where what it has means nothing ({}): only joints of "
                    "the tree have it; {}",
                    thing, fmt::join(bonds[j].needs, ", "), advice(j, bonds)));
  }

  /// Which joint could close the loop of joint j instead.
  [[nodiscard]] std::string advice(std::size_t j, const std::vector<TreeBond>& bonds) const {
    std::vector<std::string> others;
    for (const std::size_t k : loop_of(j))
      if (bonds[k].needs.empty() && count_carriers(model_.joints[k].child) > 1)
        others.push_back(model_.joints[k].name);
    if (!others.empty())
      return fmt::format("name another joint of the loop in `cut`: {}", list_in_quotes(others));
    return "swap parent and child of a joint of the loop so that one without such things can be "
           "named in `cut`, or remove them";
  }

  /// The joints of the tree between the ends of joint j.
  [[nodiscard]] std::vector<std::size_t> loop_of(std::size_t j) const {
    const std::vector<std::size_t> a = way_to(model_.joints[j].parent),
                                   b = way_to(model_.joints[j].child);
    std::vector<std::size_t> loop;
    std::size_t common = 0;
    while (common < a.size() && common < b.size() && a[common] == b[common]) ++common;
    loop.insert(loop.end(), a.begin() + static_cast<std::ptrdiff_t>(common), a.end());
    loop.insert(loop.end(), b.begin() + static_cast<std::ptrdiff_t>(common), b.end());
    return loop;
  }

  /// Joints from the world to a link.
  [[nodiscard]] std::vector<std::size_t> way_to(const std::string& body) const {
    std::vector<std::size_t> way;
    for (std::size_t at = place(body); at != 0; at = place(model_.joints[way.back()].parent))
      way.push_back(names_.tree.carrier[at - 1]);
    std::reverse(way.begin(), way.end());
    return way;
  }

  [[nodiscard]] std::ptrdiff_t count_carriers(const std::string& body) const {
    return std::count_if(model_.joints.begin(), model_.joints.end(),
                         [&](const Joint& joint) { return joint.child == body; });
  }

  const Model& model_;
  const Names& names_;
  Problems& problems_;
};

}  // namespace

void check_cut(const Model& model, const Names& names, Problems& problems) {
  LoopCheck(model, names, problems).check_cut();
}

void check_loops(const Model& model, const Names& names, Problems& problems) {
  LoopCheck check(model, names, problems);
  check.check_cut();
  check.check_closing();
}

}  // namespace linkwright::checks
