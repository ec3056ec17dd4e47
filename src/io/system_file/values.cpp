#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/normalize.hpp"
#include "io/system_file/section_readers.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::system_file {
namespace {

std::vector<double> one_or_many(const Yaml& value) {
  if (value.is_list()) return value.numbers();
  return {value.number()};
}

template <class T, class Read>
std::vector<T> one_or_each(const Yaml& owner, std::string_view key, Read read) {
  const auto value = owner.find(key);
  if (!value) return {};
  if (!value->is_list()) return {read(*value)};
  std::vector<T> list;
  for (const Yaml& item : value->items()) list.push_back(read(item));
  return list;
}

/// Spreads one of the numbers of a limit over the freedoms.
void fill_limit(const Yaml& owner, std::string_view key, double Limits::*field,
                std::vector<Limits>& limits) {
  const auto value = owner.find(key);
  if (!value) return;
  const std::vector<double> numbers = one_or_many(*value);
  if (numbers.empty()) value->fail("is an empty list; expected one number per freedom");
  if (numbers.size() > 1 && limits.size() == 1) limits.resize(numbers.size(), limits.front());
  if (numbers.size() != 1 && numbers.size() != limits.size())
    value->fail(fmt::format("has {} numbers; expected 1 or {} as the other limits", numbers.size(),
                            limits.size()));
  for (std::size_t i = 0; i < limits.size(); ++i)
    limits[i].*field = numbers[numbers.size() == 1 ? 0 : i];
}

/// Six numbers, its diagonal, or six rows of six.
PoseMatrix read_pose_matrix(const Yaml& value) {
  const std::vector<Yaml> items = value.is_list() ? value.items() : std::vector<Yaml>{};
  if (items.size() != 6)
    value.fail("expected 6 numbers, the diagonal of a matrix, or its 6 rows of 6 numbers");
  PoseMatrix matrix;
  for (std::size_t i = 0; i < 6; ++i)
    if (items.front().is_list())
      matrix.rows[i] = items[i].six_numbers();
    else
      matrix.rows[i][i] = items[i].number();
  return matrix;
}

Matrix3 read_quaternion(const Yaml& value) {
  const auto q = value.numbers();
  if (q.size() != 4) value.fail(fmt::format("has {} numbers; expected [w, x, y, z]", q.size()));
  if (std::all_of(q.begin(), q.end(), [](double x) { return x == 0; }))
    value.fail("is zero; expected a unit quaternion such as [1, 0, 0, 0]");
  return spatial::to_matrix(Quaternion{q[0], q[1], q[2], q[3]});
}

/// Three rows of three; taken as they are, so that what was written comes back to the last bit.
Matrix3 read_rotation(const Yaml& value) {
  const std::vector<Yaml> rows = value.items();
  if (rows.size() != 3) value.fail(fmt::format("has {} rows; expected 3 rows of 3", rows.size()));
  const Vector3 x = rows[0].vector3(), y = rows[1].vector3(), z = rows[2].vector3();
  double gap = std::abs(dot(cross(x, y), z) - 1);
  for (const double off : {norm(x) - 1, norm(y) - 1, norm(z) - 1, dot(x, y), dot(y, z), dot(z, x)})
    gap = std::max(gap, std::abs(off));
  if (!(gap < 1e-6))
    value.fail(
        fmt::format("is no rotation matrix: it is off by {:.3g}; expected three orthogonal "
                    "unit rows, right-handed, with all their digits",
                    gap));
  return {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}

}  // namespace

Pose read_pose(const Yaml& value) {
  value.allow_keys(Section::pose);
  Pose pose;
  pose.translation = value.vector3_or("xyz", {});
  std::string_view given;
  for (const std::string_view key : {"rpy", "quaternion", "rotation"}) {
    const auto turn = value.find(key);
    if (!turn) continue;
    if (!given.empty()) turn->fail(fmt::format("is given beside {}; keep one of them", given));
    given = key;
    pose.rotation = key == "rpy"          ? spatial::from_rpy(turn->vector3())
                    : key == "quaternion" ? read_quaternion(*turn)
                                          : read_rotation(*turn);
  }
  return pose;
}

Pose read_pose(const Yaml& owner, std::string_view key) {
  const auto value = owner.find(key);
  return value ? read_pose(*value) : Pose{};
}

Symmetric3 read_inertia(const Yaml& value) {
  const auto i = value.six_numbers();
  return {i[0], i[1], i[2], i[3], i[4], i[5]};
}

void read_inertial(const Yaml& link, Body& body) {
  body.has_inertial = link.has("mass") || link.has("inertia");
  body.mass = link.number_or("mass", 0);
  body.com = link.vector3_or("com", {});
  if (const auto inertia = link.find("inertia")) body.inertia = read_inertia(*inertia);
  if (const auto mass = link.find("mass")) body.inertial_source = mass->source();
}

Friction read_friction(const Yaml& value) {
  if (!value.is_map()) {
    const double both = value.number();
    return {both, both};
  }
  value.allow_keys(Section::friction);
  return {value.number_or("forward", 0), value.number_or("backward", 0),
          value.number_or("breakaway", 0)};
}

std::vector<Limits> read_limits(const Yaml& value) {
  std::vector<Limits> limits;
  if (value.is_list()) {
    for (const Yaml& item : value.items()) {
      const std::vector<Limits> one = read_limits(item);
      if (one.size() != 1) item.fail("is a list inside a list; expected plain numbers");
      limits.push_back(one.front());
    }
    return limits;
  }
  value.allow_keys(Section::limits);
  limits.resize(1);
  fill_limit(value, "lower", &Limits::lower, limits);
  fill_limit(value, "upper", &Limits::upper, limits);
  fill_limit(value, "velocity", &Limits::velocity, limits);
  fill_limit(value, "effort", &Limits::effort, limits);
  fill_limit(value, "restitution", &Limits::restitution, limits);
  fill_limit(value, "stiffness", &Limits::stiffness, limits);
  fill_limit(value, "damping", &Limits::damping, limits);
  return limits;
}

std::vector<std::array<double, 6>> read_modes(const Yaml& value) {
  std::vector<std::array<double, 6>> modes;
  for (const Yaml& item : value.items()) modes.push_back(item.six_numbers());
  return modes;
}

Vector3 read_axis(const Yaml& owner, std::string_view key, const Vector3& missing,
                  std::string_view thing, Model& model) {
  const auto value = owner.find(key);
  if (!value) return missing;
  return normalize_axis(value->vector3(), value->source(), thing, fmt::format("its {}", key),
                        model.warnings);
}

FlexibleBase read_flexible_base(const Yaml& value) {
  FlexibleBase base;
  base.stiffness = read_pose_matrix(value.at("stiffness"));
  if (const auto damping = value.find("damping")) base.damping = read_pose_matrix(*damping);
  base.source = value.source();
  return base;
}

BaseChoice read_base(const Yaml& owner) {
  const auto value = owner.find("base");
  if (!value) return {};
  if (value->is_map()) {
    value->allow_keys(Section::flexible_base);
    const Yaml flexible = value->at("flexible");
    flexible.allow_keys(Section::flexible_base_values);
    FlexibleBase entry = read_flexible_base(flexible);
    entry.source = value->source();
    return {Base::free, entry};
  }
  const std::string name = value->text();
  if (name == "fixed") return {Base::fixed, {}};
  if (name == "free") return {Base::free, {}};
  if (name == "planar") return {Base::planar, {}};
  value->fail(
      fmt::format("{} is unknown; expected fixed, free, planar or {{flexible: {{stiffness: "
                  "[6 numbers or 6 rows of 6], damping: [the same]}}}}",
                  in_quotes(name)));
}

template <class Pair>
void read_freedoms(const Yaml& item, Pair& pair) {
  const auto number = [](const Yaml& value) { return value.number(); };
  pair.passive =
      one_or_each<bool>(item, "passive", [](const Yaml& value) { return value.truth(); });
  pair.damping = one_or_each<double>(item, "damping", number);
  pair.rotor_inertia = one_or_each<double>(item, "rotor_inertia", number);
  pair.friction = one_or_each<Friction>(item, "friction", read_friction);
  if (const auto limits = item.find("limits")) pair.limits = read_limits(*limits);
}
template void read_freedoms(const Yaml& item, Joint& pair);
template void read_freedoms(const Yaml& item, Closure& pair);

}  // namespace linkwright::system_file
