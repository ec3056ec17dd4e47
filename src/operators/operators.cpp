#include "linkwright/operators/operators.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"
#include "operators/operator_kernels.hpp"

namespace linkwright::operators {
namespace {

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
  require_open(system, closures, "Operators(system, Closures::leave_out)");
  has_rotors_ = std::ranges::any_of(system.rotor_inertia(), [](double r) { return r != 0; });
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
  door::check_articulated(*system_, data_->s, "the operators do not exist, D has no inverse");
  updated_ = true;
}

const OperatorKernels& operator_kernels() {
  return LINKWRIGHT_CHOOSE_TABLE(operators);
}

void apply_compiled(MassOperator, Operators& at, const double* x, double* y) {
  operator_kernels().mass(at.evaluation(), x, y);
}
void apply_compiled(InverseMassOperator, Operators& at, const double* x, double* y) {
  operator_kernels().inverse_mass(at.evaluation(), x, y);
}

template <class T>
std::size_t Evaluation<T>::size(Space s) const {
  const std::size_t nodes = data.tree->nodes.size() - 1;
  if (is_joint(s)) return static_cast<std::size_t>(data.tree->nv);
  if (is_link(s) || is_inboard(s)) return 6 * nodes;
  return is_tip(s) ? 6 * data.tips.size() : 6;
}
template <class T>
T* Evaluation<T>::take(std::size_t n) {
  if (in_use == between.size()) between.emplace_back();
  std::vector<T>& room = between[in_use++];
  if (room.size() < n) room.resize(n);
  return room.data();
}
template <class T>
void Evaluation<T>::grow_memories(std::size_t n) {
  const std::size_t nodes = data.tree->nodes.size();
  while (data.forces.size() < n) data.forces.emplace_back(nodes);
  while (data.motions.size() < n) data.motions.emplace_back(nodes);
}
template struct Evaluation<double>;
template struct Evaluation<spatial::Counting>;

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

void check_input(const Operators& at, Space s, const ConstVectorRef& x, const char* which) {
  check_size(at, s, x.size(), which);
  if ((x - x).sum() == 0) return;  // NaN if an entry is NaN or infinite
  Eigen::Index i = 0;
  while (std::isfinite(x[i])) ++i;
  throw Error(
      fmt::format("entry {} of {} ({}) is {}; expected a finite number", i, which, name(s), x[i]));
}

void check_tips(const Operators& at) {
  if (at.tips().empty())
    throw Error(
        "an expression with B speaks of frames, and these operators have been given none: call "
        "Operators::set_tips first, with the names of links or frames");
}

void check_no_rotors(const Operators& at) {
  if (!at.has_rotors()) return;
  for (const Joint& joint : at.system().model().joints)
    for (const double inertia : joint.rotor_inertia)
      if (inertia != 0)
        throw Error(
            fmt::format("inverse(mass) is the inverse of H φ M φᵀ Hᵀ, and joint '{}' has a rotor "
                        "inertia of {}, which the mass matrix has on top: write "
                        "inverse(mass + R)",
                        joint.name, inertia));
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
