#pragma once
/// Edges that form no loop and keep to the classes: common independent sets of two matroids.
///
/// Given    a graph; a start that is independent in both matroids: the graph's (no loop) and that of the classes
///          (of class c at most capacity[c]), some of it for good; the edges that may be used
/// Computes a larger such set by a shortest augmenting path, or the proof that there is none
/// Cost     O(edges) per path
///
/// Exchange graph: x outside may take the place of y inside without a loop (y is on the loop of x), and y's place in
/// its class goes to any x of the class. A shortest path from an x that closes no loop to an x whose class has room
/// leaves both independent (Edmonds, Lawler).
///
/// Along it what the set spans only grows, in both matroids: a full class is spanned by its members, so it is
/// spanned, and with the same capacity full, ever after. Hence groups may be filled first, from their own edges, and
/// then everything else be added: they stay full, and a set that cannot be enlarged any more is largest.

#include <vector>

#include "linkwright/network/graph.hpp"
#include "network/graph/forest.hpp"

namespace linkwright::network {

class Intersection {
 public:
  /// Classes are the groups of the graph, and behind them one of all other edges, without limit. Across drivers are
  /// inside for good, through drivers outside; expects that the former form no loop.
  explicit Intersection(const LinearGraph& graph);

  static constexpr int unlimited = 1 << 30;
  std::vector<char> inside;   // per edge
  std::vector<char> fixed;    // per edge: inside for good; across drivers are of no class
  std::vector<char> usable;   // per edge
  std::vector<int> capacity;  // per class

  [[nodiscard]] int class_of(int edge) const { return class_[at(edge)]; }
  [[nodiscard]] int other_class() const { return static_cast<int>(capacity.size()) - 1; }
  [[nodiscard]] int count(int c) const { return count_[at(c)]; }
  /// Edges inside, across drivers with them.
  [[nodiscard]] int size() const { return size_; }

  void insert(int edge);
  void remove(int edge);
  /// Adds the edges that close no loop and find room in their class, one after the other.
  void add_greedily(const std::vector<int>& edges);
  /// Whether it could be enlarged, and has been.
  bool augment();
  /// Exchanges edges, none of them fixed, so that `edge` is inside for good, in a set as large as before; or
  /// changes nothing. Expects a set that cannot be enlarged.
  bool require(int edge);

  /// After augment() has failed: the usable edges U from which a path leads to a class with room. Of U no more than
  /// those inside form no loop, and of the others no more than those inside keep to the classes.
  [[nodiscard]] const std::vector<char>& before_room() const { return reached_; }
  /// The same: the edges to which a path leads from one that closes no loop; the others are such a U, the largest.
  [[nodiscard]] std::vector<char> behind_no_loop() const;

 private:
  int search();
  void reach(int edge, int next);

  const LinearGraph& graph_;
  std::vector<int> class_, count_;
  std::vector<std::vector<int>> members_;  // of a class
  int size_ = 0;
  // Of a search.
  std::vector<char> reached_, expanded_;
  std::vector<int> next_, queue_;
};

}  // namespace linkwright::network
