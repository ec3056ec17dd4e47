// Files into models.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "bindings.hpp"
#include "linkwright/io/read_model.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;

Base to_base(std::string_view name) {
  if (name == "fixed") return Base::fixed;
  if (name == "free") return Base::free;
  if (name == "planar") return Base::planar;
  throw Error("base: expected 'fixed', 'free' or 'planar'; got " + in_quotes(name));
}

Model read(const std::filesystem::path& path, std::string_view base, bool lenient) {
  const ReadOptions options{to_base(base), lenient};
  const nb::gil_scoped_release without_lock;
  return read_model(path, options);
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A model as the readers leave it.");
  module.def("read_model", &read, "path"_a, "base"_a = "fixed", "lenient"_a = false);
}

}  // namespace linkwright::python
