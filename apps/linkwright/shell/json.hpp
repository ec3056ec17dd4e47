#pragma once
/// JSON as the program prints it: keys in the order they were written, doubles with all their
/// digits.

#include <nlohmann/json.hpp>
#include <string>

namespace linkwright::app {

using Json = nlohmann::ordered_json;

/// One document and a line end. Text that is not UTF-8 is replaced, not refused.
inline std::string to_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace linkwright::app
