#pragma once
/// What Python calls a System: the compiled model with workspaces that wait for the next call.
///
///     python::PySystem arm(model, false, 1e-8);
///     auto work = arm.work();
///     compute_gravity(work->tree(), q, gravity);

#include <deque>
#include <memory>

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "linkwright/batch/forces.hpp"
#include "linkwright/closure/workspace.hpp"
#include "linkwright/dynamics/forces.hpp"
#include "linkwright/dynamics/state.hpp"
#include "pool.hpp"

namespace linkwright::python {

/// All that one call needs; none of it is allocated again.
struct Work {
  explicit Work(const System& system, bool closed)
      : closures(closed ? std::make_unique<ClosedWorkspace>(system) : nullptr),
        open(closed ? nullptr : std::make_unique<Workspace>(system, Closures::leave_out)),
        state(system) {}
  /// Of the spanning tree: right for what only speaks of a given state, and for open systems.
  [[nodiscard]] Workspace& tree() { return closures ? closures->tree() : *open; }
  /// Only for systems whose loops are closed.
  [[nodiscard]] ClosedWorkspace& closed() { return *closures; }

  std::unique_ptr<ClosedWorkspace> closures;
  std::unique_ptr<Workspace> open;
  State state;
  std::vector<ExternalForce> forces;  ///< room for those on one of many states
};

class PySystem {
 public:
  using Lease = Pool<Work>::Lease;

  /// `cut_open`: answer for the spanning tree, as if every loop were cut.
  /// `closure_tolerance`: how far, in metres and radians, closures may be open at a state that is given.
  PySystem(Model model, bool cut_open, double closure_tolerance);
  ~PySystem();
  PySystem(const PySystem&) = delete;
  PySystem& operator=(const PySystem&) = delete;

  /// What it was compiled from, its loops not cut yet.
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const std::shared_ptr<const System>& shared() const { return system_; }
  [[nodiscard]] bool is_cut_open() const { return cut_open_; }
  [[nodiscard]] double closure_tolerance() const { return closure_tolerance_; }
  /// Whether answers have to obey closures.
  [[nodiscard]] bool is_closed() const { return !cut_open_ && !system_->closures().empty(); }
  /// Numbers in tau: nv, or more where closing joints have motors.
  [[nodiscard]] int effort_count() const {
    return is_closed() ? system_->effort_count() : system_->nv();
  }

  [[nodiscard]] Lease work() {
    return works_.lend([this] { return std::make_unique<Work>(*system_, is_closed()); });
  }
  /// What answers for many states at once.
  struct Batches;
  [[nodiscard]] Batches& batches() { return *batches_; }

 private:
  Model model_;
  std::shared_ptr<const System> system_;
  bool cut_open_;
  double closure_tolerance_;
  Pool<Work> works_;
  std::unique_ptr<Batches> batches_;
};

/// External forces as Python gives them: {frame: [mx, my, mz, fx, fy, fz]} in the frame's own axes, or
/// ExternalForce objects, one or several. None for none. Of verbs for many states a wrench may be (K, 6).
struct Forces {
  nb::handle given;
  /// For one state: a wrench of several is refused.
  [[nodiscard]] std::vector<ExternalForce> on(const System& system) const;
};

/// What pushes on one state or many: wrenches (6,), alike on all of them, and (K, 6).
class ForcesOnStates {
 public:
  ForcesOnStates(const System& system, const Forces& given);

  /// Whether some are each state's own.
  [[nodiscard]] bool is_many() const { return !own_.empty(); }
  /// With the other arguments that have a row per state.
  [[nodiscard]] std::vector<const Input*> beside(std::initializer_list<const Input*> others) const;
  [[nodiscard]] ExternalForces on_state(Eigen::Index s, std::vector<ExternalForce>& room) const;
  /// As the library's batches take them; valid until the next call.
  [[nodiscard]] BatchForces on_all(Eigen::Index states);

 private:
  struct Own {
    Own(FrameId place, Axes in, std::string name, nb::handle given)
        : frame(place), axes(in), label(std::move(name)), wrench({given}, label.c_str(), 6) {}
    FrameId frame;
    Axes axes;
    std::string label;
    Input wrench;
  };
  std::vector<ExternalForce> alike_;
  std::deque<Own> own_;
  std::vector<StateForce> listed_;
};

}  // namespace linkwright::python

namespace nanobind::detail {

template <>
struct type_caster<linkwright::python::Forces> {
  NB_TYPE_CASTER(linkwright::python::Forces,
                 const_name("collections.abc.Mapping[str, numpy.typing.ArrayLike] | "
                            "linkwright._system.ExternalForce | "
                            "collections.abc.Sequence[linkwright._system.ExternalForce]"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.given = source;
    return true;
  }
};

}  // namespace nanobind::detail
