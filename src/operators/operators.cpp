#include "linkwright/operators/operators.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "dynamics/instruction_set.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/dynamics/sweeps/resistance.hpp"
#include "operators/operator_kernels.hpp"

namespace linkwright::operators {
namespace {

/// Counts from 1: 0 is nobody.
std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
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

/// Throws Error naming a joint or the joints of loops that nothing with inertia resists, from the tips.
void check_resisted(const System& system, const OperatorData<double>& data, const char* otherwise) {
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{}: nothing with inertia resists {}. Give the links mass and inertia, "
                            "add rotor inertia, or fix a joint",
                            otherwise, what),
                Error::Kind::failed_computation);
  };
  for (int k = data.tree->count() - 1; k >= 1; --k) {
    const int of = data.aggregate_of[static_cast<std::size_t>(k)];
    if (of < 0) {
      if (!sweeps::is_resisted(*data.tree, data.s, k)) refuse(system.describe_node(k));
      continue;
    }
    const Aggregate<double>& a = data.aggregates[static_cast<std::size_t>(of)];
    if (k != a.nodes.front()) continue;
    for (std::size_t i = 0; i < a.pivot.size(); ++i)
      if (!(a.pivot[i] > sweeps::noise_of_D<double> * a.most[i]))
        refuse(fmt::format("the loops in which '{}' moves",
                           system.velocity_names()[static_cast<std::size_t>(a.independent[i])]));
  }
}

}  // namespace

Operators::Operators(const System& system) : id_(next_id()) {
  if (system.closures().empty()) {
    own_ = std::make_unique<Workspace>(system);
    work_ = own_.get();
  } else {
    embedding_ = embed_closures(system);
    work_ = &embedding_->tree();
  }
  prepare();
}
Operators::Operators(const System& system, Closures closures)
    : id_(next_id()), own_(std::make_unique<Workspace>(system, closures)), work_(own_.get()) {
  prepare();
}
Operators::Operators(Workspace& work) : id_(next_id()), work_(&work) { prepare(); }

void Operators::prepare() {
  has_rotors_ = std::ranges::any_of(system().rotor_inertia(), [](double r) { return r != 0; });
  data_ = std::make_unique<OperatorData<double>>(system().tree(), work_->scratch());
  evaluation_ = std::make_unique<Evaluation<double>>(*data_);
  a_.resize(evaluation_->size(Space::link_motion)), b_.resize(a_.size());
  T_.resize(evaluation_->size(Space::joint_effort)), g_.resize(6);
  independent_.resize(T_.size());
  std::iota(independent_.begin(), independent_.end(), 0);
  if (embedding_ == nullptr) return;
  data_->gather(embedding_->aggregates());
  chosen_ = false;
  for (const ClosurePlace& c : system().closures()) has_rotors_ = has_rotors_ || c.rotors > 0;
}
Operators::~Operators() = default;

void Operators::choose_independent(const ConstVectorRef& q) {
  door::check_position(system(), q, "q");
  if (embedding_ != nullptr) take_independent(embedding_->choose(q));
}
void Operators::require_independent(const ConstVectorRef& q,
                                    const std::vector<std::string>& names) {
  if (embedding_ == nullptr)
    throw Error(
        "all joints of a system without closures are independent: there is nothing to choose");
  take_independent(embedding_->require(q, names));
}
void Operators::take_independent(std::vector<int> entries) {
  updated_ = false, of_state_ = 0;
  independent_ = std::move(entries);
  data_->choose(independent_);
  reduced_.resize(independent_.size());
  // Vectors of the choice before may have another length; before the first there are none.
  if (choice_++ > 0) id_ = next_id();
  chosen_ = true;
}
std::span<const int> Operators::independent() const {
  check_chosen();
  return independent_;
}
void Operators::check_chosen() const {
  if (!chosen_)
    throw Error(
        "the joint vectors of a closed system hold one number per independent joint, and these are "
        "chosen at its first position: call Operators::update first, or choose_independent");
}
double Operators::conditioning() const {
  check_updated(*this);
  return conditioning_;
}

void Operators::set_tips(std::span<const FrameId> frames) {
  for (const FrameId frame : frames) door::check_frame(system(), frame);
  place_tips(*data_, system(), frames);
  tips_.assign(frames.begin(), frames.end());
  a_0_.assign(6 * frames.size(), 0);
  of_state_ = 0;
}
void Operators::set_tips(std::span<const std::string> names) {
  std::vector<FrameId> frames;
  for (const std::string& name : names) frames.push_back(system().frame(name));
  set_tips(frames);
}

bool Operators::updated() const {
  const Stamp& stamp = work_->scratch().stamp;
  return updated_ && stamp.placements() == configuration_ && stamp.holds(Held::gains) &&
         stamp.holds(Held::inertias);
}

/// P, D and G at the placement that the workspace has now.
void Operators::factorize() {
  const Scratch<double>& s = work_->scratch();
  constexpr const char* otherwise = "the operators do not exist, D has no inverse";
  configuration_ = s.stamp.placements();
  if (is_closed()) {
    operator_kernels().factorize(*data_);
    check_resisted(system(), *data_, otherwise);
  } else {
    kernels().factorize(system().tree(), work_->scratch());
    door::check_articulated(system(), s, otherwise);
  }
  updated_ = true;
}

void Operators::update(const ConstVectorRef& q) {
  door::check_position(system(), q, "q");
  updated_ = false;
  if (is_closed()) {
    if (!chosen_) choose_independent(q);
    conditioning_ = embedding_->place(q, data_->aggregates);
  }
  kernels().place(system().tree(), work_->scratch(), q.data());
  factorize();
}

const OperatorKernels& operator_kernels() { return LINKWRIGHT_CHOOSE_TABLE(operators); }

void apply_compiled(MassOperator, Operators& at, const double* x, double* y) {
  operator_kernels().mass(at.evaluation(), x, y);
}
void apply_compiled(InverseMassOperator, Operators& at, const double* x, double* y) {
  if (at.is_closed())
    operator_kernels().solve(at.evaluation(), x, y);
  else
    kernels().solve(at.system().tree(), at.data().s, x, y);
}

template <class T>
std::size_t Evaluation<T>::size(Space s) const {
  const std::size_t nodes = data.tree->nodes.size() - 1;
  if (is_joint(s)) return data.joints;
  if (is_link(s)) return 6 * nodes;
  if (is_inboard(s)) return 6 * data.inboards;
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
        "these operators have no configuration: call Operators::update(q) first, again with "
        "another "
        "q if it threw, and again after every compute_* on the workspace that they share");
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

void check_joint_vector(const Operators& at, const ConstVectorRef& x, const char* name) {
  door::check_output(x.size(), at.size(Space::joint_rate), name);
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i])) {
      const auto entry = static_cast<std::size_t>(at.independent()[static_cast<std::size_t>(i)]);
      throw Error(fmt::format("{}[{}] of joint '{}' is {}; expected a finite number", name, i,
                              at.system().velocity_names()[entry], x[i]));
    }
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
  for (const ClosurePlace& c : at.system().closures())
    if (c.rotors > 0)
      throw Error(
          fmt::format("inverse(mass) is the inverse of H φ M φᵀ Hᵀ, and closing joint '{}' has a "
                      "rotor inertia, which the mass matrix has on top: write inverse(mass + R)",
                      c.name));
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
