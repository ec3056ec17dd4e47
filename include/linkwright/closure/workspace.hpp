#pragma once
/// Scratch arrays for a system with closures (matrices: when a dense answer is first asked); one per
/// thread. The functions of dynamics/ have overloads that take it: they answer for the mechanism.
///
///     linkwright::ClosedWorkspace work(system);    // forward dynamics then allocates nothing
///     compute_forward_dynamics(work, state, tau, {}, a);

#include <memory>
#include <span>

#include "linkwright/dynamics/workspace.hpp"

namespace linkwright {

namespace closure {
struct LoopScratch;
struct DenseLoops;
}  // namespace closure

class ClosedWorkspace {
 public:
  /// The System must outlive the workspace; it may have no closures at all.
  explicit ClosedWorkspace(const System& system);
  explicit ClosedWorkspace(System&&) = delete;
  ~ClosedWorkspace();
  ClosedWorkspace(ClosedWorkspace&&) noexcept;
  ClosedWorkspace& operator=(ClosedWorkspace&&) noexcept;

  [[nodiscard]] const System& system() const { return tree_.system(); }
  /// Rows of all closures together.
  [[nodiscard]] int rows() const { return rows_; }
  /// Of the spanning tree: what only speaks of a given state (frame_pose, …) may be read from it.
  [[nodiscard]] Workspace& tree() { return tree_; }
  [[nodiscard]] const Workspace& tree() const { return tree_; }

  /// Efforts on the freedoms of closing joints (System::closing_names), besides those of the model and of
  /// motors; zero until they are written, and kept from then on.
  [[nodiscard]] std::span<double> closing_efforts();

  /// For the library's own sweeps.
  [[nodiscard]] closure::LoopScratch& loops() { return *loops_; }
  [[nodiscard]] const closure::LoopScratch& loops() const { return *loops_; }
  [[nodiscard]] closure::DenseLoops& dense() { return *dense_; }
  [[nodiscard]] const closure::DenseLoops& dense() const { return *dense_; }

 private:
  Workspace tree_;
  int rows_ = 0;
  std::unique_ptr<closure::LoopScratch> loops_;
  std::unique_ptr<closure::DenseLoops> dense_;
};

}  // namespace linkwright
