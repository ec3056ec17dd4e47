#include "io/sdf/gather.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/sdf/includes.hpp"
#include "io/text_file.hpp"
#include "linkwright/io/number.hpp"
#include "linkwright/model/names.hpp"

namespace linkwright::sdf {
namespace {

constexpr std::size_t deepest_include = 20;

/// What a <model> or <include> hands down to what is inside.
struct Around {
  Scope* scope = nullptr;
  std::string self{};  ///< what __model__ means: itself, or the frame of a merged model
  std::string file{};
  double version = 0;
  bool is_static = false;
  std::vector<std::string> files{};  ///< that include each other, to find circles
};

/// What an <include> puts in the place of the model's own.
struct Overrides {
  std::string name{}, placement_frame{};
  std::optional<GivenPose> pose{};
  std::optional<bool> is_static{};
  bool merge = false;
};

class Gatherer {
 public:
  Gatherer(const std::filesystem::path& folder, const ReadOptions& options, Told& told,
           Problems& problems)
      : folder_(folder), options_(options), told_(told), problems_(problems) {}

  Gathered run(std::string_view text, const std::string& name) {
    XmlElement root = open(text, name);
    gathered_.sources.push_back(to_source(text, name));
    std::vector<XmlElement> models;
    for (const XmlElement& child : root.children())
      if (child.tag() == "world" || child.tag() == "model") models.push_back(child);
    if (models.empty())
      throw Error(root.source(), "<sdf> has no <model> and no <world>; expected one of them");
    const bool has_world = std::any_of(models.begin(), models.end(),
                                       [](const XmlElement& m) { return m.tag() == "world"; });
    if (has_world && models.size() > 1)
      throw Error(models[1].source(), "<sdf> has a <world> and more; expected one world");
    gathered_.version = version_;
    const bool one_model = !has_world && models.size() == 1;
    gathered_.top = std::make_unique<Scope>("", !one_model, problems_);
    Around around{gathered_.top.get(), std::string(model_frame), name, version_, false, {name}};
    if (has_world) {
      gathered_.world = models.front().owned_by("world");
      gathered_.name = models.front().attribute("name").value_or(std::string_view{});
      told_.others(models.front());
      children_of(*gathered_.world, around);
    } else if (one_model) {
      gathered_.name = models.front().attribute("name").value_or(std::string_view{});
      sole_model(models.front(), around);
    } else {
      gathered_.name = std::filesystem::path(name).stem().string();
      for (const XmlElement& model : models)
        problems_.attempt([&] { nested_model(model, around, {}); });
    }
    place(*gathered_.top, Pose{});
    return std::move(gathered_);
  }

 private:
  /// The <sdf> of a text; its version is in `version_`.
  XmlElement open(std::string_view text, const std::string& name) {
    gathered_.documents.push_back(std::make_unique<XmlDocument>(text, name));
    XmlElement root = gathered_.documents.back()->root();
    if (root.tag() != "sdf")
      throw Error(root.source(),
                  fmt::format("the root element is <{}>{}; expected <sdf>", root.tag(),
                              root.tag() == "gazebo"  ? " (an SDF file of before 2012)"
                              : root.tag() == "robot" ? " (this is a URDF file)"
                                                      : ""));
    told_.others(root);
    const auto version = root.attribute("version");
    const auto number = version ? parse_number(*version) : std::nullopt;
    if (!number)
      told_.note(root.source(), "<sdf> without a version, read as 1.11",
                 version ? std::string(*version) : "none");
    // 1.10 comes after 1.9.
    version_ = number ? to_ordered(*version) : to_ordered("1.11");
    return root;
  }

  static double to_ordered(std::string_view version) {
    const std::size_t point = version.find('.');
    const double major = parse_number(version.substr(0, point)).value_or(1);
    const double minor =
        point == std::string_view::npos ? 0 : parse_number(version.substr(point + 1)).value_or(0);
    return major + minor / 100;
  }

  /// The model of a file with one: its names stand as they are, its pose places it in the world.
  void sole_model(const XmlElement& unnamed, Around& around) {
    const XmlElement model = unnamed.owned_by("model " + in_quotes(gathered_.name));
    told_.others(model);
    told_.others_below(model, "pose");
    Scope& scope = *around.scope;
    scope.canonical_link = model.attribute("canonical_link").value_or(std::string_view{});
    problems_.attempt([&] { around.is_static = find_truth(model, "static", false); });
    children_of(model, around);
    problems_.attempt([&] {
      const GivenPose pose = find_pose(model);
      if (!pose.relative_to.empty() && pose.relative_to != world_name)
        throw Error(pose.source, model.owner() + ": its pose can only be relative to the world");
      const std::string frame(model.attribute("placement_frame").value_or(std::string_view{}));
      sole_pose_ = frame.empty()
                       ? pose.pose
                       : pose.pose * inverse(scope.pose_of(frame, model.source(),
                                                           model.owner() + ": placement_frame"));
    });
  }

  void children_of(const XmlElement& parent, const Around& around) {
    for (const XmlElement& child : parent.children()) {
      const std::string_view tag = child.tag();
      if (tag == "link") problems_.attempt([&] { add_link(child, around); });
      if (tag == "joint") problems_.attempt([&] { add_joint(child, around); });
      if (tag == "frame") problems_.attempt([&] { add_frame(child, around); });
      const bool is_model = tag == "model";
      if (!is_model && tag != "include") continue;
      const bool complete = problems_.attempt([&] {
        if (is_model)
          nested_model(child, around, {});
        else
          include(child.owned_by("include"), around);
      });
      if (!complete) set_unread(child, around);
    }
  }

  /// So that what refers to the inside of a model that cannot be read is not told as a second mistake.
  void set_unread(const XmlElement& model, const Around& around) {
    std::string name(model.attribute("name").value_or(std::string_view{}));
    if (const auto given = model.tag() == "include" ? model.child("name") : std::nullopt)
      name = given->text();
    if (!name.empty()) problems_.set_unread(around.scope->prefix() + name);
  }

  /// The name, and the element with it as its owner in messages.
  static Item named(const XmlElement& element, const Around& around) {
    Item item{element,     around.scope,   element.required_attribute("name"),
              around.self, around.version, around.is_static};
    item.element =
        element.owned_by(fmt::format("{} {}", element.tag(), in_quotes(item.full_name())));
    return item;
  }

  void add_link(const XmlElement& element, const Around& around) {
    Item item = named(element, around);
    Place place{
        .kind = Place::Kind::link, .relative_to = around.self, .thing = item.element.owner()};
    const bool has_pose = problems_.attempt([&] { place.given = find_pose(item.element); });
    if (!has_pose) place.given.source = item.element.source();
    around.scope->add(item.name, std::move(place));
    around.scope->links.push_back(item.name);
    gathered_.links.push_back(std::move(item));
  }

  void add_joint(const XmlElement& element, const Around& around) {
    Item item = named(element, around);
    Place place{.kind = Place::Kind::joint, .thing = item.element.owner()};
    place.given.source = item.element.source();
    const bool complete = problems_.attempt([&] {
      place.given = find_pose(item.element);
      place.relative_to = place.attached_to =
          text_of(item.element.required_child("child", "<child>LINK</child>"));
    });
    if (!complete) {
      problems_.set_unread(item.full_name());
      return;
    }
    around.scope->add(item.name, std::move(place));
    gathered_.joints.push_back(std::move(item));
  }

  void add_frame(const XmlElement& element, const Around& around) {
    Item item = named(element, around);
    Place place{.kind = Place::Kind::frame, .thing = item.element.owner()};
    const std::string_view given =
        item.element.attribute("attached_to").value_or(std::string_view{});
    place.attached_to = place.relative_to = given.empty() ? around.self : std::string(given);
    place.given = find_pose(item.element);
    around.scope->add(item.name, std::move(place));
    gathered_.frames.push_back(std::move(item));
  }

  void nested_model(const XmlElement& element, const Around& around, const Overrides& overrides) {
    const std::string name =
        overrides.name.empty() ? element.required_attribute("name") : overrides.name;
    const XmlElement model = element.owned_by("model " + in_quotes(around.scope->prefix() + name));
    told_.others(model);
    told_.others_below(model, "pose");
    Place place{.kind = Place::Kind::model, .relative_to = around.self, .thing = model.owner()};
    place.given = overrides.pose ? *overrides.pose : find_pose(model);
    place.placement_frame =
        overrides.placement_frame.empty()
            ? std::string(model.attribute("placement_frame").value_or(std::string_view{}))
            : overrides.placement_frame;
    Around inside = around;
    inside.is_static =
        around.is_static || overrides.is_static.value_or(find_truth(model, "static", false));
    if (overrides.merge) {
      merged(model, name, std::move(place), inside);
      return;
    }
    place.inner = std::make_unique<Scope>(around.scope->prefix() + name + "::", false, problems_);
    inside.scope = place.inner.get();
    inside.scope->outer = around.scope;
    inside.self = model_frame;
    inside.scope->canonical_link = model.attribute("canonical_link").value_or(std::string_view{});
    around.scope->add(name, std::move(place));
    around.scope->models.push_back(name);
    children_of(model, inside);
  }

  /// What a merged model holds stands among what is around it; a frame keeps the place of the model.
  void merged(const XmlElement& model, const std::string& name, Place place, Around& inside) {
    inside.self = "_merged__" + name + "__model__";
    const std::size_t before = inside.scope->links.size();
    place.kind = Place::Kind::frame;
    const std::string frame = std::move(place.placement_frame);
    place.placement_frame.clear();
    if (!frame.empty())
      throw Error(model.source(), fmt::format("{}: a merged model cannot have a placement_frame "
                                              "here; give its own pose instead",
                                              model.owner()));
    Place& stays = inside.scope->add(inside.self, std::move(place));
    children_of(model, inside);
    const auto& links = inside.scope->links;
    const std::string_view given = model.attribute("canonical_link").value_or(std::string_view{});
    stays.attached_to = !given.empty()          ? std::string(given)
                        : links.size() > before ? links[before]
                                                : std::string(model_frame);
  }

  void include(const XmlElement& element, const Around& around) {
    told_.others(element);
    told_.others_below(element, "pose");
    const XmlElement uri = element.required_child("uri", "<uri>model://NAME</uri>");
    const std::filesystem::path here =
        folder_.empty() ? std::filesystem::path(around.file) : folder_ / "file.sdf";
    const std::filesystem::path path = find_included(
        uri, around.files.size() > 1 ? std::filesystem::path(around.file) : here, options_);
    Around inside = around;
    inside.file = path.string();
    if (std::find(around.files.begin(), around.files.end(), inside.file) != around.files.end() ||
        around.files.size() > deepest_include)
      uri.fail(fmt::format("{} includes itself, by way of others; break the circle",
                           in_quotes(inside.file)));
    inside.files.push_back(inside.file);
    Overrides overrides;
    overrides.name = find_text(element, "name").value_or("");
    if (element.child("pose")) overrides.pose = find_pose(element);
    if (const auto fixed = element.child("static")) overrides.is_static = truth_of(*fixed);
    // Before 1.8 an attribute, since then an element.
    overrides.placement_frame =
        find_text(element, "placement_frame")
            .value_or(
                std::string(element.attribute("placement_frame").value_or(std::string_view{})));
    overrides.merge = element.attribute("merge").value_or("false") == "true";
    const std::string text = read_text_file(path);
    const double outer = version_;
    XmlElement root = open(text, inside.file);
    inside.version = version_;
    version_ = outer;
    keep_source(text, inside.file);
    const XmlElement model = root.required_child("model", "one <model>");
    nested_model(model, inside, overrides);
  }

  void keep_source(const std::string& text, const std::string& file) {
    for (const SourceText& known : gathered_.sources)
      if (known.name == file) return;
    gathered_.sources.push_back({file, text});
  }

  /// Where every scope's frame is in the world, from outside in.
  void place(Scope& scope, const Pose& pose) {
    scope.in_world = pose * (scope.outer == nullptr ? sole_pose_ : Pose{});
    for (const std::string& name : scope.models)
      problems_.attempt([&] {
        Pose inner = scope.pose_of(name, {}, "model " + in_quotes(scope.prefix() + name));
        place(scope.inner(name), scope.in_world * inner);
      });
  }

  const std::filesystem::path& folder_;
  const ReadOptions& options_;
  Told& told_;
  Problems& problems_;
  Gathered gathered_;
  double version_ = 0;
  Pose sole_pose_{};
};

}  // namespace

Gathered gather(std::string_view text, const std::string& name_for_messages,
                const std::filesystem::path& folder, const ReadOptions& options, Told& told,
                Problems& problems) {
  return Gatherer(folder, options, told, problems).run(text, name_for_messages);
}

}  // namespace linkwright::sdf
