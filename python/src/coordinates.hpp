#pragma once
/// In which coordinates an answer is wanted, and motors by their names.

#include <vector>

#include "linkwright/closure/dynamics.hpp"
#include "verbs.hpp"

namespace linkwright::python {

/// Entries of v that were chosen; all of them where `is_full`.
struct Chosen {
  bool is_full = true;
  std::vector<int> entries;
  Index nv = 0;
  [[nodiscard]] Index size() const { return is_full ? nv : static_cast<Index>(entries.size()); }
};

/// None: all; "independent": those of the mechanism; names: these.
struct Coordinates {
  nb::handle given;
  [[nodiscard]] bool are_chosen() const { return !given.is_none(); }
  /// Judged at the first of the positions.
  [[nodiscard]] Chosen resolve(PySystem& self, const Input& q) const;
};

/// Throws Error unless it has loops that answers obey; `verb` says who asks.
void require_loops(const PySystem& self, const char* verb);
/// Throws Error unless the state in `work` closes every loop as far as the system asks.
void check_closed(const PySystem& self, Work& work);
/// The same for many states at once.
void check_closed(PySystem& self, Input& q, Input& v, Index states);

/// Entries of System::effort_names, by names.
Actuation to_actuation(const System& system, const std::vector<std::string>& motors);

/// A symmetric positive definite matrix by its inverse.
void invert_positive(Matrix m);

}  // namespace linkwright::python

namespace nanobind::detail {

template <>
struct type_caster<linkwright::python::Coordinates> {
  NB_TYPE_CASTER(linkwright::python::Coordinates,
                 const_name("str | collections.abc.Sequence[str] | None"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.given = source;
    return true;
  }
};

}  // namespace nanobind::detail
