#include "linkwright/coordinates/influence.hpp"

#include <algorithm>
#include <utility>

#include "closure/rank/dense_loops.hpp"
#include "closure/rank/size.hpp"
#include "coordinates/parameters.hpp"
#include "dynamics/door.hpp"
#include "linkwright/closure/kinematics.hpp"
#include "linkwright/dynamics/kinematics.hpp"
#include "spatial/index.hpp"

namespace linkwright::coordinates {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// A freedom between the world and a frame.
struct OnPath {
  int v;          // entry of v
  int depth;      // of its node: the joints inboard of it have less
  Motion S;       // its motion of the point at the world's origin, world axes
  Motion column;  // of the frame's origin
};

std::vector<OnPath> path_to(const Workspace& work, const FramePlace& place, const Vector3& tip) {
  const auto& nodes = work.system().tree().nodes;
  std::vector<OnPath> path;
  int depth = 0;
  for (int k = place.node; k != 0; k = nodes[at(k)].parent, --depth)
    for (int i = 0; i < nodes[at(k)].d; ++i) {
      const Motion S = work.scratch().column(nodes[at(k)].freedom + i);
      path.push_back({nodes[at(k)].v + i, depth, S, spatial::shift(tip, S)});
    }
  return path;
}

/// The rate of column j while freedom k moves. A joint turns and carries what is outboard of it, its own
/// modes included (they are constant in its child): Ṡ_j = [S_k, S_j]. The others move the point only.
Motion column_rate(const OnPath& j, const OnPath& k, const Vector3& tip) {
  Motion rate{};
  if (k.depth <= j.depth) rate = spatial::shift(tip, bracket(k.S, j.S));
  rate.linear += cross(j.column.angular, k.column.linear);
  return rate;
}

Parameters frame_parameters(const System& system, const FramePlace& place) {
  const double size = closure::size_of(system);
  Parameters out;
  for (const char* axis : {"wx", "wy", "wz"}) out.push_back({place.name + ":" + axis, 1});
  for (const char* axis : {"vx", "vy", "vz"}) out.push_back({place.name + ":" + axis, size});
  return out;
}

/// Entries of v behind a name, in the order of v.
std::vector<Index> entries_of(const System& system, const std::string& name) {
  const auto& known = system.velocity_names();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return {found - known.begin()};
  const JointPlace& joint = system.joint(name);
  std::vector<Index> out;
  for (int i = 0; i < joint.nv; ++i) out.push_back(joint.v + i);
  return out;
}

/// The symmetric array of a quadratic form b(v) that is known by its values:
/// b(e_j + e_k) − b(e_j − e_k) is four times the entry at (j, k).
template <class Form>
Array symmetric_form(Index planes, Index n, Form&& form) {
  Array out(planes, n);
  VectorXd more(planes), less(planes);
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k <= j; ++k) {
      form(VectorXd::Unit(n, j) + VectorXd::Unit(n, k), more);
      less.setZero();
      if (j != k) form(VectorXd::Unit(n, j) - VectorXd::Unit(n, k), less);
      for (Index p = 0; p < planes; ++p)
        out.plane(p)(j, k) = out.plane(p)(k, j) = (more[p] - less[p]) / 4;
    }
  return out;
}

/// Of rates J(q) v whose own rates at constant v are `bias`.
template <class Jacobian, class Bias>
Influence influence_of(ClosedWorkspace& work, const ConstVectorRef& q, Parameters of,
                       const Jacobian& jacobian, const Bias& bias) {
  const System& system = work.system();
  const Index n = system.nv(), m = static_cast<Index>(of.size());
  Influence out{std::move(of), joint_parameters(system), Matrix(m, n), Array(m, n)};
  {
    auto G = out.G.view();
    jacobian(work, q, G);
  }
  State state(system);
  state.q = q;
  out.H = symmetric_form(m, n, [&](const VectorXd& v, VectorXd& rate) {
    state.v = v;
    bias(work, state, rate);
  });
  return out;
}

Influence at_rows(const Influence& from, const std::vector<Index>& rows) {
  Influence out{at_places(from.of, rows), from.by,
                Matrix(static_cast<Index>(rows.size()), from.G.cols()),
                Array(static_cast<Index>(rows.size()), from.H.size())};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.G.view().row(static_cast<Index>(i)) = from.G.view().row(rows[i]);
    out.H.flat().col(static_cast<Index>(i)) = from.H.flat().col(rows[i]);
  }
  return out;
}

}  // namespace

Influence joint_influence(const System& system) {
  const Parameters all = joint_parameters(system);
  return {all, all, Matrix(Eigen::MatrixXd::Identity(system.nv(), system.nv())),
          Array(system.nv(), system.nv())};
}

Influence joint_influence(const System& system, const std::vector<std::string>& names) {
  std::vector<Index> rows;
  for (const std::string& name : names)
    for (const Index entry : entries_of(system, name)) rows.push_back(entry);
  const Parameters all = joint_parameters(system);
  const auto count = static_cast<Index>(rows.size());
  Influence out{at_places(all, rows), all, Matrix(count, system.nv()), Array(count, system.nv())};
  for (Index i = 0; i < count; ++i) out.G.view()(i, rows[at(i)]) = 1;
  return out;
}

Influence compute_frame_influence(Workspace& work, const ConstVectorRef& q, FrameId frame,
                                  Axes axes) {
  const System& system = work.system();
  door::check_frame(system, frame);
  const FramePlace& place = system.frame(frame);
  Influence out{frame_parameters(system, place), joint_parameters(system), Matrix(6, system.nv()),
                Array(6, system.nv())};
  {
    auto G = out.G.view();
    compute_jacobian(work, q, frame, axes, G);
  }
  const Pose tip = work.scratch().pose[at(place.node)] * place.pose;
  const std::vector<OnPath> path = path_to(work, place, tip.translation);
  for (const OnPath& j : path)
    for (const OnPath& k : path) {
      Motion rate = column_rate(j, k, tip.translation);
      if (axes == Axes::own) {
        rate.angular -= cross(k.column.angular, j.column.angular);
        rate.linear -= cross(k.column.angular, j.column.linear);
        rate = {transpose_times(tip.rotation, rate.angular),
                transpose_times(tip.rotation, rate.linear)};
      }
      const auto numbers = to_eigen(rate);
      for (Index p = 0; p < 6; ++p) out.H.plane(p)(j.v, k.v) = numbers[p];
    }
  return out;
}

Influence compute_frame_influence(ClosedWorkspace& work, const ConstVectorRef& q, FrameId frame,
                                  Axes axes) {
  return compute_frame_influence(work.tree(), q, frame, axes);
}

Influence compute_closure_influence(ClosedWorkspace& work, const ConstVectorRef& q) {
  Parameters rows;
  for (const ClosurePlace& c : work.system().closures())
    for (int i = 0; i < c.rows; ++i)
      rows.push_back({c.name + ":" + std::to_string(i), 1 / work.dense().row_scale[c.row + i]});
  return influence_of(work, q, std::move(rows), compute_closure_jacobian, compute_closure_bias);
}

Influence compute_closing_influence(ClosedWorkspace& work, const ConstVectorRef& q) {
  Parameters joints;
  for (const std::string& name : work.system().closing_names()) joints.push_back({name, 1});
  return influence_of(work, q, std::move(joints), compute_closing_jacobian, compute_closing_bias);
}

Influence select(const Influence& influence, const std::vector<std::string>& names) {
  return at_rows(influence, indices_of(influence.of, names));
}

Influence stack(const Influence& first, const Influence& second) {
  require_same(second.by, first.by, "the second influence");
  const Index a = first.G.rows(), b = second.G.rows();
  Influence out{first.of, first.by, Matrix(a + b, first.G.cols()), Array(a + b, first.H.size())};
  out.of.insert(out.of.end(), second.of.begin(), second.of.end());
  out.G.view().topRows(a) = first.G.view();
  out.G.view().bottomRows(b) = second.G.view();
  out.H.flat().leftCols(a) = first.H.flat();
  out.H.flat().rightCols(b) = second.H.flat();
  return out;
}

Influence compose(const Influence& u_by_phi, const Influence& phi_by_q) {
  require_same(u_by_phi.by, phi_by_q.of, "the outer influence");
  Influence out{u_by_phi.of, phi_by_q.by, Matrix(u_by_phi.G.view() * phi_by_q.G.view()),
                dot(u_by_phi.G.view(), phi_by_q.H)};
  out.H.flat() += quadratic(u_by_phi.H, phi_by_q.G.view()).flat();
  return out;
}

}  // namespace linkwright::coordinates
