#pragma once
/// Objects that fingers on the world hold.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/state.hpp"
#include "linkwright/manipulator/grasp.hpp"
#include "linkwright/spatial/spatial.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::testing {

/// A finger that touches at a point of the object, which stands at the origin.
struct Finger {
  Vector3 at;
  Vector3 normal;
  Grasp::Contact contact = Grasp::Contact::point;
  std::optional<double> friction = 0.5;
  std::optional<double> torsion{};
};

/// A finger on the edge of a disc or ball about the origin, in the plane z = 0.
inline Finger on_circle(double angle, std::optional<double> friction = 0.5, double radius = 1,
                        Grasp::Contact contact = Grasp::Contact::point) {
  const Vector3 out{std::cos(angle), std::sin(angle), 0};
  return {radius * out, -1.0 * out, contact, friction, {}};
}

/// The object `thing` on a joint of that type to the world (free: in space; planar: in the plane z = 0) and
/// fingers f0, f1, … that stand still.
inline Model held(JointType type, const std::vector<Finger>& fingers) {
  Model model;
  model.gravity = {0, 0, 0};
  Body thing{.name = "thing"};
  thing.mass = 2;
  thing.inertia = {0.3, 0.4, 0.5, 0, 0, 0};
  model.bodies.push_back(thing);
  Joint joint{.name = "thing", .type = type, .parent = std::string(world_name), .child = "thing"};
  joint.axis = {0, 0, 1}, joint.passive = {true};
  model.joints.push_back(joint);
  model.objects.push_back("thing");
  for (std::size_t i = 0; i < fingers.size(); ++i) {
    const std::string name = "f" + std::to_string(i);
    model.frames.push_back({.name = name + "_tip",
                            .body = std::string(world_name),
                            .pose = {Matrix3::identity(), fingers[i].at}});
    Grasp grasp{.name = name, .arm = name + "_tip", .object = "thing"};
    grasp.at = {Matrix3::identity(), fingers[i].at};
    grasp.contact = fingers[i].contact, grasp.normal = fingers[i].normal;
    grasp.friction = fingers[i].friction, grasp.torsion = fingers[i].torsion;
    model.grasps.push_back(grasp);
  }
  return model;
}

inline manipulator::GraspAnalysis analyse(const Model& model, const std::string& object = "thing") {
  const System system = compile(model);
  ClosedWorkspace work(system);
  return manipulator::analyse_grasp(work, initial_state(system).q, object);
}

}  // namespace linkwright::testing
