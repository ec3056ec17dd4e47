#pragma once
/// Which body hangs on which, and in what order the nodes of the tree will stand.

#include <string>
#include <unordered_map>
#include <vector>

#include "linkwright/model/model.hpp"

namespace linkwright {

struct SpanningTree {
  explicit SpanningTree(const Model& model);

  /// Index into Model::bodies; −1 for the world.
  [[nodiscard]] int body(const std::string& name) const {
    return name == world_name ? -1 : index_.at(name);
  }

  std::vector<int> joint_of;   // per body: index of the joint that carries it
  std::vector<int> parent_of;  // per body: −1 = world
  /// Per body, the world first (shifted by one): the longest branch first.
  std::vector<std::vector<int>> children;
  std::vector<int> order;  // bodies, depth first, parents before children

 private:
  void connect(const Model& model);
  void put_longest_branches_first();
  void walk_depth_first();

  std::unordered_map<std::string, int> index_;
};

}  // namespace linkwright
