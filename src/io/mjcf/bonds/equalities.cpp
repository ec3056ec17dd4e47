#include <fmt/format.h>

#include "io/mjcf/scene.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

/// y − y0 = a0 + a1 (x − x0).
struct Line {
  double offset = 0, slope = 1;
};

class EqualityReader {
 public:
  EqualityReader(Scene& scene, const XmlElement& unnamed)
      : scene_(scene),
        tag_(unnamed.tag()),
        attributes_(scene.classes.resolve(unnamed.owned_by(owner_of(unnamed)), "equality", {})),
        element_(attributes_.own()) {}

  void read() {
    if (!attributes_.flag("active").value_or(true)) {
      scene_.told.note(element_.source(), "inactive equalities hold nothing", label());
      return;
    }
    if (!scene_.settings.equalities) return;
    if (tag_ == "joint") return couple_joints();
    if (tag_ == "tendon") return couple_tendons();
    read_bond();
  }

 private:
  static std::string owner_of(const XmlElement& element) {
    const auto name = element.attribute("name");
    return fmt::format("equality {}", in_quotes(name ? *name : element.tag()));
  }

  /// What tells it from the others where it has no name.
  [[nodiscard]] std::string label() const {
    if (const auto name = element_.attribute("name"); name && !name->empty())
      return std::string(*name);
    for (const char* first : {"body1", "site1", "joint1", "tendon1"})
      if (const auto other = element_.attribute(first)) return fmt::format("{}:{}", tag_, *other);
    return std::string(tag_);
  }

  Closure new_closure() {
    Closure closure;
    closure.name = Scene::take_name(scene_.closure_names, label());
    closure.source = element_.source();
    return closure;
  }

  // Two bodies ----------------------------------------------------------------------------------

  void read_bond() {
    Closure closure;
    const bool is_weld = tag_ == "weld";
    if (element_.attribute("site1") || element_.attribute("site2")) {
      for (const char* other : {"body1", "body2", "anchor", "relpose"})
        if (element_.attribute(other))
          element_.fail(
              fmt::format("has sites and {}; expected two sites, or body1 with what "
                          "belongs to it",
                          other));
      between_sites(closure);
    } else if (is_weld) {
      weld_bodies(closure);
    } else {
      connect_bodies(closure);
    }
    // Without a scale of torque nothing holds the orientation.
    const bool holds_orientation = is_weld && element_.number("torquescale").value_or(1) != 0;
    closure.joint = holds_orientation ? JointType::fixed : JointType::spherical;
    closure.name = Scene::take_name(scene_.closure_names, label());
    closure.source = element_.source();
    scene_.model.closures.push_back(std::move(closure));
  }

  void between_sites(Closure& closure) {
    const SiteInfo& a = scene_.find(scene_.sites, element_, "site1", "site");
    const SiteInfo& b = scene_.find(scene_.sites, element_, "site2", "site");
    closure.body_a = a.body, closure.at_a = a.pose;
    closure.body_b = b.body, closure.at_b = b.pose;
  }

  /// Both bodies; the second may be missing, which means the world.
  void read_ends(Closure& closure, Pose& a, Pose& b) {
    a = scene_.find(scene_.bodies, element_, "body1", "body");
    closure.body_a = element_.required_attribute("body1");
    closure.body_b = world_name;
    b = {};
    if (!element_.attribute("body2")) return;
    b = scene_.find(scene_.bodies, element_, "body2", "body");
    closure.body_b = element_.required_attribute("body2");
  }

  void connect_bodies(Closure& closure) {
    Pose a, b;
    read_ends(closure, a, b);
    closure.at_a.translation = element_.required_vector3("anchor");
    closure.at_b.translation = inverse(b) * (a * closure.at_a.translation);
  }

  void weld_bodies(Closure& closure) {
    Pose a, b;
    read_ends(closure, a, b);
    closure.at_b.translation = element_.vector3("anchor").value_or(Vector3{});
    const auto relative = read_numbers(element_, "relpose", 7, 7);
    const bool is_given = relative && ((*relative)[3] != 0 || (*relative)[4] != 0 ||
                                       (*relative)[5] != 0 || (*relative)[6] != 0);
    if (!is_given) {
      closure.at_a = inverse(a) * b * closure.at_b;
      return;
    }
    const auto& p = *relative;
    closure.at_a = {to_rotation(element_, "relpose", p[3], p[4], p[5], p[6]), {p[0], p[1], p[2]}};
  }

  // Two joints or tendons -----------------------------------------------------------------------

  /// Empty where a higher power is refused.
  std::optional<Line> read_line(bool has_second) {
    Line line;
    const auto polynomial = attributes_.numbers("polycoef", 1, 5);
    if (polynomial) {
      line.offset = (*polynomial)[0];
      if (polynomial->size() > 1) line.slope = (*polynomial)[1];
      for (std::size_t i = 2; i < polynomial->size(); ++i)
        if ((*polynomial)[i] != 0) {
          refuse_force(
              scene_, element_.source(),
              fmt::format("{}: polycoef has the power {} with {}; a gear is linear, expected 0 "
                          "from the third number on",
                          element_.owner(), i, (*polynomial)[i]),
              "dropped, both move freely");
          return std::nullopt;
        }
    }
    if (!has_second) line.slope = 0;
    return line;
  }

  const JointInfo& scalar_joint(std::string_view attribute) {
    const JointInfo& joint = scene_.find(scene_.joints, element_, attribute, "joint");
    if (!joint.is_scalar)
      element_.fail(
          fmt::format("attribute {}: joint {} has a pose for its position; expected a "
                      "hinge or a slide",
                      attribute, in_quotes(element_.required_attribute(attribute))));
    return joint;
  }

  void couple_joints() {
    const JointInfo& y = scalar_joint("joint1");
    const bool has_second = element_.attribute("joint2").has_value();
    const auto line = read_line(has_second);
    if (!line) return;
    const std::string first = element_.required_attribute("joint1");
    if (line->slope == 0) return hold(first, y.ref + line->offset);
    const JointInfo& x = scalar_joint("joint2");
    add_gear(first, element_.required_attribute("joint2"), line->slope,
             y.ref + line->offset - line->slope * x.ref);
  }

  void add_gear(const std::string& follower, const std::string& leader, double ratio,
                double offset) {
    Closure gear = new_closure();
    gear.kind = Closure::Kind::gear;
    gear.leader = leader, gear.follower = follower;
    gear.ratio = ratio, gear.offset = offset;
    scene_.model.closures.push_back(std::move(gear));
  }

  /// A joint that is kept at one position: its links are welded there.
  void hold(const std::string& name, double position) {
    const Joint& joint = scene_.model.joints[scene_.joints.find(name)->second.index];
    Closure weld = new_closure();
    weld.joint = JointType::fixed;
    weld.body_a = joint.parent, weld.body_b = joint.child;
    weld.at_a = joint.pose * motion_of(joint, position);
    weld.at_b = joint.at_child;
    scene_.model.closures.push_back(std::move(weld));
  }

  void couple_tendons() {
    const TendonInfo& y = scene_.find(scene_.tendons, element_, "tendon1", "fixed tendon");
    const bool has_second = element_.attribute("tendon2").has_value();
    const auto line = read_line(has_second);
    if (!line) return;
    std::vector<GearTerm> terms = y.terms;
    double length = y.reference_length + line->offset;
    if (has_second && line->slope != 0) {
      const TendonInfo& x = scene_.find(scene_.tendons, element_, "tendon2", "fixed tendon");
      length -= line->slope * x.reference_length;
      for (const GearTerm& term : x.terms) add_term(terms, term.joint, -line->slope * term.ratio);
    }
    std::erase_if(terms, [](const GearTerm& term) { return term.ratio == 0; });
    hold_sum(terms, length);
  }

  static void add_term(std::vector<GearTerm>& terms, const std::string& joint, double ratio) {
    for (GearTerm& term : terms)
      if (term.joint == joint) {
        term.ratio += ratio;
        return;
      }
    terms.push_back({joint, 0, ratio});
  }

  /// Σ ratio · q = length.
  void hold_sum(const std::vector<GearTerm>& terms, double length) {
    if (terms.empty()) element_.fail("holds a length that no joint changes; remove it");
    if (terms.size() == 1) return hold(terms[0].joint, length / terms[0].ratio);
    if (terms.size() == 2)
      return add_gear(terms[0].joint, terms[1].joint, -terms[1].ratio / terms[0].ratio,
                      length / terms[0].ratio);
    refuse_force(
        scene_, element_.source(),
        fmt::format("{}: couples {} joints; a gear couples two", element_.owner(), terms.size()),
        "dropped, they move freely");
  }

  Scene& scene_;
  std::string_view tag_;
  Attributes attributes_;
  XmlElement element_;
};

std::string_view kind_of_equality(std::string_view tag) {
  if (tag == "joint") return "joint of equality";
  return tag == "tendon" ? "tendon of equality" : tag;
}

bool is_known_equality(std::string_view tag) {
  return tag == "connect" || tag == "weld" || tag == "joint" || tag == "tendon";
}

}  // namespace

void read_equalities(Scene& scene, const XmlElement& section) {
  scene.told.other_attributes(section, "equality");
  for (const XmlElement& element : scene.document.children(section)) {
    if (!is_known_equality(element.tag())) {
      refuse_force(
          scene, element.source(),
          fmt::format("<{}> in <equality> is not understood; expected connect, weld, joint or "
                      "tendon",
                      element.tag()),
          "left out");
      continue;
    }
    scene.told.other_attributes(element, kind_of_equality(element.tag()));
    scene.problems.attempt([&] { EqualityReader(scene, element).read(); });
  }
}

}  // namespace linkwright::mjcf
