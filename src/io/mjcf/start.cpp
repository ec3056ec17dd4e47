#include <fmt/format.h>

#include "io/mjcf/scene.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

/// The numbers of one joint in MuJoCo's vectors.
struct Numbers {
  const Joint* joint;
  std::size_t q, nq, v, nv;
};

std::vector<Numbers> lay_out(const Model& model) {
  std::vector<Numbers> layout;
  std::size_t q = 0, v = 0;
  for (const Joint& joint : model.joints) {
    const auto nq = static_cast<std::size_t>(position_count(joint));
    const auto nv = static_cast<std::size_t>(velocity_count(joint));
    if (nv > 0) layout.push_back({&joint, q, nq, v, nv});
    q += nq, v += nv;
  }
  return layout;
}

/// MuJoCo's position and quaternion the other way round.
std::vector<double> to_our_pose(const double* p) {
  return {p[3], p[4], p[5], p[6], p[0], p[1], p[2]};
}

/// MuJoCo's linear velocity is in the world's axes and stands first.
std::vector<double> to_our_twist(const double* v, const Quaternion& attitude) {
  const Vector3 linear = transpose_times(spatial::to_matrix(attitude), Vector3{v[0], v[1], v[2]});
  return {v[3], v[4], v[5], linear.x, linear.y, linear.z};
}

/// The configuration that the file draws, in the numbers of `lay_out`.
std::vector<double> drawn_position(const Scene& scene, const std::vector<Numbers>& layout) {
  std::vector<double> q;
  for (const Numbers& n : layout) {
    if (n.joint->type == JointType::free) {
      const Pose& pose = scene.bodies.find(n.joint->child)->second;
      const Quaternion r = spatial::to_quaternion(pose.rotation);
      for (const double x :
           {pose.translation.x, pose.translation.y, pose.translation.z, r.w, r.x, r.y, r.z})
        q.push_back(x);
    } else if (n.joint->type == JointType::spherical) {
      for (const double x : {1.0, 0.0, 0.0, 0.0}) q.push_back(x);
    } else {
      q.push_back(scene.joints.find(n.joint->name)->second.ref);
    }
  }
  return q;
}

bool is_neutral(const Joint& joint, const std::vector<double>& values) {
  const bool has_quaternion = position_count(joint) != velocity_count(joint);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != (has_quaternion && i == 0 ? 1.0 : 0.0)) return false;
  return true;
}

void set_position(const std::vector<Numbers>& layout, const std::vector<double>& q,
                  const Source& where, Model& model) {
  for (const Numbers& n : layout) {
    const double* first = q.data() + n.q;
    std::vector<double> values = n.joint->type == JointType::free
                                     ? to_our_pose(first)
                                     : std::vector<double>(first, first + n.nq);
    if (!is_neutral(*n.joint, values))
      model.initial.q.push_back(
          {n.joint->name, std::move(values), where.line > 0 ? where : n.joint->source});
  }
}

void set_velocity(const std::vector<Numbers>& layout, const std::vector<double>& q,
                  const std::vector<double>& v, const Source& where, Model& model) {
  for (const Numbers& n : layout) {
    const double* first = v.data() + n.v;
    std::vector<double> values(first, first + n.nv);
    bool moves = false;
    for (const double x : values) moves = moves || x != 0;
    if (!moves) continue;
    if (n.joint->type == JointType::free) {
      const double* p = q.data() + n.q;
      values = to_our_twist(first, Quaternion{p[3], p[4], p[5], p[6]});
    }
    model.initial.v.push_back({n.joint->name, std::move(values), where});
  }
}

std::vector<double> read_state(const XmlElement& key, std::string_view name, std::size_t count,
                               std::vector<double> otherwise) {
  if (!key.attribute(name)) return otherwise;
  std::vector<double> values = key.number_list(name);
  if (values.size() != count)
    key.fail(fmt::format("attribute {} has {} numbers; the joints of the file take {}", name,
                         values.size(), count));
  return values;
}

/// The one called "home", else the first.
const XmlElement* choose_key(const std::vector<XmlElement>& keys) {
  for (const XmlElement& key : keys)
    if (key.attribute("name") == "home") return &key;
  return keys.empty() ? nullptr : &keys.front();
}

std::string name_of_key(const XmlElement& key) {
  return std::string(key.attribute("name").value_or("without a name"));
}

}  // namespace

void read_start(Scene& scene, const std::vector<XmlElement>& keys) {
  if (scene.has_lost_joints) return;
  const std::vector<Numbers> layout = lay_out(scene.model);
  const std::vector<double> drawn = drawn_position(scene, layout);
  const XmlElement* chosen = choose_key(keys);
  for (const XmlElement& key : keys) {
    scene.told.other_attributes(key, "key");
    if (&key != chosen)
      scene.told.note(key.source(),
                      fmt::format("keyframes that are not the start, which is {}",
                                  in_quotes(name_of_key(*chosen))),
                      name_of_key(key));
  }
  if (chosen == nullptr) return set_position(layout, drawn, {}, scene.model);
  const XmlElement key = chosen->owned_by("keyframe " + in_quotes(name_of_key(*chosen)));
  const std::size_t nv = layout.empty() ? 0 : layout.back().v + layout.back().nv;
  const auto read = [&] {
    const std::vector<double> q = read_state(key, "qpos", drawn.size(), drawn);
    const std::vector<double> v = read_state(key, "qvel", nv, std::vector<double>(nv, 0.0));
    set_position(layout, q, key.attribute("qpos") ? key.source() : Source{}, scene.model);
    set_velocity(layout, q, v, key.source(), scene.model);
  };
  scene.problems.attempt_or_repair(read, {"this <key> is left out"});
}

}  // namespace linkwright::mjcf
