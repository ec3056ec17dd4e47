#pragma once
/// Lengths of the drawing, in pixels.

namespace linkwright::network::measures {

inline constexpr double margin = 24, top = 74, row_gap = 16, column_gap = 44;
inline constexpr double title = 22, terminal_gap = 22, least_width = 84;
inline constexpr double stub = 54;                                  // what hangs at a mass centre
inline constexpr double rung = 18, on_rail = 24, rung_length = 74;  // of ladders
inline constexpr double wire_end = 40;                              // of a label with its sign
inline constexpr double load = 56, hook = 60, lead = 16;

}  // namespace linkwright::network::measures
