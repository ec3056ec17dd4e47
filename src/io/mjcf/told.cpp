#include "io/mjcf/told.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "io/element_words.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

using Words = std::vector<std::string_view>;

std::string_view text_of(Topic topic) {
  switch (topic) {
    case Topic::contacts:
      return "contacts between geoms are not found or computed, ignored";
    case Topic::solver:
      return "settings of MuJoCo's solver, whose constraints are soft, ignored";
    case Topic::drawing:
      return "not drawn, ignored";
    case Topic::sensors:
      return "sensors are not computed (record channels of frames and joints), ignored";
    case Topic::control:
      return "control laws are not part of a model (see `simulate --control`), ignored";
    case Topic::compiling:
      return "settings of MuJoCo's own compiler and memory, ignored";
    case Topic::custom:
      return "data of other programs, ignored";
  }
  return {};
}

/// Words of MuJoCo's that mean nothing here, wherever they stand.
std::span<const std::pair<Topic, Words>> words_of_topics() {
  static const std::vector<std::pair<Topic, Words>> topics{
      {Topic::contacts,
       {"contact", "condim", "priority", "friction", "solmix", "gap", "surfacevel", "adhesion",
        "fluidshape", "fluidcoef", "pair"}},
      {Topic::solver, {"solref",         "solimp",
                       "solreflimit",    "solimplimit",
                       "solreffriction", "solimpfriction",
                       "margin",         "torquescale",
                       "timestep",       "apirate",
                       "impratio",       "tolerance",
                       "ls_tolerance",   "noslip_tolerance",
                       "ccd_tolerance",  "sleep_tolerance",
                       "mpr_tolerance",  "o_margin",
                       "o_solref",       "o_solimp",
                       "o_friction",     "integrator",
                       "cone",           "jacobian",
                       "solver",         "iterations",
                       "ls_iterations",  "noslip_iterations",
                       "mpr_iterations", "ccd_iterations",
                       "sdf_iterations", "sdf_initpoints",
                       "clampctrl",      "warmstart",
                       "filterparent",   "refsafe",
                       "midphase",       "eulerdamp",
                       "autoreset",      "nativeccd",
                       "island",         "multiccd",
                       "override",       "fwdinv",
                       "invdiscrete",    "sleep",
                       "diagexact",      "energy",
                       "collision"}},
      {Topic::drawing,
       {"visual",       "statistic",  "light",    "camera",     "skin",      "texture",
        "texrepeat",    "texuniform", "emission", "specular",   "shininess", "reflectance",
        "metallic",     "roughness",  "layer",    "castshadow", "normal",    "texcoord",
        "smoothnormal", "hfield",     "width",    "rgba",       "material",  "fitscale",
        "texturedir",   "type"}},
      {Topic::sensors, {"sensor", "magnetic", "sensornoise"}},
      {Topic::control,
       {"kp",
        "kv",
        "ki",
        "dampratio",
        "timeconst",
        "biasprm",
        "dynprm",
        "actdim",
        "actrange",
        "actlimited",
        "actearly",
        "inheritrange",
        "lengthrange",
        "nsample",
        "interp",
        "delay",
        "posrange",
        "velrange",
        "ffrange",
        "input",
        "imax",
        "slewmax",
        "area",
        "diameter",
        "bias",
        "act",
        "ctrl",
        "actuation",
        "actuatorgravcomp",
        "actuatorgroupdisable",
        "ctrlrange",
        "ctrllimited",
        "gainprm",
        "gaintype",
        "biastype",
        "dyntype",
        "actuatorfrcrange",
        "actuatorfrclimited"}},
      {Topic::compiling,
       {"size", "usethread", "fusestatic", "fuse", "saveinertial", "savecompiled", "savecanonical",
        "conflict", "passthrough", "convexhull", "maxhullvert", "content_type", "simple",
        "exactmeshinertia", "embed", "fitaabb", "alignfree"}},
      {Topic::custom,
       {"custom", "extension", "user", "group", "name", "mpos", "mquat", "time", "plugin",
        "plastic"}},
  };
  return topics;
}

/// Elements that make a mechanism another one: they are mistakes, not notes.
constexpr std::array<std::string_view, 4> refused_elsewhere{"composite", "flexcomp", "attach",
                                                            "deformable"};

std::optional<Topic> topic_of(std::string_view word) {
  for (const auto& [topic, words] : words_of_topics())
    if (std::find(words.begin(), words.end(), word) != words.end()) return topic;
  return std::nullopt;
}

std::string suggestion(std::string_view word, const Words& known) {
  return did_you_mean(word, std::vector<std::string>(known.begin(), known.end()));
}

}  // namespace

void Told::add(const std::string& text, const Source& where, const std::string& name,
               bool lists_all) {
  const auto [found, inserted] = index_.emplace(text, kinds_.size());
  if (inserted) kinds_.push_back({text, where, 0, {}, lists_all});
  Kind& kind = kinds_[found->second];
  ++kind.count;
  if (name.empty()) return;
  if (std::find(kind.names.begin(), kind.names.end(), name) == kind.names.end())
    kind.names.push_back(name);
}

void Told::note(const Source& where, const std::string& text, const std::string& name) {
  add(text, where, name, false);
}

void Told::ignored(Topic topic, const Source& where, const std::string& word) {
  add(std::string(text_of(topic)), where, word, true);
}

void Told::other_attributes(const XmlElement& element, std::string_view kind) {
  const ElementWords& words = words_of(mjcf_vocabulary(), kind);
  for (const std::string_view name : element.attribute_names()) {
    if (holds(words.attributes, name) || name.starts_with("xmlns")) continue;
    // Of a site nothing is kept but its place.
    const auto topic = kind == "site" && topic_of(name) ? Topic::drawing : topic_of(name);
    if (topic)
      ignored(*topic, element.source(), fmt::format("{} of <{}>", name, element.tag()));
    else
      note(element.source(), fmt::format("ignored attribute {} of <{}>{}", name, element.tag(),
                                         suggestion(name, words.attributes)));
  }
}

void Told::other_children(const XmlElement& element, std::string_view kind,
                          const Document& document) {
  const ElementWords& words = words_of(mjcf_vocabulary(), kind);
  for (const XmlElement& child : document.children(element)) {
    if (holds(words.children, child.tag()) ||
        std::find(std::begin(refused_elsewhere), std::end(refused_elsewhere), child.tag()) !=
            std::end(refused_elsewhere))
      continue;
    if (const auto topic = topic_of(child.tag()))
      ignored(*topic, child.source(), fmt::format("<{}>", child.tag()));
    else
      note(child.source(), fmt::format("ignored <{}> in <{}>{}", child.tag(), element.tag(),
                                       suggestion(child.tag(), words.children)));
  }
}

std::vector<Warning> Told::warnings() const {
  std::vector<Warning> found;
  for (const Kind& k : kinds_) {
    std::string names;
    if (k.lists_all)
      names = fmt::format(": {}", fmt::join(k.names, ", "));
    else if (!k.names.empty())
      names = ": " + list_in_quotes(k.names);
    const std::string times =
        k.count == 1 ? fmt::format("once, at line {}", k.first.line)
                     : fmt::format("{} times, first at line {}", k.count, k.first.line);
    found.push_back({k.first, fmt::format("{} ({}){}", k.text, times, names), k.text});
  }
  return found;
}

}  // namespace linkwright::mjcf
