// What the library runs on numbers that only count. Compiled with little optimisation (CMakeLists.txt).
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
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
  const auto numbers = [&](Space s) {
    return std::vector<Counting>(e.size(s), Counting::number());
  };
  const auto joint = numbers(Space::joint_effort), link = numbers(Space::link_motion);
  const auto base = numbers(Space::base_motion), tip = numbers(Space::tip_motion);
  const Given<Counting> x{
      {link.data()}, {link.data()}, {base.data()}, {tip.data()}, {joint.data()}};
  if (algorithm == Algorithm::FD4) {
    spatial::counted() = {};
    sweeps::bias_sweep<Counting>(*data->tree, data->s, joint.data(), nullptr);
    notes.push_back({Direction::outward, "ω, a, b", spatial::counted()});
  }
  run(algorithm, e, x,
      {e.take(e.size(Space::joint_rate)), e.take(e.size(Space::link_motion)),
       e.take(e.size(Space::tip_motion))});
  return notes;
}

}  // namespace linkwright::operators
