#pragma once
/// A whole MJCF file without validation, for readers that go on building.

#include <filesystem>
#include <string>
#include <string_view>

#include "io/strictness.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::mjcf {

Model build(std::string_view text, const std::string& name_for_messages,
            const std::filesystem::path& folder, Base base, Problems& problems);

}  // namespace linkwright::mjcf
