#pragma once
/// The fields of everything in a Model, and of what becomes part of one, by name: what carries models to Python and back speaks of no field itself.
/// A field that is added to a struct gets a line here and one in linkwright/model.py; a test compares the two.
///
///     visit_fields(body, [](const char* name, auto& value) { … });

#include <concepts>
#include <type_traits>

#include "linkwright/model/flexible_links.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::python {

/// What a struct is called in Python.
template <class T>
inline constexpr const char* class_name = nullptr;

#define LINKWRIGHT_NAME(Type, name) \
  template <>                       \
  inline constexpr const char* class_name<Type> = name;
LINKWRIGHT_NAME(Source, "Source")
LINKWRIGHT_NAME(Body, "Body")
LINKWRIGHT_NAME(Limits, "Limits")
LINKWRIGHT_NAME(Friction, "Friction")
LINKWRIGHT_NAME(Joint, "Joint")
LINKWRIGHT_NAME(Frame, "Frame")
LINKWRIGHT_NAME(GearTerm, "GearTerm")
LINKWRIGHT_NAME(Closure, "Closure")
LINKWRIGHT_NAME(Grasp, "Grasp")
LINKWRIGHT_NAME(LineSpring, "LineSpring")
LINKWRIGHT_NAME(JointSpring, "JointSpring")
LINKWRIGHT_NAME(JointLoad, "JointLoad")
LINKWRIGHT_NAME(BodyLoad, "BodyLoad")
LINKWRIGHT_NAME(Actuator, "Actuator")
LINKWRIGHT_NAME(Actuator::Motor, "Motor")
LINKWRIGHT_NAME(Actuator::Elastic, "ElasticGear")
LINKWRIGHT_NAME(FlexibleBase, "FlexibleBase")
LINKWRIGHT_NAME(InitialState, "InitialState")
LINKWRIGHT_NAME(InitialState::Entry, "InitialEntry")
LINKWRIGHT_NAME(InitialState::MotorEntry, "MotorEntry")
LINKWRIGHT_NAME(Visual, "Visual")
LINKWRIGHT_NAME(Warning, "Warning")
LINKWRIGHT_NAME(SourceText, "SourceText")
LINKWRIGHT_NAME(NetworkWire, "NetworkWire")
LINKWRIGHT_NAME(NetworkComponent, "NetworkComponent")
LINKWRIGHT_NAME(NetworkModel, "NetworkModel")
LINKWRIGHT_NAME(Model, "Model")
LINKWRIGHT_NAME(BeamSection, "BeamSection")
LINKWRIGHT_NAME(FlexibleLink, "FlexibleLink")
#undef LINKWRIGHT_NAME

// LINKWRIGHT_EACH(a, b) is visit("a", x.a); visit("b", x.b); for up to 81 names.
#define LINKWRIGHT_PARENTHESES ()
#define LINKWRIGHT_TWICE_3(...) __VA_ARGS__
#define LINKWRIGHT_TWICE_2(...) \
  LINKWRIGHT_TWICE_3(LINKWRIGHT_TWICE_3(LINKWRIGHT_TWICE_3(__VA_ARGS__)))
#define LINKWRIGHT_TWICE_1(...) \
  LINKWRIGHT_TWICE_2(LINKWRIGHT_TWICE_2(LINKWRIGHT_TWICE_2(__VA_ARGS__)))
#define LINKWRIGHT_TWICE(...) \
  LINKWRIGHT_TWICE_1(LINKWRIGHT_TWICE_1(LINKWRIGHT_TWICE_1(__VA_ARGS__)))
#define LINKWRIGHT_REST() LINKWRIGHT_FIRST
#define LINKWRIGHT_FIRST(name, ...) \
  visit(#name, x.name);             \
  __VA_OPT__(LINKWRIGHT_REST LINKWRIGHT_PARENTHESES(__VA_ARGS__))
#define LINKWRIGHT_EACH(...) LINKWRIGHT_TWICE(LINKWRIGHT_FIRST(__VA_ARGS__))

// X may be const: the same list serves both ways.
#define LINKWRIGHT_VISIT(Type, ...)                   \
  template <class X, class Visit>                     \
  requires std::same_as<std::remove_const_t<X>, Type> \
  void visit_fields(X& x, const Visit& visit) { __VA_ARGS__ }
#define LINKWRIGHT_FIELDS(Type, ...) LINKWRIGHT_VISIT(Type, LINKWRIGHT_EACH(__VA_ARGS__))

LINKWRIGHT_FIELDS(Source, file, line)
LINKWRIGHT_FIELDS(Body, name, mass, com, inertia, has_inertial, source, inertial_source)
LINKWRIGHT_FIELDS(Limits, lower, upper, velocity, effort, restitution, stiffness, damping)
LINKWRIGHT_FIELDS(Friction, forward, backward, breakaway)
LINKWRIGHT_FIELDS(Joint, name, type, parent, child, pose, at_child, axis, axis2, pitch, modes,
                  passive, damping, friction, rotor_inertia, limits, implied, source)
LINKWRIGHT_FIELDS(Frame, name, body, pose, source)
LINKWRIGHT_FIELDS(GearTerm, joint, freedom, ratio)
LINKWRIGHT_FIELDS(Closure, name, kind, body_a, body_b, at_a, at_b, joint, axis, axis2, disc, pitch,
                  modes, distance, leader, follower, ratio, offset, terms, passive, damping,
                  friction, rotor_inertia, limits, source)
LINKWRIGHT_FIELDS(Grasp, name, arm, object, at, contact, normal, axis, friction, torsion, source)
LINKWRIGHT_FIELDS(LineSpring, name, body_a, body_b, at_a, at_b, stiffness, damping, rest_length,
                  source)
LINKWRIGHT_FIELDS(JointSpring, joint, freedom, stiffness, damping, rest, source)
LINKWRIGHT_FIELDS(JointLoad, joint, freedom, effort, source)
LINKWRIGHT_VISIT(BodyLoad, visit("body", x.body); visit("moment", x.force.moment);
                 visit("force", x.force.force); visit("at", x.at); visit("in_world", x.in_world);
                 visit("source", x.source);)
LINKWRIGHT_FIELDS(Actuator, name, joint, freedom, motor, gear, transmission, elastic, source)
LINKWRIGHT_FIELDS(Actuator::Motor, rotor_inertia, damping, friction, Ra, La, k, field_constant,
                  field_current, voltage_limit, current_limit)
LINKWRIGHT_FIELDS(Actuator::Elastic, stiffness, damping)
LINKWRIGHT_VISIT(FlexibleBase, visit("joint", x.joint); visit("stiffness", x.stiffness.rows);
                 visit("damping", x.damping.rows); visit("source", x.source);)
LINKWRIGHT_FIELDS(InitialState, q, v, hold, hold_source, current, shaft_angle, shaft_speed)
LINKWRIGHT_FIELDS(InitialState::Entry, joint, values, source)
LINKWRIGHT_FIELDS(InitialState::MotorEntry, motor, value, source)
LINKWRIGHT_FIELDS(Visual, body, pose, shape, size, file, name, rgba, source)
LINKWRIGHT_FIELDS(Warning, message, kind, source)
LINKWRIGHT_FIELDS(SourceText, name, text)
LINKWRIGHT_VISIT(NetworkWire, visit("from_", x.from); visit("to", x.to);)
LINKWRIGHT_FIELDS(NetworkComponent, name, kind, value, ratios, electrical, initial, wires, source)
LINKWRIGHT_FIELDS(NetworkModel, components, is_reflected, source)
LINKWRIGHT_FIELDS(Model, name, gravity, bodies, joints, cut, cut_source, frames, closures, grasps,
                  objects, line_springs, joint_springs, joint_loads, body_loads, actuators, network,
                  flexible_bases, coordinates, coordinates_source, initial, visuals, collisions,
                  warnings, sources)
LINKWRIGHT_FIELDS(BeamSection, shape, width, height, radius, inner_radius)
LINKWRIGHT_VISIT(FlexibleLink, visit("body", x.body); visit("from_", x.from);
                 LINKWRIGHT_EACH(along, up, E, G, density, section, EI, GJ, EA, mass_per_length,
                                 inertia_per_length, bending, axial, elements, modes, damping_ratio,
                                 source))
#undef LINKWRIGHT_FIELDS
#undef LINKWRIGHT_VISIT
#undef LINKWRIGHT_EACH
#undef LINKWRIGHT_FIRST
#undef LINKWRIGHT_REST
#undef LINKWRIGHT_TWICE
#undef LINKWRIGHT_TWICE_1
#undef LINKWRIGHT_TWICE_2
#undef LINKWRIGHT_TWICE_3
#undef LINKWRIGHT_PARENTHESES

}  // namespace linkwright::python
