#pragma once
/// Names that a caller gives, looked at as Numbers are: what is no text is told by the argument's name.

#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include "linkwright/dynamics/kinematics.hpp"
#include "linkwright/system/system.hpp"

namespace linkwright::python {

namespace nb = nanobind;

struct Word {
  nb::handle given;
  [[nodiscard]] std::string_view text(const char* name) const;
};

struct Words {
  nb::handle given;
  [[nodiscard]] bool is_none() const { return given.is_none(); }
  /// Throws Error for a single text too: its letters are no names.
  [[nodiscard]] std::vector<std::string> texts(const char* name) const;
};

FrameId to_frame(const System& system, Word frame);
Axes to_axes(Word axes);

}  // namespace linkwright::python

namespace nanobind::detail {

template <>
struct type_caster<linkwright::python::Word> {
  NB_TYPE_CASTER(linkwright::python::Word, const_name("str"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.given = source;
    return true;
  }
};

template <>
struct type_caster<linkwright::python::Words> {
  NB_TYPE_CASTER(linkwright::python::Words, const_name("collections.abc.Sequence[str]"))
  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.given = source;
    return true;
  }
};

}  // namespace nanobind::detail
