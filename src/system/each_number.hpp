#pragma once
/// Every constant of the tree beside its counterpart in a tree of another scalar: calls
/// convert(to, from) for each number.
///
///     each_number(single, node, [](float& to, double from) { to = static_cast<float>(from); });

#include "linkwright/system/tree.hpp"

namespace linkwright {

template <class A, class B, class F>
void each_number(spatial::Vector3<A>& to, const spatial::Vector3<B>& from, F&& convert) {
  convert(to.x, from.x), convert(to.y, from.y), convert(to.z, from.z);
}
template <class A, class B, class F>
void each_number(spatial::Matrix3<A>& to, const spatial::Matrix3<B>& from, F&& convert) {
  convert(to.xx, from.xx), convert(to.xy, from.xy), convert(to.xz, from.xz);
  convert(to.yx, from.yx), convert(to.yy, from.yy), convert(to.yz, from.yz);
  convert(to.zx, from.zx), convert(to.zy, from.zy), convert(to.zz, from.zz);
}
template <class A, class B, class F>
void each_number(spatial::Symmetric3<A>& to, const spatial::Symmetric3<B>& from, F&& convert) {
  convert(to.xx, from.xx), convert(to.yy, from.yy), convert(to.zz, from.zz);
  convert(to.xy, from.xy), convert(to.xz, from.xz), convert(to.yz, from.yz);
}
template <class A, class B, class F>
void each_number(Node<A>& to, const Node<B>& from, F&& convert) {
  each_number(to.R0, from.R0, convert);
  each_number(to.p0, from.p0, convert);
  convert(to.twist.c, from.twist.c), convert(to.twist.s, from.twist.s);
  convert(to.M.mass, from.M.mass);
  each_number(to.M.first_moment, from.M.first_moment, convert);
  each_number(to.M.rotational, from.M.rotational, convert);
  each_number(to.J, from.J, convert);
  convert(to.offset, from.offset), convert(to.rotor, from.rotor);
}
template <class A, class B, class F>
void each_number(Modes<A>& to, const Modes<B>& from, F&& convert) {
  for (int i = 0; i < 6; ++i) {
    each_number(to.column[i].angular, from.column[i].angular, convert);
    each_number(to.column[i].linear, from.column[i].linear, convert);
    convert(to.rotor[i], from.rotor[i]), convert(to.turn[i], from.turn[i]);
    each_number(to.slide[i], from.slide[i], convert);
  }
  each_number(to.axis, from.axis, convert);
  each_number(to.moment, from.moment, convert);
}

}  // namespace linkwright
