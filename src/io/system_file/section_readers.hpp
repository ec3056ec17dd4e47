#pragma once
/// The readers of a system file's sections: each turns one top-level key into what the Model keeps
/// of it.

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

#include "io/system_file/yaml.hpp"
#include "linkwright/io/read_options.hpp"
#include "linkwright/model/flexible_links.hpp"
#include "linkwright/model/model.hpp"
#include "model/problems.hpp"

namespace linkwright::system_file {

// Values that several sections share.

/// {xyz: …} with `rpy`, `quaternion: [w, x, y, z]` or `rotation`, three rows of three.
Pose read_pose(const Yaml& value);
Pose read_pose(const Yaml& owner, std::string_view key);
/// mass, com and inertia of a link.
void read_inertial(const Yaml& link, Body& body);
Symmetric3 read_inertia(const Yaml& value);
/// One number or {forward: …, backward: …}.
Friction read_friction(const Yaml& value);
std::vector<Limits> read_limits(const Yaml& value);
/// What `joint` has per freedom: passive, damping, friction, rotor_inertia, limits.
template <class Pair>
void read_freedoms(const Yaml& item, Pair& pair);
std::vector<std::array<double, 6>> read_modes(const Yaml& value);
/// A unit axis under `key`, or `missing`.
Vector3 read_axis(const Yaml& owner, std::string_view key, const Vector3& missing,
                  std::string_view thing, Model& model);

/// How a description hangs on the world.
struct BaseChoice {
  Base base = Base::fixed;
  std::optional<FlexibleBase> flexible;
};
BaseChoice read_base(const Yaml& owner);
/// {stiffness: …, damping: …}, without the joint.
FlexibleBase read_flexible_base(const Yaml& value);

/// Reads each item of the list under `key` in a step of its own, so that every item can tell a
/// mistake.
template <class Read>
void read_each(const Yaml& file, std::string_view key, Problems& problems, const Read& read) {
  problems.attempt([&] {
    for (const Yaml& item : file.list(key)) problems.attempt([&] { read(item); });
  });
}

/// The same for links, joints and frames, which others refer to by `name`: one that cannot be read is
/// remembered.
template <class Read>
void read_each_named(const Yaml& file, std::string_view key, Problems& problems, const Read& read) {
  read_each(file, key, problems, [&](const Yaml& item) {
    if (problems.attempt([&] { read(item); })) return;
    const auto name = item.is_map() ? item.find("name") : std::nullopt;
    problems.set_unread(name && name->is_scalar() ? name->text() : std::string{});
  });
}

// Those with `problems` tell it all their mistakes; the others throw the first.

void read_models(const Yaml& file, const std::filesystem::path& folder, const ReadOptions& options,
                 Model& model, Problems& problems);
void read_dh_tables(const Yaml& file, Model& model, Problems& problems);
void read_bodies(const Yaml& file, Model& model, Problems& problems);
void read_joints(const Yaml& file, Model& model, Problems& problems);
void read_objects(const Yaml& file, Model& model, Problems& problems);
void read_frames(const Yaml& file, Model& model, Problems& problems);

/// A name in a file may be a link or a frame; the Model wants a link and a place on it.
class Places {
 public:
  explicit Places(const Model& model);
  struct Place {
    std::string body;
    Pose pose;
  };
  void add(const Frame& frame);
  /// Names that are no frame are returned as they are, for `validate` to judge.
  [[nodiscard]] Place find(const std::string& name) const;

 private:
  std::unordered_map<std::string, Place> frames_;
};

/// A joint may connect frames: puts the links that carry them in their place.
void resolve_ends(const Places& places, Model& model);

class Joints;

/// `flexible_bases: [{joint: …, stiffness: …, damping: …}]`.
void read_flexible_bases(const Yaml& file, const Joints& joints, Model& model, Problems& problems);
/// `visuals` and `collisions`.
void read_shapes(const Yaml& file, const Places& places, Model& model, Problems& problems);

/// Which freedom of a joint is meant: `freedom:` may be left out only where there is one.
int read_freedom(const Yaml& item, const Joint& joint);
/// A list of different joints.
std::vector<std::string> read_joint_names(const Yaml& owner, std::string_view key,
                                          const Joints& joints);

/// Joints by name, with a message for names that are none.
class Joints {
 public:
  enum class Closing { left_out, included };
  /// `included`: the pairs of closures are found too.
  Joints(const Model& model, const Problems& problems, Closing closing = Closing::left_out);
  /// Finds the elastic joints of flexible links too, which `chains` has after those of the model; where they
  /// could not all be made, names of such joints are not judged.
  void add_elastic(const Model& chains, bool are_made);
  /// A Consequence is thrown for a joint that could not be read.
  [[nodiscard]] const Joint& find(const std::string& name, const Yaml& where) const;
  [[nodiscard]] const Joint& find(const Yaml& name) const { return find(name.text(), name); }
  /// Nothing for a name that is none, for `validate` to judge.
  [[nodiscard]] const Joint* look_up(const std::string& name) const;

 private:
  const Model& model_;
  const Problems& problems_;
  std::vector<Joint> closing_, elastic_;
  std::unordered_map<std::string, const Joint*> index_;
  bool has_all_elastic_ = true;
};

void read_closures(const Yaml& file, const Places& places, Model& model, Problems& problems);
void read_grasps(const Yaml& file, Model& model);
void read_springs(const Yaml& file, const Places& places, const Joints& joints, Model& model,
                  Problems& problems);
void read_loads(const Yaml& file, const Places& places, const Joints& joints, Model& model,
                Problems& problems);
void read_actuators(const Yaml& file, const Joints& joints, Model& model, Problems& problems);
/// `network: {components: […]}`.
void read_network(const Yaml& file, Model& model, Problems& problems);
/// `coordinates: [joint, …]`.
void read_coordinates(const Yaml& file, const Joints& joints, Model& model);
/// `cut: [joint, …]`.
void read_cut(const Yaml& file, const Joints& joints, Model& model);
/// `passive: [joint, …]`: marks every freedom of these joints.
void read_passive(const Yaml& file, const Joints& joints, Model& model);
void read_state(const Yaml& file, const Joints& joints, Model& model);
struct FlexibleLinks {
  std::vector<FlexibleLink> list;
  bool is_complete = true;  ///< false: some could not be read
};
FlexibleLinks read_flexible_links(const Yaml& file, const Places& places, Problems& problems);
/// Puts chains of elastic joints in the place of these links; false: not of all.
bool make_chains(const FlexibleLinks& links, Model& model, Problems& problems);

}  // namespace linkwright::system_file
