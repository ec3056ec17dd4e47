#pragma once
/// Beams on joints, for tests of flexible links.

#include "linkwright/model/flexible_links.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::testing {

/// A body "boom" on a joint "root" (fixed: a cantilever) with a frame "tip", without gravity.
inline Model boom_on(JointType type, const Vector3& along = {2, 0, 0},
                     const Vector3& axis = {0, 0, 1}) {
  Model model;
  model.gravity = {0, 0, 0};
  model.bodies = {{.name = "boom"}};
  model.joints = {{.name = "root", .type = type, .parent = "world", .child = "boom", .axis = axis}};
  model.frames = {{.name = "tip", .body = "boom", .pose = {.translation = along}}};
  return model;
}

/// A strip of aluminium, 2 m long; its rotary inertia moves frequencies by 1e-5.
inline FlexibleLink strip(int elements) {
  FlexibleLink link{.body = "boom", .along = {2, 0, 0}, .E = 7e10, .G = 2.6e10, .density = 2700};
  link.section = BeamSection{.width = 0.05, .height = 0.01};
  link.elements = elements;
  return link;
}

/// The same strip that bends about y only.
inline FlexibleLink planar_strip(int elements) {
  FlexibleLink link = strip(elements);
  link.G.reset();
  link.bending = FlexibleLink::Bending::y;
  return link;
}

inline Beam beam_of(const FlexibleLink& link) { return to_beam(link, {.name = link.body}); }

inline System cantilever(const FlexibleLink& link) {
  return compile(to_elastic_chains(boom_on(JointType::fixed, link.along), {link}));
}

}  // namespace linkwright::testing
