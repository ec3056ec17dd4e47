#pragma once
/// How numbers and names travel in the page's JSON.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "linkwright/spatial/spatial.hpp"

namespace linkwright::viewer {

using Json = nlohmann::ordered_json;

/// Base64 of the little-endian bytes of each number: {"f64": "…"}, and so on for f32,
/// u32 and u16.
Json pack(std::span<const double> values);
Json pack(std::span<const float> values);
Json pack(std::span<const std::uint32_t> values);
Json pack(std::span<const std::uint16_t> values);

Json to_json(const Vector3& v);
/// {"p": [x, y, z], "q": [w, x, y, z]}
Json to_json(const Pose& pose);

/// ASCII only and without "<": nothing in it can end a <script> element.
std::string to_script_text(const Json& json);

}  // namespace linkwright::viewer
