#pragma once
/// First and second derivatives of a closure's rows along relative velocities, exact, for every kind of
/// closure: one dual number wide, through the rows themselves (meeting.hpp).
///
///     auto r = row_rates(row_of<Dual>, place, X, along_l, V_k, V_k_rate, i);
///     // r.W, r.first = ∂_k W, r.other = ∂_l W, r.second = ∂_l ∂_k W

#include "linkwright/closure/meeting.hpp"
#include "linkwright/spatial/dual.hpp"
#include "linkwright/spatial/spatial.hpp"

namespace linkwright::closure::inline LINKWRIGHT_ISA {

using spatial::Dual;

inline spatial::Vector3<Dual> to_dual(const Vector3& x, const Vector3& d) {
  return {{x.x, d.x}, {x.y, d.y}, {x.z, d.z}};
}
inline Force values_of(const spatial::Force<Dual>& f) {
  return {{f.moment.x.x, f.moment.y.x, f.moment.z.x}, {f.force.x.x, f.force.y.x, f.force.z.x}};
}
inline Force derivatives_of(const spatial::Force<Dual>& f) {
  return {{f.moment.x.d, f.moment.y.d, f.moment.z.d}, {f.force.x.d, f.force.y.d, f.force.z.d}};
}

/// X, moving with the velocity V in its own axes.
inline spatial::Pose<Dual> moving(const Pose& X, const Motion& V) {
  const Matrix3& R = X.rotation;
  const Matrix3 D = R * spatial::skew(V.angular);
  return {{{R.xx, D.xx},
           {R.xy, D.xy},
           {R.xz, D.xz},
           {R.yx, D.yx},
           {R.yy, D.yy},
           {R.yz, D.yz},
           {R.zx, D.zx},
           {R.zy, D.zy},
           {R.zz, D.zz}},
          to_dual(X.translation, R * V.linear)};
}

struct RowRates {
  Force W, first, other, second;
};

/// Of row i at X: along V_k, along V_l, and along first V_k, then V_l, where ∂_l V_k = `V_k_rate`.
template <class RowOf>
RowRates row_rates(const RowOf& row_of, const ClosurePlace& c, const Pose& X, const Motion& V_l,
                   const Motion& V_k, const Motion& V_k_rate, int i) {
  Meeting<Dual> m;
  m.X = moving(X, V_l);
  m.V = {to_dual(V_k.angular, V_k_rate.angular), to_dual(V_k.linear, V_k_rate.linear)};
  const Row<Dual> row = row_of(c, m, i);
  return {values_of(row.W), values_of(row.rate), derivatives_of(row.W), derivatives_of(row.rate)};
}

}  // namespace linkwright::closure::inline LINKWRIGHT_ISA
