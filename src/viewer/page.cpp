#include "linkwright/viewer/page.hpp"

#include <fmt/format.h>

#include "linkwright/io/output_file.hpp"
#include "linkwright/model/names.hpp"
#include "viewer/bundle.hpp"
#include "viewer/closure_data.hpp"
#include "viewer/model_data.hpp"
#include "viewer/run_data.hpp"

namespace linkwright {
namespace {

using viewer::Json;

constexpr std::string_view data_begin = R"(<script type="application/json" id="linkwright-data">)";
constexpr std::string_view data_end = "</script>";

void check_position(const System& system, const ConstVectorRef& q) {
  if (q.size() != system.nq())
    throw Error(fmt::format("q has {} numbers; expected {}", q.size(), system.nq()));
  for (int i = 0; i < system.nq(); ++i)
    if (!std::isfinite(q[i]))
      throw Error(fmt::format("q of {} is {}; expected a finite number",
                              in_quotes(system.position_names()[static_cast<std::size_t>(i)]),
                              q[i]));
}

std::string title_of(const Model& model) {
  return model.name.empty() ? std::string("mechanism") : model.name;
}

[[noreturn]] void refuse_missing_page() {
  throw Error(
      "this build has no page to put the mechanism into: it is bundled by node and npm when "
      "Linkwright is built, and one of them or the network was missing then; install nodejs and "
      "npm and build again",
      Error::Kind::failed_computation);
}

}  // namespace

bool page_available() { return !viewer::page_bundle().empty(); }

Page to_page_data(const System& system, const ConstVectorRef& q, const PageRun* run) {
  check_position(system, q);
  const Model& model = system.model();
  viewer::Drawing drawing = viewer::draw(system, q);
  const std::vector<int> numbers = viewer::number_bodies(system);
  Json data{{"linkwright", 1},
            {"title", title_of(model)},
            {"mode", run == nullptr ? "view" : "run"},
            {"gravity", viewer::to_json(model.gravity)},
            {"size", drawing.size}};
  data["bodies"] = viewer::bodies_to_json(system, drawing, numbers);
  data["meshes"] = viewer::meshes_to_json(drawing.meshes);
  data["joints"] = viewer::joints_to_json(system, numbers);
  data["frames"] = viewer::frames_to_json(system, numbers);
  data["closures"] = viewer::closures_to_json(system, numbers);
  data["springs"] = viewer::springs_to_json(system, numbers);
  if (run == nullptr)  // only sliders need them
    data["independent"] = viewer::independents_to_json(system, q, drawing.warnings);
  data["q0"] = std::vector<double>(q.begin(), q.end());
  if (run != nullptr) data["run"] = viewer::run_to_json(system, *run, numbers);
  return {viewer::to_script_text(data), std::move(drawing.warnings)};
}

Page to_page(const System& system, const ConstVectorRef& q, const PageRun* run) {
  const std::string_view bundle = viewer::page_bundle();
  if (bundle.empty()) refuse_missing_page();
  const std::size_t begin = bundle.find(data_begin);
  const std::size_t end =
      begin == std::string_view::npos ? begin : bundle.find(data_end, begin + data_begin.size());
  if (end == std::string_view::npos)
    throw Error("the page of this build has no place for data; clean and build again",
                Error::Kind::failed_computation);
  Page page = to_page_data(system, q, run);
  std::string html(bundle.substr(0, begin + data_begin.size()));
  html += page.text;
  html += bundle.substr(end);
  page.text = std::move(html);
  return page;
}

void write_page(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace linkwright
