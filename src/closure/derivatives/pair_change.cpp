#include "closure/derivatives/pair_change.hpp"

#include <algorithm>

#include "linkwright/closure/residual.hpp"
#include "linkwright/closure/row_rates.hpp"
#include "linkwright/dynamics/sweeps/forces.hpp"

namespace linkwright::closure {
namespace {

void put(const Force& f, double (&to)[6]) {
  to[0] = f.moment.x, to[1] = f.moment.y, to[2] = f.moment.z;
  to[3] = f.force.x, to[4] = f.force.y, to[5] = f.force.z;
}
void zero(double (&map)[6][6]) { std::fill_n(&map[0][0], 36, 0.0); }
constexpr Vector3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

enum class Constancy { in_b, in_a, none };

Constancy constancy_of_row(const ClosurePlace& c) {
  if (c.kind == PairKind::lower_pair) return Constancy::in_b;
  return c.kind == PairKind::point ? Constancy::in_a : Constancy::none;
}
Constancy constancy_of_closing_row(const ClosurePlace& c, int i) {
  if (c.kind == PairKind::universal) return Constancy::none;
  return c.joint == JointType::planar && i < 2 ? Constancy::in_a : Constancy::in_b;
}

/// W = [Rᵀ m; Rᵀ f] turns against b: δW = −ξ × W, Ẇ = −ω × W, each half by itself.
void turn_against_b(const Row<double>& row, const PairMotion& now, int i, RowMaps& out) {
  const Vector3 &m = row.W.moment, &f = row.W.force, &omega = now.V.angular, &v = now.V.linear;
  put({cross(omega, m) + cross(v, f), {}}, out.y[i]);
  put({cross(v, f), row.rate.force}, out.z[i]);
  put({cross(now.A.angular, m) + cross(now.A.linear, f) + cross(f, cross(v, omega)), {}}, out.x[i]);
  for (int j = 0; j < 3; ++j) put({cross(m, unit[j]), cross(f, unit[j])}, out.W_by_turn[i][j]);
  out.vary = true;
}

/// Any row, a direction of ξ and one of δV at a time.
template <class RowOf>
void vary(const RowOf& row_of, const Row<double>& row, const PairMotion& now, int i, RowMaps& out) {
  Meeting<Dual> m;
  m.V = {to_dual(now.V.angular, {}), to_dual(now.V.linear, {})};
  double rate[6];
  put(row.rate, rate);
  for (int j = 0; j < 6; ++j) {
    const Motion by{j < 3 ? unit[j] : Vector3{}, j < 3 ? Vector3{} : unit[j - 3]};
    m.X = moving(now.X, by);
    const Row<Dual> along = row_of(m, i);
    const Force W = derivatives_of(along.W);
    put(W, j < 3 ? out.W_by_turn[i][j] : out.W_by_way[i][j - 3]);
    out.y[i][j] = dot(W, now.V);
    out.x[i][j] = dot(W, now.A) + dot(derivatives_of(along.rate), now.V);
  }
  m.X = moving(now.X, {});
  for (int j = 0; j < 6; ++j) {
    m.V = {to_dual(now.V.angular, j < 3 ? unit[j] : Vector3{}),
           to_dual(now.V.linear, j < 3 ? Vector3{} : unit[j - 3])};
    out.z[i][j] = rate[j] + dot(derivatives_of(row_of(m, i).rate), now.V);
  }
  out.vary = true;
}

template <class RowOf>
void find_row(const RowOf& row_of, Constancy constancy, const PairMotion& now, int i,
              RowMaps& out) {
  Meeting<double> m;
  m.X = now.X, m.V = now.V;
  const Row<double> row = row_of(m, i);
  put(row.W, out.W[i]);
  if (constancy == Constancy::in_a) turn_against_b(row, now, i, out);
  if (constancy == Constancy::none) vary(row_of, row, now, i, out);
}

/// to += a · Σ over the directions of ξ, transposed: rows of a map of ξ.
void add_change(double a, const RowMaps& maps, int i, double (&to)[6][6]) {
  for (int j = 0; j < 3; ++j)
    for (int c = 0; c < 6; ++c) {
      to[c][j] += a * maps.W_by_turn[i][j][c];
      to[c][j + 3] += a * maps.W_by_way[i][j][c];
    }
}
/// to += a w xᵀ.
void add_product(double a, const double (&w)[6], const double (&x)[6], double (&to)[6][6]) {
  for (int c = 0; c < 6; ++c)
    for (int j = 0; j < 6; ++j) to[c][j] += a * w[c] * x[j];
}

double applied(const double (&f)[6], const Motion& m) {
  return f[0] * m.angular.x + f[1] * m.angular.y + f[2] * m.angular.z + f[3] * m.linear.x +
         f[4] * m.linear.y + f[5] * m.linear.z;
}

void find_stiffness(const ClosurePlace& place, const Pose& X, double (&out)[6][6]) {
  if (place.carries_pose()) return pose_spring_stiffness(place, X, out);
  for (int i = 0; i < place.freedoms; ++i) out[i][i] = place.freedom[i].stiffness;
}

/// What acts at closing freedom i.
void add_freedom(const ClosurePlace& place, const PairMotion& motion, const RowMaps& maps, int i,
                 double effort, const double (&stiffness)[6], PairLoad& out) {
  const double rotor = place.freedom[i].rotor, damping = place.freedom[i].damping;
  const auto& w = maps.W[i];
  if (rotor != 0) {
    Meeting<double> m;
    m.X = motion.X, m.V = motion.V;
    effort -= rotor * (applied(w, motion.A) + dot(closing_row(place, m, i).rate, motion.V));
  }
  out.F += effort * maps.force(i);
  if (maps.vary) add_change(effort, maps, i, out.by_xi);
  for (int j = 0; j < place.freedoms; ++j)
    if (stiffness[j] != 0) add_product(-stiffness[j], w, maps.W[j], out.by_xi);
  out.varies = out.varies || maps.vary || place.has_springs;
  if (rotor == 0 && damping == 0) return;
  add_product(-damping, w, maps.y[i], out.by_xi);
  add_product(-rotor, w, maps.x[i], out.by_xi);
  add_product(-damping, w, w, out.by_V);
  add_product(-rotor, w, maps.z[i], out.by_V);
  add_product(-rotor, w, w, out.by_A);
  out.varies = out.drains = true;
}

}  // namespace

void find_rows(const ClosurePlace& place, const PairMotion& motion, PairRows& out) {
  for (int i = 0; i < place.rows; ++i)
    find_row([&](const auto& m, int k) { return row_of(place, m, k); }, constancy_of_row(place),
             motion, i, out.rows);
  for (int i = 0; i < place.freedoms; ++i)
    find_row([&](const auto& m, int k) { return closing_row(place, m, k); },
             constancy_of_closing_row(place, i), motion, i, out.freedoms);
}

void find_load(const ClosurePlace& place, const PairMotion& motion, const PairRows& rows,
               const double* lambda, const double* efforts, PairLoad& out) {
  out.F = {};
  if (out.varies) zero(out.by_xi);
  if (out.drains) zero(out.by_V), zero(out.by_A);
  for (int i = 0; i < place.rows; ++i) {
    out.F += lambda[i] * rows.rows.force(i);
    if (rows.rows.vary) add_change(lambda[i], rows.rows, i, out.by_xi);
  }
  out.varies = out.varies || rows.rows.vary;
  double stiffness[6][6]{};
  if (place.has_springs) find_stiffness(place, motion.X, stiffness);
  for (int i = 0; i < place.freedoms; ++i)
    add_freedom(place, motion, rows.freedoms, i, efforts[i], stiffness[i], out);
}

/// The springs' own formula on dual numbers, along the rate of the pose that a unit rate of freedom j is.
void pose_spring_stiffness(const ClosurePlace& place, const Pose& X, double (&out)[6][6]) {
  const Opening open = opening(place, X);
  const Quaternion r = spatial::to_quaternion(open.joint.rotation);
  const Vector3& p = open.joint.translation;
  JointForces<double>::PoseSpring spring{0, 0, {}, place.joint == JointType::free};
  for (int i = 0; i < place.freedoms; ++i) spring.stiffness[i] = place.freedom[i].stiffness;
  for (int j = 0; j < place.freedoms; ++j) {
    const Vector3 turn = place.mode[j].angular, way = open.joint.rotation * place.mode[j].linear;
    const Vector3 u{r.x, r.y, r.z}, du = 0.5 * (r.w * turn + cross(u, turn));
    const Dual pose[7]{{r.w, -0.5 * dot(u, turn)},
                       {r.x, du.x},
                       {r.y, du.y},
                       {r.z, du.z},
                       {p.x, way.x},
                       {p.y, way.y},
                       {p.z, way.z}};
    Dual efforts[6]{};
    sweeps::add_pose_spring(spring, nullptr, pose, efforts);
    for (int i = 0; i < place.freedoms; ++i) out[i][j] = -efforts[i].d;
  }
}

}  // namespace linkwright::closure
