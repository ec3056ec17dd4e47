#include "refusals.hpp"

#include <nanobind/stl/string.h>

#include <array>
#include <exception>
#include <string>
#include <utility>

#include "linkwright/error.hpp"

namespace linkwright::python {
namespace {

namespace nb = nanobind;

// nanobind has no hook for calls that it refuses. Python has one: what a call jumps to is a field of the callable
// (tp_vectorcall_offset). nanobind jumps to few places, by how many arguments there are; for each a function here.
constexpr std::size_t most_places = 8;
std::array<vectorcallfunc, most_places> places{};

// Above the number of arguments stand flags, Python's and nanobind's.
constexpr std::size_t most_arguments = ~std::size_t{0} >> 8;

/// Nanobind's own, of this very call: one that comes out of a caller's function has come through his lines.
bool is_refusal(const nb::python_error& error) {
  const nb::handle way = error.traceback();
  if (!error.matches(PyExc_TypeError) || (way.is_valid() && !way.is_none())) return false;
  const nb::str text(error.value());
  static const nb::handle words = nb::str("(): incompatible function arguments").release();
  return PyUnicode_Find(text.ptr(), words.ptr(), 0, PyUnicode_GET_LENGTH(text.ptr()), 1) >= 0;
}

/// A text of Python's: names that no encoding knows are in it, too.
nb::object explain(PyObject* function, PyObject* const* given, std::size_t count, PyObject* names) {
  nb::list by_place;
  for (std::size_t i = 0; i < count; ++i) by_place.append(nb::handle(given[i]));
  nb::dict by_name;
  for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i)
    by_name[nb::handle(PyTuple_GET_ITEM(names, i))] =
        nb::handle(given[count + static_cast<std::size_t>(i)]);
  return nb::module_::import_("linkwright._arguments")
      .attr("explain")(nb::handle(function), nb::tuple(by_place), by_name);
}

/// In place of nanobind's refusal.
void refuse(PyObject* function, PyObject* const* given, std::size_t count, PyObject* names) {
  nb::python_error error;
  if (!is_refusal(error)) return error.restore();
  const nb::object text = explain(function, given, count, names);
  const nb::object type = nb::module_::import_("linkwright._errors").attr("InputError");
  PyErr_SetObject(type.ptr(), text.ptr());
}

template <std::size_t place>
PyObject* call(PyObject* function, PyObject* const* given, std::size_t count, PyObject* names) {
  PyObject* const result = places[place](function, given, count, names);
  if (result != nullptr || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return result;
  try {
    refuse(function, given, count & most_arguments, names);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

template <std::size_t... i>
constexpr std::array<vectorcallfunc, most_places> all_calls(std::index_sequence<i...>) {
  return {&call<i>...};
}

void stand_before(nb::handle function) {
  static constexpr auto calls = all_calls(std::make_index_sequence<most_places>{});
  char* const object = reinterpret_cast<char*>(function.ptr());
  auto& target =
      *reinterpret_cast<vectorcallfunc*>(object + Py_TYPE(function.ptr())->tp_vectorcall_offset);
  for (std::size_t i = 0; i < most_places; ++i) {
    if (places[i] == nullptr) places[i] = target;
    if (places[i] != target) continue;
    target = calls[i];
    return;
  }
  throw Error("nanobind calls functions in more ways than " + std::to_string(most_places));
}

void stand_before_all(nb::handle things) {
  for (const nb::handle thing : things.attr("__dict__").attr("values")()) {
    if (nb::hasattr(thing, "__nb_signature__"))
      stand_before(thing);
    else if (PyType_Check(thing.ptr()))
      stand_before_all(thing);
  }
}

}  // namespace

void name_what_is_refused(nb::module_& module) { stand_before_all(module); }

}  // namespace linkwright::python
