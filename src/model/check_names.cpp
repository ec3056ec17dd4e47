#include <fmt/format.h>

#include "linkwright/model/names.hpp"
#include "model/checks.hpp"

namespace linkwright::checks {
namespace {

std::string at(const Source& where) {
  return where.file.empty() ? std::string{} : " at " + where.text();
}

template <class Named>
NameIndex index_names(const std::vector<Named>& things, std::string_view kind, Problems& problems) {
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
    if (!inserted)
      problems.refuse(
          thing.source,
          fmt::format("{} {} is declared twice, first{}; names must be unique, rename one", kind,
                      in_quotes(thing.name),
                      things[first->second].source.file.empty()
                          ? fmt::format(" as number {}", first->second + 1)
                          : at(things[first->second].source)));
  }
  return index;
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
  Names names{index_names(model.bodies, "link", problems),
              index_names(model.joints, "joint", problems),
              index_names(model.frames, "frame", problems), &problems};
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
