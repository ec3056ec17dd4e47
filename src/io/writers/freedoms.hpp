#pragma once
/// What joints and closures of the kind joint have per freedom.

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/writers/yaml_text.hpp"
#include "linkwright/model/model.hpp"

namespace linkwright::writers {

/// passive, damping, friction, rotor_inertia and limits, as far as there are any.
template <class Pair>
void add_freedoms(const Pair& pair, FlowMap& map);
/// A number, or a map where directions or the start from rest differ.
void add_friction(std::string_view key, const Friction& friction, FlowMap& map);
void add_modes(const std::vector<std::array<double, 6>>& modes, FlowMap& map);

/// Joints and pairs of closures by name, and how a freedom of one is named.
class FreedomNames {
 public:
  explicit FreedomNames(const Model& model);
  /// `freedom: K`, where the joint has several.
  void add_freedom(const std::string& joint, int freedom, FlowMap& map) const;
  /// "wrist", or "wrist:1" where it has several; throws Error where another joint has that name.
  [[nodiscard]] std::string term(const GearTerm& term, const std::string& thing) const;
  [[nodiscard]] bool slides(const std::string& joint, int freedom) const;

 private:
  [[nodiscard]] bool has_several(const std::string& joint) const;

  std::unordered_map<std::string, Joint> joints_;
};

}  // namespace linkwright::writers
