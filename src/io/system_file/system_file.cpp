#include "linkwright/io/system_file.hpp"

#include <fmt/format.h>

#include "io/strictness.hpp"
#include "io/system_file/section_readers.hpp"
#include "io/text_file.hpp"
#include "linkwright/io/resource.hpp"
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

/// Links, joints and frames: what everything else refers to.
void read_mechanism(const Yaml& file, const std::filesystem::path& folder,
                    const ReadOptions& options, Model& model, Problems& problems) {
  using namespace system_file;
  read_models(file, folder, options, model, problems);
  read_dh_tables(file, model, problems);
  read_bodies(file, model, problems);
  read_joints(file, model, problems);
  read_objects(file, model, problems);
  read_frames(file, model, problems);
}

Model build(const Yaml& file, const std::filesystem::path& folder, const ReadOptions& options,
            Problems& problems) {
  using namespace system_file;
  check_version(file);
  const auto step = [&](const auto& read) { problems.attempt(read); };
  step([&] { file.allow_keys(Section::top_level); });
  Model model;
  step([&] {
    model.name = file.text_or("name", std::filesystem::path(file.source().file).stem().string());
  });
  step([&] { model.gravity = file.vector3_or("gravity", model.gravity); });
  read_mechanism(file, folder, options, model, problems);
  if (model.bodies.empty() && !problems.has_mistakes())
    problems.refuse(Source{file.source().file},
                    "there is no link; expected at least one under models, dh, bodies or objects");
  const Places places(model);
  resolve_ends(places, model);
  const FlexibleLinks links = read_flexible_links(file, places, problems);
  Model chains = model;
  const bool are_made = make_chains(links, chains, problems);
  Joints joints(model, problems);
  joints.add_elastic(chains, are_made);
  step([&] { read_passive(file, joints, model); });
  step([&] { read_cut(file, joints, model); });
  read_flexible_bases(file, joints, model, problems);
  read_shapes(file, places, model, problems);
  read_closures(file, places, model, problems);
  step([&] { read_grasps(file, model); });
  Joints pairs(model, problems, Joints::Closing::included);
  pairs.add_elastic(chains, are_made);
  read_springs(file, places, pairs, model, problems);
  read_loads(file, places, pairs, model, problems);
  read_actuators(file, pairs, model, problems);
  read_network(file, model, problems);
  step([&] { read_coordinates(file, joints, model); });
  step([&] { read_state(file, joints, model); });
  make_chains(links, model, problems);
  return model;
}

}  // namespace

Model parse_system_file(std::string_view text, const std::string& name_for_messages,
                        const std::filesystem::path& folder, const ReadOptions& options) {
  if (options.base != Base::fixed)
    throw Error(Source{name_for_messages},
                "a system file says itself how each model is attached; set "
                "`base:` in its `models:` entry instead");
  Problems problems(to_strictness(options));
  if (!options.closures.empty())
    throw Error(Source{name_for_messages},
                "a system file says its closures itself; set `closures_file:` in its `models:` "
                "entry instead");
  Model model = build(Yaml::parse(text, name_for_messages), folder, options, problems);
  model.sources.insert(model.sources.begin(), to_source(text, name_for_messages));
  resolve_packages(options.packages, model);
  finish_reading(model, problems);
  return model;
}

Model read_system_file(const std::filesystem::path& path, const ReadOptions& options) {
  return parse_system_file(read_text_file(path), path.string(), path.parent_path(), options);
}

}  // namespace linkwright
