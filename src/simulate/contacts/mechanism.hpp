#pragma once
/// A mechanism as its contacts see it: accelerations under efforts, and how freedoms respond to them.

#include <cstdint>
#include <functional>
#include <span>

#include "linkwright/closure/workspace.hpp"
#include "linkwright/simulate/contacts.hpp"

namespace linkwright {

class ContactMechanism {
 public:
  virtual ~ContactMechanism() = default;

  [[nodiscard]] virtual const System& system() const = 0;
  /// Under efforts on the joints (those of closing motors behind them) and on all closing freedoms.
  virtual void accelerate(const State& state, const Eigen::VectorXd& tau,
                          const Eigen::VectorXd& closing, ExternalForces forces, VectorRef a) = 0;
  /// Coordinates and rates of closing freedoms.
  virtual void read_closing(const State& state, Eigen::VectorXd& x, Eigen::VectorXd& w) = 0;

  /// Accelerations, and the forces f on the freedoms `held` under which these have none. Answers whether it
  /// did: otherwise they follow from the response.
  virtual bool hold(const State& state, const Eigen::VectorXd& tau, const Eigen::VectorXd& closing,
                    ExternalForces forces, const std::vector<ContactFreedom>& freedoms,
                    std::span<const int> held, VectorRef a, Eigen::VectorXd& f) = 0;
  /// The response at q to unit efforts on some freedoms: columns() and response(), one column each.
  virtual void respond(const State& state, const std::vector<ContactFreedom>& freedoms,
                       std::span<const int> which) = 0;
  /// Accelerations of the joints.
  [[nodiscard]] const Eigen::MatrixXd& columns() const { return columns_; }
  /// Accelerations of these freedoms.
  [[nodiscard]] const Eigen::MatrixXd& response() const { return response_; }
  /// Of the same freedoms under the joints' accelerations a; after `respond` at the same state.
  virtual void read_accelerations(const State& state, const ConstVectorRef& a,
                                  const std::vector<ContactFreedom>& freedoms,
                                  std::span<const int> which, Eigen::VectorXd& out) = 0;
  /// Whether accelerations must be asked for again once the forces that hold are known, because more than
  /// they follow from them.
  [[nodiscard]] virtual bool wants_last_word() const { return false; }
  /// Freedoms of the whole where it last accelerated; −1 where some of its motion is given, or this is not
  /// known.
  [[nodiscard]] virtual int mobility() const { return -1; }
  /// A number that stays while nothing is computed.
  [[nodiscard]] virtual std::uint64_t computations() const { return 0; }

 protected:
  Eigen::MatrixXd columns_, response_;
};

/// The system that contacts work with; null where there are none.
std::unique_ptr<const System> without_friction(const System& system, Closures closures);

/// Of a tree without friction of its own.
std::unique_ptr<ContactMechanism> make_tree_mechanism(Workspace& work, std::size_t most);

/// Of a closed system; `accelerate` computes its accelerations, given motions included, with the efforts
/// that ClosedWorkspace::closing_efforts holds; `driven`: whether there are given motions.
using AccelerateClosed = std::function<void(const State& state, const Eigen::VectorXd& tau,
                                            ExternalForces forces, VectorRef a)>;
std::unique_ptr<ContactMechanism> make_closed_mechanism(ClosedWorkspace& work,
                                                        const std::vector<ContactFreedom>& freedoms,
                                                        AccelerateClosed accelerate, bool driven);

}  // namespace linkwright
