#include "words.hpp"

#include <nanobind/stl/string.h>

#include "linkwright/error.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::python {

std::string to_text(nb::handle given, const char* name) {
  if (nb::isinstance<nb::str>(given)) return nb::cast<std::string>(given);
  throw Error(std::string(name) + ": expected a text (str); got " +
              nb::cast<std::string>(nb::repr(given)));
}

void refuse_word(const std::string& name, std::string_view given, const Names& known) {
  std::string text = name + ": expected ";
  for (std::size_t i = 0; i < known.size(); ++i)
    text += (i == 0 ? "" : i + 1 < known.size() ? ", " : " or ") + in_quotes(known[i]);
  throw Error(text + "; got " + in_quotes(given));
}

FrameId to_frame(const System& system, std::string_view frame) { return system.frame(frame); }

Axes to_axes(std::string_view axes) {
  return choose<Axes>("axes", axes, {{"own", Axes::own}, {"world", Axes::world}});
}

}  // namespace linkwright::python
