#include "linkwright/io/system_file.hpp"

#include <fmt/format.h>

#include "io/system_file/parts.hpp"
#include "io/text_file.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright {
namespace {

void check_version(const Yaml& file) {
  if (!file.is_map())
    file.fail("this is no system file; expected `linkwright: 1` and further `key: value` pairs");
  const auto version = file.find("linkwright");
  if (!version)
    throw Error(Source{file.source().file, 1},
                "the key 'linkwright' is missing; a system file begins with `linkwright: 1`");
  if (version->whole_number() != 1)
    version->fail(
        fmt::format("version {} is unknown; this program reads version 1", version->text()));
}

Model build(const Yaml& file, const std::filesystem::path& folder) {
  using namespace system_file;
  check_version(file);
  file.allow_keys(Section::top_level);
  Model model;
  model.name = file.text_or("name", std::filesystem::path(file.source().file).stem().string());
  model.gravity = file.vector3_or("gravity", model.gravity);
  read_models(file, folder, model);
  read_dh_tables(file, model);
  read_bodies(file, model);
  read_joints(file, model);
  read_objects(file, model);
  read_frames(file, model);
  if (model.bodies.empty())
    throw Error(Source{file.source().file},
                "there is no link; expected at least one under "
                "models, dh, bodies or objects");
  const Places places(model);
  resolve_parents(places, model);
  read_passive(file, model);
  const Joints joints(model);
  read_closures(file, places, model);
  read_grasps(file, model);
  read_springs(file, places, joints, model);
  read_loads(file, places, joints, model);
  read_actuators(file, joints, model);
  read_coordinates(file, joints, model);
  read_state(file, joints, model);
  return model;
}

}  // namespace

Model parse_system_file(std::string_view text, const std::string& name_for_messages,
                        const std::filesystem::path& folder) {
  Model model = build(Yaml::parse(text, name_for_messages), folder);
  model.sources.insert(model.sources.begin(), to_source(text, name_for_messages));
  return model;
}

Model read_system_file(const std::filesystem::path& path) {
  return parse_system_file(read_text_file(path), path.string(), path.parent_path());
}

}  // namespace linkwright
