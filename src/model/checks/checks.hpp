#pragma once
/// The steps of `validate`, in the order in which they may rely on each other.

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "linkwright/model/model.hpp"
#include "model/problems.hpp"
#include "model/tree_growth.hpp"

namespace linkwright::checks {

/// In place of an index: there is none.
inline constexpr std::size_t none = TreeGrowth::none;

/// What the names of a model mean, and which joints carry its links.
struct Names {
  NameIndex bodies, joints, frames;
  TreeGrowth tree;
  std::unordered_set<std::string_view>
      doubled_bodies;        ///< told as such; references may mean either
  const Problems* problems;  ///< knows which names could not be read
};

// Each step tells all its mistakes to `problems`.
Names check_names(const Model& model, Problems& problems);
void check_tree(const Model& model, const Names& names, Problems& problems);
void check_bodies(const Model& model, Problems& problems);
void check_inertias(const Model& model, const Names& names, Problems& problems);
void check_joints(const Model& model, Problems& problems);
void check_frames(const Model& model, const Names& names, Problems& problems);
/// Joints that close loops, and `cut`.
void check_loops(const Model& model, const Names& names, Problems& problems);
/// The latter alone.
void check_cut(const Model& model, const Names& names, Problems& problems);
void check_closures(const Model& model, const Names& names, Problems& problems);
void check_grasps(const Model& model, const Names& names, Problems& problems);
void check_shapes(const Model& model, const Names& names, Problems& problems);
void check_springs_and_loads(const Model& model, const Names& names, Problems& problems);
/// Stiffness and damping on a free joint, symmetric and positive semidefinite.
void check_flexible_base(const FlexibleBase& base, const Model& model, const Names& names);
/// Springs and loads that nothing feels.
void warn_of_idle(const Model& model, const Names& names, Problems& problems);
void check_actuation(const Model& model, const Names& names, Problems& problems);
/// Components with a meaning, names of their own, joints that are there, and nodes of one domain each.
void check_network(const Model& model, const Names& names, Problems& problems);
void check_initial_state(const Model& model, const Names& names, Problems& problems);
void warn_of_massless_links(const Model& model, const Names& names, Problems& problems);

/// Which links are welded together, by fixed joints of the tree or by the choice of a base.
class Welded {
 public:
  Welded(const Model& model, const Names& names);

  /// Whether two links move as one; never for a name that is unknown.
  [[nodiscard]] bool together(const std::string& a, const std::string& b) const;
  [[nodiscard]] bool to_the_world(const std::string& body) const {
    return together(body, std::string(world_name));
  }

 private:
  [[nodiscard]] std::optional<std::size_t> number(const std::string& body) const;

  const Names& names_;
  std::vector<std::size_t>
      numbers_;  // per body, the world last: the same for those that move as one
};

/// Where mass and inertia of a link are given.
const Source& inertial_place(const Body& body);

/// "spring 'coil'", or its number in the list when it has no name.
std::string line_spring_text(const Model& model, std::size_t index);

// Small judgements that several steps share. Each throws an Error that begins with `thing`.

void require_finite(const Source& where, std::string_view thing, std::string_view what,
                    double value);
void require_finite(const Source& where, std::string_view thing, std::string_view what,
                    const Vector3& value);
void require_finite(const Source& where, std::string_view thing, std::string_view what,
                    const Pose& value);
void require_not_negative(const Source& where, std::string_view thing, std::string_view what,
                          double value);
/// What it takes to start from rest is no less than what resists motion.
void check_breakaway(const Source& where, std::string_view thing, const Friction& friction);
/// Restitution, stiffness and damping of the stops at a joint's limits.
void check_stop(const Source& where, std::string_view thing, const Limits& limits);
/// Throws for a zero axis, warns of one that is not unit.
void check_axis(const Source& where, std::string_view thing, std::string_view what,
                const Vector3& axis, std::vector<Warning>& warnings);
void check_modes(const Source& where, std::string_view thing,
                 const std::vector<std::array<double, 6>>& modes);

/// Throws unless `name` is "world" or a body; a Consequence when the body could not be read.
void require_body(const Source& where, std::string_view thing, std::string_view role,
                  const std::string& name, const Model& model, const Names& names);
/// The joint of that name; throws when there is none, a Consequence when it could not be read.
const Joint& require_joint(const Source& where, std::string_view thing, const std::string& name,
                           const Model& model, const Names& names);
/// The same, and it moves.
const Joint& require_moving(const Source& where, std::string_view thing, const std::string& name,
                            const Model& model, const Names& names);
/// The same, or the pair of a closure of that name.
Joint require_moving_pair(const Source& where, std::string_view thing, const std::string& name,
                          const Model& model, const Names& names);
/// Lists with one entry per freedom have that many, or one.
void check_entry_counts(const Joint& joint, std::string_view thing);
void require_freedom(const Source& where, std::string_view thing, const Joint& joint, int freedom);
/// Different joints that move.
void check_joint_list(const Source& where, const std::vector<std::string>& list,
                      std::string_view thing, const Model& model, const Names& names);

}  // namespace linkwright::checks
