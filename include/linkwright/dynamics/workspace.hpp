#pragma once
/// Every scratch array of the algorithms, allocated once. One per thread.
///
///     linkwright::Workspace work(system);          // after this, nothing allocates

#include <memory>
#include <span>

#include "linkwright/system/closures.hpp"

namespace linkwright {

struct BundledScratch;
struct CoriolisScratch;
template <class T>
struct DerivativeScratch;

class Workspace {
 public:
  /// The System must outlive the Workspace. Throws Error for a system with closures or grasps unless
  /// told to leave them out.
  explicit Workspace(const System& system, Closures closures = Closures::refuse);
  explicit Workspace(System&&, Closures = Closures::refuse) = delete;
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  [[nodiscard]] const System& system() const { return *system_; }
  /// For the library's own sweeps.
  [[nodiscard]] BundledScratch& scratch() { return *scratch_; }
  [[nodiscard]] const BundledScratch& scratch() const { return *scratch_; }
  [[nodiscard]] CoriolisScratch& coriolis() { return *coriolis_; }
  [[nodiscard]] DerivativeScratch<double>& derivatives() { return *derivatives_; }
  /// One per body of the model, for the library's own use.
  [[nodiscard]] std::span<Force> body_forces();
  /// nv numbers for the library's own use between two calls.
  [[nodiscard]] std::span<double> spare();
  /// q and behind it v of the last kinematics, for the library's own readers (Held::state).
  [[nodiscard]] std::span<double> placed();
  [[nodiscard]] std::span<const double> placed() const;

 private:
  const System* system_;
  std::unique_ptr<BundledScratch> scratch_;
  std::unique_ptr<CoriolisScratch> coriolis_;
  std::unique_ptr<DerivativeScratch<double>> derivatives_;
  std::unique_ptr<double[]> spare_, placed_;
  std::unique_ptr<Force[]> body_forces_;
};

}  // namespace linkwright
