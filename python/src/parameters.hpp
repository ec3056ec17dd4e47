#pragma once
/// Parameters of the coordinates room by their names.

#include <string>
#include <vector>

#include "linkwright/coordinates/influence.hpp"
#include "linkwright/coordinates/regressor.hpp"
#include "results.hpp"

namespace linkwright::python {

std::vector<std::string> names_of(const coordinates::Parameters& parameters);
/// "rotor", "damping", "friction"; throws Error for another word.
std::vector<coordinates::JointParameter> to_joint_parameters(const std::vector<std::string>& names);

/// "a, b, c", or the first of many.
inline std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += ", … (" + std::to_string(names.size()) + ")";
  return text.empty() ? "nothing" : text;
}

}  // namespace linkwright::python
