#pragma once
/// One-sided contacts during a run: their margins, those that let go, and the least margin so far.

#include <functional>
#include <vector>

#include "linkwright/simulate/simulation.hpp"
#include "simulate/equations/rates.hpp"

namespace linkwright {

class SlipWatch {
 public:
  explicit SlipWatch(Rates& rates);

  [[nodiscard]] int count() const { return static_cast<int>(grasps_.size()); }
  [[nodiscard]] bool empty() const { return grasps_.empty(); }

  /// Until a run has begun nothing is asked of the rates: there may be no state worth it.
  [[nodiscard]] bool begun() const { return begun_; }
  void begin() { begun_ = true, forget(); }
  void end() { begun_ = false, forget(); }
  /// Inputs or equations have changed: what is known of the state asked for last holds no more.
  void forget() { known_ = false; }

  /// Positive while a contact holds: its margin, and what rounding may make of zero. Of those released 1.
  double value(int contact, const FullState& at);
  [[nodiscard]] bool is_released(int contact) const;
  [[nodiscard]] std::string name(int contact) const;

  /// A contact lets go at a state: keeps that for the statistics, and tells it; the first 200 times.
  std::string note(int contact, const FullState& at);
  /// The worst of all contacts that are outside their cones lets go, is told, and the others are looked at again
  /// without it; those that are outside alike go together. `fired` are at the edge, and count as outside at first.
  using Tell = std::function<void(const std::string& what)>;
  void release(std::vector<int> fired, const FullState& now, const Tell& tell);
  /// The least margin, at the end of a step.
  void look(const FullState& now);

  void report(SimulationStatistics& statistics) const;

 private:
  void evaluate(const FullState& at);
  void release(int contact, const FullState& now);
  [[nodiscard]] const Grasp& grasp(int contact) const;
  [[nodiscard]] const ContactForce& carried(int contact) const;
  /// Forces of this size are nothing beside those that act.
  [[nodiscard]] double rounding() const;

  Rates* rates_;
  std::vector<int> grasps_;  // those with friction
  std::vector<ContactForce> carried_;
  double mass_ = 0;
  bool begun_ = false, known_ = false;
  FullState at_;
  Eigen::VectorXd a_, extra_rates_;
  std::vector<Slip> slips_;
  std::optional<LeastMargin> least_;
};

}  // namespace linkwright
