#include "viewer/model_data.hpp"

#include <array>
#include <cmath>

#include "system/canonical.hpp"
#include "viewer/directions.hpp"

namespace linkwright::viewer {
namespace {

std::string_view name_of(Visual::Shape type) {
  constexpr std::array<std::string_view, 5> names{"box", "cylinder", "sphere", "capsule", "mesh"};
  return names[static_cast<std::size_t>(type)];
}

Json size_to_json(const Shape& shape) {
  const Vector3& s = shape.size;
  switch (shape.type) {
    case Visual::Shape::sphere:
      return Json::array({s.x});
    case Visual::Shape::cylinder:
    case Visual::Shape::capsule:
      return {s.x, s.y};
    default:
      return to_json(s);
  }
}

Json shape_to_json(const Shape& shape) {
  Json json{{"type", name_of(shape.type)},
            {"size", size_to_json(shape)},
            {"pose", to_json(shape.pose)},
            {"color", shape.colour},
            {"source", shape.source}};
  if (shape.mesh >= 0) json["mesh"] = shape.mesh;
  if (!shape.name.empty()) json["name"] = shape.name;
  return json;
}

/// universal: the second axis; planar: the direction in which x counts.
Vector3 second_axis(const Joint& joint) {
  if (joint.type == JointType::planar) return canonical::rotation_to(unit(joint.axis)).column_x();
  return unit(joint.axis2);
}

/// Both limits, null for an end without one. A limit so far away that it stands for "none" is none.
Json range_to_json(const Limits& limits) {
  constexpr double wide = 1e3;
  const auto end = [](double limit) {
    return std::abs(limit) < wide ? Json(limit) : Json(nullptr);
  };
  const Json lower = end(limits.lower), upper = end(limits.upper);
  return lower.is_null() && upper.is_null() ? Json(nullptr) : Json::array({lower, upper});
}

Json limits_to_json(const Joint& joint) {
  Json all = Json::array();
  const int nq = position_count(joint);
  const bool has_quaternion = nq != velocity_count(joint);
  for (int i = 0; i < nq; ++i) {
    const bool is_open = has_quaternion || joint.type == JointType::continuous;
    all.push_back(is_open ? Json(nullptr) : range_to_json(per_freedom(joint.limits, i, Limits{})));
  }
  return all;
}

template <class Number, class Rows>
Json flat(const Rows& rows) {
  std::vector<Number> all;
  all.reserve(rows.size() * 3);
  for (const auto& row : rows)
    for (const auto value : row) all.push_back(static_cast<Number>(value));
  return pack(std::span<const Number>(all));
}

/// Two bytes per index where they are enough: indices are most of a mesh.
Json indices_to_json(const Mesh& mesh) {
  if (mesh.corners.size() <= 65536) return flat<std::uint16_t>(mesh.triangles);
  return flat<std::uint32_t>(mesh.triangles);
}

}  // namespace

std::vector<int> number_bodies(const System& system) {
  std::vector<int> numbers(system.model().bodies.size() + 1, 0);
  int next = 1;
  for (const int body : system.body_order()) numbers[static_cast<std::size_t>(body) + 1] = next++;
  return numbers;
}

Json bodies_to_json(const System& system, const Drawing& drawing, const std::vector<int>& numbers) {
  const auto shapes = [&](std::size_t b) {
    Json list = Json::array();
    for (const Shape& shape : drawing.shapes[b]) list.push_back(shape_to_json(shape));
    return list;
  };
  Json all = Json::array();
  all.push_back({{"name", world_name},
                 {"parent", -1},
                 {"joint", -1},
                 {"mass", 0},
                 {"com", to_json(Vector3{})},
                 {"shapes", shapes(0)}});
  for (const int index : system.body_order()) {
    const Body& body = system.model().bodies[static_cast<std::size_t>(index)];
    const int joint = system.joint_of_body(index);
    const int parent = system.joints()[static_cast<std::size_t>(joint)].parent;
    all.push_back({{"name", body.name},
                   {"parent", numbers[static_cast<std::size_t>(parent + 1)]},
                   {"joint", joint},
                   {"mass", body.mass},
                   {"com", to_json(body.com)},
                   {"shapes", shapes(static_cast<std::size_t>(index) + 1)}});
  }
  return all;
}

Json meshes_to_json(const std::vector<Mesh>& meshes) {
  Json all = Json::array();
  for (const Mesh& mesh : meshes)
    all.push_back({{"positions", flat<float>(mesh.corners)}, {"indices", indices_to_json(mesh)}});
  return all;
}

Json joints_to_json(const System& system, const std::vector<int>& numbers) {
  Json all = Json::array();
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const Joint& joint = system.model().joints[j];
    const JointPlace& place = system.joints()[j];
    Json json{{"name", joint.name},
              {"type", to_string(joint.type)},
              {"parent", numbers[static_cast<std::size_t>(place.parent + 1)]},
              {"child", numbers[static_cast<std::size_t>(place.child + 1)]},
              {"pose", to_json(joint.pose)},
              {"axis", to_json(unit(joint.axis))},
              {"axis2", to_json(second_axis(joint))},
              {"pitch", joint.pitch},
              {"q", place.q},
              {"nq", place.nq},
              {"limits", limits_to_json(joint)}};
    if (joint.type == JointType::custom) {
      json["modes"] = joint.modes;
      json["commute"] = modes_commute(joint);
    }
    all.push_back(std::move(json));
  }
  return all;
}

Json frames_to_json(const System& system, const std::vector<int>& numbers) {
  const Model& model = system.model();
  Json all = Json::array();
  for (std::size_t f = 0; f < model.frames.size(); ++f) {
    const FramePlace& place = system.frames()[f + model.bodies.size() + 1];
    all.push_back({{"name", model.frames[f].name},
                   {"body", numbers[static_cast<std::size_t>(place.body + 1)]},
                   {"pose", to_json(model.frames[f].pose)}});
  }
  return all;
}

}  // namespace linkwright::viewer
