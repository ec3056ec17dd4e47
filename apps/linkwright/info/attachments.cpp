#include "info/attachments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "info/network.hpp"
#include "shell/output.hpp"

namespace linkwright::app {
namespace {

Json to_json(const Vector3& v) { return {v.x, v.y, v.z}; }
Json to_json(const Pose& pose) {
  const Quaternion turn = spatial::to_quaternion(pose.rotation);
  return {{"xyz", to_json(pose.translation)}, {"quaternion", {turn.w, turn.x, turn.y, turn.z}}};
}
/// JSON has no infinity: null is "none".
Json or_null(double limit) { return std::isfinite(limit) ? Json(limit) : Json(nullptr); }

Json to_json(const Friction& f) {
  return {{"forward", f.forward}, {"backward", f.backward}, {"breakaway", f.breakaway}};
}

Json to_json(const Actuator& actuator) {
  Json json{{"name", actuator.name}};
  if (actuator.transmission.empty()) {
    json["joint"] = actuator.joint, json["freedom"] = actuator.freedom;
    json["gear"] = actuator.gear;
  }
  for (const GearTerm& term : actuator.transmission)
    json["transmission"].push_back(
        {{"joint", term.joint}, {"freedom", term.freedom}, {"ratio", term.ratio}});
  if (actuator.elastic)
    json["elastic"] = {{"stiffness", actuator.elastic->stiffness},
                       {"damping", actuator.elastic->damping}};
  if (!actuator.motor) return json;
  const Actuator::Motor& motor = *actuator.motor;
  json["motor"] = {{"rotor_inertia", motor.rotor_inertia},
                   {"damping", motor.damping},
                   {"friction", to_json(motor.friction)},
                   {"Ra", motor.Ra},
                   {"La", motor.La},
                   {"k", torque_constant(motor)},
                   {"voltage_limit", or_null(motor.voltage_limit)},
                   {"current_limit", or_null(motor.current_limit)}};
  return json;
}

/// What acts on the freedoms of a pair, where something does.
void add_freedoms(Json& json, const Closure& closure) {
  if (!closure.passive.empty()) json["passive"] = closure.passive;
  if (!closure.damping.empty()) json["damping"] = closure.damping;
  if (!closure.rotor_inertia.empty()) json["rotor_inertia"] = closure.rotor_inertia;
  for (const Friction& f : closure.friction)
    json["friction"].push_back({{"forward", f.forward}, {"backward", f.backward}});
}

Json to_json(const Closure& closure) {
  if (closure.kind == Closure::Kind::gear)
    return {{"name", closure.name},
            {"joint", "gear"},
            {"joints", {closure.leader, closure.follower}},
            {"ratio", closure.ratio},
            {"offset", closure.offset}};
  Json json{{"name", closure.name},
            {"between", {closure.body_a, closure.body_b}},
            {"at_a", to_json(closure.at_a)},
            {"at_b", to_json(closure.at_b)}};
  if (has_axis(closure)) json["axis"] = to_json(closure.axis);
  if (closure.kind != Closure::Kind::joint) {
    const bool rolls = closure.kind == Closure::Kind::rolling;
    json["joint"] = to_string(closure.kind);
    if (closure.kind == Closure::Kind::distance) json["distance"] = closure.distance;
    if (rolls) json["radius"] = closure.distance;
    if (rolls && closure.disc) json["axle"] = to_json(closure.axis2);
    return json;
  }
  json["joint"] = to_string(closure.joint);
  if (closure.joint == JointType::universal) json["axis2"] = to_json(closure.axis2);
  if (closure.joint == JointType::helical) json["pitch"] = closure.pitch;
  if (closure.joint == JointType::custom) json["modes"] = closure.modes;
  add_freedoms(json, closure);
  return json;
}

Json to_json(const Grasp& grasp) {
  Json json{{"name", grasp.name},
            {"arm", grasp.arm},
            {"object", grasp.object},
            {"at", to_json(grasp.at)},
            {"contact", to_string(grasp.contact)}};
  if (grasp.contact == Grasp::Contact::line) json["axis"] = to_json(grasp.axis);
  if (grasp.contact == Grasp::Contact::rigid) return json;
  json["normal"] = to_json(grasp.normal);
  if (grasp.friction) json["friction"] = *grasp.friction;
  if (grasp.torsion) json["torsion"] = *grasp.torsion;
  return json;
}

std::string_view name_of(Visual::Shape shape) {
  switch (shape) {
    case Visual::Shape::box:
      return "box";
    case Visual::Shape::cylinder:
      return "cylinder";
    case Visual::Shape::sphere:
      return "sphere";
    case Visual::Shape::capsule:
      return "capsule";
    case Visual::Shape::mesh:
      break;
  }
  return "mesh";
}

Json to_json(const Visual& shape) {
  Json json{{"body", shape.body},
            {"shape", name_of(shape.shape)},
            {"size", to_json(shape.size)},
            {"pose", to_json(shape.pose)}};
  if (!shape.name.empty()) json["name"] = shape.name;
  if (!shape.file.empty()) json["file"] = shape.file;
  return json;
}

template <class Things>
Json list(const Things& things) {
  Json json = Json::array();
  for (const auto& thing : things) json.push_back(to_json(thing));
  return json;
}

template <class Things>
Json described(const Things& things, const Model& model) {
  Json json = Json::array();
  for (const auto& thing : things) json.push_back(describe(thing, model));
  return json;
}

void append(Json& list, const Json& more) { list.insert(list.end(), more.begin(), more.end()); }

/// As in velocity_names: the joint's name alone where it has one freedom.
template <class OnFreedom>
std::string freedom_name(const Model& model, const OnFreedom& thing) {
  const auto joint = std::find_if(model.joints.begin(), model.joints.end(),
                                  [&](const Joint& j) { return j.name == thing.joint; });
  if (joint != model.joints.end() && velocity_count(*joint) == 1) return printable(thing.joint);
  for (const Closure& closure : model.closures)
    if (closure.name == thing.joint && velocity_count(to_joint(closure)) == 1)
      return printable(thing.joint);
  return fmt::format("{}:{}", printable(thing.joint), thing.freedom);
}

std::string text_of(const Vector3& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

/// Its diagonal where that is all, or its rows.
std::string text_of(const PoseMatrix& matrix) {
  if (!matrix.is_diagonal()) {
    std::vector<std::string> rows;
    for (const auto& row : matrix.rows)
      rows.push_back(fmt::format("[{:.6g}]", fmt::join(row, ", ")));
    return fmt::format("[{}]", fmt::join(rows, ", "));
  }
  std::array<double, 6> diagonal{};
  for (std::size_t i = 0; i < 6; ++i) diagonal[i] = matrix.rows[i][i];
  return fmt::format("[{:.6g}]", fmt::join(diagonal, ", "));
}

}  // namespace

std::vector<Closure> closures_of(const Model& model) {
  std::vector<Closure> closures = model.closures;
  std::erase_if(closures, [](const Closure& c) { return c.kind == Closure::Kind::shaft; });
  return closures;
}

void add_attachments(Json& info, const System& system) {
  const Model& model = system.model();
  Json passive = Json::array();
  for (const int i : system.passive_freedoms())
    passive.push_back(system.velocity_names()[static_cast<std::size_t>(i)]);
  info["passive"] = std::move(passive);
  info["rotor_inertia"] = system.rotor_inertia();
  info["actuators"] = list(model.actuators);
  info["network"] = network_json(model);
  info["closure_list"] = list(closures_of(model));
  info["grasp_list"] = list(model.grasps);
  info["springs"] = described(model.line_springs, model);
  append(info["springs"], described(model.joint_springs, model));
  append(info["springs"], described(model.flexible_bases, model));
  info["loads"] = described(model.joint_loads, model);
  append(info["loads"], described(model.body_loads, model));
  info["collisions"] = list(model.collisions);
  info["coordinates"] = model.coordinates;
  info["hold"] = model.initial.hold;
}

std::string describe(const Actuator& actuator, const Model& model) {
  std::string text;
  for (const GearTerm& term : terms_of(actuator))
    text += fmt::format("{} {}, gear {:.6g}", text.empty() ? "drives" : " and",
                        freedom_name(model, term), term.ratio);
  text = printable(actuator.name) + ": " + text;
  if (actuator.elastic)
    text += fmt::format("; elastic, stiffness {:.6g}, damping {:.6g}", actuator.elastic->stiffness,
                        actuator.elastic->damping);
  if (!actuator.motor) return text;
  const Actuator::Motor& motor = *actuator.motor;
  const bool at_joint = !actuator.elastic && !is_coupled(actuator);
  const double gear2 =
      at_joint ? terms_of(actuator).front().ratio * terms_of(actuator).front().ratio : 1;
  text +=
      fmt::format("; at the {}: rotor inertia {:.6g}, damping {:.6g}", at_joint ? "joint" : "shaft",
                  gear2 * motor.rotor_inertia, gear2 * motor.damping);
  if (!has_electrical_side(actuator)) return text;
  text += fmt::format("; Ra {:.6g} ohm, La {:.6g} H, k {:.6g} N m/A", motor.Ra, motor.La,
                      torque_constant(motor));
  if (std::isfinite(motor.voltage_limit)) text += fmt::format(", {:.6g} V", motor.voltage_limit);
  if (std::isfinite(motor.current_limit)) text += fmt::format(", {:.6g} A", motor.current_limit);
  return text;
}

std::string describe(const LineSpring& spring, const Model&) {
  return fmt::format(
      "{}between {} {} and {} {}: stiffness {:.6g}, damping {:.6g}, rest length {:.6g}",
      spring.name.empty() ? "" : printable(spring.name) + ": ", printable(spring.body_a),
      text_of(spring.at_a), printable(spring.body_b), text_of(spring.at_b), spring.stiffness,
      spring.damping, spring.rest_length);
}

std::string describe(const JointSpring& spring, const Model& model) {
  return fmt::format("on {}: stiffness {:.6g}, damping {:.6g}, rest {:.6g}",
                     freedom_name(model, spring), spring.stiffness, spring.damping, spring.rest);
}

std::string describe(const FlexibleBase& base, const Model&) {
  return fmt::format("on {}, [angular; linear]: stiffness {}, damping {}", printable(base.joint),
                     text_of(base.stiffness), text_of(base.damping));
}

std::string describe(const JointLoad& load, const Model& model) {
  return fmt::format("on {}: {:.6g}", freedom_name(model, load), load.effort);
}

std::string describe(const BodyLoad& load, const Model&) {
  return fmt::format("on {} at {}: moment {}, force {}, in {} axes", printable(load.body),
                     text_of(load.at), text_of(load.force.moment), text_of(load.force.force),
                     load.in_world ? "world" : "body");
}

}  // namespace linkwright::app
