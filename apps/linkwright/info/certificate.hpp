#pragma once
/// What `info` says about the loops of a closed system.

#include <string>
#include <vector>

#include "linkwright/closure/mobility.hpp"
#include "shell/json.hpp"

namespace linkwright::app {

/// At the file's state, assembled.
struct Certificate {
  bool assembled = false;
  std::string trouble{};  ///< why not
  Mobility mobility{};
  /// Forces that the closures hold against each other: each a force per closure, what a applies to b.
  std::vector<std::vector<Force>> internal{};
};
Certificate certify(const System& system);

/// Adds mobility, grubler, rank, rows, redundant_constraints, idle_freedoms, independent, loops,
/// clusters, singular, smallest_singular_value and more.
void add_certificate(Json& info, const System& system, const Certificate& certificate);
std::string certificate_text(const System& system, const Certificate& certificate);
/// What deserves a warning.
std::vector<std::string> certificate_warnings(const Certificate& certificate);

}  // namespace linkwright::app
