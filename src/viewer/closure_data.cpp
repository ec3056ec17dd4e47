#include "viewer/closure_data.hpp"

#include <algorithm>
#include <array>

#include "linkwright/closure/independent.hpp"
#include "linkwright/model/flexible_links.hpp"
#include "spatial/index.hpp"

namespace linkwright::viewer {
namespace {

std::string_view name_of(PairKind kind) {
  constexpr std::array<std::string_view, 6> names{"lower_pair", "universal", "point",
                                                  "distance",   "rolling",   "gear"};
  return names[static_cast<std::size_t>(kind)];
}

Json to_row(const Vector3& angular, const Vector3& linear) {
  return {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z};
}
Json to_row(const Motion& m) { return to_row(m.angular, m.linear); }
Json to_row(const Force& f) { return to_row(f.moment, f.force); }

template <class T>
Json to_rows(const T (&list)[6], int count) {
  Json rows = Json::array();
  for (int i = 0; i < count; ++i) rows.push_back(to_row(list[i]));
  return rows;
}

/// What its equations are made of; the page's own closures.js reads it as residual.cpp does.
void add_equations(const ClosurePlace& place, Json& json) {
  json["position_rows"] = place.position_rows;
  json["axis"] = to_json(place.axis), json["axis2"] = to_json(place.axis2);
  if (place.kind == PairKind::distance || place.kind == PairKind::rolling)
    json["length"] = place.length, json["disc"] = place.disc;
  const bool constant = place.kind == PairKind::lower_pair || place.kind == PairKind::point;
  if (constant) json["rows"] = to_rows(place.W, place.rows);
  if (place.kind != PairKind::lower_pair) return;
  json["modes"] = to_rows(place.mode, place.freedoms);
  json["duals"] = to_rows(place.dual, place.freedoms);
  json["complement"] = to_rows(place.complement, place.rows);
}

Json closure_to_json(const System& system, const ClosurePlace& place,
                     const std::vector<int>& numbers) {
  Json json{{"name", place.name}, {"pair", name_of(place.kind)}};
  if (place.kind == PairKind::gear) {
    const TreeTerm &leader = place.terms.front(), &follower = place.terms.back();
    json["leader"] = leader.joint, json["follower"] = follower.joint;
    json["ratio"] = -leader.ratio, json["offset"] = place.offset;
    return json;
  }
  if (place.kind == PairKind::lower_pair || place.kind == PairKind::universal)
    json["joint"] = to_string(place.joint);
  json["a"] = numbers[at(place.body_a + 1)], json["b"] = numbers[at(place.body_b + 1)];
  json["at_a"] = to_json(in_body(system, place.body_a, place.at_a));
  json["at_b"] = to_json(in_body(system, place.body_b, place.at_b));
  add_equations(place, json);
  return json;
}

Json line_spring_to_json(const Model& model, const LineSpring& spring,
                         const std::vector<int>& numbers) {
  const auto number = [&](const std::string& body) { return numbers[*find_body(model, body)]; };
  return {{"type", "line"},
          {"name", spring.name},
          {"a", number(spring.body_a)},
          {"b", number(spring.body_b)},
          {"at_a", to_json(spring.at_a)},
          {"at_b", to_json(spring.at_b)},
          {"stiffness", spring.stiffness},
          {"rest", spring.rest_length}};
}

/// At a joint of the tree, or at the closure of that name.
Json joint_spring_to_json(const System& system, const JointSpring& spring) {
  Json json{{"type", "joint"},
            {"freedom", spring.freedom},
            {"stiffness", spring.stiffness},
            {"rest", spring.rest}};
  const auto index = [&](const auto& places) {
    const auto found = std::find_if(places.begin(), places.end(),
                                    [&](const auto& p) { return p.name == spring.joint; });
    return found == places.end() ? -1 : static_cast<int>(found - places.begin());
  };
  const int joint = index(system.joints());
  json[joint >= 0 ? "joint" : "closure"] = joint >= 0 ? joint : index(system.closures());
  return json;
}

}  // namespace

Pose in_body(const System& system, int body, const Pose& at_node) {
  return inverse(system.frames()[at(body + 1)].pose) * at_node;
}

Json closures_to_json(const System& system, const std::vector<int>& numbers) {
  Json all = Json::array();
  for (const ClosurePlace& place : system.closures())
    if (place.kind != PairKind::shaft)  // it binds nothing, and has no place to be drawn at
      all.push_back(closure_to_json(system, place, numbers));
  return all;
}

Json springs_to_json(const System& system, const std::vector<int>& numbers) {
  const Model& model = system.model();
  Json all = Json::array();
  for (const LineSpring& spring : model.line_springs)
    all.push_back(line_spring_to_json(model, spring, numbers));
  const auto is_of_a_beam = [&](const JointSpring& spring) {
    return std::any_of(model.joints.begin(), model.joints.end(), [&](const Joint& joint) {
      return joint.name == spring.joint && is_elastic(joint);
    });
  };
  for (const JointSpring& spring : model.joint_springs)
    if (!is_of_a_beam(spring))  // which shows how it bends by itself
      all.push_back(joint_spring_to_json(system, spring));
  for (const FlexibleBase& base : model.flexible_bases)
    for (int i = 0; i < 6; ++i)
      if (const double k = base.stiffness(i, i); k > 0) {
        all.push_back(joint_spring_to_json(
            system, {.joint = base.joint, .freedom = i, .stiffness = k, .rest = 0}));
        if (!base.stiffness.is_diagonal())
          all.back()["couplings"] = base.stiffness.rows[at(i)];  // the freedom's row of the matrix
      }
  return all;
}

Json independents_to_json(const System& system, const ConstVectorRef& q,
                          std::vector<Warning>& warnings) {
  Json all = Json::array();
  if (system.closures().empty()) return all;
  try {
    ClosedWorkspace work(system);
    for (const int entry : choose_independent(work, q).entries)
      for (std::size_t j = 0; j < system.joints().size(); ++j) {
        const JointPlace& joint = system.joints()[j];
        if (entry >= joint.v && entry < joint.v + joint.nv)
          all.push_back({{"joint", j}, {"freedom", entry - joint.v}});
      }
  } catch (const Error& e) {
    warnings.push_back({system.model().coordinates_source, e.what(), "coordinates"});
  }
  return all;
}

}  // namespace linkwright::viewer
