#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/closure/independent.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/simulate/controllers.hpp"
#include "shell/output.hpp"
#include "simulate/command/freedoms.hpp"
#include "simulate/command/moves.hpp"

namespace linkwright::app {
namespace {

constexpr int looks = 40;            // along a move
constexpr double longest = 1 << 20;  // times the time asked for
constexpr int halvings = 30;

/// Where a move leads, with velocities and accelerations for the time asked for.
struct Look {
  State state;
  Reference reference;
};

/// The effort that exceeds its limit most, as part of it.
struct Excess {
  double part = 0;
  std::size_t coordinate = 0;
  double effort = 0;
};

class MoveEfforts {
 public:
  MoveEfforts(const System& system, const PointToPoint& moves)
      : system_(&system),
        moves_(&moves),
        work_(system),
        joints_(joints_of(system, moves)),
        control_(computed_torque(system, {.joints = moves.names(), .kp = {0}, .kd = {0}})),
        input_(Eigen::VectorXd::Zero(system.effort_count())) {
    for (const CommandedMotion::Coordinate& c : moves.coordinates())
      limits_.push_back(limits_of(system, c.name).effort);
  }

  [[nodiscard]] bool can_foretell(const Eigen::VectorXd& q) {
    if (system_->closures().empty())
      return static_cast<int>(moves_->coordinates().size()) == system_->nv();
    try {
      require_independent(work_, q, moves_->names());
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  /// Places the mechanism along a move; q is where it begins, and where it ends on return.
  void look_along(std::size_t move, Eigen::VectorXd& q) {
    looks_.clear();
    const double from = moves_->break_times()[move], to = moves_->break_times()[move + 1];
    for (int k = 0; k <= looks; ++k) {
      Look look{State(*system_), {q, Eigen::VectorXd::Zero(system_->nv()), {}}};
      look.reference.a = look.reference.v;
      moves_->compute(from + (to - from) * k / looks, look.reference);
      if (!system_->closures().empty()) {
        assemble(work_, {.hold = joints_, .limits = AssemblyOptions::Limits::ignore},
                 look.reference.q);
        project_velocity(work_, look.reference.q, joints_, look.reference.v);
      }
      q = look.state.q = look.reference.q;
      look.state.v = look.reference.v;
      looks_.push_back(look);
    }
  }

  /// While the move takes `stretch` times as long; infinity: while it stands still.
  Excess compute_excess(double stretch) {
    Excess worst;
    for (const Look& look : looks_) {
      FullState now{look.state, {}};
      Reference reference = look.reference;
      now.state.v /= stretch;
      reference.v /= stretch;
      reference.a /= stretch * stretch;
      input_.setZero();
      control_.compute(now, reference, input_);
      for (std::size_t i = 0; i < limits_.size(); ++i) {
        const double effort = input_[moves_->coordinates()[i].v];
        if (effort == 0 || std::isinf(limits_[i])) continue;
        const double part = limits_[i] > 0 ? std::abs(effort) / limits_[i] : HUGE_VAL;
        if (part > worst.part) worst = {part, i, effort};
      }
    }
    return worst;
  }

  /// The shortest stretch, to a thousandth, that respects all limits; nothing where none does.
  std::optional<double> find_stretch() {
    if (compute_excess(HUGE_VAL).part > 1) return std::nullopt;
    double low = 1, high = 2;
    while (high < longest && compute_excess(high).part > 1) low = high, high *= 2;
    for (int i = 0; i < halvings && high - low > 1e-3 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (compute_excess(middle).part > 1 ? low : high) = middle;
    }
    return high;
  }

 private:
  const System* system_;
  const PointToPoint* moves_;
  ClosedWorkspace work_;
  std::vector<std::string> joints_;
  Controller control_;
  Eigen::VectorXd input_;
  std::vector<double> limits_;
  std::vector<Look> looks_;
};

}  // namespace

bool warn_of_heavy_moves(const System& system, const PointToPoint& moves, const Eigen::VectorXd& q,
                         bool cut) {
  MoveEfforts efforts(system, moves);
  if (!efforts.can_foretell(q)) return false;
  Eigen::VectorXd now = q;
  for (std::size_t m = 0; m < moves.moves().size(); ++m) {
    efforts.look_along(m, now);
    const Excess worst = efforts.compute_excess(1);
    if (worst.part <= 1 + 1e-9) continue;
    const double duration = moves.moves()[m].duration;
    const std::optional<double> stretch = efforts.find_stretch();
    const std::string& name = moves.coordinates()[worst.coordinate].name;
    report_warning(fmt::format(
        "--in {:g}: the move takes an effort of {:.4g} at joint {}, beyond its limit {:g}; {}. {}",
        duration, worst.effort, in_quotes(name), limits_of(system, name).effort,
        cut ? "it is cut off there, and the joint stays behind" : "nothing enforces it",
        stretch ? fmt::format("--in {:.3g} would do", 1.005 * *stretch * duration)
                : std::string("No time would do: standing on the way takes too much already")));
  }
  return true;
}

}  // namespace linkwright::app
