/// Keys that write_system_file needs beside those that people type, and lists of closures in files of their own.

#include "apps/every_key_changes.hpp"

namespace apps {

const std::string_view written_system = R"(linkwright: 1
bodies:
  - {name: a, mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: b, mass: 1, com: [0.1, 0.2, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - {name: c, mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
joints:
  - {name: j1, type: revolute, parent: world, child: a, pose: {rotation: [[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]]}}
  - {name: j2, type: revolute, parent: a, child: b, at_child: {xyz: [0.4, 0, 0]}}
  - {name: base, type: free, parent: world, child: c, implied: true}
flexible_bases:
  - {joint: base, stiffness: [1, 2, 3, 4, 5, 6], damping: [6, 5, 4, 3, 2, 1]}
network:
  reflected: true
  components:
    - {name: rotor, type: inertia, inertia: 0.5, wires: ["joint:j1"]}
visuals:
  - {body: a, name: skin, pose: {xyz: [0.31, 0, 0]}, box: [0.6, 0.1, 0.1], rgba: [1, 0, 0, 1]}
  - {body: a, cylinder: [0.11, 0.51]}
  - {body: b, capsule: [0.12, 0.52]}
  - {body: b, sphere: 0.13}
  - {body: c, mesh: triangle.obj, scale: [1, 2, 1]}
collisions:
  - {body: a, name: bumper, sphere: 0.23}
)";

const std::string_view listed_system = R"(linkwright: 1
models:
  - {file: pair.urdf, closures_file: pair.closures.yaml}
)";

const std::string_view pair_urdf =
    R"(<robot name="pair"><link name="base"/><link name="a"/><link name="b"/>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/></joint>
<joint name="j2" type="continuous"><parent link="base"/><child link="b"/></joint></robot>)";

const std::string_view listed_closures = "closed_loop: [[a, b]]\ntype: ['6d']\nname_mot: [j1]\n";
const std::string_view listed_points = "closed_loop: [[a, b]]\ntype: ['3d']\nname_mot: [j1]\n";

std::vector<Change> changes_of_the_written_system() {
  struct Short {
    std::string_view section, word, from, to;
    Shows shows = Shows::numbers;
  };
  constexpr auto drawing = Shows::drawing;
  constexpr auto told = Shows::told;
  static const std::vector<Short> all{
      {"top level", "flexible_bases", "flexible_bases:\n  - {joint: base, stiffness: [1,",
       "flexible_bases:\n  - {joint: base, stiffness: [7,"},
      {"top level", "visuals", "visuals:\n  - {body: a", "visuals:\n  - {body: b", drawing},
      {"top level", "collisions", "collisions:\n  - {body: a", "collisions:\n  - {body: b", told},
      {"joint", "at_child", "at_child: {xyz: [0.4", "at_child: {xyz: [0.5"},
      {"joint", "implied", ", implied: true", "", told},
      {"pose", "rotation", "rotation: [[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]]",
       "rotation: [[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]]"},
      {"flexible base", "joint", "joint: base, stiffness", "joint: j1, stiffness"},
      {"flexible base", "stiffness", "stiffness: [1, 2", "stiffness: [1, 3"},
      {"flexible base", "damping", "damping: [6, 5", "damping: [6, 4"},
      {"network", "reflected", "reflected: true", "reflected: false"},
      {"shape", "body", "body: a, name: skin", "body: b, name: skin", drawing},
      {"shape", "name", "name: skin", "name: hide", drawing},
      {"shape", "pose", "pose: {xyz: [0.31", "pose: {xyz: [0.32", drawing},
      {"shape", "box", "box: [0.6", "box: [0.7", drawing},
      {"shape", "cylinder", "cylinder: [0.11", "cylinder: [0.14", drawing},
      {"shape", "capsule", "capsule: [0.12, 0.52]", "capsule: [0.12, 0.53]", drawing},
      {"shape", "sphere", "sphere: 0.13", "sphere: 0.14", drawing},
      {"shape", "mesh", "mesh: triangle.obj", "mesh: square.obj", drawing},
      {"shape", "scale", "scale: [1, 2, 1]", "scale: [1, 3, 1]", drawing},
      {"shape", "rgba", "rgba: [1, 0", "rgba: [0, 1", drawing},
  };
  std::vector<Change> changes;
  changes.push_back({"listed.yaml", "model", "closures_file", "closures_file: pair.closures.yaml",
                     "closures_file: points.closures.yaml", told});
  for (const Short& s : all)
    changes.push_back({"written.yaml", s.section, s.word, s.from, s.to, s.shows});
  return changes;
}

}  // namespace apps
