#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/mjcf/scene.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// What drives what: gears, rotors and limits of effort. How an actuator is controlled is no part of a
/// model.
class ActuatorReader {
 public:
  explicit ActuatorReader(Scene& scene) : scene_(scene) {
    efforts_.assign(scene.model.joints.size(), 0);
    driven_.assign(scene.model.joints.size(), false);
    for (const Closure& closure : scene.model.closures) names_.insert(closure.name);
    for (const Joint& joint : scene.model.joints) names_.insert(joint.name);
  }

  void read(const XmlElement& unnamed) {
    const std::string name = name_of(unnamed);
    if (!unnamed.attribute("joint") && !unnamed.attribute("jointinparent") &&
        !unnamed.attribute("tendon"))
      return leave_out(unnamed, name);
    const XmlElement element = unnamed.owned_by("actuator " + in_quotes(name));
    scene_.told.other_attributes(element, element.tag());
    const Attributes attributes = scene_.classes.resolve(element, element.tag(), {});
    Actuator actuator;
    actuator.name = name;
    actuator.source = element.source();
    const std::vector<double> gear = attributes.numbers("gear", 1, 6).value_or(std::vector{1.0});
    read_motor(attributes, actuator);
    const double effort = read_effort(attributes);
    if (element.attribute("joint"))
      drive_joint(element, "joint", gear, effort, std::move(actuator));
    else if (element.attribute("jointinparent"))
      drive_joint(element, "jointinparent", gear, effort, std::move(actuator));
    else
      drive_tendon(element, gear.front(), effort, std::move(actuator));
  }

  /// An actuator of a kind, or on something, that is not understood: nobody knows what it drives.
  void leave_out(const XmlElement& element, const std::string& name) {
    scene_.told.note(
        element.source(),
        "actuators of other kinds, or on other things than joints and fixed tendons, are ignored",
        name.empty() ? fmt::format("<{}>", element.tag()) : name);
    knows_all_ = false;
  }

  /// Limits of effort, and which joints have no motor.
  void finish() {
    const bool marks =
        knows_all_ && std::find(driven_.begin(), driven_.end(), true) != driven_.end();
    for (std::size_t j = 0; j < driven_.size(); ++j) {
      Joint& joint = scene_.model.joints[j];
      if (driven_[j] && efforts_[j] < unlimited && !joint.limits.empty())
        joint.limits.front().effort = std::min(joint.limits.front().effort, efforts_[j]);
      if (marks && !driven_[j] && velocity_count(joint) > 0) joint.passive = {true};
    }
  }

 private:
  std::string name_of(const XmlElement& element) {
    if (const auto name = element.attribute("name"); name && !name->empty())
      return std::string(*name);
    for (const char* target : {"joint", "jointinparent", "tendon", "site", "body"})
      if (const auto other = element.attribute(target))
        return Scene::take_name(names_, "drive:" + std::string(*other));
    return "drive";
  }

  void read_motor(const Attributes& attributes, Actuator& actuator) {
    const double armature = attributes.number("armature", 0);
    const double damping = read_linear(scene_, attributes, "damping");
    Actuator::Motor motor;
    motor.rotor_inertia = armature;
    if (scene_.settings.damping) motor.damping = damping;
    if (armature != 0 || motor.damping != 0) actuator.motor = motor;
  }

  /// The largest force that it gives, before the gear.
  double read_effort(const Attributes& attributes) {
    const bool automatic = scene_.settings.autolimits;
    double effort = unlimited;
    const auto limit = [&](const std::optional<Range>& range, double gain) {
      if (!range) return;
      if (range->lower != -range->upper)
        scene_.told.note(attributes.own().source(),
                         "efforts limited differently in both directions, the larger limit counts",
                         std::string(attributes.own().attribute("name").value_or("")));
      effort = std::min(effort, gain * std::max(std::abs(range->lower), std::abs(range->upper)));
    };
    limit(read_range(attributes, "forcerange", "forcelimited", automatic), 1);
    if (const auto gain = direct_gain(attributes))
      limit(read_range(attributes, "ctrlrange", "ctrllimited", automatic), std::abs(*gain));
    return effort;
  }

  /// Force per control, where the force is proportional to it.
  static std::optional<double> direct_gain(const Attributes& attributes) {
    const std::string_view tag = attributes.own().tag();
    if (tag == "motor") return 1;
    if (tag != "general") return std::nullopt;
    const auto is = [&](std::string_view name, std::string_view plain) {
      return attributes.text(name).value_or(std::string(plain)) == plain;
    };
    if (!is("dyntype", "none") || !is("gaintype", "fixed") || !is("biastype", "none"))
      return std::nullopt;
    const auto gain = attributes.numbers("gainprm", 1, 20);
    return gain ? gain->front() : 1;
  }

  void drive_joint(const XmlElement& element, std::string_view attribute,
                   const std::vector<double>& gear, double effort, Actuator actuator) {
    const JointInfo& info = scene_.find(scene_.joints, element, attribute, "joint");
    const Joint& joint = scene_.model.joints[info.index];
    actuator.joint = joint.name;
    actuator.gear = gear.front();
    if (!info.is_scalar) {
      const int freedom = freedom_of_ball(gear);
      if (joint.type != JointType::spherical || attribute != "joint" || freedom < 0) {
        scene_.told.note(
            element.source(),
            "actuators on ball joints about other axes than x, y or z of the body, and "
            "on free joints, are ignored",
            actuator.name);
        knows_all_ = false;
        return;
      }
      actuator.freedom = freedom;
      actuator.gear = gear[static_cast<std::size_t>(freedom)];
    }
    driven_[info.index] = true;
    if (actuator.gear == 0)
      element.fail("has gear 0, so it drives nothing; expected another number");
    efforts_[info.index] += info.is_scalar ? std::abs(actuator.gear) * effort : unlimited;
    keep(std::move(actuator));
  }

  /// The one axis of the child that a gear of three numbers names; −1 for several.
  static int freedom_of_ball(const std::vector<double>& gear) {
    int found = -1;
    for (std::size_t i = 0; i < std::min<std::size_t>(gear.size(), 3); ++i) {
      if (gear[i] == 0) continue;
      if (found >= 0) return -1;
      found = static_cast<int>(i);
    }
    return found;
  }

  void drive_tendon(const XmlElement& element, double gear, double effort, Actuator actuator) {
    const std::string tendon_name = element.required_attribute("tendon");
    if (scene_.unread.contains(tendon_name)) return leave_out(element, actuator.name);
    const TendonInfo& tendon = scene_.find(scene_.tendons, element, "tendon", "fixed tendon");
    if (gear == 0) element.fail("has gear 0, so it drives nothing; expected another number");
    for (const GearTerm& term : tendon.terms) {
      const std::size_t index = scene_.joints.find(term.joint)->second.index;
      driven_[index] = true;
      efforts_[index] += std::abs(gear * term.ratio) * effort;
    }
    if (tendon.terms.size() == 1) {
      actuator.joint = tendon.terms.front().joint;
      actuator.gear = gear * tendon.terms.front().ratio;
      return keep(std::move(actuator));
    }
    for (const GearTerm& term : tendon.terms)
      actuator.transmission.push_back({term.joint, 0, gear * term.ratio});
    actuator.name = Scene::take_name(names_, actuator.name);
    scene_.model.actuators.push_back(std::move(actuator));
  }

  /// One that neither gears nor turns anything only says that its joint is driven, which is kept there.
  void keep(Actuator actuator) {
    if (actuator.gear == 1 && !actuator.motor) return;
    scene_.model.actuators.push_back(std::move(actuator));
  }

  Scene& scene_;
  std::vector<double> efforts_;  ///< by joint: the sum of what drives it
  std::vector<bool> driven_;
  std::unordered_set<std::string> names_;
  bool knows_all_ = true;
};

}  // namespace

void read_actuators(Scene& scene, const std::vector<XmlElement>& sections) {
  ActuatorReader reader(scene);
  for (const XmlElement& section : sections) {
    scene.told.other_attributes(section, "actuator");
    for (const XmlElement& element : scene.document.children(section)) {
      const std::string_view tag = element.tag();
      if (tag == "general" || tag == "motor" || tag == "position" || tag == "velocity")
        scene.problems.attempt([&] { reader.read(element); });
      else
        reader.leave_out(element, std::string(element.attribute("name").value_or("")));
    }
  }
  reader.finish();
}

}  // namespace linkwright::mjcf
