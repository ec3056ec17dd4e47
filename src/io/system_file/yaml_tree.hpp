#pragma once
/// Text to YamlValue; the only place that talks to yaml-cpp.

#include <memory>
#include <string>
#include <string_view>

#include "io/system_file/yaml.hpp"

namespace linkwright {

std::shared_ptr<const YamlValue> parse_yaml_tree(std::string_view text, const std::string& file);

}  // namespace linkwright
