// What the library runs on numbers that only count. Compiled with little optimisation (CMakeLists.txt).
#include "linkwright/dynamics/sweeps/forward_dynamics.hpp"
#include "linkwright/dynamics/sweeps/mass_matrix_inverse.hpp"
#include "operators/algorithms.hpp"

namespace linkwright::operators {

using spatial::Counting;

std::unique_ptr<CountingOperators> counting_copy(const Operators& at) {
  auto copy = std::make_unique<CountingOperators>(at.system().tree());
  const std::vector<Counting> q(static_cast<std::size_t>(at.system().nq()), Counting::number());
  sweeps::place_joints(at.system().tree(), copy->scratch, q.data());
  sweeps::factorize(at.system().tree(), copy->scratch);
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
  const auto base = numbers(Space::base_motion), tip = numbers(Space::tip_motion);
  const Given<Counting> x{
      {link.data()}, {link.data()}, {base.data()}, {tip.data()}, {joint.data()}};
  if (algorithm == Algorithm::FD4) {
    spatial::counted() = {};
    sweeps::bias_sweep<Counting>(tree, tree.runs, counting->scratch, joint.data(), nullptr);
    notes.push_back({Direction::outward, "ω, a, b", spatial::counted()});
    sweeps::factorize(tree, counting->scratch);  // the room of P served the biases
  }
  run(algorithm, e, x,
      {e.take(e.size(Space::joint_rate)), e.take(e.size(Space::link_motion)),
       e.take(e.size(Space::tip_motion))});
  return notes;
}

}  // namespace linkwright::operators
