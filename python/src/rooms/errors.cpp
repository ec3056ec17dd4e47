// linkwright::Error as Python's linkwright.Error: the same text, the same list of mistakes.
#include <string_view>

#include "bindings.hpp"
#include "linkwright/error.hpp"

namespace linkwright::python {
namespace {

/// The members of a State are arguments of their own here: "state.q of joint …" is about q.
std::string_view by_argument(std::string_view text) {
  constexpr std::string_view state = "state.";
  return text.starts_with("state.q") || text.starts_with("state.v") ? text.substr(state.size())
                                                                    : text;
}

nb::str text_of(std::string_view message) {
  const std::string_view text = by_argument(message);
  return nb::str(text.data(), text.size());
}

void raise(const Error& error) {
  const nb::module_ errors = nb::module_::import_("linkwright._errors");
  nb::list mistakes;
  for (const Mistake& mistake : error.mistakes())
    mistakes.append(errors.attr("Mistake")(text_of(mistake.message), mistake.where.file.c_str(),
                                           mistake.where.line));
  const char* const type =
      error.kind() == Error::Kind::bad_input ? "InputError" : "ComputationError";
  const nb::object exception = errors.attr(type)(text_of(error.what()), mistakes);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace linkwright::python
