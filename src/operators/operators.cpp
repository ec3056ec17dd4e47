#include "linkwright/operators/operators.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/placement.hpp"
#include "linkwright/operators/sweeps/factorize.hpp"
#include "operators/operator_kernels.hpp"

namespace linkwright::operators {
namespace {

void refuse_closures(const System& system) {
  const auto& closures = system.model().closures;
  if (closures.empty()) return;
  throw Error(
      fmt::format("the operators describe a tree, and this system has {} closure{} ('{}'{}), which "
                  "they leave out; pass Closures::leave_out to work with its spanning tree "
                  "(docs/operators.md says what that means)",
                  closures.size(), closures.size() == 1 ? "" : "s", closures.front().name,
                  closures.size() == 1 ? "" : ", …"));
}

template <class T>
void place_tips(OperatorData<T>& data, const System& system, std::span<const FrameId> frames) {
  std::vector<int> order(frames.size());
  std::iota(order.begin(), order.end(), 0);
  const auto node = [&](int i) { return system.frame(frames[static_cast<std::size_t>(i)]).node; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return node(a) < node(b); });
  data.tips.clear();
  data.tip_place = order;
  std::fill(data.first_tip.begin(), data.first_tip.end(), 0);
  for (const int i : order) {
    const FramePlace& place = system.frame(frames[static_cast<std::size_t>(i)]);
    data.tips.push_back({place.node, place.pose});
    for (auto k = static_cast<std::size_t>(place.node) + 1; k < data.first_tip.size(); ++k)
      ++data.first_tip[k];
  }
}

}  // namespace

Operators::Operators(const System& system, Closures closures) : system_(&system) {
  if (closures == Closures::refuse) refuse_closures(system);
  data_ = std::make_unique<OperatorData<double>>(system.tree());
  evaluation_ = std::make_unique<Evaluation<double>>(*data_);
}
Operators::~Operators() = default;

void Operators::set_tips(std::span<const FrameId> frames) {
  for (const FrameId frame : frames) door::check_frame(*system_, frame);
  place_tips(*data_, *system_, frames);
  tips_.assign(frames.begin(), frames.end());
}
void Operators::set_tips(std::span<const std::string> names) {
  std::vector<FrameId> frames;
  for (const std::string& name : names) frames.push_back(system_->frame(name));
  set_tips(frames);
}

void Operators::update(const ConstVectorRef& q) {
  door::check_position(*system_, q, "q");
  updated_ = false;
  ++configuration_;
  kernels().place(system_->tree(), data_->s, q.data());
  operator_kernels().factorize(*data_);
  door::check_articulated(*system_, data_->s);
  updated_ = true;
}

const OperatorKernels& operator_kernels() {
  return choose_by_instruction_set(operators_baseline, operators_avx2, operators_avx512);
}

void apply_compiled(MassOperator, Operators& at, const double* x, double* y) {
  Evaluation<double>& e = at.evaluation();
  const std::size_t before = e.in_use;
  grow_memories(at.data(), 1);
  operator_kernels().mass(at.data(), x, e.take(e.size(Space::link_motion)), y);
  e.in_use = before;
}
void apply_compiled(InverseMassOperator, Operators& at, const double* x, double* y) {
  Evaluation<double>& e = at.evaluation();
  const std::size_t before = e.in_use;
  grow_memories(at.data(), 1);
  operator_kernels().inverse_mass(at.data(), x, e.take(e.size(Space::joint_rate)), y);
  e.in_use = before;
}

void check_updated(const Operators& at) {
  if (!at.updated())
    throw Error(
        "these operators have no configuration: call Operators::update(q) first, and again with "
        "another q if it threw");
}

void check_size(const Operators& at, Space s, Eigen::Index got, const char* which) {
  if (got != at.size(s))
    throw Error(fmt::format("{} has {} entries; {} of this system have {}", which, got, name(s),
                            at.size(s)));
}

std::unique_ptr<OperatorData<spatial::Counting>> counting_copy(const Operators& at) {
  using spatial::Counting;
  auto data = std::make_unique<OperatorData<Counting>>(at.system().tree());
  const std::vector<Counting> q(static_cast<std::size_t>(at.system().nq()), Counting::number());
  sweeps::place_joints(at.system().tree(), data->s, q.data());
  factorize(*data);
  data->tips = at.data().tips;
  data->tip_place = at.data().tip_place;
  data->first_tip = at.data().first_tip;
  return data;
}

std::string explain_notes(std::span<const SweepNote> notes) {
  std::string text;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const auto& [direction, what, operations] = notes[i];
    text += fmt::format(
        "  {}. {}  {}   {} multiplications, {} additions{}\n", i + 1,
        direction == Direction::outward ? "base → tip" : "tip → base", what,
        operations.multiplications, operations.additions,
        operations.divisions == 0 ? "" : fmt::format(", {} divisions", operations.divisions));
  }
  return text;
}

}  // namespace linkwright::operators
