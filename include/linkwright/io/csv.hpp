#pragma once
/// Lines of comma-separated values, written and read the same way by every part of the library.
///
///     std::string line;
///     linkwright::append_csv_numbers(line, std::vector{0.1, 0.2});   // 17 digits: nothing is lost
///     std::vector<std::string> fields = linkwright::split_csv(line, {"states.csv", 2});

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/error.hpp"

namespace linkwright {

/// Appends a line of names, in quotes where their text needs them.
void append_csv_names(std::string& text, std::span<const std::string> names);
/// Appends a line of numbers with 17 digits.
void append_csv_numbers(std::string& text, std::span<const double> numbers);

/// The fields of one line; a field in double quotes may hold commas and doubled quotes. Throws
/// Error at `where` for a quote that is not closed.
std::vector<std::string> split_csv(std::string_view line, const Source& where);

}  // namespace linkwright
