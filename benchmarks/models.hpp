#pragma once
/// Generated mechanisms in the neutral form every peer understands: the same for all, from no file.

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "linkwright/model/model.hpp"
#include "peers/layout.hpp"

namespace bench {

/// Owns the names its bodies point to, hence not copied.
struct BenchModel {
  std::string name;
  std::vector<PeerBody> bodies;
  std::deque<std::string> body_names;

  explicit BenchModel(std::string model_name) : name(std::move(model_name)) {}
  BenchModel(BenchModel&&) = default;
  BenchModel(const BenchModel&) = delete;

  [[nodiscard]] peers::Layout layout() const {
    return {bodies.data(), static_cast<int>(bodies.size())};
  }
};

/// An arm with the alternating axes of common 6- and 7-joint arms, every joint about its own z.
BenchModel arm(int joints);
/// Revolute joints in one line, axes x, y or z at random.
BenchModel chain(int joints);
/// A tree whose bodies hang from random earlier ones; with a free base when asked for.
enum class Base { fixed, free };
BenchModel random_tree(int joints, Base base);

/// A body and the joint that carries it, parent and name aside.
PeerBody to_peer_body(const linkwright::Body& body, const linkwright::Joint& joint);

/// A model file, without what only some of the peers know: damping, friction, closures. Empty when
/// the file is not there (a line says so).
std::optional<BenchModel> from_file(const std::string& name, const std::string& path, Base base);

/// States for a model, one after the other in the common order.
struct States {
  int count;
  std::vector<double> q, v, a, tau;
};
States random_states(const peers::Layout& layout, const BenchModel& model, int count);

}  // namespace bench
