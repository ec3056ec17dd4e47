// Influence coefficients of frames, of points fixed in them, and of their orientation.
#include <fmt/format.h>

#include "closure/rank/size.hpp"
#include "coordinates/parameters.hpp"
#include "dynamics/door.hpp"
#include "dynamics/kernels.hpp"
#include "linkwright/coordinates/frame_coefficients.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;

/// Which of [ω; v].
struct Components {
  int first, count;
};
constexpr Components all_six{0, 6}, turning{0, 3}, moving{3, 3};

Parameters frame_parameters(const System& system, const std::string& name, Axes axes,
                            Components which) {
  constexpr const char* letters[6]{"wx", "wy", "wz", "vx", "vy", "vz"};
  const double size = closure::size_of(system);
  Parameters out;
  for (int i = which.first; i < which.first + which.count; ++i)
    out.push_back({name + ":" + letters[i], i < 3 ? 1 : size, name, i, axes});
  return out;
}

/// Of what stands at `place` on a node.
Influence influence_at(Workspace& work, const ConstVectorRef& q, int node, const Pose& place,
                       const std::string& name, Axes axes, Components which, Order order) {
  const System& system = work.system();
  door::check_position(system, q);
  ScratchD& s = work.scratch();
  kernels().place(system.tree(), s, q.data());
  kernels().poses_from_root(system.tree(), s);
  kernels().motion_columns(system.tree(), s);
  const FrameCoefficients<double> at(system.tree(), s, node, place, axes);
  const Index rows = which.count, nv = system.nv();
  Influence out{frame_parameters(system, name, axes, which),
                joint_parameters(system),
                Matrix(rows, nv),
                Array(rows, nv),
                {}};
  if (order == Order::third) out.D = Array4(rows, nv);
  const auto write_numbers = [&](const Motion& from, const auto& to) {
    const double numbers[6]{from.angular.x, from.angular.y, from.angular.z,
                            from.linear.x,  from.linear.y,  from.linear.z};
    for (Index p = 0; p < rows; ++p) to(p) = numbers[which.first + p];
  };
  auto G = out.G.view();
  for (const auto& j : at.path()) {
    write_numbers(at.first(j), [&](Index p) -> double& { return G(p, j.v); });
    for (const auto& k : at.path()) {
      write_numbers(at.second(j, k), [&](Index p) -> double& { return out.H.plane(p)(j.v, k.v); });
      if (order == Order::second) continue;
      for (const auto& l : at.path())
        write_numbers(at.third(j, k, l),
                      [&](Index p) -> double& { return out.D.slice(p, l.v)(j.v, k.v); });
    }
  }
  return out;
}

}  // namespace

Influence compute_frame_influence(Workspace& work, const ConstVectorRef& q, FrameId frame,
                                  Axes axes, Order order) {
  door::check_frame(work.system(), frame);
  const FramePlace& place = work.system().frame(frame);
  return influence_at(work, q, place.node, place.pose, place.name, axes, all_six, order);
}

Influence compute_orientation_influence(Workspace& work, const ConstVectorRef& q, FrameId frame,
                                        Axes axes, Order order) {
  door::check_frame(work.system(), frame);
  const FramePlace& place = work.system().frame(frame);
  return influence_at(work, q, place.node, place.pose, place.name, axes, turning, order);
}

Influence compute_point_influence(Workspace& work, const ConstVectorRef& q, FrameId frame,
                                  const Vector3& point, Axes axes, Order order) {
  door::check_frame(work.system(), frame);
  check_point(point);
  const FramePlace& place = work.system().frame(frame);
  const std::string name =
      fmt::format("{}({:g}, {:g}, {:g})", place.name, point.x, point.y, point.z);
  return influence_at(work, q, place.node, place.pose * Pose{Matrix3::identity(), point}, name,
                      axes, moving, order);
}

Influence compute_frame_influence(ClosedWorkspace& work, const ConstVectorRef& q, FrameId frame,
                                  Axes axes, Order order) {
  return compute_frame_influence(work.tree(), q, frame, axes, order);
}

}  // namespace linkwright::coordinates
