#include "io/sdf/told.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwright/io/vocabulary.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

const SdfElement& words_of(std::string_view kind) {
  static const SdfElement nothing{};
  for (const SdfElement& element : sdf_vocabulary())
    if (element.kind == kind) return element;
  return nothing;
}

bool holds(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words of SDF about what is not computed here: simulators' settings, sensors, contacts, looks.
bool is_meaningless(std::string_view tag) {
  static constexpr std::string_view words[]{"sensor",
                                            "plugin",
                                            "physics",
                                            "light",
                                            "scene",
                                            "gui",
                                            "audio",
                                            "wind",
                                            "atmosphere",
                                            "magnetic_field",
                                            "spherical_coordinates",
                                            "state",
                                            "population",
                                            "road",
                                            "actor",
                                            "gripper",
                                            "self_collide",
                                            "allow_auto_disable",
                                            "enable_wind",
                                            "must_be_base_link",
                                            "velocity_decay",
                                            "projector",
                                            "particle_emitter",
                                            "battery",
                                            "audio_sink",
                                            "audio_source",
                                            "surface",
                                            "max_contacts",
                                            "laser_retro",
                                            "cast_shadows",
                                            "transparency",
                                            "meta",
                                            "visibility_flags",
                                            "lighting",
                                            "script",
                                            "shader",
                                            "pbr",
                                            "specular",
                                            "emissive",
                                            "render_order",
                                            "double_sided",
                                            "submesh",
                                            "convex_decomposition",
                                            "provide_feedback",
                                            "erp",
                                            "cfm",
                                            "physics_engine",
                                            "density",
                                            "auto_inertia_params",
                                            "enable_orientation",
                                            "initial_position",
                                            "axis_data"};
  return std::find(std::begin(words), std::end(words), tag) != std::end(words);
}

}  // namespace

void Told::others(const XmlElement& element, std::string_view kind) {
  const SdfElement& words = words_of(kind);
  for (const std::string_view name : element.attribute_names())
    if (!holds(words.attributes, name) && !name.starts_with("xmlns"))
      notes_.attribute(element, name);
  for (const XmlElement& child : element.children()) {
    if (holds(words.children, child.tag())) {
      // A value: text alone.
      if (words_of(child.tag()).kind.empty())
        for (const std::string_view name : child.attribute_names()) notes_.attribute(child, name);
      continue;
    }
    if (is_meaningless(child.tag()))
      without_meaning(child);
    else
      notes_.note(child.source(), fmt::format("ignored <{}>", child.tag()));
  }
}

void Told::others_below(const XmlElement& parent, std::string_view tag) {
  for (const XmlElement& child : parent.children())
    if (child.tag() == tag) others(child);
}

void Told::without_meaning(const XmlElement& element) {
  if (meaningless_.empty()) first_ = element.source();
  const auto known = std::find_if(meaningless_.begin(), meaningless_.end(),
                                  [&](const Count& c) { return c.tag == element.tag(); });
  if (known == meaningless_.end())
    meaningless_.push_back({std::string(element.tag()), 1});
  else
    ++known->count;
}

void Told::note(const Source& where, const std::string& text, const std::string& name) {
  notes_.note(where, text, name);
}

std::vector<Warning> Told::warnings() const {
  std::vector<Warning> found = notes_.warnings();
  if (meaningless_.empty()) return found;
  std::string list;
  for (const Count& c : meaningless_)
    list += (list.empty() ? "" : ", ") + fmt::format("<{}>", c.tag) +
            (c.count > 1 ? fmt::format(" ({} times)", c.count) : std::string{});
  found.push_back(
      {first_, "without a meaning here, ignored: " + list, "ignored without a meaning"});
  return found;
}

}  // namespace linkwright::sdf
