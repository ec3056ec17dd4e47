#pragma once
/// What the names of coordinates, inputs and outputs mean.

#include <optional>
#include <string_view>

#include "linear/full_model.hpp"

namespace linkwright::linear {

/// Six components of something, by their names.
struct Components {
  std::string_view kind;  // "frame"
  std::string_view names[6];
  int row[6];  // of [angular; linear]
};
inline constexpr Components displacement_of_frame{
    "frame", {"x", "y", "z", "rx", "ry", "rz"}, {3, 4, 5, 0, 1, 2}};
inline constexpr Components velocity_of_frame{
    "velocity", {"wx", "wy", "wz", "vx", "vy", "vz"}, {0, 1, 2, 3, 4, 5}};
inline constexpr Components acceleration_of_frame{
    "acceleration", {"alphax", "alphay", "alphaz", "ax", "ay", "az"}, {0, 1, 2, 3, 4, 5}};
inline constexpr Components force_at_frame{
    "force", {"nx", "ny", "nz", "fx", "fy", "fz"}, {0, 1, 2, 3, 4, 5}};
inline constexpr Components force_in_closure{
    "closure", {"mx", "my", "mz", "fx", "fy", "fz"}, {0, 1, 2, 3, 4, 5}};

/// "frame:tip:x" taken apart; `index` of the frame or closure.
struct Component {
  int index = 0;
  int number = 0;  // 0 … 5, in the order of the names
};
/// All that a request of that kind means: one, or six for a name alone. Nothing for other kinds. Throws
/// Error for a frame or closure that does not exist.
std::optional<std::vector<Component>> find_components(const System& system, const Components& of,
                                                      const std::string& request);
std::string name_of(const System& system, const Components& of, const Component& one);

/// Whether no motor pushes an effort of System::effort_names.
bool is_passive(const System& system, int effort);

/// Entries of `names` that "q", "q:JOINT" or "q:JOINT:0" mean; nothing where `request` is of another kind.
std::optional<std::vector<int>> find_entries(std::string_view letter,
                                             const std::vector<std::string>& names,
                                             const std::string& request);

}  // namespace linkwright::linear
