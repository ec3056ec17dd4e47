// linkwright::Error as Python's linkwright.Error: the same text, the same list of mistakes.
#include "bindings.hpp"
#include "linkwright/error.hpp"

namespace linkwright::python {
namespace {

void raise(const Error& error) {
  const nb::module_ errors = nb::module_::import_("linkwright._errors");
  nb::list mistakes;
  for (const Mistake& mistake : error.mistakes())
    mistakes.append(errors.attr("Mistake")(mistake.message.c_str(), mistake.where.file.c_str(),
                                           mistake.where.line));
  const char* const type =
      error.kind() == Error::Kind::bad_input ? "InputError" : "ComputationError";
  const nb::object exception = errors.attr(type)(error.what(), mistakes);
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
