#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "io/mjcf/document/attributes.hpp"
#include "linkwright/spatial/group.hpp"

namespace linkwright::mjcf {
namespace {

constexpr const char* orientations[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

Vector3 unit(const XmlElement& element, std::string_view name, const Vector3& v) {
  const double length = std::hypot(v.x, v.y, v.z);
  if (!(length > 1e-14))
    element.fail(fmt::format("attribute {} has a direction of length 0; expected any other", name));
  return (1 / length) * v;
}

Matrix3 from_axes(const XmlElement& element) {
  const auto a = *read_numbers(element, "xyaxes", 6, 6);
  const Vector3 x = unit(element, "xyaxes", {a[0], a[1], a[2]}), given{a[3], a[4], a[5]};
  const Vector3 across = given - dot(x, given) * x;
  if (!(norm(across) > 1e-10 * norm(given)))
    element.fail("attribute xyaxes has two parallel axes; expected x and y of a frame");
  const Vector3 y = unit(element, "xyaxes", across), z = cross(x, y);
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

Matrix3 from_euler(const XmlElement& element, const Settings& settings) {
  const auto angles = *read_numbers(element, "euler", 3, 3);
  Matrix3 R = Matrix3::identity();
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = settings.eulerseq[i];
    const char axis = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const Vector3 about{axis == 'x' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0};
    const Matrix3 turn = turn_about(about, settings.angle * angles[i]);
    R = letter == axis ? R * turn : turn * R;
  }
  return R;
}

/// Of the one attribute that says it; identity where none does.
Matrix3 read_orientation(const XmlElement& element, const Settings& settings) {
  const char* said = nullptr;
  for (const char* name : orientations) {
    if (!element.attribute(name)) continue;
    if (said != nullptr)
      element.fail(fmt::format("has both {} and {}; keep one of them", said, name));
    said = name;
  }
  if (said == nullptr) return Matrix3::identity();
  const std::string_view form = said;
  if (form == "quat") {
    const auto q = *read_numbers(element, "quat", 4, 4);
    return to_rotation(element, "quat", q[0], q[1], q[2], q[3]);
  }
  if (form == "axisangle") {
    const auto a = *read_numbers(element, "axisangle", 4, 4);
    return turn_about(unit(element, "axisangle", {a[0], a[1], a[2]}), settings.angle * a[3]);
  }
  if (form == "xyaxes") return from_axes(element);
  if (form == "zaxis") return turn_z_to(unit(element, "zaxis", *element.vector3("zaxis")));
  return from_euler(element, settings);
}

bool says_orientation(const XmlElement& element) {
  for (const char* name : orientations)
    if (element.attribute(name)) return true;
  return false;
}

}  // namespace

Matrix3 turn_about(const Vector3& axis, double angle) {
  return spatial::to_matrix(spatial::exp_rotation(angle * axis));
}

Matrix3 to_rotation(const XmlElement& element, std::string_view name, double w, double x, double y,
                    double z) {
  if (w == 0 && x == 0 && y == 0 && z == 0)
    element.fail(
        fmt::format("attribute {} has a zero quaternion; expected w x y z such as 1 0 0 0", name));
  return spatial::to_matrix(normalized(Quaternion{w, x, y, z}));
}

Matrix3 turn_z_to(const Vector3& direction) {
  const double length = std::hypot(direction.x, direction.y, direction.z);
  const Vector3 d = (1 / length) * direction;
  const double s = std::hypot(d.x, d.y);  // of z × d = (−d.y, d.x, 0)
  const Vector3 axis = s < 1e-10 ? Vector3{1, 0, 0} : Vector3{-d.y / s, d.x / s, 0};
  return turn_about(axis, std::atan2(s, d.z));
}

Pose read_pose(const Attributes& attributes, const Settings& settings) {
  Pose pose;
  pose.translation = attributes.vector3("pos").value_or(Vector3{});
  for (const XmlElement& element : attributes.chain())
    if (says_orientation(element)) {
      pose.rotation = read_orientation(element, settings);
      break;
    }
  return pose;
}

Pose read_pose(const XmlElement& element, const Settings& settings) {
  return read_pose(Attributes(element, {}), settings);
}

}  // namespace linkwright::mjcf
