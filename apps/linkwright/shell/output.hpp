#pragma once
/// Everything that leaves the program: messages on stderr, results on stdout. Files are
/// linkwright/io/output_file.hpp.

#include <string>
#include <string_view>
#include <vector>

#include "linkwright/error.hpp"

namespace linkwright::app {

/// "error: …", "warning: …", "note: …" on stderr, in colour on a terminal unless NO_COLOR is set.
void report_error(std::string_view message);
void report_warning(std::string_view message);
void report_note(std::string_view message);
/// One line per mistake, and the rest as notes.
void report_error(const Error& error);
/// No warning is reported from here on (--quiet).
void silence_warnings();

/// Writes to stdout; throws Error when that is not possible (a full disk).
void print(std::string_view text);
/// `text` in bold when stdout is a terminal and NO_COLOR is not set.
std::string bold(std::string_view text);

/// "1 joint", "2 bodies".
std::string counted(std::size_t count, std::string_view one, std::string_view many);
/// Columns in short, by what stands before their first colon: "'time', 'v' (7 columns)".
std::string grouped(const std::vector<std::string>& columns);
/// A name with its control characters written as \xNN, so that it cannot garble a terminal.
std::string printable(std::string_view name);

}  // namespace linkwright::app
