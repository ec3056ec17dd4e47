#pragma once
/// Closed mechanisms that others published: a URDF with a list of frames that coincide when its loops are
/// closed, from the shared folder.

#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "linkwright/io/read_model.hpp"

namespace linkwright::testing {

/// The words in quotes on the line of that key.
inline std::vector<std::string> quoted_words(const std::filesystem::path& file,
                                             const std::string& key) {
  std::ifstream in(file);
  std::string line;
  std::vector<std::string> words;
  while (std::getline(in, line)) {
    if (!line.starts_with(key + ":")) continue;
    const std::regex word("'([^']*)'");
    for (std::sregex_iterator i(line.begin(), line.end(), word), end; i != end; ++i)
      words.push_back((*i)[1]);
  }
  return words;
}

/// FILE.urdf with the closures of FILE.closures.yaml, which names links, or joints for what they carry:
/// "6d" welds two frames, "3d" lets their origins meet. Without damping and friction.
inline Model read_shared_closed(const std::filesystem::path& closures) {
  const std::string stem = closures.stem().stem().string();
  Model model = read_model((closures.parent_path() / (stem + ".urdf")).string());
  for (Joint& joint : model.joints) joint.damping.clear(), joint.friction.clear();
  const auto link = [&model](const std::string& name) {
    for (const Body& body : model.bodies)
      if (body.name == name) return name;
    for (const Joint& joint : model.joints)
      if (joint.name == name) return joint.child;
    throw std::runtime_error("no link or joint " + name);
  };
  const auto frames = quoted_words(closures, "closed_loop"), types = quoted_words(closures, "type");
  for (std::size_t i = 0; i < types.size(); ++i) {
    Closure closure{.name = "loop" + std::to_string(i + 1)};
    closure.body_a = link(frames.at(2 * i)), closure.body_b = link(frames.at(2 * i + 1));
    closure.joint = types[i] == "3d" ? JointType::spherical : JointType::fixed;
    model.closures.push_back(closure);
  }
  return model;
}

}  // namespace linkwright::testing
