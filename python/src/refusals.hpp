#pragma once
/// Calls that fit no signature: where nanobind would print its signatures, the argument is named.

#include <nanobind/nanobind.h>

namespace linkwright::python {

/// Puts itself before all functions of the module and its classes, at a cost of one jump per call; comes last.
void name_what_is_refused(nanobind::module_& module);

}  // namespace linkwright::python
