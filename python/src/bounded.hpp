#pragma once
/// Plain numbers with bounds, as linkwright/_arguments.py names them: what is outside is refused there, by the
/// argument's name.
///
///     Array bias(PySystem& self, Numbers q, Numbers v, Count threads);      // threads: an int, 1 or more

#include <cmath>
#include <cstdint>

#include <nanobind/nanobind.h>

namespace linkwright::python {

namespace nb = nanobind;

/// A Bound says of which type it is, what Python calls it, and what holds.
template <class Bound>
struct Bounded {
  using Number = typename Bound::Number;
  Number value;
  operator Number() const { return value; }  // NOLINT(google-explicit-constructor): it is a number
};

#define LINKWRIGHT_BOUND(Name, Type, condition)                                          \
  struct Name##Bound {                                                                   \
    using Number = Type;                                                                 \
    static constexpr auto name = nb::detail::const_name("linkwright._arguments." #Name); \
    static bool holds([[maybe_unused]] Type x) { return condition; }                     \
  };                                                                                     \
  using Name = Bounded<Name##Bound>;
LINKWRIGHT_BOUND(Count, int, x >= 1)
LINKWRIGHT_BOUND(Natural, int, x >= 0)
LINKWRIGHT_BOUND(Seed, std::uint64_t, true)
LINKWRIGHT_BOUND(Positive, double, std::isfinite(x) && x > 0)
LINKWRIGHT_BOUND(NotNegative, double, std::isfinite(x) && x >= 0)
LINKWRIGHT_BOUND(Finite, double, std::isfinite(x))
#undef LINKWRIGHT_BOUND

}  // namespace linkwright::python

namespace nanobind::detail {

template <class Bound>
struct type_caster<linkwright::python::Bounded<Bound>> {
  NB_TYPE_CASTER(linkwright::python::Bounded<Bound>, Bound::name)
  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<typename Bound::Number> number;
    if (PyBool_Check(source.ptr()) || !number.from_python(source, flags, cleanup)) return false;
    value.value = number.value;
    return Bound::holds(value.value);
  }
};

}  // namespace nanobind::detail
