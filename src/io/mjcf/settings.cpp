#include "io/mjcf/settings.hpp"

#include <fmt/format.h>

#include "io/mjcf/document/attributes.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

/// One <compiler>; later ones add to earlier ones.
class CompilerReader {
 public:
  CompilerReader(const XmlElement& element, Settings& settings, Told& told, Problems& problems)
      : element_(element), settings_(settings), told_(told), problems_(problems) {}

  void read() {
    told_.other_attributes(element_, "compiler");
    step([&] { read_angles(); });
    step([&] { read_inertia(); });
    step([&] { read_bounds(); });
    step([&] { read_files(); });
    step([&] {
      if (const auto flag = read_flag(element_, "autolimits")) settings_.autolimits = *flag;
    });
    step([&] {
      if (read_word(element_, "coordinate", {"local", "global"}) == "global")
        element_.fail(
            "has coordinate=\"global\", which MuJoCo no longer reads either; write poses relative "
            "to the parent (an old MuJoCo saves such a file)");
    });
  }

 private:
  template <class Step>
  void step(const Step& read) {
    problems_.attempt(read);
  }

  void read_angles() {
    if (const auto unit = read_word(element_, "angle", {"degree", "radian"}))
      settings_.angle = *unit == "degree" ? Settings{}.angle : 1;
    const auto order = element_.attribute("eulerseq");
    if (!order) return;
    if (order->size() != 3 || order->find_first_not_of("xyzXYZ") != std::string_view::npos)
      element_.fail(fmt::format("attribute eulerseq = {}; expected three letters of xyzXYZ",
                                in_quotes(*order)));
    settings_.eulerseq = *order;
  }

  void read_inertia() {
    using From = Settings::FromGeoms;
    if (const auto from = read_word(element_, "inertiafromgeom", {"false", "true", "auto"}))
      settings_.inertia_from_geoms = *from == "false"  ? From::never
                                     : *from == "true" ? From::always
                                                       : From::where_missing;
    if (const auto groups = read_numbers(element_, "inertiagrouprange", 2, 2)) {
      settings_.first_group = (*groups)[0];
      settings_.last_group = (*groups)[1];
    }
    if (const auto flag = read_flag(element_, "balanceinertia")) settings_.balance_inertia = *flag;
  }

  void read_bounds() {
    const auto read = [&](std::string_view name, double& value) {
      if (const auto number = element_.number(name)) value = *number;
    };
    read("boundmass", settings_.least_mass);
    read("boundinertia", settings_.least_inertia);
    read("settotalmass", settings_.total_mass);
  }

  void read_files() {
    if (const auto flag = read_flag(element_, "discardvisual")) settings_.discard_visual = *flag;
    if (const auto flag = read_flag(element_, "strippath")) settings_.strip_path = *flag;
    if (const auto folder = element_.attribute("assetdir")) settings_.mesh_folder = *folder;
    if (const auto folder = element_.attribute("meshdir")) settings_.mesh_folder = *folder;
  }

  const XmlElement& element_;
  Settings& settings_;
  Told& told_;
  Problems& problems_;
};

void read_flags(const XmlElement& element, Settings& settings, Told& told, Problems& problems) {
  told.other_attributes(element, "flag");
  const auto is_off = [&](std::string_view name) {
    bool off = false;
    problems.attempt([&] { off = read_word(element, name, {"enable", "disable"}) == "disable"; });
    return off;
  };
  if (is_off("gravity")) settings.gravity = {};
  const bool no_constraints = is_off("constraint"), no_passive = is_off("passive");
  if (is_off("equality") || no_constraints) settings.equalities = false;
  if (is_off("frictionloss") || no_constraints) settings.friction = false;
  if (is_off("limit") || no_constraints) settings.limits = false;
  if (is_off("spring") || no_passive) settings.springs = false;
  if (is_off("damper") || no_passive) settings.damping = false;
}

/// Drag of a medium, and the wind in it.
void refuse_medium(const XmlElement& element, Problems& problems) {
  for (const char* name : {"density", "viscosity"})
    problems.attempt([&] {
      const double value = element.number(name).value_or(0);
      if (value == 0) return;
      problems.refuse(
          element.source(),
          fmt::format("<option> has {} = {}: forces of a medium are not computed; expected 0, the "
                      "vacuum of the other numbers",
                      name, value),
          {"the medium is left out"});
    });
  problems.attempt([&] {
    if (const auto wind = element.vector3("wind"); wind && norm(*wind) != 0)
      problems.refuse(element.source(),
                      "<option> has a wind: forces of a medium are not computed; expected 0 0 0",
                      {"the medium is left out"});
  });
}

void read_option(const XmlElement& element, const Document& document, Settings& settings,
                 Told& told, Problems& problems) {
  told.other_attributes(element, "option");
  told.other_children(element, "option", document);
  problems.attempt([&] {
    if (const auto gravity = element.vector3("gravity")) settings.gravity = *gravity;
  });
  refuse_medium(element, problems);
}

}  // namespace

Settings read_settings(const XmlElement& root, const Document& document, Told& told,
                       Problems& problems) {
  Settings settings;
  for (const XmlElement& child : document.children(root)) {
    if (child.tag() == "compiler") {
      told.other_children(child, "compiler", document);
      CompilerReader(child.owned_by("compiler"), settings, told, problems).read();
    } else if (child.tag() == "option") {
      read_option(child.owned_by("option"), document, settings, told, problems);
    }
  }
  // Flags after all numbers: gravity that is switched off stays off.
  for (const XmlElement& child : document.children(root))
    if (child.tag() == "option")
      for (const XmlElement& flag : document.children(child))
        if (flag.tag() == "flag") read_flags(flag.owned_by("option"), settings, told, problems);
  return settings;
}

}  // namespace linkwright::mjcf
