// Nodes into stretches and aggregates, and places in stacked vectors.
#include <algorithm>
#include <numeric>

#include "linkwright/operators/sweeps/letters.hpp"
#include "linkwright/spatial/counting.hpp"
#include "spatial/index.hpp"

namespace linkwright::operators {
namespace {

/// The part of a run from node `first` on, as far as none of them stands in an aggregate.
Run part_of(const Run& run, int first, const std::vector<int>& aggregate_of) {
  int last = first;
  while (last < run.last && aggregate_of[at(last + 1)] < 0) ++last;
  return {run.kind, run.joins, first, last, first == run.first ? run.parent : first - 1};
}

/// In the order of the nodes; an aggregate stands where its first node does. What hangs on it has
/// higher numbers, what it hangs on a lower one.
std::vector<Stretch> stretches_of(const std::vector<Run>& runs,
                                  const std::vector<int>& aggregate_of) {
  std::vector<Stretch> all(1);
  std::vector<bool> met(aggregate_of.size(), false);
  for (const Run& run : runs)
    for (int k = run.first; k <= run.last;) {
      const int aggregate = aggregate_of[at(k)];
      if (aggregate < 0) {
        all.back().runs.push_back(part_of(run, k, aggregate_of));
        k = all.back().runs.back().last + 1;
        continue;
      }
      if (!met[at(aggregate)]) {
        met[at(aggregate)] = true;
        all.back().aggregate = aggregate;
        all.emplace_back();
      }
      ++k;
    }
  return all;
}

}  // namespace

template <class T>
T* AggregateRoom<T>::take(std::size_t n) {
  if (in_use == vectors.size()) vectors.emplace_back();
  std::vector<T>& room = vectors[in_use++];
  if (room.size() < n) room.resize(n);
  return room.data();
}
template struct AggregateRoom<double>;
template struct AggregateRoom<spatial::Counting>;

template <class T>
OperatorData<T>::OperatorData(const Tree<Constant>& of, Scratch<T>& scratch)
    : tree(&of),
      s(scratch),
      first_joint(of.nodes.size(), 0),
      inboard(of.nodes.size(), 0),
      first_tip(of.nodes.size() + 1, 0) {
  gather({});
  std::vector<int> entries(at(of.nv));
  std::iota(entries.begin(), entries.end(), 0);
  choose(entries);
}

template <class T>
void OperatorData<T>::gather(std::vector<Aggregate<T>> all) {
  aggregates = std::move(all);
  aggregate_of.assign(tree->nodes.size(), -1);
  for (std::size_t i = 0; i < aggregates.size(); ++i)
    for (const int k : aggregates[i].nodes) aggregate_of[at(k)] = static_cast<int>(i);
  stretches = stretches_of(tree->runs, aggregate_of);
  inboards = 0;
  for (std::size_t k = 1; k < tree->nodes.size(); ++k) {
    const int aggregate = aggregate_of[k];
    const int first = aggregate < 0 ? static_cast<int>(k) : aggregates[at(aggregate)].nodes.front();
    inboard[k] = first == static_cast<int>(k) ? static_cast<int>(inboards++) : inboard[at(first)];
  }
}

template <class T>
void OperatorData<T>::choose(std::span<const int> entries) {
  const auto place = [&](int entry) {
    return static_cast<int>(std::ranges::lower_bound(entries, entry) - entries.begin());
  };
  joints = entries.size();
  for (std::size_t k = 1; k < tree->nodes.size(); ++k)
    if (aggregate_of[k] < 0) first_joint[k] = place(tree->nodes[k].v);
  for (Aggregate<T>& a : aggregates) {
    a.independent.clear();
    for (const int entry : a.freedoms)
      if (std::ranges::binary_search(entries, entry)) a.independent.push_back(entry);
    std::ranges::sort(a.independent);
    a.resize();
    for (std::size_t i = 0; i < a.independent.size(); ++i) a.joint[i] = place(a.independent[i]);
  }
}
template struct OperatorData<double>;
template struct OperatorData<spatial::Counting>;

}  // namespace linkwright::operators
