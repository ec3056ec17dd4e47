#pragma once
/// Closed mechanisms that the libraries are compared on, and states in which their loops are closed.

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "linkwright/dynamics/state.hpp"
#include "peers/closed_peer.h"
#include "peers/layout.hpp"

namespace bench {

struct ClosedCase {
  std::string name{};
  linkwright::Model model{};
  /// For libraries that know points and frames only, where that is another model; same tree.
  std::optional<linkwright::Model> for_peers{};
  /// Times as fast as P_c: the least that is asked, and what is aimed at. 0: for information.
  double asked = 0, aim = 0;
  /// The same of a batch of 4096, per state. 0: no batch is run.
  double batch_asked = 0, batch_aim = 0;
  int loops = 0;  ///< of a chain of four-bars
  int states = 64;
  /// How far the fastest joint is from its initial position, at most; radians and metres.
  double spread = 0.7;
};

/// Arms with seven joints each in a circle, on the world or on a body that floats, all with one box in their
/// hands; in its initial position it is closed.
enum class Stand { on_world, floats };
enum class Hold { by_welds, by_grasps };
linkwright::Model arms_and_object(int count, Stand stand, Hold hold);

/// Those whose name contains `only`. A line says which are skipped for want of their files.
std::vector<ClosedCase> closed_cases(const std::string& only);

/// A System in the neutral form, and where its numbers stand in the common order.
class NeutralClosed {
 public:
  /// Closures of `model` must be welds and balls.
  NeutralClosed(const linkwright::System& system, const linkwright::Model& model);

  std::vector<PeerBody> bodies;
  std::vector<PeerClosure> closures;

  void append_position(const Eigen::VectorXd& q, std::vector<double>& out) const;
  void append_freedoms(const Eigen::VectorXd& x, std::vector<double>& out) const;
  [[nodiscard]] Eigen::VectorXd freedoms(const double* common) const;

 private:
  std::vector<int> q_, v_;  // entry of the System, by entry of the common order
};

struct ClosedState {
  linkwright::State state;
  Eigen::VectorXd tau;
};
/// Random states that close every loop, away from where a row gets lost.
std::vector<ClosedState> closed_states(const linkwright::System& system, const ClosedCase& which);

}  // namespace bench
