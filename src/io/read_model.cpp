#include "linkwright/io/read_model.hpp"

#include <fmt/format.h>

#include "io/text_file.hpp"
#include "linkwright/io/mjcf.hpp"
#include "linkwright/io/sdf.hpp"
#include "linkwright/io/system_file.hpp"
#include "linkwright/io/urdf.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

enum class Format { xml, yaml, unknown };

bool starts_as_xml(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

Format format_of(const std::filesystem::path& path, std::string_view text) {
  const std::string extension = path.extension().string();
  if (extension == ".urdf" || extension == ".xml" || extension == ".sdf" || extension == ".world")
    return Format::xml;
  if (extension == ".yaml" || extension == ".yml") return Format::yaml;
  if (starts_as_xml(text)) return Format::xml;
  return text.find("linkwright:") != std::string_view::npos ? Format::yaml : Format::unknown;
}

Model parse_xml(std::string_view text, const std::string& name, const std::filesystem::path& folder,
                const ReadOptions& options) {
  if (root_tag(text) == "mujoco") return parse_mjcf(text, name, folder, options);
  if (root_tag(text) == "sdf") return parse_sdf(text, name, folder, options);
  return parse_urdf(text, name, options);
}

}  // namespace

Model parse_model(std::string_view text, const std::string& name_for_messages,
                  const std::filesystem::path& folder, const ReadOptions& options) {
  check_text(text, name_for_messages);
  if (starts_as_xml(text)) return parse_xml(text, name_for_messages, folder, options);
  return parse_system_file(text, name_for_messages, folder, options);
}

Model read_model(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string text = read_text_file(path);
  const std::string name = path.string();
  check_text(text, name);
  switch (format_of(path, text)) {
    case Format::xml:
      return parse_xml(text, name, path.parent_path(), options);
    case Format::yaml:
      return parse_system_file(text, name, path.parent_path(), options);
    case Format::unknown:
      break;
  }
  throw Error(
      Source{name},
      fmt::format(
          "the extension {} is unknown and the text is neither; expected a URDF file (.urdf, "
          ".xml), an SDF file (.sdf, .world), an MJCF file (.xml) or a system file (.yaml, .yml)",
          in_quotes(path.extension().string())));
}

}  // namespace linkwright
