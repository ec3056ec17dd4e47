#pragma once
/// Random mechanisms under everything that a model can declare to push on its joints and bodies.

#include "support/random_model.hpp"

namespace linkwright::testing {

/// Symmetric, positive definite and full: A Aᵀ with a diagonal about `size`.
inline PoseMatrix coupled_matrix(RandomModel& random, double size) {
  PoseMatrix out;
  std::array<std::array<double, 6>, 6> A{};
  for (auto& row : A)
    for (double& x : row) x = random.between(-1, 1);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t k = 0; k < 6; ++k) out.rows[i][j] += 0.5 * size * A[i][k] * A[j][k];
  return out;
}

/// A tree with everything that a model can declare.
inline Model with_all_forces(RandomModel& random, Base base) {
  Model model = random.tree(12, base, all_joint_types());
  for (Joint& joint : model.joints) {
    if (velocity_count(joint) == 0) continue;
    joint.damping = {random.between(0, 1)};
    joint.friction = {{random.between(0, 1), random.between(0, 1)}};
    joint.rotor_inertia = {random.between(0, 0.5)};
    if (joint.type == JointType::custom && !modes_commute(joint)) continue;
    const bool plain = position_count(joint) == velocity_count(joint);
    for (int i = 0; i < velocity_count(joint); ++i)
      model.joint_springs.push_back({joint.name,
                                     i,
                                     random.between(1, 9),
                                     random.between(0, 1),
                                     plain ? random.between(-1, 1) : 0,
                                     {}});
    model.joint_loads.push_back({joint.name, 0, random.between(-3, 3), {}});
  }
  model.line_springs = {
      {"a", "body1", "body5", random.vector(0.3), random.vector(0.3), 40, 2, 0.2, {}},
      {"b", "world", "body3", random.vector(0.3), random.vector(0.3), 30, 1, 0, {}},
      {"c", "body7", "world", random.vector(0.3), random.vector(0.3), 20, 0, 0.7, {}}};
  model.body_loads = {
      {"body4", {random.vector(2), random.vector(2)}, random.vector(0.3), true, {}},
      {"body6", {random.vector(2), random.vector(2)}, random.vector(0.3), false, {}}};
  if (base == Base::free)
    model.flexible_bases = {{"base", coupled_matrix(random, 7), coupled_matrix(random, 3)}};
  return model;
}

}  // namespace linkwright::testing
