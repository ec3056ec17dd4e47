#pragma once
/// What components of a network are called, and what their wires mean.
///
///     const linkwright::NetworkWords& words = linkwright::words_of(linkwright::NetworkComponent::Kind::spring);
///     std::cout << words.name << ": " << words.value_key << " in " << words.unit << '\n';   // spring: stiffness in …

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

/// What a kind of component is called and has.
struct NetworkWords {
  NetworkComponent::Kind kind;
  std::string_view name;         ///< in files: "voltage_source"
  std::string_view value_key;    ///< in files: "voltage"; empty: `ratios`
  std::string_view unit;         ///< of the value
  std::string_view initial_key;  ///< empty: it stores nothing
  enum class Range { any, positive, not_zero } range;
  bool is_electrical;  ///< of a component with one port
  std::vector<std::string_view>
      ports;  ///< of one with several; empty: one port, or as many as ratios
};
std::span<const NetworkWords> network_vocabulary();
const NetworkWords& words_of(NetworkComponent::Kind kind);
/// Whether it gives a voltage, current, speed or torque from outside.
bool is_source(NetworkComponent::Kind kind);
/// Whether port `port` belongs to a circuit, not to a shaft.
bool is_electrical(const NetworkComponent& component, std::size_t port);
/// The name of a port, "electrical"; empty where there is only one.
std::string port_name(const NetworkComponent& component, std::size_t port);

/// Throws Error naming the component, unless its value, its number of wires and their ends have a meaning.
void check_component(const NetworkComponent& component);

/// A freedom of a joint, or of a closure's pair, as a shaft.
struct JointPort {
  std::string joint{};
  int freedom = 0;
  std::string node{};  ///< its one name: "joint:NAME:K" where the joint has several freedoms
};
/// What "joint:NAME" or "joint:NAME:K" means; throws Error that begins with `thing`. Nothing for other nodes.
std::optional<JointPort> to_joint_port(const Model& model, std::string_view node,
                                       const Source& source, const std::string& thing);
/// The freedoms that the components of a model are wired to, each once, in order of their appearance; names that
/// mean none are left to `validate`.
std::vector<JointPort> used_joints(const Model& model);

}  // namespace linkwright
