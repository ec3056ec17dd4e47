#pragma once
/// The page's data as a reader of viewer/README.md would take it, without the library's help.

#include <Eigen/Geometry>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linkwright/viewer/page.hpp"

namespace linkwright::viewer_tests {

using Json = nlohmann::json;

/// {"f64": …}, {"f32": …}, {"u32": …} or {"u16": …} as numbers.
std::vector<double> unpack(const Json& packed);
Eigen::Isometry3d to_isometry(const Json& pose);
Eigen::Vector3d to_vector(const Json& numbers);

/// Poses of all bodies in the world, from the payload's joints alone.
std::vector<Eigen::Isometry3d> forward_kinematics(const Json& data, const Eigen::VectorXd& q);

/// The data of the system's page at rest.
Json data_of(const System& system);
Json data_of(const System& system, const PageRun& run);

/// Every model file that is bundled or shared; the shared ones only where they are.
std::vector<std::filesystem::path> all_model_files();

}  // namespace linkwright::viewer_tests
