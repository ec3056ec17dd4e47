#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "linkwright/closure/assembly.hpp"
#include "linkwright/model/names.hpp"
#include "linkwright/simulate/motions.hpp"

namespace linkwright {
namespace {

/// What the rows of a file may be off the closures by: six digits.
constexpr double row_tolerance = 1e-6;
/// Radians or metres: a joint that goes farther from look to look may have changed to another assembly.
constexpr double farthest = 0.3;
/// Parts of the time between two looks, at the least.
constexpr double shortest = 1.0 / 1024;

/// Follows a motion from one closed position to the next.
class ClosedMotion {
 public:
  ClosedMotion(ClosedWorkspace& work, const CommandedMotion& motion, const ConstVectorRef& q)
      : work_(&work),
        motion_(&motion),
        table_(dynamic_cast<const ReferenceTable*>(&motion)),
        now_(q),
        next_(q),
        way_(Eigen::VectorXd::Zero(work.system().nv())) {
    std::set<std::string> driven, told;
    const auto hold = [&](int position, std::set<std::string>& names) {
      for (const JointPlace& joint : work.system().joints())
        if (position >= joint.q && position < joint.q + joint.nq) names.insert(joint.name);
    };
    for (const CommandedMotion::Coordinate& c : motion.coordinates()) hold(c.q, driven);
    told = driven;
    if (table_ != nullptr)
      for (const auto& [entry, column] : table_->told()) hold(entry, told);
    driven_ = {driven.begin(), driven.end()};
    told_ = {told.begin(), told.end()};
  }

  /// To the first look, from wherever it is.
  void start(std::size_t look) {
    t_ = motion_->check_times()[look];
    place(t_, look, AssemblyOptions{}.restarts);
    if (!found_.assembled) refuse(t_, look);
    now_ = next_;
  }

  /// To the next look, in steps so short that the mechanism stays in the way in which it is assembled.
  void go_to(std::size_t look) {
    const double end = motion_->check_times()[look], least = shortest * (end - t_);
    for (double step = end - t_; t_ < end;) {
      const double to = std::min(t_ + step, end);
      place(to, look, 0);
      compute_difference(work_->system(), now_, next_, way_);
      if (found_.assembled && way_.cwiseAbs().maxCoeff() <= farthest) {
        now_ = next_, t_ = to, step = end - t_;
      } else if (step > least) {
        step = 0.5 * step;
      } else {
        refuse(to, look);
      }
    }
  }

 private:
  void place(double t, std::size_t look, int restarts) {
    next_ = now_;
    for (std::size_t i = 0; i < motion_->coordinates().size(); ++i)
      next_[motion_->coordinates()[i].q] = motion_->value(i, t).position;
    const bool at_row = table_ != nullptr && t == motion_->check_times()[look];
    if (at_row)
      for (const auto& [entry, column] : table_->told())
        next_[entry] = table_->table().at(look, column);
    found_ = assemble(*work_,
                      {.hold = at_row ? told_ : driven_,
                       .limits = AssemblyOptions::Limits::ignore,
                       .tolerance = row_tolerance,
                       .restarts = restarts},
                      next_);
  }

  [[noreturn]] void refuse(double t, std::size_t look) const {
    const System& system = work_->system();
    const std::string row = t == motion_->check_times()[look] ? motion_->where(look) : "";
    const std::string where = row.empty() ? "" : row + ": ";
    if (!found_.assembled)
      throw Error(
          fmt::format("{}the motion asked for violates the closures at t = {:.6g} s: {} with {} "
                      "where it puts them",
                      where, t, describe(system, found_.worst), list_in_quotes(told_)));
    Eigen::Index most = 0;
    way_.cwiseAbs().maxCoeff(&most);
    throw Error(fmt::format(
        "{}the motion asked for cannot go on at t = {:.6g} s: to keep its closures "
        "the mechanism would have to jump, joint {} by {:.3g}",
        where, t, in_quotes(system.velocity_names()[static_cast<std::size_t>(most)]), way_[most]));
  }

  ClosedWorkspace* work_;
  const CommandedMotion* motion_;
  const ReferenceTable* table_;
  std::vector<std::string> driven_, told_;
  Eigen::VectorXd now_, next_, way_;
  double t_ = 0;
  Assembly found_;
};

}  // namespace

void require_closed(ClosedWorkspace& work, const CommandedMotion& motion, const ConstVectorRef& q,
                    double from) {
  if (work.system().closures().empty()) return;
  ClosedMotion closed(work, motion, q);
  bool started = false;
  for (std::size_t look = 0; look < motion.check_times().size(); ++look) {
    if (motion.check_times()[look] < from) continue;
    if (started)
      closed.go_to(look);
    else
      closed.start(look);
    started = true;
  }
}

}  // namespace linkwright
