#include <fmt/format.h>

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
        attributes_(scene.classes.resolve(unnamed.owned_by("tendon " + in_quotes(name_)), "tendon",
                                          {})) {}

  void read() {
    TendonInfo tendon;
    double at_rest = 0;
    for (const XmlElement& child : scene_.document.children(attributes_.own()))
      if (child.tag() == "joint")
        add_joint(child.owned_by(attributes_.own().owner()), tendon, at_rest);
    if (tendon.terms.empty()) attributes_.fail("has no <joint>; expected one or more");
    Closure shaft;
    shaft.name = name_;
    shaft.kind = Closure::Kind::shaft;
    shaft.terms = tendon.terms;
    shaft.source = attributes_.own().source();
    shaft.passive = {true};
    const bool acts = read_resistance(shaft);
    const bool springs = read_spring(at_rest);
    if (!scene_.tendons.emplace(name_, std::move(tendon)).second)
      attributes_.fail(fmt::format("a second tendon is called {}; rename one", in_quotes(name_)));
    if (acts || springs) scene_.model.closures.push_back(std::move(shaft));
  }

 private:
  static std::string name_of(Scene& scene, const XmlElement& element) {
    if (const auto name = element.attribute("name"); name && !name->empty())
      return std::string(*name);
    return Scene::take_name(scene.closure_names,
                            fmt::format("tendon{}", scene.tendons.size() + 1));
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
        element.fail(fmt::format("names joint {} twice; add the two coefficients", in_quotes(name)));
    tendon.terms.push_back({name, 0, coefficient});
    tendon.reference_length += coefficient * joint.ref;
    at_rest += coefficient * joint.springref;
  }

  bool read_resistance(Closure& shaft) {
    const Settings& settings = scene_.settings;
    const double damping = read_linear(scene_, attributes_, "damping");
    const double friction = attributes_.number("frictionloss", 0);
    const double armature = attributes_.number("armature", 0);
    if (damping != 0 && settings.damping) shaft.damping = {damping};
    if (friction != 0 && settings.friction) shaft.friction = {{friction, friction}};
    if (armature != 0) shaft.rotor_inertia = {armature};
    const auto range = read_range(attributes_, "range", "limited", settings.autolimits);
    if (range && settings.limits) {
      Limits limits;
      limits.lower = range->lower, limits.upper = range->upper;
      shaft.limits = {limits};
    }
    return !shaft.damping.empty() || !shaft.friction.empty() || !shaft.rotor_inertia.empty() ||
           !shaft.limits.empty();
  }

  bool read_spring(double at_rest) {
    const XmlElement& own = attributes_.own();
    const double stiffness = read_linear(scene_, attributes_, "stiffness");
    const auto lengths = attributes_.numbers("springlength", 1, 2);
    if (attributes_.number("springyield", 0) != 0)
      refuse_force(scene_, own.source(),
                   own.owner() + ": springyield: springs that give way for good are not computed; "
                                 "expected 0",
                   "taken as elastic");
    if (stiffness == 0 || !scene_.settings.springs) return false;
    const bool is_given = lengths && lengths->front() != -1;
    const double rest = is_given ? lengths->front() : at_rest;
    if (is_given && lengths->size() == 2 && (*lengths)[1] != rest)
      refuse_force(scene_, own.source(),
                   own.owner() + ": springlength gives a range without force, which springs here do "
                                 "not have; expected one number",
                   "at rest at the first");
    scene_.model.joint_springs.push_back(
        {.joint = name_, .stiffness = stiffness, .rest = rest, .source = own.source()});
    return true;
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
