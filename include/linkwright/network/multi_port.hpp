#pragma once
/// A mechanism reduced to its terminal behaviour at chosen ports: what another network needs to know of it.
///
///     const MechanismPort ports[]{frame_port(system, "flange"), shaft_port(system, "shoulder")};
///     const MultiPort arm = compute_multi_port(work, state, tau, {}, ports);
///     const MultiPort both = join(arm, tool, {{"flange", "grip"}});      // used as a component elsewhere
///
/// At an instant, with ẋ the accelerations at the ports and y what acts on the mechanism there,
///   ẋ = Λ y + β   (Thévenin),    y = Λ⁻¹ ẋ − Λ⁻¹ β   (Norton, where Λ is regular)
/// Shafts are freedoms of joints: acceleration and effort. Frames have [ω̇; v̇] of their axes and origin, and a
/// wrench [N; F] there, both in world axes.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linkwright/network/dynamics.hpp"

namespace linkwright::network {

struct MechanismPort {
  std::string name{};
  int entry = -1;   ///< a shaft: of v; −1: a frame
  FrameId frame{};  ///< of a frame

  [[nodiscard]] int size() const { return entry < 0 ? 6 : 1; }
};
/// Throw Error with the closest name for one that is not there.
MechanismPort shaft_port(const System& system, std::string_view joint, int freedom = 0);
MechanismPort frame_port(const System& system, std::string_view frame);

class MultiPort {
 public:
  struct Port {
    std::string name{};
    int first = 0, size = 0;  ///< its numbers in ẋ and y
  };
  struct Parts;
  explicit MultiPort(std::unique_ptr<Parts> parts);
  ~MultiPort();
  MultiPort(MultiPort&&) noexcept;
  MultiPort& operator=(MultiPort&&) noexcept;

  [[nodiscard]] const std::vector<Port>& ports() const;
  /// The port of that name; throws Error with the closest name.
  [[nodiscard]] const Port& port(std::string_view name) const;
  [[nodiscard]] int size() const;  ///< numbers in ẋ
  [[nodiscard]] const Eigen::MatrixXd& Lambda() const;
  [[nodiscard]] const Eigen::VectorXd& beta() const;
  /// ẋ for y.
  void compute_accelerations(const ConstVectorRef& y, VectorRef x_rate) const;
  /// y = P ẋ + u. Throws Error naming a port where Λ is singular: a motion there meets no inertia that gives way.
  void compute_norton(MatrixRef P, VectorRef u) const;

 private:
  std::unique_ptr<Parts> parts_;
};

/// At a state, with efforts and forces that act besides those of the ports. Closures hold. Throws Error for a port
/// that is there twice.
MultiPort compute_multi_port(NetworkWorkspace& work, const State& state, const ConstVectorRef& tau,
                             ExternalForces forces, std::span<const MechanismPort> ports);

/// Two joined at pairs of ports (one of `a`, one of `b`): they accelerate alike, and what one gives the other takes.
/// The ports that are left, those of `a` first, keep their names. For the joint to last the ports must be in one
/// place and move alike. Throws Error for a port joined twice, for two of different size, and for names that
/// meet.
using PortPairs = std::span<const std::pair<std::string, std::string>>;
MultiPort join(const MultiPort& a, const MultiPort& b, PortPairs pairs);
inline MultiPort join(const MultiPort& a, const MultiPort& b,
                      std::initializer_list<std::pair<std::string, std::string>> pairs) {
  return join(a, b, PortPairs(pairs.begin(), pairs.size()));
}

}  // namespace linkwright::network
