#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "model/checks/checks.hpp"

namespace linkwright::checks {
namespace {

template <class Named>
std::string first_place(const Named& first, std::size_t index) {
  return first.source.file.empty() ? fmt::format(" as number {}", index + 1)
                                   : " at " + first.source.text();
}

/// `is_told(thing)` is true for one whose doubled name was told already under another kind.
template <class Named, class IsTold>
NameIndex index_names(const std::vector<Named>& things, std::string_view kind, Problems& problems,
                      const IsTold& is_told) {
  NameIndex index;
  index.reserve(things.size());
  for (std::size_t i = 0; i < things.size(); ++i) {
    const Named& thing = things[i];
    if (thing.name.empty()) {
      problems.refuse(thing.source,
                      fmt::format("{} number {} has no name; give it one", kind, i + 1));
      continue;
    }
    const auto [first, inserted] = index.emplace(thing.name, i);
    if (!inserted && !is_told(thing))
      problems.refuse(
          thing.source,
          fmt::format("{} {} is declared twice, first{}; names must be unique, rename one", kind,
                      in_quotes(thing.name), first_place(things[first->second], first->second)));
  }
  return index;
}

std::unordered_set<std::string_view> doubled_names(const std::vector<Body>& bodies) {
  std::unordered_set<std::string_view> seen, doubled;
  for (const Body& body : bodies)
    if (!seen.insert(body.name).second) doubled.insert(body.name);
  return doubled;
}

template <class Named>
void refuse_world(const std::vector<Named>& things, const NameIndex& index, std::string_view kind,
                  Problems& problems) {
  const auto found = index.find(world_name);
  if (found != index.end())
    problems.refuse(
        things[found->second].source,
        fmt::format("{} 'world': this name is reserved for the world, which never moves; "
                    "rename it",
                    kind));
}

}  // namespace

Names check_names(const Model& model, Problems& problems) {
  const auto doubled = doubled_names(model.bodies);
  const auto nothing_told = [](const auto&) { return false; };
  // An object is a link and a joint of the same name.
  const auto is_object = [&](const Joint& joint) {
    return joint.name == joint.child && doubled.contains(joint.child);
  };
  Names names{index_names(model.bodies, "link", problems, nothing_told),
              index_names(model.joints, "joint", problems, is_object),
              index_names(model.frames, "frame", problems, nothing_told),
              {},
              doubled,
              &problems};
  names.tree = grow_tree(model, names.bodies, model.cut);
  refuse_world(model.bodies, names.bodies, "link", problems);
  refuse_world(model.frames, names.frames, "frame", problems);
  // Wherever a frame may be named a link may be named too, so one name must mean one place.
  for (const Frame& frame : model.frames)
    if (names.bodies.contains(frame.name))
      problems.refuse(frame.source, fmt::format("frame {} has the name of a link; rename the frame",
                                                in_quotes(frame.name)));
  return names;
}

}  // namespace linkwright::checks
