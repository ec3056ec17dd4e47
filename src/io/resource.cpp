#include "linkwright/io/resource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code trouble;
  return fs::exists(path, trouble);
}

/// "NAME/rest" of "package://NAME/rest".
struct PackageName {
  std::string package;
  fs::path rest;  ///< empty: the package's folder

  [[nodiscard]] fs::path whole() const {
    return rest.empty() ? fs::path(package) : fs::path(package) / rest;
  }
};

std::optional<PackageName> to_package_name(std::string_view name) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!name.starts_with(scheme)) continue;
    name.remove_prefix(scheme.size());
    name.remove_prefix(std::min(name.find_first_not_of('/'), name.size()));
    const std::size_t slash = std::min(name.find('/'), name.size());
    return PackageName{std::string(name.substr(0, slash)),
                       slash < name.size() ? fs::path(name.substr(slash + 1)) : fs::path{}};
  }
  return std::nullopt;
}

std::optional<fs::path> find_above(const PackageName& name, const fs::path& folder) {
  for (fs::path at = folder;; at = at.parent_path()) {
    if (!name.package.empty() && is_there(at / name.whole())) return at / name.whole();
    if (!name.rest.empty() && is_there(at / name.rest)) return at / name.rest;
    if (at == at.parent_path()) return std::nullopt;
  }
}

/// The folders of a variable like PATH.
std::vector<fs::path> folders_of(const char* variable) {
  std::vector<fs::path> folders;
  const char* value = std::getenv(variable);
  std::string_view rest = value == nullptr ? std::string_view{} : std::string_view(value);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(':'));
    if (!one.empty()) folders.emplace_back(one);
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return folders;
}

std::optional<fs::path> find_in_environment(const PackageName& name) {
  if (name.package.empty()) return std::nullopt;
  for (const char* variable : {"ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH",
                               "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH"})
    for (const fs::path& folder : folders_of(variable)) {
      if (is_there(folder / name.whole())) return folder / name.whole();
      // ROS lists packages themselves as well as the folders that hold them.
      if (folder.filename() == name.package && is_there(folder / name.rest))
        return folder / name.rest;
    }
  for (const fs::path& folder : folders_of("AMENT_PREFIX_PATH"))
    if (is_there(folder / "share" / name.whole())) return folder / "share" / name.whole();
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> find_resource(std::string_view name, const fs::path& model_file,
                                      const std::map<std::string, fs::path>& packages) {
  std::error_code trouble;
  const fs::path folder = fs::absolute(model_file, trouble).lexically_normal().parent_path();
  if (const auto package = to_package_name(name)) {
    const auto known = packages.find(package->package);
    if (known != packages.end() && is_there(known->second / package->rest))
      return known->second / package->rest;
    if (auto above = find_above(*package, folder)) return above;
    return find_in_environment(*package);
  }
  if (name.starts_with("file://")) name.remove_prefix(7);
  const fs::path path = folder / fs::path(name);  // an absolute name replaces the folder
  return !name.empty() && is_there(path) ? std::optional(path.lexically_normal()) : std::nullopt;
}

void resolve_packages(const std::map<std::string, fs::path>& packages, Model& model) {
  if (packages.empty()) return;
  std::set<std::string> unused;
  for (const auto& [name, folder] : packages) unused.insert(name);
  for (auto* shapes : {&model.visuals, &model.collisions})
    for (Visual& shape : *shapes) {
      const auto name = to_package_name(shape.file);
      const auto known = name ? packages.find(name->package) : packages.end();
      if (known == packages.end()) continue;
      unused.erase(name->package);
      std::error_code trouble;
      const fs::path path = fs::absolute(known->second / name->rest, trouble);
      if (is_there(path))
        shape.file = path.lexically_normal().string();
      else
        model.warnings.push_back({shape.source,
                                  fmt::format("{} is not in the folder that package {} was given, "
                                              "{}",
                                              in_quotes(shape.file), in_quotes(name->package),
                                              in_quotes(known->second.string())),
                                  "missing file of a package"});
    }
  for (const std::string& name : unused) {
    // A model that includes others may name it there.
    const std::string folder = packages.at(name).string();
    if (std::any_of(model.sources.begin(), model.sources.end(),
                    [&](const SourceText& source) { return source.name.starts_with(folder); }))
      continue;
    Warning& warning = model.warnings.emplace_back();
    warning.message =
        fmt::format("package {}: no mesh or included model names it", in_quotes(name));
    warning.kind = "package";
  }
}

}  // namespace linkwright
