#include "linkwright/simulate/closed_equations.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/door.hpp"
#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/dynamics.hpp"
#include "linkwright/model/names.hpp"
#include "simulate/contacts/mechanism.hpp"
#include "simulate/equations/descriptor_forms.hpp"
#include "simulate/equations/driving_efforts.hpp"
#include "simulate/equations/joint_units.hpp"

namespace linkwright {
namespace {

/// A start may be off its closures by this: the digits of a file.
constexpr double start_tolerance = 1e-8;
/// Of ClosureProjection::conditioning: where a singular position is near, and where it has been left.
constexpr double singular = 0.05, regular = 0.15;

/// A joint whose motion is given has no rest to be found, and no stop.
std::vector<ContactFreedom> freedoms_of(const System& system,
                                        const std::vector<GivenMotion>& motions) {
  std::vector<ContactFreedom> freedoms = contact_freedoms(system, Closures::refuse);
  std::erase_if(freedoms, [&](const ContactFreedom& freedom) {
    const auto given = std::find_if(motions.begin(), motions.end(), [&](const GivenMotion& motion) {
      return system.joint(motion.joint).v == freedom.v;
    });
    if (given == motions.end()) return false;
    if (has_friction(freedom.friction))
      throw Error(
          fmt::format("joint {} moves as given and has dry friction, which cannot change its "
                      "motion; take the friction out of the model",
                      in_quotes(freedom.name)));
    return true;
  });
  return freedoms;
}

std::vector<GivenCoordinate> coordinates_of(const System& system,
                                            const std::vector<GivenMotion>& motions) {
  std::vector<GivenCoordinate> all;
  for (const GivenMotion& motion : motions) {
    const JointPlace& joint = system.joint(motion.joint);
    if (joint.nv != 1 || joint.nq != 1)
      throw Error(fmt::format("the motion of joint {} is given as one number; it has {} freedoms",
                              in_quotes(motion.joint), joint.nv));
    if (!motion.value)
      throw Error(fmt::format("the motion of joint {} has no function", in_quotes(motion.joint)));
    const auto& passive = system.passive_freedoms();
    if (std::find(passive.begin(), passive.end(), joint.v) != passive.end())
      throw Error(
          fmt::format("the motion of joint {} is given, but it is passive: no motor moves it; take "
                      "it out of `passive`",
                      in_quotes(motion.joint)));
    all.push_back({joint.q, joint.v});
  }
  return all;
}

}  // namespace

ClosedEquations::ClosedEquations(const System& system, const ClosedOptions& options)
    : system_(&system),
      options_(options),
      freedoms_(freedoms_of(system, options.motions)),
      released_at_(-std::numeric_limits<double>::infinity()),
      wanted_(options.motions.size()) {
  if (!(options.baumgarte_rate >= 0) || !std::isfinite(options.baumgarte_rate))
    throw Error(
        fmt::format("the rate of Baumgarte's method is {}; expected a positive number, or 0 "
                    "to project",
                    options.baumgarte_rate));
  effort_ = all_efforts_ = Eigen::VectorXd::Zero(system.effort_count());
  a_ = Eigen::VectorXd::Zero(system.nv());
  wanted_a_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(options.motions.size()));
  held_.reserve(freedoms_.size());
  present_ = make_stage(std::vector<char>(system.model().grasps.size(), 0));
  contacts_ = std::make_unique<Contacts>(freedoms_, std::move(present_.mechanism));
}

ClosedEquations::~ClosedEquations() = default;

ClosedEquations::Stage ClosedEquations::make_stage(std::vector<char> released) {
  Stage stage;
  if (std::find(released.begin(), released.end(), 1) != released.end())
    stage.reduced = std::make_unique<const System>(leave_out_grasps(*system_, released));
  stage.released = std::move(released);
  const System& whole = stage.reduced ? *stage.reduced : *system_;
  stage.smooth = without_friction(whole, Closures::refuse);
  stage.work = std::make_unique<ClosedWorkspace>(stage.smooth ? *stage.smooth : whole);
  stage.projection = std::make_unique<ClosureProjection>(
      whole, coordinates_of(whole, options_.motions), static_cast<int>(freedoms_.size()));
  std::vector<int> entries;
  for (const GivenCoordinate& given : stage.projection->given()) entries.push_back(given.v);
  stage.driving = std::make_unique<DrivingEfforts>(whole, std::move(entries));
  stage.mechanism = make_closed_mechanism(
      *stage.work, freedoms_,
      [this](const State& state, const Eigen::VectorXd& tau, ExternalForces forces, VectorRef a) {
        accelerate(state, tau, forces, a);
      },
      !options_.motions.empty());
  return stage;
}

void ClosedEquations::exchange(Stage& other) {
  contacts_->exchange_mechanism(other.mechanism);
  std::swap(present_, other);
  std::swap(present_.mechanism, other.mechanism);
  held_changes_ = -1;
}

std::vector<Quantity> ClosedEquations::inputs() const { return all_effort_inputs(system()); }

void ClosedEquations::compute_rates(const FullState& now, const Eigen::VectorXd& input,
                                    ExternalForces forces, VectorRef a, VectorRef /*extra_rates*/) {
  if (contacts_ && !contacts_->idle()) {
    // Here joints without a motor take friction's efforts.
    door::check_efforts(*system_, input.head(system_->nv()));
    contacts_->compute_accelerations(now.state, input, forces, a);
  } else {
    accelerate(now.state, input, forces, a);
  }
  if (options_.baumgarte_rate > 0) {
    place_given(now.state.t);
    hold_contacts();
    projection().add_stabilisation(now.state, options_.baumgarte_rate, a);
    look_for_singular_positions();
  }
}

void ClosedEquations::accelerate(const State& state, const Eigen::VectorXd& tau,
                                 ExternalForces forces, VectorRef a) {
  if (options_.motions.empty()) return compute_forward_dynamics(work(), state, tau, forces, a);
  effort_ = tau;
  for (std::size_t i = 0; i < options_.motions.size(); ++i)
    wanted_a_[static_cast<Eigen::Index>(i)] = options_.motions[i].value(state.t).acceleration;
  present_.driving->add(work(), state, forces, wanted_a_, effort_, a);
}

void ClosedEquations::hold_contacts() {
  if (!contacts_ || contacts_->held_changes() == held_changes_) return;
  held_changes_ = contacts_->held_changes();
  contacts_->list_held(held_);
  projection().hold(held_);
}

void ClosedEquations::compute_efforts(const FullState& /*now*/, const Eigen::VectorXd& input,
                                      VectorRef tau) {
  tau = input.head(system().nv());
  for (std::size_t i = 0; i < options_.motions.size(); ++i)
    tau[projection().given()[i].v] += present_.driving->found()[static_cast<Eigen::Index>(i)];
}

std::vector<double> ClosedEquations::break_times() const {
  std::vector<double> all;
  for (const GivenMotion& motion : options_.motions)
    all.insert(all.end(), motion.break_times.begin(), motion.break_times.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void ClosedEquations::place_given(double t) {
  for (std::size_t i = 0; i < options_.motions.size(); ++i) {
    wanted_[i] = options_.motions[i].value(t);
    projection().given()[i].position = wanted_[i].position;
    projection().given()[i].velocity = wanted_[i].velocity;
  }
}

void ClosedEquations::begin(FullState& now) {
  require_closed(work(), now.state, start_tolerance);
  place_given(now.state.t);
  for (std::size_t i = 0; i < options_.motions.size(); ++i) {
    const GivenCoordinate& given = projection().given()[i];
    const double off = std::max(std::abs(now.state.q[given.q] - given.position),
                                std::abs(now.state.v[given.v] - given.velocity));
    if (!(off <= start_tolerance))
      throw Error(fmt::format(
          "joint {} starts at {:.9g} with velocity {:.9g}; its given motion says {:.9g} and {:.9g} "
          "at t = {} s",
          in_quotes(options_.motions[i].joint), now.state.q[given.q], now.state.v[given.v],
          given.position, given.velocity, now.state.t));
  }
  projection().project(now.state);
}

ConstraintErrors ClosedEquations::constraint_errors(const FullState& now) {
  place_given(now.state.t);
  const ClosureErrors rows = projection().measure(now.state);
  ConstraintErrors errors{0, rows.velocity, true};
  for (const GivenCoordinate& given : projection().given())
    errors.position = std::max(errors.position, std::abs(now.state.q[given.q] - given.position));
  const WorstClosure worst = compute_worst_closure(work(), now.state.q);
  if (worst.closure >= 0) errors.position = std::max(errors.position, worst.gap());
  return errors;
}

ConstraintErrors ClosedEquations::project(FullState& now) {
  place_given(now.state.t);
  hold_contacts();
  const ClosureErrors errors = projection().project(now.state);
  look_for_singular_positions();
  return {errors.position, errors.velocity, errors.kept};
}

void ClosedEquations::look_for_singular_positions() {
  const double conditioning = projection().conditioning();
  if (near_singular_ && conditioning > regular) near_singular_ = false;
  if (near_singular_ || conditioning > singular) return;
  near_singular_ = true;
  untold_ = projection().weakest_closure();
}

std::string ClosedEquations::take_notice() {
  if (untold_ == none) return {};
  const std::string what =
      untold_ < 0
          ? "the given motion"
          : "closure " +
                in_quotes(work().system().closures()[static_cast<std::size_t>(untold_)].name);
  untold_ = none;
  return fmt::format("singular position: {} comes to depend on the others", what);
}

std::string ClosedEquations::describe_errors(const FullState& now) {
  const WorstClosure worst = compute_worst_closure(work(), now.state.q);
  const double rate = projection().measure(now.state).velocity;
  return fmt::format("{}, and opens at a rate of {:.3g}", describe(work().system(), worst), rate);
}

std::vector<double> ClosedEquations::memory() const {
  std::vector<double> all = present_.projection->memory();
  all.push_back(near_singular_ ? 1 : 0);
  all.insert(all.end(), present_.released.begin(), present_.released.end());
  return all;
}

bool ClosedEquations::set_memory(const std::vector<double>& memory) {
  const std::size_t grasps = present_.released.size();
  if (memory.size() < grasps + 1) return false;
  const std::size_t own = memory.size() - grasps - 1;
  std::vector<char> released(grasps);
  for (std::size_t i = 0; i < grasps; ++i) released[i] = memory[own + 1 + i] != 0 ? 1 : 0;
  if (released != present_.released) {
    Stage stage = make_stage(std::move(released));
    exchange(stage);
  }
  near_singular_ = memory[own] != 0;
  hold_contacts();
  untold_ = none;
  return projection().set_memory(std::span(memory).first(own));
}

void ClosedEquations::compute_contacts(const FullState& now, const Eigen::VectorXd& input,
                                       ExternalForces forces, std::span<ContactForce> out) {
  // Otherwise the last forward dynamics was that of the rates.
  if (!options_.motions.empty() || !contacts_->idle()) {
    all_efforts_ = input.head(all_efforts_.size());
    for (std::size_t i = 0; i < options_.motions.size(); ++i)
      all_efforts_[projection().given()[i].v] +=
          present_.driving->found()[static_cast<Eigen::Index>(i)];
    std::fill(work().closing_efforts().begin(), work().closing_efforts().end(), 0.0);
    contacts_->add_forces(all_efforts_, work().closing_efforts());
    compute_forward_dynamics(work(), now.state, all_efforts_, forces, a_);
  }
  carried_.resize(work().system().model().grasps.size());
  contact_forces(work(), carried_);
  std::size_t next = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = present_.released[i] != 0 ? ContactForce{} : carried_[next++];
}

void ClosedEquations::release(const FullState& now, int grasp) {
  std::vector<char> released = present_.released;
  released[static_cast<std::size_t>(grasp)] = 1;
  Stage stage = make_stage(std::move(released));
  exchange(stage);
  near_singular_ = false;
  // Of several that let go at once, what was before the first is kept.
  if (now.state.t != released_at_) before_ = std::move(stage);
  released_at_ = now.state.t;
}

std::unique_ptr<DescriptorForm> ClosedEquations::make_descriptor_form() {
  const bool decides = !contacts_->idle() || !options_.motions.empty() ||
                       options_.baumgarte_rate > 0 || !system_->model().grasps.empty();
  return decides ? make_explicit_form(*this) : make_mechanism_form(*system_, Closures::refuse);
}

void ClosedEquations::look_back() {
  if (before_.work) exchange(before_);
}

}  // namespace linkwright
