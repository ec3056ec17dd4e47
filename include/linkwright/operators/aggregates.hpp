#pragma once
/// Closed loops as nodes of the operators: constraint embedding.
///
/// Joints whose loops share joints move as one: the rates of the few independent ones among them are
/// those of all, v = G v_i. The bodies that they move are one node of the operators, an aggregate. It
/// hangs on one body of the tree, the last that is inboard of all its loops, and its joint map is
///   H* = φ_Sᵀ H*_tree G,    φ_S: φ among its own bodies
/// so that φ(p, S) is 6 × 6n for an aggregate of n bodies, D is r × r for r independents, and every
/// equation of the operators reads as before.
///
/// This room knows what an aggregate is; which there are, G and what depends on it come from closure/.
///
///     for (const Aggregate<double>& loop : at.data().aggregates)
///       fmt::print("{} bodies, {} freedoms\n", loop.bodies(), loop.independents());

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwright/dynamics/state.hpp"
#include "linkwright/dynamics/workspace.hpp"
#include "linkwright/spatial/pose.hpp"
#include "linkwright/system/tree.hpp"

namespace linkwright::operators {

template <class T>
struct Aggregate {
  // Constant.
  std::vector<int> nodes;   // of the tree, ascending
  std::vector<int> inside;  // per node: where its parent stands in `nodes`; −1: it is `parent`
  std::vector<NodeKind> kinds;  // per node
  std::vector<int> row;         // per node: where its freedoms start among the rows of G
  std::vector<int> freedoms;    // entries of v, one per row of G
  int parent = 0;               // the node that all of it hangs on

  // With the choice of independents.
  std::vector<int> independent;  // entries of v, ascending
  std::vector<int> joint;        // where they stand in stacked joint vectors

  // By the closures, at a configuration.
  std::vector<T> G;  // [rows × independents], column by column
  std::vector<T> R;  // [independents²]: Gᵀ R_tree G and that of the rotors on closing joints
  // And at a state.
  std::vector<T> g;       // v̇ = G v̇_i + g, one per row
  std::vector<T> effort;  // per independent: of closing joints, less what rotors take for g

  // By factorize.
  std::vector<spatial::Pose<T>> own;      // per node: in its parent's frame,
  std::vector<spatial::Pose<T>> pose;     // and in that of `parent`
  std::vector<spatial::Motion<T>> Hstar;  // [independents][nodes]
  std::vector<spatial::Force<T>> Y;       // [independents][nodes]: P H* L⁻ᵀ, D = L Δ Lᵀ
  std::vector<T> L;                       // [independents²], row by row, below a diagonal of ones
  std::vector<T> inverse_Delta, pivot;    // 1/Δ, Δ
  std::vector<T> most;                    // the most that Δ could have been

  [[nodiscard]] LINKWRIGHT_INLINE int bodies() const { return static_cast<int>(nodes.size()); }
  [[nodiscard]] LINKWRIGHT_INLINE int rows() const { return static_cast<int>(freedoms.size()); }
  [[nodiscard]] LINKWRIGHT_INLINE int independents() const {
    return static_cast<int>(independent.size());
  }
  /// Room for the independents that stand in `independent`.
  void resize() {
    const std::size_t r = independent.size(), n = nodes.size();
    joint.resize(r);
    G.resize(freedoms.size() * r), g.resize(freedoms.size());
    for (auto* square : {&R, &L}) square->assign(r * r, T(0));
    for (auto* each : {&effort, &inverse_Delta, &pivot, &most}) each->resize(r);
    own.resize(n), pose.resize(n);
    Hstar.resize(r * n), Y.resize(r * n);
  }
};

/// What the operators ask of the closures of a system.
class Embedding {
 public:
  Embedding() = default;
  Embedding(const Embedding&) = delete;
  Embedding& operator=(const Embedding&) = delete;
  virtual ~Embedding() = default;

  /// The workspace of the spanning tree.
  virtual Workspace& tree() = 0;
  /// All aggregates, with what is constant of them.
  [[nodiscard]] virtual std::vector<Aggregate<double>> aggregates() const = 0;
  /// Independent entries of v, ascending: the best conditioned ones at q, or those of these names.
  virtual std::vector<int> choose(const ConstVectorRef& q) = 0;
  virtual std::vector<int> require(const ConstVectorRef& q,
                                   const std::vector<std::string>& names) = 0;
  /// G and R of every aggregate. Throws Error (failed_computation), naming the closures, where the
  /// independents do not determine the other rates. The smallest conditioning is returned.
  virtual double place(const ConstVectorRef& q, std::span<Aggregate<double>> aggregates) = 0;
  /// g and efforts besides. tau as in closure/dynamics.hpp.
  virtual double place(const State& state, const ConstVectorRef& tau,
                       std::span<Aggregate<double>> aggregates) = 0;
};

/// Defined in closure/, which stands right of this room.
std::unique_ptr<Embedding> embed_closures(const System& system);

}  // namespace linkwright::operators
