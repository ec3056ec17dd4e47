#include "io/sdf/includes.hpp"

#include <fmt/format.h>

#include "io/sdf/values.hpp"
#include "io/text_file.hpp"
#include "linkwright/io/resource.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code trouble;
  return fs::is_regular_file(path, trouble);
}

/// The last <sdf> of a model.config is that of the newest version.
fs::path read_config(const fs::path& config, const fs::path& folder) {
  const XmlDocument document(read_text_file(config), config.string());
  fs::path found;
  for (const XmlElement& child : document.root().children())
    if (child.tag() == "sdf") found = folder / fs::path(text_of(child));
  if (found.empty())
    throw Error(Source{config.string()},
                "there is no <sdf> that names the model's file; expected <sdf "
                "version=\"…\">model.sdf</sdf>");
  return found;
}

}  // namespace

fs::path find_included(const XmlElement& uri, const fs::path& file, const ReadOptions& options) {
  const std::string name = text_of(uri);
  if (name.starts_with("http://") || name.starts_with("https://"))
    uri.fail(
        fmt::format("{} is an address, and nothing is fetched from there; download the model "
                    "and name its folder",
                    in_quotes(name)));
  const auto found = find_resource(name, file, options.packages);
  if (!found)
    uri.fail(
        fmt::format("there is no file or folder {}; a path is relative to this file, and "
                    "model:// is looked for in the packages given, in the folders above and "
                    "where GZ_SIM_RESOURCE_PATH says",
                    in_quotes(name)));
  if (is_file(*found)) return *found;
  const fs::path config = *found / "model.config", usual = *found / "model.sdf";
  fs::path model = is_file(config) ? read_config(config, *found) : usual;
  if (!is_file(model))
    uri.fail(fmt::format("the folder {} has no {}", in_quotes(found->string()),
                         in_quotes(model.filename().string())));
  return model;
}

}  // namespace linkwright::sdf
