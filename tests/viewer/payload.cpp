#include "viewer/payload.hpp"

#include <cstring>
#include <unsupported/Eigen/MatrixFunctions>

#include "support/files.hpp"

namespace linkwright::viewer_tests {
namespace {

std::string decode_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = (bits << 6U) | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 0xFFU);
  }
  return bytes;
}

template <class Number>
std::vector<double> numbers_in(const std::string& bytes) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof(Number));
    numbers.push_back(static_cast<double>(number));
  }
  return numbers;
}

Eigen::Isometry3d turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::Isometry3d(Eigen::AngleAxisd(angle, axis));
}
Eigen::Isometry3d slide(const Eigen::Vector3d& by) {
  return Eigen::Isometry3d(Eigen::Translation3d(by));
}
Eigen::Isometry3d quaternion(const Eigen::VectorXd& q) {
  return Eigen::Isometry3d(Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized());
}

/// exp of [ω; v] as a power of the 4×4 matrix, by Eigen.
Eigen::Isometry3d exponential(const Eigen::Matrix<double, 6, 1>& twist) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
  m.topLeftCorner<3, 3>() << 0, -twist[2], twist[1], twist[2], 0, -twist[0], -twist[1], twist[0], 0;
  m.topRightCorner<3, 1>() = twist.tail<3>();
  Eigen::Isometry3d pose;
  pose.matrix() = m.exp();
  return pose;
}

Eigen::Isometry3d custom(const Json& joint, const Eigen::VectorXd& q) {
  if (!joint.at("commute").get<bool>()) return slide(q.tail<3>()) * quaternion(q.head<4>());
  Eigen::Matrix<double, 6, 1> twist = Eigen::Matrix<double, 6, 1>::Zero();
  for (Eigen::Index i = 0; i < q.size(); ++i)
    for (Eigen::Index k = 0; k < 6; ++k)
      twist[k] +=
          q[i] *
          joint.at("modes")[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)].get<double>();
  return exponential(twist);
}

Eigen::Isometry3d motion_of(const Json& joint, const Eigen::VectorXd& q) {
  const std::string type = joint.at("type");
  const Eigen::Vector3d n = to_vector(joint.at("axis")), m = to_vector(joint.at("axis2"));
  if (type == "fixed") return Eigen::Isometry3d::Identity();
  if (type == "revolute" || type == "continuous") return turn(q[0], n);
  if (type == "prismatic") return slide(q[0] * n);
  if (type == "helical") return turn(q[0], n) * slide(joint.at("pitch").get<double>() * q[0] * n);
  if (type == "cylindrical") return turn(q[0], n) * slide(q[1] * n);
  if (type == "universal") return turn(q[0], n) * turn(q[1], m);
  if (type == "planar") return slide(q[0] * m + q[1] * n.cross(m)) * turn(q[2], n);
  if (type == "spherical") return quaternion(q);
  if (type == "free") return slide(q.tail<3>()) * quaternion(q.head<4>());
  if (type == "custom") return custom(joint, q);
  throw std::runtime_error("unknown joint type " + type);
}

}  // namespace

std::vector<double> unpack(const Json& packed) {
  if (packed.contains("f64")) return numbers_in<double>(decode_base64(packed.at("f64")));
  if (packed.contains("f32")) return numbers_in<float>(decode_base64(packed.at("f32")));
  if (packed.contains("u16")) return numbers_in<std::uint16_t>(decode_base64(packed.at("u16")));
  return numbers_in<std::uint32_t>(decode_base64(packed.at("u32")));
}

Eigen::Vector3d to_vector(const Json& numbers) {
  return {numbers.at(0).get<double>(), numbers.at(1).get<double>(), numbers.at(2).get<double>()};
}

Eigen::Isometry3d to_isometry(const Json& pose) {
  const Json& q = pose.at("q");
  const Eigen::Quaterniond turned(q.at(0).get<double>(), q.at(1).get<double>(),
                                  q.at(2).get<double>(), q.at(3).get<double>());
  return slide(to_vector(pose.at("p"))) * Eigen::Isometry3d(turned);
}

std::vector<Eigen::Isometry3d> forward_kinematics(const Json& data, const Eigen::VectorXd& q) {
  std::vector<Eigen::Isometry3d> poses;
  for (const Json& body : data.at("bodies")) {
    if (body.at("parent").get<int>() < 0) {
      poses.push_back(Eigen::Isometry3d::Identity());
      continue;
    }
    const Json& joint = data.at("joints").at(body.at("joint").get<std::size_t>());
    const Eigen::VectorXd own = q.segment(joint.at("q").get<int>(), joint.at("nq").get<int>());
    poses.push_back(poses.at(body.at("parent").get<std::size_t>()) * to_isometry(joint.at("pose")) *
                    motion_of(joint, own));
  }
  return poses;
}

Json data_of(const System& system) {
  return Json::parse(to_page_data(system, State(system).q).text);
}
Json data_of(const System& system, const PageRun& run) {
  return Json::parse(to_page_data(system, State(system).q, &run).text);
}

std::vector<std::filesystem::path> all_model_files() {
  const std::filesystem::path bundled = std::filesystem::path(LINKWRIGHT_SOURCE_DIR) / "models";
  std::vector<std::filesystem::path> files;
  const auto add = [&](const std::filesystem::path& folder, const std::string& extension) {
    for (const auto& file : testing::files_in(folder, extension)) files.push_back(file);
  };
  add(bundled, ".urdf");
  add(bundled, ".yaml");
  const auto shared = testing::shared_folder("models");
  if (shared.empty())
    std::cout << "skipped: the collection of real models is not here\n";
  else
    add(shared, ".urdf");
  return files;
}

}  // namespace linkwright::viewer_tests
