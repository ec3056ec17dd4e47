#pragma once
/// Names that callers give, and words that stand for a choice.
///
///     const Axes axes = choose<Axes>("axes", given, {{"own", Axes::own}, {"world", Axes::world}});

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::python {

namespace nb = nanobind;

using Names = std::vector<std::string>;
using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// The text of what is given inside a dictionary or an object; `name` is what a refusal calls it.
std::string to_text(nb::handle given, const char* name);

/// "name: expected 'a', 'b' or 'c'; got 'd'"
[[noreturn]] void refuse_word(const std::string& name, std::string_view given, const Names& known);

template <class Choice>
Choice choose(const std::string& name, std::string_view given,
              std::initializer_list<std::pair<std::string_view, Choice>> known) {
  for (const auto& [word, choice] : known)
    if (word == given) return choice;
  Names words;
  for (const auto& [word, choice] : known) words.emplace_back(word);
  refuse_word(name, given, words);
}

FrameId to_frame(const System& system, std::string_view frame);
Axes to_axes(std::string_view axes);

}  // namespace linkwright::python
