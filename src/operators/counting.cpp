// What the library runs on numbers that only count. Compiled with little optimisation (CMakeLists.txt).
#include "linkwright/dynamics/sweeps/placement.hpp"
#include "linkwright/operators/sweeps/factorize.hpp"
#include "operators/algorithms.hpp"

namespace linkwright::operators {

using spatial::Counting;

std::unique_ptr<OperatorData<Counting>> counting_copy(const Operators& at) {
  auto data = std::make_unique<OperatorData<Counting>>(at.system().tree());
  const std::vector<Counting> q(static_cast<std::size_t>(at.system().nq()), Counting::number());
  sweeps::place_joints(at.system().tree(), data->s, q.data());
  factorize(*data);
  data->tips = at.data().tips;
  data->tip_place = at.data().tip_place;
  data->first_tip = at.data().first_tip;
  return data;
}

std::vector<SweepNote> sweeps_of(Algorithm algorithm, const Operators& at) {
  const auto data = counting_copy(at);
  Evaluation<Counting> e(*data);
  std::vector<SweepNote> notes;
  e.notes = &notes;
  const std::vector<Counting> joint(e.size(Space::joint_effort), Counting::number());
  const std::vector<Counting> base(6, Counting::number());
  const std::vector<Counting> tip(e.size(Space::tip_motion), Counting::number());
  Given<Counting> x{{}, {}, {base.data()}, {tip.data()}, {joint.data()}};
  spatial::counted() = {};
  compute_biases<Counting>(e, joint.data(), nullptr, x);
  if (algorithm == Algorithm::FD4)
    notes.push_back({Direction::outward, "ω, a, b", spatial::counted()});
  run(algorithm, e, x,
      {e.take(e.size(Space::joint_rate)), e.take(e.size(Space::link_motion)),
       e.take(e.size(Space::tip_motion))});
  return notes;
}

}  // namespace linkwright::operators
