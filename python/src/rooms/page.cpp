// Pages of mechanisms and runs, and files of runs.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "linkwright/simulate/recording.hpp"
#include "linkwright/viewer/recorded_run.hpp"
#include "verbs.hpp"
#include "words.hpp"

namespace linkwright::python {
namespace {

using namespace nb::literals;
using Facts =
    std::vector<std::pair<std::string, std::variant<double, std::string, std::vector<double>>>>;

void require_page() {
  if (page_available()) return;
  throw Error(
      "this build of linkwright has no page; install node and npm and build it again with them");
}

/// The text, and what could not be shown as the model asks.
nb::tuple to_python(const Page& page) {
  nb::list warnings;
  for (const Warning& warning : page.warnings) warnings.append(nb::str(warning.text().c_str()));
  return nb::make_tuple(page.text, warnings);
}

nb::tuple system_page(const PySystem& self, Numbers given_q) {
  require_page();
  const Input q(given_q, "q", self.system().nq(), Input::Many::refused);
  const Eigen::VectorXd shown = q.vector();
  return to_python(to_page(self.system(), shown));
}

std::vector<Column> to_columns(const Names& names, const Names& units) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.push_back({names[i], units[i]});
  return columns;
}

/// The numbers of a recording, row after row.
std::span<const double> rows_of(const Input& values) {
  return {values.state(0), static_cast<std::size_t>(values.rows() * values.width())};
}

nb::tuple run_page(const PySystem& self, const Names& names, const Names& units, Numbers given,
                   const std::vector<std::pair<double, std::string>>& events,
                   const std::vector<std::pair<std::string, std::string>>& summary,
                   double energy_scale) {
  require_page();
  const Input values(given, "values", static_cast<Index>(names.size()));
  const std::vector<Column> columns = to_columns(names, units);
  std::vector<Occurrence> occurrences;
  for (const auto& [time, name] : events) occurrences.push_back({time, name});
  PageRun run = to_page_run(self.system(), {columns, rows_of(values), occurrences, summary});
  run.energy_scale = energy_scale;
  const Eigen::VectorXd first = run.q.col(0);
  return to_python(to_page(self.system(), first, &run));
}

std::vector<Fact> to_facts(const Facts& given) {
  std::vector<Fact> facts;
  for (const auto& [name, value] : given)
    std::visit([&, &key = name](const auto& held) { facts.push_back({key, held}); }, value);
  return facts;
}

void write_recording(const PySystem& self, const std::string& path, const Names& names,
                     const Names& units, Numbers given, const Facts& facts, const Facts& outcome,
                     bool describe) {
  const Input values(given, "values", static_cast<Index>(names.size()));
  RecordingHeader header = describe_run(self.system(), Channels(self.system()));
  header.columns = to_columns(names, units);
  header.describe = describe;
  for (Fact& fact : to_facts(facts)) header.facts.push_back(std::move(fact));
  const std::unique_ptr<Recorder> file = open_recorder(path, header);
  for (Index row = 0; row < values.rows(); ++row)
    file->row({values.state(row), static_cast<std::size_t>(values.width())});
  file->finish(to_facts(outcome));
}

}  // namespace

void bind_page(nb::module_& module) {
  module.def("page_available", &page_available);
  module.def("system_page", &system_page, "system"_a, "q"_a);
  module.def("run_page", &run_page, "system"_a, "names"_a, "units"_a, "values"_a, "events"_a,
             "summary"_a, "energy_scale"_a);
  module.def("write_page", &write_page, "path"_a, "text"_a);
  module.def("write_recording", &write_recording, "system"_a, "path"_a, "names"_a, "units"_a,
             "values"_a, "facts"_a, "outcome"_a, "describe"_a);
}

}  // namespace linkwright::python
