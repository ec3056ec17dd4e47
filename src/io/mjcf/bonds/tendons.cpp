#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/mjcf/scene.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

/// A <fixed> tendon: a length that joints add up to, with what acts along it.
class TendonReader {
 public:
  TendonReader(Scene& scene, const XmlElement& unnamed)
      : scene_(scene),
        name_(name_of(scene, unnamed)),
        attributes_(
            scene.classes.resolve(unnamed.owned_by("tendon " + in_quotes(name_)), "tendon", {})) {}

  void read() {
    TendonInfo tendon;
    double at_rest = 0;
    for (const XmlElement& child : scene_.document.children(attributes_.own()))
      if (child.tag() == "joint")
        add_joint(child.owned_by(attributes_.own().owner()), tendon, at_rest);
    if (tendon.terms.empty()) attributes_.fail("has no <joint>; expected one or more");
    const Forces forces = read_forces(at_rest);
    const std::vector<GearTerm> terms = tendon.terms;
    if (!scene_.tendons.emplace(name_, std::move(tendon)).second)
      attributes_.fail(fmt::format("a second tendon is called {}; rename one", in_quotes(name_)));
    if (terms.size() == 1)
      act_on_joint(terms.front(), forces);
    else
      act_on_shaft(terms, forces);
  }

 private:
  static std::string name_of(Scene& scene, const XmlElement& element) {
    if (const auto name = element.attribute("name"); name && !name->empty())
      return std::string(*name);
    return Scene::take_name(scene.closure_names, fmt::format("tendon{}", scene.tendons.size() + 1));
  }

  void add_joint(const XmlElement& element, TendonInfo& tendon, double& at_rest) {
    scene_.told.other_attributes(element, "joint of fixed");
    const JointInfo& joint = scene_.find(scene_.joints, element, "joint", "joint");
    const std::string name = element.required_attribute("joint");
    if (!joint.is_scalar)
      element.fail(fmt::format("joint {} has a pose for its position; expected a hinge or a slide",
                               in_quotes(name)));
    const double coefficient = element.required_number("coef");
    if (coefficient == 0) return;
    for (const GearTerm& term : tendon.terms)
      if (term.joint == name)
        element.fail(
            fmt::format("names joint {} twice; add the two coefficients", in_quotes(name)));
    tendon.terms.push_back({name, 0, coefficient});
    tendon.reference_length += coefficient * joint.ref;
    at_rest += coefficient * joint.springref;
  }

  /// What acts along the tendon.
  struct Forces {
    double damping = 0, friction = 0, armature = 0, stiffness = 0, rest = 0;
    std::optional<Range> range{};
  };

  Forces read_forces(double at_rest) {
    const Settings& settings = scene_.settings;
    Forces forces;
    forces.damping = settings.damping ? read_linear(scene_, attributes_, "damping") : 0;
    forces.friction = settings.friction ? attributes_.number("frictionloss", 0) : 0;
    forces.armature = attributes_.number("armature", 0);
    forces.stiffness = settings.springs ? read_linear(scene_, attributes_, "stiffness") : 0;
    forces.rest = read_rest(forces.stiffness, at_rest);
    const auto range = read_range(attributes_, "range", "limited", settings.autolimits);
    if (settings.limits) forces.range = range;
    return forces;
  }

  double read_rest(double stiffness, double at_rest) {
    const XmlElement& own = attributes_.own();
    if (attributes_.number("springyield", 0) != 0)
      refuse_force(scene_, own.source(),
                   own.owner() +
                       ": springyield: springs that give way for good are not computed; "
                       "expected 0",
                   "taken as elastic");
    const auto lengths = attributes_.numbers("springlength", 1, 2);
    if (!lengths || lengths->front() == -1) return at_rest;
    if (stiffness != 0 && lengths->size() == 2 && (*lengths)[1] != lengths->front())
      refuse_force(scene_, own.source(),
                   own.owner() +
                       ": springlength gives a range without force, which springs here do "
                       "not have; expected one number",
                   "at rest at the first");
    return lengths->front();
  }

  /// A tendon over one joint is that joint through a gear.
  void act_on_joint(const GearTerm& term, const Forces& forces) {
    Joint& joint = scene_.model.joints[scene_.joints.find(term.joint)->second.index];
    const double c = term.ratio;
    const auto add = [](std::vector<double>& values, double value) {
      if (value != 0) values = {per_freedom(values, 0, 0.0) + value};
    };
    add(joint.damping, c * c * forces.damping);
    add(joint.rotor_inertia, c * c * forces.armature);
    if (forces.friction != 0) {
      const double friction =
          per_freedom(joint.friction, 0, Friction{}).forward + std::abs(c) * forces.friction;
      joint.friction = {{friction, friction}};
    }
    if (forces.stiffness != 0)
      scene_.model.joint_springs.push_back({.joint = term.joint,
                                            .stiffness = c * c * forces.stiffness,
                                            .rest = forces.rest / c,
                                            .source = attributes_.own().source()});
    if (!forces.range) return;
    Limits& limits = joint.limits.front();
    const double a = forces.range->lower / c, b = forces.range->upper / c;
    limits.lower = std::max(limits.lower, std::min(a, b));
    limits.upper = std::min(limits.upper, std::max(a, b));
    if (joint.type == JointType::continuous) joint.type = JointType::revolute;
  }

  /// One over several turns a shaft, which carries all but springs and stops.
  void act_on_shaft(const std::vector<GearTerm>& terms, const Forces& forces) {
    const XmlElement& own = attributes_.own();
    const auto refuse = [&](std::string_view what) {
      refuse_force(
          scene_, own.source(),
          fmt::format("{}: {} along the sum of {} joints is not computed; expected none, or "
                      "a tendon over one joint",
                      own.owner(), what, terms.size()),
          "left out");
    };
    if (forces.stiffness != 0) refuse("a spring");
    if (forces.range) refuse("a limit");
    if (forces.damping == 0 && forces.friction == 0 && forces.armature == 0) return;
    Closure shaft;
    shaft.name = Scene::take_name(scene_.closure_names, name_);
    shaft.kind = Closure::Kind::shaft;
    shaft.terms = terms;
    shaft.source = own.source();
    shaft.passive = {true};
    shaft.damping = {forces.damping};
    shaft.friction = {{forces.friction, forces.friction}};
    shaft.rotor_inertia = {forces.armature};
    scene_.model.closures.push_back(std::move(shaft));
  }

  Scene& scene_;
  std::string name_;
  Attributes attributes_;
};

}  // namespace

void read_tendons(Scene& scene, const XmlElement& section) {
  scene.told.other_attributes(section, "tendon");
  for (const XmlElement& element : scene.document.children(section)) {
    const std::string name(element.attribute("name").value_or(""));
    if (element.tag() != "fixed") {
      scene.told.note(element.source(),
                      fmt::format("<{}> tendons run through space and are not computed, ignored",
                                  element.tag()),
                      name);
      scene.unread.insert(name);
      continue;
    }
    scene.told.other_attributes(element, "fixed");
    scene.told.other_children(element, "fixed", scene.document);
    if (!scene.problems.attempt([&] { TendonReader(scene, element).read(); }))
      scene.unread.insert(name);
  }
}

}  // namespace linkwright::mjcf
