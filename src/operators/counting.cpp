// What the library runs on numbers that only count. Compiled with little optimisation (CMakeLists.txt).
#include <algorithm>

#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/operators/sweeps/factorize.hpp"
#include "operators/algorithms.hpp"

namespace linkwright::operators {

using spatial::Counting;

namespace {

/// What is constant of the aggregates, and numbers for what the closures say of them.
void gather_counting(const Operators& at, OperatorData<Counting>& data) {
  std::vector<Aggregate<Counting>> all;
  for (const Aggregate<double>& from : at.data().aggregates) {
    Aggregate<Counting>& a = all.emplace_back();
    a.nodes = from.nodes, a.inside = from.inside, a.kinds = from.kinds;
    a.row = from.row, a.freedoms = from.freedoms, a.parent = from.parent;
  }
  data.gather(std::move(all));
  data.choose(at.independent());
  for (std::size_t i = 0; i < data.aggregates.size(); ++i) {
    std::ranges::fill(data.aggregates[i].G, Counting::number());
    for (std::size_t j = 0; j < data.aggregates[i].R.size(); ++j)
      if (at.data().aggregates[i].R[j] != 0) data.aggregates[i].R[j] = Counting::number();
  }
}
void factorize_again(const Operators& at, CountingOperators& copy) {
  if (at.is_closed())
    factorize(copy.data);
  else
    sweeps::factorize(at.system().tree(), copy.scratch);
}

}  // namespace

std::unique_ptr<CountingOperators> counting_copy(const Operators& at) {
  auto copy = std::make_unique<CountingOperators>(at.system().tree());
  const std::vector<Counting> q(static_cast<std::size_t>(at.system().nq()), Counting::number());
  sweeps::place_joints(at.system().tree(), copy->scratch, q.data());
  if (at.is_closed()) gather_counting(at, copy->data);
  factorize_again(at, *copy);
  copy->data.tips = at.data().tips;
  copy->data.tip_place = at.data().tip_place;
  copy->data.first_tip = at.data().first_tip;
  return copy;
}

std::vector<SweepNote> sweeps_of(Algorithm algorithm, const Operators& at) {
  const auto counting = counting_copy(at);
  const auto& tree = at.system().tree();
  Evaluation<Counting> e(counting->data);
  std::vector<SweepNote> notes;
  e.notes = &notes;
  const auto numbers = [&](Space s) {
    return std::vector<Counting>(e.size(s), Counting::number());
  };
  const auto joint = numbers(Space::joint_effort), link = numbers(Space::link_motion);
  const std::vector<Counting> v(static_cast<std::size_t>(tree.nv), Counting::number());
  const auto base = numbers(Space::base_motion), tip = numbers(Space::tip_motion);
  const Given<Counting> x{
      {link.data()}, {link.data()}, {base.data()}, {tip.data()}, {joint.data()}};
  if (algorithm == Algorithm::FD4) {
    spatial::counted() = {};
    sweeps::bias_sweep<Counting>(tree, tree.runs, counting->scratch, v.data(), nullptr);
    notes.push_back({Direction::outward, "ω, a, b", spatial::counted()});
    factorize_again(at, *counting);  // the room of P served the biases
  }
  run(algorithm, e, x,
      {e.take(e.size(Space::joint_rate)), e.take(e.size(Space::link_motion)),
       e.take(e.size(Space::tip_motion))});
  return notes;
}

}  // namespace linkwright::operators
