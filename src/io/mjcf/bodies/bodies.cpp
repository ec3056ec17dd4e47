#include "io/mjcf/bodies/bodies.hpp"

#include <fmt/format.h>

#include <array>

#include "linkwright/model/names.hpp"

namespace linkwright::mjcf {
namespace {

bool has_tag(const XmlElement& element, std::initializer_list<std::string_view> tags) {
  return std::find(tags.begin(), tags.end(), element.tag()) != tags.end();
}

std::string childclass_of(const Scene& scene, const XmlElement& element,
                          const std::string& around) {
  const auto name = element.attribute("childclass");
  if (!name) return around;
  // Told once, and not again by everything in it.
  const bool exists = scene.problems.attempt([&] { scene.classes.require(element, *name); });
  return exists ? std::string(*name) : around;
}

/// Everything in a body, with what stands in <frame> elements in the place of those.
void collect(Scene& scene, const XmlElement& element, const Pose& frame,
             const std::string& childclass, std::vector<Part>& parts) {
  for (const XmlElement& child : scene.document.children(element)) {
    if (child.tag() != "frame") {
      parts.push_back({child, frame, childclass});
      continue;
    }
    scene.told.other_attributes(child, "frame");
    scene.told.other_children(child, "frame", scene.document);
    Pose inner = frame;
    scene.problems.attempt([&] { inner = frame * read_pose(child, scene.settings); });
    collect(scene, child, inner, childclass_of(scene, child, childclass), parts);
  }
}

/// Elements that make bodies or forces of their own, which nothing here stands for.
void refuse_generators(Scene& scene, const Part& part) {
  if (!has_tag(part.element, {"composite", "flexcomp", "attach"})) return;
  refuse_force(
      scene, part.element.source(),
      fmt::format("{}: <{}> makes bodies of its own, which is not done here; load the file in "
                  "MuJoCo and save it, which writes them out",
                  part.element.owner(), part.element.tag()),
      fmt::format("this <{}> is left out", part.element.tag()));
}

class BodyReader {
 public:
  explicit BodyReader(Scene& scene) : scene_(scene) {}

  /// The world: shapes, places and bodies, no joints.
  void read_world(const XmlElement& world) {
    std::vector<Part> parts;
    collect(scene_, world, {}, {}, parts);
    BodyPlace place;
    place.name = world_name;
    for (const Part& part : parts) {
      if (has_tag(part.element, {"joint", "freejoint", "inertial"}))
        scene_.problems.attempt([&] {
          part.element.fail("stands in <worldbody>, which never moves; put it into a <body>");
        });
      refuse_generators(scene_, part);
    }
    read_contents(parts, place, true);
  }

 private:
  void read_body(const Part& part, const BodyPlace& around) {
    const XmlElement& unnamed = part.element;
    BodyPlace place;
    place.name = name_of(unnamed);
    place.parent = around.name;
    place.source = unnamed.source();
    const XmlElement element = unnamed.owned_by("body " + in_quotes(place.name));
    scene_.told.other_attributes(element, "body");
    scene_.told.other_children(element, "body", scene_.document);
    scene_.problems.attempt(
        [&] { place.in_parent = part.frame * read_pose(element, scene_.settings); });
    place.in_world = around.in_world * place.in_parent;
    std::vector<Part> parts;
    collect(scene_, element, {}, childclass_of(scene_, element, part.childclass), parts);
    for (const Part& inner : parts) refuse_generators(scene_, inner);
    scene_.bodies.emplace(place.name, place.in_world);
    add_joints(scene_, with_tags(parts, {"joint", "freejoint"}), place);
    scene_.model.bodies.push_back({.name = place.name, .source = place.source});
    read_inertia(element, parts, scene_.model.bodies.back());
    scene_.problems.attempt([&] {
      if (read_flag(element, "mocap").value_or(false))
        scene_.told.note(element.source(), "mocap bodies stay where the file draws them",
                         place.name);
    });
    read_contents(parts, place, false);
  }

  std::string name_of(const XmlElement& element) {
    if (const auto name = element.attribute("name"); name && !name->empty())
      return std::string(*name);
    return Scene::take_name(scene_.body_names,
                            fmt::format("body{}", scene_.model.bodies.size() + 1));
  }

  static std::vector<Part> with_tags(const std::vector<Part>& parts,
                                     std::initializer_list<std::string_view> tags) {
    std::vector<Part> found;
    for (const Part& part : parts)
      if (has_tag(part.element, tags)) found.push_back(part);
    return found;
  }

  void read_inertia(const XmlElement& element, const std::vector<Part>& parts, Body& body) {
    std::optional<Part> inertial;
    for (const Part& part : with_tags(parts, {"inertial"})) {
      if (inertial)
        scene_.problems.attempt([&] { part.element.fail("stands here twice; expected one"); });
      inertial = part;
    }
    const std::vector<Part> geoms = with_tags(parts, {"geom"});
    scene_.problems.attempt([&] { set_inertia(scene_, body, inertial, geoms); });
    scene_.problems.attempt([&] { add_buoyancy(element, body); });
  }

  /// A force that carries part of the weight.
  void add_buoyancy(const XmlElement& element, const Body& body) {
    const double fraction = element.number("gravcomp").value_or(0);
    const Vector3 force = -fraction * body.mass * scene_.settings.gravity;
    if (norm(force) != 0)
      scene_.model.body_loads.push_back(
          {.body = body.name, .force = {{}, force}, .at = body.com, .source = element.source()});
  }

  void read_contents(const std::vector<Part>& parts, const BodyPlace& place, bool is_world) {
    for (const Part& part : parts) {
      if (part.element.tag() == "geom")
        read_shape({part.element.owned_by("geom of " + in_quotes(place.name)), part.frame,
                    part.childclass},
                   place.name, is_world);
      else if (part.element.tag() == "site")
        scene_.problems.attempt([&] { read_site(part, place); });
    }
    for (const Part& part : parts)
      if (part.element.tag() == "body") read_body(part, place);
  }

  void read_shape(const Part& part, const std::string& body, bool is_world) {
    scene_.told.other_attributes(part.element, "geom");
    scene_.told.other_children(part.element, "geom", scene_.document);
    // A shape that gave the body its mass was refused there; now it is only not drawn.
    const auto read = [&] {
      const Geom geom = read_geom(scene_, part);
      add_shapes(scene_, geom, part, is_world ? std::string(world_name) : body);
    };
    scene_.problems.attempt_or_repair(read, {"this <geom> is left out"});
  }

  void read_site(const Part& part, const BodyPlace& place) {
    const std::string name(part.element.attribute("name").value_or(""));
    scene_.told.other_attributes(part.element, "site");
    if (name.empty()) {
      scene_.told.ignored(Topic::drawing, part.element.source(), "<site> without a name");
      return;
    }
    const XmlElement element = part.element.owned_by("site " + in_quotes(name));
    const Attributes attributes = scene_.classes.resolve(element, "site", part.childclass);
    Pose pose = read_pose(attributes, scene_.settings);
    if (const auto ends = attributes.numbers("fromto", 6, 6)) {
      const Vector3 a{(*ends)[0], (*ends)[1], (*ends)[2]}, b{(*ends)[3], (*ends)[4], (*ends)[5]};
      if (norm(b - a) == 0) element.fail("attribute fromto has two equal points");
      pose = {turn_z_to(b - a), 0.5 * (a + b)};
    }
    pose = part.frame * pose;
    if (!scene_.sites.emplace(name, SiteInfo{place.name, pose}).second)
      element.fail(fmt::format("a second site is called {}; rename one", in_quotes(name)));
    scene_.model.frames.push_back({frame_name(name, element), place.name, pose, element.source()});
  }

  /// Places and links share their names here, and do not in MJCF.
  std::string frame_name(const std::string& name, const XmlElement& element) {
    if (name != world_name && !scene_.body_names.contains(name)) return name;
    std::string frame = Scene::take_name(scene_.body_names, name + ":site");
    scene_.told.note(element.source(), "sites with the name of a body are called NAME:site", name);
    return frame;
  }

  Scene& scene_;
};

}  // namespace

void read_bodies(Scene& scene, const XmlElement& worldbody) {
  scene.told.other_attributes(worldbody, "worldbody");
  scene.told.other_children(worldbody, "worldbody", scene.document);
  BodyReader(scene).read_world(worldbody);
}

void apply_total_mass(Scene& scene) {
  if (!(scene.settings.total_mass > 0)) return;
  double mass = 0;
  for (const Body& body : scene.model.bodies) mass += body.mass;
  if (!(mass > 0)) return;
  const double scale = scene.settings.total_mass / mass;
  for (Body& body : scene.model.bodies) {
    body.mass *= scale;
    Symmetric3& I = body.inertia;
    I = {scale * I.xx, scale * I.yy, scale * I.zz, scale * I.xy, scale * I.xz, scale * I.yz};
  }
  for (BodyLoad& load : scene.model.body_loads) load.force.force = scale * load.force.force;
}

}  // namespace linkwright::mjcf
