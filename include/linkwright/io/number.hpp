#pragma once
/// Numbers in text, read the same way in every locale: a point is the decimal sign, and the whole
/// text must be one finite number.
///
///     std::optional<double> x = linkwright::parse_number(" +1.5e-3 ");   // 0.0015
///     linkwright::parse_number("1,5");                                   // nothing

#include <optional>
#include <string>
#include <string_view>

namespace linkwright {

/// Without the blanks, tabs and line ends at both sides.
std::string_view trimmed(std::string_view text);

/// The number that `text` is, blanks around it aside; nothing for anything else (empty, "1,5",
/// "1.5kg", "nan", "inf", "0x10", too large for a double).
std::optional<double> parse_number(std::string_view text);

/// Why `text` is no number, as the end of a sentence: "'1,5' is not a number; write a decimal
/// point".
std::string explain_bad_number(std::string_view text);

}  // namespace linkwright
