#pragma once
/// A closed mechanism at a state, with what the closures' own path says of it and its operators.

#include <Eigen/Dense>

#include "closure/random_mechanism.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/dynamics.hpp"
#include "linkwright/operators/factorization.hpp"
#include "linkwright/operators/forward_dynamics.hpp"
#include "support/condition.hpp"

namespace linkwright::testing {

/// Gᵀ M G with the rotors: the mass matrix as the operators write it.
inline const auto mass_operator = operators::H * operators::phi * operators::M *
                                      transpose(operators::phi) * transpose(operators::H) +
                                  operators::R;

/// Random mechanisms with 1 to 6 loops on fixed, free and planar bases; every second one with forces and
/// rotors on its closing joints, every third one with a gear.
inline ClosedMechanism mechanism_of(unsigned seed) {
  RandomMechanism random(seed);
  ClosedMechanism made = random.closed(random.integer(3, 9), random.integer(1, 6),
                                       static_cast<Base>(random.integer(0, 2)), all_joint_types());
  if (seed % 2 == 1) random.enliven(made.model);
  if (seed % 3 != 0) return made;
  const System system = compile(made.model);
  std::vector<const JointPlace*> plain;
  for (const JointPlace& joint : system.joints())
    if (joint.nq == 1 && joint.nv == 1) plain.push_back(&joint);
  if (plain.size() < 2) return made;
  Closure gear{.name = "gear", .kind = Closure::Kind::gear};
  gear.leader = plain.front()->name, gear.follower = plain.back()->name;
  gear.ratio = random.between(0.5, 2);
  gear.offset = made.q[plain.back()->q] - gear.ratio * made.q[plain.front()->q];
  made.model.closures.push_back(gear);
  return made;
}

struct ClosedCase {
  ClosedCase(const Model& model, const Eigen::VectorXd& q, unsigned seed)
      : system(compile(model)), work(system), state(system), at(system) {
    RandomModel random(seed);
    state.q = q;
    state.v = random.numbers(system.nv());
    project_velocity(work, q, {}, state.v);
    tau = random.numbers(system.effort_count());
    for (const int passive : system.passive_freedoms()) tau[passive] = 0;
    at.update(state, tau);
    count = static_cast<int>(at.independent().size());
    G.resize(system.nv(), count), g.resize(system.nv()), mass.resize(count, count);
    compute_coordinate_map(work, state, at.independent(), G, g);
    compute_mass_matrix(work, state, at.independent(), mass);
    const double choice = at.conditioning() * at.conditioning();
    sharp = 64 * epsilon * static_cast<double>(system.tree().nodes.size()) / choice;
    bound = 64 * epsilon * condition_of_closed(work, q) / choice;
  }
  System system;
  ClosedWorkspace work;
  State state;
  operators::Operators at;
  Eigen::VectorXd tau;
  int count = 0;
  Eigen::MatrixXd G, mass;
  Eigen::VectorXd g;
  /// How far the sweeps and products of matrices may be apart: rounding per node, as much magnified as the
  /// independents magnify.
  double sharp = 0;
  /// The same for accelerations, which the closures' path finds from equations of its own.
  double bound = 0;

  /// An expression column by column through its sweeps.
  template <class X>
  Eigen::MatrixXd swept(X expression) {
    Eigen::MatrixXd out(at.size(X::range), at.size(X::domain));
    for (Eigen::Index i = 0; i < out.cols(); ++i)
      out.col(i) = apply(expression, at, Eigen::VectorXd::Unit(out.cols(), i));
    return out;
  }
};

}  // namespace linkwright::testing
