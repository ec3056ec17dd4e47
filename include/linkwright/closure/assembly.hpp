#pragma once
/// Positions that close every loop, and velocities that keep them closed.
///
///     linkwright::ClosedWorkspace work(system);
///     Eigen::VectorXd q = linkwright::initial_state(system).q;
///     linkwright::AssemblyOptions options{.hold = {"crank"}};     // what assembly may not move
///     linkwright::Assembly result = linkwright::assemble(work, options, q);
///     if (!result.assembled) fmt::print("{}\n", describe(system, result));

#include <string>
#include <vector>

#include "linkwright/closure/kinematics.hpp"

namespace linkwright {

struct AssemblyOptions {
  std::vector<std::string> hold{};  ///< joints that keep the position they are given
  enum class Limits { respect, ignore } limits = Limits::respect;
  double tolerance = 1e-12;  ///< of the largest gap, metres and radians
  /// Other starts to try where the given one leads nowhere: nearby ones first, then anywhere. The
  /// same starts on every machine.
  int restarts = 40;
};

struct Assembly {
  bool assembled = false;
  double residual = 0;          ///< the largest gap that is left
  WorstClosure worst{};         ///< where it is
  std::string beyond_limits{};  ///< a closing joint that no position found keeps within its limits
  std::vector<std::string> moved{};  ///< joints that stand elsewhere than before
  int steps = 0;                     ///< Newton steps, all starts together
};

/// What keeps it from being assembled: "closure 'left' is open by …" or "closing joint 'pin' …".
std::string describe(const System& system, const Assembly& assembly);

/// Moves q to the nearest position found that closes every loop, or, where none is found, to the one
/// with the smallest gaps. Throws Error for a joint to hold that does not exist.
Assembly assemble(ClosedWorkspace& work, const AssemblyOptions& options, VectorRef q);

/// Every way to assemble the mechanism with the held joints where they are, found from `starts` starts
/// and told apart by where the bodies are. One position after the other, nq numbers each, the nearest
/// to q first. Throws Error where the held joints leave freedoms: then there is no end of assemblies.
std::vector<double> find_assemblies(ClosedWorkspace& work, const AssemblyOptions& options,
                                    const ConstVectorRef& q, int starts = 400);

/// Throws Error, naming the closure, unless the position closes every loop and the velocity keeps them
/// closed, to within `tolerance` metres and radians (and their rates, relative to the fastest joint).
void require_closed(ClosedWorkspace& work, const State& state, double tolerance = 1e-8);

/// The velocity nearest to v, in the metric of the mass matrix, that keeps every closure closed at q.
/// Joints to hold keep theirs as far as the closures let them. Returns the largest row of J v that is
/// left.
double project_velocity(ClosedWorkspace& work, const ConstVectorRef& q,
                        const std::vector<std::string>& hold, VectorRef v);

}  // namespace linkwright
