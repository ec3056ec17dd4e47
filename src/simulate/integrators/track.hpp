#pragma once
/// The last step of a method with fixed steps: both ends with their rates, and what lies between.

#include "simulate/equations/rates.hpp"

namespace linkwright {

/// Given both ends (q, v, v̇, extra states and their rates), gives the state between them: quintic
/// Hermite in plain coordinates, cubic Hermite in the twist that leads from one pose to the other
/// for quaternion joints, on the constraints. As accurate as a step of order 4, and exact at both
/// ends.
class Track {
 public:
  explicit Track(Rates& rates);

  /// Starts a step at `now`: copies it and makes its rates known.
  void begin(const FullState& now);
  /// Ends the step at `now`; its rates are computed only when somebody asks.
  void end(const FullState& now);
  /// The rates at the end are no longer those of the next beginning. What lies between stays as it is.
  void forget() { goes_on_ = false; }
  /// Computes the rates at the end, unless they are known.
  void make_rates_known();
  /// Somebody else has computed them.
  void learn_rates(const FullState& now, const Eigen::VectorXd& a,
                   const Eigen::VectorXd& extra_rates);

  [[nodiscard]] const FullState& from() const { return from_; }
  [[nodiscard]] const Eigen::VectorXd& a_from() const { return a_from_; }
  [[nodiscard]] const Eigen::VectorXd& extra_rate_from() const { return extra_from_; }

  void interpolate(double t, FullState& out);

 private:
  void count_learned();
  void interpolate_plain(const JointPlace& joint, double s, double h, State& out) const;
  void interpolate_pose(const JointPlace& joint, double s, double h, State& out) const;

  Rates* rates_;
  FullState from_, to_;
  Eigen::VectorXd a_from_, a_to_, extra_from_, extra_to_;
  bool goes_on_ = false;   // whether the next step begins with the rates at the end of this one
  bool to_known_ = false;  // whether a_to_ and extra_to_ belong to to_
  bool learned_ = false;   // and were computed by somebody else, who did not count
};

}  // namespace linkwright
