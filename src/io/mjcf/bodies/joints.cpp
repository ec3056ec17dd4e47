#include <fmt/format.h>

#include <cmath>

#include "io/mjcf/bodies/bodies.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

/// The way from a parent to its body, joint after joint.
class JointReader {
 public:
  JointReader(Scene& scene, const BodyPlace& place)
      : scene_(scene), place_(place), parent_(place.parent), reached_(place.in_parent) {}

  void weld() {
    Joint joint;
    joint.name = Scene::take_name(scene_.joint_names, place_.name);
    joint.implied = true;
    finish(std::move(joint), {});
  }

  void read(const Part& part, bool is_last, std::size_t number) {
    const bool is_free_element = part.element.tag() == "freejoint";
    const std::string name = name_of(part.element, is_last && number == 1, number);
    const XmlElement element = part.element.owned_by("joint " + in_quotes(name));
    scene_.told.other_attributes(element, part.element.tag());
    scene_.told.other_children(element, part.element.tag(), scene_.document);
    const Attributes attributes = is_free_element
                                      ? Classes::without_defaults(element)
                                      : scene_.classes.resolve(element, "joint", part.childclass);
    Joint joint;
    joint.name = name;
    joint.source = element.source();
    joint.type = is_free_element ? JointType::free : read_type(attributes);
    if (joint.type == JointType::free) {
      require_alone(element, is_last && number == 1);
      note_alignment(element);
    }
    read_motion(attributes, joint, is_last, part.frame);
  }

 private:
  std::string name_of(const XmlElement& element, bool is_only, std::size_t number) {
    if (const auto name = element.attribute("name"); name && !name->empty())
      return std::string(*name);
    return Scene::take_name(scene_.joint_names,
                            is_only ? place_.name : fmt::format("{}:{}", place_.name, number));
  }

  static JointType read_type(const Attributes& attributes) {
    const std::string type =
        attributes.word("type", {"hinge", "slide", "ball", "free"}).value_or("hinge");
    if (type == "free") return JointType::free;
    if (type == "ball") return JointType::spherical;
    return type == "slide" ? JointType::prismatic : JointType::revolute;
  }

  void require_alone(const XmlElement& element, bool is_only) const {
    if (place_.parent != world_name)
      element.fail(
          fmt::format("is free, and its body hangs on {}; a free joint is allowed only in "
                      "bodies that stand in <worldbody>",
                      in_quotes(place_.parent)));
    if (!is_only) element.fail("is free and not the only joint of its body; keep one of them");
  }

  void note_alignment(const XmlElement& element) {
    if (read_word(element, "align", {"true", "false", "auto"}) == "true")
      scene_.told.note(element.source(),
                       "ignored align of <freejoint>: q is that of the body's frame as it is drawn",
                       place_.name);
  }

  void read_motion(const Attributes& attributes, Joint& joint, bool is_last, const Pose& frame) {
    JointInfo info;
    info.index = scene_.model.joints.size();
    info.is_scalar = joint.type == JointType::revolute || joint.type == JointType::prismatic;
    const bool turns = joint.type != JointType::prismatic;
    const double unit = turns ? scene_.settings.angle : 1;
    Vector3 at = turns ? frame * attributes.vector3("pos").value_or(Vector3{}) : Vector3{};
    if (joint.type == JointType::free) at = {};
    if (!turns && norm(attributes.vector3("pos").value_or(Vector3{})) != 0)
      scene_.told.note(joint.source, "pos of a slide joint moves nothing", joint.name);
    if (info.is_scalar) {
      joint.limits = {Limits{}};
      joint.axis = frame.rotation * read_axis(attributes);
      info.ref = unit * attributes.number("ref", 0);
      info.springref = unit * attributes.number("springref", 0);
      scene_.problems.attempt([&] { read_limits(attributes, unit, joint); });
    } else {
      scene_.problems.attempt([&] { note_ball_limits(attributes, joint); });
    }
    scene_.problems.attempt([&] { read_resistance(attributes, joint, info); });
    scene_.problems.attempt([&] { read_spring(attributes, joint, info); });
    scene_.joints.emplace(joint.name, info);
    scene_.joint_names.insert(joint.name);
    move(std::move(joint), info, at, is_last);
  }

  static Vector3 read_axis(const Attributes& attributes) {
    const Vector3 axis = attributes.vector3("axis").value_or(Vector3{0, 0, 1});
    const double length = std::hypot(axis.x, axis.y, axis.z);
    if (!(length > 1e-14))
      attributes.fail("attribute axis has length 0; expected a direction such as 0 0 1");
    return (1 / length) * axis;
  }

  void read_limits(const Attributes& attributes, double unit, Joint& joint) {
    const bool automatic = scene_.settings.autolimits;
    Limits limits;
    const auto range = read_range(attributes, "range", "limited", automatic);
    if (range && scene_.settings.limits)
      limits.lower = unit * range->lower, limits.upper = unit * range->upper;
    else if (joint.type == JointType::revolute)
      joint.type = JointType::continuous;
    if (const auto efforts =
            read_range(attributes, "actuatorfrcrange", "actuatorfrclimited", automatic))
      limits.effort = largest_effort(*efforts, joint);
    joint.limits = {limits};
  }

  double largest_effort(const Range& efforts, const Joint& joint) {
    if (efforts.lower != -efforts.upper)
      scene_.told.note(joint.source,
                       "efforts limited differently in both directions, the larger limit counts",
                       joint.name);
    return std::max(std::abs(efforts.lower), std::abs(efforts.upper));
  }

  void note_ball_limits(const Attributes& attributes, const Joint& joint) {
    if (joint.type == JointType::spherical &&
        read_range(attributes, "range", "limited", scene_.settings.autolimits))
      scene_.told.note(joint.source, "ignored range of ball joints: they turn without limits",
                       joint.name);
  }

  void read_resistance(const Attributes& attributes, Joint& joint, JointInfo& info) {
    const double damping = read_linear(scene_, attributes, "damping");
    const double friction = attributes.number("frictionloss", 0);
    const double armature = attributes.number("armature", 0);
    if (damping != 0 && scene_.settings.damping) joint.damping = {damping};
    if (friction != 0 && scene_.settings.friction) joint.friction = {{friction, friction}};
    if (armature != 0) joint.rotor_inertia = {armature};
    if (armature != 0 && joint.type == JointType::free)
      scene_.told.note(
          joint.source,
          "armature of a free joint resists the change of velocity in the body's axes, "
          "and in the world's in MuJoCo",
          joint.name);
    if (const auto pair = attributes.numbers("springdamper", 2, 2);
        pair && (*pair)[0] > 0 && (*pair)[1] > 0) {
      info.time_constant = (*pair)[0], info.damping_ratio = (*pair)[1];
      if (!info.is_scalar)
        refuse_force(scene_, joint.source,
                     fmt::format("joint {}: springdamper of a {} joint, which has no spring here; "
                                 "expected it on a hinge or a slide",
                                 in_quotes(joint.name), to_string(joint.type)),
                     "left out");
    }
  }

  void read_spring(const Attributes& attributes, const Joint& joint, const JointInfo& info) {
    const double stiffness = read_linear(scene_, attributes, "stiffness");
    if (attributes.number("springyield", 0) != 0)
      refuse_force(scene_, joint.source,
                   fmt::format("joint {}: springyield: springs that give way for good are not "
                               "computed; expected 0",
                               in_quotes(joint.name)),
                   "taken as elastic");
    if (stiffness == 0 || !scene_.settings.springs) return;
    if (!info.is_scalar) {
      refuse_force(scene_, joint.source,
                   fmt::format("joint {}: stiffness {} of a {} joint, whose position is a pose; "
                               "expected it on a hinge or a slide",
                               in_quotes(joint.name), stiffness, to_string(joint.type)),
                   "left out");
      return;
    }
    scene_.model.joint_springs.push_back({.joint = joint.name,
                                          .stiffness = stiffness,
                                          .rest = info.springref,
                                          .source = joint.source});
  }

  /// Joint frame in the frame reached so far. Where the joint's number is `ref`, nothing has moved.
  [[nodiscard]] Pose joint_pose(const Joint& joint, const JointInfo& info,
                                const Vector3& at) const {
    Pose pose = reached_ * Pose{Matrix3::identity(), at};
    return info.ref == 0 ? pose : pose * motion_of(joint, -info.ref);
  }

  /// Adds the joint with the link that it moves: the body behind the last one, before that a link
  /// without mass that sits on the joint.
  void move(Joint joint, const JointInfo& info, const Vector3& at, bool is_last) {
    if (joint.type == JointType::free) {
      reached_ = {};  // its position is the body's pose in the world
      return finish(std::move(joint), {});
    }
    const Pose pose = joint_pose(joint, info, at);
    if (is_last) {
      reached_ = pose;
      return finish(std::move(joint), at);
    }
    const std::string between = Scene::take_name(scene_.body_names, place_.name + ":" + joint.name);
    scene_.model.bodies.push_back({.name = between, .has_inertial = false, .source = joint.source});
    joint.pose = pose;
    joint.parent = parent_;
    joint.child = between;
    scene_.model.joints.push_back(std::move(joint));
    parent_ = between;
    reached_ = Pose{Matrix3::identity(), -at};
  }

  void finish(Joint joint, const Vector3& at) {
    joint.parent = parent_;
    joint.child = place_.name;
    joint.pose = reached_;
    joint.at_child.translation = at;
    if (joint.source.line == 0) joint.source = place_.source;
    scene_.model.joints.push_back(std::move(joint));
  }

  Scene& scene_;
  const BodyPlace& place_;
  std::string parent_;  ///< the link that the next joint hangs on
  Pose reached_;        ///< the body's frame in that link's
};

}  // namespace

void add_joints(Scene& scene, const std::vector<Part>& joints, const BodyPlace& place) {
  JointReader reader(scene, place);
  bool is_carried = false;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const bool is_last = i + 1 == joints.size();
    const bool is_read = scene.problems.attempt([&] { reader.read(joints[i], is_last, i + 1); });
    is_carried = is_read && is_last;
    if (is_read) continue;
    scene.has_lost_joints = true;
    const std::string name(joints[i].element.attribute("name").value_or(""));
    if (name.empty()) continue;
    scene.unread.insert(name);
    scene.problems.set_unread(name);
  }
  // Also where its joint could not be read, so that nobody is told of a body in the air.
  if (!is_carried) reader.weld();
}

}  // namespace linkwright::mjcf
