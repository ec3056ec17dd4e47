#pragma once
/// Names in messages: quoted so that hostile text cannot garble a terminal, with the nearest known
/// name when one was mistyped.
///
///     throw Error("unknown joint " + in_quotes(name) + did_you_mean(name, joint_names));

#include <string>
#include <string_view>
#include <vector>

namespace linkwright {

/// 'text', cut after 60 characters, with control characters written as \xNN.
std::string in_quotes(std::string_view text);

/// The known name that differs least from `name`; empty when none is near enough to be a slip.
std::string closest_name(std::string_view name, const std::vector<std::string>& known);

/// "; did you mean 'x'?" or "" — ready to end a sentence about an unknown name.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

/// 'a', 'b', 'c' and 4 more: at most five names.
std::string list_in_quotes(const std::vector<std::string>& names);

}  // namespace linkwright
