#include "words.hpp"

#include <nanobind/stl/string.h>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::python {
namespace {

[[noreturn]] void refuse(const char* name, const char* expected, nb::handle given) {
  throw Error(std::string(name) + ": expected " + expected + "; got " +
              nb::cast<std::string>(nb::repr(given)));
}

}  // namespace

std::string_view Word::text(const char* name) const {
  if (!nb::isinstance<nb::str>(given)) refuse(name, "a name (str)", given);
  Py_ssize_t size = 0;
  const char* const letters = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
  if (letters == nullptr) throw nb::python_error();
  return {letters, static_cast<std::size_t>(size)};
}

std::vector<std::string> Words::texts(const char* name) const {
  if (!nb::isinstance<nb::sequence>(given) || nb::isinstance<nb::str>(given))
    refuse(name, "a list of names", given);
  std::vector<std::string> all;
  for (const nb::handle one : nb::borrow<nb::sequence>(given))
    all.emplace_back(Word{one}.text(name));
  return all;
}

FrameId to_frame(const System& system, Word frame) { return system.frame(frame.text("frame")); }

Axes to_axes(Word axes) {
  const std::string_view name = axes.text("axes");
  if (name == "own") return Axes::own;
  if (name == "world") return Axes::world;
  throw Error("axes: expected 'own' or 'world'; got " + in_quotes(name));
}

}  // namespace linkwright::python
